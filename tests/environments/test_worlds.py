from __future__ import annotations

import inspect
import math
import pickle
import sys
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from driftbandit import environments as env
from driftbandit.core.errors import InputError
from driftbandit.environments import laws

FIXED = [
    env.Stationary((0.5, 0.3)),
    env.Piecewise((3, 7), ((0.5, 0.3), (0.5, 0.9), (0.1, 0.2)), law=laws.Beta(3.0)),
    env.two_swaps(50),
    env.periodic(40),
    env.Drift((0.0, 0.5, 2.0), (1.0, 0.5, 0.3), horizon=40, bound=2.0),
    env.Table(np.linspace(0.0, 1.0, 80).reshape(40, 2), law=laws.Exact()),
    env.Sinusoid(0.1, arms=4, horizon=40, bound=3.0),
    env.Decay((0.9, 1.2), (0.0, 2.0), (5.0, 0.5), horizon=40, bound=2.0),
    env.Seasonal((0.0, 0.2, 0.1), (2.0, 0.2, 0.9), (0.0, 0.3, 1.0), 7.5, horizon=40, bound=2.0),
]
RANDOM = [
    env.RandomSwitching(3, rate=0.1),
    env.RandomSwitching(3, breakpoints=5, horizon=60),
    env.Brownian(2, 0.1),
    env.Radio(2),
    env.Radio(2, switches=(5, 9)),
    env.NewsFeed(3),
    env.RandomPiecewise(2, horizon=60),
    env.RandomJumps(3, rate=0.1, horizon=60),
]
each_fixed = pytest.mark.parametrize("world", FIXED, ids=lambda world: type(world).__name__)
each_world = pytest.mark.parametrize("world", FIXED + RANDOM, ids=lambda w: type(w).__name__)


@each_world
def test_worlds_survive_json_and_pickle_and_compare(world: env.World) -> None:
    again = env.World.from_json(world.to_json())
    copied = pickle.loads(pickle.dumps(world))
    assert again == copied == world == world.replace()
    assert hash(again) == hash(copied) == hash(world)
    assert repr(again) == repr(copied) == repr(world)
    table = world.realise(30, seed=2, run=1)
    assert table == again.realise(30, seed=2, run=1) == copied.realise(30, seed=2, run=1)
    assert world != world.replace(law=laws.Beta(7.5))


@each_world
def test_a_world_names_all_its_levels_or_none(world: env.World) -> None:
    levels = world.levels()
    if isinstance(world, env.Stationary | env.Piecewise | env.Table | env.Radio):
        assert levels is not None
    if levels is not None:
        for run in range(5):
            means = world.realise(40, seed=3, run=run).mean_rewards(1, 40)
            assert set(means.ravel().tolist()) <= set(np.ravel(levels).tolist())


def test_other_means_drop_the_levels_of_the_parent() -> None:
    class Shifted(env.Stationary):
        def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
            return super().mean_rewards(first, last) / 2.0

    assert Shifted((0.5, 0.3)).levels() is None


@each_world
def test_what_every_world_says_of_itself(world: env.World) -> None:
    table = world.realise(30)
    assert (table.horizon, table.arms) == (30, world.arms)
    assert (table.law, table.bound) == (world.law, world.bound)
    assert np.min(table.means) >= 0.0
    assert np.max(table.means) <= world.bound
    for question in ("find_breakpoints", "best_arm", "gaps", "distance"):
        answer = getattr(world, question)(30, seed=0, run=0)
        np.testing.assert_array_equal(answer, getattr(table, question)())


@each_fixed
def test_fixed_means_do_not_depend_on_the_chunks(world: env.World) -> None:
    whole = world.mean_rewards(1, 40)
    assert whole.shape == (40, world.arms)
    assert whole.dtype == np.float64
    for cuts in ((1, 2, 3, 40), (1, 17, 40), tuple(range(1, 41))):
        parts = [world.mean_rewards(a, b - 1) for a, b in zip(cuts, (*cuts[1:], 41), strict=True)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_two_swaps_changes_exactly_at_its_breakpoints() -> None:
    world = env.two_swaps()
    assert world.mean_rewards(2999, 3000)[:, 2].tolist() == [0.4, 0.9]
    assert world.mean_rewards(4999, 5000)[:, 2].tolist() == [0.9, 0.4]
    assert world.mean_rewards(1, 10_000)[:, 2].tolist().count(0.9) == 2000
    assert world.find_breakpoints(10_000) == [3000, 5000]
    assert world.find_breakpoints(2999) == []
    assert world.find_breakpoints(3000) == [3000]
    assert world.best_arm(10_000).tolist() == [0] * 2999 + [2] * 2000 + [0] * 5001
    np.testing.assert_allclose(world.gaps(10_000), [0.4, 0.2, 0.1])
    np.testing.assert_allclose(world.gaps(2999), [math.inf, 0.2, 0.1])
    assert world.distance(10_000) == pytest.approx(1.0)
    assert env.two_swaps(1_000).breakpoints == (300, 500)
    assert env.two_swaps(12_345).breakpoints == (3704, 6172)


def test_periodic_is_the_papers_formula() -> None:
    horizon = 10_000
    rounds = np.arange(1, horizon + 1)
    for cycles in (3, 6):
        table = env.periodic(horizon, cycles).mean_rewards(1, horizon)
        expected = 0.5 + 0.4 * np.cos(6.0 * np.pi * (cycles / 3) * rounds / horizon)
        np.testing.assert_allclose(table[:, 0], expected, atol=1e-11)
        assert (table[:, 1] == 0.5).all()
    assert env.periodic().mean_rewards(horizon, horizon)[0, 0] == pytest.approx(0.9)


def test_questions_by_hand() -> None:
    world = env.Table([[0.5, 0.25, 0.0], [0.5, 0.5, 0.0], [0.25, 0.5, 0.0], [0.25, 0.5, 0.0]])
    assert world.find_breakpoints() == [2, 3]
    assert world.best_arm().tolist() == [0, 0, 1, 1]
    assert world.gaps().tolist() == [0.25, 0.25, 0.5]
    assert world.distance() == 0.5
    assert world.distance(1) == 0.0
    assert world.find_breakpoints(1) == []
    both = env.Table([[0.5, 0.25], [0.25, 0.75], [0.25, 0.0]])
    assert both.distance() == 0.5 + 0.75
    flat = env.Stationary((0.25, 0.5))
    assert flat.gaps(5).tolist() == [0.25, math.inf]
    assert flat.distance(5) == 0.0


def test_a_breakpoint_where_nothing_changes_is_none() -> None:
    world = env.Piecewise([3, 5], [[0.5], [0.5], [0.6]])
    assert world.breakpoints == (3, 5)
    assert world.find_breakpoints(10) == world.realise(10).find_breakpoints() == [5]


def test_drift_goes_from_start_to_end() -> None:
    world = env.Drift([0.1, 0.9], [0.7, 0.9], horizon=4)
    np.testing.assert_allclose(world.mean_rewards(1, 4)[:, 0], [0.1, 0.3, 0.5, 0.7])
    assert world.mean_rewards(1, 1)[0].tolist() == [0.1, 0.9]
    assert world.mean_rewards(4, 4)[0].tolist() == [0.7, 0.9]
    assert world.find_breakpoints() == [2, 3, 4]


@dataclass(frozen=True)
class Hills(env.World):
    height: float = 0.5

    arms = 2

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        rounds = np.arange(first, last + 1)
        return np.column_stack([self.height * (rounds % 2), np.full(rounds.size, 0.25)])


def test_a_users_own_world_is_one_small_class() -> None:
    world = Hills(0.75)
    assert world.horizon is None
    assert world.best_arm(4).tolist() == [0, 1, 0, 1]
    assert world.gaps(4).tolist() == [0.25, 0.5]
    assert world.distance(3) == 1.5
    assert env.World.from_json(world.to_json()) == world


def test_parameters_are_plain_tuples() -> None:
    worlds = (
        env.Stationary(np.array([0.5, 0.3])),
        env.Piecewise([3], [[0.1], [0.2]]),
        env.two_swaps(),
    )
    for world in worlds:
        for name in set(vars(world)) & {"means", "breakpoints"}:
            assert type(getattr(world, name)) is tuple
    rewards = worlds[0].mean_rewards(1, 2)
    rewards[:] = 7.0  # an array of the caller's own
    assert worlds[0].mean_rewards(1, 2).tolist() == [[0.5, 0.3], [0.5, 0.3]]


@pytest.mark.parametrize(
    ("old", "new"), [("means", "mean_rewards"), ("breakpoints", "find_breakpoints")]
)
def test_a_method_named_like_a_parameter_is_told_its_name(old: str, new: str) -> None:
    def method(self: env.World, first: int, last: int) -> Any: ...

    message = f"^Own.{old} must be renamed: call it {new}$"
    with pytest.raises(InputError, match=message):
        type("Own", (env.World,), {"arms": 2, old: method})


def test_the_catalogue_names_every_world() -> None:
    names = (
        "stationary piecewise two-swaps periodic random-switching drift brownian radio news table "
        "random-piecewise sinusoid rotting random-jumps decay seasonal wild rise"
    )
    assert list(env.CATALOGUE)[:18] == names.split()
    assert set(env.CATALOGUE) == {*names.split(), *env.PROBLEMS}
    for make in env.CATALOGUE.values():
        assert inspect.signature(make).parameters
        assert make.__doc__


def test_plot_asks_the_figures_module(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = types.ModuleType("driftbandit.figures")
    figures.world = lambda *arguments, ax: (*arguments, ax)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "driftbandit.figures", figures)
    monkeypatch.setattr(sys.modules["driftbandit"], "figures", figures, raising=False)
    world = env.two_swaps()
    arguments: object = world.plot("a.png", horizon=7, run=2)
    assert arguments == (world, "a.png", 7, 0, 2, None)
