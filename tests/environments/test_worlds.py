from __future__ import annotations

import inspect
import math
import pickle
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import driftbandit as db
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


def test_tables_are_read_from_every_kind_of_file(tmp_path: Path) -> None:
    rows = np.array([[0.5, 0.25], [0.0, 1.0], [0.1, 0.3]])
    frame = pl.DataFrame(rows, schema=["red", "blue"], orient="row")
    frame.write_csv(tmp_path / "means.csv")
    frame.write_parquet(tmp_path / "means.parquet")
    np.save(tmp_path / "means.npy", rows)
    for name in ("means.csv", "means.parquet", "means.npy"):
        assert env.Table.read(tmp_path / name, bound=2.0) == env.Table(rows, bound=2.0)


def test_whole_numbers_in_a_file_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "rewards.csv").write_text("a,b\n0,1\n1,0\n")
    world = env.Table.read(str(tmp_path / "rewards.csv"), law=laws.Exact())
    assert world.means == ((0.0, 1.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "a,b\n0.1,0.2\n0.3\n0.1,0.2,0.3\n", "is not a readable table: "),
        ("t.csv", "a,b\n0.1,0.2\n0.3,\n", "means[1][1] must lie in [0, 1], got nan"),
        ("t.csv", "a,b\n0.1,1.2\n", "means[0][1] must lie in [0, 1], got 1.2"),
        ("t.csv", "a,b\n0.1,x\n", "must hold numbers only, got ['b']"),
        ("t.csv", "a,b\n", "is not a readable table: it has no rows"),
        ("t.csv", "0.1,0.2\n0.3,0.4\n", "must begin with a header, got ['0.1', '0.2']"),
        ("t.csv", "", "is not a readable table: "),
        ("t.parquet", "no", "is not a readable table: "),
        ("t.npy", "no", "is not a readable table: "),
        ("t.txt", "no", "the file's ending must be one of .csv, .parquet, .npy, got '.txt'"),
    ],
)
def test_a_bad_file_is_a_clear_error(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        env.Table.read(tmp_path / name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_may_turn_to_fractions_late(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "0,1\n" * 500 + ".5,.5\n")
    assert env.Table.read(tmp_path / "t.csv").mean_rewards(501, 501).tolist() == [[0.5, 0.5]]


def test_a_missing_file_is_a_clear_error() -> None:
    with pytest.raises(InputError, match=r"^path must be a file, got 'none.csv'$"):
        env.Table.read("none.csv")


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


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.npy"])
def test_a_table_that_may_not_be_read_says_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / name).write_text("")
    for module, reader in ((np, "load"), (pl, "read_csv"), (pl, "read_parquet")):
        monkeypatch.setattr(module, reader, forbidden)
    with pytest.raises(db.InputError, match=f"{name}' cannot be read: Permission denied"):
        env.Table.read(tmp_path / name)
