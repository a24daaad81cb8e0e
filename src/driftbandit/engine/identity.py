"""What determines the bits of a job, as plain data: equal data, equal bits.

Policies and world are written as JSON. It names a user's own classes but does not contain them, so
the functions that these bring along are written beside it as hashes of their code: an edited rule
is another rule, wherever it was edited.
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
from driftbandit.core.state import State
from driftbandit.core.value import Value, check_fields
from driftbandit.engine import compiler
from driftbandit.engine.job import Job
from driftbandit.policies import Strategy

LONG = 10_000
"""Letters from which on a value is written as a hash: a table of means may have millions."""

LIBRARIES = tuple(sysconfig.get_paths()[key] for key in ("stdlib", "purelib", "platlib"))
"""Where code lies that is not the user's own."""


def identity(job: Job) -> dict[str, Any]:
    """Return all that the numbers of a run depend on, and how runs are cut into blocks.

    The number of runs is not among them: run r is the same in a longer job.

    >>> from driftbandit.engine.job import make_job
    >>> import driftbandit as db
    >>> job = make_job(db.UCB1(), db.environments.two_swaps(), 100, 50, 0, (10, 100))
    >>> data = identity(job)
    >>> data["width"], data["checkpoints"], data["policies"][0]["explore"]["xi"]
    (56, [10, 100], 0.5)
    """
    return {
        "version": f"{__version__}+{compiler.package_hash()[:12]}",
        "horizon": job.horizon,
        "seed": job.seed,
        "checkpoints": list(job.marks),
        "width": job.width,
        "policies": [_plain("policies", policy) for policy in job.policies],
        "world": _plain("world", job.world),
        "rules": dict(sorted(_rules(job))),
        "epochs": [_plain("policies", policy) for policy in _epochs(job)],
    }


def _epochs(job: Job) -> list[Strategy]:
    """Return the policies that others make for their epochs."""
    epochs = [each for policy in job.policies for _, each in policy.epochs(job.horizon)]
    return [each for each in epochs if each not in job.policies]


def _plain(name: str, value: Value) -> Any:
    for part in _parts(value):
        check_fields(part)
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
        content = getattr(value, field.name)
        for item in content if isinstance(content, tuple) else (content,):
            if isinstance(item, Value):
                yield from _parts(item)


def _ours(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] == "driftbandit"


def _class_hash(kind: type) -> str:
    """Hash what a class body holds: its functions with all they call, and its constants."""
    digest = hashlib.sha256()
    for name, attribute in sorted(vars(kind).items()):
        for function in _functions(attribute):
            digest.update(f"{name} {_function_text(function, set())}".encode())
        if not name.startswith("__") and not callable(attribute):
            digest.update(f"{name} {_constant_text(attribute)}".encode())
    return digest.hexdigest()[:16]


def _functions(attribute: Any) -> list[FunctionType]:
    """Return the plain functions behind an attribute of a class, except those of dataclasses."""
    inner = [attribute, getattr(attribute, "__func__", None), getattr(attribute, "fget", None)]
    inner.append(getattr(attribute, "func", None))
    return [
        part
        for part in inner
        if isinstance(part, FunctionType) and part.__code__.co_filename != "<string>"
    ]


def _function_text(function: FunctionType, seen: set[FunctionType]) -> str:
    """Return a function's code and defaults, and the code and constants that it reaches."""
    if function in seen or _ours(function):
        return function.__qualname__
    seen.add(function)
    texts = [_code_text(function.__code__), repr(function.__defaults__)]
    for value in compiler.names_used(function):
        if isinstance(value, FunctionType) and not value.__code__.co_filename.startswith(LIBRARIES):
            texts.append(_function_text(value, seen))
        else:
            texts.append(_constant_text(value))
    return " ".join(texts)


def _code_text(code: CodeType) -> str:
    constants = [
        _code_text(value) if isinstance(value, CodeType) else repr(value)
        for value in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def _constant_text(value: Any) -> str:
    """Return the value of a constant; for anything else the name in the code must do."""
    if isinstance(value, np.ndarray):
        return value.tobytes().hex()
    if isinstance(value, int | float | str | tuple | np.generic | State):
        return repr(value)
    return ""
