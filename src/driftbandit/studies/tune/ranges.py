"""The values that a parameter may take: a range with its scale, or a list."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from numbers import Integral
from typing import Any

from driftbandit.core.arrays import listed
from driftbandit.core.errors import InputError, flag, is_number, is_several, one_of, real, require
from driftbandit.core.value import Value

DIGITS = 3
"""Significant digits of the values to try: more would only look exact."""

SCALES: dict[str, tuple[str, Callable[[float], float], Callable[[float], float]]] = {
    "log": ("(0, inf)", math.log, math.exp),
    "near one": ("(-inf, 1)", lambda x: -math.log(1.0 - x), lambda y: 1.0 - math.exp(-y)),
    "linear": ("(-inf, inf)", float, float),
}
"""The domain of each scale, the map onto it, and its inverse."""


@dataclasses.dataclass(frozen=True)
class Range(Value):
    """Values from `low` to `high`, evenly spread on a scale.

    The scale is "log", "linear", or "near one": logarithmic in 1 − x, which suits a discount. With
    `whole`, values are rounded to whole numbers.

    >>> [Range(10, 1000, whole=True).at(u) for u in (0.0, 0.5, 1.0)]
    [10, 100, 1000]
    >>> Range(0.9, 0.999, "near one").at(0.5)
    0.99
    """

    low: float
    high: float
    scale: str = "log"
    whole: bool = False

    def __post_init__(self) -> None:
        """Check that the scale exists and that the ends lie on it."""
        one_of("scale", self.scale, SCALES, exact=True)
        inside = SCALES[self.scale][0]
        low, high = real("low", self.low, inside), real("high", self.high, inside)
        require(low < high, "low", self.low, f"lie below high, {self.high!r}")
        self._set(low=_number(self.low), high=_number(self.high))
        if flag("whole", self.whole):
            fits = low == int(low) and high == int(high)
            require(fits, "low and high", (self.low, self.high), "be whole numbers")
            self._set(low=int(low), high=int(high))

    @property
    def wide(self) -> bool:
        """Whether there is more than one value."""
        return True

    def at(self, u: float) -> float:
        """Return the value at the share `u` of the way from low to high, in few digits."""
        _, scaled, unscaled = SCALES[self.scale]
        value = unscaled(scaled(self.low) * (1.0 - u) + scaled(self.high) * u)
        if self.whole:
            return int(min(max(round(value), self.low), self.high))
        short = 1.0 - _short(1.0 - value) if self.scale == "near one" else _short(value)
        return float(min(max(round(short, 15), self.low), self.high))

    def place(self, value: float) -> float:
        """Return the share of the way from low to high; outside 0 to 1 if beyond an end."""
        inside, scaled, _ = SCALES[self.scale]
        low, high = (float(end) for end in inside[1:-1].split(","))
        if not low < value < high:
            return math.inf if value >= high else -math.inf
        return (scaled(value) - scaled(self.low)) / (scaled(self.high) - scaled(self.low))


@dataclasses.dataclass(frozen=True)
class Values(Value):
    """The numbers of a list, in its order.

    >>> [Values((1, 2, 5)).at(u) for u in (0.0, 0.5, 1.0)]
    [1, 2, 5]
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check that the values are numbers, at least one, all different."""
        values = tuple(self.values)
        require(len(values) > 0, "values", list(values), "hold at least one number")
        for value in values:
            require(is_number(value), "a value to try", value, "be a number")
        require(len(set(values)) == len(values), "values", list(values), "differ from each other")
        self._set(values=tuple(map(_number, values)))

    @property
    def wide(self) -> bool:
        """Whether there is more than one value."""
        return len(self.values) > 1

    def at(self, u: float) -> float:
        """Return the value at the share `u` of the way from first to last."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]

    def place(self, value: float) -> float:
        """Return the place of a value in the list, from 0 to 1; infinite if it is not there."""
        if value not in self.values:
            return math.inf
        return self.values.index(value) / max(len(self.values) - 1, 1)


Domain = Range | Values


def default_ranges(horizon: int) -> dict[str, Range]:
    """Return the default ranges, by the name of the parameter.

    >>> default_ranges(1_000)["window"]
    Range(low=2, high=1000, scale='log', whole=True)
    """
    T = max(horizon, 3)
    return {
        "window": Range(2, T, whole=True),
        "discount": Range(0.5, 1.0 - 0.5 / T, "near one"),
        "exploration": Range(0.1 / math.sqrt(T), 1.0),
        "sharing": Range(0.01 / T, 0.1),
        "xi": Range(0.001, 2.0),
        "temperature": Range(0.005, 1.0),
        "zeta": Range(0.01, 2.0),
        "confidence": Range(0.01, 20.0),
        "padding": Range(0.1, 4.0),
        "c": Range(0.01, 2.0),
    }


ON_REQUEST = ("padding", "c")
"""Parameters that are searched only on request: another one has the same effect."""


def make_domain(name: str, value: Any, default: Range | None) -> Domain:
    """Return the domain of a parameter: a range, values, one value, or the default.

    A pair takes its scale from the default, if there is one. Otherwise it is logarithmic if both
    ends are positive, else linear, and whole if both ends are whole.

    >>> make_domain("window", (10, 500), default_ranges(1_000)["window"])
    Range(low=10, high=500, scale='log', whole=True)
    >>> make_domain("mine", [1, 2], None), make_domain("mine", 0.5, None)
    (Values(values=(1, 2)), Values(values=(0.5,)))
    """
    try:
        return _domain(value, default)
    except (InputError, TypeError) as error:
        raise InputError(f"search of {name}: {error}") from None


def _domain(value: Any, default: Range | None) -> Domain:
    if isinstance(value, Range | Values):
        return value
    if value is None:
        if default is None:
            raise InputError("there is no default range for this name, give (low, high)")
        return default
    if isinstance(value, tuple):
        return _pair(value, default)
    if is_several(value):
        return Values(tuple(listed("values to try", value, "be a list of numbers")))
    return Values((value,))


def _pair(pair: tuple[Any, ...], default: Range | None) -> Range:
    fits = len(pair) == 2 and all(is_number(end) for end in pair)
    require(fits, "a range", pair, "be (low, high); values to try are a list")
    low, high = pair
    if default is not None:
        return Range(low, high, default.scale, default.whole)
    whole = isinstance(low, int) and isinstance(high, int)
    return Range(low, high, "log" if low > 0 else "linear", whole)


def _number(value: Any) -> float:
    """Return a number of NumPy, or a fraction, as a plain one, whole if its kind is."""
    return int(value) if isinstance(value, Integral) else float(value)


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
