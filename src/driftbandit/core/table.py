"""Tables of text: aligned columns, or Markdown."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

Cells = Sequence[str]


def aligned(head: Cells, rows: Sequence[Cells], right: int = 0) -> list[str]:
    """Return a table line by line; the last `right` columns are aligned to the right.

    >>> aligned(["policy", "mean"], [["UCB-1", "664.3"], ["oracle", "0.0"]], right=1)
    ['policy   mean', 'UCB-1   664.3', 'oracle    0.0']
    """
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    left = len(head) - right
    return ["  ".join(_padded(cells, widths, left)).rstrip() for cells in (head, *rows)]


def markdown(head: Cells, rows: Sequence[Cells], right: int = 0) -> list[str]:
    """Return a table in Markdown, line by line.

    >>> markdown(["policy", "mean"], [["UCB-1", "664.3"]], right=1)
    ['| policy | mean |', '| --- | --: |', '| UCB-1 | 664.3 |']
    """
    rule = ["---"] * (len(head) - right) + ["--:"] * right
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]


def width(text: str) -> int:
    """Return how many columns a text takes: a combining letter, such as the bar of X̄, takes none.

    >>> width("X̄(i)")
    4
    """
    return sum(not unicodedata.combining(letter) for letter in text)


def _padded(cells: Cells, widths: Sequence[int], left: int) -> list[str]:
    gaps = [" " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True)]
    return [
        cell + gap if place < left else gap + cell
        for place, (cell, gap) in enumerate(zip(cells, gaps, strict=True))
    ]
