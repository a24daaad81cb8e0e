"""What libraries read from their surroundings as they are imported, checked before they stumble."""

from __future__ import annotations

import contextlib
import os
import re

from driftbandit.core.errors import InputError, require

VARIABLES = {
    "NUMBA_NUM_THREADS": 1,
    "POLARS_MAX_THREADS": 1,
    "SOURCE_DATE_EPOCH": 0,
    "DRIFTBANDIT_SMALL_JOB": 0,
}
"""Variables of the environment that hold a whole number, and the least that is allowed."""

DIGITS = re.compile("[0-9]{1,18}")

LEAST_MEMORY = 3 * 2**29
"""Bytes of addresses below which Numba, Polars and OpenBLAS do not load on two cores."""


def check_variables() -> None:
    """Raise if a variable that the environment sets is no such number.

    >>> check_variables()
    """
    for variable, least in VARIABLES.items():
        text = os.environ.get(variable, str(least)).strip()
        fits = DIGITS.fullmatch(text) is not None and int(text) >= least
        allowed = f"be a whole number of at least {least}"
        require(fits, f"the environment variable {variable}", text, allowed)


def check_memory() -> None:
    """Raise if the process may have too little memory; libraries abort where they get none.

    >>> check_memory()
    """
    with contextlib.suppress(ImportError):  # there is no such limit on Windows
        import resource  # noqa: PLC0415  # not on every system

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if 0 <= limit < LEAST_MEMORY:
            raise InputError(
                "the limit on memory (ulimit -v) must be at least "
                f"{LEAST_MEMORY // 1024:,} kB, got {limit // 1024:,} kB"
            )


check_variables()
check_memory()
