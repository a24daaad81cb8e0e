"""How finely to slice the range of N_t(γ²): the search inside the deviation inequalities.

The proofs of Garivier & Moulines 2008 (appendices A and B) cut the range of N_t(γ²) into D slices,
each from one value to 1 + η times that value, and pay a factor D:

    P ≤ D exp(−(2δ²/B²) g(log(1 + η))),  D = ⌈L / log(1 + η)⌉,  L = log(largest / least value)

The best η wastes no part of a slice, so log(1 + η) = L / D and the search is over whole numbers D.
These may have many digits: the search halves its range, and all values are logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from driftbandit.core.errors import one_of, real

LARGEST = 1e300
"""Cap on 2δ²/B² and on the number of slices, so that they can still be multiplied."""


class Form(NamedTuple):
    """The factor g(y) of the exponent, as a function of y = log(1 + η)."""

    gain: Callable[[float], float]
    """g(y): 1 for the thinnest slices, and decreasing."""

    pull: Callable[[float], float]
    """−y g′(y): increases up to y = `peak`, then decreases."""

    peak: float


def _sharp_gain(y: float) -> float:
    """Return 1 / cosh²(y/4), which is 4 / ((1 + η)^¼ + (1 + η)^(−¼))²; no overflow.

    >>> round(_sharp_gain(math.log(1.3)) * (1.3**0.25 + 1.3**-0.25) ** 2, 12)
    4.0
    """
    return 4.0 * math.exp(-y / 2.0) / (1.0 + math.exp(-y / 2.0)) ** 2


def _simple_gain(y: float) -> float:
    return 1.0 - math.expm1(min(y, 100.0)) ** 2 / 16.0  # says nothing from y = log 5 on


def _simple_pull(y: float) -> float:
    eta = math.expm1(min(y, 100.0))
    return y * eta * (1.0 + eta) / 8.0


FORMS = {
    "sharp": Form(
        _sharp_gain, lambda y: 0.5 * y * math.tanh(y / 4.0) * _sharp_gain(y), 4.038226199639213
    ),
    "simple": Form(_simple_gain, _simple_pull, math.inf),
}


class Peeling(NamedTuple):
    """The range of N_t(γ²) that a deviation inequality cuts into slices."""

    span: float
    """L, the logarithm of the ratio of the largest to the least value; negative if it is empty."""

    events: int = 1
    """The number of events whose inequalities are added up."""

    fewest: int = 1
    """The smallest number of slices: 1, or 0 where the paper's formula gives 0."""

    def probability(
        self, delta: float, bound: float, eta: float | None = None, form: str = "sharp"
    ) -> float:
        """Return a bound on P(ratio > δ), by default the least over η."""
        shape, scale = FORMS[one_of("form", form, FORMS)], _scale(delta, bound)
        slices, width = self._cut(eta, lambda: self._slices_at(scale, shape))
        if self.span < 0.0 or slices == 0:
            return 0.0
        log_bound = math.log(self.events * slices) - scale * shape.gain(width)
        return math.exp(min(0.0, log_bound))

    def threshold(
        self, probability: float, bound: float, eta: float | None = None, form: str = "sharp"
    ) -> float:
        """Return the least δ whose bound is `probability`, by default the least over η."""
        shape = FORMS[one_of("form", form, FORMS)]
        log_level = math.log(real("probability", probability, "(0, 1)")) - math.log(self.events)
        bound = real("bound", bound, "(0, inf)")
        slices, width = self._cut(eta, lambda: self._slices_for(log_level, shape))
        square = _square(slices, shape.gain(width), log_level)
        return bound * math.sqrt(square / 2.0) if self.span >= 0.0 else 0.0

    def best_eta(self, delta: float, bound: float, form: str = "sharp") -> float:
        """Return the η that minimises the bound; 0 where the range is a single value."""
        shape = FORMS[one_of("form", form, FORMS)]
        slices = self._slices_at(_scale(delta, bound), shape)
        width = max(self.span, 0.0) / slices
        eta = math.expm1(width) if width < 709.0 else math.inf
        while 0.0 < eta < math.inf and _ceiling(self.span, eta) > slices:
            eta = math.nextafter(eta, math.inf)  # rounding must not add a slice
        return eta

    def _cut(self, eta: float | None, best: Callable[[], int]) -> tuple[int, float]:
        """Return the number of slices and the logarithm of 1 + η."""
        if eta is None:
            slices = best() if self.span > 0.0 else self.fewest
            return slices, max(self.span, 0.0) / max(slices, 1)
        width = math.log1p(real("eta", eta, "(0, inf)" if self.span > 0.0 else "[0, inf)"))
        slices = _ceiling(self.span, eta) if self.span > 0.0 else 0
        return max(slices, self.fewest), width

    def _slices_at(self, scale: float, shape: Form) -> int:
        """Return the D that minimises log D − (2δ²/B²) g(L/D).

        Its slope has the sign of 1 − (2δ²/B²) · pull(L/D). While L/D is above the peak of the pull
        the function increases and then decreases, so the first or the last of these D is best.
        After that it decreases and then increases.
        """
        first = max(1, math.ceil(self.span / shape.peak))
        turn = _first(lambda slices: scale * shape.pull(self.span / slices) <= 1.0, first)
        near = (1, max(1, first - 1), max(1, turn - 1), turn)
        return min(near, key=lambda D: math.log(D) - scale * shape.gain(self.span / D))

    def _slices_for(self, log_level: float, shape: Form) -> int:
        """Return the D that minimises log(D/α) / g(L/D), with α = e^`log_level`.

        Its slope has the sign of 1 − log(D/α) · pull/gain(L/D). From D/α > e on, the product
        decreases with D, so from D = 3 on the function decreases and then increases.
        """

        def increases(slices: int) -> bool:
            gain, pull = shape.gain(self.span / slices), shape.pull(self.span / slices)
            return gain > 0.0 and (math.log(slices) - log_level) * pull <= gain

        turn = _first(increases, 3)
        near = (1, 2, 3, turn - 1, turn)
        return min(near, key=lambda D: _square(D, shape.gain(self.span / D), log_level))


def _square(slices: int, gain: float, log_level: float) -> float:
    """Return 2δ²/B² at the threshold; infinite where the form says nothing."""
    return (math.log(slices) - log_level) / gain if gain > 0.0 else math.inf


def _scale(delta: float, bound: float) -> float:
    ratio = real("delta", delta, "(0, inf)") / real("bound", bound, "(0, inf)")
    return min(2.0 * ratio * ratio, LARGEST)


def _ceiling(span: float, eta: float) -> int:
    return math.ceil(min(span / math.log1p(eta), LARGEST))


def _first(holds: Callable[[int], bool], start: int) -> int:
    """Return the first whole number from `start` on where `holds` is true; it stays true after it.

    >>> _first(lambda n: n * n > 10**40, 3) == 10**20 + 1
    True
    """
    if holds(start):
        return start
    low, step = start, 1
    while not holds(low + step):
        low, step = low + step, 2 * step
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
