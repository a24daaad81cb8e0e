"""Choosing well while the world changes: non-stationary multi-armed bandits.

The public names load on first use, so that importing the package stays quick. They are listed in
`__init__.pyi`, which this module reads as type checkers do.
"""

import importlib

__version__ = "0.1.0"

_STUB = __loader__.get_data(f"{__path__[0]}/__init__.pyi").decode()
_HOMES = {
    words[-1]: words[1] for line in _STUB.splitlines() if (words := line.split())[:1] == ["from"]
}
"""Where each public name lives: `.policies`, or `.` for a module of its own."""

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  # names, read from the list


def __getattr__(name):
    """Load a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    if home == ".":
        return importlib.import_module(f".{name}", __name__)
    return globals().setdefault(name, getattr(importlib.import_module(home, __name__), name))


def __dir__():
    """List the public names."""
    return sorted(__all__)
