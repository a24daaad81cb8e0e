from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import driftbandit as db
from driftbandit import environments as env
from driftbandit.core.errors import InputError
from driftbandit.engine.best_arm import best_arm_changes

ERRORS: list[tuple[Callable[[], Any], str]] = [
    (lambda: env.Stationary([]), "means must be a row of means, one per arm, got []"),
    (lambda: env.Stationary([0.5, 1.2]), "means[1] must lie in [0, 1], got 1.2"),
    (lambda: env.Stationary([0.5], law=0.5), "law must be a reward law, got 0.5"),  # type: ignore[arg-type]
    (lambda: env.Stationary([0.5], bound=0), "bound must lie in (0, inf), got 0"),
    (
        lambda: env.Piecewise([5, 3], [[0.1]] * 3),
        "breakpoints must be strictly increasing, got [5, 3]",
    ),
    (
        lambda: env.Piecewise([1], [[0.1]] * 2),
        "breakpoints[0] must be a whole number of at least 2, got 1",
    ),
    (lambda: env.Piecewise(3, [[0.1]] * 2), "breakpoints must be a list of rounds, got 3"),  # type: ignore[arg-type]
    (lambda: env.Piecewise([3], [[0.1]]), "means must have 2 rows for 1 breakpoints, got 1"),
    (lambda: env.Piecewise([3], [[0.1, 0.2], [0.1]]), "means[1] must hold 2 means, got [0.1]"),
    (
        lambda: env.Piecewise([3], [[0.1, 0.2], [0.1, "x"]]),  # type: ignore[arg-type]
        "means[1] must be a row of numbers, got [0.1, 'x']",
    ),
    (
        lambda: env.Table([0.1, 0.2]),
        "means must be rows of means, one per arm, got the shape (2,)",
    ),
    (lambda: env.Table([[0.1], [math.nan]]), "means[1][0] must lie in [0, 1], got nan"),
    (lambda: env.Table([[0.1], [3.0]], bound=2), "means[1][0] must lie in [0, 2], got 3.0"),
    (lambda: env.Table([[0.1]]).mean_rewards(1, 2), "last must be at most 1, got 2"),
    (
        lambda: env.Table([[0.1]]).mean_rewards(0, 1),
        "first must be a whole number of at least 1, got 0",
    ),
    (
        lambda: env.Table([[0.1]]).realise(2),
        "horizon must be at most 1, the world's last round, got 2",
    ),
    (
        lambda: env.Stationary([0.5]).realise(),
        "horizon must be given: this world has no last round",
    ),
    (lambda: env.two_swaps().realise(0), "horizon must be a whole number of at least 1, got 0"),
    (lambda: env.two_swaps(3), "horizon must be a whole number of at least 10, got 3"),
    (lambda: env.periodic(cycles=0), "cycles must lie in (0, inf), got 0"),
    (lambda: env.Periodic(10, amplitude=0.6), "amplitude must be at most 0.5, got 0.6"),
    (lambda: env.Drift([0.1], [0.1, 0.2]), "end must hold 1 means as start does, got 2"),
    (lambda: env.Drift([0.1], [-0.1]), "end[0] must lie in [0, 1], got -0.1"),
    (lambda: env.Drift([0.1], [0.2], 1), "horizon must be a whole number of at least 2, got 1"),
    (
        lambda: env.RandomSwitching(3, 0.1, breakpoints=2),
        "rate must be left out where breakpoints are given, got 0.1",
    ),
    (
        lambda: env.RandomSwitching(3, breakpoints=2),
        "horizon must be given with a number of breakpoints",
    ),
    (
        lambda: env.RandomSwitching(3, breakpoints=10, horizon=10),
        "breakpoints must be below the horizon 10, got 10",
    ),
    (lambda: env.RandomSwitching(1, 0.1), "arms must be a whole number of at least 2, got 1"),
    (
        lambda: env.RandomSwitching(2, 0.1, gap=(0.3, 0.2)),
        "gap must be two numbers (least, most) in [0, 1], got (0.3, 0.2)",
    ),
    (lambda: env.RandomSwitching(2, 0.1, gap=(0, 0.2)), "gap must begin above 0, got (0, 0.2)"),
    (lambda: env.Brownian(2, 0.1, low=0.8, high=0.2), "low must be below high, 0.2, got 0.8"),
    (lambda: env.Brownian(2, 2.0), "sigma must be at most high − low, 1, got 2.0"),
    (
        lambda: env.Brownian(2, 0.1).mean_rewards(1, 2),
        "Brownian has no means before a run: use realise()",
    ),
    (
        lambda: env.Brownian(2).realise(3, run=-1),
        "run must be a whole number of at least 0, got -1",
    ),
    (lambda: env.Radio(seize=(0.0, 0.1)), "seize must begin above 0, got (0.0, 0.1)"),
    (lambda: env.Radio(free_reward=2.0), "free_reward must lie in [0, 1.0], got 2.0"),
    (
        lambda: env.Radio(switches=[4, 4]),
        "switches must be strictly increasing, got [4, 4]",
    ),
    (lambda: env.NewsFeed(half_life=0), "half_life must lie in (0, inf), got 0"),
    (
        lambda: env.RandomPiecewise(changes=6, spacing=1000, horizon=6_999),
        "changes must be such that 7 segments of 1000 rounds fit into 6999, got 6",
    ),
    (
        lambda: env.RandomPiecewise(jump=(0.1, 0.6)),
        "jump must be two numbers (least, most) in [0, 0.5], got (0.1, 0.6)",
    ),
    (lambda: env.Sinusoid(sigma=-1), "sigma must lie in [0, inf), got -1"),
]


@pytest.mark.parametrize(("make", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_errors_name_the_parameter(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value) == message


def own_world(**body: Any) -> env.World:
    return cast(env.World, type("Mine", (env.World,), body)())


def rows(value: Any) -> Callable[[Any, int, int], Any]:
    return lambda _, first, last: np.full((last - first + 1, 2), value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"arms": 2}, r"Mine must have a method mean_rewards\(first, last\)"),
        (
            {"mean_rewards": rows(0.5)},
            "arms of Mine must be a whole number of at least 1, got None",
        ),
        ({"arms": 0, "mean_rewards": rows(0.5)}, "arms of Mine must be .* at least 1, got 0"),
        ({"arms": "2", "mean_rewards": rows(0.5)}, "arms of Mine must be .*, got '2'"),
        ({"arms": 2, "horizon": "9", "mean_rewards": rows(0.5)}, "horizon of Mine must be .*'9'"),
        ({"arms": 2.0, "mean_rewards": rows(0.5)}, "arms of Mine must be an int, got 2.0"),
        (
            {"arms": 2, "horizon": 9.0, "mean_rewards": rows(0.5)},
            "horizon of Mine must be an int, got 9.0",
        ),
        (
            {"arms": 2, "mean_rewards": lambda _, first, last: np.random.rand(last - first + 1, 2)},  # noqa: NPY002  # the mistake
            "means of Mine must be the same when asked for again; a world that draws them sets",
        ),
        ({"arms": 2, "random": True}, "Mine must have a staticmethod path"),
        ({"arms": 3, "mean_rewards": rows(0.5)}, "means of Mine must have the shape"),
        ({"arms": 2, "mean_rewards": rows(0.5 + 1j)}, "means of Mine must be an array of real"),
        ({"arms": 2, "mean_rewards": rows("0.5")}, "means of Mine must be an array of real"),
        ({"arms": 2, "mean_rewards": lambda *_: None}, "means of Mine must be an array of real"),
        (
            {"arms": 2, "mean_rewards": rows(math.nan)},
            r"means of Mine must lie in \[0, 1\], got nan",
        ),
    ],
)
def test_mistakes_in_a_world_of_your_own_are_named(body: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        db.simulate(db.UCB1(), own_world(**body), horizon=9, runs=8)
    with pytest.raises(InputError, match=message):
        own_world(**body).best_arm(9)


def test_a_world_of_your_own_may_count_with_numpy() -> None:
    world = own_world(arms=np.int64(2), horizon=np.int64(9), mean_rewards=rows(0.5))
    result = db.simulate(db.UCB1(), world, runs=8)
    assert (type(result.horizon), result.horizon) == (int, 9)


def test_the_best_arm_of_a_world_of_your_own_is_counted_in_lists() -> None:
    """As `simulate` and `tune` do, also where `mean_rewards` returns no array."""
    swap = own_world(arms=2, mean_rewards=lambda _, a, z: [[t % 2, 0.5] for t in range(a, z + 1)])
    assert best_arm_changes(swap, horizon=10) == 9
    wrong = own_world(arms=3, mean_rewards=rows(0.5))
    with pytest.raises(InputError, match="means of Mine must have the shape"):
        best_arm_changes(wrong, horizon=10)


@pytest.mark.parametrize("question", ["find_breakpoints", "best_arm", "gaps", "distance"])
def test_a_run_that_does_not_exist_is_refused_where_all_are_the_same(question: str) -> None:
    world: Any = env.Piecewise([5], [[0.1], [0.2]])
    with pytest.raises(InputError, match="seed must be a whole number of at least 0, got -1"):
        getattr(world, question)(9, seed=-1)
    with pytest.raises(InputError, match="run must be a whole number of at least 0, got 'x'"):
        getattr(world, question)(9, run="x")


def test_too_many_rounds_are_called_a_horizon() -> None:
    with pytest.raises(InputError, match="horizon must be smaller, or arms: the means of 10000000"):
        env.two_swaps(10**15).best_arm(10**13)
