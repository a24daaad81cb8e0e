"""Compiling: which functions, from which sources, and whether the machine code is cached on disk.

A loop is a closure over plain module-level functions. Numba keys its disk cache on the contents of
the closure, so a seal, a hash of every source and constant that the machine code depends on, is put
into it: the files of all functions reached, the constants they read, and the engine itself. An edit
to any of them makes a new key, and stale code is never loaded. The compiled loop returns its seal,
so that a caller can check that it runs the code it wants. Another process cannot import functions
that live in a notebook or in `__main__`; these are compiled without the disk cache.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.extending import overload, typeof_impl

import driftbandit
from driftbandit.core.errors import InputError
from driftbandit.engine import complaints, first_use
from driftbandit.engine.cache import keep_on_disk
from driftbandit.engine.parts import LoopCompiler, PartCompiler
from driftbandit.engine.powers import OwnCompiler

Function = Callable[..., Any]

ELSEWHERE = ("cli", "figures", "studies", "theory")
"""Folders of the package on which no compiled code and no result of a simulation depends."""

_registered: set[Function] = set()
_frozen: dict[Function, dict[str, Any]] = {}
"""What the global names of registered functions stood for when they were registered."""


@typeof_impl.register(FunctionType)
def _function_type(function: FunctionType, context: Any) -> Any:
    """Let registered functions be frozen into compiled code as fields of a named tuple.

    The compiler knows them as global names only; inside a tuple it asks for the type of a value.
    """
    if function in _registered:
        return cpu_target.typing_context._get_global_type(function)
    return None


def register(functions: Iterable[Function]) -> set[Function]:
    """Let compiled code call these plain functions and all marked ones that they call.

    They are inlined by force: a call that hands over a dozen arrays costs as much as the work.
    Returns all of them.
    """
    reached: set[Function] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in reached:
            reached.add(function)
            waiting += [used for used in names_used(function) if _compilable(used)]
            waiting += [_form(function)]
    for function in reached - _registered:
        _let_call(function)
        _frozen[function] = {name: _frozen_value(value) for name, value in globals_of(function)}
    _registered.update(reached)
    return reached


def _form(function: Function) -> Function:
    """Return what is compiled in the place of a function: itself, for most."""
    form: Function = vars(function).get("compiled_form", function)
    return form


def _let_call(function: Function) -> None:
    """Let compiled code call a function."""
    options: Any = {"forceinline": True, "no_cfunc_wrapper": True}
    if _own(function):
        options["pipeline_class"] = PartCompiler
    else:
        options["boundscheck"] = True  # a user's mistake must not write into other memory
        options["pipeline_class"] = OwnCompiler
    form = _form(function)
    overload(function, jit_options=options, strict=False)(lambda *values, **named: form)


def _compilable(value: Any) -> bool:
    """Say whether compiled code can call it: it is marked, or was registered before."""
    return isinstance(value, FunctionType) and ("compilable" in vars(value) or value in _registered)


def names_used(function: Function) -> Iterator[Any]:
    """Yield what the names in a function's code stand for, attributes of modules included."""
    return (value for _, value in globals_of(function))


def globals_of(function: Function) -> Iterator[tuple[str, Any]]:
    """Yield the names that a function reads and that are not its own, and what they stand for.

    Of modules, these are the attributes that it reads: `math.sqrt`.
    """
    code, name, value = function.__code__, "", None
    outer = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    for step in dis.get_instructions(code):
        if isinstance(value, ModuleType) and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            name, value = f"{name}.{step.argval}", getattr(value, step.argval, None)
            continue
        if name and not isinstance(value, ModuleType):
            yield name, value
        name, value = "", None
        if step.opname == "LOAD_GLOBAL":
            name, value = step.argval, function.__globals__.get(step.argval)
        elif step.opname == "LOAD_DEREF" and outer.get(step.argval, CellType()) != CellType():
            name, value = step.argval, outer[step.argval].cell_contents


def check_globals(*functions: Function) -> None:
    """Raise if a name in these functions is not defined, or was compiled with another value.

    The compiler freezes what global names stand for, for as long as the process lives.
    """
    for function in foreign(functions):
        complaints.check_defined(function)
        for name, value in globals_of(function):
            complaints.check_repeatable(function, name, value)
            if isinstance(value, Dispatcher):  # a helper that Numba has compiled
                for inner in globals_of(value.py_func):
                    complaints.check_repeatable(value.py_func, *inner)
            before = _frozen[function].get(name)
            if before is not value and not _same(before, value):
                raise InputError(
                    f"{name}, which {function.__qualname__} reads, has changed from {before!r} to "
                    f"{value!r} since it was compiled: make it a field of the rule"
                )


@functools.cache
def foreign(functions: tuple[Function, ...]) -> list[Function]:
    """Return the functions reached from these that are not the package's own."""
    return [each for each in register(functions) if not _own(each)]


def _own(function: Function) -> bool:
    """Return whether a function is the package's own."""
    return str(function.__module__).startswith("driftbandit.")  # None for what exec has made


def _frozen_value(value: Any) -> Any:
    """Return a value as it is now."""
    return value.copy() if isinstance(value, np.ndarray) else value


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are the same to the compiler."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    try:
        return type(one) is type(other) and bool(one == other)
    except ValueError:  # tables and such compare number by number
        return False


def seal(functions: Iterable[Function], *types: str) -> int:
    """Return a number that stands for these functions, argument types and all their sources.

    Zero means that some function has no file from which another process could import it.
    """
    functions = tuple(functions)
    reached = register(functions)
    sources = {_source(function) for function in reached}
    values = {_constants(function) for function in reached}
    if None in sources or None in values:
        return 0
    digest = hashlib.sha256(_engine_hash().encode())
    for path in sorted(str(source) for source in sources):
        digest.update(Path(path).read_bytes())
    names = [f"{function.__module__}:{function.__qualname__}" for function in functions]
    digest.update(" ".join([*names, *types, *sorted(map(str, values))]).encode())
    return int.from_bytes(digest.digest()[:7]) | 1


def _constants(function: Function) -> str | None:
    """Return the values that the compiler freezes into a function, or None if one is unknown."""
    texts = []
    for value in names_used(function):
        if isinstance(value, np.ndarray):
            texts.append(value.tobytes().hex())
        elif isinstance(value, int | float | str | tuple | np.generic):
            texts.append(repr(value))
        elif not (value is None or callable(value)):
            return None
    return f"{function.__module__}:{function.__qualname__} {' '.join(texts)}"


def _source(function: Function) -> Path | None:
    module = sys.modules.get(function.__module__)
    if function.__module__ == "__main__" or getattr(module, "__file__", None) is None:
        return None
    if "<locals>" in function.__qualname__ or "<lambda>" in function.__qualname__:
        return None
    path = inspect.getsourcefile(function)
    return Path(path) if path and os.path.isfile(path) else None  # none within a zip file


@functools.cache
def _engine_hash() -> str:
    """Return a hash of the compiler's version and of the sources of all compiled loops."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def package_hash() -> str:
    """Return a hash of the compiler's version and of all sources that results depend on."""
    digest = hashlib.sha256(numba.__version__.encode())
    folder = Path(driftbandit.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        if path.parts[len(folder.parts)] not in ELSEWHERE:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def compiled(function: Function, number: int, allocates: bool = True) -> Any:
    """Compile `function` on first call; keep it on disk unless its seal, `number`, is zero.

    Unless it `allocates` arrays, no references to arrays are counted: there is less to compile.

    Every seal has a cache file of its own: processes that compile at the same time could
    otherwise mix up each other's entries in a common one.
    """
    function.__qualname__ = f"{function.__name__}_{number:x}"
    options: dict[str, Any] = {"no_cfunc_wrapper": True, "_nrt": allocates}  # unknown to its types
    options["pipeline_class"] = LoopCompiler
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if not isinstance(dispatcher, Dispatcher):  # NUMBA_DISABLE_JIT=1: as silent as machine code
        return np.errstate(all="ignore")(function)
    if not number:
        first_use.notes[dispatcher] = first_use.COMPILED_AGAIN
    elif keep_on_disk(dispatcher):
        first_use.notes[dispatcher] = first_use.COMPILED_ONCE
    return dispatcher


def check(seal: int, expected: int) -> None:
    """Raise unless compiled code returned the seal of the code that was wanted."""
    if seal != expected:
        raise RuntimeError("the compiler's cache returned other code; delete __pycache__")
