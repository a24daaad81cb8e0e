"""JSON names classes by kinds that last, and reading it imports and runs nothing."""

from __future__ import annotations

import dataclasses
import importlib
import json
import operator
import subprocess
import sys
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

import driftbandit as db
from driftbandit.core.kinds import NAMESPACES, class_of, kind_of
from driftbandit.core.value import Value

ABSTRACT = {"Rotting", "_Published"}
"""Bases that `db` does not show: there are no values of them."""


def below(cls: type[Value]) -> set[type[Value]]:
    return {cls} | {lower for each in cls.__subclasses__() for lower in below(each)}


def package_classes() -> list[type[Value]]:
    """Return the classes of values that the package defines, but for those of doctests."""
    for name in ("environments", "linear", "policies", "studies.tune"):
        importlib.import_module(f"driftbandit.{name}")
    homes = tuple(f"driftbandit.{folder}" for folder in NAMESPACES)
    return [
        cls
        for cls in below(Value)
        if cls.__module__.startswith(homes)
        and getattr(sys.modules[cls.__module__], cls.__name__, None) is cls
        and cls.__name__ not in ABSTRACT
    ]


def test_the_kind_of_a_class_is_its_public_name() -> None:
    classes = package_classes()
    assert len(classes) > 80
    for cls in classes:
        package, path = kind_of(cls).split(":")
        assert package == "driftbandit"
        if cls.__name__ != "Values":  # made by db.tune from a list, not by a user
            assert operator.attrgetter(path)(db) is cls
        assert class_of(kind_of(cls), Value) is cls
    assert len({kind_of(cls) for cls in classes}) == len(classes)


def test_kinds_last() -> None:
    world = db.environments.Piecewise(breakpoints=[5], means=[[0.1], [0.2]])
    rules = [db.Window(5), db.Never(), db.UCB(), db.Sweeps(0.5), db.linear.Ellipsoid()]
    values: list[Value] = [db.UCB1(), db.EXP3S(), db.LinUCB(), world, world.law, *rules]
    assert [json.loads(value.to_json())["kind"] for value in values] == [
        "driftbandit:Policy",
        "driftbandit:EXP3S",
        "driftbandit:linear.LinearPolicy",
        "driftbandit:environments.Piecewise",
        "driftbandit:environments.laws.Bernoulli",
        "driftbandit:forget.Window",
        "driftbandit:detect.Never",
        "driftbandit:explore.UCB",
        "driftbandit:force.Sweeps",
        "driftbandit:linear.Ellipsoid",
    ]


READER = """
import sys
from driftbandit.core.value import Value
for line in sys.stdin:
    print(Value.from_json(line).to_json())
"""


def test_the_package_is_known_to_a_process_that_has_loaded_nothing_of_it() -> None:
    values: list[Value] = [
        db.LinUCB(),
        db.environments.two_swaps(law=db.environments.laws.Beta()),
        db.linear.Rotating(actions=db.linear.Fixed([[1.0, 0.0]])),
        db.GLRUCB.tuned(1_000, 3),
        db.Doubling(db.EXP3S, {"breakpoints": 1, "arms": 3}),
    ]
    texts = "\n".join(value.to_json() for value in values)
    for first in (texts, "\n".join(reversed(texts.splitlines()))):
        process = [sys.executable, "-c", READER]
        answer = subprocess.run(process, input=first, capture_output=True, text=True, check=True)
        assert answer.stdout.splitlines() == first.splitlines()


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module that must not be imported."""
    code = "import dataclasses\nfrom driftbandit.core.value import Value\n"
    (tmp_path / "trap.py").write_text(f"{code}class Mine(Value):\n    pass\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return "trap"


KINDS: list[Any] = [
    *("this:nothing", "antigravity:x", "os:system", "builtins:eval", "trap:Mine", ":", "", 3, None),
    *("driftbandit", "driftbandit:", "driftbandit:simulate", "driftbandit:checks"),
    *("driftbandit:linear", "driftbandit:..", "driftbandit:__loader__", "driftbandit:forget."),
    *("driftbandit:policies.Uniform", "driftbandit:environments.world.np.save"),
    *("driftbandit.rules.forget.window:Window", "driftbandit:forget.Nothing", ["driftbandit:UCB"]),
]


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_kind_is_one_line_and_imports_nothing(kind: Any, trap: str) -> None:
    before = {name for name in sys.modules if not name.startswith("driftbandit")}
    for payload in ({"kind": kind}, {"kind": "driftbandit:Policy", "forget": {"kind": kind}}):
        with pytest.raises(db.InputError) as caught:
            Value.from_json(json.dumps(payload))
        assert str(caught.value) == (
            "kind must name a class of driftbandit, or one of your own that is defined here, as "
            f"module:Class, got {kind!r}"
        )
    after = {name for name in sys.modules if not name.startswith("driftbandit")}
    assert not {"this", "antigravity", trap} & (after - before)


@pytest.mark.parametrize(
    "base", ["this:nothing", "os:system", "trap:Mine", "driftbandit:UCB1", ":"]
)
def test_the_base_of_a_doubling_policy_imports_nothing(base: str, trap: str) -> None:
    allowed = "name a policy, or a class of policies that is defined here, as module:Class"
    with pytest.raises(db.InputError) as caught:
        db.Doubling(base)
    assert str(caught.value) == f"base must {allowed}, got {base!r}"
    payload = {"kind": "driftbandit:Doubling", "base": base}
    with pytest.raises(db.InputError, match="base must name a policy"):
        db.Doubling.from_json(json.dumps(payload))
    assert trap not in sys.modules
    assert "this" not in sys.modules


def test_what_is_no_value_is_an_error_too() -> None:
    for text in ("{", "[" * 100_000, '{"a": 1}', "3", '"text"', "null"):
        with pytest.raises(db.InputError) as caught:
            db.Policy.from_json(text)
        assert "\n" not in str(caught.value)


def test_a_class_of_ones_own_is_known_once_it_is_defined() -> None:
    @dataclasses.dataclass(frozen=True)
    class Mine(db.Force):
        rate: float = 0.5

        @staticmethod
        def arm(since: float, restarts: float, arms: float, rate: float) -> int:
            return -1

    text = db.Policy(force=Mine(0.25)).to_json()
    assert f'"{__name__}:test_a_class_of_ones_own_is_known_once_it_is_defined.' in text
    assert db.Policy.from_json(text).force == Mine(0.25)
    older = Mine

    @dataclasses.dataclass(frozen=True)
    class Mine(db.Force):  # type: ignore[no-redef]  # as in a notebook
        rate: float = 0.5

        @staticmethod
        def arm(since: float, restarts: float, arms: float, rate: float) -> int:
            return -1

    assert type(db.Policy.from_json(text).force) is Mine is not older


MAIN = """
import dataclasses, sys
import cloudpickle
import driftbandit as db

@dataclasses.dataclass(frozen=True)
class Unpickled(db.Force):
    rate: float = 0.5

    @staticmethod
    def arm(since, restarts, arms, rate):
        return -1

policy = db.Policy(force=Unpickled(0.25))
assert db.Policy.from_json(policy.to_json()) == policy
sys.stdout.buffer.write(cloudpickle.dumps((policy, policy.to_json())))
"""


def test_a_class_of_main_is_known_where_it_was_unpickled() -> None:
    payload = subprocess.run([sys.executable, "-c", MAIN], capture_output=True, check=True).stdout
    policy, text = cloudpickle.loads(payload)
    assert '"__main__:Unpickled"' in text
    assert db.Policy.from_json(text) == policy


def test_bytes_that_are_no_text_are_one_line() -> None:
    with pytest.raises(db.InputError, match="not valid JSON: "):
        db.Policy.from_json(b"\xff")  # type: ignore[arg-type]  # that is the point


def test_the_class_that_reads_both_is_named() -> None:
    with pytest.raises(
        db.InputError, match=r"^expected a Policy, got Auto: Strategy.from_json reads"
    ):
        db.Policy.from_json(db.Auto().to_json())
    with pytest.raises(db.InputError, match=r"^expected a Policy, got Exact$"):
        db.Policy.from_json(db.environments.laws.Exact().to_json())


def test_a_module_is_not_loaded_to_be_refused() -> None:
    program = """
import sys
import driftbandit as db
for kind in ("driftbandit:figures", "driftbandit:simulate", "driftbandit:linear.world"):
    try:
        db.Policy.from_json('{"kind": "%s"}' % kind)
    except db.InputError:
        print(*(name for name in ("matplotlib", "numba") if name in sys.modules))
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n\n\n", "")


def test_numbers_of_any_length_are_one_line() -> None:
    text = db.DiscountedUCB(0.5).to_json()
    with pytest.raises(db.InputError, match="discount must lie in"):
        db.Policy.from_json(text.replace("0.5", "1" + "0" * 400, 1))
    with pytest.raises(db.InputError, match="not valid JSON: Exceeds the limit"):
        db.Policy.from_json(text.replace("0.5", "1" + "0" * 5000, 1))


def test_a_field_that_stands_twice_is_refused() -> None:
    text = db.UCB1().to_json().replace('"xi": 0.5', '"xi": 0.5, "xi": 2.0')
    assert text.count('"xi"') == 2
    with pytest.raises(db.InputError, match="not valid JSON: 'xi' stands twice in one object"):
        db.Policy.from_json(text)
