"""Who is drawn how: a policy keeps its colour, no two look alike, and most eyes can tell."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import rcsetup
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

import driftbandit as db
from driftbandit import figures
from driftbandit.core.errors import InputError
from driftbandit.figures import looks

# Machado, Oliveira & Fernandes 2009: how linear RGB is seen without one kind of cone.
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def lab(color: str, eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of a colour as an eye sees it, under D65."""
    coded = np.array(to_rgb(color))
    light = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    xyz = to_xyz @ np.clip(eye @ light, 0.0, 1.0) / np.array([0.95047, 1.0, 1.08883])
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eye", EYES)
def test_colour_blind_eyes_can_tell_all_colours(eye: str) -> None:
    for one, two in itertools.combinations(looks.PALETTE, 2):
        distance = np.linalg.norm(lab(one, EYES[eye]) - lab(two, EYES[eye]))
        assert distance > 15.0, (one, two)


def test_in_grey_lines_with_the_same_dashes_differ_in_lightness() -> None:
    lines = list(looks.lines(["D-UCB", "SW-UCB", "UCB-1", "EXP3.S", *"abcde"]).values())
    assert {line.color for line in lines} == set(looks.PALETTE)
    for one, two in itertools.combinations(lines, 2):
        lightness = [lab(line.color, EYES["all cones"])[0] for line in (one, two)]
        assert one.dashes != two.dashes or abs(lightness[0] - lightness[1]) > 15.0


@pytest.mark.parametrize("number", [2, 9, 12, 40, 200])
def test_no_two_policies_look_alike(number: int) -> None:
    lines = looks.lines([*list(looks.OWN)[:9], *(f"window {w}" for w in range(number))])
    assert len(set(lines.values())) == number + 9
    few = looks.lines(f"window {w}" for w in range(9))
    assert len({line.color for line in few.values()}) == 9


def test_a_policy_keeps_its_colour_from_picture_to_picture() -> None:
    own = looks.lines(itertools.islice(looks.OWN, 9))
    for label, line in own.items():
        assert looks.lines([label, "mine", "another"])[label] == line
    assert [line.color for line in own.values()] == list(looks.PALETTE)
    mine = looks.lines(["mine"])["mine"]
    assert mine.color not in looks.PALETTE[: looks.PAPER]
    assert looks.lines(["UCB-1", "D-UCB", "SW-UCB", "EXP3.S", "mine"])["mine"] == mine


def test_the_order_of_policies_does_not_matter() -> None:
    labels = ["UCB-1", *(f"window {w}" for w in range(20))]
    assert looks.lines(labels) == looks.lines(reversed(labels))


def test_a_paper_sets_its_colours_once() -> None:
    labels = [f"window {w}" for w in range(9)]
    colors = figures.colors(labels)
    alone = [looks.lines([label], colors)[label].color for label in labels]
    assert alone == list(colors.values())
    assert len(set(alone)) == 9
    named = looks.lines(["UCB-1", "D-UCB", "mine"], {"mine": looks.BLUE.lower(), "absent": "C3"})
    assert named["mine"].color == looks.BLUE
    assert named["D-UCB"].color != looks.BLUE
    same = looks.lines(["one", "two"], {"one": "red", "two": "red"})
    assert len(set(same.values())) == 2
    with pytest.raises(InputError, match="the colour of 'mine' must be one of matplotlib's, got"):
        looks.lines(["mine"], {"mine": "ultra-violet"})


def test_panels_share_their_colours() -> None:
    world = db.environments.two_swaps(100)
    windows = [db.SlidingWindowUCB(w, label=f"window {w}") for w in range(5, 17)]
    first, second = (db.simulate(part, world, runs=2) for part in (windows[:9], windows[3:]))
    figure = figures.regrets({"first": first, "second": second})
    drawn = [
        {line.get_label(): line.get_color() for line in axes.get_lines()} for axes in figure.axes
    ]
    for label in set(first.labels) & set(second.labels):
        assert drawn[0][label] == drawn[1][label]
    (legend,) = figure.legends  # twelve rows would hide the curves
    assert {text.get_text() for text in legend.get_texts()} == {*first.labels, *second.labels}


def test_colours_of_the_user_s_cycle_and_texts_are_used() -> None:
    with mpl.rc_context({"axes.prop_cycle": rcsetup.cycler(color=["#111111", "#AAAAAA"])}):
        lines = looks.lines(["D-UCB", "SW-UCB", "mine"])
        assert [lines["D-UCB"].color, lines["SW-UCB"].color] == ["#111111", "#AAAAAA"]
        assert len(set(lines.values())) == 3
    with mpl.rc_context({"text.color": "white"}):
        assert looks.lines(["Auto"])["Auto"].color == looks.arm_line(0).color == "#FFFFFF"
        assert looks.ink()[:3] == looks.shade()[:3] == (1.0, 1.0, 1.0)
