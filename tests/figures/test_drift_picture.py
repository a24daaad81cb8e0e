"""The picture of a log's drift: a panel per arm, with what was found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import driftbandit as db
from driftbandit import figures
from logs.simulated import drawn


def test_a_panel_per_arm_shows_rate_band_level_and_changes(tmp_path: Path) -> None:
    drift = drawn("jump", 3_000, 0).log.drift()
    figure = drift.plot(tmp_path / "drift.png")
    assert (tmp_path / "drift.png").stat().st_size > 10_000
    assert [axes.get_ylabel() for axes in figure.axes] == ["a", "b", "c"]
    assert [axes.get_title(loc="right") for axes in figure.axes] == ["drift", "drift", "still"]
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["band", "rate", "level and season", "change"]
    level = next(line for line in figure.axes[0].lines if line.get_label() == "level and season")
    (change,) = drift["a"].changes
    assert np.asarray(level.get_ydata())[[0, -1]].tolist() == [change.before, change.after]


def test_a_season_is_a_wave_and_arms_can_be_chosen() -> None:
    drift = drawn("season", 3_000, 0).log.drift()
    figure = drift.plot(arms=["b"])
    (axes,) = figure.axes
    wave = next(line for line in axes.lines if line.get_label() == "level and season")
    assert float(np.ptp(np.asarray(wave.get_ydata()))) == pytest.approx(0.5, abs=0.12)


def test_what_cannot_be_drawn() -> None:
    drift = drawn("still", 200, 0).log.drift()
    with pytest.raises(db.InputError, match=r"arms must be 1 to 8 arms of the log, got \['d'\]"):
        drift.plot(arms=["d"])
    with pytest.raises(db.InputError, match=r"drift must be an answer of Log\.drift"):
        figures.drift(3)  # type: ignore[arg-type]  # what is refused
