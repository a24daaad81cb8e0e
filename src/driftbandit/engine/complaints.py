"""What is wrong with a rule that cannot be compiled, in one line: which function, where, why."""

from __future__ import annotations

import builtins
import dis
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import CellType, ModuleType
from typing import Any

import numpy as np

from driftbandit.core.errors import InputError
from driftbandit.core.handlers import from_a_handler

WITHOUT_FRAME: dict[type[Exception], str] = {
    IndexError: "has an index beyond the end of an array",
    OverflowError: "has a power of whole numbers that has a fraction or over 62 bits: count with "
    "fractions, 2.0 ** -n",
}
"""What compiled code raises without saying in which function."""


CALLED = ("type", "ABCMeta", "partial", "_lru_cache_wrapper", "method")
"""Kinds of what a rule calls and the compiler does not know, or finds a function in."""


def check_defined(function: Callable[..., Any]) -> None:
    """Raise if a function uses a name that is not defined; the compiler would not say which.

    >>> def index(mean, count, clock):
    ...     return mean + scale / count
    >>> check_defined(index)
    Traceback (most recent call last):
    driftbandit.InputError: index uses 'scale', which is not defined (line 2 of ...)
    """
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    unbound = {name for name, cell in cells if cell == CellType()}
    module = None  # whose attribute comes next
    for step in dis.get_instructions(function):
        missing = step.opname == "LOAD_DEREF" and step.argval in unbound
        name = step.argval
        if module is not None and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            missing, name = not hasattr(module, step.argval), f"{module.__name__}.{step.argval}"
        module = None
        if step.opname == "LOAD_GLOBAL":
            missing = not (step.argval in function.__globals__ or hasattr(builtins, step.argval))
            value = function.__globals__.get(step.argval)
            module = value if isinstance(value, ModuleType) else None
        if missing:
            line = step.positions.lineno if step.positions else "?"
            file = Path(function.__code__.co_filename).name
            raise InputError(
                f"{function.__qualname__} uses {name!r}, which is not defined "
                f"(line {line} of {file})"
            )


def check_repeatable(function: Callable[..., Any], name: str, value: Any) -> None:
    """Raise if a name in a function of a user's own stands for a generator of random numbers.

    What it draws does not follow the seed, and is not the same for the same run.

    >>> def index(mean, count, clock):
    ...     return mean + np.random.rand()
    >>> check_repeatable(index, "np.random.rand", np.random.rand)
    Traceback (most recent call last):
    driftbandit.InputError: index draws from np.random.rand, which does not follow the seed: use \
the random numbers that the engine hands over
    """
    owner = getattr(value, "__self__", value)
    if isinstance(owner, Random | np.random.RandomState | np.random.Generator):
        raise InputError(
            f"{function.__qualname__} draws from {name}, which does not follow the seed: use the "
            "random numbers that the engine hands over"
        )


@contextmanager
def of_rules(rules: Sequence[Callable[..., Any]]) -> Iterator[None]:
    """Turn what a compiled rule raises into one line that names its function and line.

    `rules` are the functions that are not the package's own. What comes from elsewhere, such as
    the handler of a signal, passes as it is.
    """
    try:
        yield
    except Exception as error:
        if from_a_handler(error):
            raise
        places = {(rule.__code__.co_filename, rule.__code__.co_name) for rule in rules}
        frames = reversed(traceback.extract_tb(error.__traceback__))
        frame = next((each for each in frames if (each.filename, each.name) in places), None)
        names = " or ".join(rule.__qualname__ for rule in rules)
        if frame is None and re.fullmatch(r"expected \w+, got None", str(error)):  # has no frame
            raise InputError(f"{names} must return a number in every case, got None") from error
        if frame is None and names and type(error) in WITHOUT_FRAME:
            raise InputError(f"{names} {WITHOUT_FRAME[type(error)]}") from error
        if frame is None:
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(
            f"{frame.name} of a rule fails: {what} (line {frame.lineno} of "
            f"{Path(frame.filename).name})"
        ) from error


def reason(text: str) -> str:
    """Return the gist of the compiler's complaint about a rule.

    The innermost of its nested messages comes last, and is followed by the function that it is
    about.
    """
    helper = re.search(r"Untyped global name '(\w+)':?[^<]*(?:<class '([\w.]+)'>)?", text)
    if helper and helper[2] in (None, "function"):
        return f"a rule calls {helper[1]}, which must be marked with @db.compilable"
    if helper and helper[2].split(".")[-1] in CALLED:
        return (
            f"a rule calls {helper[1]}, a {helper[2]}: write it as a plain function of a module, "
            "marked with @db.compilable"
        )
    if helper:
        return f"a rule reads {helper[1]}, a {helper[2]}: make its numbers fields of the rule"
    inmost = text.rpartition("raised a specific error:")[2]
    lines = [line.strip() for line in inmost.splitlines() if line.strip()]
    gist = next((line for line in lines if "Failed in" not in line), text)
    missing = re.search(r"No implementation of function .*\n\s*\n\s*>>> (.*)", inmost)
    if missing:
        gist = f"there is no compiled form of {missing[1]}"
    owners = re.findall(r"resolving callee type: Function\(<function (\S+) at", inmost)
    places = re.findall(r'(?:File "|typing of call at )([^"\n]+?)(?:", line | \()(\d+)', inmost)
    if len(owners) > 1 and places and "numba" in Path(places[0][0]).parts:  # its form of NumPy's
        gist, owners = f"{owners[0]}: {gist}", owners[1:]
        places = [place for place in places if "numba" not in Path(place[0]).parts]
    where = f" (line {places[0][1]} of {Path(places[0][0]).name})" if places else ""
    return f"{owners[0] if owners else 'a rule'} cannot be compiled: {gist}{where}"
