"""Document objects by their public names, with autodoc."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import driftbandit


def api(text: str) -> str:
    """Return the entries of some names, in order.

    After the name of a class, `members` lists what it has of its own, and `members=one,two` these.

    >>> print(api("driftbandit.simulate driftbandit.Agent members=learn"))
    ```{eval-rst}
    .. autofunction:: driftbandit.simulate
    <BLANKLINE>
    .. autoclass:: driftbandit.Agent
       :members: learn
    ```
    """
    blocks: list[str] = []
    for word in text.split():
        option, _, names = word.partition("=")
        if option == "members":
            blocks[-1] += f"\n   :members: {names}".rstrip()
        else:
            blocks.append(f".. auto{kind(resolve(word))}:: {word}")
    return fenced("\n\n".join(blocks))


def module(name: str) -> str:
    """Return what a module says of itself, and the entries of its public functions."""
    room = resolve(name)
    names = getattr(room, "__all__", None) or [
        key
        for key, value in vars(room).items()
        if getattr(value, "__module__", "") == name and not key.startswith("_") and callable(value)
    ]
    return fenced(f".. automodule:: {name}") + "\n\n" + api(" ".join(f"{name}.{n}" for n in names))


def axis(name: str) -> str:
    """Return the entries of all rules on an axis: the base, then each under a heading."""
    base = name.capitalize()
    rules = [rule for rule in resolve(f"driftbandit.{name}").__all__ if rule != base]
    entries = [f"## {rule}\n\n" + api(f"driftbandit.{name}.{rule}") for rule in rules]
    return "\n\n".join([api(f"driftbandit.{name}.{base}"), *entries])


def checks(_: str) -> str:
    """Return the entries of the single checks."""
    names = [check.__name__ for check in driftbandit.checks.CHECKS]
    return api(" ".join(f"driftbandit.checks.{name}" for name in names))


def resolve(name: str) -> Any:
    """Return the object that has a dotted name; a function hides the module it is defined in.

    >>> resolve("driftbandit.studies.tune.Range").__name__, callable(resolve("driftbandit.tune"))
    ('Range', True)
    """
    path, *parts = name.split(".")
    value: Any = importlib.import_module(path)
    for part in parts:
        path = f"{path}.{part}"
        value = getattr(value, part) if hasattr(value, part) else importlib.import_module(path)
    return value


def kind(value: Any) -> str:
    """Return what autodoc calls a kind of object.

    >>> kind(driftbandit.InputError), kind(driftbandit.Window), kind(driftbandit.simulate)
    ('exception', 'class', 'function')
    """
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    if inspect.ismodule(value):
        return "module"
    return "function" if callable(value) else "data"


def fenced(text: str) -> str:
    """Return reStructuredText as a block of a Markdown page."""
    return f"```{{eval-rst}}\n{text}\n```"
