"""The slow truth itself, on cases small enough to work out by hand."""

from math import e, inf, log, sqrt

import pytest

from common import random_history
from naive import (
    Policy,
    Rule,
    argmax,
    discounted_ucb,
    discounted_ucb_doubling,
    doubling_discount,
    doubling_window,
    draw,
    epoch_start,
    index_policy,
    periodic_mean,
    play,
    play_drawn,
    regret,
    sliding_window_doubling,
    sliding_window_ucb,
    suboptimal_plays,
    tuned_discount,
    tuned_discount_density,
    tuned_window,
    tuned_window_density,
    two_swaps_mean,
    ucb1,
    ucb_index,
    ucb_v,
    ucb_v_index,
    weights_and_clock,
)
from naive_weights import exp3

INDEX_POLICIES: dict[str, Policy] = {
    "UCB-1": lambda arms, rewards, K: ucb1(arms, rewards, K, 0.5, 1.0),
    "D-UCB": lambda arms, rewards, K: discounted_ucb(arms, rewards, K, 0.9, 0.5, 1.0),
    "SW-UCB": lambda arms, rewards, K: sliding_window_ucb(arms, rewards, K, 4, 0.5, 1.0),
    "UCB-V": lambda arms, rewards, K: ucb_v(arms, rewards, K, 1.0, 1.0, 1.0),
    "D-UCB doubling": lambda arms, rewards, K: discounted_ucb_doubling(
        arms, rewards, K, 0.0, 0.5, 1.0
    ),
}


@pytest.mark.parametrize("name", INDEX_POLICIES)
def test_first_rounds_play_each_arm_once(name: str) -> None:
    policy = INDEX_POLICIES[name]
    assert policy([], [], 3) == [inf, inf, inf]
    assert play(policy, [[0.0] * 5] * 5) == [0, 1, 2, 3, 4]


def test_ucb1_by_hand() -> None:
    # Round 4: three rounds played; arm 0 saw 1 and 0, arm 1 saw 1.
    assert ucb1([0, 1, 0], [1, 1, 0], 2, 0.5, 1.0) == pytest.approx(
        [0.5 + sqrt(0.5 * log(3) / 2), 1 + sqrt(0.5 * log(3))], rel=1e-15
    )
    # Round 2: log 1 = 0, the index is the mean.
    assert ucb1([1], [0.25], 2, 0.5, 1.0) == [inf, 0.25]
    assert ucb1([0, 0], [2, 4], 1, 2.0, 4.0, padding=3.0) == pytest.approx(
        [3 + 3 * 4 * sqrt(2 * log(2) / 2)], rel=1e-15
    )


def test_discounted_ucb_by_hand() -> None:
    # γ = 1/2 at the end of round 3: weights 1/4, 1/2, 1; N = 5/4 and 1/2, n = 7/4.
    assert discounted_ucb([0, 1, 0], [1, 1, 0], 3, 0.5, 0.5, 1.0) == pytest.approx(
        [0.2 + 2 * sqrt(0.5 * log(1.75) / 1.25), 1 + 2 * sqrt(0.5 * log(1.75) / 0.5), inf],
        rel=1e-15,
    )


def test_window_edge() -> None:
    # After round 3 a window of 2 holds rounds 2 and 3, a window of 3 all of them.
    arms, rewards = [0, 1, 1], [1.0, 0.0, 1.0]
    assert sliding_window_ucb(arms, rewards, 2, 2, 0.5, 1.0) == pytest.approx(
        [inf, 0.5 + sqrt(0.5 * log(2) / 2)], rel=1e-15
    )
    assert sliding_window_ucb(arms, rewards, 2, 3, 0.5, 1.0) == pytest.approx(
        [1 + sqrt(0.5 * log(3)), 0.5 + sqrt(0.5 * log(3) / 2)], rel=1e-15
    )
    assert sliding_window_ucb(arms, rewards, 2, 1, 0.5, 1.0) == [inf, 1.0]


def test_a_window_shorter_than_k_plays_each_arm_once_and_then_the_lowest() -> None:
    table = [[0.0] * 3] * 6
    one = play(lambda a, x, K: sliding_window_ucb(a, x, K, 1, 0.5, 1.0), table)
    assert one == [0, 1, 2, 0, 1, 0]
    assert play(lambda a, x, K: sliding_window_ucb(a, x, K, 2, 0.5, 1.0), table) == [0, 1, 2] * 2


def test_ucb_v_by_hand() -> None:
    # Arm 0 saw 0 and 1: mean 1/2, variance 1/4, E = 2 log 3. Arm 1 saw one reward: variance 0.
    E = 2 * log(3)
    expected = [0.5 + sqrt(2 * 0.25 * E / 2) + 3 * 0.5 * 4 * E / 2, 1 + 3 * 0.5 * 4 * E]
    arms, rewards = [0, 1, 0], [0.0, 1.0, 1.0]
    assert ucb_v(arms, rewards, 2, 2.0, 0.5, 4.0) == pytest.approx(expected, rel=1e-15)
    assert index_policy(
        arms, rewards, 2, lambda t: 1.0, lambda t: inf, ucb_v_index(2.0, 0.5, 4.0)
    ) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("rounds", [0, 1, 5, 40])
def test_the_general_rule_contains_the_papers_three(rounds: int) -> None:
    arms, rewards = random_history(rounds, rounds, 3)
    index = ucb_index(0.7, 1.5, 1.2)

    def general(factor: Rule, span: Rule) -> object:
        return pytest.approx(index_policy(arms, rewards, 3, factor, span, index), rel=1e-13)

    assert ucb1(arms, rewards, 3, 0.7, 1.5, 1.2) == general(lambda t: 1.0, lambda t: inf)
    assert discounted_ucb(arms, rewards, 3, 0.8, 0.7, 1.5, 1.2) == general(
        lambda t: 0.8, lambda t: inf
    )
    assert sliding_window_ucb(arms, rewards, 3, 6, 0.7, 1.5, 1.2) == general(
        lambda t: 1.0, lambda t: 6
    )


def test_weights_take_the_factors_of_the_rounds_after_the_play() -> None:
    # factor(t) = 1/t: play 2 weighs (1/3)(1/4) after round 4; n = 1, 3/2, 3/2, 11/8.
    weights, clock = weights_and_clock(4, lambda t: 1 / t, lambda t: 3)
    assert weights == pytest.approx([0, 1 / 12, 1 / 4, 1], rel=1e-15)
    assert clock == pytest.approx(11 / 8, rel=1e-15)


def test_doubling_epochs_begin_at_powers_of_two() -> None:
    assert [epoch_start(t) for t in range(1, 10)] == [1, 2, 2, 4, 4, 4, 4, 8, 8]
    assert doubling_discount(1, 0.0, 1.0) == 0.75
    assert doubling_discount(2, 0.0, 1.0) == doubling_discount(3, 0.0, 1.0)
    assert doubling_discount(3, 0.0, 1.0) == pytest.approx(1 - sqrt(0.5) / 4, rel=1e-15)
    assert doubling_discount(4, 0.0, 1.0) == doubling_discount(7, 0.0, 1.0) == 0.875
    assert doubling_discount(8, 0.0, 0.5) == pytest.approx(1 - sqrt(1 / 8) / 2, rel=1e-15)
    assert doubling_discount(16, 0.5, 1.0) == 1 - 0.5 / 4


def test_doubling_discount_is_carried_on() -> None:
    # After round 4, plays weigh g²·7/8, g·7/8, 7/8, 1 where g = 1 − √(1/2)/4 holds in rounds 2, 3.
    g = 1 - sqrt(0.5) / 4
    clock = 0.875 * (g * g + g + 1) + 1
    arms, rewards = [0, 1, 1, 0], [1.0, 0.0, 1.0, 0.0]
    first, second = 0.875 * g * g + 1, 0.875 * (g + 1)
    assert discounted_ucb_doubling(arms, rewards, 2, 0.0, 0.5, 1.0, 2.0) == pytest.approx(
        [
            0.875 * g * g / first + 2 * sqrt(0.5 * log(clock) / first),
            0.875 / second + 2 * sqrt(0.5 * log(clock) / second),
        ],
        rel=1e-14,
    )


def test_doubling_windows() -> None:
    # 2√(n log n) at n = 1, 2, 4, 8, 16 is 0, 2.35, 4.71, 8.16, 13.32.
    windows = [doubling_window(t, 0.0, 1.0) for t in (1, 2, 3, 4, 7, 8, 15, 16, 31)]
    assert windows == [1, 2, 2, 5, 5, 8, 8, 13, 13]
    # Only β > 1, which the paper excludes, would let the rule shrink (here 2.35, 2.35, 2.04,
    # 1.67 and 0.59): the window does not even then.
    assert [doubling_window(t, 2.0, 2.0) for t in (2, 4, 8, 16, 256)] == [2, 2, 2, 2, 2]


def test_a_growing_window_brings_nothing_back() -> None:
    # τ = 1, 2, 2, 5: round 1 left at the end of round 3, so after round 4 it is not there again.
    weights, clock = weights_and_clock(4, lambda t: 1.0, lambda t: doubling_window(t, 0.0, 1.0))
    assert (weights, clock) == ([0, 1, 1, 1], 3)
    assert sliding_window_doubling([0, 1, 1, 1], [1, 1, 0, 1], 2, 0.0, 0.5, 1.0) == pytest.approx(
        [inf, 2 / 3 + sqrt(0.5 * log(3) / 3)], rel=1e-15
    )


def test_argmax_and_draw() -> None:
    assert argmax([1.0, 2.0, 2.0]) == 1
    assert argmax([5.0, inf, inf]) == 1
    p = [0.25, 0.5, 0.25]
    assert [draw(p, u) for u in (0.0, 0.24, 0.25, 0.74, 0.75, 0.999)] == [0, 0, 1, 1, 2, 2]
    assert draw([0.0, 1.0, 0.0], 0.0) == 1
    assert draw([0.5, 0.4999], 0.99999) == 1


def test_playing_by_hand() -> None:
    # ξ = 2. Round 3: √(2 log 2) < 1/2 + √(2 log 2). Round 4, arm 1 played twice:
    # √(2 log 3) = 1.482 < 1/2 + √(log 3) = 1.548. Round 5, three times:
    # √(2 log 4) = 1.665 > 1/2 + √(2 log 4 / 3) = 1.461.
    table = [[0.0, 0.5]] * 5
    assert play(lambda a, x, K: ucb1(a, x, K, 2.0, 1.0), table) == [0, 1, 1, 1, 0]
    assert play_drawn(
        lambda a, x, K: exp3(a, x, K, 1.0, 1.0), table, [0.6, 0.4, 0.5, 0.0, 0.99]
    ) == [1, 0, 1, 0, 1]


def test_regret_and_suboptimal_plays() -> None:
    means = [[0.5, 0.25], [0.5, 0.75], [0.5, 0.5]]
    assert regret(means, [1, 0, 1]) == 0.5
    assert suboptimal_plays(means, [1, 0, 1], 2) == [1, 1]
    assert suboptimal_plays(means, [0, 1, 0], 3) == [0, 0, 0]


def test_the_papers_worlds() -> None:
    assert [two_swaps_mean(t, 2) for t in (1, 2999, 3000, 4999, 5000)] == [0.4, 0.4, 0.9, 0.9, 0.4]
    assert [two_swaps_mean(4000, arm) for arm in (0, 1)] == [0.5, 0.3]
    # With R = 1 a cycle is T/3 rounds: top at its end, bottom in its middle.
    assert periodic_mean(200, 0, 600, 1.0) == pytest.approx(0.9)
    assert periodic_mean(100, 0, 600, 1.0) == pytest.approx(0.1)
    assert periodic_mean(50, 0, 600, 1.0) == pytest.approx(0.5)
    assert periodic_mean(50, 1, 600, 1.0) == 0.5


def test_tuning_rules_by_hand() -> None:
    assert tuned_discount(10_000, 1, 1.0) == 0.9975
    assert tuned_discount(10_000, 0, 1.0) == 1
    assert tuned_discount_density(0.04, 0.5) == pytest.approx(0.9)
    assert tuned_window(10_000, 2, 1.0) == 429  # 2√46051.7 = 429.19
    assert tuned_window(777, 0, 1.0) == 777
    assert tuned_window(1, 1, 1.0) == 1  # the rule gives 0
    assert tuned_window_density(1 / e, 1.0) == 3  # 2√e = 3.297
