"""Tables: aligned columns of text, Markdown, or HTML."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Iterable, Sequence

Cells = Sequence[str]

INDENT = " " * 4
NARROW = 12
"""A column of texts is at least this wide, if its texts are."""


def aligned(head: Cells, rows: Sequence[Cells], right: int = 0) -> list[str]:
    """Return a table line by line; the last `right` columns are aligned to the right.

    >>> aligned(["policy", "mean"], [["UCB-1", "664.3"], ["oracle", "0.0"]], right=1)
    ['policy   mean', 'UCB-1   664.3', 'oracle    0.0']
    """
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    left = len(head) - right
    return ["  ".join(_padded(cells, widths, left)).rstrip() for cells in (head, *rows)]


def stacked(head: Cells, rows: Sequence[Cells], room: int) -> list[str]:
    """Return a table for few columns of text, line by line: one paragraph per row.

    Its first cell stands alone, the others follow with their names. Nothing is left out, and lines
    break only between words: a word that is too long for a line has a line of its own.

    >>> print(*stacked(["policy", "mean", "low"], [["UCB-1", "664.3", "660.1"]], 16), sep="\\n")
    policy
    UCB-1
        mean: 664.3
        low: 660.1
    """
    lines = [head[0]]
    for first, *others in rows:
        names = [name.rstrip("?") for name in head[1:]]
        pairs = [f"{name}: {cell}" for name, cell in zip(names, others, strict=True) if cell]
        lines += filled(first, room)
        lines += [INDENT + line for line in _packed(pairs, room - len(INDENT))]
    return lines


def _packed(pairs: Sequence[str], room: int) -> list[str]:
    """Return names and values side by side; those too long for a line are broken into several."""
    blocks: list[list[str]] = []
    for pair in pairs:
        line = f"{blocks[-1][0]}  {pair}" if blocks and len(blocks[-1]) == 1 else ""
        if line and width(line) <= room:
            blocks[-1] = [line]
        else:
            blocks.append(filled(pair, room))
    return [line for block in blocks for line in block]


def filled(text: str, room: int, indent: str = "", hanging: str = INDENT) -> list[str]:
    """Return a text as lines of whole words: the first indented, the others hanging.

    Double spaces stay.

    >>> filled("a window of 100 rounds", 12)
    ['a window of', '    100', '    rounds']
    """
    lines = [indent]
    for word in text.replace("\n", " ").split(" "):
        if not lines[-1].strip():
            lines[-1] += word
        elif width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(hanging + word)
    return [line.rstrip() for line in lines]


def fitted(head: Cells, rows: Sequence[Cells], right: int, room: int) -> list[int] | None:
    """Return the widths of the columns in this room, or None if it is too small.

    Texts may be wrapped between words, numbers not.

    >>> row = ["a window of 100 rounds", "1,664.3"]
    >>> [fitted(["policy", "mean"], [row], 1, room) for room in (40, 25, 15)]
    [[22, 7], [18, 7], None]
    """
    columns = list(zip(head, *rows, strict=True))
    whole = [max(map(width, column)) for column in columns]
    words = [max(map(width, " ".join(column).split()), default=0) for column in columns]
    left = len(head) - right
    widths = [min(wide, max(word, NARROW)) for wide, word in zip(whole, words, strict=True)]
    widths[left:] = whole[left:]
    for _ in range(min(room, sum(whole)) - sum(widths)):
        lacks = [wide - now for wide, now in zip(whole, widths, strict=True)]
        widths[lacks.index(max(lacks))] += 1
    return widths if sum(widths) <= room else None


def markdown(head: Cells, rows: Sequence[Cells], right: int = 0) -> list[str]:
    """Return a table in Markdown, line by line.

    >>> markdown(["policy", "mean"], [["UCB-1", "664.3"]], right=1)
    ['| policy | mean |', '| --- | --: |', '| UCB-1 | 664.3 |']
    """
    rule = ["---"] * (len(head) - right) + ["--:"] * right
    texts = [[literal(cell).replace("|", "\\|") for cell in cells] for cells in (head, rule, *rows)]
    return [f"| {' | '.join(cells)} |" for cells in texts]


def literal(text: str) -> str:
    """Return a text as one line of Markdown that opens no HTML.

    >>> literal("<b>two\\nlines</b>")
    '&lt;b>two lines&lt;/b>'
    """
    return " ".join(text.replace("&", "&amp;").replace("<", "&lt;").split())


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


def form_of(numbers: Iterable[float]) -> str:
    """Return the form of the numbers of one table: four decimals, or digits that count.

    >>> form_of([0.25, 1.5]), form_of([2e-5, -1e-6]), form_of([1e100])
    ('.4f', '.4g', '.4g')
    """
    largest = max((abs(each) for each in numbers if math.isfinite(each)), default=0.0)
    return ".4f" if largest == 0.0 or 1e-2 <= largest < 1e7 else ".4g"


def width(text: str) -> int:
    """Return how many columns a text takes.

    A combining letter, such as the bar of X̄, takes none, and a Chinese one takes two.

    >>> width("X̄(i)"), width("窗口")
    (4, 4)
    """
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return wide + sum(not unicodedata.combining(letter) for letter in text)


def _padded(cells: Cells, widths: Sequence[int], left: int) -> list[str]:
    gaps = [" " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True)]
    return [
        cell + gap if place < left else gap + cell
        for place, (cell, gap) in enumerate(zip(cells, gaps, strict=True))
    ]
