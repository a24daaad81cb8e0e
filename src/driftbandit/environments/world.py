"""The base of all worlds: the mean reward of every arm in every round, and a law around it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.domain import Positive
from driftbandit.core.errors import InputError, plain, require, shown, whole
from driftbandit.environments import drawing
from driftbandit.environments.environment import Environment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from driftbandit.environments.table import Table

METHODS = {"means": "mean_rewards", "breakpoints": "find_breakpoints"}
"""The method that computes what some worlds have as a parameter; docs/decisions/0016 says why."""

OF_MEANS = ("steady", "levels", "find_breakpoints")
"""What a world says of its means besides; a subclass with other means says it anew or not."""


@dataclass(frozen=True)
class World(Environment):
    """Base of every world. Rounds count from 1, arms from 0, rewards lie in [0, bound].

    Your own world is a small class that says how many `arms` it has and what their mean rewards
    are:

    >>> class Sawtooth(World):
    ...     arms = 2
    ...     def mean_rewards(self, first, last):
    ...         rounds = np.arange(first, last + 1)
    ...         return np.column_stack([rounds % 100 / 100, np.full(rounds.size, 0.5)])
    >>> world = Sawtooth(bound=2.0)
    >>> world.mean_rewards(49, 51).tolist()
    [[0.49, 0.5], [0.5, 0.5], [0.51, 0.5]]
    >>> world.best_arm(100)[[48, 49, 50]].tolist()
    [1, 0, 0]

    A world whose means differ from run to run sets `random = True` and has a static `path` (see
    there) in place of `mean_rewards`, with `memory` and `parameters` beside it.
    """

    bound: Positive = field(default=1.0, kw_only=True)

    random: ClassVar[bool] = False
    """Whether the means differ from run to run."""

    actions: ClassVar[None] = None
    """Its arms have no features."""

    lockstep: ClassVar[Callable[..., None] | None] = None
    """`path` for many runs at once; optional.

    It is called like `path`, but all arrays have one more dimension, the last: the runs. It must
    give the same bits per run as `path`.
    """

    if TYPE_CHECKING:  # a random world has it as a field, a property or a class attribute

        @property
        def memory(self) -> int:
            """How many numbers `path` keeps between calls, per run."""
    else:
        memory = 0

    def __init_subclass__(cls) -> None:
        """Check the names of methods; drop what a parent says of means that are replaced."""
        for parameter, method in METHODS.items():
            if inspect.isfunction(vars(cls).get(parameter)):
                raise InputError(f"{cls.__name__}.{parameter} must be renamed: call it {method}")
        super().__init_subclass__()
        own = vars(cls)
        if "path" in own and "lockstep" not in own:
            cls.lockstep = None
        for name in OF_MEANS if "path" in own or "mean_rewards" in own else ():
            if name not in own:
                setattr(cls, name, getattr(World, name))

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        name = type(self).__name__
        if not self.random:
            raise InputError(f"{name} must have a method mean_rewards(first, last)")
        raise InputError(f"{name} has no means before a run: use realise()")

    def steady(self, first: int, last: int) -> bool:
        """Return True only if no mean changes from round `first` to round `last`.

        The engine then asks for the means of `first` alone. With many arms, this saves most of the
        work. A world that cannot tell returns False.
        """
        return False

    def levels(self) -> NDArray[np.float64] | None:
        """Return all mean rewards that ever occur, in any run, if the world can name them.

        Where they are few, laws such as `Beta` make a table for each. A world that cannot tell
        returns None.
        """
        return None

    @staticmethod
    def path(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Fill the rows of `means` for one run of a random world, from round `first` on.

        `memory` holds zeros before round 1 and afterwards whatever the next call needs, so that the
        result does not depend on how the rounds are split into calls. `rng` is the run's own
        stream; draw from it with the functions of `driftbandit.core.random`. The engine compiles
        this function.
        """
        raise NotImplementedError

    def parameters(self) -> NDArray[np.float64]:
        """Return the numbers that `path` needs, as a one-dimensional array."""
        return np.empty(0)

    def realise(self, horizon: int | None = None, seed: int = 0, run: int = 0) -> Table:
        """Return the means that run `run` of a simulation with this seed meets, as a `Table`."""
        from driftbandit.environments.table import Table  # noqa: PLC0415 (a table is a world)

        return Table(self._run_means(horizon, seed, run), law=self.law, bound=self.bound)

    def find_breakpoints(
        self, horizon: int | None = None, seed: int = 0, run: int = 0
    ) -> list[int]:
        """Return the rounds t ≥ 2 whose means differ from those of round t − 1."""
        means = self._run_means(horizon, seed, run)
        changed = (means[1:] != means[:-1]).any(axis=1)
        return (np.flatnonzero(changed) + 2).tolist()

    def best_arm(
        self, horizon: int | None = None, seed: int = 0, run: int = 0
    ) -> NDArray[np.int64]:
        """Return the arm with the largest mean in each round; the lowest of equal arms."""
        best: NDArray[np.int64] = self._run_means(horizon, seed, run).argmax(axis=1)
        return best

    def gaps(self, horizon: int | None = None, seed: int = 0, run: int = 0) -> NDArray[np.float64]:
        """Return each arm's smallest gap to the best mean, over the rounds in which it has one.

        This is the paper's Δμ_T(i) = min {μ_t(*) − μ_t(i) : t ≤ T, μ_t(i) < μ_t(*)}; infinite for
        an arm that is always best.
        """
        means = self._run_means(horizon, seed, run)
        gap = means.max(axis=1, keepdims=True) - means
        smallest: NDArray[np.float64] = np.where(gap > 0.0, gap, np.inf).min(axis=0)
        return smallest

    def distance(self, horizon: int | None = None, seed: int = 0, run: int = 0) -> float:
        """Return how far the means travel: V_T = Σ_t max_k |μ_{t+1}(k) − μ_t(k)|."""
        means = self._run_means(horizon, seed, run)
        return float(np.abs(np.diff(means, axis=0)).max(axis=1).sum())

    def plot(
        self,
        path: str | Path | None = None,
        horizon: int | None = None,
        seed: int = 0,
        run: int = 0,
        *,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the means over time; see `driftbandit.figures.world`."""
        from driftbandit import figures  # noqa: PLC0415 (matplotlib loads only when drawing)

        return figures.world(self, path, horizon, seed, run, ax=ax)

    def _run_means(self, horizon: int | None, seed: int, run: int) -> NDArray[np.float64]:
        check_declarations(self)
        rounds, (key, number) = self.last_round(horizon), run_of(seed, run)
        try:
            np.empty((rounds, self.arms)), np.zeros(self.memory)
        except (MemoryError, ValueError):  # the second from NumPy, beyond what it can count
            raise too_large(rounds, self.arms) from None
        if not self.random:
            return checked_means(self, 1, rounds)
        means = drawing.drawn(self, rounds, key, number)
        check_means(self, means)
        return means


def run_of(seed: int, run: int) -> tuple[int, int]:
    """Return what names a run, checked, also where all runs are the same.

    >>> run_of(0, 5)
    (0, 5)
    """
    return whole("seed", seed, least=0, most=None), whole("run", run, least=0)


def too_large(rounds: int, arms: int) -> InputError:
    """Return the error on means that do not fit into memory.

    >>> str(too_large(10**12, 3))
    'horizon must be smaller, or arms: the means of 1000000000000 rounds and 3 arms take 24,000 GB'
    """
    size = f"the means of {rounds} rounds and {arms} arms take {8 * rounds * arms / 1e9:,.0f} GB"
    return InputError(f"horizon must be smaller, or arms: {size}")


def check_declarations(world: World) -> None:
    """Raise unless a world, which may be a user's own, says how many arms it has, and how long.

    Means that come out otherwise when asked for again would depend on how rounds are cut.
    """
    name = type(world).__name__
    _check_whole(f"arms of {name}", getattr(world, "arms", None))
    if world.horizon is not None:
        _check_whole(f"horizon of {name}", world.horizon)
    if world.random and type(world).path is World.path:
        raise InputError(f"{name} must have a staticmethod path, since it is random")
    _check_whole(f"memory of {name}", world.memory, least=0, most=None)
    if _own(world):
        return
    if world.random:
        drawing.check_path(world)
    else:
        first, again = (real_array(world.mean_rewards(1, 1)) for _ in range(2))
        same = first is None or again is None or np.array_equal(first, again, equal_nan=True)
        allowed = "be the same when asked for again; a world that draws them sets random = True"
        require(same, f"means of {name}", [first, again], allowed)


def _own(world: World) -> bool:
    """Say whether a world is the package's own, which keeps to what it promises."""
    return type(world).__module__.startswith("driftbandit.")


def _check_whole(name: str, value: object, least: int = 1, most: int | None = 2**53) -> None:
    """Raise unless a value is a whole number that counts rows of arrays: 2.0 does not."""
    whole(name, value, least, most)
    require(hasattr(type(value), "__index__"), name, value, "be an int")


def checked_means(world: World, first: int, last: int) -> NDArray[np.float64]:
    """Return what a world that is not random says of its means, as a new array, or raise."""
    name = type(world).__name__
    try:
        rows = world.mean_rewards(first, last)
    except MemoryError:
        raise too_large(last - first + 1, world.arms) from None
    means, shape = real_array(rows), (last - first + 1, world.arms)
    if means is None:
        raise InputError(f"means of {name} must be an array of real numbers, got {shown(rows)}")
    if means.shape != shape:
        raise InputError(
            f"means of {name} must have the shape {shape} for rounds {first} to {last}, "
            f"got {means.shape}"
        )
    check_means(world, means)
    return np.ascontiguousarray(means)


def steady_means(world: World, first: int, last: int) -> NDArray[np.float64]:
    """Return what a world that is not random says of its means: one row where it is steady."""
    if not world.steady(first, last):
        return checked_means(world, first, last)
    means = checked_means(world, first, first)
    if not _own(world) and not np.array_equal(means, checked_means(world, last, last)):
        name = f"steady({first}, {last}) of {type(world).__name__}"
        raise InputError(f"{name} must be False, since means change in these rounds, got True")
    return means


def check_means(world: World, means: NDArray[np.float64]) -> None:
    """Raise unless all means lie in [0, bound]; compiled code relies on it."""
    wrong = means[~((means >= 0.0) & (means <= world.bound))]
    if wrong.size:
        allowed = f"lie in [0, {plain(world.bound)}]"
        raise InputError(f"means of {type(world).__name__} must {allowed}, got {float(wrong[0])!r}")
