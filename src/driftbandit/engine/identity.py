"""What determines the bits of a job, as plain data: equal data, equal bits.

Policies and world stand there as JSON. A user's own classes are named in it, not contained, so the
functions that they bring along stand beside it as hashes of their code: an edited rule is another
rule, wherever it was edited.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sysconfig
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from driftbandit import __version__
from driftbandit.core.errors import InputError
from driftbandit.core.value import Value
from driftbandit.engine import compiler
from driftbandit.engine.job import Job
from driftbandit.policies import Strategy

LONG = 10_000
"""Letters from which on a value is told by a hash: a table of means may have millions."""

LIBRARIES = tuple(sysconfig.get_paths()[key] for key in ("stdlib", "purelib", "platlib"))
"""Where code lies that is not the user's own."""


def identity(job: Job) -> dict[str, Any]:
    """Return all that the numbers of a job depend on.

    >>> from driftbandit.engine.job import make_job
    >>> import driftbandit as db
    >>> job = make_job(db.UCB1(), db.environments.two_swaps(), 100, 50, 0, (10, 100))
    >>> told = identity(job)
    >>> told["runs"], told["checkpoints"], told["policies"][0]["explore"]["xi"]
    (50, [10, 100], 0.5)
    """
    return {
        "version": f"{__version__}+{compiler.package_hash()[:12]}",
        "horizon": job.horizon,
        "runs": job.runs,
        "seed": job.seed,
        "checkpoints": list(job.marks),
        "blocks": job.blocks,
        "policies": [_told("policies", policy) for policy in job.policies],
        "world": _told("world", job.world),
        "rules": dict(sorted(_rules(job))),
        "epochs": [_told("policies", policy) for policy in _epochs(job)],
    }


def _epochs(job: Job) -> list[Strategy]:
    """Return the policies that others make for their epochs."""
    told = [each for policy in job.policies for _, each in policy.epochs(job.horizon)]
    return [each for each in told if each not in job.policies]


def _told(name: str, value: Value) -> Any:
    try:
        text = value.to_json()
    except (TypeError, ValueError) as error:
        kind = type(value).__name__
        raise InputError(f"{name} must survive JSON to be kept, {kind} does not: {error}") from None
    if len(text) > LONG:
        return {"kind": _name(type(value)), "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return json.loads(text)


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _rules(job: Job) -> Iterator[tuple[str, str]]:
    """Yield the name and the hash of every class of a user's own that takes part."""
    values = [part for value in (*job.policies, *_epochs(job), job.world) for part in _parts(value)]
    for kind in {base for value in values for base in type(value).__mro__}:
        if not _ours(kind) and kind is not object:
            yield _name(kind), _class_hash(kind)


def _parts(value: Value) -> Iterator[Value]:
    yield value
    for field in dataclasses.fields(value):
        found = getattr(value, field.name)
        for item in found if isinstance(found, tuple) else (found,):
            if isinstance(item, Value):
                yield from _parts(item)


def _ours(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] == "driftbandit"


def _class_hash(kind: type) -> str:
    """Hash what a class body holds: its functions with all they call, and its constants."""
    digest = hashlib.sha256()
    for name, found in sorted(vars(kind).items()):
        for function in _functions(found):
            digest.update(f"{name} {_function_told(function, set())}".encode())
        if not name.startswith("__") and not callable(found):
            digest.update(f"{name} {_constant_told(found)}".encode())
    return digest.hexdigest()[:16]


def _functions(found: Any) -> list[FunctionType]:
    """Return the plain functions behind an attribute of a class, those of dataclasses left out."""
    inner = [found, getattr(found, "__func__", None), getattr(found, "fget", None)]
    inner.append(getattr(found, "func", None))
    return [
        part
        for part in inner
        if isinstance(part, FunctionType) and part.__code__.co_filename != "<string>"
    ]


def _function_told(function: FunctionType, seen: set[FunctionType]) -> str:
    """Tell a function by its code, its defaults, and the code and constants that it reaches."""
    if function in seen or _ours(function):
        return function.__qualname__
    seen.add(function)
    told = [_code_told(function.__code__), repr(function.__defaults__)]
    for found in compiler.names_used(function):
        if isinstance(found, FunctionType) and not found.__code__.co_filename.startswith(LIBRARIES):
            told.append(_function_told(found, seen))
        else:
            told.append(_constant_told(found))
    return " ".join(told)


def _code_told(code: CodeType) -> str:
    constants = [
        _code_told(found) if isinstance(found, CodeType) else repr(found)
        for found in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def _constant_told(found: Any) -> str:
    """Tell a constant by its value; of anything else the name in the code must do."""
    if isinstance(found, np.ndarray):
        return found.tobytes().hex()
    if isinstance(found, int | float | str | tuple | np.generic):
        return repr(found)
    return ""
