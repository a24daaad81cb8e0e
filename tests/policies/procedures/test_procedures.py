"""Policies that are small programs: what they are handed, live and compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit import checks
from driftbandit.engine.job import STATE_NUMBERS, make_job

STATE = db.State("sum")


@dataclasses.dataclass(frozen=True)
class Greedy(db.Procedure):
    """ε-greedy with means that begin high; keeps the noise and rewards that reach it."""

    run_state = db.State("noise")
    arm_state = db.State("count", "mean")

    rate: float = 0.2
    first: float = 1.0

    def room(self, arms: int) -> int:
        return 1

    def draws(self, arms: int) -> int:
        return 1 + arms

    @staticmethod
    def start(state: Any, arms: int, rate: float, first: float) -> None:
        for k in range(arms):
            state.arm[k].count, state.arm[k].mean = 1.0, first

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Sequence[float], rate: float, first: float
    ) -> int:
        if noise[0] < rate:
            return min(int(noise[arms] * arms), arms - 1)
        best = 0
        for k in range(1, arms):
            best = k if state.arm[k].mean > state.arm[best].mean else best
        return best

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        rate: float, first: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        record = state.arm[arm]
        record.count += 1.0
        record.mean += (reward - record.mean) / record.count
        state.run.noise += t * noise[0]
        state.room[0] = max(state.room[0], reward)


@dataclasses.dataclass(frozen=True)
class Turns(db.Procedure):
    """Arms in turn, from an offset: no state, no noise."""

    offset: int = 0

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float], offset: float) -> int:
        return (t + int(offset) - 1) % 3

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        offset: float,
    ) -> None:  # fmt: skip
        pass


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_a_procedure_passes_every_check(check: Any) -> None:
    check(Greedy(0.3, 0.5, bound=2.0))


def test_without_state_or_noise() -> None:
    world = db.environments.Stationary([0.1, 0.2, 0.3])
    assert db.trace(Turns(1), world, horizon=5, runs=2).tolist() == [
        [k] * 2 for k in (1, 2, 0, 1, 2)
    ]


def test_rewards_are_shares_of_the_bound_and_noise_is_that_of_the_choice() -> None:
    live = Greedy(bound=4.0).learner(3)
    arm = live.choose(lambda: 0.25)
    assert live.choose(lambda: 0.75) == arm, "the noise of a round is drawn once"
    live.learn(arm, 2.0)
    assert (live.state.run.noise, live.state.room) == (0.25, [0.5])
    live.learn(0, 4.0)
    assert 0.25 < live.state.run.noise < 2.25  # noise of its own


def test_it_meets_the_noise_of_a_policy_stream() -> None:
    """Exploring at random always is the uniform player, which draws once a round."""

    @dataclasses.dataclass(frozen=True)
    class Random(Turns):
        noise = 1

        @staticmethod
        def choose(state: Any, arms: int, t: int, noise: Any, offset: float) -> int:
            return min(int(noise[0] * arms), arms - 1)

    world = db.environments.Stationary([0.1, 0.2, 0.3])
    arms, uniform = (db.trace(each, world, horizon=50, runs=9) for each in (Random(), db.Uniform()))
    assert np.array_equal(arms, uniform)


def test_a_procedure_that_learns_while_it_chooses_is_caught() -> None:
    @dataclasses.dataclass(frozen=True)
    class Counting(Turns):
        run_state = db.State("choices")

        @staticmethod
        def choose(state: Any, arms: int, t: int, noise: Sequence[float], offset: float) -> int:
            state.run.choices += 1.0
            return 0

    with pytest.raises(AssertionError, match="round 1: choose changes the state"):
        checks.check_policy(Counting())


def test_an_arm_that_does_not_exist_is_an_error_live_and_compiled() -> None:
    two = db.environments.Stationary([0.1, 0.2])
    with pytest.raises(db.InputError, match="arm of Turns in round 3 must be a whole number"):
        db.simulate(Turns(), two, horizon=6, runs=1)  # and again in round 6
    agent = Turns(offset=2).agent(arms=2)
    with pytest.raises(db.InputError, match="arm of Turns in round 1 must be a whole number"):
        agent.choose()


def test_a_large_state_makes_narrow_blocks() -> None:
    @dataclasses.dataclass(frozen=True)
    class Large(Turns):
        def room(self, arms: int) -> int:
            return STATE_NUMBERS // 16

    @dataclasses.dataclass(frozen=True)
    class Records(Turns):
        room_state = db.State("sum", plays=1023)

        def room(self, arms: int) -> int:
            return STATE_NUMBERS // 16 // 1024

    world = db.environments.Stationary([0.1, 0.2, 0.3])
    for policy in (Large(), Records()):
        job = make_job([policy], world, horizon=10, runs=1_000, seed=0, checkpoints=1)
        assert job.width == 16


def test_the_room_can_hold_records() -> None:
    """The last four plays, newest last; what came of the newest says which arm is next."""

    @dataclasses.dataclass(frozen=True)
    class Ring(Turns):
        room_state = db.State("arm", rewards=2)

        def room(self, arms: int) -> int:
            return 4

        @staticmethod
        def start(state: Any, arms: int, offset: float) -> None:
            state.room[3].arm = offset

        @staticmethod
        def choose(state: Any, arms: int, t: int, noise: Any, offset: float) -> int:
            last = state.room[3]
            return int(last.arm + (1 if last.rewards[0] + last.rewards[1] < 0.5 else 2)) % arms

        @staticmethod
        def learn(
            state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, offset: float
        ) -> None:
            for i in range(3):
                state.room[i].arm = state.room[i + 1].arm
                for j in range(2):
                    state.room[i].rewards[j] = state.room[i + 1].rewards[j]
            state.room[3].arm = arm
            state.room[3].rewards[t % 2] = reward

    checks.check_live_is_compiled(Ring(1))
    live = Ring(1).learner(3)
    assert live.choose(lambda: 0.5) == 2
    live.learn(2, 0.75)
    assert [record.arm for record in live.state.room] == [0.0, 0.0, 1.0, 2]
    assert live.state.room[3].rewards == [0.0, 0.75]


def test_what_a_procedure_may_not_be() -> None:
    @dataclasses.dataclass(frozen=True)
    class Method(Turns):
        def choose(self, state: Any) -> int:  # type: ignore[override]  # that is the point
            return 0

    @dataclasses.dataclass(frozen=True)
    class Half(Turns):
        def room(self, arms: int) -> int:
            return 0.5  # type: ignore[return-value]  # that is the point

    @dataclasses.dataclass(frozen=True)
    class Blank(db.Procedure):
        pass

    @dataclasses.dataclass(frozen=True)
    class Field(Turns):
        room_state: db.State = STATE  # type: ignore[misc]  # that is the point

    @dataclasses.dataclass(frozen=True)
    class Number(Turns):
        room_state = 3  # type: ignore[assignment]  # that is the point

    @dataclasses.dataclass(frozen=True)
    class Detector(Turns):
        state = STATE

    with pytest.raises(db.InputError, match=r"Detector\.state is not read: declare run_state = "):
        Detector()
    with pytest.raises(db.InputError, match=r"Blank must have a staticmethod choose\(state, arms"):
        Blank()
    with pytest.raises(db.InputError, match="room_state of Field must be declared without an anno"):
        Field()
    with pytest.raises(db.InputError, match=r"Number\.room_state must be a db\.State, got 3"):
        Number()
    with pytest.raises(db.InputError, match=r"Method\.choose must be a staticmethod of"):
        Method()
    with pytest.raises(db.InputError, match=r"Half\.room must be a whole number"):
        Half().agent(arms=2)
    with pytest.raises(db.InputError, match="offset of Turns must be a number, got 'a'"):
        Turns("a")  # type: ignore[arg-type]  # that is the point
    with pytest.raises(db.InputError, match=r"bound must lie in \(0, inf\), got 0"):
        Turns(bound=0)


@dataclasses.dataclass(frozen=True)
class OneTooFar(db.Procedure):
    """It counts the play of the next arm, which the last one does not have."""

    arm_state = db.State("count")

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float]) -> int:
        return t % arms

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float]
    ) -> None:
        state.arm[arm + 1].count += 1.0


def test_an_arm_beyond_the_last_is_refused_and_not_written_to() -> None:
    policy = OneTooFar(label="one too far")
    with pytest.raises(db.InputError, match=r"OneTooFar\.learn .*has an index beyond the end of"):
        db.simulate(policy, db.environments.two_swaps(100), runs=2)
    agent = policy.agent(arms=3)
    with pytest.raises(db.InputError, match=r"OneTooFar\.learn fails for .* IndexError: .* \(line"):
        agent.learn(2, reward=1.0)


@dataclasses.dataclass(frozen=True)
class NoNumber(db.Procedure):
    """Its arm is NaN."""

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float]) -> Any:
        return np.nan

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float]
    ) -> None:
        pass


def test_an_arm_that_is_no_number_is_refused() -> None:
    with pytest.raises(
        db.InputError, match=r"arm of nan in round 1 must be a whole number from 0 to 2, got nan"
    ):
        db.simulate(NoNumber(label="nan"), db.environments.two_swaps(100), runs=2)
