"""Kinds: what JSON calls a class.

A class of the package is called by its public name: `driftbandit:forget.Window` is
`db.forget.Window`. It keeps this kind when its file moves. A class of a user's own is called by its
module and its name, `mine:Polynomial`.

A kind is looked up, never imported: a text can only name what the package offers, or a class that
this process has defined. So reading JSON runs nothing that was not here before.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

PACKAGE = "driftbandit"

NAMESPACES = {
    "environments": "environments",
    "environments.laws": "environments.laws",
    "environments.linear": "linear",
    "logs": "logs",
    "policies": "",
    "policies.linear": "linear",
    "rules.confidence": "linear",
    "rules.detect": "detect",
    "rules.explore": "explore",
    "rules.force": "force",
    "rules.forget": "forget",
    "studies.tune": "studies.tune",
}
"""Where `db` shows the classes of a folder: the one place to change when a folder moves."""


def kind_of(cls: type) -> str:
    """Return what JSON calls a class.

    >>> from driftbandit.rules.forget import Window
    >>> kind_of(Window)
    'driftbandit:forget.Window'
    """
    package, _, home = cls.__module__.partition(".")
    homes = [folder for folder in NAMESPACES if f"{home}.".startswith(f"{folder}.")]
    if package != PACKAGE or not homes:
        return f"{cls.__module__}:{cls.__qualname__}"
    namespace = NAMESPACES[max(homes, key=len)]
    return f"{PACKAGE}:{namespace}.{cls.__qualname__}".replace(":.", ":")


def class_of(kind: str, base: type) -> type | None:
    """Return the class below `base` that JSON calls so, or None.

    >>> from driftbandit.core.value import Value
    >>> class_of("driftbandit:forget.Window", Value).__name__
    'Window'
    >>> class_of("os:system", Value)
    """
    cls = _offered(kind)
    if isinstance(cls, type) and issubclass(cls, base):
        return cls
    named = [cls for cls in _below(base) if kind_of(cls) == kind]
    return named[-1] if named else None  # the newest, where a notebook defines a class again


def _offered(kind: str) -> Any:
    """Return what the package offers under a public name, or None."""
    package, _, path = kind.partition(":")
    namespace, _, name = path.rpartition(".")
    if package != PACKAGE or namespace not in NAMESPACES.values() or not name[:1].isupper():
        return None  # a module is no class, and may take long to load
    home = importlib.import_module(PACKAGE)
    for part in filter(None, namespace.split(".")):
        home = getattr(home, part, None) or importlib.import_module(f"{home.__name__}.{part}")
    return getattr(home, name, None)


def _below(cls: type) -> Iterator[type]:
    """Yield all classes below this one, those of one base in the order they were defined in."""
    subclasses: list[type] = cls.__subclasses__()
    for subclass in subclasses:
        yield subclass
        yield from _below(subclass)
