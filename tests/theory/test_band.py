"""Confidence bands: the same as a slow loop's, and they hold whatever chose the rounds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from driftbandit import figures, theory
from driftbandit.core.errors import InputError
from driftbandit.theory.ends import LEAST, METHODS
from driftbandit.theory.sums import trailing_sums

FIELDS = ("mean", "low", "high", "count")
MEMORIES: list[dict[str, Any]] = [
    {"discount": 0.9},
    {"discount": 0.99},
    {"discount": 1.0},
    {"window": 30},
]


def same(one: theory.Band, other: theory.Band) -> None:
    for field in FIELDS:
        np.testing.assert_allclose(getattr(one, field), getattr(other, field), rtol=1e-12)


def naive_hoeffding(
    rewards: list[float | None],
    discount: float,
    window: int,
    delta: list[float],
    bound: float,
    drift: float,
    least: float,
) -> list[tuple[float, float, float, float]]:
    """Mean, low, high and count of every round, from all plays up to it."""
    rows = []
    for t in range(1, len(rewards) + 1):
        first = max(1, t - window + 1)
        plays = [(s, x) for s in range(first, t + 1) if (x := rewards[s - 1]) is not None]
        n, n2 = (math.fsum(g ** (t - s) for s, _ in plays) for g in (discount, discount**2))
        if not plays:
            rows.append((math.nan, 0.0, bound, 0.0))
            continue
        mean = math.fsum(discount ** (t - s) * x for s, x in plays) / n
        age = math.fsum(discount ** (t - s) * (t - s) for s, _ in plays) / n
        half = delta[t - 1] * math.sqrt(n2) / n + drift * age
        if n2 < least:
            half = math.inf
        rows.append((mean, max(0.0, mean - half), min(bound, mean + half), n * n / n2))
    return rows


logs = st.lists(st.one_of(st.none(), st.floats(0.0, 2.0)), min_size=1, max_size=40)
memories: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(dict, discount=st.one_of(st.just(1.0), st.floats(0.3, 1.0))),
    st.builds(dict, window=st.integers(1, 50)),
)


@given(logs, memories, st.booleans(), st.sampled_from([0.0, 0.01]), st.floats(0.01, 0.99))
def test_a_band_by_hoeffding_is_that_of_a_slow_loop(
    log: list[float | None], memory: dict[str, Any], together: bool, drift: float, level: float
) -> None:
    rounds, miss = len(log), (1.0 - level) / 2.0
    case = {"bound": 2.0, **memory}
    band = theory.confidence_band(
        [math.nan if x is None else x for x in log],
        level=level,
        simultaneous=together,
        drift=drift,
        method="hoeffding",
        **case,
    )
    if together:
        delta = [theory.maximal_threshold(miss, rounds, **case)] * rounds
    else:
        ceilings = [2 ** math.ceil(math.log2(t)) for t in range(1, rounds + 1)]
        delta = [theory.deviation_threshold(miss, t, least=LEAST, **case) for t in ceilings]
    discount, window = memory.get("discount", 1.0), memory.get("window", rounds)
    slow = naive_hoeffding(log, discount, window, delta, 2.0, drift, 0.0 if together else LEAST)
    for place, field in enumerate(FIELDS):
        expected = [row[place] for row in slow]
        np.testing.assert_allclose(getattr(band, field), expected, rtol=1e-9, atol=1e-12)


@given(st.integers(1, 200), st.integers(1, 250), st.one_of(st.just(1.0), st.floats(1e-3, 1.0)))
def test_trailing_sums_are_those_of_a_slow_loop(rows: int, length: int, discount: float) -> None:
    values = np.random.default_rng(rows).random((rows, 2))
    slow = [
        sum(discount**k * values[t - k] for k in range(min(length, t + 1))) for t in range(rows)
    ]
    if length < rows and discount < 1.0:
        length = rows  # a discount or a window, not both
        slow = [sum(discount**k * values[t - k] for k in range(t + 1)) for t in range(rows)]
    np.testing.assert_allclose(trailing_sums(values, discount, length), slow, rtol=1e-13)


def test_trailing_sums_lose_no_digits_in_a_long_log() -> None:
    values = np.full(200_000, 0.1)
    assert trailing_sums(values, 1.0, 7)[-1] == pytest.approx(0.7, rel=4e-16)
    assert trailing_sums(values, 0.9999, len(values))[-1] == pytest.approx(
        0.1 * (1 - 0.9999**200_000) / 1e-4, rel=1e-12
    )


def sample(rounds: int = 200, arms: int = 3) -> NDArray[np.float64]:
    luck = np.random.default_rng(5)
    rewards = luck.random((rounds, arms))
    rewards[luck.random((rounds, arms)) < 0.6] = np.nan
    return rewards


@pytest.mark.parametrize("memory", MEMORIES)
def test_arms_are_bands_of_their_own_at_a_shared_level(memory: dict[str, Any]) -> None:
    rewards = sample()
    together = theory.confidence_band(rewards, level=0.94, **memory)
    apart = theory.confidence_band(rewards, level=0.94, simultaneous=False, drift=0.01, **memory)
    for arm in range(3):
        one = theory.confidence_band(rewards[:, arm], level=0.98, **memory)
        np.testing.assert_allclose(together.low[:, arm], one.low, rtol=1e-12)
        np.testing.assert_allclose(together.high[:, arm], one.high, rtol=1e-12)
        alone = theory.confidence_band(
            rewards[:, arm], level=0.94, simultaneous=False, drift=0.01, **memory
        )
        np.testing.assert_array_equal(apart.high[:, arm], alone.high)


def test_the_ways_to_say_what_was_played_agree() -> None:
    rewards = sample()
    played = ~np.isnan(rewards)
    by_nan = theory.confidence_band(rewards, discount=0.9)
    same(
        by_nan, theory.confidence_band(np.where(played, rewards, 7.0), played=played, discount=0.9)
    )
    arms = np.random.default_rng(0).integers(3, size=200)
    seen = np.random.default_rng(1).random(200)
    wide = theory.confidence_band(seen, played=arms[:, None] == np.arange(3), window=50)
    table = np.where(arms[:, None] == np.arange(3), seen[:, None], np.nan)
    same(wide, theory.confidence_band(table, window=50))


def test_identities() -> None:
    rewards = sample()[:, 0]
    full = theory.confidence_band(rewards, discount=1.0)
    same(full, theory.confidence_band(rewards, window=200))
    same(full, theory.confidence_band(rewards, window=10**6))
    single = theory.confidence_band(rewards, discount=0.9, simultaneous=False)
    early = theory.confidence_band(rewards[:70], discount=0.9, simultaneous=False)
    for field in FIELDS:
        np.testing.assert_allclose(
            getattr(single, field)[:70], getattr(early, field), rtol=1e-12, atol=1e-14
        )
    for method in METHODS:
        small = theory.confidence_band(rewards, discount=0.9, method=method)
        large = theory.confidence_band(8.0 * rewards, discount=0.9, bound=8.0, method=method)
        np.testing.assert_allclose(large.low, 8.0 * small.low, atol=1e-12)
        opposite = theory.confidence_band(1.0 - rewards, discount=0.9, method=method)
        np.testing.assert_allclose(opposite.low, 1.0 - small.high, atol=1e-12)


def test_a_single_round_s_band_is_narrower_than_that_of_all_rounds() -> None:
    rewards = np.tile([0.0, 1.0], 2_000)
    for memory in ({"discount": 0.99}, {"window": 200}):
        all_at_once = theory.confidence_band(rewards, **memory)
        single = theory.confidence_band(rewards, simultaneous=False, **memory)
        assert (single.high[-1] - single.low[-1]) < 0.9 * (
            all_at_once.high[-1] - all_at_once.low[-1]
        )


def test_an_arm_left_alone_keeps_its_average() -> None:
    rewards = np.full(50_000, np.nan)
    rewards[:400] = 0.5
    band = theory.confidence_band(rewards, discount=0.99)
    assert band.high[-1] == band.high[399] < 0.75
    assert band.mean[-1] == pytest.approx(0.5)
    drifting = theory.confidence_band(rewards, discount=0.99, drift=1e-4)
    assert drifting.high[1399] == pytest.approx(drifting.high[399] + 0.1)
    assert drifting.high[-1] == 1.0
    single = theory.confidence_band(rewards, discount=0.99, simultaneous=False)
    assert single.high[399] < single.high[600] < 0.75
    assert single.high[-1] > single.high[600] + 0.03
    coarse = theory.confidence_band(rewards, discount=0.99, simultaneous=False, method="hoeffding")
    assert coarse.high[600] < 0.75
    assert (coarse.low[-1], coarse.high[-1]) == (0.0, 1.0)
    window = theory.confidence_band(rewards, window=400)
    assert window.high[399] < 0.75
    assert np.isnan(window.mean[-1])
    assert (window.low[-1], window.high[-1], window.count[-1]) == (0.0, 1.0, 0.0)


def test_extreme_discounts_and_a_single_round() -> None:
    for discount in (1e-300, 0.5, 1.0 - 2.0**-53, 1.0):
        for together in (True, False):
            case: dict[str, Any] = {"discount": discount, "simultaneous": together, "drift": 0.1}
            assert theory.confidence_band([1.0], **case).mean.tolist() == [1.0]
            band = theory.confidence_band([np.nan, 1.0, 0.0, np.nan], **case)
            assert np.isnan(band.mean[0])
            assert ((band.low >= 0) & (band.low <= band.high) & (band.high <= 1)).all()


BAD: list[tuple[Any, dict[str, Any], str]] = [
    ([], {"discount": 0.9}, "the shape of rewards must"),
    (0.5, {"discount": 0.9}, "the shape of rewards must"),
    (np.zeros((3, 0)), {"discount": 0.9}, "the shape of rewards must"),
    (np.zeros((3, 1, 1)), {"discount": 0.9}, "the shape of rewards must"),
    (["a"], {"discount": 0.9}, "rewards must be numbers"),
    (
        [0.5, 1.5],
        {"discount": 0.9},
        r"rewards must lie in \[0, 1\] where played, got 1.5 in round 2",
    ),
    ([0.5, -0.5], {"window": 3}, "rewards must lie in"),
    ([0.5, math.inf], {"window": 3}, "rewards must lie in"),
    ([0.5, math.nan], {"window": 3, "played": [True, True]}, "rewards must lie in"),
    ([0.5], {"window": 3, "played": [1]}, "played must"),
    ([0.5, 1.0], {"window": 3, "played": [[True], [True, True]]}, "played must have rows of one"),
    ([0.5], {"window": 3, "played": [True, False]}, "the shape of played must"),
    ([0.5], {}, "either discount or window"),
    ([0.5], {"discount": 0.9, "window": 3}, "either discount or window"),
    ([0.5], {"discount": 1.5}, "discount must"),
    ([0.5], {"window": 0}, "window must"),
    ([0.5], {"window": 3, "level": 1.0}, "level must"),
    ([0.5], {"window": 3, "bound": 0.0}, "bound must"),
    ([0.5], {"window": 3, "drift": -1.0}, "drift must"),
    ([0.5], {"window": 3, "method": "bets"}, "method must"),
]


@pytest.mark.parametrize(("rewards", "named", "message"), BAD)
def test_bad_input_is_named(rewards: Any, named: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        theory.confidence_band(rewards, **named)


def test_the_picture_shows_the_band(tmp_path: Path) -> None:
    rewards = sample()
    band = theory.confidence_band(rewards, discount=0.95)
    figure = band.plot(tmp_path / "band.png", truth=np.full((200, 3), 0.5))
    assert (tmp_path / "band.png").exists()
    assert len(figure.axes) == 3
    drawn = {line.get_label(): line for line in figure.axes[1].get_lines()}
    informative = (band.low[:, 1] > 0.0) | (band.high[:, 1] < 1.0)
    expected = np.where(informative, band.mean[:, 1], np.nan)
    np.testing.assert_array_equal(drawn["estimate"].get_ydata(), expected)
    assert set(np.asarray(drawn["truth"].get_ydata())) == {0.5}
    assert informative.any()
    single = theory.confidence_band(rewards[:, 0], window=9, simultaneous=False, drift=0.1).plot()
    title = "95 % band around the mean, each round alone"
    assert single.axes[0].get_title(loc="left") == title


def test_a_picture_that_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError, match="number of arms must be at most"):
        figures.band(theory.confidence_band(np.zeros((2, 20)), discount=0.9))
    with pytest.raises(InputError, match="shape of truth must"):
        figures.band(theory.confidence_band(np.zeros(2), discount=0.9), truth=[0.5])


def test_a_log_that_grows_is_told_how_far() -> None:
    rewards = np.tile([1.0, 0.0, 1.0], 100)
    now = theory.confidence_band(rewards, discount=0.99)
    later = theory.confidence_band(rewards, discount=0.99, horizon=30_000)
    whole = theory.confidence_band(np.resize(rewards, 30_000), discount=0.99)
    assert later.high[-1] > now.high[-1]
    np.testing.assert_allclose(later.high, whole.high[:300], rtol=1e-12)
    with pytest.raises(InputError, match="horizon must be a whole number of at least 300"):
        theory.confidence_band(rewards, discount=0.99, horizon=10)


@pytest.mark.parametrize(
    "rewards", [np.ma.array([0.1, 0.2], mask=[False, True]), ["0.5"], [1j], [10**400]]
)
def test_rewards_of_a_band_are_real_numbers(rewards: Any) -> None:
    with pytest.raises(InputError, match="rewards must be numbers, one row per round"):
        theory.confidence_band(rewards, window=5)


def test_a_masked_array_does_not_say_what_was_played() -> None:
    played = np.ma.array([True, True], mask=[False, True])
    with pytest.raises(InputError, match="played must be a plain array"):
        theory.confidence_band([0.5, 0.5], window=5, played=played)


@pytest.mark.parametrize("law", ["01", [1j, 0], np.ma.array([0.5, 0.5], mask=[True, False]), 5])
def test_laws_are_lists_of_real_numbers(law: Any) -> None:
    with pytest.raises(InputError, match="p and q must be lists of probabilities"):
        theory.kl_finite(law, [0.5, 0.5])


@pytest.mark.parametrize("method", ["Betting", "HOEFFDING"])
def test_a_band_names_its_method_in_one_spelling(method: str) -> None:
    assert theory.confidence_band([1.0, 0.0], window=2, method=method).method == method.lower()
