"""A bound on plays or regret: its value, its terms, and what it assumes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from driftbandit.core.arrays import is_list
from driftbandit.core.errors import InputError, real, require, whole


@dataclasses.dataclass(frozen=True)
class Bound:
    """A bound on an expectation: its value, the terms that add up to it, and what it assumes.

    `of` names the bounded quantity. `trivial` is the bound that needs no theorem, such as T plays
    in T rounds. A bound that is no better is `vacuous`: true, but not informative. `holds` is False
    for the statement as the paper prints it, if that is false or not proved for finite T.

    >>> bound = Bound(120.0, of="plays of an arm", trivial=100.0, terms={"all": 120.0})
    >>> bound.vacuous, float(bound)
    (True, 120.0)
    """

    value: float
    of: str
    trivial: float
    terms: dict[str, float]
    assumes: tuple[str, ...] = ()
    lower: bool = False
    holds: bool = True

    @property
    def vacuous(self) -> bool:
        """Whether the bound says no more than the trivial one."""
        return self.value <= self.trivial if self.lower else self.value >= self.trivial

    def __float__(self) -> float:
        """Return the value."""
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {**dataclasses.asdict(self), "vacuous": self.vacuous}


def bound_on_plays(
    terms: dict[str, float], horizon: int, assumes: tuple[str, ...], holds: bool = True
) -> Bound:
    """Return the bound on the plays of an arm in rounds where it is not the best.

    >>> bound_on_plays({"start": 1.0, "exploration": 41.0}, horizon=100, assumes=()).value
    42.0
    """
    of = "plays of an arm that is not the best"
    return Bound(sum(terms.values()), of, float(horizon), terms, assumes, holds=holds)


def regret(plays: Sequence[Bound], gaps: Sequence[float], horizon: int) -> Bound:
    """Return the bound on the regret: Σ_i (largest gap of arm i) × (bound on its plays).

    E[R_T] = Σ_i Σ_t (μ_t(*) − μ_t(i)) P(I_t = i) ≤ Σ_i max_t (μ_t(*) − μ_t(i)) E[N~_T(i)].
    The trivial bound is the largest gap in every round.

    >>> from driftbandit.theory import windowed
    >>> plays = windowed.plays(10**6, 2, gap=0.5, window=5_000)
    >>> regret([plays], [0.5], 10**6).value == 0.5 * plays.value
    True
    """
    T = whole("horizon", horizon)
    bounds = is_list(plays) and all(isinstance(bound, Bound) for bound in plays)
    require(bounds, "plays", plays, "be a list of bounds")
    require(is_list(gaps), "gaps", gaps, "be a list of numbers")
    if len(plays) == 0 or len(plays) != len(gaps):
        raise InputError(
            f"gaps must be as many as plays, at least one, got {len(gaps)} for {len(plays)}"
        )
    costs = [real("gap", gap, "(0, inf)") for gap in gaps]
    terms = {
        f"arm {i}": gap * bound.value
        for i, (gap, bound) in enumerate(zip(costs, plays, strict=True), start=1)
    }
    return Bound(
        sum(terms.values()),
        of="regret",
        trivial=max(costs) * T,
        terms=terms,
        assumes=plays[0].assumes,
        holds=all(bound.holds for bound in plays),
    )


def same_regret(plays: Bound, arms: int, largest_gap: float, horizon: int) -> Bound:
    """Return the bound on the regret where no arm is ever more than `largest_gap` below the best.

    It is (K − 1) × largest gap × plays: arms that share a bound on plays need not be listed.

    >>> from driftbandit.theory import ucb1
    >>> plays = ucb1.auer(10**4, gap=0.5)
    >>> round(same_regret(plays, arms=3, largest_gap=0.5, horizon=10**4).value / plays.value, 9)
    1.0
    """
    others = whole("arms", arms, least=2) - 1
    require(isinstance(plays, Bound), "plays", plays, "be a bound")
    one = regret([plays], [real("largest_gap", largest_gap, "(0, inf)")], horizon)
    value = others * one.value
    assumes = (*plays.assumes, f"no mean is ever more than {float(largest_gap):g} below the best")
    return dataclasses.replace(one, value=value, terms={"all arms": value}, assumes=assumes)
