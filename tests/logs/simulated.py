"""Logs of worlds whose truth is known: one that stands still, jumps, drifts, or has a season."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

import driftbandit as db

Floats = NDArray[np.float64]

DAY = 86_400.0
SPAN = 56 * DAY
ARMS = ("a", "b", "c")
LOGGING = np.array([0.5, 0.3, 0.2])


def still(time: Floats) -> Floats:
    return np.tile([0.3, 0.5, 0.4], (len(time), 1))


def jump(time: Floats) -> Floats:
    late = time[:, None] >= 0.6 * SPAN
    means: Floats = np.where(late, [0.7, 0.2, 0.4], [0.3, 0.6, 0.4])
    return means


def drift(time: Floats) -> Floats:
    share = (time / SPAN)[:, None]
    first, last = np.array([0.2, 0.7, 0.4]), np.array([0.8, 0.3, 0.4])
    means: Floats = (1.0 - share) * first + share * last
    return means


def season(time: Floats) -> Floats:
    wave = np.cos(2.0 * np.pi * time / (7 * DAY))[:, None]
    means: Floats = np.array([0.5, 0.5, 0.4]) + 0.25 * wave * np.array([1.0, -1.0, 0.0])
    return means


WORLDS: dict[str, Callable[[Floats], Floats]] = {
    "still": still,
    "jump": jump,
    "drift": drift,
    "season": season,
}


class Drawn(NamedTuple):
    """A log, and the mean rewards of its rows."""

    frame: pl.DataFrame
    means: Floats

    @property
    def log(self) -> db.Log:
        return db.Log.read(self.frame)


def late_jump(share: float, size: float) -> Callable[[Floats], Floats]:
    """Return a world in which a rises and b falls at this share of the log."""

    def means(time: Floats) -> Floats:
        late = time[:, None] >= share * SPAN
        return np.where(late, [0.3 + size, 0.6 - size, 0.4], [0.3, 0.6, 0.4])

    return means


def drawn(world: str, rows: int, seed: int, logging: Floats = LOGGING) -> Drawn:
    """Return a log of so many rows at even times, of a world, played with fixed probabilities."""
    rng = np.random.default_rng([seed, sorted(WORLDS).index(world)])
    return drawn_from(WORLDS[world], rows, rng, logging)


def drawn_from(
    world: Callable[[Floats], Floats],
    rows: int,
    rng: np.random.Generator,
    logging: Floats = LOGGING,
) -> Drawn:
    """Return a log of mean rewards by time."""
    time = SPAN * (np.arange(rows) + 0.5) / rows
    means = world(time)
    arm = rng.choice(len(ARMS), rows, p=logging)
    reward = (rng.random(rows) < means[np.arange(rows), arm]).astype(float)
    columns = {"time": time, "arm": np.array(ARMS)[arm], "reward": reward}
    return Drawn(pl.DataFrame({**columns, "propensity": logging[arm]}), means)
