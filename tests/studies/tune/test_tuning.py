"""Tuning by simulation: it finds the best parameters, and says how sure it is."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.core.errors import InputError
from driftbandit.core.statistics import bounds
from driftbandit.studies.tune.sensitivity import Case

T = 2_000


@functools.cache
def swaps() -> db.Tuned:
    return db.tune(db.SlidingWindowUCB, db.environments.two_swaps(T), runs=200)


@functools.cache
def small(seed: int = 0) -> db.Tuned:
    world = db.environments.two_swaps(300)
    return db.tune("d-ucb", world, runs=20, seed=seed, search={"discount": None})


def test_the_tuned_policy_beats_the_rule_in_pairs() -> None:
    tuned = swaps()
    assert tuned.gain is not None
    assert tuned.gain["low"] > 0.0
    assert tuned.rule == db.SlidingWindowUCB.tuned(horizon=T, breakpoints=2)
    assert tuned.rule_parameters == {"window": 174, "xi": 0.5}


def test_the_winner_s_regret_is_what_simulate_returns() -> None:
    tuned = swaps()
    assert tuned.rule is not None
    result = db.simulate([tuned.policy, tuned.rule], tuned.worlds[0], T, 200, tuned.seed)
    mine, rule = (result[label].final_regret for label in result)
    assert tuned.policy.label == "SW-UCB, tuned"
    assert tuned.regret["mean"] == pytest.approx(mine.mean())
    assert tuned.gain is not None
    assert tuned.gain["mean"] == pytest.approx((rule - mine).mean())
    assert tuned.policy.replace(label="SW-UCB") == db.SlidingWindowUCB(**tuned.parameters)


def test_the_winner_is_nowhere_far_from_a_fine_grid_s_best() -> None:
    world = db.environments.two_swaps(T)
    tuned = db.tune(db.DiscountedUCB, world, T, 200, search={"discount": None, "padding": 1.0})
    lost = np.geomspace(2e-4, 0.5, 60)
    tried = [db.DiscountedUCB(1.0 - x, padding=1.0, label=str(k)) for k, x in enumerate(lost)]
    result = db.simulate([*tried, tuned.policy], world, T, 1_000, 99, checkpoints=1)
    means = [result[label].final_regret.mean() for label in result]
    assert means[-1] < 1.03 * min(means[:-1])
    low, high = tuned.plateau
    assert low <= 1.0 - lost[int(np.argmin(means[:-1]))] <= high


def test_a_world_that_stands_still_wants_a_long_memory() -> None:
    world = db.environments.Stationary((0.3, 0.7, 0.3))
    tuned = db.tune(db.SlidingWindowUCB, world, 500, 150, search={"window": (2, 500)})
    assert tuned.plateau[1] == 500
    assert tuned.parameters["window"] >= 250
    edge = db.tune(db.SlidingWindowUCB, world, 500, 150, search={"window": (2, 20)})
    assert edge.edges == ["window"]
    assert "at the edge of the range" in str(edge)


def test_worlds_may_come_first() -> None:
    tune: Any = db.tune
    again = tune([db.environments.two_swaps(300)], "d-ucb", runs=20, search={"discount": None})
    assert again.to_dict() == small().to_dict()


def test_the_same_seed_gives_the_same_result_on_any_number_of_threads() -> None:
    again = db.tune(
        "d-ucb", db.environments.two_swaps(300), runs=20, search={"discount": None}, workers=2
    )
    assert again.to_dict() == small().to_dict()
    assert again.candidates.equals(small().candidates)
    assert small(1).to_dict() != small().to_dict()


def test_halving_keeps_the_better_half_and_never_plays_a_candidate_twice() -> None:
    table = small().candidates
    first = table.filter((pl.col("stage") == 0) & (pl.col("rung") == 0))
    assert first.height == 33, "32 candidates and the rule's choice"
    assert first["kept"].sum() == 17
    assert first["regret"].is_sorted()
    assert table["runs"].unique().sort().to_list() == [2, 6, 14, 30]
    played = table.unique(["discount", "rung"])
    same = table.group_by("discount", "rung").agg(pl.col("regret").n_unique())
    assert same["regret"].max() == 1
    assert played.height == same.height


def test_being_wrong_moves_the_parameter_by_the_rules_laws() -> None:
    case = Case(horizon=10_000, breakpoints=3, arms=4)
    for factor in (0.25, 0.5, 2.0, 4.0):
        breakpoints = case.misjudged({"discount": 0.96}, "breakpoints", factor)
        assert breakpoints["discount"] == pytest.approx(1.0 - 0.04 * math.sqrt(factor))
        horizon = case.misjudged({"window": 1_000_000}, "horizon", factor)["window"]
        law = math.sqrt(factor * math.log(factor * 10_000) / math.log(10_000))
        assert horizon == pytest.approx(1e6 * law, rel=1e-5)
    right = db.EXP3S.tuned(horizon=10_000, breakpoints=3, arms=4)
    more = db.EXP3S.tuned(horizon=10_000, breakpoints=12, arms=4)
    longer = db.EXP3S.tuned(horizon=40_000, breakpoints=3, arms=4)
    best = {"exploration": right.exploration, "sharing": right.sharing}
    moved = case.misjudged(best, "breakpoints", 4.0)
    assert moved["exploration"] == pytest.approx(more.exploration)
    moved = case.misjudged(best, "horizon", 4.0)
    assert moved["exploration"] == pytest.approx(longer.exploration)
    assert moved["sharing"] == pytest.approx(longer.sharing)


def test_the_loss_of_being_wrong_is_paired() -> None:
    tuned = swaps()
    assert tuned.wrong["about"].to_list() == ["breakpoints"] * 4 + ["horizon"] * 4
    assert tuned.wrong["factor"].to_list() == [0.25, 0.5, 2.0, 4.0] * 2
    row = tuned.wrong.row(3, named=True)
    policy = db.SlidingWindowUCB(row["window"], row["xi"])
    result = db.simulate([policy, tuned.policy], tuned.worlds[0], T, 200, tuned.seed)
    loss = result["SW-UCB"].final_regret - result["SW-UCB, tuned"].final_regret
    assert row["loss"] == pytest.approx(loss.mean())
    assert row["percent"] == pytest.approx(100.0 * loss.mean() / tuned.regret["mean"])
    low, high = bounds(loss)
    assert (row["loss_low"], row["loss_high"]) == pytest.approx((float(low), float(high)))


def test_several_worlds_count_by_their_mean() -> None:
    worlds = [db.environments.two_swaps(300), db.environments.RandomSwitching(3, rate=0.01)]
    tuned = db.tune("sw-ucb", worlds, 300, 30, search={"window": [20, 60], "xi": 0.2})
    means = [
        db.simulate(tuned.policy, world, 300, 30)[tuned.policy.label].final_regret.mean()
        for world in worlds
    ]
    assert tuned.regret["mean"] == pytest.approx(np.mean(means))
    assert tuned.parameters["window"] in (20, 60)
    assert tuned.parameters["xi"] == 0.2
    assert tuned.breakpoints == db.engine.changes(worlds, 300)
    assert "mean of 2 worlds" in str(tuned)


def greedy(window: int, wide: float = 0.5) -> db.Policy:
    return db.Policy(forget=db.Window(window), explore=db.UCB(xi=wide), label="mine")


def test_a_family_of_one_s_own() -> None:
    world = db.environments.two_swaps(300)
    tuned = db.tune(greedy, world, runs=20, search={"window": None, "wide": (0.1, 1.0)})
    assert tuned.rule is None
    assert tuned.gain is None
    assert set(tuned.parameters) == {"window", "wide"}
    assert len(tuned.wrong) == 8, "a window follows its law whoever uses it"
    partly = db.tune(functools.partial(greedy, wide=0.3), world, runs=20)
    assert partly.policy.explore == db.UCB(xi=0.3)  # type: ignore[attr-defined]  # an index policy


def test_what_is_not_searched_is_as_the_rule_sets_it() -> None:
    world = db.environments.two_swaps(300)
    tuned = db.tune(db.EXP3S, world, runs=20, search={"exploration": (0.05, 0.5)})
    assert tuned.parameters["sharing"] == 1.0 / 300
    fixed = db.tune(functools.partial(db.DiscountedUCB, padding=1.0), world, runs=20)
    assert fixed.rule == db.DiscountedUCB.tuned(300, 2, padding=1.0)
    assert fixed.policy.explore.padding == 1.0  # type: ignore[attr-defined]  # a UCB policy


@pytest.mark.parametrize("name", ["ucb-1", "exp3", "exp3.p", "ucb-v", "softmax"])
def test_every_policy_with_parameters_can_be_tuned(name: str) -> None:
    rich = db.environments.Stationary((1.0, 2.0, 1.0), bound=2.0)
    tuned = db.tune(name, rich, 60, 4)
    assert tuned.rule is not None
    assert tuned.policy.bound >= 2.0
    assert tuned.basis == ("rule" if name.startswith("exp3") else "defaults")


def test_it_survives_json_and_is_written_whole(tmp_path: Path) -> None:
    tuned = small()
    paths = tuned.save(tmp_path / "out")
    names = ["candidates.csv", "profile.csv", "tuned.json", "wrong.csv"]
    assert [path.name for path in paths] == names
    document = json.loads((tmp_path / "out" / "tuned.json").read_text())
    assert db.Strategy.from_json(json.dumps(document["policy"])) == tuned.policy
    assert db.environments.World.from_json(json.dumps(document["worlds"][0])) == tuned.worlds[0]
    assert document["profile"] == tuned.profile.to_dicts()
    assert pl.read_csv(tmp_path / "out" / "wrong.csv").columns == tuned.wrong.columns


def test_where_nothing_is_lost_there_is_no_percent(tmp_path: Path) -> None:
    tuned = db.tune("sw-ucb", db.environments.Stationary((0.5, 0.5, 0.5)), 50, 4)
    tuned.plot(tmp_path / "none.png")
    document = json.dumps(tuned.to_dict(), allow_nan=False)
    assert json.loads(document)["wrong"][0]["percent"] is None
    assert list(tuned.plateau) == [2, 50]
    assert "cost of a wrong Υ or T" in str(tuned)


def test_progress_ends_at_its_total() -> None:
    calls: list[tuple[int, int]] = []
    world = db.environments.two_swaps(100)
    db.tune("ucb-1", world, runs=4, progress=lambda done, total: calls.append((done, total)))
    assert len({total for _, total in calls}) == 1
    assert calls[-1][0] == calls[-1][1]
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"policy": "sw-ucp"}, "policy must be one of .* did you mean 'sw-ucb'"),
        ({"policy": 3}, "policy must be a name, a preset or a callable that makes a policy, got 3"),
        ({"policy": db.UCB1()}, "policy must be a name"),
        ({"policy": "oracle"}, "search must be given: oracle has no parameter with a range"),
        ({"worlds": []}, "worlds must hold at least one world"),
        ({"worlds": "two-swaps"}, "worlds must hold worlds of driftbandit.environments only"),
        ({"horizon": 101}, "horizon must be at most 100, the world's last round, got 101"),
        ({"runs": 1}, "runs must be a whole number of at least 2, got 1"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"breakpoints": -1}, "breakpoints must be a whole number of at least 0, got -1"),
        ({"search": {}}, "search must give a range or values"),
        ({"search": {"windw": (2, 9)}}, "a parameter of sw-ucb must be one of .*'window'"),
        ({"search": {"label": ["a"]}}, "a parameter of sw-ucb must be one of"),
        ({"search": {"window": (9, 2)}}, "search of window: low must lie below high, 2, got 9"),
        ({"search": {"window": (2.5, 9)}}, "search of window: low and high must be whole"),
        ({"search": {"window": (2, 5, 9)}}, "search of window: a range must be"),
        ({"search": {"window": ["x"]}}, "search of window: a value to try must be a number"),
        ({"search": {"window": []}}, "search of window: values must hold at least one number"),
        ({"search": {"window": [5, 5]}}, "search of window: values must differ"),
        ({"search": {"window": 5}}, "search must leave a parameter open"),
        ({"search": {"bound": None}}, "search of bound: there is no default range for this name"),
        ({"policy": greedy, "search": {"wide": (0.1, 1)}}, "search must say what window is"),
        ({"policy": lambda window: window}, "what <lambda> makes must be a policy, got"),
        ({"policy": lambda window: int("x")}, "<lambda>: invalid literal"),
    ],
)
def test_bad_input_is_one_line(arguments: dict[str, Any], message: str) -> None:
    defaults: dict[str, Any] = {"worlds": db.environments.two_swaps(100), "policy": "sw-ucb"}
    with pytest.raises(InputError, match=message) as caught:
        db.tune(**(defaults | {"runs": 4} | arguments))
    assert "\n" not in str(caught.value)


def test_worlds_that_end_differently_need_a_horizon() -> None:
    worlds = [db.environments.two_swaps(100), db.environments.two_swaps(200)]
    with pytest.raises(InputError, match=r"horizon must be given: the worlds end at \[100, 200\]"):
        db.tune("sw-ucb", worlds)


def test_a_maker_must_tell_its_parameters() -> None:
    with pytest.raises(db.InputError, match="policy must be a callable that tells its parameters"):
        db.tune(int, db.environments.two_swaps(100), runs=10)  # type: ignore[arg-type]  # the mistake


def test_a_maker_may_take_parameters_of_any_name() -> None:
    def make(**parameters: Any) -> db.Policy:
        return db.SlidingWindowUCB(parameters["memory"])

    tuned = db.tune(make, db.environments.two_swaps(300), runs=20, search={"memory": (5, 50)})
    assert tuned.rule is None
    assert 5 <= tuned.parameters["memory"] <= 50
