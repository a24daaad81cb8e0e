"""The arena: its numbers by hand, its luck, its files."""

from __future__ import annotations

import functools
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib import image
from scipy import stats

import driftbandit as db
from driftbandit import environments
from driftbandit.core.statistics import bounds
from driftbandit.studies.arena import LINEUP, RANKED, Arena, changes
from driftbandit.studies.arena.significance import holm, student

PROBLEMS = {
    "swap": environments.Piecewise([101], [[0.9, 0.2, 0.1], [0.1, 0.2, 0.9]], horizon=300),
    "still": environments.Piecewise([], [[0.5, 0.3, 0.4]], horizon=200),
}
POLICIES = {
    "never forgets": db.UCB1(),
    "forgets": lambda world, T: db.SlidingWindowUCB(T // 4),
    "uniform": db.Uniform(),
}


@functools.cache
def small() -> Arena:
    return db.arena(POLICIES, PROBLEMS, runs=64, seed=3, repeats=1)


def test_student_is_scipys_paired_t_test() -> None:
    rng = np.random.default_rng(0)
    for n, shift in itertools.product((2, 5, 40, 2_000), (0.0, 0.1, 1.0)):
        one, two = rng.normal(size=n), rng.normal(size=n) + shift
        assert student(one - two) == pytest.approx(stats.ttest_rel(one, two).pvalue, rel=1e-9)
    assert student(np.zeros(5)) == 1.0
    assert student(np.full(5, 2.0)) == 0.0


def test_holm_by_hand() -> None:
    assert holm([]) == []
    assert holm([0.2]) == [0.2]
    assert holm([0.01, 0.005, 0.5, 0.6]) == pytest.approx([0.03, 0.02, 1.0, 1.0])


def test_holm_keeps_its_promise_where_nothing_differs() -> None:
    """Thirty true hypotheses: in at most 5 % of the families one of them is rejected."""
    draws = np.random.default_rng(1).uniform(size=(2_000, 30))
    wrong = np.mean([min(holm(list(row))) < 0.05 for row in draws])
    assert wrong < 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2_000)


def test_regrets_are_those_of_simulate() -> None:
    alone = db.simulate(db.SlidingWindowUCB(75), PROBLEMS["swap"], runs=64, seed=3)
    np.testing.assert_array_equal(small().regrets["swap"]["forgets"], alone["SW-UCB"].final_regret)


def test_a_rule_makes_a_policy_for_every_problem() -> None:
    result = small()
    windows = {name: result.players[name]["forgets"] for name in result.problems}
    assert windows["swap"] == db.SlidingWindowUCB(75, label="forgets")
    assert windows["still"] == db.SlidingWindowUCB(50, label="forgets")


def test_scores_by_hand() -> None:
    result = small()
    for name in result.problems:
        rows = {row["policy"]: row for row in result.scores.to_dicts() if row["problem"] == name}
        means = {label: regret.mean() for label, regret in result.regrets[name].items()}
        best = min(means, key=means.__getitem__)
        assert sorted(row["rank"] for row in rows.values()) == [1.0, 2.0, 3.0]
        assert (rows[best]["rank"], rows[best]["ratio"], rows[best]["worse"]) == (1.0, 1.0, False)
        for label, row in rows.items():
            regret, lead = result.regrets[name][label], result.regrets[name][best]
            low, high = bounds(regret)
            assert row["mean"] == pytest.approx(regret.mean())
            assert (row["low"], row["high"]) == pytest.approx((float(low), float(high)))
            assert row["ratio"] == pytest.approx(regret.mean() / lead.mean())
            assert row["difference"] == pytest.approx((regret - lead).mean())


def test_p_is_adjusted_for_all_pairs_of_all_problems() -> None:
    result = small()
    raw = {
        (name, pair): float(
            stats.ttest_rel(*(result.regrets[name][label] for label in pair)).pvalue
        )
        for name in result.problems
        for pair in itertools.combinations(result.labels, 2)
    }
    assert len(raw) == 6
    adjusted = dict(zip(raw, holm(list(raw.values())), strict=True))
    for row in result.scores.filter(pl.col("rank") > 1).to_dicts():
        means = {label: regret.mean() for label, regret in result.regrets[row["problem"]].items()}
        best = min(means, key=means.__getitem__)
        one, two = (label for label in result.labels if label in (row["policy"], best))
        assert row["p"] == pytest.approx(adjusted[row["problem"], (one, two)], rel=1e-6)
        assert row["worse"] == (row["p"] < 0.05)


def test_the_leaderboard_by_hand() -> None:
    result = small()
    board = result.leaderboard
    assert board["average_rank"].is_sorted()
    for row in board.to_dicts():
        mine = result.scores.filter(pl.col("policy") == row["policy"]).to_dicts()
        ratios = {score["problem"]: score["ratio"] for score in mine}
        assert row["average_rank"] == sum(score["rank"] for score in mine) / 2
        assert row["worst_ratio"] == max(ratios.values()) == ratios[row["worst_problem"]]
        assert row["mean_ratio"] == pytest.approx(math.sqrt(math.prod(ratios.values())))
        assert row["unbeaten"] == sum(not score["worse"] for score in mine)
        times = [result.cost[name][row["policy"]] for name in result.problems]
        assert row["ns"] == pytest.approx(sum(times) / 2)
        assert row["ns"] > 0
    assert board["policy"].to_list()[-1] == "uniform"


def test_a_policy_without_regret_makes_the_others_infinitely_worse(tmp_path: Path) -> None:
    result = db.arena([db.Oracle(), db.Uniform()], PROBLEMS, runs=4, repeats=0)
    assert result.leaderboard["worst_ratio"].to_list() == [1.0, math.inf]
    assert result.leaderboard["ns"].to_list() == [None, None]
    result.save(tmp_path)
    document = json.loads((tmp_path / "arena.json").read_text(encoding="utf-8"))
    assert document["leaderboard"][1]["worst_ratio"] is None


def test_equal_policies_share_their_rank_and_neither_is_worse() -> None:
    twins = {"one": db.UCB1(), "two": db.UCB1()}
    result = db.arena(twins, {"swap": PROBLEMS["swap"]}, runs=8, repeats=0)
    assert result.scores["rank"].to_list() == [1.5, 1.5]
    assert result.scores["p"].to_list() == [1.0, 1.0]
    assert result.scores["worse"].to_list() == [False, False]


@pytest.mark.parametrize("names", [None, ["f-dsw-2", "f-dsw-3"]])
def test_fifteen_problems_are_ranked_and_others_play_by_name(names: list[str] | None) -> None:
    worlds: list[environments.World] = []

    def entry(world: environments.World, horizon: int) -> db.Strategy:
        worlds.append(world)
        return db.Uniform()

    with pytest.raises(db.InputError, match="repeats"):  # policies are made, nothing is played
        db.arena({"it": entry}, names, repeats=-1)
    assert worlds == [environments.PROBLEMS[name]() for name in names or RANKED]
    assert len(RANKED) == 15


def test_the_line_up_can_play_any_world() -> None:
    """Rules know the number of arms, the horizon, the bound, and how often the best arm changes."""
    for world in (environments.Brownian(4, bound=3.0), environments.Drift((0, 2), (2, 0), bound=2)):
        for label, entry in LINEUP.items():
            policy = entry if isinstance(entry, db.Strategy) else entry(world, 500)
            assert policy.bound >= world.bound, label


def test_changes_of_a_random_world_are_a_mean_over_runs() -> None:
    world = environments.RandomSwitching(3, breakpoints=7, horizon=500)
    assert changes(world, 500) == 7
    assert changes(PROBLEMS["still"], 200) == 0


def test_files_are_written_together(tmp_path: Path) -> None:
    files = small().save(tmp_path / "out")
    names = ["arena.json", "arena.png", "leaderboard.csv", "scores.csv"]
    assert [path.name for path in files] == names
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    scores = pl.read_csv(tmp_path / "out" / "scores.csv")
    assert scores.columns == small().scores.columns
    assert len(scores) == 6
    document = json.loads((tmp_path / "out" / "arena.json").read_text(encoding="utf-8"))
    again = db.Strategy.from_json(json.dumps(document["policies"]["swap"][1]))
    assert again == small().players["swap"]["forgets"]


def test_the_heat_map_shows_ratios_by_average_rank(tmp_path: Path) -> None:
    result = small()
    figure = result.plot(tmp_path / "arena.png")
    assert image.imread(tmp_path / "arena.png").ndim == 3
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["swap", "still"]
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels == result.leaderboard["policy"].to_list()
    scores = {(row["policy"], row["problem"]): row for row in result.scores.to_dicts()}
    expected = [[scores[label, name]["ratio"] for name in result.problems] for label in labels]
    np.testing.assert_allclose(np.asarray(axes.get_images()[0].get_array()), expected)
    cells = [text for text in axes.texts if text.get_text() == "1.00"]
    assert cells
    assert all(text.get_fontweight() == "bold" for text in cells)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"policies": ["D-UCP"]}, "policy must be one of Auto, UCB-1, .* did you mean"),
        ({"policies": []}, "policies must hold at least one policy"),
        ({"policies": [db.UCB1(), db.UCB1()]}, "labels must be different from each other"),
        ({"policies": [3]}, "policies must hold policies, names of the line-up"),
        ({"policies": {"x": lambda world, T: 3}}, r"policy x must be a policy, or a function"),
        ({"problems": ["besson-9"]}, "problem must be one of two-swaps, "),
        ({"problems": []}, "problems must hold at least one problem"),
        ({"problems": {"\ud800": PROBLEMS}}, "problems must have names of one line"),
        ({"problems": {"": PROBLEMS}}, "problems must have names of one line"),
        ({"problems": {5: PROBLEMS}}, "problems must have names of one line"),
        ({"problems": {"x": environments.Brownian()}}, "problem x must have a last round"),
        ({"problems": {"x": 3}}, "problem x must be a world"),
        ({"runs": 1}, "runs must be a whole number of at least 2, got 1"),
        ({"repeats": -1}, "repeats must be a whole number of at least 0, got -1"),
        (
            {"problems": {"x": environments.Drift((0, 2), (2, 0), bound=2)}},
            "bound of UCB-1 must be at least the world's 2",
        ),
    ],
)
def test_bad_input_is_one_line(settings: dict[str, Any], words: str) -> None:
    arguments: dict[str, Any] = {"policies": [db.UCB1()], "problems": PROBLEMS, "runs": 2}
    with pytest.raises(db.InputError, match=words):
        db.arena(**(arguments | settings))


def test_an_entry_is_a_policy_or_makes_one() -> None:
    with pytest.raises(db.InputError, match="policy a must be a policy, or a function of"):
        db.arena({"a": 5}, problems={"w": db.environments.two_swaps(100)}, runs=5)


@pytest.mark.parametrize("entry", [db.SlidingWindowUCB, db.SlidingWindowUCB.tuned, db.AdSwitch])
def test_a_preset_and_its_rule_are_no_functions_of_world_and_horizon(entry: Any) -> None:
    with pytest.raises(db.InputError, match=r"policy a must be a policy, or a function of \(world"):
        db.arena({"a": entry}, ["two-swaps"], runs=2, repeats=0)
