"""The slow truth of weight policies, on cases small enough to work out by hand."""

from math import e, exp, log, sqrt

import pytest

from common import random_history
from naive_weights import (
    exp3,
    exp3_ix_anytime,
    exp3_pp,
    exp3_pp_floors,
    exp3_six,
    exp3p,
    exp3s,
    exponential_weights,
    play_exp3_r,
    rexp3,
    softmax,
    tuned_exp3,
    tuned_exp3_six,
    tuned_exp3p,
    tuned_exp3s,
    tuned_rexp3,
)


def test_exp3_by_hand() -> None:
    # p = (1/2, 1/2), x = 2 of 2, x̂ = 2: w = (exp(0.4 · 2 / 2), 1).
    w = exp(0.4)
    expected = [0.6 * w / (w + 1) + 0.2, 0.6 / (w + 1) + 0.2]
    assert exp3([], [], 2, 0.4, 2.0) == [0.5, 0.5]
    assert exp3([0], [2.0], 2, 0.4, 2.0) == pytest.approx(expected, rel=1e-15)
    assert exp3([0, 1], [2.0, 0.0], 2, 0.4, 2.0) == pytest.approx(expected, rel=1e-15)
    again = exp(0.4 / 2 / expected[1])  # arm 1 pays 1 of 1 in round 2
    assert exp3([0, 1], [1.0, 1.0], 2, 0.4, 1.0)[1] == pytest.approx(
        0.6 * again / (w + again) + 0.2, rel=1e-14
    )


def test_exp3s_shares_with_every_arm_from_the_old_weights() -> None:
    # K = 2, γ = 1/2, α = 1/10, x̂ = 2: w = (e^(1/2) + e/10, 1 + e/10), their old sum being 2.
    w = [exp(0.5) + 0.1 * e, 1 + 0.1 * e]
    p = exp3s([0], [1.0], 2, 0.5, 0.1, 1.0)
    assert p == pytest.approx([0.5 * x / sum(w) + 0.25 for x in w], rel=1e-15)
    # Round 2, arm 1 pays nothing: both weights gain the same share and draw nearer.
    share = 0.1 * e / 2 * sum(w)
    after = [x + share for x in w]
    assert exp3s([0, 1], [1.0, 0.0], 2, 0.5, 0.1, 1.0) == pytest.approx(
        [0.5 * x / sum(after) + 0.25 for x in after], rel=1e-14
    )


def test_exp3s_without_sharing_is_exp3() -> None:
    arms, rewards = random_history(1, 60, 4)
    assert exp3s(arms, rewards, 4, 0.1, 0.0, 1.0) == pytest.approx(
        exp3(arms, rewards, 4, 0.1, 1.0), rel=1e-12
    )


def test_exp3p_by_hand() -> None:
    # K = 2, T = 8, √(KT) = 4, γ = 0.6, α = 2, p = 1/2: both gain 0.1 · 1, arm 0 also 0.1 · 2.
    up = 1 / (1 + exp(-0.2))
    assert exp3p([0], [3.0], 2, 0.6, 2.0, 8, 3.0) == pytest.approx(
        [0.4 * up + 0.3, 0.4 * (1 - up) + 0.3], rel=1e-15
    )
    # Round 2, arm 1 pays nothing: each gains 0.1 · 2 / (4 p), the less likely arm more.
    p = [0.4 * up + 0.3, 0.4 * (1 - up) + 0.3]
    second = 1 / (1 + exp(0.05 / p[1] - 0.05 / p[0] - 0.2))
    assert exp3p([0, 1], [3.0, 0.0], 2, 0.6, 2.0, 8, 3.0) == pytest.approx(
        [0.4 * second + 0.3, 0.4 * (1 - second) + 0.3], rel=1e-14
    )


def test_exp3_six_by_hand() -> None:
    # K = 2, p = 1/2, γ = 1/2, η = log 3, loss 1: the weight of arm 0 falls to 1/3, v = 1/4, 3/4.
    assert exp3_six([0], [0.0], 2, log(3), 0.5, 0.0, 1.0) == pytest.approx([1 / 4, 3 / 4])
    assert exp3_six([0], [2.0], 2, log(3), 0.5, 0.0, 2.0) == pytest.approx([1 / 2, 1 / 2])
    assert exp3_six([0], [0.0], 2, log(3), 0.5, 0.2, 1.0) == pytest.approx([0.3, 0.7])
    # Round 2, arm 1 of p = 0.7 loses half: its weight falls by 3^(0.5 / 1.2).
    down = 0.7 * 3 ** (-0.5 / 1.2)
    assert exp3_six([0, 1], [0.0, 0.5], 2, log(3), 0.5, 0.2, 1.0) == pytest.approx(
        [0.8 * 0.3 / (0.3 + down) + 0.1, 0.8 * down / (0.3 + down) + 0.1]
    )


def test_exp3_ix_anytime_by_hand() -> None:
    # K = 2, η_1 = √(log 2 / 2), p = 1/2, loss 1; then η_2 = √(log 2 / 4).
    one, two = sqrt(log(2) / 2), sqrt(log(2) / 4)
    down = exp(-two / (0.5 + one / 2))
    assert exp3_ix_anytime([], [], 2, 1.0) == [0.5, 0.5]
    assert exp3_ix_anytime([0], [0.0], 2, 1.0) == pytest.approx([down / (1 + down), 1 / (1 + down)])
    assert exp3_ix_anytime([1], [4.0], 2, 4.0) == [0.5, 0.5]


def test_exp3_pp_by_hand() -> None:
    # Round 1: ε = min(1/4, ½ √(log 2 / 2)) = 1/4, p = 1/2. Arm 0 loses 1, so L̂ = 2. Round 2:
    # η = ½ √(log 2 / 4) = 0.208, and so is ε while the intervals overlap.
    rate = sqrt(log(2) / 4) / 2
    rho = exp(-2 * rate) / (1 + exp(-2 * rate))
    assert exp3_pp([0], [0.0], 2, 3.0, 256.0, 1.0)[0] == pytest.approx(rho * (1 - 2 * rate) + rate)
    # 200 losses of 1 on arm 0, of 0 on arm 1, α = 1: radius √(log(802) / 400) at t = 401.
    history = [(0, 0.0), (1, 1.0)] * 200
    gap = 1 - 2 * sqrt(log(802) / 400)
    floors = exp3_pp_floors(history, 2, 1.0, 0.01, 1.0)
    assert floors == pytest.approx([0.01 * log(401) / (401 * gap**2), sqrt(log(2) / 802) / 2])


def test_exp3_r_by_hand() -> None:
    # K = 2, γ = 1/2: u < 1/4 and u < 1/2 explore arms 0 and 1. H = 8: two draws of each, and
    # ε = √(2 log(1/δ) / 8) = 1/4 for δ = 1/e^(1/4). Arm 0 pays at first and takes the lead.
    draws = [0.1, 0.1, 0.3, 0.3, 0.1, 0.3, 0.1, 0.3]
    first = [[1.0, 0.0]] * 4
    for pays, alarms in ((0.0, 0), (0.49, 0), (0.51, 1)):
        table = [*first, *([[0.0, pays]] * 4)]
        arms, heard = play_exp3_r(table, draws, 0.5, 8, exp(-1 / 4))
        assert (arms, heard) == ([0, 0, 1, 1, 0, 1, 0, 1], alarms)
    # By weights: u = 3/4 is the middle of the rest, arm 1 where both have the same weight.
    assert play_exp3_r([[1.0, 0.0]] * 3, [0.75, 0.1, 0.75], 0.5, 8, 0.5)[0] == [1, 0, 0]


def test_exponential_weights_are_exp3_ix_without_the_implicit() -> None:
    arms, rewards = random_history(1, 60, 4)
    assert exponential_weights(arms, rewards, 4, 0.01, 1.0) == pytest.approx(
        exp3_six(arms, rewards, 4, 0.01, 0.0, 0.0, 1.0), rel=1e-12
    )


def test_rexp3_starts_over_after_a_batch() -> None:
    arms, rewards = random_history(2, 25, 3)
    for batch, begun in ((10, 20), (25, 25), (26, 0), (1, 25), (12, 24)):
        expected = exp3(arms[begun:], rewards[begun:], 3, 0.2, 1.0)
        assert rexp3(arms, rewards, 3, 0.2, batch, 1.0) == expected


def test_weights_never_overflow() -> None:
    arms, rewards = [0] * 5000, [1.0] * 5000
    for p in (exp3(arms, rewards, 2, 0.9, 1.0), exp3p(arms, rewards, 2, 0.6, 9.0, 5000, 1.0)):
        assert sum(p) == pytest.approx(1, rel=1e-12)
    assert exp3(arms, rewards, 2, 0.9, 1.0) == pytest.approx([0.55, 0.45], rel=1e-12)
    assert exp3s(arms, rewards, 2, 0.9, 1e-300, 1.0) == pytest.approx([0.55, 0.45], rel=1e-12)


def test_softmax_by_hand() -> None:
    assert softmax([], [], 3, 0.1) == [1, 0, 0]
    assert softmax([0, 2], [1.0, 1.0], 3, 0.1) == [0, 1, 0]
    # Means log 3 apart in units of the temperature: three to one.
    assert softmax([0, 1, 0], [log(3), 0.0, log(3)], 2, 1.0) == pytest.approx([0.75, 0.25])
    assert softmax([0, 1], [1.0, 0.0], 2, 1e-4) == [1, 0]


def test_tuning_rules_of_weights_by_hand() -> None:
    assert tuned_exp3s(10_000, 2, 3) == pytest.approx((0.06383, 1e-4), rel=1e-4)
    assert tuned_exp3s(1, 5, 2) == (1, 1)
    assert tuned_exp3(2, 2) == pytest.approx(sqrt(log(2) / (e - 1)))
    assert tuned_exp3(1, 9) == 1
    assert tuned_exp3p(10, 10, 1.0) == pytest.approx((0.6, 2 * sqrt(log(100))))
    assert tuned_rexp3(1000, 1.0, 3) == pytest.approx((149, sqrt(3 * log(3) / ((e - 1) * 149))))
    assert tuned_rexp3(10, 0.01, 3)[0] == 10
    assert tuned_exp3_six(100, 0, 2) == pytest.approx((sqrt(log(2) / 100), 0))
    assert tuned_exp3_six(101, 10, 2)[0] == pytest.approx(
        sqrt((11 * log(2) + 10 * log(10 * e)) / 101)
    )
    assert tuned_exp3p(2400, 10, 0.5)[0] == pytest.approx(0.1 * sqrt(log(10)))
