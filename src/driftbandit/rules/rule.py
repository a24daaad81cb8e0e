"""What the rules on the three axes of a policy have in common."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
from types import FunctionType
from typing import Any

from driftbandit.core.arithmetic import called, value_of
from driftbandit.core.callbacks import takes
from driftbandit.core.domain import Domain
from driftbandit.core.errors import InputError, article, as_float, is_number, require
from driftbandit.core.state import State
from driftbandit.core.value import Value

_takes = functools.cache(takes)  # reading it takes longer than all the rest of making a policy


@dataclasses.dataclass(frozen=True)
class Rule(Value):
    """A value with numeric fields and plain static functions that take those numbers last.

    A field may also be a tuple of numbers, which are handed over one by one. The functions are
    compiled by the engine and called as they are by a live agent, so they use arithmetic, `math`
    and other functions marked with `db.compilable`, nothing else.
    """

    @property
    def trusted(self) -> bool:
        """Whether the rule is the package's own, whose functions return what they should."""
        return type(self).__module__.startswith("driftbandit.")

    def plain(self, name: str) -> Any:
        """Return one of the functions as a live agent calls it: with compiled code's arithmetic."""
        function = getattr(type(self), name)
        if self.trusted or function is None:
            return function
        return functools.partial(value_of, function)

    def called(self, name: str) -> Any:
        """Return a function that changes a state as a live agent calls it: one line if it fails."""
        function = getattr(type(self), name)
        return function if self.trusted else functools.partial(called, function)

    def numbers(self) -> tuple[float, ...]:
        """Return the fields, in order, as the numbers handed to this rule's functions."""
        return tuple(float(number) for name in self._named() for number in self._several(name))

    def _named(self) -> list[str]:
        """Return the names of the fields that hold numbers."""
        return [field.name for field in dataclasses.fields(self)]

    def _several(self, name: str) -> tuple[Any, ...]:
        """Return the numbers of a field."""
        value = getattr(self, name)
        return value if isinstance(value, tuple) else (value,)

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return this rule's functions, and what each takes before the rule's own numbers."""
        return {}

    def check(self) -> None:
        """Raise unless the fields are numbers and the functions can be called with them."""
        name = type(self).__name__
        for attribute, value in vars(self).items():
            if isinstance(value, State):
                raise InputError(
                    f"{attribute} of {name} must be declared without an annotation: "
                    f"{attribute} = db.{value!r}"
                )
            if isinstance(value, bool):
                raise InputError(
                    f"{attribute} of {name} must be declared without an annotation: "
                    f"{attribute} = {value}"
                )
        fields = self._named()
        for field in fields:
            numbers = all(map(_fits_a_float, self._several(field)))
            require(numbers, f"{field} of {name}", getattr(self, field), "be a number")
        for function, before in self.signatures().items():
            form = ", ".join([*before, *fields])
            if not hasattr(type(self), function):
                raise InputError(f"{name} must have a staticmethod {function}({form})")
            attribute = inspect.getattr_static(type(self), function)
            if attribute is not None:
                number = len(before) + len(self.numbers())
                plain = isinstance(attribute, staticmethod)
                plain = plain and isinstance(attribute.__func__, FunctionType)
                fits = plain and _takes(attribute.__func__, number)
                require(fits, f"{name}.{function}", attribute, f"be a staticmethod of ({form})")


class Axis(Domain):
    """The rules of one axis of a policy, each checked before it is used."""

    def __init__(self, kind: type[Rule]) -> None:
        self.kind = kind

    def __call__(self, name: str, value: Any) -> Any:
        """Return the rule."""
        fits = isinstance(value, self.kind) and type(value) is not self.kind
        require(fits, name, value, f"be {article(self.kind.__name__)} rule")
        value.check()
        return value


def _fits_a_float(value: Any) -> bool:
    """Say whether a value is a number that compiled code can have; NaN and ±∞ may be meant."""
    return is_number(value) and (isinstance(value, float) or math.isfinite(as_float(value)))
