"""The picture of what looking back costs and buys: what it shows is what was measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars
import pytest

import driftbandit as db
from benchmarks import vigilance
from benchmarks.pages import DOCS

PAGE = DOCS / "families" / "auto.md"
PLACES = {"_low": 0.9, "": 1.0, "_high": 1.2}
"""The ends of an interval over the mean."""


def row(label: str, still: float, rise: float, value: float | None = None) -> dict[str, object]:
    """Return a policy's row of the regrets."""
    means = {"still": still, "rise": rise}
    ends = {f"{name}{end}": by * mean for name, mean in means.items() for end, by in PLACES.items()}
    return {"policy": label, "vigilance": value, **ends}


def made_up() -> polars.DataFrame:
    """Return regrets of all policies of the picture."""
    auto = [row(each.label, 20.0 + 300.0 * each.vigilance, 900.0, each.vigilance)
            for each in vigilance.AUTO]  # fmt: skip  # one look
    return polars.DataFrame([*auto, *(row(each.label, 200.0, 400.0) for each in vigilance.RIVALS)])


def test_the_picture_has_every_policy_and_every_vigilance(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    (axes,) = vigilance.draw(made_up(), path).axes
    assert path.stat().st_size > 10_000
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    texts = {text.get_text() for text in axes.texts}
    assert {"vigilance 0", "0.05", "0.1", "0.2, the default", "0.4", "0.8", "Auto"} < texts
    assert {each.label.partition(" (")[0] for each in vigilance.RIVALS} < texts


def test_intervals_reach_from_the_means_to_their_ends() -> None:
    ends = vigilance.ends(polars.DataFrame([row("one", 10.0, 100.0)]), "rise")
    np.testing.assert_allclose(ends, [[10.0], [20.0]])


def test_half_the_regret_without_a_rise_doubles_the_bound() -> None:
    small, large = vigilance.least(np.array([10.0, 20.0]))
    assert small == pytest.approx(2.0 * large, rel=0.01)


def test_both_worlds_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a policy and a world that other tests compile anyway."""
    worlds = {"still": db.environments.two_swaps(400), "rise": db.environments.two_swaps(800)}
    for name, value in {"AUTO": (), "RIVALS": (db.UCB1(),), "WORLDS": worlds, "T": 400}.items():
        monkeypatch.setattr(vigilance, name, value)
    monkeypatch.setattr(vigilance, "RUNS", 16)
    (measured,) = vigilance.regrets().to_dicts()
    for name, world in worlds.items():
        (mean,) = db.simulate(db.UCB1(), world, 400, 16).summary().policies["mean"]
        assert measured[name] == pytest.approx(mean)
        assert measured[f"{name}_low"] < mean < measured[f"{name}_high"]


def test_what_was_measured_is_what_the_page_says() -> None:
    rows = {row["policy"]: row for row in polars.read_csv(vigilance.REGRETS).to_dicts()}
    assert list(rows) == [each.label for each in (*vigilance.AUTO, *vigilance.RIVALS)]
    bound = vigilance.least(np.array([row["still"] for row in rows.values()]))
    assert all(row["rise"] > least for row, least in zip(rows.values(), bound, strict=True))
    more = rows["Auto, vigilance 0.4"]
    for told in ("GLR-klUCB", "SW-TS", "SW-UCB", "D-UCB (padding B)"):
        assert more["still_high"] < rows[told]["still_low"]
        assert more["rise_high"] < rows[told]["rise_low"]
    default = rows[f"Auto, vigilance {vigilance.DEFAULT:g}"]
    means = [f"{row[world]:.0f}" for row in (rows["SW-TS"], default) for world in ("rise", "still")]
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "SW-TS has {} where the arm rises and {} where".format(*means[:2]) in page
    assert "Auto by default {} and {}.".format(*means[2:]) in page


def test_the_page_has_the_picture() -> None:
    assert f"](../figures/{vigilance.PICTURE.name})" in PAGE.read_text(encoding="utf-8")
    assert vigilance.PICTURE.exists()
