"""A block of runs: a pure function of (policies, world, horizon, seed, checkpoints, block)."""

from __future__ import annotations

from collections.abc import Callable

from driftbandit.engine.job import Job
from driftbandit.engine.player import BlockPlayer, Piece
from driftbandit.engine.rounds import rounds_of


def play_block(
    job: Job, block: int, tick: Callable[[int], None] | None = None, trace: bool = False
) -> list[Piece]:
    """Play one block of runs with every policy; `tick` is called with the rounds played."""
    players = [BlockPlayer(job, stages, block, trace) for stages in job.stages]
    for first, rounds in rounds_of(job, block):
        for player in players:
            player.play(first, rounds)
            if tick is not None:
                tick(rounds.number * job.live(block))
    return [player.piece() for player in players]
