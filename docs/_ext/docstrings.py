"""Let autodoc read docstrings as they are written: in plain Markdown, with `>>>` examples."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"`+([^`]+)`+")
ITEM = re.compile(r"- |\d+\. ")
SPECIAL = re.compile(r"\\|\||(?<=\w)_(?!\w)")
"""Signs that stand for themselves in Markdown and for something else in reStructuredText."""

INDENT = "    "


def to_restructured_text(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText.

    >>> to_restructured_text(["Return |x| for `x`:", "- one", "", ">>> f'`{x}`'"])
    ['Return \\\\|x\\\\| for ``x``:', '', '- one', '', ">>> f'`{x}`'", '']
    """
    output: list[str] = []
    for filled, group in groupby(lines, key=lambda line: bool(line.strip())):
        if filled:
            output += [*_paragraph(list(group)), ""]
    return output


def _paragraph(lines: list[str]) -> list[str]:
    if lines[0].lstrip().startswith(">>>"):
        return lines
    if lines[0].startswith(INDENT):
        return _indented(lines)
    output: list[str] = []
    in_list = False
    for line in _prose(lines):
        item = bool(ITEM.match(line))
        output += [""] * (item and not in_list and bool(output)) + [line]
        in_list = in_list or item
    return output


def _indented(lines: list[str]) -> list[str]:
    """Return a block of code, or of formulas with a line of their own each."""
    if all(line.isascii() for line in lines):
        return [".. code-block:: python", "", *lines]
    return [part for line in _prose(lines) for part in (line, "")]


def _prose(lines: list[str]) -> list[str]:
    """Return lines with their code, which may run on to the next line, and special signs marked."""
    text, parts, end = "\n".join(lines), [], 0
    for match in CODE.finditer(text):
        parts += [SPECIAL.sub(r"\\\g<0>", text[end : match.start()])]
        parts += [f"``{' '.join(match[1].split())}``"]
        end = match.end()
    return "".join([*parts, SPECIAL.sub(r"\\\g<0>", text[end:])]).split("\n")


def process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrite a docstring for autodoc, in place."""
    lines[:] = to_restructured_text(lines)


def skip(app: Sphinx, what: str, name: str, obj: Any, skipped: bool, options: Any) -> bool | None:
    """Leave out the fields of a named tuple, which the docstring of the class describes."""
    return True if str(obj.__doc__).startswith("Alias for field number") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to autodoc."""
    app.connect("autodoc-process-docstring", process)
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
