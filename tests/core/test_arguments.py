"""What users hand over besides numbers: flags, texts, lists, functions, paths."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit import theory
from driftbandit.core.arrays import listed
from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import flag, one_of, shown
from driftbandit.core.files import path_of

TABLES: list[Any] = [np.zeros(3), np.zeros((2, 2, 2)), np.array([]), np.zeros(2, [("a", float)])]


class Nameless:
    """A thing that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no name")


def test_a_message_shows_what_has_no_text_by_its_class() -> None:
    assert shown(Nameless()) == "a Nameless"
    with pytest.raises(db.InputError, match=r"^xi must lie in .*, got a Nameless$"):
        db.UCB1(xi=Nameless())  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize("value", [*TABLES, 10**5000, None, 5, Nameless(), ""], ids=shown)
def test_what_is_no_text_names_no_option(value: Any) -> None:
    with pytest.raises(db.InputError, match=r"^form must be one of sharp, plain, got "):
        one_of("form", value, ["sharp", "plain"])


@pytest.mark.parametrize("value", TABLES, ids=shown)
def test_tables_are_no_scope_and_no_clock(value: Any) -> None:
    with pytest.raises(db.InputError, match=r"^GLR.scope must be 'arm' or 'all', got "):
        db.GLR(delta=0.1, scope=value)
    with pytest.raises(db.InputError, match=r"^CUSUM.clock must be 'rounds' or 'plays', got "):
        db.CUSUM(10, 0.1, 5.0, clock=value)


def test_a_flag_is_true_or_false_of_python_or_numpy() -> None:
    assert flag("whole", np.True_) is True
    assert flag("whole", False) is False
    masked: Any = np.ma.masked
    wrong: list[Any] = [1, 0.0, "no", None, [], np.array([True]), masked]
    for value in wrong:
        with pytest.raises(db.InputError, match=r"^whole must be True or False, got "):
            flag("whole", value)


def test_what_merely_counts_as_true_is_refused_where_a_theorem_may_be_as_printed() -> None:
    no: Any = "no"
    calls: list[Callable[[], object]] = [
        lambda: theory.deviation(0.1, 100, as_printed=no),
        lambda: theory.maximal_deviation(0.1, 100, as_printed=no),
        lambda: theory.best_eta(0.1, 100, as_printed=no),
        lambda: theory.windowed.plays(1000, 2, 0.2, 10, as_printed=no),
        lambda: theory.discounted.plays(1000, 2, 0.2, 0.9, as_printed=no),
        lambda: theory.exp3s.regret(1000, 2, 3, as_printed=no),
        lambda: theory.lower.after(5.0, 1000, 0.2, 0.3, as_printed=no),
        lambda: theory.lower.any_policy(1000, 0.2, 0.2, 0.3, as_printed=no),
        lambda: theory.lower.constant(0.2, 0.2, 0.3, as_printed=no),
    ]
    for call in calls:
        with pytest.raises(db.InputError, match=r"^as_printed must be True or False, got 'no'$"):
            call()


def test_a_list_has_items_in_an_order() -> None:
    assert listed("names", (name for name in "ab"), "be a list") == ["a", "b"]
    for value in ("ab", b"ab", bytearray(b"ab"), np.array(1.0), 5, None):
        with pytest.raises(db.InputError, match=r"^names must be a list, got "):
            listed("names", value, "be a list")
    with pytest.raises(db.InputError, match=r"^names must have an order, which a set has not"):
        listed("names", {"a", "b"}, "be a list")


def test_a_function_to_call_back_takes_the_arguments_that_it_will_get() -> None:
    for fits in (None, print, lambda done, total: None, lambda *both: None, max):
        require_function("progress", fits, "done, total")
    for wrong in (len, int, lambda: None, lambda done: None, lambda a, b, c: None):
        with pytest.raises(db.InputError, match=r"^progress must be a function of \(done, total\)"):
            require_function("progress", wrong, "done, total")


def test_a_path_has_no_half_letters() -> None:
    assert path_of("path", "ünïcode.png", "name a file").name == "ünïcode.png"
    with pytest.raises(db.InputError, match=r"^path must name a file, got "):
        path_of("path", "\ud800.png", "name a file")


def test_the_keys_of_a_dict_have_an_order() -> None:
    assert listed("labels", {"b": 1, "a": 2}.keys(), "be texts") == ["b", "a"]
    with pytest.raises(db.InputError, match="labels must have an order, which a set has not"):
        listed("labels", {"b", "a"}, "be texts")
