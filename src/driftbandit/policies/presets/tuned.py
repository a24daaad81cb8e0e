"""Tuning rules: how a preset gets its `tuned`.

    @sets("discount")
    def discounted(horizon: int, breakpoints: int, **others: Unpack[Others]) -> Parameters:

A rule takes what is known of the world and returns the parameters that it sets. Presets share it:
`tuned` of a preset takes what the rule does, and the parameters of the preset that are left. A
keyword of the rule that the preset has too, such as `bound`, goes to both. `**others` tells a type
checker what presets may take besides.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypedDict, TypeVar

from driftbandit.core.errors import InputError, is_number, shown

if TYPE_CHECKING:
    from driftbandit.rules.explore import Explore

Known = ParamSpec("Known")
Made = TypeVar("Made")
Parameters = dict[str, Any]

FACTS = ("horizon", "breakpoints", "arms", "variation", "gap")
"""What may be known of a world: a rule ignores those it does not need."""


class Named(TypedDict, total=False):
    """The label, which all presets take; for type checkers, as the following."""

    label: str


class Others(Named, total=False):
    """Parameters of presets that rules do not look at."""

    c: float
    delta: float
    every: int
    explore: Explore | None
    failure: float
    length: float
    noise: float
    norm: float
    padding: float
    ridge: float
    scale: float
    success: float
    warmup: int
    xi: float


class Bounded(Others, total=False):
    """The same with the bound, which most rules look at."""

    bound: float


class Scoped(Others, total=False):
    """The same with the scope of an alarm, which one rule looks at, and the clock after it."""

    clock: str
    scope: str


class Tuning(Generic[Known]):
    """A rule, the names of the parameters that it sets, and defaults for some that it does not."""

    def __init__(
        self, rule: Callable[Known, Parameters], names: tuple[str, ...], **defaults: Any
    ) -> None:
        self.rule, self.names, self.defaults = rule, names, defaults

    def assuming(self, **defaults: Any) -> Tuning[Known]:
        """Return this rule with defaults for parameters of a preset that has none for them."""
        return Tuning(self.rule, self.names, **defaults)

    def signature(self, make: Callable[..., Any]) -> inspect.Signature:
        """Return what `tuned` takes: what the rule knows first, then what is left to set."""
        taken = dict(inspect.signature(make).parameters)
        known = [
            one
            for one in inspect.signature(self.rule).parameters.values()
            if one.kind is one.POSITIONAL_OR_KEYWORD
            or (one.kind is one.KEYWORD_ONLY and one.name not in taken)
        ]
        named = {*self.names, *(one.name for one in known)}
        kind = known[-1].kind  # what follows a keyword must be one too
        left = [
            one.replace(kind=kind, default=self.defaults.get(name, one.default))
            for name, one in taken.items()
            if name not in named
        ]
        return inspect.signature(make).replace(parameters=[*known, *left])

    def of(self, make: Callable[..., Any]) -> Callable[..., Any]:
        """Return the `tuned` of a preset that is made by `make`."""
        signature, taken = self.signature(make), set(inspect.signature(make).parameters)
        rule: Callable[..., Parameters] = self.rule
        read = set(inspect.signature(rule).parameters)

        def tuned(*args: Any, **kwargs: Any) -> Any:
            try:
                needed = without_unneeded(kwargs, signature)
                arguments = signature.bind(*args, **needed).arguments
            except TypeError as error:
                raise TypeError(f"{tuned.__qualname__}(): {error}") from None
            known = {name: value for name, value in arguments.items() if name in read}
            left = {name: value for name, value in arguments.items() if name in taken}
            with computable(tuned.__qualname__, arguments):
                return make(**{**self.defaults, **left, **rule(**known)})

        tuned.__module__, tuned.__qualname__ = make.__module__, f"{make.__qualname__}.tuned"
        tuned.__doc__ = self.rule.__doc__
        tuned.__signature__ = signature  # type: ignore[attr-defined]  # what inspect looks at
        return tuned


@contextlib.contextmanager
def computable(name: str, arguments: Parameters) -> Iterator[None]:
    """Say of which arguments a formula overflows or divides by zero."""
    try:
        yield
    except ArithmeticError as error:
        numbers = {name: value for name, value in arguments.items() if is_number(value)}
        text = ", ".join(f"{name}={shown(value)}" for name, value in numbers.items())
        raise InputError(f"{name}({text}) is too large or too small to compute: {error}") from error


def without_unneeded(arguments: Parameters, signature: inspect.Signature) -> Parameters:
    """Return the arguments without facts that a signature has no place for."""
    taken = signature.parameters
    return {name: value for name, value in arguments.items() if name in taken or name not in FACTS}


def takes_all_facts(rule: Callable[Known, Made]) -> Callable[Known, Made]:
    """Let the `tuned` of a class ignore facts that it does not need, as presets do."""
    signature = inspect.signature(rule)

    @functools.wraps(rule)
    def tuned(*args: Known.args, **kwargs: Known.kwargs) -> Made:
        needed = without_unneeded(kwargs, signature)
        with computable(
            rule.__qualname__, {**dict(zip(signature.parameters, args, strict=False)), **needed}
        ):
            return rule(*args, **needed)

    return tuned


def sets(*names: str) -> Callable[[Callable[Known, Parameters]], Tuning[Known]]:
    """Make a function a tuning rule that sets the parameters of these names."""

    def declare(rule: Callable[Known, Parameters]) -> Tuning[Known]:
        return Tuning(rule, names)

    return declare
