"""Linear policies whose rewards come late, against sums over the whole history."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.core.errors import UnknownDecisionError
from driftbandit.live.state import sealed

POLICIES: dict[str, tuple[db.linear.LinearPolicy, Callable[[int, int], float]]] = {
    "full": (db.LinUCB(), lambda t, s: 1.0),
    "discount": (db.DiscountedLinUCB(discount=0.9), lambda t, s: 0.9 ** (t - s)),
    "window": (db.SlidingWindowLinUCB(7), lambda t, s: float(s > t - 7)),
}
"""Policies, and the weight at round t of a play of round s."""


def rows_of(luck: random.Random) -> np.ndarray[Any, Any]:
    angles = np.array([luck.random() * 2.0 * math.pi for _ in range(4)])
    return np.column_stack([np.cos(angles), np.sin(angles)])


@pytest.mark.parametrize("name", list(POLICIES))
def test_late_rewards_against_the_whole_history(name: str) -> None:
    policy, weight_of = POLICIES[name]
    agent, luck = policy.agent(dimension=2), random.Random(4)
    plays: list[tuple[Any, float | None]] = []
    ids: list[str] = []
    for t in range(1, 60):
        rows = rows_of(luck)
        V, squared, known, targets = (np.eye(2) * policy.ridge for _ in range(4))
        targets = np.zeros(2)
        for s, (action, reward) in enumerate(plays, start=1):
            weight, outer = weight_of(t - 1, s), np.outer(action, action)
            V, squared = V + weight * outer, squared + weight**2 * outer
            if reward is not None:
                known, targets = known + weight * outer, targets + weight * reward * action
        theta, inverse = np.linalg.solve(known, targets), np.linalg.inv(V)
        explained = agent.explain(rows)
        radius = policy.schedule(2)
        for _ in plays:
            radius.step()
        for place, row in enumerate(rows):
            width = radius.radius * math.sqrt(row @ inverse @ squared @ inverse @ row)
            assert explained[place]["estimate"] == pytest.approx(row @ theta, abs=1e-9)
            assert explained[place]["width"] == pytest.approx(width, rel=1e-9)
        decision = agent.decide(rows, at=float(t))
        assert decision.arm == max(explained, key=lambda place: explained[place]["index"])
        assert decision.features == tuple(rows[decision.arm])
        plays.append((rows[decision.arm], None))
        ids.append(decision.id)
        if luck.random() < 0.8:
            waiting = [s for s, (_, reward) in enumerate(plays) if reward is None]
            chosen, reward = luck.choice(waiting), luck.random() - 0.5
            agent.reward(ids[chosen], reward, at=float(t))
            plays[chosen] = plays[chosen][0], reward


@pytest.mark.parametrize("name", list(POLICIES))
def test_rewards_that_come_at_once_make_decisions_choices(name: str) -> None:
    luck = random.Random(1)
    chooses, decides = (POLICIES[name][0].agent(dimension=2) for _ in range(2))
    for t in range(100):
        rows, reward = rows_of(luck), luck.random()
        decision = decides.decide(rows, at=float(t))
        assert decision.arm == chooses.choose(rows)
        assert decision.probability == 1.0
        chooses.learn(rows[decision.arm], reward)
        decides.reward(decision.id, reward, at=float(t))
    assert np.array_equal(chooses.theta, decides.theta)


@pytest.mark.filterwarnings("ignore::driftbandit.ShortMemoryWarning")
@pytest.mark.parametrize("name", list(POLICIES))
def test_a_restored_agent_goes_on_the_same_and_so_does_a_fold(name: str) -> None:
    agent, luck = POLICIES[name][0].agent(2, floor=0.2, reward_within=30), random.Random(2)
    other = POLICIES[name][0].agent(2, floor=0.2, reward_within=30)
    ids: list[str] = []
    for t in range(200):
        names = dict(zip("abcd", rows_of(luck), strict=True))
        if t % 20 == 7:
            agent = db.Agent.restore(json.loads(json.dumps(agent.state(), allow_nan=False)))
        decision = agent.decide(names, at=float(t))
        assert decision.probability in (0.05, pytest.approx(0.85))
        other.apply(db.event_from_json(decision.to_json()))
        ids.append(decision.id)
        if t % 3:
            late = ids.pop(luck.randrange(len(ids))) if t % 2 else ids.pop()
            event = db.Reward(late, luck.random(), float(t))
            try:
                agent.apply(event)
            except UnknownDecisionError:
                continue
            other.apply(event)
    ours, theirs = agent.state(), other.state()
    for state in (ours, theirs):
        del state["generator"], state["checksum"]
    assert ours == theirs


@pytest.mark.parametrize("name", list(POLICIES))
def test_the_order_of_arrival_changes_nothing(name: str) -> None:
    def theta(order: list[int]) -> Any:
        agent, luck = POLICIES[name][0].agent(dimension=2), random.Random(7)
        for t in range(12):
            action = tuple(rows_of(luck)[0].tolist())
            agent.apply(db.Decision(str(t), 0, 1.0, t + 1, float(t), features=action))
        for t in order:
            agent.reward(str(t), t * 7 % 11 / 10, at=20.0)
        return agent.theta

    ahead = list(range(12))
    assert theta(ahead) == pytest.approx(theta(ahead[::-1]), rel=1e-9)


def test_a_planned_restart_forgets_what_was_awaited() -> None:
    agent = db.linear.LinearPolicy(detect=db.PeriodicRestart(4)).agent(dimension=2)
    decisions = [agent.decide([[1.0, 0.0], [0.0, 1.0]], at=float(t)) for t in range(6)]
    for decision in decisions[:4]:
        assert agent.reward(decision.id, 1.0, at=7.0)
    assert not agent.theta.any()
    agent.reward(decisions[4].id, 1.0, at=8.0)
    assert agent.theta.any()


def test_bad_events_change_nothing() -> None:
    agent = db.LinUCB().agent(dimension=2)
    decision = agent.decide({"a": [1.0, 0.0]}, at=0.0)
    before = agent.state()
    for bad in (
        db.Decision("x", "a", 1.0, 1, 0.0),
        db.Decision("x", "a", 1.0, 1, 0.0, features=(1.0, 1.0)),
        db.Decision(decision.id, "a", 1.0, 1, 0.0, features=(1.0, 0.0)),
    ):
        with pytest.raises(db.InputError):
            agent.apply(bad)
    for reward in (math.nan, math.inf, 1e200):
        with pytest.raises(db.InputError, match="reward must be a finite number"):
            agent.reward(decision.id, reward, at=1.0)
    assert agent.state() == before
    with pytest.raises(db.InputError, match="sums of the state must be of 3 features"):
        db.Agent.restore(sealed({**before, "dimension": 3}))
    with pytest.raises(db.InputError, match="forget must go by rounds, not by the clock"):
        db.linear.LinearPolicy(forget=db.HalfLife("1h"))
