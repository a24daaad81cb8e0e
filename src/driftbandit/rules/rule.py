"""What the rules on the three axes of a policy have in common."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from driftbandit.core.arithmetic import called, value_of
from driftbandit.core.callbacks import takes
from driftbandit.core.domain import Domain
from driftbandit.core.errors import InputError, article, as_float, is_number, require
from driftbandit.core.state import State
from driftbandit.core.value import Value, check_fields


@functools.cache  # reading it takes longer than all the rest of making a policy
def _form(function: FunctionType, number: int) -> tuple[bool, inspect.Signature]:
    """Say whether a function can be called with so many arguments, and what it says it takes."""
    return takes(function, number), inspect.signature(function)


def _forgotten(cls: type) -> str:
    """Say so if a class names fields and is no dataclass, so that it has none of them."""
    named = [*inspect.get_annotations(cls), *({"__init__"} & set(vars(cls)))]
    forgotten = named and "__dataclass_fields__" not in vars(cls)
    return "; its fields need @dataclass(frozen=True) above the class" if forgotten else ""


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
                if not any(hasattr(base, attribute) for base in type(self).__mro__[1:]):
                    raise InputError(
                        f"{attribute} of {name} must be a number, 1.0 or 0.0, got {value}"
                    )
                raise InputError(
                    f"{attribute} of {name} must be declared without an annotation: "
                    f"{attribute} = {value}"
                )
        fields = self._named()
        for field in fields:
            numbers = all(map(_fits_a_float, self._several(field)))
            require(numbers, f"{field} of {name}", getattr(self, field), "be a number")
        check_fields(self)
        for function, before in self.signatures().items():
            form = (*before, *self._handed())
            if not hasattr(type(self), function):
                raise InputError(f"{name} must have a staticmethod {function}({', '.join(form)})")
            attribute = inspect.getattr_static(type(self), function)
            if attribute is not None:
                self._check_form(function, attribute, form)

    def _handed(self) -> Iterator[str]:
        """Yield names for the numbers that the functions take last."""
        for name in self._named():
            value = getattr(self, name)
            if isinstance(value, tuple):
                yield from (f"{name}[{place}]" for place in range(len(value)))
            else:
                yield name

    def _check_form(self, function: str, attribute: Any, form: tuple[str, ...]) -> None:
        """Raise unless an attribute of the class is a static function that takes these, in order.

        What has the name of another argument would be handed that of its place, without a word.
        """
        plain = isinstance(attribute, staticmethod) and isinstance(attribute.__func__, FunctionType)
        if not plain:
            allowed = f"be a staticmethod of ({', '.join(form)})"
            require(False, f"{type(self).__name__}.{function}", attribute, allowed)
        fits, signature = _form(attribute.__func__, len(form))
        pairs = zip(signature.parameters, form, strict=False)
        swapped = any(name != place and name in form for name, place in pairs)
        if not fits or (swapped and not self.trusted):
            raise InputError(
                f"{type(self).__name__}.{function} must be a staticmethod of ({', '.join(form)}), "
                f"in this order, got {signature.replace(return_annotation=signature.empty)}"
                f"{_forgotten(type(self))}"
            )


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
