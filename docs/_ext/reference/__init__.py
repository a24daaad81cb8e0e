"""Make the reference from what the package says of itself: docstrings, catalogues, commands.

A page of docs/reference is plain Markdown with a few markers, such as `<!-- policies: index -->`.
They are replaced when the page is read, so that there is nothing generated to keep up to date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx

from _ext.reference import catalogue, commands, objects

MARKER = re.compile(r"^<!-- (\w+): (.*?) -->$", re.MULTILINE)
MAKERS: dict[str, Callable[[str], str]] = {
    "api": objects.api,
    "axis": objects.axis,
    "checks": objects.checks,
    "module": objects.module,
    "policies": catalogue.policies,
    "worlds": catalogue.worlds,
    "laws": catalogue.laws,
    "commands": commands.commands,
}


def expand(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the markers of a page of the reference."""
    if page.startswith("reference/"):
        source[0] = MARKER.sub(lambda marker: MAKERS[marker[1]](marker[2]), source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to the reading of pages."""
    app.connect("source-read", expand)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
