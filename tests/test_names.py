"""The public names: one list, the same for `dir`, for type checkers, and at run time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import driftbandit as db

ROOT = Path(db.__file__).parent

CONTRACT = [
    *("UCB1", "EXP3S", "EXP3S.tuned", "DiscountedUCB", "SlidingWindowUCB", "Policy"),
    *("Window", "GLR", "KLUCB"),
    *("environments.two_swaps", "environments.periodic", "environments.Piecewise"),
    *("simulate", "Result.times", "Result.summary", "Result.plot"),
    *("Outcome.final_regret", "Outcome.regret", "Outcome.play_share", "Outcome.suboptimal_plays"),
    *("Policy.agent", "Agent", "Agent.choose", "Agent.learn"),
    *("Agent.decide", "Agent.reward", "Agent.probabilities", "Agent.add", "Agent.retire"),
    *("Agent.explain", "Agent.state", "Agent.restore", "HalfLife", "TimeWindow", "rehearse"),
    *(
        "Log",
        "Log.read",
        "Log.check",
        "Log.overlap",
        "Log.value",
        "Log.world",
        "Log.drift",
        "Log.tune",
    ),
    "Log.report",
]
"""What the block of code in the design uses, as far as it is built."""


def listed() -> dict[str, str]:
    """Return the names of the stub and their homes, read as a type checker reads them."""
    tree = ast.parse((ROOT / "__init__.pyi").read_text(encoding="utf-8"))
    return {
        alias.name: f"driftbandit.{node.module or ''}".rstrip(".")
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }


def has(path: str) -> bool:
    """Say whether there is such a thing, or such a field of a class."""
    thing: object = db
    for name in path.split("."):
        fields = getattr(thing, "__dataclass_fields__", {})
        thing = getattr(thing, name, fields.get(name))
    return thing is not None


@pytest.mark.parametrize("path", CONTRACT)
def test_the_contract_holds(path: str) -> None:
    assert has(path)


def test_the_stub_and_the_running_package_have_the_same_names() -> None:
    assert {*listed(), "__version__"} == set(db.__all__) == set(dir(db))
    assert len(db.__all__) == len(set(db.__all__))


@pytest.mark.parametrize("name", listed())
def test_a_name_is_what_its_home_calls_so(name: str) -> None:
    value, home = getattr(db, name), listed()[name]
    assert value is getattr(sys.modules[home], name)


AXES = {"forget": db.forget, "detect": db.detect, "explore": db.explore, "force": db.force}
RULES = [(axis, name) for axis, home in AXES.items() for name in home.__all__]

OTHERWISE = {
    "AnytimeMOSS": "AnytimeMinimax",
    "EpsilonGreedy": "Greedy",
    "GaussianThompson": "GaussianPosterior",
    "MOSS": "Minimax",
    "Softmax": "Gibbs",
    "Thompson": "BetaPosterior",
    "UCBTuned": "TunedUCB",
    "UCBV": "UCBVariance",
}
"""Rules whose name in their axis is that of a policy in `db`, and what `db` calls the rule."""


@pytest.mark.parametrize("axis", AXES)
def test_an_axis_lists_its_rules(axis: str) -> None:
    home = AXES[axis]
    assert dir(home) == sorted(home.__all__)
    base = getattr(home, axis.capitalize())
    assert all(issubclass(getattr(home, name), base) for name in home.__all__)
    assert all(getattr(home, name).__name__ == name for name in home.__all__)


@pytest.mark.parametrize(("axis", "name"), RULES)
def test_a_rule_has_the_name_of_the_literature_in_its_axis(axis: str, name: str) -> None:
    rule = getattr(AXES[axis], name)
    assert getattr(db, OTHERWISE.get(name, name)) is rule
    if name in OTHERWISE:  # the policy of this name has this rule, and forgets nothing
        cell = getattr(db, name).cell
        assert cell.fields[axis][0] is rule
        assert cell.rules()["forget"] == "Full"


def test_older_names_stay() -> None:
    assert db.BernoulliGLR is db.GLR is db.detect.GLR is db.detect.BernoulliGLR
    assert db.explore.Minimax is db.explore.MOSS
    assert repr(db.Minimax(10)) == "MOSS(horizon=10, bound=1.0)"
    assert db.StationaryKLUCB().explore == db.KLUCB() == db.explore.KLUCB()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'driftbandit' has no attribute 'UCB2'"):
        _ = db.UCB2  # type: ignore[attr-defined]  # that is the point
    with pytest.raises(ImportError):
        from driftbandit import UCB2  # type: ignore[attr-defined]  # noqa: F401, PLC0415  # likewise


LAZY = """
import sys
import driftbandit
heavy = {"numpy", "numba", "matplotlib", "narwhals", "polars", "typing", "driftbandit.core"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
driftbandit.UCB1()
assert not {"numba", "matplotlib", "narwhals", "polars"} & set(sys.modules)
"""


def test_importing_the_package_loads_nothing_else() -> None:
    subprocess.run([sys.executable, "-I", "-S", "-c", PATH + LAZY], check=True)


PATH = f"import sys; sys.path[:0] = {[str(ROOT.parent), *sys.path]!r}\n"
"""The way to the package for an interpreter that has loaded nothing by itself."""
