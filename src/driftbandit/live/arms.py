"""The names of arms."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from driftbandit.core.errors import is_number, is_several, require, whole


def labels_of(arms: Any) -> list[Any]:
    """Return the names of arms, given as such or by their number, or raise."""
    if is_number(arms):
        return list(range(whole("arms", arms)))
    require(is_several(arms), "arms", arms, "be a number of arms or a list of names")
    unordered = isinstance(arms, Set)
    require(not unordered, "arms", arms, "have an order, which a set has not: give a list")
    labels = list(arms)
    require(_hashable(labels), "arms", labels, "hold names that can be looked up")
    require(len(labels) > 0, "arms", labels, "hold at least one arm")
    require(len(set(labels)) == len(labels), "arms", labels, "be different from each other")
    return labels


def _hashable(labels: list[Any]) -> bool:
    """Say whether all names can be looked up: not lists, nor tuples that hold some."""
    try:
        for label in labels:
            hash(label)
    except TypeError:
        return False
    return True
