"""Bands by bets: those of a slow loop, never too narrow for their proof, and narrow enough."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_bands
from driftbandit import theory
from driftbandit.theory.betting import HALF, nodes, polynomials
from driftbandit.theory.ends import METHODS
from driftbandit.theory.memory import Memory
from driftbandit.theory.stakes import LARGE, SMALL, Family, all_rounds, one_round

logs = st.lists(
    st.one_of(st.none(), st.sampled_from([0.0, 1.0]), st.floats(0.0, 1.0)), min_size=1, max_size=25
)
memories: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(dict, discount=st.sampled_from([1e-6, 0.3, 0.7, 0.9, 0.97, 0.99, 1.0])),
    st.builds(dict, window=st.integers(1, 30)),
)


def polynomial(stake: float, guess: float, v: float) -> float:
    return float(np.polyval(polynomials(np.array([stake]), guess)[0, ::-1], v))


def played(log: naive_bands.Log) -> list[float]:
    return [math.nan if x is None else x for x in log]


@settings(max_examples=40)
@given(logs, memories, st.sampled_from([None, 0, 100]), st.sampled_from([0.1, 0.6, 0.95]))
def test_a_band_is_that_of_a_slow_loop(
    log: naive_bands.Log, memory: dict[str, Any], more: int | None, level: float
) -> None:
    """With polynomials it is the same; with logarithms it is narrower, though by little."""
    together = None if more is None else len(log) + more
    case = naive_bands.Case(
        memory.get("discount", 1.0), memory.get("window"), (1.0 - level) / 2.0, together
    )
    band = theory.confidence_band(
        played(log), level=level, simultaneous=together is not None, horizon=together, **memory
    )
    row = len(log) - 1
    low, high = naive_bands.ends(log, len(log), case, polynomial)
    assert [band.low[row], band.high[row]] == pytest.approx([low, high], abs=1e-4)
    assert band.low[row] <= low + 1e-9
    assert band.high[row] >= high - 1e-9
    narrow_low, narrow_high = naive_bands.ends(log, len(log), case)
    assert -1e-9 <= narrow_low - band.low[row] < 0.03
    assert -1e-9 <= band.high[row] - narrow_high < 0.03


@pytest.mark.parametrize("family", [SMALL, LARGE])
def test_polynomials_lie_below_the_logarithm_and_near_it(family: Family) -> None:
    stakes = family.stake * np.exp(-np.arange(80) * 0.07)
    coefficients = polynomials(stakes, family.guess)
    places = np.concatenate([np.linspace(-family.guess, 1.0, 4_001), nodes(family.guess)])
    values = np.vander(places, 2 * HALF, increasing=True) @ coefficients.T
    gaps = np.log1p(places[:, np.newaxis] * stakes) - values
    assert gaps.min() > -1e-10
    assert gaps.max() < 0.1
    assert gaps[:, stakes < family.stake / 2.0].max() < 1e-3
    np.testing.assert_allclose(coefficients[:, 1], stakes, rtol=1e-9)


@pytest.mark.parametrize("memory", [(0.97, None), (0.3, None), (1.0, None), (1.0, 20)])
def test_masses_add_up_to_no_more_than_one(memory: tuple[float, int | None]) -> None:
    """For one round they do per epoch, and the epochs' shares add up to 1."""
    discount, window = memory
    known = Memory.of(np.ones((60, 1)), discount, window)
    for bets in one_round(known, 0.025).bets:
        assert np.exp(bets.log_mass).sum(axis=0) == pytest.approx(
            SMALL.share if bets.guess == SMALL.guess else LARGE.share
        )
    mixture = all_rounds(known, 0.025, 60)
    total = 0.0
    for bets in mixture.bets:
        mass = float(np.exp(bets.log_mass[0, 0, 0]))
        stakes = np.log(bets.stakes) + np.log(mixture.scale)
        first = stakes - math.log(discount) * -np.arange(60.0)[:, np.newaxis]
        total += mass * len(np.unique(first.round(6)))
    assert total == pytest.approx(1.0)


def test_an_idle_arm_s_shares_add_up_to_one() -> None:
    mask = np.zeros((2_000, 1))
    mask[0] = 1.0
    evidence = one_round(Memory.of(mask, 0.8, None), 0.025).evidence[:, 0]
    shares = np.unique(np.exp(-math.log(0.025) - evidence).round(12))
    assert 0.999 < shares.sum() <= 1.0
    assert (np.diff(evidence) >= 0.0).all()


def wilson(mean: Any, count: Any) -> Any:
    """Return the width of Wilson's interval at level .95."""
    z = 1.959963984540054
    root = np.sqrt(mean * (1.0 - mean) / count + z * z / (4.0 * count * count))
    return 2.0 * z * root / (1.0 + z * z / count)


@pytest.mark.parametrize("rate", [0.02, 0.04, 0.1])
@pytest.mark.parametrize("memory", [(0.99, None), (0.999, None), (1.0, 200), (1.0, None)])
def test_bands_are_narrow(memory: tuple[float, int | None], rate: float) -> None:
    """At most twice as wide as Wilson's for one round, and three times for 1,500 rounds."""
    rewards = (np.random.default_rng(1).random((1_500, 20)) < rate).astype(np.float64)
    mask = np.ones_like(rewards)
    known = Memory.of(mask, *memory)
    count = known.total(mask)
    fixed = wilson(known.total(rewards) / count, count * count / known.total(mask, 2))
    for rounds, most in ((None, 2.0), (1_500, 3.0)):
        low, high = METHODS["betting"](rewards, mask, known, 0.025, rounds)
        width = np.minimum(high, 1.0) - np.maximum(low, 0.0)
        ratio = width.mean(axis=1) / fixed.mean(axis=1)
        assert ratio[300:].mean() < most
        coarse_low, coarse_high = METHODS["hoeffding"](rewards, mask, known, 0.025, rounds)
        coarse = np.minimum(coarse_high, 1.0) - np.maximum(coarse_low, 0.0)
        assert width[300:].mean() < 0.8 * coarse[300:].mean()
