"""The regret of policies in one or several worlds, all with the same luck."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.engine import best_arm_changes
from driftbandit.engine.simulate import simulate
from driftbandit.environments import World
from driftbandit.policies import Strategy

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]

LOOKED_AT = 16
"""Runs of a random world in which the changes of the best arm are counted."""


@dataclasses.dataclass
class Arena:
    """The worlds, how long they are played, and how far all that is planned has come."""

    worlds: Sequence[World]
    horizon: int
    workers: int | None = None
    progress: Progress | None = None
    planned: int = 0
    done: int = 0

    def plan(self, plays: int) -> None:
        """Say how many runs of a policy will be played at most."""
        self.planned = plays * len(self.worlds) * self.horizon

    def regrets(self, policies: Sequence[Strategy], runs: int, seed: int) -> list[Array]:
        """Return the regret of each policy, one number a run: the mean over the worlds.

        Policies that differ in their label only are played once.
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
                progress=self._told(),
            )
            total += [result[player.label].final_regret for player in players]
            self.done += len(players) * runs * self.horizon
        total /= len(self.worlds)
        places = {policy: place for place, policy in enumerate(first)}
        return [total[places[policy.replace(label="x")]] for policy in policies]

    def finish(self) -> None:
        """Tell that all is done: policies that came twice were counted twice in the plan."""
        if self.progress is not None:
            self.progress(self.planned, self.planned)

    def changes(self, seed: int) -> int:
        """Return how often the best arm changes, on average over runs and worlds, rounded."""
        counts = []
        for world in self.worlds:
            runs = range(LOOKED_AT if world.random else 1)
            found = [best_arm_changes(world, self.horizon, seed, run) for run in runs]
            counts.append(float(np.mean(found)))
        return round(float(np.mean(counts)))

    def _told(self) -> Progress | None:
        tell, before = self.progress, self.done
        if tell is None:
            return None
        return lambda done, _: tell(min(before + done, self.planned), self.planned)


def luck(seed: int, part: int) -> int:
    """Return a seed of its own for a part of the search."""
    state = np.random.SeedSequence([seed, part]).generate_state(1, np.uint64)
    return int(state[0])
