"""Blocks become a result: every number goes to its place as it comes, and exists once."""

from __future__ import annotations

import numpy as np

from driftbandit.core.errors import InputError
from driftbandit.core.lanes import Array
from driftbandit.engine.job import Job
from driftbandit.engine.player import Piece
from driftbandit.engine.result import Outcome, Result
from driftbandit.policies import Strategy


class Collector:
    """Takes the blocks of a job in any order; the result is the same, to the last bit."""

    def __init__(self, job: Job) -> None:
        self.job = job
        try:
            self.parts = [_Part(job) for _ in job.policies]
        except (MemoryError, ValueError):  # the second from NumPy, beyond what it can count
            numbers = job.runs * (len(job.marks) + 2 * job.world.arms) * len(job.policies)
            raise InputError(
                f"runs must be fewer, or checkpoints, or arms: {job.runs:,} runs at "
                f"{len(job.marks):,} checkpoints with {job.world.arms:,} arms need "
                f"{8 * numbers / 1e9:,.0f} GB of memory"
            ) from None

    def add(self, block: int, pieces: list[Piece]) -> None:
        """Put away what the policies did in this block."""
        for part, piece in zip(self.parts, pieces, strict=True):
            part.add(block, block * self.job.width, piece)

    def result(self) -> Result:
        """Return the result, once all blocks are there."""
        parts = zip(self.job.policies, self.parts, strict=True)
        return Result(
            world=self.job.world,  # type: ignore[arg-type]  # most results have arms
            horizon=self.job.horizon,
            runs=self.job.runs,
            seed=self.job.seed,
            times=np.array(self.job.marks),
            outcomes={policy.label: part.outcome(self.job, policy) for policy, part in parts},
        )


class _Part:
    """One policy's share of a result."""

    def __init__(self, job: Job) -> None:
        marks, arms = len(job.marks), job.world.arms
        self.regret = np.empty((job.runs, marks))
        self.plays = np.empty((job.runs, arms))
        self.suboptimal_plays = np.empty((job.runs, arms))
        self.totals, self.squares = np.zeros((marks, arms)), np.zeros((marks, arms))
        self.early: dict[int, tuple[Array, Array]] = {}
        self.turn = 0

    def add(self, block: int, first: int, piece: Piece) -> None:
        rows = slice(first, first + len(piece.regret))
        self.regret[rows] = piece.regret
        self.plays[rows] = piece.plays
        self.suboptimal_plays[rows] = piece.suboptimal_plays
        self.early[block] = piece.play_totals, piece.play_squares
        while self.turn in self.early:  # sums depend on their order, so they are taken in turn
            totals, squares = self.early.pop(self.turn)
            self.totals += totals
            self.squares += squares
            self.turn += 1

    def outcome(self, job: Job, policy: Strategy) -> Outcome:
        times = np.array(job.marks, dtype=np.float64)[:, None]
        share = self.totals / (times * job.runs)
        variance = np.maximum(self.squares / (times**2 * job.runs) - share**2, 0.0)
        return Outcome(
            policy=policy,
            regret=self.regret,
            plays=self.plays,
            suboptimal_plays=self.suboptimal_plays,
            play_share=share,
            share_error=np.sqrt(variance / max(job.runs - 1, 1)),
        )
