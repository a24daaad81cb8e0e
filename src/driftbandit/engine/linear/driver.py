"""The compiled loop: one policy plays a chunk of rounds of a linear world, run after run.

What a policy does whatever it sees comes in a table (`linear.schedule`), so that one loop serves
all forgetting rules and radii, and is compiled once for each law of rewards.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from driftbandit.core.marking import compilable
from driftbandit.core.random import uniform
from driftbandit.engine import compiling
from driftbandit.policies.linear import algebra
from driftbandit.policies.linear.schedule import CLEAR, REBUILD

LINEAR, UNIFORM, ORACLE = range(3)
"""How a row is chosen."""

add, clear, fade, score = algebra.add, algebra.clear, algebra.fade, algebra.score


class Room(NamedTuple):
    """What the compiled loop of one policy reads and writes; the first six are by run."""

    sums: Any
    """Σ w aaᵀ."""
    squares: Any
    """Σ w² aaᵀ."""
    targets: Any
    """Σ w x a."""
    ring: Any
    """The plays of a window: features, reward, and the factor of the round."""
    plays: Any
    """Plays of every row, and those that were not best."""
    regret: Any
    """The regret so far."""
    rng: Any
    """The policy's own streams."""
    matrices: Any
    """Four d × d matrices to work in."""
    vectors: Any
    """Two vectors of d + 2 numbers to work in."""
    lines: Any
    """Two lines of a number an action to work in."""


@compilable
def solve(sums: Any, squares: Any, targets: Any, ridge: float, plain: bool, space: Any) -> bool:
    """Leave θ̂ in the first vector and G in the third matrix, or in the second if weights are 1."""
    upper, inverse, root, inner = space.matrices
    if not algebra.factorise(sums, ridge, upper):
        return False
    algebra.invert(upper, inverse)
    algebra.estimate(inverse, targets, space.vectors[0, : targets.shape[0]])
    if plain:
        return True
    if not algebra.factorise(squares, ridge, inner):
        return False
    algebra.widen(inner, inverse, upper, root)  # L has done its work
    return True


@compilable
def pick(
    how: int, actions: Any, means: Any, run: int, radius: float, plain: bool, space: Any
) -> int:
    """Return the row to play."""
    number: int = means.shape[0]
    if how == UNIFORM:
        return min(int(uniform(space.rng[run]) * number), number - 1)
    if how == ORACLE:
        return int(np.argmax(means))
    theta, root = space.vectors[0, : actions.shape[0]], space.matrices[1 if plain else 2]
    found: int = score(actions, theta, root, plain, radius, space.lines[0], space.lines[1])
    return found


@compilable
def rebuild(sums: Any, squares: Any, targets: Any, ring: Any, first: int, held: int) -> None:
    """Add up the window anew: what was taken out left rounding errors behind."""
    clear(sums, squares, targets)
    for age in range(held):
        play = ring[(first + age) % ring.shape[0]]
        fade(sums, squares, targets, play[targets.shape[0] + 1])
        add(sums, squares, targets, play, 1.0, 1.0)


@compilable
def learn(
    sums: Any, squares: Any, targets: Any, ring: Any, play: Any, t: int, held: int, row: Any
) -> int:
    """Learn the play of round t as the row of the schedule says; return how many are held."""
    if row[1] != 1.0:
        fade(sums, squares, targets, row[1])
    if row[2] >= 0.0:
        old = ring[(t - 1 - held) % ring.shape[0]]
        add(sums, squares, targets, old, -row[2], -row[2] * row[2])
        held -= 1
    add(sums, squares, targets, play, 1.0, 1.0)
    if ring.shape[0] > 0:
        ring[(t - 1) % ring.shape[0]] = play
        held += 1
    if row[3] == CLEAR:
        clear(sums, squares, targets)
        return 0
    if row[3] == REBUILD:
        rebuild(sums, squares, targets, ring, t - held, held)
    return held


@functools.cache
def driver(law: compiling.Function) -> tuple[Any, int]:
    """Return the compiled loop for a reward law, and its seal."""
    seal = compiling.seal((law, solve, pick, learn))

    def advance(
        first: int, held: int, how: int, plain: bool, ridge: float, actions: Any, means: Any,
        best: Any, luck: Any, table: Any, numbers: Any, space: Any, marks: Any, curves: Any,
        totals: Any, trace: Any,
    ) -> tuple[int, int, bool]:  # fmt: skip  # one under the other they would fill a screen
        """Play rounds first, first + 1, … of every run; return the plays held, and if it went."""
        rounds, size = luck.shape[0], space.targets.shape[1]
        start = int(np.searchsorted(marks, first))
        still, play, begun, well = (
            actions.shape[0] == 1 and rounds > 1,
            space.vectors[1],
            held,
            True,
        )
        for run in range(luck.shape[1]):
            sums, squares = space.sums[run], space.squares[run]
            targets, ring = space.targets[run], space.ring[run]
            each, mark, held = run if means.shape[1] > 1 else 0, start, begun
            for step in range(rounds):
                t = first + step
                columns = actions[0 if still else step, each if actions.shape[1] > 1 else 0]
                if how == LINEAR:
                    well &= solve(sums, squares, targets, ridge, plain, space)
                row = pick(how, columns, means[step, each], run, table[step, 0], plain, space)
                mean = means[step, each, row]
                if how == LINEAR:
                    play[:size] = columns[:, row]
                    play[size] = law(luck[step, run], mean, numbers)
                    play[size + 1] = table[step, 1]
                    held = learn(sums, squares, targets, ring, play, t, held, table[step])
                space.regret[run] += best[step, each] - mean
                space.plays[0, run, row] += 1
                space.plays[1, run, row] += 1 if mean < best[step, each] else 0
                if trace.shape[0] > 0:
                    trace[step, run] = row
                if mark < marks.shape[0] and marks[mark] == t:
                    curves[run, mark] = space.regret[run]
                    for k in range(means.shape[2]):
                        plays = float(space.plays[0, run, k])
                        totals[0, mark, k] += plays
                        totals[1, mark, k] += plays * plays
                    mark += 1
        return seal, held, well

    return compiling.compiled(advance, seal), seal
