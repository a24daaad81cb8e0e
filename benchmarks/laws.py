"""`python -m benchmarks laws`: what a round costs with each reward law, next to coins."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from benchmarks.speed.rounds import ratios, spread
from driftbandit.cli import output
from driftbandit.cli.options import Json, whole
from driftbandit.cli.values import make_policies
from driftbandit.engine.simulate import simulate
from driftbandit.environments import Brownian, World, periodic, two_swaps
from driftbandit.environments.laws import (
    Bernoulli,
    Beta,
    ClippedGaussian,
    Exact,
    Law,
    Quantile,
    Uniform,
)
from driftbandit.linear import LinearWorld
from driftbandit.policies import Strategy

COINS = "coins"
TABLE = (0.0, 0.1, 0.5, 0.6, 1.0)
LAWS: dict[str, Law] = {
    COINS: Bernoulli(),
    "exact": Exact(),
    "uniform": Uniform(0.1),
    "table": Quantile(TABLE),
    "table of steps": Quantile(TABLE, linear=False),
    "Beta(5)": Beta(5.0),
    "Beta(0.5)": Beta(0.5),
    "clipped Gaussian": ClippedGaussian(0.1),
}
Row = dict[str, Any]


def worlds(law: Law, horizon: int) -> dict[str, World]:
    """Return worlds with a few means, with means that move, and with means of their own per run."""
    return {
        "few means": two_swaps(horizon, law=law),
        "moving means": periodic(horizon, law=law),
        "random means": Brownian(3, sigma=0.01, law=law),
    }


def laws(
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="A policy; may be repeated. Default: ucb-1."),
    ] = None,
    runs: Annotated[int, whole("runs", "Runs of a simulation.")] = 256,
    horizon: Annotated[int, whole("horizon", "Rounds per run.", 10)] = 2_000,
    repeats: Annotated[int, whole("repeats", "How often each is timed.")] = 9,
    json: Json = False,
) -> None:
    """Time `simulate` on one core with every reward law by turns, and compare with coins.

    Times are processor time, and warm: tables are made before.
    """
    rows = [
        row
        for player in make_policies(policy or ["ucb-1"])
        for row in measured(player, runs, horizon, repeats)
    ]
    output.report(json, lambda: {"rows": rows}, lambda: show(rows))


def measured(policy: Strategy, runs: int, horizon: int, repeats: int) -> list[Row]:
    """Return a row per kind of world and law, timed by turns."""
    games = {
        (kind, name): world
        for name, law in LAWS.items()
        for kind, world in worlds(law, horizon).items()
        if not (name == "Beta(0.5)" and kind != "few means")  # no table, and microseconds
    }
    for world in games.values():
        seconds(policy, world, runs, horizon)
    turns = [
        {game: seconds(policy, world, runs, horizon) for game, world in games.items()}
        for _ in range(repeats)
    ]
    return [_row(policy, game, turns) for game in games]


def _row(policy: Strategy, game: tuple[str, str], turns: Sequence[dict[Any, float]]) -> Row:
    """Return what the turns say of a game, and of coins in the same world."""
    kind, name = game
    times, coins = [turn[game] for turn in turns], [turn[kind, COINS] for turn in turns]
    return {
        "policy": policy.label,
        "world": kind,
        "law": name,
        "ns": spread([1e9 * value for value in times]),
        "more": 1e9 * (min(times) - min(coins)),
        "ratio": spread(ratios(times, coins)),
    }


def seconds(policy: Strategy, world: World | LinearWorld, runs: int, horizon: int) -> float:
    """Time a simulation, in seconds of processor time per round and run."""
    start = time.process_time()
    simulate(policy, world, horizon=horizon, runs=runs, workers=1)
    return (time.process_time() - start) / (runs * horizon)


def show(rows: Sequence[Row]) -> None:
    """Print a table: the least time, what it is more than coins, and the ratio turn by turn."""
    lines = []
    for row in rows:
        times, ratio = row["ns"], row["ratio"]
        cells = [f"{times['low']:,.1f}", f"{row['more']:,.1f}"]
        share = f"{ratio['median']:,.2f} ({ratio['low']:,.2f}–{ratio['high']:,.2f})"
        lines.append([row["policy"], row["world"], row["law"], *cells, share])
    print("nanoseconds per round on one core: the least, that minus coins, and times coins")
    output.table(["policy", "world", "law", "ns", "more", "× coins"], lines, right=3)
