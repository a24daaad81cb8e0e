"""Rules of a user's own that return what they should not: refused by name, live and compiled."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import pytest

import driftbandit as db

WORLD = db.environments.Stationary(means=(0.2, 0.5, 0.8), law=db.environments.laws.Exact())


@dataclasses.dataclass(frozen=True)
class Forced(db.Force):
    """Forces one arm from the tenth round on."""

    forced: float

    @staticmethod
    def arm(since: float, restarts: float, arms: float, forced: float) -> Any:
        return forced if since >= 10.0 else -1.0


def live(policy: db.Policy, rounds: int = 15) -> list[int]:
    agent, arms = policy.agent(arms=3), []
    for _ in range(rounds):
        arms.append(agent.choose())
        agent.learn(arms[-1], (0.2, 0.5, 0.8)[arms[-1]])
    return arms


@pytest.mark.parametrize("arm", [3.0, 77.0, -2.0, 0.5, math.inf, math.nan])
def test_an_arm_that_does_not_exist_is_never_forced(arm: float) -> None:
    policy = db.Policy(force=Forced(arm))
    words = rf"^what Forced.arm returns must be an arm from 0 to 2, or −1, got {arm}$"
    with pytest.raises(db.InputError, match=words):
        db.simulate(policy, WORLD, horizon=30, runs=4)
    with pytest.raises(db.InputError, match=words):
        live(policy)


@pytest.mark.parametrize("arm", [-1.0, 0.0, 2.0])
def test_an_arm_that_exists_is_forced_live_as_compiled(arm: float) -> None:
    policy = db.Policy(force=Forced(arm))
    assert live(policy) == db.trace(policy, WORLD, horizon=15)[:, 0].tolist()


@pytest.mark.parametrize("answer", [None, "no", (1,)])
def test_what_is_no_number_is_no_arm(answer: Any) -> None:
    @dataclasses.dataclass(frozen=True)
    class Mute(db.Force):
        @staticmethod
        def arm(since: float, restarts: float, arms: float) -> Any:
            return answer

    with pytest.raises(db.InputError, match=r"Mute.arm returns must be a number, got "):
        db.Policy(force=Mute())


@pytest.mark.parametrize("answer", [None, "yes", math.nan, [True], 5, 0.5, -1])
def test_an_alarm_is_true_or_false(answer: Any) -> None:
    @dataclasses.dataclass(frozen=True)
    class Vague(db.Detect):
        @staticmethod
        def alarm(state: Any, reward: float, count: float) -> Any:
            return answer

    with pytest.raises(db.InputError, match=r"Vague.alarm returns must be True or False, got "):
        db.Policy(detect=Vague())


def test_a_detector_that_fails_live_is_named() -> None:
    @dataclasses.dataclass(frozen=True)
    class Failing(db.Detect):
        state = db.State("up")

        @staticmethod
        def alarm(state: Any, reward: float, count: float) -> bool:
            state.down += reward
            return False

    with pytest.raises(db.InputError, match=r"Failing.alarm fails for .*: AttributeError: "):
        live(db.Policy(detect=Failing()))


def test_an_index_that_raises_is_named_compiled_and_live() -> None:
    @dataclasses.dataclass(frozen=True)
    class Raising(db.Explore):
        @staticmethod
        def index(mean: float, count: float, clock: float) -> float:
            if clock > 9.0:
                raise ValueError("no more")
            return mean

    line = r"index .*fails.*: ValueError: no more \(line \d+ of test_misbehaving.py\)$"
    with pytest.raises(db.InputError, match=line):
        db.simulate(db.Policy(explore=Raising()), WORLD, horizon=20, runs=8)
    with pytest.raises(db.InputError, match=line):
        live(db.Policy(explore=Raising()))


def test_an_index_that_is_none_in_some_rounds_is_named() -> None:
    @dataclasses.dataclass(frozen=True)
    class Shy(db.Explore):
        @staticmethod
        def index(mean: float, count: float, clock: float) -> Any:
            return None if count > 5.0 else mean

    with pytest.raises(db.InputError, match=r"Shy.index must return a number in every case, got"):
        db.simulate(db.Policy(explore=Shy()), WORLD, horizon=20, runs=8)


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (lambda t: None, "must be a number, got None"),
        (lambda t: "a", "must be a number, got 'a'"),
        (lambda t: missing, "NameError"),  # type: ignore[name-defined]  # noqa: F821  # the mistake
        (lambda t: 1.0 / (t - t), "must lie in"),
        (lambda t: math.nan, "must lie in"),
    ],
)
def test_a_forgetting_rule_that_fails_is_named(factor: Any, words: str) -> None:
    @dataclasses.dataclass(frozen=True)
    class Mine(db.Forget):
        pass

    Mine.factor, Mine.steady = staticmethod(factor), False
    with pytest.raises(db.InputError, match=words):
        db.Policy(forget=Mine())


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("noise", "a"),
        ("noise", math.nan),
        ("noise", 1.5),
        ("noise", None),
        ("prior", "no"),
        ("variance", 2),
        ("arms", 5),
    ],
)
def test_what_an_index_asks_for_is_checked(attribute: str, value: Any) -> None:
    @dataclasses.dataclass(frozen=True)
    class Mine(db.Explore):
        scale: ClassVar[float] = 1.0

        @staticmethod
        def index(mean: float, count: float, clock: float) -> float:
            return mean

    setattr(Mine, attribute, value)
    with pytest.raises(db.InputError, match=rf"^Mine.{attribute} must be "):
        db.Policy(explore=Mine())


def test_a_built_in_function_is_no_rule() -> None:
    @dataclasses.dataclass(frozen=True)
    class Builtin(db.Explore):
        index = staticmethod(max)

    with pytest.raises(db.InputError, match=r"^Builtin.index must be a staticmethod of "):
        db.Policy(explore=Builtin())


@pytest.mark.parametrize("value", [0.0, 1.5, math.nan, math.inf, -0.5])
@pytest.mark.parametrize("t", [7, 37])
def test_a_factor_that_is_wrong_in_one_round_is_refused(value: float, t: int) -> None:
    @dataclasses.dataclass(frozen=True)
    class Odd(db.Forget):
        @staticmethod
        def factor(now: float) -> float:
            return value if now == t else 0.9

    policy, words = db.Policy(forget=Odd()), rf"^Odd.factor at round {t} must lie in \(0, 1\], got "
    with pytest.raises(db.InputError, match=words):
        db.simulate(policy, WORLD, horizon=60, runs=4)
    with pytest.raises(db.InputError, match=words):
        live(policy, rounds=60)


def test_a_span_that_shrinks_for_a_while_is_refused() -> None:
    @dataclasses.dataclass(frozen=True)
    class Odd(db.Forget):
        @staticmethod
        def span(now: float) -> float:
            return 30.0 if 20.0 <= now < 40.0 else 25.0

    policy, words = db.Policy(forget=Odd()), r"^Odd.span at round 40 must be at least 30, got 25.0$"
    with pytest.raises(db.InputError, match=words):
        db.simulate(policy, WORLD, horizon=60, runs=4)
    with pytest.raises(db.InputError, match=words):
        live(policy, rounds=60)
    assert db.trace(policy, WORLD, horizon=39).shape == (39, 1), "so far it is right"


def test_rounds_beyond_the_first_are_asked_for_here_and_there() -> None:
    @dataclasses.dataclass(frozen=True)
    class Late(db.Forget):
        @staticmethod
        def factor(now: float) -> float:
            return 0.99 if now < 1e5 else 2.0

    rule = Late()
    rule.check_until(90_000)
    with pytest.raises(db.InputError, match=r"Late.factor at round .* must lie in \(0, 1\], got 2"):
        rule.check_until(10**12)


def test_a_clock_s_rule_that_fails_live_is_named() -> None:
    @dataclasses.dataclass(frozen=True)
    class Failing(db.Forget):
        @staticmethod
        def factor(now: float) -> float:
            return math.sqrt(12.5 - now) if now == 13.0 else 1.0

    with pytest.raises(db.InputError, match=r"Failing.factor at round 13 must lie in .*, got nan"):
        live(db.Policy(forget=Failing()))
