"""`python -m benchmarks replay`: how long a log takes to say what policies that learn are worth."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import numpy as np
import polars as pl
import typer

import driftbandit as db

ARMS = ("a", "b", "c", "d", "e")
SPAN = 60 * 86_400.0


class Kind(StrEnum):
    """What the policies have in common."""

    UCB = "ucb"
    THOMPSON = "thompson"
    GAUSSIAN = "gaussian"
    KL = "kl-ucb"
    AUTO = "auto"


EXPLORE: dict[Kind, Callable[[], db.Explore]] = {
    Kind.UCB: db.UCB,
    Kind.THOMPSON: db.explore.Thompson,
    Kind.GAUSSIAN: db.explore.GaussianThompson,
    Kind.KL: db.KLUCB,
}


def replay(
    kind: Annotated[Kind, typer.Option(help="What the policies have in common.")] = Kind.THOMPSON,
    rows: Annotated[int, typer.Option(min=100, help="Rows of the log.")] = 1_000_000,
    policies: Annotated[int, typer.Option(min=2, help="How many policies.")] = 20,
) -> None:
    """Value policies that learn, half of them with a window and half with a half-life.

    Times are of this process alone, compiling and reading included; memory is the most it held.
    """
    log, learners = db.Log.read(frame(rows)), learners_of(kind, policies)
    wall, processor = time.perf_counter(), time.process_time()
    values = log.value(learners)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    best = max((row for row in values if row.policy != "as logged"), key=lambda row: row.value)
    print(
        f"{rows:,} rows, {policies} {kind} policies: {wall:.1f} s, {processor:.1f} s of processor"
    )
    print(f"most memory {most:,.0f} MiB; best is {best.policy} with {best.value:.4f}")


def frame(rows: int) -> pl.DataFrame:
    """Return a log of five options with unequal shares, whose rates drift and cross."""
    rng = np.random.default_rng(0)
    share = np.arange(rows) / rows
    means = 0.3 + 0.2 * np.cos(2 * np.pi * (share[:, None] + np.arange(5) / 5))
    shares = np.array([0.3, 0.25, 0.2, 0.15, 0.1])
    arm = rng.choice(5, rows, p=shares)
    return pl.DataFrame(
        {
            "time": 1.7e9 + SPAN * share,
            "arm": np.array(ARMS)[arm],
            "reward": (rng.random(rows) < means[np.arange(rows), arm]).astype(float),
            "propensity": shares[arm],
        }
    )


def learners_of(kind: Kind, number: int) -> list[db.Strategy]:
    """Return policies with memories from an hour to the whole log, each with a name of its own."""
    spans = np.geomspace(3_600.0, SPAN, number)
    if kind is Kind.AUTO:
        return [db.Auto(label=f"auto {place}") for place in range(number)]
    return [
        db.Policy(
            forget=(db.TimeWindow if place % 2 else db.HalfLife)(span),
            explore=EXPLORE[kind](),
            label=f"{kind} {place}",
        )
        for place, span in enumerate(spans.tolist())
    ]
