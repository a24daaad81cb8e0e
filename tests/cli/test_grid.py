"""`driftbandit policies`: the grid and its parts, all read off the values."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import pytest

import driftbandit as db
from driftbandit import policies
from driftbandit.cli import grid, output
from driftbandit.core import docstring
from driftbandit.linear import LinearPolicy
from driftbandit.policies import CATALOGUE, Policy, Strategy
from driftbandit.policies.presets.preset import Cell, Preset

FOLDERS = ("index", "weights", "procedures", "linear", "baselines")


def test_every_exported_rule_is_on_one_axis() -> None:
    names = [name for axis in grid.axes().values() for name in axis.rules]
    assert len(names) == len(set(names))
    kinds = tuple({**grid.axes_of(Policy), **grid.axes_of(LinearPolicy)}.values())
    namespaces = [*map(vars, grid.NAMESPACES), {name: getattr(db, name) for name in dir(db)}]
    exported = {
        kind.__name__
        for space in namespaces
        for kind in space.values()
        if isinstance(kind, type) and issubclass(kind, kinds) and kind not in kinds
    }
    assert set(names) == exported


def test_every_exported_class_of_policies_is_in_one_family() -> None:
    families = grid.families()
    shells = [preset.shell for family in families.values() for preset in family.presets]
    assert sorted(shells) == sorted(CATALOGUE)
    assert set(families) == {*FOLDERS, "doubling"}
    assert all(family.summary.endswith(".") for family in families.values())


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_named_policy_tells_its_cell_and_where_it_comes_from(name: str) -> None:
    row, axes = grid.preset_row(CATALOGUE[name]), grid.axes()
    if list(row["cell"]) == [row["family"]]:
        assert row["cell"][row["family"]] == CATALOGUE[name].cell.kind.__name__
    else:
        assert all(rule in axes[axis].rules for axis, rule in row["cell"].items())
    assert row["reference"]
    assert row["summary"].endswith((".", "…"))
    assert getattr(db, row["python"]) is CATALOGUE[name].public


def test_a_cell_is_what_the_policy_is_made_of() -> None:
    row = grid.preset_row(policies.MUCB)
    made = policies.MUCB(window=100, threshold=20.0, rate=0.1)
    rules = [
        type(getattr(made, axis)).__name__ for axis in ("forget", "detect", "explore", "force")
    ]
    assert list(row["cell"].values()) == rules == ["Full", "TwoHalves", "UCB", "Sweeps"]


def test_a_new_preset_appears_by_itself(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def Mine(size: int, label: str = "mine") -> Strategy:
        """Mine, window × never × KL-UCB.

        Reference: nobody 2030.
        """
        return Policy(forget=db.Window(size), explore=db.KLUCB(), label=label)

    mine = Preset("mine", Mine, Cell(Policy, forget=db.Window, explore=db.KLUCB))
    monkeypatch.setitem(CATALOGUE, "mine", mine)
    lines = command("policies").out.splitlines()
    (line,) = (line for line in lines if line.startswith("mine "))
    assert "Window × Never × KLUCB × Unforced" in line
    assert line.endswith("nobody 2030.")


def test_the_document_holds_the_whole_grid(command: Any) -> None:
    content = json.loads(command("policies", "--json").out)
    axes = ["forget", "detect", "explore", "force", "confidence"]
    assert list(content["axes"]) == axes
    assert set(FOLDERS) < set(content["families"])
    named = {row["name"]: row for row in content["policies"]}
    assert set(named) == set(CATALOGUE)
    assert named["sw-ts"]["cell"]["explore"] == "Thompson"
    assert named["exp3"]["cell"] == {"weights": "EXP3S"}
    assert named["sw-ucb"]["tuned"].startswith("horizon=None, breakpoints=None")
    rules = {row["name"]: row for axis in content["axes"].values() for row in axis["rules"]}
    assert rules["Window"]["parameters"] == "window"
    assert "kl" in rules["GLR"]["summary"]


@pytest.mark.parametrize("name", ["GLRklUCB", "glr-kl-ucb", "GLR-KL-UCB", "glrklucb"])
def test_one_policy_in_detail(command: Any, name: str) -> None:
    text = command("policies", name).out
    assert "max {q : N(i) kl(X̄(i), q) ≤ log(t − τ_i)" in text
    assert "cell: Full × GLR × KLUCB × GrowingSweeps" in text
    assert "glr-kl-ucb.tuned(horizon, arms, breakpoints=None" in text
    assert ">>>" not in text


def test_one_rule_in_detail(command: Any) -> None:
    text = command("policies", "window").out
    assert "in Python: db.forget.Window\nused by: sw-ucb, sw-kl-ucb, sw-ts" in text
    assert "used by: glr-ucb, glr-kl-ucb, m-ucb" in command("policies", "Sweeps").out
    content = json.loads(command("policies", "KLUCB", "--json").out)
    assert content["explanation"].startswith("KL-UCB: the largest q")
    assert "kl-ucb" in content["used"]


def test_a_rule_that_shares_its_name_with_a_policy_is_found_in_its_axis(command: Any) -> None:
    assert command("policies", "MOSS").out.startswith("MOSS, full history × never × MOSS: ")
    text = command("policies", "explore.moss").out
    assert text.startswith("The index of MOSS: ")
    assert "used by: moss\n" in text


def test_an_unknown_name_is_one_line(command: Any) -> None:
    answer = command("policies", "glr-klucbb")
    assert answer.code == 2
    assert "did you mean 'glr-kl-ucb'?" in answer.err
    assert answer.err.count("\n") == 0
    assert len(answer.err) < 160


def test_an_axis_is_shown_by_its_name(command: Any) -> None:
    lines = command("policies", "Detect").out.splitlines()
    assert lines[0].startswith("detect: ")
    assert [line.split()[0] for line in lines[2:]] == list(grid._rules(db.Detect))
    assert json.loads(command("policies", "detect", "--json").out)["name"] == "detect"


@pytest.mark.parametrize("family", FOLDERS)
def test_a_family_is_shown_by_its_name(command: Any, family: str) -> None:
    lines = command("policies", family.upper()).out.splitlines()
    assert lines[0].startswith(f"{family}: ")
    presets = [preset.shell for preset in grid.families()[family].presets]
    assert [line.split()[0] for line in lines[2:]] == presets
    content = json.loads(command("policies", family, "--json").out)
    assert [row["name"] for row in content["policies"]] == presets
    assert {row["family"] for row in content["policies"]} == {family}


def test_a_summary_is_a_sentence_and_its_formula(command: Any) -> None:
    text = docstring.summary(db.GLR)
    assert text.endswith("≥ β(n, δ) = log(3 n^(3/2) / δ).")
    assert max(map(len, command("policies").out.splitlines())) < 350


def test_a_narrow_terminal_gets_paragraphs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output.listing(["rule", "parameters", "what"], [["One", "size", "long " * 30], ["Two", "", ""]])
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], lines[-1]) == ("One  size", "Two")
    assert all(line.startswith("    ") and len(line) <= 80 for line in lines[1:-1])


def test_the_explanation_is_the_docstring() -> None:
    text = docstring.explanation(policies.UCB1)
    assert text in (inspect.getdoc(policies.UCB1) or "")
    assert "Reference: Auer" in text


@pytest.mark.parametrize("name", ["BernoulliGLR", "minimax", "TunedUCB", "GLR", "explore.MOSS"])
def test_every_name_of_a_rule_is_known(command: Any, name: str) -> None:
    assert command("policies", name).code == 0
