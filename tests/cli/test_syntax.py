"""Values written as calls are parsed safely, and mistakes are named in one line."""

from __future__ import annotations

import pytest

import driftbandit as db
from driftbandit import environments, policies
from driftbandit.cli.syntax import make, parameters
from driftbandit.core.errors import InputError


def policy(text: str) -> object:
    return make("policy", text, policies.CATALOGUE)


def world(text: str) -> object:
    return make("world", text, environments.CATALOGUE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ucb-1", db.UCB1()),
        ("ucb-1()", db.UCB1()),
        (" d-ucb( discount = 0.99, padding=1 ) ", db.DiscountedUCB(0.99, padding=1.0)),
        ("d-ucb(0.99)", db.DiscountedUCB(0.99)),
        ("sw-ucb(window=1e3)", db.SlidingWindowUCB(1000)),
        ("sw-ucb(window=10, label='mine (10)')", db.SlidingWindowUCB(10, label="mine (10)")),
        ("exp3.s(exploration=.1,sharing=1e-4)", db.EXP3S(0.1, 1e-4)),
        ("d-ucb.tuned(horizon=1e4,breakpoints=2)", db.DiscountedUCB.tuned(10_000, 2)),
        ("exp3++(beta=1)", db.EXP3PP(beta=1.0)),
        ("exp3-ix-anytime", db.AnytimeEXP3IX()),
        ("exp3.s.tuned(horizon=1e4,breakpoints=2,arms=3)", db.EXP3S.tuned(10_000, 2, 3)),
    ],
)
def test_policies(text: str, expected: db.Strategy) -> None:
    assert policy(text) == expected


def test_worlds_with_nested_lists_and_laws() -> None:
    steps = world("piecewise(breakpoints=[300],means=[[.1,.2],[.5,.1]],law=beta(concentration=10))")
    law = environments.laws.Beta(10.0)
    assert steps == environments.Piecewise([300], [[0.1, 0.2], [0.5, 0.1]], law=law)
    assert world("periodic(cycles=5, law=bernoulli)") == environments.periodic(cycles=5)


def test_defaults_fill_only_what_is_left_open() -> None:
    makers = environments.CATALOGUE
    assert make("world", "two-swaps", makers, horizon=100) == environments.two_swaps(100)
    explicit = make("world", "two-swaps(horizon=200)", makers, horizon=100)
    assert explicit == environments.two_swaps(200)
    assert make("world", "radio", makers, horizon=100) == environments.Radio()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d-ucp(discount=0.9)", "policy must be one of .*, got 'd-ucp'; did you mean 'd-ucb'?"),
        ("d-ucb(discount=1.2)", "discount must lie in (0, 1], got 1.2"),
        ("d-ucb(discout=0.9)", "d-ucb has no parameter 'discout'; it has discount, xi, bound, "),
        ("d-ucb", "d-ucb: missing a required argument: 'discount'; its parameters are discount,"),
        ("uniform(1, 2, 3)", "uniform: too many positional arguments; its parameters are label"),
        ("uniform.tuned(horizon=3)", "policy uniform has no 'tuned' form"),
        ("d-ucb(discount=0.9", "policy must be written as name(parameter=value, …), got"),
        ("d-ucb(discount=)", "policy must be written as name(parameter=value, …), got"),
        ("d-ucb(0.9) + 1", "policy must be written as name(parameter=value, …), got"),
        ("d-ucb(0.9), f(1)", "policy must be written as name(parameter=value, …), got"),
        ("d-ucb(0.9)(1)", "policy must be written as name(parameter=value, …), got"),
        ("", "policy must be written as name(parameter=value, …), got ''"),
        ("ucb-1(**{'xi': 2})", "ucb-1 takes parameter=value, not **"),
        ("ucb-1(xi=1 + 1)", "xi of ucb-1 must be a number, a list or a text in quotes, got 1 + 1"),
        ("ucb-1(xi='a')", "xi must lie in .*, got 'a'"),
        ("ucb-1(xi=0.5, xi=1)", "xi of ucb-1 must be given once only"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        policy(text)
    first, _, rest = message.partition(".*")
    assert str(caught.value).startswith(first)
    assert rest in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("attack", ["__import__('os').system('true')", "open('x')", "exit()"])
def test_nothing_is_evaluated(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.system", lambda _: pytest.fail("it ran"))
    with pytest.raises(InputError, match="must be a number, a list or a text in quotes"):
        policy(f"ucb-1(xi={attack})")
    with pytest.raises(InputError, match="law must be"):
        world(f"two-swaps(law={attack})")


def test_parameters_are_listed_with_their_defaults() -> None:
    assert parameters(db.DiscountedUCB).startswith("discount, xi=0.5, bound=1.0, padding=2.0")
    assert parameters(environments.CATALOGUE["two-swaps"]) == "horizon=10000, law=bernoulli"
