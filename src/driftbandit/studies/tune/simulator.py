"""The regret of policies in one or several worlds, all with the same luck."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.engine.simulate import simulate
from driftbandit.environments import World
from driftbandit.policies import Strategy
from driftbandit.studies.progress import Progress

Array = NDArray[np.float64]


@dataclasses.dataclass
class Simulator:
    """The worlds, the number of rounds they are played, and the progress of all simulations."""

    worlds: Sequence[World]
    horizon: int
    workers: int | None = None
    progress: Progress | None = None
    total: int = 0
    done: int = 0

    def plan(self, plays: int) -> None:
        """Set the total of the progress: at most `plays` runs of a policy will be played."""
        self.total = plays * len(self.worlds) * self.horizon

    def regrets(self, policies: Sequence[Strategy], runs: int, seed: int) -> list[Array]:
        """Return the regret of each policy, one number per run: the mean over the worlds.

        Policies that differ only in their label are played once.
        """
        first = {policy.replace(label="x"): place for place, policy in enumerate(policies)}
        players = [policy.replace(label=str(place)) for policy, place in first.items()]
        total = np.zeros((len(players), runs))
        for world in self.worlds:
            result = simulate(
                players,
                world,
                self.horizon,
                runs,
                seed,
                workers=self.workers,
                checkpoints=1,
                progress=self._progress(),
            )
            total += [result[player.label].final_regret for player in players]
            self.done += len(players) * runs * self.horizon
        total /= len(self.worlds)
        places = {policy: place for place, policy in enumerate(first)}
        return [total[places[policy.replace(label="x")]] for policy in policies]

    def finish(self) -> None:
        """Report that all is done: policies that came twice were counted twice in the plan."""
        if self.progress is not None:
            self.progress(self.total, self.total)

    def _progress(self) -> Progress | None:
        progress, before = self.progress, self.done
        if progress is None:
            return None
        return lambda done, _: progress(min(before + done, self.total), self.total)


def seed_of(seed: int, rung: int) -> int:
    """Return a seed of its own for each rung of the search."""
    state = random.sequence(seed, rung).generate_state(1, np.uint64)
    return int(state[0])
