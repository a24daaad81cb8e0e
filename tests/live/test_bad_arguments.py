"""What an agent, its events and its rules of the clock refuse; what is refused changes nothing."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow  # type: ignore[import-untyped]  # it has no stubs
import pytest

import driftbandit as db
from driftbandit.live.state import sealed


class Fails:
    """An object of a user whose every method fails."""

    def fail(self, *_: object) -> Any:
        raise RuntimeError("no")

    __float__ = __int__ = __iter__ = __hash__ = __eq__ = fail


class Ends:
    """Names that end in trouble."""

    def __iter__(self) -> Iterator[str]:
        yield "a"
        raise RuntimeError("no more")


BAD_EVENTS: list[tuple[str, Any]] = [
    ("arm", ["a"]),
    ("arm", Fails()),
    ("arm", math.nan),
    ("probability", "0.5"),
    ("probability", math.nan),
    ("probability", Fails()),
    ("u", 1.0),
    ("u", None),
    ("round", 0),
    ("round", "1"),
    ("at", None),
    ("at", math.inf),
    ("eligible", ["a"]),
    ("eligible", ("y", "z")),
    ("eligible", ("a", "a")),
    ("features", ("a",)),
    ("id", ""),
    ("id", 7),
]

CALLS: list[tuple[str, Callable[[db.Agent[Any]], object]]] = [
    ("at must be seconds", lambda agent: agent.decide(at=math.nan)),
    ("eligible must be among", lambda agent: agent.decide(eligible=["z"])),
    ("at must be seconds", lambda agent: agent.decide(at=1_700_000_000_000)),  # milliseconds
    ("eligible must be a list of arms, got 2", lambda agent: agent.decide(eligible=2)),  # type: ignore[arg-type]  # the mistake
    ("eligible must be a list of arms, got 2", lambda agent: agent.probabilities(2)),  # type: ignore[arg-type]  # the mistake
    ("eligible cannot be gone through", lambda agent: agent.decide(eligible=Ends())),
    ("at must be seconds", lambda agent: agent.learn("a", 1.0, at="noon")),
    ("at must not run backwards", lambda agent: agent.learn("a", 1.0, at=-1e9)),
    ("reward must lie in", lambda agent: agent.learn("a", Fails())),  # type: ignore[arg-type]  # the mistake
    ("arm must be one of", lambda agent: agent.learn(Fails(), 1.0)),
    ("arm must be one of ['a', 'b', 'c'], got 'z'", lambda agent: agent.retire("z")),
    ("arm must be a name", lambda agent: agent.add(math.nan)),
    ("fresh must be True or False", lambda agent: agent.add("d", fresh="no")),  # type: ignore[arg-type]  # the mistake
    ("event must be a Decision or a Reward", lambda agent: agent.apply("1")),  # type: ignore[arg-type]  # the mistake
    ("u must lie in [0, 1)", lambda agent: agent.propose(u=1.0)),
    *(
        (
            f"{field} must ",
            lambda agent, field=field, wrong=wrong: agent.apply(
                dataclasses.replace(agent.propose(u=0.5, at=1.0), **{field: wrong})
            ),
        )
        for field, wrong in BAD_EVENTS
    ),
]


@pytest.mark.parametrize(("message", "call"), CALLS)
def test_what_is_refused_changes_nothing(
    message: str, call: Callable[[db.Agent[Any]], object]
) -> None:
    agent = db.EXP3(exploration=0.2).agent(["a", "b", "c"], floor=0.1, reward_within="1h")
    agent.decide(at=0.0)
    before = agent.state()
    with pytest.raises(db.InputError) as caught:
        call(agent)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert agent.state() == before


@pytest.mark.parametrize(("field", "wrong"), BAD_EVENTS)
def test_an_event_that_is_none_is_not_written(field: str, wrong: Any) -> None:
    decision = db.Decision("1", "a", 0.5, 1, 0.0, ("a", "b"), 0.25)
    with pytest.raises(db.InputError, match=rf"^{field} must "):
        dataclasses.replace(decision, **{field: wrong}).to_json()


@pytest.mark.parametrize("arm", [("a", 1), math.inf, b"a", None, 2**2000])
def test_names_that_json_would_change_are_not_written(arm: Any) -> None:
    with pytest.raises(db.InputError, match=r"^arm must be a text or a number, so that JSON"):
        db.Decision("1", arm, 0.5, 1, 0.0).to_json()
    agent = db.UCB1().agent(arms=[arm, "b"])
    agent.learn(arm, 1.0)
    with pytest.raises(db.InputError, match=r"^arm must be a text or a number, so that JSON"):
        agent.state()


@pytest.mark.parametrize(
    "line", ['{"event": "reward", "id": "1", "reward": "1", "at": 0}', "[" * 9999]
)
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(db.InputError):
        db.event_from_json(line)


@pytest.mark.parametrize("field", ["now", "pending"])
@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1e300])
def test_a_state_has_times_that_exist(field: str, wrong: float) -> None:
    agent = db.UCB1().agent(["a", "b"], reward_within="1h")
    agent.decide(at=0.0)
    state = agent.state()
    if field == "now":
        state["now"] = wrong
    else:
        state["pending"][0][2] = wrong
    with pytest.raises(db.InputError, match="must be a point of time"):
        db.Agent.restore(sealed(state))


def test_more_arms_than_fit_are_refused_by_their_number() -> None:
    with pytest.raises(
        db.InputError, match=r"^arms must be at most 1000000, got 9007199254740992$"
    ):
        db.UCB1().agent(arms=2**53)


@pytest.mark.parametrize("policy", [db.Auto(), db.LinUCB()])
def test_unknown_terms_are_named_with_the_nearest(policy: Any) -> None:
    with pytest.raises(
        db.InputError,
        match=r"^an agent has no option 'flor'; it has floor, reward_within, default_reward, "
        r"combine, duplicates, most_pending; did you mean 'floor'\?$",
    ):
        policy.agent(2, flor=0.1)


@pytest.mark.parametrize("seconds", [None, 0.0, -1.0, math.nan, math.inf, "soon", Fails()])
@pytest.mark.parametrize("rule", [db.HalfLife(60), db.TimeWindow(60)])
def test_a_round_takes_a_time(rule: db.HalfLife | db.TimeWindow, seconds: Any) -> None:
    with pytest.raises(db.InputError, match=r"^seconds must be seconds, a timedelta or a text"):
        rule.in_rounds(seconds)


def test_a_round_may_be_far_shorter_than_a_window() -> None:
    assert db.TimeWindow(60).in_rounds(5e-324) == db.Window(2**53)


@pytest.mark.parametrize("u", [1.0, -0.1, math.nan, math.inf, "x", None, True])
def test_a_number_that_draws_lies_in_zero_to_one(u: Any) -> None:
    agent = db.UCB1().agent(arms=["a", "b"], floor=0.2)
    with pytest.raises(db.InputError, match=r"u must lie in \[0, 1\), got"):
        agent.draw(u)
    assert agent.draw(0) == agent.draw(0.0)


def test_arms_of_numpy_are_names_like_others() -> None:
    lists: list[Any] = [np.arange(2), [np.int64(0), np.int64(1)], np.array(["a", "b"])]
    for arms in [*lists, np.array([0.5, 1.0])]:
        agent: db.Agent[Any] = db.UCB1().agent(arms=arms)
        agent.learn(arms[0], 1.0)
        agent.add(np.int32(7))
        same = db.Agent.restore(json.loads(json.dumps(agent.state())))
        assert same.arms == agent.arms == [*list(arms), 7]
        assert {type(arm) for arm in agent.arms} <= {int, str, float}
        assert agent.decide(arms[:1], at=0.0).arm == arms[0]


@pytest.mark.parametrize("mask", [[True, False], np.array([True, False])])
def test_a_mask_is_no_list_of_arms(mask: Any) -> None:
    """True equals 1 and False equals 0, so that each mask of two arms would allow both."""
    with pytest.raises(db.InputError, match=r"eligible must be among \[0, 1\], got True"):
        db.UCB1().agent(arms=2).decide(eligible=mask)
    assert db.UCB1().agent([True, False]).decide(eligible=mask[1:]).arm is False


def test_names_of_pyarrow_are_those_of_python() -> None:
    agent = db.UCB1().agent(pyarrow.array(["red", "blue"]))
    assert agent.arms == ["red", "blue"]


def test_a_list_of_an_event_is_no_text() -> None:
    line = db.Decision("1", "a", 0.5, 1, 0.0, ("a", "b"), 0.25).to_json()
    with pytest.raises(db.InputError, match="event must be a line that to_json wrote"):
        db.event_from_json(line.replace('["a", "b"]', '"ab"'))


def test_a_floor_goes_with_decisions_alone() -> None:
    agent = db.UCB1().agent(arms=2, floor=0.4)
    with pytest.raises(db.InputError, match=r"^floor must be 0 for choose, got 0\.4: use decide"):
        agent.choose()
    linear = db.LinUCB().agent(dimension=2, floor=0.4)
    with pytest.raises(db.InputError, match=r"^floor must be 0 for choose, got 0\.4: use decide"):
        linear.choose([[1.0, 0.0]])


@pytest.mark.parametrize("dimension", [10**7, 10**10, 10**15])
def test_a_dimension_that_no_memory_holds_is_one_line(dimension: int) -> None:
    with pytest.raises(db.InputError, match=r"^dimension must be one whose square fits"):
        db.LinUCB().agent(dimension=dimension)


def test_what_a_database_makes_of_a_state_is_said() -> None:
    state = db.UCB1().agent(arms=2).state()
    with pytest.raises(db.InputError, match=r"no other fields, got \['_id'\]$"):
        db.Agent.restore({**state, "_id": "65f"})
    with pytest.raises(db.InputError, match=r"plain data that JSON can hold: .* Decimal"):
        db.Agent.restore({**state, "floor": Decimal("0.0")})


def test_names_that_differ_by_blanks_are_shown_as_they_are() -> None:
    with pytest.raises(db.InputError, match="one of \\['red ', 'red'\\], got 'red  '"):
        db.UCB1().agent(["red ", "red"]).learn("red  ", 1.0)
