"""The compiled loop: one policy plays a chunk of rounds of a block of runs."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from driftbandit.engine import compiling, passes
from driftbandit.engine.families.setup import Setup
from driftbandit.engine.passes import LANES, REWARD

draw_row, reward_row = passes.draw_row, passes.reward_row
tally_row, mark_row = passes.tally_row, passes.mark_row


def driver(setup: Setup, quantile: compiling.Function, ring: Sequence[Any]) -> tuple[Any, int]:
    """Return the compiled loop for a policy's functions and a reward law, and its seal."""
    types = "/".join(str(array.dtype) for array in ring)
    return _driver(setup.choose, setup.learn, *setup.functions, quantile, types)


@functools.cache
def _driver(
    choose: Any, learn: Any, f1: Any, f2: Any, f3: Any, f4: Any, f5: Any, law: Any, types: str
) -> tuple[Any, int]:
    """Close over plain functions; the machine code is kept under their seal."""
    rules = (choose, learn, f1, f2, f3, f4, f5, law)
    seal = compiling.seal((*rules, draw_row, reward_row, tally_row, mark_row), types)

    def advance(
        first: int,
        forced: int,
        state: Any,
        carry: Any,
        ring: Any,
        scratch: Any,
        draws: int,
        noise: Any,
        rng: Any,
        numbers: Any,
        flags: Any,
        means: Any,
        best: Any,
        uniforms: Any,
        parameters: Any,
        bound: float,
        regret: Any,
        tally: Any,
        marks: Any,
        curves: Any,
        totals: Any,
        squares: Any,
        live: int,
        arms: Any,
    ) -> int:
        """Play rounds first, first + 1, … and write down what the checkpoints ask for."""
        arm = np.zeros(LANES, dtype=np.uint64)  # unsigned: no check for negative places
        gone = np.zeros(LANES, dtype=np.uint64)
        x = scratch[REWARD]
        place = int(np.searchsorted(marks, first))
        for step in range(uniforms.shape[0]):
            t = first + step
            for row in range(draws):
                draw_row(rng, noise, row)
            if t <= forced:
                arm[:] = t - 1
            else:
                choose(f3, f4, step, state, carry, numbers, noise, means, scratch, arm)
            reward_row(law, parameters, bound, step, uniforms, means, arm, scratch)
            tally_row(step, best, means, arm, scratch, regret, tally)
            learn(f1, f2, f5, t, state, carry, ring, numbers, flags, scratch, gone, bound, arm, x)
            if arms.shape[0] > 0:
                arms[step] = arm
            if place < marks.shape[0] and marks[place] == t:
                mark_row(place, live, regret, tally, curves, totals, squares)
                place += 1
        return seal

    return compiling.compiled(advance, seal), seal


@functools.cache
def luck() -> Any:
    """Return the compiled function that draws the rewards' uniform numbers of a chunk."""
    seal = compiling.seal((draw_row,))

    def fill(rng: Any, uniforms: Any) -> int:
        """Fill the chunk, round after round."""
        for step in range(uniforms.shape[0]):
            draw_row(rng, uniforms, step)
        return seal

    return compiling.compiled(fill, seal)
