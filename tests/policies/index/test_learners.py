"""Quick learners take the decisions of the plain one, which computes every index every round."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import driftbandit as db
from driftbandit.policies.index.live.choose import FEW, IndexLearner
from driftbandit.policies.index.live.learner import index_learner


@dataclasses.dataclass(frozen=True)
class Restless(db.Explore):
    """A width that goes up and down, and below zero."""

    scale: float = 1.0

    @staticmethod
    def width(clock: float, scale: float) -> float:
        return scale * math.sin(clock)


@dataclasses.dataclass(frozen=True)
class Weekly(db.Forget):
    """Forgets much every seventh round, and nothing else but what is long ago."""

    @staticmethod
    def factor(t: float) -> float:
        return 0.3 if t % 7.0 == 0.0 else 1.0

    @staticmethod
    def span(t: float) -> float:
        return 4.5 + t / 3.0


FORGETS = [
    db.Full(),
    db.Discount(0.5),
    db.Discount(0.97),
    db.Discount(1e-30),
    db.DoublingDiscount(0.3),
    db.Window(1),
    db.Window(7),
    db.Window(100),
    db.DoublingWindow(0.0),
    Weekly(),
]
EXPLORES = [db.UCB(), db.UCB(xi=0.0), db.UCB(padding=2.0), db.UCB(xi=2.0), Restless()]


def agree(policy: db.Policy, arms: int, rounds: int, reward: Callable[[Random], float]) -> None:
    """The learner an agent gets chooses as the plain one; some arms are learned unasked."""
    luck, draw = Random(arms), Random(0).random
    quick, plain = index_learner(policy, arms), IndexLearner(policy, arms)
    assert type(quick) is not type(plain)
    for t in range(rounds):
        arm = quick.choose(draw)
        assert arm == plain.choose(draw), (t, plain.indices(draw))
        if luck.random() < 0.1:
            arm = luck.randrange(arms)
        x = reward(luck)
        for each in (quick, plain):
            each.learn(arm, x)


@given(
    st.sampled_from(FORGETS),
    st.sampled_from(EXPLORES),
    st.one_of(st.integers(1, FEW), st.integers(FEW + 1, 3 * FEW)),
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=1, max_size=3),
)
def test_quick_is_plain(
    forget: db.Forget, explore: db.Explore, arms: int, rewards: list[float]
) -> None:
    policy = db.Policy(forget=forget, explore=explore)
    agree(policy, arms, 250, lambda luck: luck.choice(rewards))


@given(
    st.sampled_from(FORGETS),
    st.sampled_from([0.0, 3.0]),
    st.integers(1, 6),
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=1, max_size=3),
)
def test_tangents_are_plain(forget: db.Forget, c: float, arms: int, rewards: list[float]) -> None:
    policy = db.Policy(forget=forget, explore=db.KLUCB(c))
    agree(policy, arms, 120, lambda luck: luck.choice(rewards))


@pytest.mark.parametrize("arms", [2, FEW, FEW + 1])
@pytest.mark.parametrize("forget", FORGETS, ids=repr)
def test_quick_is_plain_in_long_runs(forget: db.Forget, arms: int) -> None:
    policy = db.Policy(forget=forget)
    agree(policy, arms, 3000, lambda luck: luck.random())
    agree(policy, arms, 1000, lambda luck: 0.5)


@pytest.mark.parametrize("arms", [3, FEW + 1])
@pytest.mark.parametrize(
    "policy",
    [
        db.UCB1(),
        db.DiscountedUCB(0.5),
        db.SlidingWindowUCB(20),
        db.UCBV(),
        db.Softmax(),
        db.EXP3S(0.5, 0.01),
        db.EXP3R(0.5, 20, 0.9),
        db.EXP3PP(0.01, 0.05),
        db.Uniform(),
    ],
    ids=lambda policy: policy.label,
)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_a_copy_goes_on_alike_and_apart(
    policy: db.Strategy, arms: int, copied: Callable[[db.Agent[int]], db.Agent[int]]
) -> None:
    def play(agent: db.Agent[int], seed: int) -> list[int]:
        luck, plays = Random(seed), []
        for _ in range(100):
            plays.append(agent.choose())
            agent.learn(plays[-1], luck.random())
        return plays

    agent = policy.agent(arms=arms)
    play(agent, seed=1)
    other = copied(agent)
    third = copied(agent)
    expected = play(other, seed=2)
    assert play(agent, seed=2) == expected
    assert play(third, seed=2) == expected
