"""The compiled loop: one policy plays a chunk of rounds of a block of runs."""

from __future__ import annotations

import functools
from typing import Any

from driftbandit.core import lanes as space
from driftbandit.core.lanes import LANES, LUCK
from driftbandit.engine import compiling, passes
from driftbandit.policies.setup import Setup

draw_row, reward_row = passes.draw_row, passes.reward_row
tally_row, mark_row = passes.tally_row, passes.mark_row
known_shape = space.known_shape


def driver(setup: Setup, quantile: compiling.Function, few: Any, types: str) -> tuple[Any, int]:
    """Return the compiled loop for a policy's functions and a reward law, and its seal."""
    rules = (setup.choose, setup.learn, setup.force, *setup.functions)
    return _driver(*rules, quantile, setup.flags, few, types)


@functools.cache
def _driver(
    choose: Any, learn: Any, force: Any, f1: Any, f2: Any, f3: Any, f4: Any, f5: Any, f6: Any,
    f7: Any, law: Any, flags: Any, few: Any, types: str,
) -> tuple[Any, int]:  # fmt: skip  # the functions one under the other would fill a screen
    """Close over plain functions; the machine code is kept under their seal."""
    rules = (choose, learn, force, f1, f2, f3, f4, f5, f6, f7, law)
    ours = (draw_row, reward_row, tally_row, mark_row, known_shape)
    seal = compiling.seal((*rules, *ours), f"{few} {flags} {types}")

    def advance(
        first: int,
        mark: int,
        forced: int,
        space: Any,
        lanes: int,
        shape: Any,
        arms: int,
        draws: int,
        numbers: Any,
        means: Any,
        best: Any,
        rounds: int,
        parameters: Any,
        bound: float,
        tally: Any,
        marks: Any,
        curves: Any,
        totals: Any,
        squares: Any,
        live: int,
        trace: Any,
    ) -> int:
        """Play rounds first, first + 1, … and write down the checkpoints from `mark` on."""
        shape = known_shape(few, shape)
        apart = LANES if len(few) > 0 else lanes
        for step in range(rounds):
            t, row = first + step, step if means.shape[0] > 1 else 0
            draw_row(lanes, space.luck, space.rows, LUCK)
            for draw in range(draws):
                draw_row(lanes, space.rng, space.noise, draw * LANES)
            if t <= forced:
                for lane in range(lanes):
                    space.arm[lane] = t - 1
            else:
                choose(f3, f4, lanes, shape, few, arms, row, space, numbers, flags, means)
                force(f7, lanes, arms, t, space, numbers)
            reward_row(law, parameters, bound, lanes, few, row, means, space)
            tally_row(lanes, few, apart, row, best, means, space, tally)
            learn(f1, f2, f5, f6, lanes, shape, few, arms, t, space, numbers, flags, bound)
            if trace.shape[0] > 0:
                for lane in range(trace.shape[1]):  # a slice would compile its error messages
                    trace[step, lane] = space.arm[lane]
            if mark < marks.shape[0] and marks[mark] == t:
                mark_row(mark, live, apart, space.rows, tally, curves, totals, squares)
                mark += 1
        return seal

    return compiling.compiled(advance, seal), seal
