"""One policy in one block of runs: its state, its random streams, and what it has done so far."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.aligned import aligned
from driftbandit.core.lanes import LANES, REGRET, ROWS, Array, Block, shape_of
from driftbandit.engine import complaints
from driftbandit.engine.forms import Form
from driftbandit.engine.job import Job, vectors
from driftbandit.engine.loop import Chunk, Streams
from driftbandit.engine.rounds import Rounds
from driftbandit.engine.small import MANY
from driftbandit.engine.stages import Stage
from driftbandit.engine.steps import SUBOPTIMAL, Tally


@dataclasses.dataclass(frozen=True)
class Piece:
    """What one policy did in one block; lanes that are no runs of the job are cut off."""

    regret: Array
    suboptimal_plays: Array
    plays: Array
    play_totals: Array
    play_squares: Array
    arms: NDArray[np.int64]


class BlockPlayer:
    """Plays the rounds of a block with one policy, stage by stage."""

    def __init__(self, job: Job, stages: list[Stage], block: int, trace: bool) -> None:
        self.world, self.arms, self.live = job.world, job.world.arms, job.live(block)
        self.lanes = vectors(self.live)
        self.waiting, self.job = list(stages), job
        self.lean = job.is_middling and self._is_sooner_lean(stages[0])
        self.few = self._form(stages[0]).few
        self.streams = Streams(
            streams_of(job, random.REWARDS, block), streams_of(job, random.POLICY, block)
        )
        self.rows = aligned((ROWS * LANES,))
        marks, stride = len(job.marks), LANES if self.few else self.lanes
        self.tally = Tally(
            plays=aligned((self.arms * stride,), np.int64),
            marks=np.array(job.marks, dtype=np.int64),
            curves=np.zeros((self.live, marks)),
            totals=np.zeros((marks, self.arms)),
            squares=np.zeros((marks, self.arms)),
            trace=np.zeros((job.horizon if trace else 0, self.live), dtype=np.int64),
        )
        self._enter(self.waiting.pop(0))

    def _enter(self, stage: Stage) -> None:
        """Begin a stage with nothing learned; random streams and regret go on."""
        self.setup, _, self.loop = self._form(stage)
        self.past, rows = stage.start - 1, aligned((ROWS * LANES,))
        rows[REGRET:] = self.rows[REGRET:]
        self.rows, shape = rows, shape_of(self.arms, self.lanes, self.setup.stride)
        self.state = self.setup.make_state(self.lanes, shape)
        self.block = Block(
            lanes=self.lanes,
            live=self.live,
            few=self.few,
            arms=self.arms,
            shape=shape,
            rows=rows,
            arm=aligned((LANES,), np.uint32),
            noise=aligned((max(self.setup.noise, 1) * LANES,)),
            means=np.zeros((0, 0, 0)),
            actions=np.zeros((0, 0, 0, 0)),
            bound=self.world.bound,
        )
        job = self.job
        self.as_it_is = job.is_small and self.loop.plays_as_it_is(job.small)
        self.rewards = job.payer.as_it_is() if self.as_it_is else job.payer.compiled()

    @staticmethod
    def _is_sooner_lean(stage: Stage) -> bool:
        """Return whether the lean form is sooner done than the quickest loop is compiled.

        Of a user's own rule nobody knows whether its shortcuts play as its index does.
        """
        quickest = stage.quickest.loop
        return quickest.own and not quickest.is_ready and stage.lean.loop.played < MANY

    def _form(self, stage: Stage) -> Form:
        """Return what plays a stage."""
        return stage.lean if self.lean else stage.quickest

    def play(self, first: int, rounds: Rounds) -> None:
        """Play the rounds of a chunk, which is cut where a stage begins."""
        end = first + rounds.number
        cuts = [stage.start for stage in self.waiting if first < stage.start < end]
        for start, stop in itertools.pairwise([first, *cuts, end]):
            if self.waiting and self.waiting[0].start == start:
                self._enter(self.waiting.pop(0))
            self._advance(start, rounds.between(start - first, stop - first))

    def _advance(self, first: int, rounds: Rounds) -> None:
        """Play rounds of one stage, which counts them from its own first one."""
        tally = self.tally._replace(
            marks=self.tally.marks - self.past, trace=self.tally.trace[first - 1 :]
        )
        mark = int(np.searchsorted(self.tally.marks, first))
        opening, noise = self.setup.opening, self.setup.noise
        play = self.loop.play_as_it_is if self.as_it_is else self.loop.play_compiled
        with complaints.of_rules(self.loop.foreign):
            play(
                self.block._replace(means=rounds.means, actions=rounds.actions),
                rounds.best,
                self.streams,
                Chunk(self.past, first - self.past, rounds.number, mark, opening, noise),
                self.setup.numbers,
                self.state,
                self.rewards,
                tally,
            )
        self.loop.played += rounds.number * self.lanes * self.arms
        self.setup.check(self.state, self.past)

    @property
    def plays(self) -> NDArray[np.int64]:
        """The plays of every arm and lane so far."""
        return self._counters % SUBOPTIMAL

    @property
    def _counters(self) -> NDArray[np.int64]:
        return self.tally.plays.reshape(self.arms, -1)[:, : self.live]

    def piece(self) -> Piece:
        """Return what was done, in the world's units of reward."""
        curves, bound = self.tally.curves, self.world.bound
        return Piece(
            regret=bound * curves if bound != 1.0 else curves,
            suboptimal_plays=(self._counters // SUBOPTIMAL).T.astype(np.float64),
            plays=self.plays.T.astype(np.float64),
            play_totals=self.tally.totals,
            play_squares=self.tally.squares,
            arms=self.tally.trace,
        )


def streams_of(job: Job, purpose: int, block: int) -> NDArray[np.uint64]:
    """Return the random streams of a block's lanes, flat, LANES apart."""
    lanes = vectors(job.live(block))
    streams = aligned((4, LANES), np.uint64)
    streams[:, :lanes] = random.streams(job.seed, purpose, block * job.width, lanes)
    return streams.ravel()
