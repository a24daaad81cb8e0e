"""An index that is not a number is an error with the rule's name, live and compiled."""

from __future__ import annotations

import dataclasses
import math

import pytest

import driftbandit as db

WORLD = db.environments.Stationary((0.2, 0.8, 0.5), law=db.environments.laws.Exact())


@dataclasses.dataclass(frozen=True)
class Broken(db.Explore):
    """Fine for a while, then NaN for arms of a certain mean."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return math.nan if clock > 20.0 and mean > 0.7 else mean + 1.0 / count


@dataclasses.dataclass(frozen=True)
class BrokenWidth(db.Explore):
    @staticmethod
    def width(clock: float) -> float:
        return math.nan if clock > 20.0 else 1.0


@dataclasses.dataclass(frozen=True)
class BrokenTangent(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return BrokenTangent.tangent(mean, math.log(clock) / count)[0]

    @staticmethod
    def level(clock: float) -> float:
        return math.log(clock)

    @staticmethod
    def tangent(mean: float, share: float) -> tuple[float, float]:
        return (math.nan if share < 0.5 and mean > 0.7 else mean + share), 1.0


@pytest.mark.parametrize(
    ("policy", "arm"),
    [
        (db.Policy(explore=Broken()), 1),
        (db.Policy(explore=Broken(), detect=db.detect.CUSUM(9, 0.1, 1e6)), 1),
        (db.Policy(explore=BrokenWidth()), 0),
        (db.Policy(explore=BrokenTangent()), 1),
    ],
    ids=["index", "clocks", "width", "tangent"],
)
def test_it_is_refused(policy: db.Policy, arm: int) -> None:
    name = type(policy.explore).__name__
    message = f"the index of {name} must be a number, got nan for arm {arm}"
    with pytest.raises(db.InputError, match=message):
        db.simulate(policy, WORLD, horizon=100, runs=2, workers=1)
    with pytest.raises(db.InputError, match=message):
        play_live(policy)


def play_live(policy: db.Policy) -> None:
    agent = policy.agent(3)
    for _ in range(100):
        arm = agent.choose()
        agent.learn(arm, WORLD.means[arm])
