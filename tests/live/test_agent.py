"""The live agent."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from typing import Any, cast

import numpy as np
import pytest

import driftbandit as db


def test_names_and_numbers() -> None:
    agent = db.UCB1().agent(arms=["red", "blue"])
    assert [agent.choose(), agent.choose()] == ["red", "red"]
    agent.learn("red", 0.0)
    assert agent.choose() == "blue"
    agent.learn("blue", 1.0)
    assert agent.choose() == "blue"
    assert db.UCB1().agent(arms=3).arms == [0, 1, 2]


def test_an_arm_can_be_learned_without_being_chosen() -> None:
    agent = db.UCB1().agent(arms=3)
    agent.learn(2, 1.0)
    agent.learn(2, 1.0)
    assert agent.choose() == 0
    agent.learn(0, 0.0)
    assert agent.choose() == 1
    assert agent.rounds == 3


def test_same_seed_same_choices() -> None:
    def choices(seed: int) -> list[int]:
        agent = db.EXP3S(0.5, 0.01).agent(arms=4, seed=seed)
        made = []
        for t in range(50):
            made.append(agent.choose())
            agent.learn(made[-1], (t % 3) / 2)
        return made

    assert choices(1) == choices(1)
    assert choices(1) != choices(2)


def test_an_agent_can_be_saved_and_goes_on_as_if_nothing_had_happened() -> None:
    agent = db.SlidingWindowUCB(10).agent(arms=3)
    for t in range(30):
        agent.learn(agent.choose(), (t * 7 % 11) / 10)
    other = pickle.loads(pickle.dumps(agent))
    for t in range(30):
        assert agent.choose() == other.choose()
        for each in (agent, other):
            each.learn(each.choose(), (t * 3 % 11) / 10)


@pytest.mark.parametrize(
    ("arms", "message"),
    [
        (0, "arms must be a whole number of at least 1, got 0"),
        ([], "arms must hold at least one arm, got []"),
        (["a", "a"], "arms must be different from each other, got ['a', 'a']"),
        ("ab", "arms must be a number of arms or a list of names, got 'ab'"),
    ],
)
def test_bad_arms(arms: object, message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.UCB1().agent(arms=arms)  # type: ignore[call-overload]  # that is the point
    assert str(caught.value) == message


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), -0.01, 1.01, None, "1", [1.0]])
def test_bad_rewards(reward: object) -> None:
    agent = db.DiscountedUCB(0.9).agent(arms=2)
    before = pickle.dumps(agent)
    with pytest.raises(db.InputError) as caught:
        agent.learn(0, reward)  # type: ignore[arg-type]  # that is the point
    assert str(caught.value) == f"reward must lie in [0, 1], got {reward!r}"
    assert pickle.dumps(agent) == before


@pytest.mark.parametrize("reward", [1, np.float64(1.0), np.float32(1.0), np.int64(1), True])
def test_any_number_is_a_reward_and_a_float_is_kept(reward: float) -> None:
    agent = db.DiscountedUCB(0.9).agent(arms=2)
    other = pickle.loads(pickle.dumps(agent))
    agent.learn(0, reward)
    other.learn(0, 1.0)
    assert agent.state() == other.state()


def test_a_reward_without_bound_is_finite() -> None:
    agent = db.Softmax().agent(arms=2)
    agent.learn(0, 1e308)
    with pytest.raises(db.InputError) as caught:
        agent.learn(0, math.inf)
    assert str(caught.value) == "reward must lie in [0, inf), got inf"


@pytest.mark.parametrize("arm", ["green", 2, -1, None, ["red"]])
def test_unknown_arms(arm: object) -> None:
    agent = db.UCB1().agent(arms=["red", "blue"])
    with pytest.raises(db.InputError) as caught:
        agent.learn(cast(Any, arm), 0.5)
    assert str(caught.value) == f"arm must be one of ['red', 'blue'], got {arm!r}"


def test_the_oracle_cannot_play_live() -> None:
    with pytest.raises(db.InputError, match="oracle plays only in a simulation"):
        db.Oracle().agent(arms=2)


def test_a_click_is_a_reward() -> None:
    agent = db.UCB1().agent(arms=2)
    agent.learn(0, True)
    agent.learn(1, False)
    assert agent.choose() == 0


@pytest.mark.parametrize("arms", [None, True, [["a"], ["b"]]])
def test_arms_of_no_kind(arms: object) -> None:
    with pytest.raises(db.InputError, match="arms must"):
        db.UCB1().agent(arms=cast(Any, arms))


def test_the_list_of_arms_is_a_copy() -> None:
    agent = db.UCB1().agent(arms=["red", "blue"])
    agent.arms.append("green")
    assert agent.arms == ["red", "blue"]


def test_arms_have_an_order() -> None:
    with pytest.raises(db.InputError, match="arms must have an order, which a set has not"):
        db.UCB1().agent(arms={"red", "blue"})  # type: ignore[call-overload]  # that is the point


@pytest.mark.parametrize(
    "reward",
    [np.array("1"), np.complex128(0.5), np.timedelta64(1, "s"), Decimal("sNaN"), float, 10**400],
    ids=["text", "complex", "time", "sNaN", "class", "huge"],
)
def test_a_reward_that_only_looks_like_a_number_changes_nothing(reward: Any) -> None:
    agent, linear = db.UCB1().agent(arms=2), db.LinUCB().agent(dimension=2)
    with pytest.raises(db.InputError, match="reward must"):
        agent.learn(0, reward)
    with pytest.raises(db.InputError, match="reward must"):
        linear.learn([1.0, 0.0], reward)
    assert agent.rounds == linear.rounds == 0


def test_a_click_of_numpy_is_a_reward() -> None:
    agent, linear = db.UCB1().agent(arms=2), db.LinUCB().agent(dimension=2)
    agent.learn(0, np.True_)  # type: ignore[arg-type]  # mypy does not take it for a number
    linear.learn([1.0, 0.0], np.True_)  # type: ignore[arg-type]  # mypy does not take it for one
    assert agent.rounds == linear.rounds == 1


@pytest.mark.parametrize("arms", [b"ab", np.array("ab"), [(1, [2]), (3, [4])]])
def test_bytes_and_tuples_that_hold_lists_are_no_names(arms: Any) -> None:
    with pytest.raises(db.InputError, match="arms must"):
        db.UCB1().agent(arms=arms)


def test_an_agent_plays_policies_only_and_lists_few_of_many_arms() -> None:
    with pytest.raises(db.InputError, match="policy must be a policy, got 5"):
        db.Agent(5, 2)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(db.InputError, match="policy must be a linear policy"):
        db.linear.LinearAgent(db.UCB1(), 2)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(db.InputError) as error:
        db.UCB1().agent(10_000).learn(-1, 0.5)
    assert len(str(error.value)) < 300
