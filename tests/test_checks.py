"""Every shipped policy passes every shipped check, and the checks can fail."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import driftbandit as db
from driftbandit import checks
from driftbandit.policies.index.live.choose import IndexLearner
from driftbandit.policies.learner import Draw

POLICIES = [
    db.Auto(bound=2.0),
    db.UCB1(),
    db.DiscountedUCB(0.95),
    db.DiscountedUCB(0.95, padding=1.0, bound=2.0, label="padding B"),
    db.SlidingWindowUCB(30),
    db.DiscountedUCB.tuned(growth=0.3),
    db.SlidingWindowUCB.tuned(growth=0.3),
    db.GLRklUCB(delta=0.5, rate=0.2, growing=False, every=5, scope="arm"),
    db.CUSUMUCB(warmup=5, drift=0.05, threshold=1.0, rate=0.2),
    db.MUCB(window=10, threshold=2.0, rate=0.2),
    db.ADWINUCB(delta=0.9, every=5),
    db.UCBV(),
    db.Softmax(0.2),
    db.EXP3(0.1),
    db.EXP3S(0.1, 0.01),
    db.EXP3P.tuned(horizon=200, arms=3),
    db.EXP3SIX(0.5, 0.1, 0.1, bound=2.0),
    db.EXP3R(0.5, 20, 0.9),
    db.StationaryKLUCB(),
    db.Thompson(),
    db.EpsilonGreedy(0.2),
    db.Uniform(),
    db.Oracle(),
    db.AnytimeEXP3IX(bound=2.0),
    db.SWUCBSharp(0.5, scale=2.0),
    db.AdSwitch(200, c=0.1, rate=3.0, every=3, ends=2, bound=2.0),
    db.MASTER(200, delta=0.5, scale=3e-4),
    db.Policy(forget=db.ArmWindow(10)),
    db.RAWUCB(ratio=1.3),
    db.BanditOverBandit(20),
    db.MetaBandit(threshold=2.0, trial=20),
    db.Doubling(db.EXP3S, {"breakpoints": 1, "arms": 4}, first=30),
]
NEAR_OTHERS = [
    db.PHTUCB(drift=0.05, threshold=1.0, rate=0.2),
    db.PeriodicUCB(60),
    db.UCBTuned(),
    db.AnytimeMOSS(),
    db.DiscountedKLUCB(0.95, c=3.0),
    db.SlidingWindowKLUCB(30),
    db.META(200, c=0.01, every=2),
    db.FEWA(bound=2.0),
    db.GLRUCB(delta=0.5, rate=0.2, every=5),
    db.EXP3PP(0.01, 0.05),
    db.REXP3(0.3, batch=30),
    db.MOSS(200),
    db.DiscountedThompson(0.9),
    db.EXP3IX.tuned(horizon=200, arms=3),
    db.OracleRestart([50, 51, 120]),
    db.Policy(forget=db.Window(40), explore=db.UCBVariance(zeta=0.5)),
    db.Policy(forget=db.Discount(0.9), explore=db.Gibbs(0.1)),
    db.DiscountedKLUCB.tuned(growth=0.3, bound=2.0, label="D-KL-UCB, doubling"),
    db.SlidingWindowThompson(30, success=0.5, failure=0.5),
    db.GaussianThompson(0.5),
    db.EpsilonGreedy.tuned(gap=0.5, c=0.3, label="ε-greedy, decaying"),
]
"""Checked by the slow tests: others like them are checked by the quick ones, and these compile."""


@pytest.mark.parametrize(
    "policy",
    [*POLICIES, *(pytest.param(each, marks=pytest.mark.slow) for each in NEAR_OTHERS)],
    ids=lambda policy: policy.label,
)
@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_shipped_policies(policy: db.Strategy, check: Callable[[db.Strategy], None]) -> None:
    check(policy)


@dataclasses.dataclass(frozen=True)
class Streak(db.Detect):
    """Start over after `length` rewards below one half in a row."""

    length: float = 4.0
    state = db.State("low")

    @staticmethod
    def alarm(state: Any, reward: float, count: float, length: float) -> bool:
        state.low = state.low + 1.0 if reward < 0.5 else 0.0
        return bool(state.low >= length)


@dataclasses.dataclass(frozen=True)
class LocalStreak(Streak):
    """The same for the arm alone."""

    scope = "arm"


@dataclasses.dataclass(frozen=True)
class Fading(db.Forget):
    """Forget ever more slowly, and nothing older than a slowly growing span."""

    power: float = 0.5

    @staticmethod
    def factor(t: float, power: float) -> float:
        return 1.0 - 0.3 * math.pow(t, -power)

    @staticmethod
    def span(t: float, power: float) -> float:
        return 20.0 + math.floor(math.pow(t, power))


@dataclasses.dataclass(frozen=True)
class Optimist(db.Explore):
    """A padding without the logarithm."""

    scale: float = 1.0

    @staticmethod
    def index(mean: float, count: float, clock: float, scale: float) -> float:
        return mean + scale / math.sqrt(count)


@dataclasses.dataclass(frozen=True)
class NoisyVariance(db.Explore):
    """An index that asks for everything."""

    variance = True
    noise = True
    scale: float = 0.5

    @staticmethod
    def index(
        mean: float, count: float, clock: float, variance: float, noise: float, scale: float
    ) -> float:
        return mean + scale * (noise - 0.5) * math.sqrt(variance + 1.0 / count) + 0.0 * clock


OWN = [
    db.Policy(forget=Fading(), explore=Optimist()),
    db.Policy(forget=Fading(), detect=Streak(), explore=NoisyVariance()),
    db.Policy(forget=db.Window(30), detect=LocalStreak()),
    db.Policy(detect=Streak()),
]
OWN_NEAR_OTHERS = [
    db.Policy(forget=db.Window(30), detect=Streak(), explore=db.UCBVariance()),
    db.Policy(forget=db.Discount(0.97), detect=LocalStreak(), explore=Optimist()),
    db.Policy(forget=db.Discount(0.97), explore=NoisyVariance()),
]


@pytest.mark.parametrize(
    "policy",
    [*OWN, *(pytest.param(each, marks=pytest.mark.slow) for each in OWN_NEAR_OTHERS)],
    ids=lambda policy: policy.label,
)
def test_own_rules_combine_with_all_others(policy: db.Policy) -> None:
    checks.check_policy(policy)


def test_never_is_no_detector() -> None:
    deaf = db.Policy(detect=Streak(1e9), label="deaf")
    world = db.environments.two_swaps()
    result = db.simulate([db.UCB1(), deaf], world, horizon=4000, runs=200)
    assert (result["UCB-1"].regret == result["deaf"].regret).all()


class Forgetful(IndexLearner):
    """Wrong on purpose: a live learner that overlooks every tenth reward."""

    def learn(self, arm: int, reward: float | None) -> None:
        super().learn(arm, 0.0 if self.rounds % 10 == 9 else reward)


class Gullible(IndexLearner):
    """Wrong on purpose: a live learner that prefers arm 2."""

    def choose(self, draw: Draw) -> int:
        return 2 if self.rounds % 7 == 6 else super().choose(draw)


@pytest.mark.parametrize(
    ("learner", "check"),
    [
        (Forgetful, checks.check_live_is_compiled),
        (Gullible, checks.check_live_is_compiled),
    ],
)
def test_a_wrong_learner_is_caught(
    learner: type[IndexLearner],
    check: Callable[[db.Strategy], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def made(policy: db.Policy, arms: int) -> IndexLearner:
        return learner(policy, arms)

    monkeypatch.setattr(db.Policy, "learner", made)
    with pytest.raises(AssertionError):
        check(db.UCB1())


@dataclasses.dataclass(frozen=True)
class Changeling(db.Uniform):
    """Wrong on purpose: what JSON gives back is not what went in."""

    extra: object = frozenset({1})

    def to_json(self) -> str:
        return db.Uniform().to_json()


def test_a_policy_that_is_no_value_is_caught() -> None:
    with pytest.raises(AssertionError):
        checks.check_value(Changeling())


@dataclasses.dataclass(frozen=True)
class Overreach(db.Detect):
    """Wrong on purpose: writes beyond its array."""

    state = db.State(ring=3)

    @staticmethod
    def alarm(state: Any, reward: float, count: float) -> bool:
        state.ring[3] += 1.0
        return False


def test_a_rule_that_writes_beyond_its_array_is_caught_before_it_is_compiled() -> None:
    with pytest.raises(AssertionError, match=r"round 1 fails: .* IndexError"):
        checks.check_policy(db.Policy(detect=Overreach()))


@dataclasses.dataclass(frozen=True)
class RoundRobin(db.Explore):
    """Ties all the time, and rightly so."""

    sign: float = -1.0

    @staticmethod
    def index(mean: float, count: float, clock: float, sign: float) -> float:
        return sign * count


@pytest.mark.parametrize("policy", [db.UCB1(bound=0.1), db.Policy(explore=RoundRobin())])
def test_small_bounds_and_ties_are_no_mistake(policy: db.Policy) -> None:
    checks.check_policy(policy)


def test_checks_can_fail_where_assertions_are_off() -> None:
    program = """
import driftbandit as db
try:
    db.checks._ensure(False, "it fails")
except AssertionError as error:
    print(__debug__, error)
"""
    command = [sys.executable, "-O", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False it fails\n", "")


@pytest.mark.parametrize("thing", [5, None, len, int])
def test_only_plain_functions_are_compilable(thing: Any) -> None:
    with pytest.raises(db.InputError, match="function must be a plain function"):
        db.compilable(thing)


def test_bases_of_policies_cannot_be_played() -> None:
    world = db.environments.Stationary((0.2, 0.5, 0.8))
    for base in (db.Strategy(label="base"), db.Weights(label="base")):
        with pytest.raises(db.InputError, match=r"is a base of policies|must have a method"):
            db.simulate(base, world, horizon=5, runs=8)


@pytest.mark.parametrize("check", [checks.check_policy, *checks.CHECKS])
def test_what_is_no_policy_is_refused(check: Callable[..., None]) -> None:
    with pytest.raises(db.InputError, match="policy must be a policy, got 5"):
        check(5)
