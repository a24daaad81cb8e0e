"""Values one below the other, each a dot with its interval on a common scale."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

from driftbandit.logs.report.units import Units


class Rung(NamedTuple):
    """One value: of what, a word beside the name, and the kind that gives it its colour."""

    name: str
    note: str
    kind: str
    """"", "tie" or "logged"."""
    value: float
    low: float
    high: float


def ladder_of(rungs: Sequence[Rung], reference: float, units: Units) -> str:
    """Return the values that are known as HTML; a dashed line marks the reference."""
    known = [rung for rung in rungs if not math.isnan(rung.value)]
    ends = [end for rung in known for end in rung[3:] if not math.isnan(end)]
    ends += [] if math.isnan(reference) else [reference]
    least, room = min(ends, default=0.0), (max(ends, default=1.0) - min(ends, default=0.0)) or 1.0

    def place(value: float) -> float:
        return 2.0 + 96.0 * (value - least) / room

    lines = [_line(rung, place(reference), units, *map(place, rung[3:])) for rung in known]
    return f'<div class="ladder">{"".join(lines)}</div>' if lines else ""


def _line(rung: Rung, reference: float, units: Units, value: float, low: float, high: float) -> str:
    """Return one rung, with places on the scale in percent of its width."""
    words, bar, mark = f"{rung.name}: {units.say(rung.value)}", "", ""
    if not math.isnan(low):
        words += f", between {units.between(rung.low, rung.high)}"
        bar = f'<i style="left:{low:.2f}%;width:{high - low:.2f}%"></i>'
    if not math.isnan(reference):
        mark = f'<u style="left:{reference:.2f}%"></u>'
    note = f"<small>{html.escape(rung.note)}</small>" if rung.note else ""
    dot = f'<b style="left:{value:.2f}%"></b>'
    return (
        f'<div class="rung {rung.kind}"><div class="name">{html.escape(rung.name)}{note}</div>'
        f'<div class="range" tabindex="0" title="{html.escape(words)}">{mark}{bar}{dot}</div>'
        f'<div class="number">{html.escape(units.say(rung.value))}</div></div>\n'
    )
