"""Pictures: what they show, how they are written, and that they leave no trace elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import image
from matplotlib.figure import Figure

import driftbandit as db
from driftbandit import figures
from driftbandit.core.errors import InputError
from driftbandit.core.statistics import bounds
from driftbandit.figures import backend
from shared_results import evidence, small


def curve(figure: Figure, label: str, place: int = 0) -> tuple[np.ndarray, np.ndarray]:
    lines = {line.get_label(): line for line in figure.axes[place].get_lines()}
    return np.asarray(lines[label].get_xdata()), np.asarray(lines[label].get_ydata())


def test_regret_draws_the_means_from_zero(tmp_path: Path) -> None:
    result = small()
    figure = figures.regret(result, tmp_path / "regret.png")
    times, means = curve(figure, "SW-UCB")
    assert times.tolist() == [0, *result.times]
    np.testing.assert_allclose(means, [0, *result["SW-UCB"].regret.mean(axis=0)])
    assert image.imread(tmp_path / "regret.png").shape == (640, 1024, 4)


def test_regret_bands_are_95_percent_intervals() -> None:
    world = db.environments.two_swaps(200)
    result = db.simulate([db.UCB1(), db.SlidingWindowUCB(20)], world, runs=30)
    figure = figures.regret(result)
    regret = result["UCB-1"].final_regret
    low, high = bounds(regret)
    corners = [
        np.asarray(path.vertices, dtype=np.float64)
        for band in figure.axes[0].collections
        for path in band.get_paths()
    ]
    spans = [float(np.ptp(ends[np.isclose(ends[:, 0], result.horizon), 1])) for ends in corners]
    assert min(abs(span - float(high - low)) for span in spans) < 1e-3


def test_one_run_has_no_band_and_no_warning() -> None:
    (axes,) = figures.regret(small(runs=1)).axes
    assert axes.get_title("left") == "mean of 1 run, too few for bands"


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_same_picture_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for path in paths:
        figures.regret(small(), path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert b"<dc:date>" not in first


def test_two_panels_show_the_paper_s_rows(tmp_path: Path) -> None:
    experiments = evidence()
    figure = figures.two_panels([experiments.abrupt, experiments.continuous], tmp_path / "figure")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.png", "figure.svg"]
    assert image.imread(tmp_path / "figure.png").shape == (1184, 1216, 4)
    assert len(figure.axes) == 6
    left, right = figure.axes[0], figure.axes[1]
    assert [line.get_label() for line in left.get_lines()] == ["arm 1", "arm 2", "arm 3"]
    assert len(right.patches) == 4, "arm 1 is best in four stretches of three cycles"
    _, shares = curve(figure, "D-UCB", place=2)
    np.testing.assert_allclose(shares, experiments.abrupt["D-UCB"].play_share[:, 0])
    _, regrets = curve(figure, "UCB-1", place=5)
    assert regrets[-1] == pytest.approx(experiments.continuous["UCB-1"].final_regret.mean())


def test_a_world_shows_its_means_and_its_best_arm(tmp_path: Path) -> None:
    world = db.environments.two_swaps()
    figure = world.plot(tmp_path / "world.png", horizon=6000)
    times, means = curve(figure, "arm 2")
    assert means[np.searchsorted(times, 4000)] == 0.9
    assert [text.get_text() for text in figure.axes[1].texts] == ["0", "2", "0"]
    assert (tmp_path / "world.png").exists()


def test_a_crowded_world_becomes_a_map() -> None:
    many = db.environments.Brownian(arms=20).plot(horizon=300, seed=3, run=2)
    assert many.axes[0].get_ylabel() == "arm"
    met = db.environments.Brownian(arms=20).realise(300, seed=3, run=2).mean_rewards(1, 300)
    np.testing.assert_allclose(np.asarray(many.axes[0].get_images()[0].get_array()), met.T)


def test_drawing_leaves_matplotlib_as_it_was() -> None:
    before = dict(mpl.rcParams)
    figures.regret(small())
    assert dict(mpl.rcParams) == before


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        figures.regret(small(), tmp_path / "file" / "regret.png")
    with pytest.raises(InputError, match=r"suffix must be one of .*, got '\.bogus'"):
        figures.regret(small(), tmp_path / "regret.bogus")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_pyplot_is_never_loaded() -> None:
    code = (
        "import sys, driftbandit as db; db.environments.two_swaps().plot(horizon=100);"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["nonsense", "module://not.installed", "svg"])
def test_a_backend_of_the_screen_does_not_matter(tmp_path: Path, name: str) -> None:
    code = "import driftbandit as db; db.environments.two_swaps(100).plot('world.png')"
    environment = {**os.environ, "MPLBACKEND": name}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "world.png").stat().st_size > 0


@pytest.mark.parametrize("chosen", [False, True], ids=["home", "MPLCONFIGDIR"])
def test_a_home_that_cannot_be_written_to_does_not_matter(chosen: bool, tmp_path: Path) -> None:
    code = (
        "import os, driftbandit as db; db.environments.two_swaps(100).plot('world.png');"
        "print(os.environ.get('MPLCONFIGDIR'))"
    )
    (tmp_path / "blocked").write_text("a file, so that no folder can be made below it")
    environment = {**os.environ, "HOME": str(tmp_path / "blocked"), "TMPDIR": str(tmp_path)}
    for name in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        environment.pop(name, None)
    if chosen:
        environment |= {"HOME": str(tmp_path), "MPLCONFIGDIR": str(tmp_path / "blocked" / "mine")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.strip() == str(environment.get("MPLCONFIGDIR"))  # others are not told
    assert list(tmp_path.glob("driftbandit-*/matplotlib/fontlist*"))  # for the next process


def test_a_home_that_cannot_be_looked_into_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `docker run --user`, where HOME is still that of root."""

    def refused(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    for name in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "blocked").write_text("a file, so that no folder can be made below it")
    monkeypatch.setenv("HOME", str(tmp_path / "blocked"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Path, "exists", refused)
    settings = backend._settings()
    assert settings is not None
    assert settings.startswith(str(tmp_path))


def test_no_home_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a container's user has no entry in /etc/passwd."""
    for name in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", str)  # all that it does then
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    settings = backend._settings()
    assert settings is not None
    assert settings.startswith(str(tmp_path))


def test_breakpoints_are_marked() -> None:
    result = small()
    (axes,) = figures.regret(result).axes
    marked = {float(np.asarray(line.get_xdata())[0]) for line in axes.get_lines()}
    assert set(result.world.find_breakpoints(result.horizon)) <= marked


def test_ticks_agree() -> None:
    def ticks(figure: Figure, which: str) -> list[str]:
        figure.draw_without_rendering()
        axis = getattr(figure.axes[-1 if which == "x" else 0], f"{which}axis")
        return [label.get_text() for label in axis.get_ticklabels()]

    world = db.environments.two_swaps(100)
    assert {"0.0", "0.2", "1.0"} <= set(ticks(world.plot(), "y"))
    short = db.environments.Stationary((0.5, 0.4, 0.3)).plot(horizon=3)
    rounds = ticks(short, "x")
    assert {"0", "1", "2", "3"} <= set(rounds)
    assert len(set(rounds)) == len(rounds), "no round is named twice"
    long = small(horizon=4000)
    assert "4,000" in ticks(long.plot(), "x")


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: db.figures.regret(cast(Any, 5)), "result must be a result of simulate, got 5"),
        (lambda: db.figures.regrets(cast(Any, [5])), "results must be results by name"),
        (lambda: db.figures.regrets({"a": cast(Any, 5)}), "result 'a' must be a result of"),
        (lambda: db.figures.family(cast(Any, 5)), "results must be results by name, got 5"),
        (lambda: db.figures.two_panels([]), "results must hold at least one result"),
        (lambda: db.figures.two_panels(cast(Any, 5)), "results must be a list of results, got 5"),
        (lambda: db.figures.two_panels([small()], cast(Any, 5)), "path must name a file, got 5"),
        (
            lambda: db.figures.two_panels([small()], titles=cast(Any, [1])),
            "titles must be one text",
        ),
        (lambda: db.figures.colors(cast(Any, 5)), "labels must be a list of labels, got 5"),
        (lambda: db.figures.colors({"a", "b"}), "labels must have an order"),
        (lambda: small().plot(colors=cast(Any, np.zeros(3))), "colors must be a mapping"),
        (lambda: db.figures.world(cast(Any, 5)), "world must be a world of"),
        (lambda: db.environments.two_swaps(50).plot(seed=cast(Any, None)), "seed must be a whole"),
        (lambda: db.environments.two_swaps(50).plot(run=-1), "run must be a whole number"),
        (lambda: db.figures.band(cast(Any, 5)), "band must be a band of"),
        (lambda: db.figures.arena(cast(Any, 5)), "result must be a result of arena"),
        (lambda: db.figures.tuning(cast(Any, 5)), "tuned must be a result of tune"),
        (lambda: db.figures.growth(cast(Any, 5)), "measured must be a result of growth"),
    ],
)
def test_what_cannot_be_drawn_is_named(draw: Callable[[], object], words: str) -> None:
    with pytest.raises(db.InputError, match=words):
        draw()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"figure.figsize": (-1.0, 5.0)}, "figure.figsize of matplotlib must be positive, got "),
        ({"figure.figsize": (1e9, 1e9)}, "cannot draw .*regret.png: .*; the size of a figure"),
        ({"figure.dpi": 0.0}, "cannot draw .*regret.png: .*; the size of a figure comes from"),
        ({"savefig.bbox": "tight", "savefig.pad_inches": -50.0}, "cannot draw .*regret.png: "),
    ],
)
def test_settings_without_a_size_are_named(
    tmp_path: Path, settings: dict[Any, Any], words: str
) -> None:
    result = small()
    with mpl.rc_context(settings), pytest.raises(db.InputError, match=words):
        result.plot(tmp_path / "regret.png")
    assert list(tmp_path.iterdir()) == []


def test_a_font_that_is_missing_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    result = small()
    for _ in range(2):
        with mpl.rc_context({"font.family": "no such font"}):
            result.plot(tmp_path / "regret.png")
        lines = [record.getMessage() for record in caplog.records]
        assert lines == ["findfont: Font family 'no such font' not found."]
        caplog.clear()


def test_a_program_that_a_format_needs_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(db.InputError, match=r"cannot draw .*regret.pgf: .*xelatex.* not found"):
        small().plot(tmp_path / "regret.pgf")
    assert list(tmp_path.iterdir()) == []
