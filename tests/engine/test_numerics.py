"""Long horizons: nothing overflows, underflows or drifts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
from driftbandit.engine.job import STATE_NUMBERS, make_job
from driftbandit.engine.player import BlockPlayer
from driftbandit.engine.rounds import rounds_of
from driftbandit.environments import laws
from driftbandit.policies.index.live.choose import IndexLearner
from driftbandit.policies.index.lockstep import state as rows

Array = NDArray[np.float64]


def played(policy: db.Strategy, world: db.environments.World, horizon: int) -> BlockPlayer:
    """A policy's whole state after `horizon` rounds of the first block."""
    job = make_job(policy, world, horizon, 128, 0, (horizon,))
    player = BlockPlayer(job, job.stages[0], 0, trace=False)
    for first, chunk in rounds_of(job, 0):
        player.play(first, chunk)
    return player


def row(player: BlockPlayer, number: int) -> Array:
    """What a policy keeps in one row of its state, shape (arms, lanes)."""
    far, _, _ = player.block.shape
    numbers: Array = player.state.table[number * far : (number + 1) * far]
    return numbers.reshape(player.arms, -1)[:, : player.live]


def test_windowed_sums_do_not_drift_over_a_million_rounds() -> None:
    world = db.environments.Stationary((0.31, 0.37, 0.34), law=laws.Uniform(half_width=0.3))
    player = played(db.SlidingWindowUCB(777), world, 1_000_000)
    ring_arm, ring_reward = player.state.ring.arm, player.state.ring.reward
    totals = row(player, rows.TOTAL) + row(player, rows.LOST)
    counts, means = row(player, rows.COUNT), row(player, rows.MEAN)
    for lane in range(0, player.live, 9):
        for arm in range(3):
            remembered = ring_reward[ring_arm[:, lane] == arm, lane]
            total = totals[arm, lane]
            assert counts[arm, lane] == len(remembered)
            assert abs(total - math.fsum(remembered)) <= math.ulp(total)
            assert means[arm, lane] == pytest.approx(remembered.mean(), rel=1e-14)


def test_plain_sums_would_drift() -> None:
    """The care is needed: adding and subtracting as they come loses digits."""
    rewards = np.random.default_rng(0).random(1_000_000)
    total = 0.0
    for t, x in enumerate(rewards):
        total += x
        if t >= 777:
            total -= rewards[t - 777]
    exact = math.fsum(rewards[-777:])
    assert abs(total - exact) > 10 * math.ulp(exact)


def test_the_live_window_does_not_drift_either() -> None:
    rng = np.random.default_rng(1)
    agent = db.SlidingWindowUCB(50).agent(arms=2)
    for reward in rng.random(100_000):
        agent.learn(agent.choose(), reward)
    learner = agent._learner
    assert isinstance(learner, IndexLearner)
    for arm, (total, lost) in enumerate(zip(learner.totals, learner.lost, strict=True)):
        remembered = [x for played, _, x in learner.plays if played == arm and x is not None]
        assert abs(total + lost - math.fsum(remembered)) <= math.ulp(total)


@pytest.mark.parametrize("discount", [0.5, 0.9975, 0.999999])
def test_discounted_sums_are_right_after_many_rounds(discount: float) -> None:
    """All counts together are n_t(γ), however often the weights were rescaled."""
    horizon = 200_000
    player = played(db.DiscountedUCB(discount), db.environments.two_swaps(horizon), horizon)
    counts = row(player, rows.COUNT).sum(axis=0) / player.state.shared[0].weight
    expected = -math.expm1(horizon * math.log(discount)) / (1.0 - discount)
    assert counts == pytest.approx(expected, rel=1e-9)
    assert player.state.shared[0].clock == pytest.approx(expected, rel=1e-9)
    assert np.isfinite(row(player, rows.MEAN)).all()


@pytest.mark.slow
def test_discounted_sums_are_right_after_ten_million_rounds() -> None:
    horizon = 10_000_000
    player = played(db.DiscountedUCB(0.9), db.environments.Stationary((0.2, 0.6)), horizon)
    counts = row(player, rows.COUNT).sum(axis=0) / player.state.shared[0].weight
    assert counts == pytest.approx(10.0, rel=1e-9)
    assert np.isfinite(row(player, rows.MEAN)).all()


@pytest.mark.parametrize("discount", [0.5, 0.99])
def test_an_arm_not_played_for_ages_keeps_its_mean(discount: float) -> None:
    """Greedy play never returns to the worse arms; their one play must not vanish."""
    world = db.environments.Stationary(means=(0.75, 0.25, 0.25), law=laws.Exact())
    player = played(db.DiscountedUCB(discount, padding=0.0), world, 300_000)
    assert np.all(player.plays[1:] == 1.0)
    assert np.all(row(player, rows.MEAN)[1:] == 0.25)
    assert np.all(row(player, rows.COUNT)[1:] > 0.0)
    agent = db.DiscountedUCB(discount, padding=0.0).agent(arms=2)
    for _ in range(20_000):
        arm = agent.choose()
        agent.learn(arm, (0.75, 0.25)[arm])
    assert agent._learner.means[1] == 0.25  # type: ignore[attr-defined]  # an index learner


@pytest.mark.parametrize(
    "policy",
    [
        db.EXP3(0.5),
        db.EXP3S(0.5, 1e-9),
        db.EXP3P(0.5, confidence=3.0, horizon=10),
        db.EXP3IX(0.5, 0.25),
        db.EXP3R(0.5, 10_000),
    ],
    ids=lambda policy: policy.label,
)
def test_exponential_weights_stay_sound_where_one_arm_wins_by_thousands(policy: db.Weights) -> None:
    means = np.zeros((60_000, 3))
    means[:30_000, 0] = means[30_000:, 1] = 1.0
    world = db.environments.Table(means, law=laws.Exact())
    player = played(policy, world, 60_000)
    weights = row(player, 0)
    assert np.isfinite(weights).all()
    assert np.all(weights > 0.0)
    assert np.isfinite(weights.sum(axis=0)).all()
    agent = policy.agent(arms=3)
    for rewards in means[::10]:
        arm = agent.choose()
        agent.learn(arm, rewards[arm])
    assert all(w > 0.0 and math.isfinite(w) for w in agent._learner.weights)  # type: ignore[attr-defined]


def size(value: object) -> int:
    """The bytes of all arrays in nested tuples."""
    if isinstance(value, tuple):
        return sum(map(size, value))
    return value.nbytes if isinstance(value, np.ndarray) else 0


def test_memory_does_not_grow_with_the_horizon() -> None:
    """What a block allocates is the same for ten times the rounds."""
    sizes = []
    for horizon in (10_000, 100_000):
        policies = (db.UCB1(), db.SlidingWindowUCB(500), db.EXP3S())
        world = db.environments.two_swaps(horizon)
        job = make_job(policies, world, horizon, 128, 0, (horizon,))
        players = [BlockPlayer(job, stages, 0, trace=False) for stages in job.stages]
        _, chunk = next(rounds_of(job, 0))
        sizes.append(size((*(tuple(vars(player).values()) for player in players), chunk)))
    assert sizes[0] == sizes[1]


def test_a_window_of_a_million_rounds_takes_two_bytes_a_play() -> None:
    """Where rewards are 0 or 1; and a block remembers no more than so many plays."""
    policy, horizon = db.SlidingWindowUCB(1_000_000), 2_000_000
    job = make_job(policy, db.environments.two_swaps(horizon), horizon, 1_000, 0, (horizon,))
    player = BlockPlayer(job, job.stages[0], 0, trace=False)
    plays = 1_000_000 * player.lanes
    assert player.state.ring.arm.nbytes + player.state.ring.reward.nbytes == 2 * plays
    assert plays <= STATE_NUMBERS
