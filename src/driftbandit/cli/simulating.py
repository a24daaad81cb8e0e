"""`driftbandit simulate`."""

from __future__ import annotations

import collections
import contextlib
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from driftbandit import environments, linear, policies
from driftbandit.cli import cluster, output
from driftbandit.cli.calls import make
from driftbandit.cli.exit import Interrupted
from driftbandit.cli.reproducing import regrets
from driftbandit.core.errors import InputError
from driftbandit.core.files import filling
from driftbandit.engine import Result, changes
from driftbandit.engine import simulate as play
from driftbandit.environments import World
from driftbandit.linear import DiscountedLinUCB, LinearWorld, LinUCB, SlidingWindowLinUCB
from driftbandit.policies import EXP3S, UCB1, DiscountedUCB, SlidingWindowUCB, Strategy

HORIZON = 10_000


class Place(NamedTuple):
    """Where a simulation is played and kept, as it was written."""

    workers: str | None = None
    dask: str | None = None
    checkpoint: str | None = None


def run(
    world: str,
    policy: Sequence[str],
    horizon: str | None,
    runs: str,
    seed: str,
    out: str,
    place: Place,
    as_json: bool,
) -> None:
    """Simulate, write every file or none, and print the table."""
    rounds, number = output.optional("horizon", horizon), output.number("runs", runs)
    made = made_world(world, rounds)
    last = rounds or made.horizon or HORIZON
    first = output.number("seed", seed, least=0)
    players = made_policies(policy) if policy else tuned_policies(made, last)
    with filling(out) as partial:  # a folder that cannot be written is no surprise at the end
        with placed(place) as where, output.progress() as tell:
            told = None if tell is None else lambda done, total: tell("simulating", done, total)
            result = play(players, made, last, number, first, progress=told, **where)
        result.save(partial)
        result.plot(partial / "regret.png")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    if as_json:
        output.document({**result.to_dict(), "files": [str(path) for path in files]})
    else:
        _print(world, result, files)


@contextlib.contextmanager
def placed(place: Place) -> Iterator[dict[str, Any]]:
    """Yield what `simulate` must be told of the place; after Ctrl-C, say how to go on."""
    if place.dask is not None and place.workers is not None:
        raise InputError("--dask and --workers exclude each other: a cluster has its own workers")
    where: dict[str, Any] = {"checkpoint": place.checkpoint}
    where["workers"] = output.optional("workers", place.workers)
    with contextlib.ExitStack() as stack:
        if place.dask is not None:
            connection = stack.enter_context(cluster.connected(place.dask))
            where["executor"], where["workers"] = connection
        try:
            yield where
        except KeyboardInterrupt:
            if place.checkpoint is None:
                raise
            raise Interrupted(
                f"interrupted, blocks that were finished are kept in {place.checkpoint}: "
                "give the same command again to play the rest"
            ) from None


def made_world(text: str, horizon: int | None) -> Any:
    """Make the world; where its maker scales with the horizon, with the one asked for.

    >>> made_world("two-swaps", 1000).breakpoints
    (300, 500)
    """
    makers = {**environments.CATALOGUE, **linear.WORLDS}
    return make("world", text, makers, **_scaled(text, horizon))


def _scaled(text: str, horizon: int | None) -> dict[str, Any]:
    maker = environments.CATALOGUE.get(text.partition("(")[0].strip())
    if maker is None or horizon is None:
        return {}
    known = inspect.signature(maker).parameters.get("horizon")
    scales = known is not None and (isinstance(known.default, int) or "breakpoints" in text)
    return {"horizon": horizon} if scales else {}


def made_policies(texts: Sequence[str]) -> list[Strategy]:
    """Make the policies; those that share a label are told apart by the text they came from.

    >>> [policy.label for policy in made_policies(["sw-ucb(10)", "sw-ucb(20)", "ucb-1"])]
    ['sw-ucb(10)', 'sw-ucb(20)', 'UCB-1']
    """
    made: list[Strategy] = [make("policy", text, policies.CATALOGUE) for text in texts]
    often = collections.Counter(player.label for player in made)
    return [
        player.replace(label=text) if often[player.label] > 1 else player
        for player, text in zip(made, texts, strict=True)
    ]


def tuned_policies(world: World | LinearWorld, horizon: int) -> list[Strategy]:
    """Return the paper's four policies, or the linear ones, tuned by their rules for the world.

    The number of breakpoints that the rules ask for is that of the changes of the best arm: in a
    world that moves in every round it is these that cost regret.
    """
    if isinstance(world, LinearWorld):
        known = horizon, world.variation(horizon), world.dimension
        return [LinUCB(), DiscountedLinUCB.tuned(*known), SlidingWindowLinUCB.tuned(*known)]
    breakpoints, bound = changes(world, horizon), world.bound
    return [
        UCB1(bound=bound),
        EXP3S.tuned(horizon, breakpoints, world.arms, bound=bound),
        DiscountedUCB.tuned(horizon, breakpoints, bound=bound),
        SlidingWindowUCB.tuned(horizon, breakpoints, bound=bound),
    ]


def _print(world: str, result: Result, files: Sequence[Path]) -> None:
    print(f"regret at round {result.horizon:,} in {world}: {result.runs:,} runs, 95 % intervals")
    regrets(result)
    differences = result.summary().differences.to_dicts() if len(result) > 1 else []
    if differences:
        print()
        rows = [
            [line["policy"], line["against"], *(f"{line[k]:+.1f}" for k in ("mean", "low", "high"))]
            for line in differences
        ]
        output.table(["policy", "against", "mean", "low", "high"], rows, right=3)
    print()
    print("written:", *files, sep="\n  ")
