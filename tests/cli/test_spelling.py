"""A name means the same in upper and lower case, wherever it is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit import environments, theory
from driftbandit.cli import grid_text
from driftbandit.cli.arena import make_entries, make_problems
from driftbandit.cli.syntax import VARIANTS, Call, parse
from driftbandit.cli.values import POLICIES, WORLDS, make_policies, make_world, parse_policy
from driftbandit.core.errors import InputError, one_of
from driftbandit.environments.laws import CATALOGUE as LAWS
from driftbandit.policies.presets.preset import preset_name
from driftbandit.studies.arena.arena import _worlds
from driftbandit.studies.arena.lineup import LINEUP, entries_by_label
from driftbandit.studies.tune.tunable import Tunable

SPELLINGS = [str.upper, str.lower, str.title]


def names(makers: dict[str, Any]) -> list[str]:
    """Return the names of a catalogue and of their variants."""
    variants = [f"{name}.{form}" for name in makers for form in VARIANTS]
    return [*makers, *(each for each in variants if hasattr(*_split(each, makers)))]


def _split(name: str, makers: dict[str, Any]) -> tuple[Any, str]:
    base, _, form = name.rpartition(".")
    return makers[base], form


@pytest.mark.parametrize("spell", SPELLINGS)
@pytest.mark.parametrize("makers", [POLICIES, WORLDS, LAWS], ids=["policies", "worlds", "laws"])
def test_every_name_of_a_catalogue(makers: dict[str, Any], spell: Any) -> None:
    for name in names(makers):
        call = parse("name", f" {spell(name)} (1)", makers)
        assert (call.name, call.text) == (name, f"{name}(1)")
        assert call.maker == parse("name", name, makers).maker


@pytest.mark.parametrize("spell", SPELLINGS)
def test_every_world_of_every_horizon(spell: Any) -> None:
    for name in WORLDS:
        call = parse("world", name, WORLDS)
        if call.required:
            continue
        for horizon in (None, 700):
            same = make_world(parse("world", spell(name), WORLDS), horizon)
            assert same == make_world(call, horizon), name


def test_simulate_meets_the_changes_of_its_world(command: Any) -> None:
    played = [
        command("simulate", name, "--policy", "uniform", "--horizon", "1000", "--runs", "2")
        for name in ("two-swaps", "Two-Swaps")
    ]
    assert played[0].code == 0
    assert played[0] == played[1]
    assert parse("world", "Two-Swaps", WORLDS).make(horizon=1000).breakpoints == (300, 500)


def test_arguments_may_be_given_by_place_or_by_name() -> None:
    texts = [
        "piecewise([300], [[0.5, 0.3], [0.5, 0.9]])",
        "piecewise(breakpoints=[300], means=[[0.5, 0.3], [0.5, 0.9]])",
    ]
    one, two = (make_world(parse("world", text, WORLDS), 1000) for text in texts)
    assert one == two


def test_a_law_and_a_base() -> None:
    def value(text: str, makers: Any) -> Any:
        call: Call = parse("value", text, makers)
        return call.make()

    beta = value("stationary([0.1, 0.2], law=BETA(concentration=5))", WORLDS)
    assert beta == value("stationary([0.1, 0.2], law=beta(concentration=5))", WORLDS)
    doubling = value("doubling(base=SW-UCB, known={'breakpoints': 1})", POLICIES)
    assert doubling == value("doubling(base=sw-ucb, known={'breakpoints': 1})", POLICIES)
    assert doubling == db.Doubling("Sw-Ucb", known={"breakpoints": 1})


def test_labels_that_come_from_texts() -> None:
    players = make_policies(["SW-UCB(10)", "sw-ucb(20)"])
    assert [player.label for player in players] == ["sw-ucb(10)", "sw-ucb(20)"]


def test_problems_and_entries_of_the_arena() -> None:
    assert make_problems(["BESSON-1"]) == make_problems(["besson-1"])
    assert list(make_entries(["Sw-Ucb", "SW-UCB(50)"])) == ["SW-UCB", "sw-ucb(50)"]
    for label in LINEUP:
        assert list(entries_by_label([label.lower()])) == [label]
        assert list(make_entries([label.upper()])) == [label]
    assert _worlds(["Besson-1"]) == _worlds(["besson-1"])
    with pytest.raises(InputError, match="problem must be given once only, got 'besson-1' 2 times"):
        make_problems(["besson-1", "BESSON-1"])
    with pytest.raises(InputError, match="policy must be given once only"):
        make_entries(["sw-ucb(50)", "SW-UCB(50)"])


def test_a_family_to_tune() -> None:
    assert Tunable("SW-UCB", 100, 3, 1.0).name == "sw-ucb"
    assert Tunable("SW-UCB", 100, 3, 1.0).maker is db.SlidingWindowUCB


def test_tune_prints_the_same(command: Any) -> None:
    options = ["--horizon", "100", "--runs", "2", "--search", "window=[20,50]"]
    texts = [("two-swaps", "sw-ucb"), ("TWO-SWAPS", "SW-UCB")]
    one, two = (command("tune", world, "--policy", name, *options) for world, name in texts)
    assert one.code == 0
    assert one == two


def test_the_policies_of_bounds(command: Any) -> None:
    problem = ["--horizon", "1e5", "--breakpoints", "2", "--gap", "0.1"]
    one, two = (
        command("bounds", *problem, "--policy", name, "--window", "100")
        for name in ("sw-ucb", "SW-UCB")
    )
    assert one.code == 0
    assert one == two


@pytest.mark.parametrize("name", ["detect", "weights", "window", "klucb", "sw-ucb", "glrklucb"])
def test_the_parts_of_the_grid(command: Any, name: str) -> None:
    one, two = command("policies", name), command("policies", name.upper())
    assert one.code == 0
    assert one == two


def test_the_suffix_of_a_picture(tmp_path: Path) -> None:
    small, large = tmp_path / "small.svg", tmp_path / "large.SVG"
    for path in (small, large):
        environments.two_swaps().plot(path, horizon=100)
    assert small.read_bytes() == large.read_bytes()


def test_the_suffix_of_a_table(tmp_path: Path) -> None:
    for name in ("small.npy", "large.NPY"):
        with (tmp_path / name).open("wb") as file:
            np.save(file, np.full((3, 2), 0.5))
    table = environments.Table
    assert table.read(tmp_path / "small.npy") == table.read(tmp_path / "large.NPY")


def test_the_kind_of_a_wild_world_and_the_form_of_an_inequality() -> None:
    assert environments.wild(3, "Seasonal") == environments.wild(3, "seasonal")
    one, two = (theory.deviation(2.0, 100, form=form) for form in ("sharp", "Sharp"))
    assert one == two


def test_options_that_differ_by_case_alone_are_told_apart() -> None:
    options = ["a", "A", "b"]
    assert [one_of("letter", text, options) for text in ("a", "A", "B")] == ["a", "A", "b"]
    with pytest.raises(InputError, match="letter must be one of aa, AA, got 'Aa'"):
        one_of("letter", "Aa", ["aa", "AA"])


@pytest.mark.parametrize("text", ["zzz-ucb", "xxucb", "uucb", "banana", "q-learning"])
def test_nonsense_gets_no_suggestion(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse("policy", text, POLICIES)
    assert "did you mean" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        parse("policy", "sw-ucb(winter=5)", POLICIES)
    assert "did you mean" not in str(caught.value)


def test_parameters_and_labels_are_exact() -> None:
    with pytest.raises(InputError, match="sw-ucb has no parameter 'Window'"):
        parse("policy", "sw-ucb(Window=5)", POLICIES)
    with pytest.raises(InputError, match=r"must be one of window, .*did you mean 'window'"):
        Tunable("sw-ucb", 100, 3, 1.0).space({"Window": None})


@pytest.mark.parametrize("preset", [each for each in POLICIES.values() if each.label])
def test_a_policy_may_be_called_by_its_label_or_its_name_in_python(preset: Any) -> None:
    """Whatever is printed anywhere is accepted where a policy is asked for."""
    for name in (preset.label, preset.python, preset.label.upper(), f" {preset.label} "):
        assert parse_policy(name).name == preset.shell
        assert grid_text.name_of(name) == preset.shell
    assert preset_name("policy", preset.label) == preset.shell


def test_bounds_take_any_name_of_the_papers_policies() -> None:
    known: Any = {"horizon": 1_000, "breakpoints": 2, "gap": 0.2}
    names = ("sw-ucb", "SlidingWindowUCB")
    one, other = (theory.statements(policies=name, **known) for name in names)
    assert [str(each) for each in one] == [str(each) for each in other]
    with pytest.raises(
        InputError, match=r"policy must be one of ucb-1, d-ucb, sw-ucb, exp3\.s, got"
    ):
        theory.statements(policies="GLR-klUCB", **known)


def test_a_policy_called_by_its_label_takes_arguments() -> None:
    assert make_policies(["ε-greedy(0.25)"])[0] == db.EpsilonGreedy(0.25)
    assert make_policies(["Gaussian Thompson(bound=2.0)"])[0] == db.GaussianThompson(bound=2.0)
    assert db.Doubling("SlidingWindowUCB", known={"breakpoints": 2}).base == "sw-ucb"


def test_a_world_may_be_called_by_its_name_in_python() -> None:
    assert parse("world", "two_swaps", WORLDS).text == "two-swaps"
    for name, maker in WORLDS.items():
        for other in (name.replace("-", "_"), maker.__name__):
            assert parse("world", f"{other}()", WORLDS).name == name


def test_the_rule_that_tunes_a_policy_is_explained_with_it(command: Any) -> None:
    assert command("policies", "SW-UCB.tuned") == command("policies", "sw-ucb")
    answer = command("tune", "two-swaps", "--policy", "sw-ucb.tuned")
    assert answer.err == (
        "driftbandit: policy must be a name alone, parameters go to --search, got 'sw-ucb.tuned'"
    )


@pytest.mark.parametrize(
    "text", ["\u2013-runs", "\u2014runs", "\u2013runs=20", "--runs\u00a020", "\u2212\u2212runs"]
)
def test_dashes_and_fixed_spaces_of_a_page_are_no_option(command: Any, text: str) -> None:
    answer = command("simulate", "two-swaps", text)
    said = f"--runs must be written with two hyphens and a plain space, got {text!a}"
    assert (answer.code, answer.out, answer.err) == (2, "", f"driftbandit: {said}")
