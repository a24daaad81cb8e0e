"""The time of decisions: seconds, datetimes, and how far they may run backwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

import driftbandit as db


@pytest.mark.parametrize("within", [90, "90s", "1.5m", timedelta(seconds=90)])
def test_a_stretch_of_time_is_seconds_a_text_or_a_timedelta(within: Any) -> None:
    assert db.UCB1().agent(2, reward_within=within).reward_within == 90.0
    assert db.TimeWindow(within).numbers() == (90.0,)


def test_a_moment_is_seconds_or_a_datetime_with_a_time_zone() -> None:
    agent = db.UCB1().agent(2)
    east = timezone(timedelta(hours=9))
    moments = [86_400, datetime(1970, 1, 2, tzinfo=UTC), datetime(1970, 1, 2, 9, tzinfo=east)]
    assert [agent.propose(at=moment).at for moment in moments] == [86_400.0] * 3
    for bad in (datetime(1970, 1, 2), "now", float("nan"), 1e300):  # that is refused
        with pytest.raises(db.InputError, match="at must"):
            agent.decide(at=bad)
    assert agent.rounds == 0


def test_an_hour_that_a_clock_shows_twice_is_two_hours() -> None:
    """As in Berlin at the end of October, where 2:30 comes with +02:00 and then with +01:00."""
    agent = db.Policy(forget=db.TimeWindow("2h")).agent(2)
    summer, winter = (timezone(timedelta(hours=hours)) for hours in (2, 1))
    for zone in (summer, winter):
        agent.decide(at=datetime(2026, 10, 25, 2, 30, tzinfo=zone))
    times = [entry.at for entry in agent._ledger.entries.values()]
    assert times[1] - times[0] == 3_600.0


def test_time_may_run_backwards_by_the_time_that_rewards_may_take() -> None:
    agent = db.UCB1().agent(2, reward_within="10s")
    agent.decide(at=100.0)
    early = agent.decide(at=95.0)
    before = agent.state()
    with pytest.raises(db.InputError, match=r"at must not run backwards by more than 10 s, got 11"):
        agent.decide(at=89.0)
    assert agent.state() == before
    assert agent.reward(early.id, 1.0, at=94.0)
    assert agent.decide(at=110.0).id in agent._ledger.entries


def test_without_a_limit_for_rewards_time_may_run_backwards_and_nothing_gets_younger() -> None:
    agent = db.Policy(forget=db.TimeWindow("10s")).agent(2)
    for at in (100.0, 50.0, 109.0):
        agent.reward(agent.decide(at=at).id, 1.0, at=at)
    assert sum(row["count"] or 0.0 for row in agent.explain().values()) == 3.0
    agent.decide(at=110.0)
    assert sum(row["count"] or 0.0 for row in agent.explain().values()) == 1.0
