"""The picture of a band: names, dates, and a range of its own."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest
from matplotlib.dates import num2date
from matplotlib.figure import Figure

import driftbandit as db
from driftbandit.core.errors import InputError

ROUNDS = 2_000
START = np.datetime64("2024-03-01")
HOURS = START + np.arange(ROUNDS) * np.timedelta64(1, "h")


def rare_clicks(arms: int = 2) -> db.theory.Band:
    """A band around rates of 0.06, 0.12, …"""
    luck = np.random.default_rng(0).random((ROUNDS, arms))
    rewards = (luck < 0.06 * np.arange(1, arms + 1)).astype(float)
    return db.theory.confidence_band(rewards, discount=0.999)


def test_arms_have_names() -> None:
    figure = rare_clicks().plot(names=["red", "5 $"])
    assert [axes.get_ylabel() for axes in figure.axes] == ["red", r"5 \$"]
    assert [axes.get_ylabel() for axes in rare_clicks().plot().axes] == ["arm 0", "arm 1"]
    assert rare_clicks(1).plot(names="red").axes[0].get_ylabel() == "red"
    with pytest.raises(InputError, match=r"names must be one per arm: 2, got \['red'\]"):
        rare_clicks().plot(names=["red"])


@pytest.mark.parametrize(
    "times",
    [
        HOURS,
        HOURS.astype(str),
        HOURS.astype("datetime64[us]").tolist(),
        [moment.replace(tzinfo=datetime.UTC) for moment in HOURS.astype("datetime64[us]").tolist()],
    ],
    ids=["datetime64", "texts", "datetimes", "with a time zone"],
)
def test_rounds_with_times_stand_at_their_dates(times: Any) -> None:
    axes = rare_clicks().plot(times=times).axes[-1]
    first, last = (num2date(end) for end in axes.get_xlim())  # type: ignore[no-untyped-call]  # matplotlib's
    assert first == datetime.datetime(2024, 3, 1, tzinfo=datetime.UTC)
    assert abs(last - first - datetime.timedelta(hours=ROUNDS - 1)) < datetime.timedelta(minutes=1)
    assert "Apr" in [label.get_text() for label in axes.get_xticklabels()]
    assert axes.get_xlabel() == ""


def test_times_may_be_numbers() -> None:
    axes = rare_clicks().plot(times=np.linspace(5.0, 9.0, ROUNDS)).axes[-1]
    assert axes.get_xlim() == (5.0, 9.0)
    assert axes.get_xlabel() == "time"


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (HOURS[:-1], "shape of times must be"),
        (HOURS[::-1], "times must never go back"),
        (np.where(np.arange(ROUNDS) < ROUNDS - 1, HOURS, np.datetime64("NaT")), "none may be"),
        (np.where(np.arange(ROUNDS) > 0, 1.0, np.nan), "none may be missing"),
        (["noon"] * ROUNDS, "times must be dates or numbers"),
        ([None] * ROUNDS, "times must be dates or numbers"),
    ],
)
def test_times_that_are_none_are_refused(times: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rare_clicks().plot(times=times)


def test_the_range_is_that_of_the_band_once_it_says_something() -> None:
    band = rare_clicks()
    panels = band.plot().axes
    low, high = panels[0].get_ylim()
    assert panels[1].get_ylim() == (low, high), "arms can be compared"
    assert high < 0.6, "a range for [0, 1] would hide it"
    later = slice(ROUNDS // 4, None)
    assert low <= band.low[later].min()
    assert high >= band.high[later].max()
    far = band.plot(truth=np.full((ROUNDS, 2), 0.9)).axes[0].get_ylim()
    assert far[1] > 0.9, "the truth is always seen"


def test_a_band_that_says_nothing_has_the_whole_range() -> None:
    nothing = db.theory.confidence_band([np.nan, np.nan], discount=0.9, bound=5.0)
    assert nothing.plot().axes[0].get_ylim() == pytest.approx((-0.1, 5.1))


def test_several_arms_are_drawn_on_axes_of_yours() -> None:
    figure = Figure()
    panels = figure.subplots(2)
    assert rare_clicks().plot(ax=panels) is figure
    assert all(axes.has_data() for axes in panels)


def test_names_times_and_truth_are_refused_by_name() -> None:
    band = rare_clicks()
    wrong: list[tuple[str, Any]] = [
        ("names", 5),
        ("names", {"red", "blue"}),
        ("names", [None, None]),
        ("times", [[1, 2], [3]]),
        ("truth", "high"),
        ("truth", [[0.5], [0.5, 0.5]]),
        ("truth", np.ma.array(band.mean, mask=True)),
    ]
    for name, value in wrong:
        with pytest.raises(InputError, match=f"^(the shape of )?{name} must "):
            band.plot(**{name: value})
