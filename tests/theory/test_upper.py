"""Theorems 1 and 2: the formulas against slow ones, and against simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
from driftbandit import theory
from driftbandit.studies.paper.growth import swaps
from driftbandit.theory import discounted, exp3s, ucb1, windowed
from driftbandit.theory.failures import tail
from driftbandit.theory.peeling import Peeling


def chance(xi: float, n: float, width: float) -> float:
    """The tail of one event, by trying very many η."""
    if width == -math.inf:
        return 0.0
    log_eta = np.linspace(1e-3, max(width, 2e-3) * 1.0000001, 4000)
    slices = np.maximum(1, np.ceil(width / log_eta - 1e-9))
    factor = ((np.exp(log_eta / 4) + np.exp(-log_eta / 4)) / 2) ** -2
    return float(min(1.0, (slices * np.exp(-2 * xi * math.log(n) * factor)).min()))


def naive_windowed(T: int, changes: int, gap: float, tau: int, K: int, xi: float) -> float:
    """Theorem 2's proof, round by round, with the index of round t made of rounds up to t − 1."""
    enough = 4 * xi * math.log(min(T, tau)) / gap**2
    total = 1.0 + math.ceil((T - K) / tau) * math.ceil(enough) + tau * changes
    for t in range(K + 1, T + 1):
        n = min(t - 1, tau)
        own = math.log(n / max(enough, 1)) if n >= enough else -math.inf
        least = max(1.0, xi * math.log(n))
        best = math.log(n / least) if n >= least else -math.inf
        total += min(1.0, chance(xi, n, own) + chance(xi, n, best))
    return total


def naive_discounted(T: int, changes: int, gap: float, gamma: float, K: int, xi: float) -> float:
    """Theorem 1's proof, round by round, with the deviation inequality that holds."""

    def n(t: int, g: float) -> float:
        return sum(g**s for s in range(t))

    enough = 16 * xi * math.log(n(T, gamma)) / gap**2
    block = min(math.ceil(round(1 / (1 - gamma), 9)), T - K)
    spoiled = math.log((1 - gamma) * xi * math.log(n(K, gamma))) / math.log(gamma)
    total = 1.0 + math.ceil((T - K) / block) * math.ceil(enough * gamma ** (1 - block))
    total += changes * math.ceil(max(0.0, spoiled))
    for t in range(K + 1, T + 1):
        clock = n(t - 1, gamma)
        widths = []
        for least in (enough, 4 * xi * math.log(clock)):
            squares = n(t - 1, gamma**2) * (1 + gamma) / ((1 - gamma) * least**2)
            widths.append(math.log(squares) if clock >= least else -math.inf)
        total += min(1.0, sum(chance(xi, clock, width) for width in widths))
    return total


@pytest.mark.parametrize("xi", [0.51, 0.6, 2.0])
@pytest.mark.parametrize(("tau", "changes"), [(1, 0), (7, 1), (60, 2), (400, 0)])
def test_the_window_bound_is_its_proof_added_up(xi: float, tau: int, changes: int) -> None:
    fast = windowed.plays(400, changes, 0.7, tau, arms=3, xi=xi).value
    slow = naive_windowed(400, changes, 0.7, tau, 3, xi)
    assert slow * (1 - 1e-3) <= fast <= slow * 1.01


@pytest.mark.parametrize("xi", [0.51, 0.6, 2.0])
@pytest.mark.parametrize(("gamma", "changes"), [(0.5, 0), (0.9, 1), (0.99, 2), (0.9999, 0)])
def test_the_discount_bound_is_its_proof_added_up(xi: float, gamma: float, changes: int) -> None:
    fast = discounted.plays(300, changes, 0.7, gamma, arms=2, xi=xi).value
    slow = naive_discounted(300, changes, 0.7, gamma, 2, xi)
    assert slow * (1 - 1e-3) <= fast <= slow * 1.01


@settings(max_examples=100, deadline=None)
@given(log_n=st.floats(0.1, 30.0), width=st.floats(0.0, 30.0), xi=st.floats(0.51, 3.0))
def test_the_tail_is_the_deviation_inequality(log_n: float, width: float, xi: float) -> None:
    fast = tail(np.array([xi * log_n]), np.array([width]))[0]
    slow = Peeling(width).probability(math.sqrt(xi * log_n), 1.0)
    assert fast == pytest.approx(slow, rel=1e-9)


@settings(max_examples=200, deadline=None)
@given(
    weights=st.lists(st.integers(0, 60), min_size=1, max_size=30, unique=True),
    gamma=st.floats(0.05, 0.999),
)
def test_squares_of_discounts_are_not_small(weights: list[int], gamma: float) -> None:
    """N(γ)² ≤ (1+γ)/(1−γ) N(γ²): what the repaired inequality rests on."""
    plays = np.array(weights, dtype=np.float64)
    one, two = (gamma**plays).sum(), (gamma ** (2 * plays)).sum()
    assert one**2 <= (1 + gamma) / (1 - gamma) * two * (1 + 1e-12)


def test_the_printed_factors_tend_to_their_limits() -> None:
    for xi, gap in ((0.6, 0.3), (2.0, 1.0)):
        close = discounted.B(1 - 1e-7, horizon=10**12, gap=gap, xi=xi)
        assert close == pytest.approx(discounted.B_limit(gap, xi), rel=0.03)
        wide = windowed.C(10**15, window=10**12, gap=gap, xi=xi)
        assert wide == pytest.approx(windowed.C_limit(gap, xi), rel=0.02)
    far = [discounted.C(1 - 10.0**-k, arms=3) - 1 for k in (3, 6, 12)]
    assert far[0] > far[1] > far[2] > 0  # as 1 / log(1/(1 − γ)), so slowly
    assert far[2] < 0.04


def test_printed_terms_are_those_of_the_paper() -> None:
    gamma, T = 0.999, 10**6
    width = math.log(1 / (1 - gamma))
    printed = discounted.plays(T, 3, 0.5, gamma, as_printed=True)
    first = discounted.B(gamma, T, 0.5) * T * (1 - gamma) * width
    second = discounted.C(gamma, 2) * 3 / (1 - gamma) * width
    assert printed.value == pytest.approx(first + second)
    assert second == pytest.approx(3 * discounted.D(gamma, 2))
    assert not printed.holds


def test_after_d_rounds_the_bias_is_half_the_padding() -> None:
    """γ^D / (1−γ) = ξ log n_K: the equation that D(γ) solves."""
    for gamma, K, xi in ((0.9, 2, 0.6), (0.999, 5, 1.0)):
        left = gamma ** discounted.D(gamma, K, xi) / (1 - gamma)
        assert left == pytest.approx(xi * math.log(discounted.n(K, gamma)))


GRID = [(gap, changes, xi) for gap in (0.25, 0.5) for changes in (1, 4) for xi in (0.51, 1.0)]


@pytest.mark.parametrize(("gap", "changes", "xi"), GRID)
def test_measured_plays_stay_below_the_bounds(gap: float, changes: int, xi: float) -> None:
    """Also with windows and discounts far from the best; at gap 1/2 most bounds say something."""
    T, runs = 100_000, 64
    world = swaps(T, changes, gap)
    policies = [
        *(db.SlidingWindowUCB(tau, xi=xi, label=f"τ {tau}") for tau in (300, 2_000, 10_000)),
        *(db.DiscountedUCB(g, xi=xi, label=f"γ {g}") for g in (0.99, 0.999, 0.9997)),
    ]
    result = db.simulate(policies, world, T, runs, checkpoints=(T,))
    vacuous = []
    for policy in policies:
        assert isinstance(policy, db.Policy)
        plays = result[policy.label].suboptimal_plays
        high = plays.mean(axis=0) + 5 * plays.std(axis=0) / math.sqrt(runs)
        forget = policy.forget
        if isinstance(forget, db.Window):
            bound = windowed.plays(T, changes, gap, forget.window, xi=xi)
        else:
            assert isinstance(forget, db.Discount)
            bound = discounted.plays(T, changes, gap, forget.discount, xi=xi)
        assert high.max() <= bound.value
        regret = theory.guarantee(policy, world, T)
        assert result[policy.label].final_regret.mean() <= regret.value
        vacuous.append(bound.vacuous)
    assert not all(vacuous)


@pytest.mark.parametrize("xi", [0.51, 0.6, 2.0])
def test_ucb1_stays_below_its_bounds_when_nothing_changes(xi: float) -> None:
    T, means = 50_000, (0.8, 0.6, 0.3)
    world = db.environments.Stationary(means=means)
    plays = db.simulate(db.UCB1(xi=xi), world, T, 128, checkpoints=(T,))["UCB-1"].plays
    high = plays.mean(axis=0) + 5 * plays.std(axis=0) / math.sqrt(128)
    for arm, gap in ((1, 0.2), (2, 0.5)):
        bound = ucb1.plays(T, gap, arms=3, xi=xi)
        assert not bound.vacuous
        assert high[arm] <= bound.value
        if xi == 2.0:
            assert high[arm] <= ucb1.auer(T, gap).value


def test_exp3s_stays_below_its_bound() -> None:
    T, world = 20_000, swaps(20_000, 3, 0.5)
    policy = db.EXP3S.tuned(T, 3, arms=2)
    regret = db.simulate(policy, world, T, 64, checkpoints=(T,))["EXP3.S"].final_regret
    bound = theory.guarantee(policy, world, T)
    assert not bound.vacuous
    assert regret.mean() + 5 * regret.std() / 8 <= bound.value


def test_exp3s_tuned_to_the_true_number_of_segments_gives_the_corollary() -> None:
    T, K, segments = 10_000, 3, 4
    tuned = db.EXP3S.tuned(T, segments, K)
    theorem = exp3s.regret(T, segments - 1, K, tuned.exploration, tuned.sharing)
    assert theorem.value == pytest.approx(exp3s.tuned(T, segments - 1, K).value)
    assert exp3s.regret(T, 2, K, as_printed=True).value < exp3s.regret(T, 2, K).value


def test_the_guarantee_scales_with_rewards_and_takes_xi_and_padding_as_one() -> None:
    T, rows = 50_000, np.array([[1.0, 0.5], [0.0, 0.5]])
    small = db.environments.Piecewise([25_000], rows)
    large = db.environments.Piecewise([25_000], 3 * rows, bound=3.0)
    one = theory.guarantee(db.SlidingWindowUCB(1500, xi=0.6), small, T)
    same = theory.guarantee(db.SlidingWindowUCB(1500, xi=0.15, padding=2.0), small, T)
    tall = theory.guarantee(db.SlidingWindowUCB(1500, xi=0.6, bound=3.0), large, T)
    assert one.value == pytest.approx(same.value)
    assert tall.value == pytest.approx(3 * one.value)


def test_every_arm_of_random_worlds_stays_below_its_bound() -> None:
    T, runs, rng = 20_000, 64, np.random.default_rng(5)
    for arms in (2, 3, 9):
        rows = np.round(rng.random((4, arms)), 1)
        world = db.environments.Piecewise([4_000, 9_000, 16_000], rows)
        policies = [
            db.SlidingWindowUCB(1_000, xi=0.55),
            db.DiscountedUCB(0.998, xi=0.55),
        ]
        result = db.simulate(policies, world, T, runs, checkpoints=(T,))
        changes = len(world.find_breakpoints(T))
        for k, gap in enumerate(world.gaps(T)):
            if not np.isfinite(gap):
                continue
            window = windowed.plays(T, changes, float(gap), 1_000, arms, 0.55).value
            discount = discounted.plays(T, changes, float(gap), 0.998, arms, 0.55).value
            for label, bound in (("SW-UCB", window), ("D-UCB", discount)):
                assert result[label].suboptimal_plays[:, k].mean() <= bound


BAD = [
    (lambda: windowed.plays(100, 1, 1e-300, 10), "gap must be at least 1e-9 of the bound"),
    (lambda: windowed.plays(100, 1, 0.1, 10, bound=1e300), "bound must lie in"),
    (lambda: discounted.plays(100, 1, 0.1, 1e-300), "discount must be at least 1e-6"),
    (lambda: windowed.A(10, 0.1, xi=-1), "xi must lie in"),
    (lambda: windowed.C(100, 10, -0.1), "gap must lie in"),
    (lambda: discounted.n(10, 2), "discount must lie in"),
    (lambda: discounted.A(1.5, 10, 0.1), "discount must lie in"),
    (
        lambda: theory.guarantee(db.UCB1(), db.environments.Stationary((2.6, 2.4), bound=5), 9),
        "bound of UCB-1 must be at least 5",
    ),
    (
        lambda: theory.guarantee(db.EXP3(0.1), swaps(100, 1, 0.2), 100),
        "sharing of EXP3 must be more than 0",
    ),
    (lambda: theory.guarantee("x", swaps(100, 1, 0.2), 100), "policy must be a policy"),  # type: ignore[arg-type]  # that is the point
    (lambda: windowed.plays(100, 1, 0.1, 10, xi=0.5), "xi must be more than 1/2"),
    (lambda: windowed.plays(100, 100, 0.1, 10), "breakpoints must be fewer than the horizon"),
    (lambda: windowed.plays(100, 1, 0.0, 10), r"gap must lie in \(0, 1\], got 0"),
    (lambda: windowed.plays(100, 1, 0.1, 0), "window must be a whole number"),
    (lambda: discounted.plays(100, 1, 0.1, 1.0), r"discount must lie in \(0, 1\), got 1.0"),
    (lambda: discounted.plays(100, -1, 0.1, 0.9), "breakpoints must be a whole number"),
    (lambda: exp3s.regret(100, 100, 2), "breakpoints must be fewer than the horizon"),
    (lambda: theory.guarantee(db.UCBV(), swaps(100, 1, 0.2), 100), "must be UCB or EXP3.S"),
    (
        lambda: theory.guarantee(db.DiscountedUCB(0.9, padding=1), swaps(100, 1, 0.2), 100),
        r"padding² · xi must be more than 2",
    ),
    (lambda: theory.regret([], [], 100), "gaps must be as many as plays"),
    (lambda: theory.regret([5], [0.5], 100), "plays must be a list of bounds"),  # type: ignore[list-item]  # that is the point
    (lambda: theory.regret([], 0.5, 100), "gaps must be a list of numbers"),  # type: ignore[arg-type]  # that is the point
    (lambda: theory.same_regret(5, 2, 0.5, 100), "plays must be a bound, got 5"),  # type: ignore[arg-type]  # that is the point
    (lambda: theory.statements(100, 1, 0.1, 5), "policies must be names of policies"),  # type: ignore[arg-type]  # that is the point
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_questions_get_a_clear_answer(call: Callable[[], object], words: str) -> None:
    with pytest.raises(db.InputError, match=words):
        call()
