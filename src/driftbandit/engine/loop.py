"""The compiled loop: one policy, of any family, plays a chunk of rounds of a block of runs."""

from __future__ import annotations

import functools
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.lanes import AHEAD, LANES, LUCK, ON, Array, Block, Player
from driftbandit.engine import compiler, steps
from driftbandit.engine.rewards import Rewards
from driftbandit.engine.small import Loop
from driftbandit.engine.steps import Tally
from driftbandit.policies.setup import Setup

draw, open_with, pay, record = steps.draw, steps.open_with, steps.pay, steps.record
trace_arms, fix_shape = steps.trace_arms, steps.fix_shape


class Chunk(NamedTuple):
    """Rounds to play, from `first` on."""

    past: int
    """Rounds of earlier stages, which come before the first one."""
    first: int
    rounds: int
    mark: int
    """The first checkpoint that is not recorded yet."""
    opening: int
    """Up to this round, arms are played in turn."""
    noise: int
    """Uniform numbers that the policy draws per round and lane."""


class Streams(NamedTuple):
    """The random streams of all lanes, flat, LANES apart."""

    luck: NDArray[np.uint64]
    """Where the rewards' luck comes from: the same for every policy."""
    policy: NDArray[np.uint64]
    """Where the policy's own noise comes from."""


def loop_of(setup: Setup, few: bool, types: str) -> Loop:
    """Return the loop for a policy's functions."""
    compiler.check_globals(setup.choose, setup.force, setup.learn, *setup.rules)
    parts = (setup.choose, setup.force, setup.learn, setup.rules, setup.flags, few, types)
    with _one_at_a_time:  # or threads that ask at the same time would each make and compile one
        return _loop(*parts)


_one_at_a_time = threading.Lock()


@functools.cache
def _loop(
    choose: Any, force: Any, learn: Any, rules: Any, flags: Any, few: bool, types: str
) -> Loop:
    """Close over plain functions; the machine code is cached under their seal."""
    count = steps.count_few if few else steps.count_many
    functions = (choose, force, learn, *rules)
    ours = (draw, open_with, pay, count, record, trace_arms, fix_shape)
    seal = compiler.seal((*functions, *ours), f"{flags} {types}")

    def advance(
        block: Block,
        best: Array,
        streams: Streams,
        chunk: Chunk,
        numbers: Any,
        state: Any,
        rewards: Rewards,
        tally: Tally,
    ) -> int:
        """Play the rounds of a chunk, and record the checkpoints among them."""
        block, player, mark = fix_shape(block), Player(rules, numbers, flags, state), chunk.mark
        for step in range(chunk.rounds):
            t, row = chunk.first + step, step if block.means.shape[0] > 1 else 0
            turn = (chunk.past + t - 1) & (len(AHEAD) - 1)
            if turn == 0:
                draw(block.lanes, streams.luck, block.rows, LUCK, AHEAD)
            for number in range(chunk.noise):
                draw(block.lanes, streams.policy, block.noise, number * LANES, ON)
            if t <= chunk.opening:
                open_with(block, t - 1)
            else:
                choose(player, block, t, row)
                force(player, block, t)
            count(block, best, tally.plays, row)
            pay(block, rewards, LUCK + turn * LANES)
            learn(player, block, t, row)
            trace_arms(block, step, tally.trace)
            if mark < tally.marks.shape[0] and tally.marks[mark] == t:
                record(block, mark, tally)
                mark += 1
        return seal

    return Loop(advance, seal, compiler.foreign(functions))
