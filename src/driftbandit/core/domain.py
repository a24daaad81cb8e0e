"""Domains: what a field of a value may hold, declared beside the field.

    discount: Annotated[float, Real("(0, 1]")]

A domain is called with the name and the value of a field. It returns the value as the field keeps
it, a float for a real number and an int for a whole one, or raises `InputError`. `Value` reads the
domains of a class once, and checks every field when a value is made.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import sys
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any

from driftbandit.core.errors import article, flag, real, require, whole

LARGEST = 1e100
"""No parameter is larger in size: its square, and that times a horizon, must be finite."""


SMALLEST = 1.0 / LARGEST
"""No positive parameter is smaller: one over its square must be finite."""


REMEMBERED = 2**27
"""Plays that a policy may remember one by one in a run, at most: they take a gigabyte."""


class Domain:
    """Base of all domains; a domain of your own overrides the call."""

    def __call__(self, name: str, value: Any) -> Any:
        """Return `value` as the field called `name` keeps it, or raise `InputError`."""
        raise NotImplementedError


class Real(Domain):
    """The real numbers of an interval, kept as floats; `smallest` is the least positive one.

    >>> Real("(0, 1]")("discount", 1)
    1.0
    """

    def __init__(self, interval: str, smallest: float = 0.0) -> None:
        self.interval, self.smallest = interval, smallest
        self.low, self.high = (float(end) for end in interval[1:-1].split(","))
        low, high = max(self.low, smallest or -LARGEST), min(self.high, LARGEST)
        open_low, open_high = interval[0] == "(" and not smallest, interval[-1] == ")"
        self.between = (
            low if open_low else math.nextafter(low, -math.inf),
            high if open_high else math.nextafter(high, math.inf),
        )

    def __call__(self, name: str, value: Any) -> float:
        """Return the number as a float."""
        if type(value) is float and self.between[0] < value < self.between[1]:
            return value  # the usual case, without a closer look
        number = real(name, value, self.interval)
        require(abs(number) <= LARGEST, name, number, f"lie between ±{LARGEST:g}, or it overflows")
        fits = abs(number) >= self.smallest or number == 0.0
        require(fits, name, number, f"be at least {self.smallest:g}, or it vanishes")
        return number


class Whole(Domain):
    """The whole numbers from `least` to `most`, or the even ones of these, kept as ints.

    >>> Whole(least=2, even=True)("window", 7)
    Traceback (most recent call last):
    driftbandit.InputError: window must be even, got 7
    """

    def __init__(self, least: int = 1, most: int | None = 2**53, even: bool = False) -> None:
        self.least, self.most, self.even = least, most, even
        self.plain = range(0) if even or most is None else range(least, most + 1)

    def __call__(self, name: str, value: Any) -> int:
        """Return the number as an int."""
        if type(value) is int and value in self.plain:
            return value  # the usual case, without a closer look
        number = whole(name, value, self.least, self.most)
        require(not self.even or number % 2 == 0, name, number, "be even")
        return number


class Flag(Domain):
    """True or False, and nothing that merely counts as such.

    >>> Flag()("together", 1)
    Traceback (most recent call last):
    driftbandit.InputError: together must be True or False, got 1
    """

    def __call__(self, name: str, value: Any) -> bool:
        """Return the flag."""
        return flag(name, value)


class Instance(Domain):
    """The instances of a class; `noun` is what a message calls them.

    >>> Instance(str, "a text")("label", 3)
    Traceback (most recent call last):
    driftbandit.InputError: label must be a text, got 3
    """

    def __init__(self, kind: type, noun: str = "") -> None:
        self.kind, self.noun = kind, noun or article(kind.__name__)

    def __call__(self, name: str, value: Any) -> Any:
        """Return the instance."""
        require(isinstance(value, self.kind), name, value, f"be {self.noun}")
        return value


class Checked(Domain):
    """What a function `check(name, value)` returns; it raises `InputError` for anything else."""

    def __init__(self, check: Callable[[str, Any], Any]) -> None:
        self.check = check

    def __call__(self, name: str, value: Any) -> Any:
        """Return what the function does."""
        return self.check(name, value)


class OrNone(Domain):
    """None, or what another domain allows: how `Positive | None` is read."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def __call__(self, name: str, value: Any) -> Any:
        """Return None, or the value as the other domain keeps it."""
        return None if value is None else self.domain(name, value)


Finite = Annotated[float, Real("(-inf, inf)")]
Positive = Annotated[float, Real("(0, inf)", SMALLEST)]
NonNegative = Annotated[float, Real("[0, inf)")]
Share = Annotated[float, Real("[0, 1]")]
PositiveShare = Annotated[float, Real("(0, 1]", SMALLEST)]
Rate = Annotated[float, Real("[0, 1]", SMALLEST)]
OpenShare = Annotated[float, Real("(0, 1)", SMALLEST)]
Count = Annotated[int, Whole()]


def _domains(cls: type) -> tuple[tuple[str, Domain], ...]:
    """Return the fields of a dataclass that declare a domain, with their domains."""
    pairs = [(field.name, _domain(_hint(cls, field))) for field in dataclasses.fields(cls)]
    return tuple((name, domain) for name, domain in pairs if domain is not None)


def _hint(cls: type, field: dataclasses.Field[Any]) -> Any:
    """Return the annotation of a field; None if it names what cannot be found.

    Not `typing.get_type_hints`, which gives up on the whole class where one name is missing: names
    imported for a type checker alone, or those of a class that came from another process.
    """
    if not isinstance(field.type, str):
        return field.type
    for base in reversed(cls.__mro__):  # the name has its meaning where the field was declared
        declared = vars(base).get("__dataclass_fields__", {}).get(field.name)
        if declared is not None and declared.type == field.type:
            with contextlib.suppress(Exception):  # a class works with any annotation, or without
                return eval(field.type, vars(sys.modules[base.__module__]))
    return None


def _domain(hint: Any) -> Domain | None:
    """Return the domain within an annotation, or None."""
    if typing.get_origin(hint) is Annotated:
        return next((part for part in hint.__metadata__ if isinstance(part, Domain)), None)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        others = [part for part in typing.get_args(hint) if part is not type(None)]
        domain = _domain(others[0]) if len(others) == 1 else None
        return OrNone(domain) if domain is not None else None
    return None


domains: Callable[[type], tuple[tuple[str, Domain], ...]] = functools.cache(_domains)
"""The same, read once per class."""
