"""What Numba reads from its surroundings as it is imported, checked before it stumbles."""

from __future__ import annotations

import os

from driftbandit.core.errors import require

VARIABLE = "NUMBA_NUM_THREADS"


def check_threads() -> None:
    """Raise if the number of threads that the environment sets is none.

    >>> check_threads()
    """
    text = os.environ.get(VARIABLE, "1").strip()
    fits = text.isdecimal() and int(text) > 0
    require(fits, f"the environment variable {VARIABLE}", text, "be a whole number of at least 1")


check_threads()
