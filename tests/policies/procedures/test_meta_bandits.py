"""Bandit over bandit and the meta-bandit: naive, live and compiled decisions are the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive
import naive_meta_bandits as slow
from common import compiled_arms, live_arms, noise
from driftbandit.core import random
from driftbandit.policies.procedures.bandit_over_bandit import windows


def uniforms(rounds: int, seed: int = 0) -> list[float]:
    stream = random.streams(seed, random.POLICY, 0, 1)[:, 0].copy()
    return [noise(db.EXP3S(), 3, stream)[0] for _ in range(rounds)]


def table(rounds: int, seed: int) -> list[list[float]]:
    """Rewards with no ties, the best arm changing halfway."""
    rng = np.random.default_rng(seed)
    powers = np.where(np.arange(rounds)[:, None] < rounds / 2, [0.5, 2.0, 1.0], [3.0, 0.7, 1.0])
    rewards: list[list[float]] = (rng.random((rounds, 3)) ** powers).tolist()
    return rewards


def test_windows_by_hand() -> None:
    assert slow.windows(100) == [1, 2, 6, 15, 39, 100]  # 100^(j/5)
    assert slow.windows(2) == [1, 2]
    assert slow.windows(3) == windows(3) == [1, 3]  # ⌊√3⌋ is 1, too


@given(
    seed=st.integers(0, 50),
    block=st.sampled_from([3, 17, 60]),
    exploration=st.sampled_from([0.1, 0.5, 1.0]),
    xi=st.sampled_from([0.1, 0.5]),
)
@settings(max_examples=25)
def test_bandit_over_bandit(seed: int, block: int, exploration: float, xi: float) -> None:
    rewards = table(400, seed)
    expected = slow.play_bandit_over_bandit(rewards, uniforms(400, seed), block, exploration, xi)
    policy = db.BanditOverBandit(block, exploration, xi)
    assert compiled_arms(policy, rewards, seed=seed) == expected
    assert live_arms(policy, rewards, seed=seed) == expected


def test_a_block_is_sw_ucb_alone() -> None:
    """With a block as long as the horizon, EXP3 draws one window and SW-UCB does the rest."""
    rewards = table(100, 3)
    window = slow.windows(100)[naive.draw([1 / 6] * 6, uniforms(1)[0])]
    expected = live_arms(db.SlidingWindowUCB(window), rewards)
    assert compiled_arms(db.BanditOverBandit(100, 0.3), rewards) == expected


def test_the_master_prefers_the_window_that_pays() -> None:
    """A world that swaps its arms every 40 rounds: no other reason to leave the longest window."""
    policy = db.BanditOverBandit(400, 0.2, xi=0.1)
    live, rng, draw = policy.learner(2), np.random.default_rng(1), np.random.default_rng(2).random
    for t in range(400 * 150):
        arm = live.choose(lambda: float(draw()))
        live.learn(arm, float(rng.random() < (0.9 if (t // 40) % 2 == arm else 0.1)))
    choices = slow.windows(400)
    logs = live.state.run.logs[: len(choices)]
    assert 5 <= choices[int(np.argmax(logs))] <= 60


@given(
    seed=st.integers(0, 50),
    threshold=st.sampled_from([1.5, 3.0, 6.0]),
    trial=st.sampled_from([2, 15, 40]),
)
@settings(max_examples=25)
def test_meta_bandit(seed: int, threshold: float, trial: int) -> None:
    rewards = table(300, seed)
    expected, _ = slow.play_meta_bandit(rewards, 0.01, threshold, trial)
    policy = db.MetaBandit(0.01, threshold, trial)
    assert compiled_arms(policy, rewards) == expected
    assert live_arms(policy, rewards) == expected


def test_both_learners_win_trials_in_what_is_compared() -> None:
    """Otherwise the test above would prove little."""
    won = [
        who
        for seed in range(20)
        for who in slow.play_meta_bandit(table(300, seed), 0.01, 3.0, 15)[1]
    ]
    assert won.count("old") >= 5
    assert won.count("fresh") >= 5


@pytest.mark.slow  # two kernels
def test_without_an_alarm_it_is_ucb_tuned() -> None:
    world = db.environments.two_swaps(2_000)
    meta = db.MetaBandit(threshold=1e9)
    result = db.simulate([meta, db.UCBTuned()], world, runs=50)
    assert (result["meta-bandit"].regret == result["UCB-tuned"].regret).all()


@pytest.mark.slow  # as above
def test_a_fall_of_the_best_arm_is_its_case() -> None:
    fall = db.environments.Piecewise((5_001,), ((0.5, 0.9, 0.3), (0.5, 0.2, 0.3)), horizon=10_000)
    result = db.simulate([db.MetaBandit(), db.UCBTuned()], fall, runs=200)
    regret = {label: result[label].final_regret.mean() for label in result}
    assert regret["meta-bandit"] < 0.5 * regret["UCB-tuned"]


def test_tuned_block_and_exploration() -> None:
    for T, K in ((10_000, 3), (100, 5), (2, 2), (10**6, 50)):
        policy = db.BanditOverBandit.tuned(horizon=T, arms=K)
        number, blocks = len(slow.windows(policy.block)), math.ceil(T / policy.block)
        assert policy.block == min(max(math.isqrt(K * T), 2), T)
        gamma = math.sqrt(number * math.log(number) / ((math.e - 1) * blocks))
        assert policy.exploration == pytest.approx(min(1.0, gamma))


def test_doubling_serves_procedures_too() -> None:
    policy = db.Doubling(db.BanditOverBandit, {"arms": 3}, first=50)
    rewards, expected, luck = table(350, 4), [], uniforms(350)
    for epoch, (first, last) in enumerate(((0, 50), (50, 150), (150, 350))):
        base = db.BanditOverBandit.tuned(50 * 2**epoch, 3)
        expected += slow.play_bandit_over_bandit(
            rewards[first:last], luck[first:last], base.block, base.exploration, 0.5
        )
    assert compiled_arms(policy, rewards) == expected
    assert live_arms(policy, rewards) == expected


@pytest.mark.parametrize(
    ("make", "parameters", "message"),
    [
        (db.BanditOverBandit, {"block": 1}, "block must be a whole number of at least 2, got 1"),
        (db.BanditOverBandit, {"exploration": 0.0}, "exploration must lie in (0, 1], got 0.0"),
        (db.MetaBandit, {"trial": 1}, "trial must be a whole number of at least 2, got 1"),
        (db.MetaBandit, {"threshold": 0.0}, "threshold must lie in (0, inf), got 0.0"),
    ],
)
def test_bad_parameters(make: Any, parameters: dict[str, float], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        make(**parameters)
    assert str(caught.value) == message


def test_a_block_has_room_for_every_arm() -> None:
    with pytest.raises(db.InputError, match="block must be at least the 5 arms, got 3"):
        db.BanditOverBandit(3).agent(arms=5)
