"""Tables: aligned columns of text, Markdown, or HTML."""

from __future__ import annotations

import html
import math
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


def html_table(title: str, head: Cells, rows: Sequence[Cells], right: int = 0) -> list[str]:
    """Return a table in HTML, line by line.

    >>> html_table("regret", ["policy", "mean"], [["A & B", "664.3"]], right=1)[2]
    '<tr><td style="text-align: left">A &amp; B</td><td style="text-align: right">664.3</td></tr>'
    """
    return [
        f"<table><caption>{html.escape(title)}</caption>",
        _html_row("th", head, right),
        *(_html_row("td", cells, right) for cells in rows),
        "</table>",
    ]


def _html_row(tag: str, cells: Cells, right: int) -> str:
    sides = ["left"] * (len(cells) - right) + ["right"] * right
    texts = [
        f'<{tag} style="text-align: {side}">{html.escape(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    ]
    return f"<tr>{''.join(texts)}</tr>"


def number(value: float, form: str) -> str:
    """Return a number in this form, and a dash for one that is unknown (NaN).

    >>> number(2.0, ".1f"), number(math.nan, ".1f")
    ('2.0', '–')
    """
    return "–" if math.isnan(value) else format(value, form)


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
