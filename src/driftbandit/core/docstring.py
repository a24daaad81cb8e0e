"""What docstrings say, in parts: the summary, the reference, and all but the examples."""

from __future__ import annotations

import inspect
import sys
from typing import Any

LEFT_OUT = "no description, since Python leaves docstrings out (-OO)"


def summary(thing: Any) -> str:
    """Return the first paragraph in one line, with the formula it ends in.

    >>> from driftbandit.rules.forget import Window
    >>> summary(Window)
    'Remember the plays of the last τ rounds with weight one, and no others.'
    """
    first, *others = [" ".join(part.split()) for part in paragraphs(thing)]
    formula = first.endswith(":") and others
    return f"{first} {others[0].rstrip(',')}." if formula else first


def reference(thing: Any) -> str:
    """Return what comes after "Reference:", in one line, or nothing.

    >>> from driftbandit.policies import GLRklUCB
    >>> reference(GLRklUCB)
    'Besson, Kaufmann, Maillard & Seznec 2022.'
    """
    parts = [part for part in paragraphs(thing) if part.startswith("Reference: ")]
    return " ".join(parts[0].removeprefix("Reference: ").split()) if parts else ""


def explanation(thing: Any) -> str:
    """Return a docstring without its examples."""
    return "\n\n".join(part for part in paragraphs(thing) if not part.startswith(">>>"))


def paragraphs(thing: Any) -> list[str]:
    """Return the paragraphs of a docstring, or a word where there are none."""
    if sys.flags.optimize > 1:
        return [LEFT_OUT]
    return [part.strip("\n") for part in (inspect.getdoc(thing) or "").split("\n\n")]
