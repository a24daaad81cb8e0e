"""Tuning from a log: three ways of looking, ties, advice, and a policy that is good live."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.tuning.candidates import candidates_of
from driftbandit.logs.tuning.live import behind, worth
from logs.simulated import SPAN, drawn


def jumping(rounds: int, arms: int, jumps: int, seed: int) -> tuple[db.Log, db.environments.World]:
    """Return a log of uniform choices in a world whose means all jump, and the world."""
    rng = np.random.default_rng([seed, 15])
    breakpoints = [place * rounds // (jumps + 1) + 1 for place in range(1, jumps + 1)]
    world = db.environments.Piecewise(breakpoints, rng.random((jumps + 1, arms)), horizon=rounds)
    means = world.mean_rewards(1, rounds)
    arm = rng.integers(arms, size=rounds)
    reward = (rng.random(rounds) < means[np.arange(rounds), arm]) * 1.0
    frame = pl.DataFrame({"time": np.arange(rounds) * 60.0, "arm": arm, "reward": reward})
    return db.Log.read(frame.with_columns(propensity=pl.lit(1.0 / arms))), world


def regrets(
    policies: Sequence[db.Strategy], world: db.environments.World, runs: int
) -> list[float]:
    named = [policy.replace(label=str(place)) for place, policy in enumerate(policies)]
    result = db.simulate(named, world, runs=runs, seed=1)
    return [float(result[policy.label].final_regret.mean()) for policy in named]


def test_replay_is_too_long_in_time_and_too_short_in_rounds() -> None:
    log, world = jumping(12_000, 9, 5, 0)
    tuning = log.tune(db.SlidingWindowThompson(100))
    (memory,) = tuning.memories
    assert memory.in_rounds < memory.live <= memory.in_time  # the grid has steps of two
    assert memory.rule == pytest.approx(memory.in_time / math.sqrt(tuning.per_row))
    assert tuning.per_row == pytest.approx(9.0, rel=0.05)
    assert memory.live / 2.0 <= memory.rule <= 2.0 * memory.live
    grid = [db.SlidingWindowThompson(window) for window in (94, 188, 375, 750, 1_500)]
    assert tuning.policy is not None
    mine, *others = regrets([tuning.policy, *grid], _by_the_minute(world), runs=30)
    assert mine <= 1.15 * min(others)


def _by_the_minute(world: db.environments.World) -> db.environments.World:
    """Return the world with rounds of a minute, as in the log."""
    from driftbandit.logs import LoggedWorld  # noqa: PLC0415  # the only world with longer rounds

    assert isinstance(world, db.environments.Piecewise)
    return LoggedWorld(world.breakpoints, world.means, horizon=world.horizon or 1, seconds=60.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_the_advice_is_nearly_as_good_live_as_the_best_window(seed: int) -> None:
    """K = 5, ten jumps in 50,000 rounds: the regret is at most 1.15 times that of the best."""
    log, world = jumping(50_000, 5, 10, seed)
    tuning = log.tune(db.SlidingWindowThompson(100))
    grid = [db.SlidingWindowThompson(round(1_000 * 2 ** (k / 2))) for k in range(-5, 4)]
    assert tuning.policy is not None
    mine, *others = regrets([tuning.policy, *grid], _by_the_minute(world), runs=50)
    assert mine <= 1.15 * min(others)
    (memory,) = tuning.memories
    assert memory.in_rounds < memory.live <= memory.in_time  # the grid has steps of two


def test_the_answer_ranks_says_ties_and_gives_a_policy_for_an_agent() -> None:
    log = drawn("drift", 2_000, 0).log
    seen: list[tuple[int, int]] = []
    tuning = log.tune(db.Thompson(), ["4d", "16d"],
                      progress=lambda done, total: seen.append((done, total)))  # fmt: skip
    assert len(tuning) == 3
    values = [row.live.value for row in tuning]
    assert values == sorted(values, reverse=True)
    assert tuning[0] in tuning.ties
    assert tuning[0].behind == (0.0, 0.0, 0.0)
    assert all(row.behind.low <= row.behind.value <= row.behind.high for row in tuning)
    assert {row.tie for row in tuning if row.behind.low > 0.0} <= {False}
    assert math.isnan(tuning["Thompson"].span)
    assert tuning["Thompson, window 4 d"].span == 4 * 86_400.0
    assert tuning.advice.startswith(f"Play {tuning[0].label}: live it would have earned 0.")
    assert repr(tuning).endswith(tuning.advice)
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    content = json.loads(json.dumps(tuning.to_dict()))
    again = db.Strategy.from_json(json.dumps(content["policy"]))
    assert again == tuning.policy
    assert again.agent(arms=["a", "b", "c"], seed=0).choose() in "abc"
    with pytest.raises(KeyError):
        tuning["nobody"]


def test_policies_that_are_alike_are_ties() -> None:
    tuning = drawn("still", 2_000, 0).log.tune(db.SlidingWindowThompson(9), [SPAN, 0.99 * SPAN])
    assert len(tuning.ties) == 2
    assert "; the other cannot be told apart from it, at 95%." in tuning.advice


def test_every_memory_has_its_kind() -> None:
    evidence = drawn("still", 1_000, 0).log._evidence
    policies = [db.UCB1(), db.DiscountedUCB(0.99), db.Auto()]
    rows = candidates_of(policies, ["1d", "7d"], evidence)
    assert [row.policy.label for row in rows] == [
        "UCB-1", "UCB-1, window 24 h", "UCB-1, window 7 d", "D-UCB, half-life 24 h",
        "D-UCB, half-life 7 d", "Auto",
    ]  # fmt: skip
    window, half_life = rows[1], rows[3]
    assert isinstance(window.policy, db.Policy)
    assert isinstance(half_life.in_rounds, db.Policy)
    assert window.policy.forget == db.TimeWindow("1d")
    assert isinstance(half_life.in_rounds.forget, db.forget.Discount)
    assert math.isnan(rows[5].span)
    assert rows[5].policy is rows[5].in_rounds


def test_default_spans_halve_the_log_down_to_ten_rounds_per_arm() -> None:
    evidence = drawn("still", 1_000, 0).log._evidence
    rows = candidates_of(db.SlidingWindowUCB(5), None, evidence)
    spans = [row.span / (evidence.end - evidence.start) for row in rows]
    assert spans == [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125]  # half of that is below 30 rounds


def test_intervals_of_differences_hold_together() -> None:
    rng = np.random.default_rng(0)
    luck = rng.standard_normal((30, 1))
    earned = 0.5 + 0.01 * luck + 0.001 * rng.standard_normal((30, 4)) - [0.0, 0.01, 0.0, 0.02]
    rows = behind(earned, 0, 0.95)
    alone = worth(earned[:, 0] - earned[:, 1], 0.95)
    assert rows[1].value == alone.value
    assert rows[1].high - rows[1].low > alone.high - alone.low
    assert [row.low > 0.0 for row in rows] == [False, True, False, True]
    assert worth(earned[:, 0], 0.95).low < 0.5 < worth(earned[:, 0], 0.95).high


def test_an_arm_that_the_log_does_not_show_stands_in_the_way() -> None:
    frame = drawn("still", 400, 0).frame.with_columns(eligible=pl.lit("a|b|c|d"))
    tuning = db.Log.read(frame).tune(db.Thompson(), ["1d"])
    assert tuning.policy is None
    assert tuning.advice == "Cannot tell: it may play d, which the log does not show."
    assert json.loads(json.dumps(tuning.to_dict()))["policy"] is None
    assert "–" in repr(tuning)


def test_one_row_cannot_tell() -> None:
    frame = pl.DataFrame({"time": [0.0], "arm": ["a"], "reward": [1.0]})
    assert db.Log.read(frame).tune().advice.startswith("Cannot tell")


@pytest.mark.parametrize(
    ("policies", "spans", "message"),
    [
        ([], None, "policies must be a policy, or a list of them, got"),
        ([{"a": 1.0}], None, "policies must be policies that learn, got"),
        (db.UCB1(), [], "spans must be stretches of time, at least one, got"),
        (db.UCB1(), ["soon"], "spans must be seconds, a timedelta or a text"),
        ([db.UCB1(), db.UCB1()], ["1d"], "labels of policies with memories must be different"),
        (db.UCB1(bound=0.5), ["1d"], "bound of UCB-1 must be at least that of the log"),
    ],
)
def test_bad_input_is_one_line(policies: object, spans: object, message: str) -> None:
    with pytest.raises(db.InputError, match=message):
        drawn("still", 200, 0).log.tune(policies, spans)
