"""Marks plain Python functions that compiled code may call.

A rule of a policy, a reward law or a world is a plain function of numbers. The engine compiles
it; a live agent calls it as it is. Helper functions that such a rule calls must be marked, so
that the engine finds them; nothing here needs the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from driftbandit.core.errors import require

Function = TypeVar("Function", bound=Callable[..., Any])

MARKED: set[Callable[..., Any]] = set()


def compilable(function: Function) -> Function:
    """Mark `function` so that compiled rules may call it, and return it unchanged.

    >>> @compilable
    ... def half(x: float) -> float:
    ...     return 0.5 * x
    >>> half(3.0)
    1.5
    """
    require(isinstance(function, FunctionType), "function", function, "be a plain function")
    MARKED.add(function)
    vars(function)["compilable"] = True  # travels with a function that is sent elsewhere by value
    return function


def compiled_as(form: Callable[..., Any]) -> Callable[[Function], Function]:
    """Mark a function that compiled code replaces by `form`, which must return the same bits.

    For the few where plain Python and vector code have different ways to be quick.

    >>> def product(x: float) -> float:
    ...     return x * x
    >>> @compiled_as(product)
    ... def square(x: float) -> float:
    ...     return x**2
    >>> square(3.0)
    9.0
    """

    def mark(function: Function) -> Function:
        vars(function)["compiled_form"] = compilable(form)
        return compilable(function)

    return mark


def arrays_apart(function: Function) -> Function:
    """Mark a function that is handed arrays which share no memory, and return it.

    The compiler cannot know, and either asks before every loop or makes no vector code of it.
    """
    vars(function)["arrays_apart"] = True
    return function
