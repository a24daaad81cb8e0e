"""What a parameter may be: a range with its scale, or a list of values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from driftbandit.core.errors import InputError, is_number, one_of, real, require
from driftbandit.core.value import Value

DIGITS = 3
"""Significant digits of a value that is tried: more would only look exact."""

SCALES: dict[str, tuple[str, Callable[[float], float], Callable[[float], float]]] = {
    "log": ("(0, inf)", math.log, math.exp),
    "near one": ("(-inf, 1)", lambda x: -math.log(1.0 - x), lambda y: 1.0 - math.exp(-y)),
    "linear": ("(-inf, inf)", float, float),
}
"""Where each scale is defined, the way there, and the way back."""


@dataclasses.dataclass(frozen=True)
class Range(Value):
    """Values from `low` to `high`, evenly spread on a scale.

    The scale is "log", "linear", or "near one": logarithmic in 1 − x, as a discount wants it.
    With `whole`, values are rounded to whole numbers.

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
        """Check the scale and that the ends fit it."""
        one_of("scale", self.scale, SCALES, exact=True)
        inside = SCALES[self.scale][0]
        low, high = real("low", self.low, inside), real("high", self.high, inside)
        require(low < high, "low", self.low, f"lie below high, {self.high!r}")
        if self.whole:
            fits = low == int(low) and high == int(high)
            require(fits, "low and high", (self.low, self.high), "be whole numbers")
            self._set(low=int(low), high=int(high))

    @property
    def wide(self) -> bool:
        """There is more than one value."""
        return True

    def at(self, u: float) -> float:
        """Return the value at the share `u` of the way from low to high, in few digits."""
        _, there, back = SCALES[self.scale]
        value = back(there(self.low) * (1.0 - u) + there(self.high) * u)
        if self.whole:
            return int(min(max(round(value), self.low), self.high))
        short = 1.0 - _short(1.0 - value) if self.scale == "near one" else _short(value)
        return float(min(max(round(short, 15), self.low), self.high))

    def place(self, value: float) -> float:
        """Return the share of the way from low to high; outside 0 to 1 if beyond an end."""
        inside, there, _ = SCALES[self.scale]
        low, high = (float(end) for end in inside[1:-1].split(","))
        if not low < value < high:
            return math.inf if value >= high else -math.inf
        return (there(value) - there(self.low)) / (there(self.high) - there(self.low))


@dataclasses.dataclass(frozen=True)
class Values(Value):
    """The numbers of a list, in its order.

    >>> [Values((1, 2, 5)).at(u) for u in (0.0, 0.5, 1.0)]
    [1, 2, 5]
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check that there are some, all different."""
        values = tuple(self.values)
        require(len(values) > 0, "values", list(values), "hold at least one number")
        for value in values:
            require(is_number(value), "a value to try", value, "be a number")
        require(len(set(values)) == len(values), "values", list(values), "differ from each other")
        self._set(values=values)

    @property
    def wide(self) -> bool:
        """There is more than one value."""
        return len(self.values) > 1

    def at(self, u: float) -> float:
        """Return the value at the share `u` of the way from first to last."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]

    def place(self, value: float) -> float:
        """Return where in the list a value is, from 0 to 1; infinite if it is not there."""
        if value not in self.values:
            return math.inf
        return self.values.index(value) / max(len(self.values) - 1, 1)


Choice = Range | Values


def ranges(horizon: int) -> dict[str, Range]:
    """Return the default range of every parameter that is known by its name.

    >>> ranges(1_000)["window"]
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
"""Parameters with a range that are searched only when asked for: they double another one."""


def chosen(name: str, given: Any, known: Range | None) -> Choice:
    """Return what is to be tried of a parameter: a range, values, one value, or the default.

    A pair without a scale has that of the name, if the name is known; else it is logarithmic if
    it can be, and whole if both ends are.

    >>> chosen("window", (10, 500), ranges(1_000)["window"])
    Range(low=10, high=500, scale='log', whole=True)
    >>> chosen("mine", [1, 2], None), chosen("mine", 0.5, None)
    (Values(values=(1, 2)), Values(values=(0.5,)))
    """
    try:
        return _chosen(given, known)
    except (InputError, TypeError) as error:
        raise InputError(f"search of {name}: {error}") from None


def _chosen(given: Any, known: Range | None) -> Choice:
    if isinstance(given, Range | Values):
        return given
    if given is None:
        if known is None:
            raise InputError("no range is known for this name, give (low, high)")
        return known
    if isinstance(given, tuple):
        return _pair(given, known)
    if isinstance(given, list):
        return Values(tuple(given))
    return Values((given,))


def _pair(given: tuple[Any, ...], known: Range | None) -> Range:
    fits = len(given) == 2 and all(is_number(end) for end in given)
    require(fits, "a range", given, "be (low, high); values to try are a list")
    low, high = given
    if known is not None:
        return Range(low, high, known.scale, known.whole)
    whole = isinstance(low, int) and isinstance(high, int)
    return Range(low, high, "log" if low > 0 else "linear", whole)


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
