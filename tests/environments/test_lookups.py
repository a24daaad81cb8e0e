"""Looking rewards up: the same bits everywhere, to the ends, and in laws of one's own."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

import driftbandit as db
from driftbandit.core.numerics import log_odds
from driftbandit.environments import laws
from driftbandit.environments.laws.beta_grid import BetaGrid
from driftbandit.environments.laws.lookup import Lookup
from driftbandit.environments.laws.rows_by_mean import ERROR, FEW_MEANS, RowsByMean
from looked_up import MEANS, Floats, Paid, exact, paid

EDGES = (2.0**-53, 1e-12, 1e-7, 1.0 - 1e-7, 1.0 - 2.0**-53)

LOOKED_UP: list[tuple[laws.Law, tuple[float, ...] | None]] = [
    (laws.Beta(5.0), MEANS),
    (laws.Beta(0.5), MEANS),
    (laws.Beta(5.0), None),
    (laws.ClippedGaussian(0.1), None),
]
each_lookup = pytest.mark.parametrize(("law", "means"), LOOKED_UP, ids=str)


@each_lookup
def test_machine_code_pays_the_bits_of_plain_python(
    law: laws.Law, means: tuple[float, ...] | None
) -> None:
    table, generator = paid(law, means), np.random.default_rng(4)
    luck = np.concatenate([generator.random(1_500), EDGES])
    kinds = generator.random(luck.size) if means is None else generator.choice(means, luck.size)
    plain = [table.plain(float(u), float(m)) for u, m in zip(luck, kinds, strict=True)]
    assert table.compiled(luck, kinds).tolist() == plain


@each_lookup
def test_where_a_table_ends_the_quantile_goes_on(
    law: laws.Law, means: tuple[float, ...] | None
) -> None:
    table = paid(law, means)
    for u in EDGES:
        for mean in (0.0, 1e-300, 0.3, 1.0):
            assert table.plain(u, mean) == exact(law, u, mean)
    if means is None:
        assert table.plain(0.4, 1e-13) == exact(law, 0.4, 1e-13)
    else:  # a mean that has no row
        assert table.plain(0.4, 0.456) == exact(law, 0.4, 0.456)


@each_lookup
def test_rewards_rise_with_the_luck(law: laws.Law, means: tuple[float, ...] | None) -> None:
    table, luck = paid(law, means), special.expit(np.linspace(-14.0, 14.0, 20_000))
    for mean in (0.001, 0.3, 0.77):
        values = table.compiled(luck, np.full(luck.size, mean))
        assert np.diff(values).min() >= (-1e-9 if means else -1e-6)


def test_a_law_that_is_too_steep_for_a_table_has_none() -> None:
    for law, means in (
        (laws.Beta(0.005), (0.3, 0.5)),
        (laws.Beta(0.15), tuple((np.arange(1, 60) / 60).tolist())),
    ):
        table = Paid(law, means)
        assert table.parameters.size == table.lookup.nothing().size
        assert table.plain(0.4, means[0]) == exact(law, 0.4, means[0])
    assert laws.Beta(0.9).lookup(None) is None
    assert isinstance(laws.Beta(1.0).lookup(None), BetaGrid)
    many = tuple(np.arange(FEW_MEANS + 1) / 100)
    assert isinstance(laws.Beta(1.0).lookup(many), BetaGrid)
    assert isinstance(laws.Beta(1.0).lookup(many[:-1]), RowsByMean)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=FEW_MEANS, unique=True))
def test_all_means_find_their_rows(means: list[float]) -> None:
    law = Line()
    table = RowsByMean(law, tuple(means)).table(lambda u, m: m + 0.0 * u)
    lookup = RowsByMean(law, tuple(means))
    for mean in means:
        assert lookup.look_up(0.3, 0.0, mean, table) == pytest.approx(mean, abs=1e-14)


@dataclasses.dataclass(frozen=True)
class Line(laws.Law):
    """A law of one's own, with a table: the reward rises with the luck, in a straight line."""

    width: float = 0.1
    unused: float = 0.0

    @staticmethod
    def quantile(u: float, mean: float, parameters: Floats) -> float:
        return float(mean + parameters[0] * min(mean, 1.0 - mean) * (2.0 * u - 1.0))

    def lookup(self, means: Sequence[float] | None) -> Lookup | None:
        few = means is not None and len(means) <= FEW_MEANS
        return RowsByMean(self, tuple(means)) if few and means is not None else None


@dataclasses.dataclass(frozen=True)
class Middle(Lookup):
    """A lookup of one's own: knows the middle, and leaves the rest to the law."""

    @staticmethod
    def look_up(odds: float, mean_odds: float, mean: float, parameters: Floats) -> float:
        return mean if abs(odds) < parameters[1] else math.nan

    def nothing(self) -> Floats:
        return np.array([*self.law.parameters(), 0.0])

    def table(self, quantiles: Any) -> Floats:
        return np.array([*self.law.parameters(), log_odds(0.6)])


@dataclasses.dataclass(frozen=True)
class Steps(laws.Law):
    """The mean, or one of two rewards as far from it as can be."""

    middle: float = 0.2

    @staticmethod
    def quantile(u: float, mean: float, parameters: Floats) -> float:
        far = min(mean, 1.0 - mean) if abs(u - 0.5) >= 0.5 * parameters[0] else 0.0
        return mean - far if u < 0.5 else mean + far

    def lookup(self, means: Sequence[float] | None) -> Lookup:
        return Middle(self)


def test_laws_of_ones_own_may_look_rewards_up() -> None:
    luck = np.random.default_rng(5).random(500)
    line = paid(Line(0.2), (0.3, 0.4))
    truth = 0.3 + 0.2 * 0.3 * (2.0 * luck - 1.0)
    assert np.abs(line.compiled(luck, np.full(500, 0.3)) - truth).max() <= ERROR
    steps = paid(Steps(), (0.3,))
    expected = [exact(steps.law, float(u), 0.3) for u in luck]
    assert steps.compiled(luck, np.full(500, 0.3)).tolist() == expected
    assert Line().lookup(None) is None
    worlds = [db.environments.Stationary([0.3, 0.4], law=law) for law in (Line(), Steps())]
    for world in worlds:
        assert db.simulate(db.Uniform(), world, horizon=50, runs=9)["uniform"].regret.min() >= 0.0


def test_another_quantile_drops_the_lookup_of_the_parent() -> None:
    @dataclasses.dataclass(frozen=True)
    class Reversed(laws.Beta):
        @staticmethod
        def quantile(u: float, mean: float, parameters: Floats) -> float:
            return mean

    @dataclasses.dataclass(frozen=True)
    class Named(laws.Beta):
        """The same law under another name."""

    assert Reversed(5.0).lookup((0.5,)) is None
    assert isinstance(Named(5.0).lookup((0.5,)), RowsByMean)


def test_a_lookup_belongs_to_a_law_and_to_numbers() -> None:
    wrong: Any = np
    with pytest.raises(db.InputError, match="law must be a law of rewards"):
        laws.Lookup(wrong)
    several: list[Any] = ["ab", (0.5, None), (float("nan"),), 0.5]
    for means in several:
        with pytest.raises(db.InputError, match="means must be a tuple of numbers"):
            laws.RowsByMean(laws.Beta(), means)
