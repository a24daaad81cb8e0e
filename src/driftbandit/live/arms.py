"""The names of arms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from driftbandit.core.arrays import listed
from driftbandit.core.errors import is_number, require, whole

MOST = 1_000_000
"""The largest number of arms: an agent keeps a dozen numbers of each."""


def arms_of(arms: Any) -> list[Any]:
    """Return the names of arms, given as such or by their number, or raise."""
    if is_number(arms):
        return list(range(whole("arms", arms, most=MOST)))
    return names_of("arms", arms, "be a number of arms or a list of names")


def names_of(name: str, arms: Any, allowed: str) -> list[Any]:
    """Return the names in a list, which are all different, or raise."""
    names = list(map(plain_name, listed(name, arms, allowed)))
    require(all(map(is_name, names)), name, names, "hold names that can be looked up")
    require(len(names) > 0, name, names, "hold at least one arm")
    require(len(set(names)) == len(names), name, names, "be different from each other")
    return names


def plain_name(name: Any) -> Any:
    """Return a name; where it is one of NumPy or PyArrow, the one of Python that equals it.

    >>> plain_name(np.int64(3)), plain_name(np.str_("red"))
    (3, 'red')
    """
    if isinstance(name, np.integer | np.str_ | np.floating | np.bool_):
        return name.item()
    return name.as_py() if type(name).__module__ == "pyarrow.lib" else name


def is_name(value: Any) -> bool:
    """Say whether a name can be looked up: lists cannot, nor tuples that hold some, nor NaN."""
    try:
        hash(value)
        return bool(value == value)  # noqa: PLR0124  # what does not equal itself is lost
    except Exception:  # an object of a user may do anything
        return False


def is_json(name: Any) -> bool:
    """Say whether JSON can hold a name, so that what is read back is equal to it."""
    if isinstance(name, int):
        return name.bit_length() <= 1_000  # longer ones are not written in decimal
    return isinstance(name, str) or (isinstance(name, float) and math.isfinite(name))
