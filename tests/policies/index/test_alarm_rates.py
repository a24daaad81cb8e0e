"""How often detectors are wrong, how soon they are right, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
from driftbandit.core.lanes import LANES
from driftbandit.engine.job import make_job
from driftbandit.engine.player import BlockPlayer
from driftbandit.engine.rounds import rounds_of
from driftbandit.environments import Piecewise, Stationary, World, laws
from driftbandit.policies.index.live.memory import detector_state

pytestmark = pytest.mark.slow  # two arms and laws that no other test compiles for

Array = NDArray[np.float64]
CALM, CHANGE = 4_000, 1_001


def restarts(detect: db.Detect, world: World, runs: int, horizon: int) -> tuple[Array, Array]:
    """Return how often each run starts over, and after which round it last does."""
    policy = db.Policy(detect=detect, explore=db.UCB(bound=world.bound), label="detector")
    job = make_job(policy, world, horizon, runs, seed=11, checkpoints=1)
    blocks = []
    for block in range(job.blocks):
        player = BlockPlayer(job, job.stages[0], block, trace=False)
        for first, rounds in rounds_of(job, block):
            player.play(first, rounds)
        blocks.append(player.state.restarts.reshape(2, LANES)[:, : job.live(block)])
    counts, last = np.concatenate(blocks, axis=1)
    return counts, last


DETECTORS = {
    "Bernoulli GLR": db.BernoulliGLR(0.1),
    "Gaussian GLR": db.GaussianGLR(0.1),
    "CUSUM": db.CUSUM(warmup=100, drift=0.15, threshold=12.0),
    "Page–Hinkley": db.PageHinkley(drift=0.1, threshold=12.0),
    "two halves": db.TwoHalves(window=200, threshold=35.0),
    "ADWIN": db.ADWIN(),
}


@pytest.mark.parametrize("name", DETECTORS)
def test_false_alarms_are_rare_and_large_changes_are_found_soon(name: str) -> None:
    runs = 512
    for mean in (0.5, 0.05):
        counts, _ = restarts(DETECTORS[name], Stationary([mean]), runs, CALM)
        assert np.mean(counts > 0) <= 0.1
    for before, after in ((0.2, 0.8), (0.9, 0.4)):
        world = Piecewise([CHANGE], [[before], [after]])
        counts, last = restarts(DETECTORS[name], world, runs, CHANGE + 120)
        once = counts == 1
        assert np.mean(once & (last >= CHANGE)) >= 0.9
        assert np.median(last[once]) - CHANGE <= 90


@pytest.mark.parametrize("law", [laws.Uniform(half_width=0.3), laws.Beta()], ids=repr)
def test_glr_keeps_its_promise_for_any_rewards(law: laws.Law) -> None:
    world = Stationary([2.0], law=law, bound=5.0)
    for detect in (db.GaussianGLR(0.1, sigma=2.5), db.BernoulliGLR(0.1, bound=5.0)):
        counts, _ = restarts(detect, world, 256, CALM)
        assert np.mean(counts > 0) <= 0.1


def test_a_shorter_way_between_tests_finds_changes_a_little_sooner() -> None:
    world = Piecewise([CHANGE], [[0.3], [0.7]])
    delays = []
    for every in (1, 10):
        counts, last = restarts(db.BernoulliGLR(0.01, every), world, 256, CHANGE + 300)
        assert np.all(counts == 1)
        delays.append(np.mean(last) - CHANGE)
    assert delays[0] < delays[1] < delays[0] + 10


def test_detectors_are_worth_it_where_the_paper_s_first_world_changes() -> None:
    horizon, world = 10_000, db.environments.two_swaps()
    policies = [
        db.SlidingWindowUCB(1213),
        db.UCB1(),
        db.GLRUCB.tuned(horizon, arms=3),
        db.CUSUMUCB.tuned(horizon, breakpoints=2),
        db.CUSUMUCB.tuned(horizon, breakpoints=2, clock="rounds", label="CUSUM-UCB by rounds"),
        db.PHTUCB.tuned(horizon, breakpoints=2),
        db.MUCB.tuned(horizon, breakpoints=2, arms=3, change=0.5),
        db.ADWINUCB(),
        db.PeriodicUCB.tuned(horizon, variation=1.0, arms=3),
        db.OracleRestart(world.breakpoints),
    ]
    result = db.simulate(policies, world, runs=384, seed=1)
    mean = {label: float(result[label].mean_regret[-1]) for label in result}
    assert all(mean["oracle restart"] < 0.6 * mean[label] for label in mean if "UCB" in label)
    for label in ("GLR-UCB", "ADWIN-UCB"):
        assert mean[label] < mean["SW-UCB"]
    for label, share in (("CUSUM-UCB", 0.7), ("PHT-UCB", 0.7), ("periodic UCB", 0.6)):
        assert mean["SW-UCB"] < mean[label] < share * mean["UCB-1"]
    assert mean["CUSUM-UCB by rounds"] < 0.95 * mean["CUSUM-UCB"]  # than by the paper's clock
    assert mean["CUSUM-UCB"] < mean["M-UCB"] < mean["UCB-1"]


class TestMistakesOfPublishedCode:
    """What other implementations got wrong and nobody noticed."""

    def test_a_full_window_is_no_alarm(self) -> None:
        """M-UCB that starts over whenever its window is full, and halves of different length."""
        rule: db.Detect = db.TwoHalves(window=8, threshold=3.5)
        state = detector_state(rule)
        calm = [rule.alarm(*state, 1.0, 0.0, *rule.numbers()) for _ in range(50)]
        assert not any(calm)
        fall = [rule.alarm(*state, 0.0, 0.0, *rule.numbers()) for _ in range(6)]
        assert fall == [False, False, False, True, False, False]  # 0 of 4 after 4 of 4

    def test_the_first_samples_do_not_walk(self) -> None:
        """CUSUM whose walks already see the samples that its centre is made of."""
        rule: db.Detect = db.CUSUM(warmup=10, drift=0.0, threshold=2.0)
        state = detector_state(rule)
        rewards = [0.0] * 5 + [1.0] * 5
        assert not any(rule.alarm(*state, x, 0.0, *rule.numbers()) for x in rewards)
        assert (state[0].up, state[0].down) == (0.0, 0.0)

    @pytest.mark.parametrize("arm", [0, 1, 2])
    def test_any_arm_is_watched(self, arm: int) -> None:
        """Tests that look at the first arm only, or that never force the last one."""
        means = [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]
        means[0][arm], means[1][arm] = 0.1, 0.9
        policy = db.Policy(detect=db.BernoulliGLR(0.01), force=db.RandomForce(0.3), label="p")
        world = Piecewise([1_500], means)
        share = db.simulate(policy, world, horizon=3_000, runs=128)["p"].plays[:, arm] / 3_000
        assert np.all(share > 0.3)

    def test_a_test_comes_by_plays_of_the_arm_and_not_by_rounds(self) -> None:
        """GLR that is tested when the rounds since the restart are 1 modulo 10."""
        rule: db.Detect = db.BernoulliGLR(0.01, every=10)
        state = detector_state(rule)
        rewards = [0.0] * 25 + [1.0] * 25
        alarms = [rule.alarm(*state, x, 0.0, *rule.numbers()) for x in rewards]
        assert alarms.index(True) + 1 == 30
