"""Names as users give them."""

from __future__ import annotations

import unicodedata
from typing import Any

HIDDEN = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's controls, halves of letters, and ends of lines."""


def is_line(name: Any) -> bool:
    """Say whether a table can show a name and a file hold it: one line with something to see.

    >>> is_line("SW-UCB, τ = 5"), is_line(""), is_line("two\\nlines"), is_line("\\ud800")
    (True, False, False, False)
    """
    if not isinstance(name, str) or not name.strip():
        return False
    return not any(unicodedata.category(letter) in HIDDEN for letter in name)
