"""Names as users give them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

HIDDEN = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's controls, halves of letters, and ends of lines."""

UNSEEN = (*HIDDEN, "Cf", "Cn", "Zs")
"""And what leaves no mark by itself: joiners, letters that do not exist, spaces."""

TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""The directions of letters that turn round what comes after them, the rest of a table included."""


def is_line(name: Any) -> bool:
    """Say whether a table can show a name and a file hold it: one line with something to see.

    >>> is_line("SW-UCB, τ = 5"), is_line(""), is_line("two\\nlines"), is_line("\\ud800")
    (True, False, False, False)
    """
    if not isinstance(name, str):
        return False
    categories = [unicodedata.category(letter) for letter in name]
    visible = any(category not in UNSEEN for category in categories)
    turned = any(unicodedata.bidirectional(letter) in TURNING for letter in name)
    return visible and not turned and not any(category in HIDDEN for category in categories)


def apart(names: Iterable[str]) -> list[str]:
    """Return names that differ from each other: one that was there before gets a number.

    >>> apart(["a", "b", "a", "a-2"])
    ['a', 'b', 'a-3', 'a-2']
    """
    listed = list(names)
    taken, result = set(listed), list[str]()
    for name in listed:
        number, free = 1, name
        while free in result or (number > 1 and free in taken):
            number += 1
            free = f"{name}-{number}"
        result.append(free)
    return result


def amount(number: int, thing: str) -> str:
    """Return how many there are of a thing.

    >>> amount(1, "run"), amount(2000, "run")
    ('1 run', '2,000 runs')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def percent(level: float) -> str:
    """Return a level of confidence; one below 1 is never 100 %.

    >>> percent(0.95), percent(0.999), percent(0.905)
    ('95%', '99.9%', '90.5%')
    """
    return f"{100.0 * level:.12g}%"
