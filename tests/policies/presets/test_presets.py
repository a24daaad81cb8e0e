"""Presets: declared once, and honest about their names, parameters, cells and labels."""

from __future__ import annotations

import inspect
import pickle
import pydoc
from collections.abc import Callable
from typing import Any, assert_type

import cloudpickle
import pytest

import driftbandit as db
from catalogue import example
from driftbandit.linear import LinearPolicy
from driftbandit.policies import CATALOGUE
from driftbandit.policies.presets.preset import Cell, Preset, TunedPreset, preset, presets_of
from driftbandit.policies.presets.tuned import Parameters, sets

KNOWN: dict[str, Any] = {
    "horizon": 100_000,
    "breakpoints": 2,
    "arms": 3,
    "change": 0.5,
    "gap": 0.4,
    "variation": 1.0,
    "dimension": 2,
    "delta": 0.1,
}
"""What tuning rules may know; a `growth` or `density` would have to be alone."""


def tuned(name: str) -> db.Strategy:
    rule: Any = CATALOGUE[name].tuned  # type: ignore[attr-defined]  # of those that have one
    taken = inspect.signature(rule).parameters
    known = {key: value for key, value in KNOWN.items() if key in taken} or {"growth": 0.5}
    policy: db.Strategy = rule(**known)
    return policy


TUNED = [name for name, entry in CATALOGUE.items() if hasattr(entry, "tuned")]


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_preset_is_declared_in_full(name: str) -> None:
    entry = CATALOGUE[name]
    assert entry.shell == name == name.lower()
    assert entry.public is getattr(db, entry.python)
    assert entry.public in (entry, entry.make)
    assert entry.reference
    assert entry.summary.endswith((".", "…"))
    policy = example(name)
    assert entry.cell.fits(policy)
    assert policy.label == entry.label or name == "doubling"
    assert presets_of(policy) == ([entry] if name != "doubling" else [])
    assert entry.python == entry.make.__name__


@pytest.mark.parametrize("name", TUNED)
def test_a_rule_takes_all_that_is_known_of_a_world(name: str) -> None:
    """What it does not need changes nothing; what it does not know is an error all the same."""
    rule: Any = CATALOGUE[name].tuned  # type: ignore[attr-defined]  # of those that have one
    facts = {"horizon": 10**6, "breakpoints": 2, "arms": 3, "variation": 0.5, "gap": 0.2}
    others: dict[str, dict[str, float]] = {"sw-ucb-sharp": {"growth": 0.5}, "m-ucb": {"window": 50}}
    more = {"dimension": 2} if name.endswith("lin-ucb") else others.get(name, {})
    needed = {fact: facts[fact] for fact in facts if fact in inspect.signature(rule).parameters}
    assert rule(**facts, **more) == rule(**needed, **more)
    with pytest.raises(TypeError, match="unexpected keyword argument 'horizons'"):
        rule(**facts, **more, horizons=9)


@pytest.mark.parametrize("name", TUNED)
def test_what_is_tuned_stands_in_the_same_cell(name: str) -> None:
    policy = tuned(name)
    assert CATALOGUE[name].cell.fits(policy)
    assert policy.label == CATALOGUE[name].label


@pytest.mark.parametrize("name", CATALOGUE)
def test_it_prints_and_pickles_by_its_name(name: str) -> None:
    entry = CATALOGUE[name]
    assert repr(entry).startswith(f"<preset {entry.python}(")
    assert " at 0x" not in repr(entry)
    for dumps in (pickle.dumps, cloudpickle.dumps):
        assert pickle.loads(dumps(entry)) is entry
        assert pickle.loads(dumps(entry.public)) is entry.public


def test_what_is_printed() -> None:
    assert repr(db.SlidingWindowUCB) == (
        "<preset SlidingWindowUCB(window, xi=0.5, bound=1.0, padding=1.0, label='SW-UCB')>"
    )
    assert repr(db.UCB1) == "<preset UCB1(xi=0.5, bound=1.0, label='UCB-1')>"


@pytest.mark.parametrize("name", CATALOGUE)
def test_help_is_about_the_preset(name: str) -> None:
    entry = CATALOGUE[name]
    text = pydoc.plain(pydoc.render_doc(entry.public))
    first = inspect.getdoc(entry.make)
    assert first is not None
    assert first.splitlines()[0] in text
    assert f"{entry.python}(" in text
    assert "functools" not in text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: db.SlidingWindowUCB(xi=1.0),  # type: ignore[call-arg]  # that is the point
            "SlidingWindowUCB() missing 1 required positional argument: 'window'",
        ),
        (
            lambda: db.UCB1(windw=3),  # type: ignore[call-arg]  # that is the point
            "UCB1() got an unexpected keyword argument 'windw'",
        ),
        (
            lambda: db.GLRUCB.tuned(100),  # type: ignore[call-arg, misc]  # that is the point
            "GLRUCB.tuned(): missing a required argument: 'arms'",
        ),
        (
            lambda: db.DiscountedUCB.tuned(horizons=9),  # type: ignore[call-arg]  # likewise
            "DiscountedUCB.tuned(): got an unexpected keyword argument 'horizons'",
        ),
        (
            lambda: db.DiscountedUCB.tuned(9, 2, 0.1),  # type: ignore[call-arg]  # likewise
            "DiscountedUCB.tuned(): too many positional arguments",
        ),
        (
            lambda: db.SlidingWindowUCB.tuned(100, 2, c=1.0),  # a parameter of other presets
            "SlidingWindowUCB.tuned(): got an unexpected keyword argument 'c'",
        ),
    ],
)
def test_type_errors_name_the_preset(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


def test_type_checkers_see_parameters_and_results() -> None:
    assert_type(db.UCB1(xi=2.0), db.Policy)
    assert_type(db.EXP3(0.1), db.EXP3S)
    assert_type(db.EXP3.tuned(100, 3, bound=2.0), db.EXP3S)
    assert_type(db.GLRUCB.tuned(100, arms=3, scope="arm", explore=db.KLUCB()), db.Policy)
    assert_type(db.LinUCB(), LinearPolicy)
    assert_type(db.DiscountedLinUCB.tuned(100, 1.0, dimension=2, ridge=1.0), LinearPolicy)
    assert isinstance(db.UCB1, Preset)
    assert not isinstance(db.UCB1, TunedPreset)


def test_a_rule_may_stand_where_a_number_varies() -> None:
    changing = db.DoublingDiscount(0.5)
    assert db.DiscountedUCB(changing) == db.DiscountedUCB.tuned(growth=0.5)
    windows = db.DoublingWindow(0.5)
    assert db.SlidingWindowThompson(windows) == db.SlidingWindowThompson.tuned(growth=0.5)


def test_names_of_presets_follow_the_cell() -> None:
    sliding = db.SlidingWindowUCB(100)
    assert sliding.replace(forget=db.Window(7)) == db.SlidingWindowUCB(7)
    for change in (
        {"forget": db.Discount(0.9)},
        {"explore": db.KLUCB()},
        {"force": db.Sweeps(0.1)},
    ):
        changed = sliding.replace(**change)
        assert changed.label == changed.default_label()
    assert sliding.replace(explore=db.UCB(2.0)).label == "SW-UCB"
    assert sliding.replace(label="mine").replace(explore=db.KLUCB()).label == "mine"
    assert sliding.replace(forget=db.Discount(0.9), label="SW-UCB").label == "SW-UCB"
    other = db.Policy(forget=db.Discount(0.9), label="SW-UCB")  # a label of one's own
    assert other.replace(forget=db.Full()).label == "SW-UCB"
    restarting = db.MUCB(10, 1.0, 0.1)
    given = db.MUCB(10, 1.0, 0.1, explore=db.KLUCB())
    assert restarting.replace(explore=db.KLUCB()) == given
    assert given.label.startswith("Full() × TwoHalves(")
    assert restarting.replace(detect=db.ADWIN()).label.startswith("Full() × ADWIN(")
    assert db.EXP3(0.1).replace(sharing=0.1).label == "EXP3.S"
    assert db.EXP3(0.1).replace(exploration=0.2) == db.EXP3(0.2)
    assert db.DiscountedLinUCB(0.9).replace(forget=db.Window(9)).label.startswith("Window(")


def test_a_preset_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("driftbandit.policies.presets.preset.CATALOGUE", {})

    @sets("rate")
    def rule(horizon: int, *, bound: float = 1.0) -> Parameters:
        """Set the rate to B/T."""
        return {"rate": bound / horizon}

    @preset("mine", Cell(db.Policy, explore=db.Greedy), tuned=rule.assuming(times=2))
    def Mine(rate: float, times: int, bound: float = 1.0, label: str = "mine") -> db.Policy:
        """Mine."""
        return db.Policy(explore=db.Greedy(rate * times, bound), label=label)

    assert str(inspect.signature(Mine.tuned)) == (
        "(horizon: 'int', times: 'int' = 2, bound: 'float' = 1.0, label: 'str' = 'mine') "
        "-> 'db.Policy'"
    )
    assert Mine.tuned(10, bound=2.0) == Mine(0.2, 2, bound=2.0)
    assert Mine.tuned.__doc__ == "Set the rate to B/T."
    assert presets_of(Mine(0.1, 1)) == [Mine]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: db.EXP3R.tuned(horizon=10_000, arms=3, gap=1e-320), "EXP3R.tuned.*gap=1e-320"),
        (
            lambda: db.MUCB.tuned(horizon=10_000, breakpoints=2, arms=3, change=1e-320),
            "MUCB.tuned.*change=1e-320.* is too large or too small to compute",
        ),
        (
            lambda: db.PeriodicUCB.tuned(horizon=100, variation=1e-320, arms=3),
            "PeriodicUCB.tuned.*variation=1e-320",
        ),
        (
            lambda: db.SlidingWindowUCB.tuned(horizon=100, breakpoints=2, bound=1e308),
            r"bound must be smaller: a window has at most 2\^53 rounds, got 1e\+308",
        ),
    ],
)
def test_rules_name_what_is_too_large_or_too_small(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(db.InputError, match=words):
        call()
