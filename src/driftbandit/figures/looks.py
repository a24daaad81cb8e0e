"""Who is drawn how: colours, dashes and marks of policies and arms."""

from __future__ import annotations

import collections
import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import matplotlib as mpl
from matplotlib.colors import is_color_like, to_hex, to_rgba

from driftbandit.core.arrays import listed
from driftbandit.core.errors import require

Dashes = str | tuple[int, tuple[float, ...]]
Color = str | tuple[float, float, float, float]


class Line(NamedTuple):
    """A colour, a dash pattern and a mark: together they distinguish curves, in grey too."""

    color: str
    dashes: Dashes
    mark: str = ""


# Okabe & Ito's colours, with brown and violet for yellow: colour-blind eyes can distinguish them.
BLUE, GREEN, VERMILION, PURPLE = "#0072B2", "#009E73", "#D55E00", "#B5578A"
SKY, ORANGE, BROWN, VIOLET, BLACK = "#56B4E9", "#E69F00", "#775533", "#6611CC", "#222222"
GREY = "#8C8C8C"

SOLID: Dashes = "solid"
LONG: Dashes = (0, (7.0, 2.0))
SHORT: Dashes = (0, (3.0, 1.6))
DOTS: Dashes = (0, (1.0, 1.4))
DASHDOT: Dashes = (0, (6.0, 1.6, 1.2, 1.6))

PALETTE = (BLUE, GREEN, VERMILION, PURPLE, SKY, ORANGE, BROWN, VIOLET, BLACK)
DASHES = (SOLID, LONG, SHORT, DASHDOT, DOTS)
MARKS = ("", "o", "s", "^", "D", "v", "P", "X")
"""Where a colour serves for the second time, its curve has another dash and a mark."""

OWN = {
    **{"D-UCB": 0, "SW-UCB": 1, "UCB-1": 2, "EXP3.S": 3, "D-UCB (padding B)": 4},
    **{"KL-UCB": 5, "GLR-klUCB": 6, "Thompson": 7, "Auto": 8},
    **{"D-LinUCB": 0, "SW-LinUCB": 1, "LinUCB": 2},
}
"""Places in the palette of the best-known labels; linear policies have those of their cousins."""
PAPER = 5
"""The first so many colours are the paper's policies': others take them last."""

ARMS = (
    Line(BLACK, SOLID),
    Line(ORANGE, SHORT),
    Line(GREY, LONG),
    Line(SKY, DASHDOT),
    Line(VERMILION, SOLID),
    Line(GREEN, SHORT),
    Line(PURPLE, LONG),
    Line(BLUE, DASHDOT),
)
"""The lines of arms; the first colours are not those of the paper's policies."""


def lines(labels: Iterable[str], colors: Mapping[str, str] | None = None) -> dict[str, Line]:
    """Return the line of every label, the same whatever their order; no two are alike.

    A label has the colour that `colors` names, its own, or the first that is free in an order which
    follows from the label. So a policy keeps its colour from picture to picture, unless another one
    in the picture has it.

    >>> lines(["UCB-1", "mine"])["UCB-1"].color == VERMILION
    True
    """
    wanted = _wanted({} if colors is None else colors)
    names, used, looks = _names(labels), collections.Counter[str](), {}
    for name in sorted(names, key=lambda name: (name not in wanted, _place(name), name)):
        choices = [wanted[name]] if name in wanted else _preferences(name)
        color = min(choices, key=lambda choice: used[choice])
        looks[name] = _line(color, used[color])
        used[color] += 1
    return {name: looks[name] for name in names}


def colors(labels: Iterable[str]) -> dict[str, str]:
    """Return the colour of every label if all of them were in one picture.

    Pass it as `colors` to every plot of a paper, and each policy has one colour throughout.

    >>> colors(["SW-UCB", "mine"])["SW-UCB"]
    '#009E73'
    """
    return {label: line.color for label, line in lines(labels).items()}


def arm_line(arm: int) -> Line:
    """Return the line of an arm: eight differ."""
    line = ARMS[arm % len(ARMS)]
    return line._replace(color=_visible(line.color))


def ink() -> Color:
    """Return the colour of texts: nearly black, or the user's `text.color` if it was changed.

    >>> ink() == to_rgba(BLACK)
    True
    """
    return to_rgba(_visible(BLACK))


def muted() -> Color:
    """Return the colour of words that say little."""
    return to_rgba(_visible(BLACK), 0.78)


def shade() -> Color:
    """Return the colour of shaded stretches."""
    return to_rgba(_visible(BLACK), 0.07)


def _visible(color: str) -> str:
    """Return the colour, but the user's colour of texts in place of black if it was changed."""
    text = mpl.rcParams["text.color"]
    return _hex(text) if color == BLACK and text != mpl.rcParamsDefault["text.color"] else color


def _palette() -> list[str]:
    """Return the colours of curves: the user's `axes.prop_cycle` if it was changed, or ours."""
    cycle = mpl.rcParams["axes.prop_cycle"]
    theirs = list(dict.fromkeys(_hex(color) for color in cycle.by_key().get("color", ())))
    changed = cycle != mpl.rcParamsDefault["axes.prop_cycle"]
    return theirs if changed and theirs else [_visible(color) for color in PALETTE]


def _preferences(label: str) -> list[str]:
    """Return all colours, the label's own first, the paper's last."""
    palette, own = _palette(), OWN.get(label)

    def order(place: int) -> tuple[bool, bool, bytes]:
        text = f"{place} {label}".encode()
        return place != own, place < PAPER, hashlib.sha256(text).digest()

    places = range(len(palette))
    own = None if own is None else own % len(palette)
    return [palette[place] for place in sorted(places, key=order)]


def _line(color: str, earlier: int) -> Line:
    """Return the line of a label whose colour `earlier` others have in the same picture."""
    palette = _palette()
    first = palette.index(color) if color in palette else 0
    marks, dashes = len(MARKS), len(DASHES)
    dash = (first + earlier + earlier // marks) % dashes
    return Line(color, DASHES[dash], MARKS[earlier % marks])


def _place(label: str) -> int:
    return OWN.get(label, len(OWN))


def _names(labels: Iterable[str]) -> list[str]:
    names = listed("labels", labels, "be a list of labels")
    for name in names:
        require(isinstance(name, str), "labels", name, "hold texts only")
    return names


def _wanted(colors: Mapping[str, str]) -> dict[str, str]:
    require(isinstance(colors, Mapping), "colors", colors, "be a mapping from labels to colours")
    for label, color in colors.items():
        require(is_color_like(color), f"the colour of {label!r}", color, "be one of matplotlib's")
    return {label: _hex(color) for label, color in colors.items()}


def _hex(color: str) -> str:
    """Return a colour as six digits, so that equal ones compare equal."""
    return to_hex(color).upper()
