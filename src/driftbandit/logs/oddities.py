"""What is odd about a log though no row is bad: names that look alike, and times far apart."""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from driftbandit.logs.result import duration
from driftbandit.logs.survey import Survey

MOST_NAMED = 3
"""Groups of names that a sentence lists."""

LEAST_ROWS = 50
FEW, WIDE = 0.01, 0.5
"""A gap is odd that takes this much of the span, and has less than a few of the rows beside it."""

ODD = "Mind: "
"""How sentences on oddities begin, which a report repeats at its head."""


def oddities(survey: Survey, arms: Sequence[Any]) -> list[str]:
    """Return a sentence for each thing that is odd."""
    return [f"{ODD}{text}" for text in (*_on_names(arms), *_on_times(survey))]


def _on_names(arms: Sequence[Any]) -> list[str]:
    alike = defaultdict(list)
    for arm in arms:
        alike[_essence(str(arm))].append(repr(arm))
    pairs = [" and ".join(names) for names in alike.values() if len(names) > 1]
    if not pairs:
        return []
    more = f", and {len(pairs) - MOST_NAMED:,} more" if len(pairs) > MOST_NAMED else ""
    return [
        f"{', '.join(pairs[:MOST_NAMED])}{more} count as different arms, though their names look "
        "alike."
    ]


def _essence(name: str) -> str:
    """Return what is left of a name without case, blanks, and ways to write letters and numbers.

    >>> _essence("Red "), _essence("1.0"), _essence("01"), _essence("nan")
    ('red', '1', '1', 'nan')
    """
    text = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return text
    return f"{number:.17g}" if math.isfinite(number) else text


def _on_times(survey: Survey) -> list[str]:
    span, rows, gap = survey.end - survey.start, survey.good, survey.widest
    if rows < LEAST_ROWS or gap is None:
        return []
    if span == 0.0:
        return [
            "all rows have the same time and are taken in their order: paces, seasons and "
            "memories in time mean nothing."
        ]
    beside = min(gap.before, rows - gap.before)
    if gap.width < WIDE * span or beside > FEW * rows:
        return []
    where = "first" if gap.before == beside else "last"
    lie = "row lies" if beside == 1 else f"{beside:,} rows lie"
    return [
        f"the {where} {lie} {duration(gap.width)} apart from all others, most of the span of the "
        "log: what counts time, such as paces and default memories, counts that."
    ]
