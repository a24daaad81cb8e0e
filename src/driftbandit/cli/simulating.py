"""`driftbandit simulate`."""

from __future__ import annotations

import collections
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from driftbandit import environments, policies
from driftbandit.cli import output
from driftbandit.cli.calls import make
from driftbandit.cli.reproducing import regrets
from driftbandit.engine import Result
from driftbandit.engine import simulate as play
from driftbandit.environments import World
from driftbandit.files import filling
from driftbandit.policies import EXP3S, UCB1, DiscountedUCB, SlidingWindowUCB, Strategy

HORIZON = 10_000


def run(
    world: str,
    policy: Sequence[str],
    horizon: str | None,
    runs: str,
    seed: str,
    out: str,
    workers: str | None,
    as_json: bool,
) -> None:
    """Simulate, write every file or none, and print the table."""
    rounds = output.optional("horizon", horizon)
    place = made_world(world, rounds)
    last = rounds or place.horizon or HORIZON
    first = output.number("seed", seed, least=0)
    players = made_policies(policy) if policy else tuned_policies(place, last, first)
    number, threads = output.number("runs", runs), output.optional("workers", workers)
    with filling(out) as partial:  # a folder that cannot be written is no surprise at the end
        with output.progress() as tell:
            told = None if tell is None else lambda done, total: tell("simulating", done, total)
            result = play(players, place, last, number, first, workers=threads, progress=told)
        result.save(partial)
        result.plot(partial / "regret.png")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    if as_json:
        output.document({**result.to_dict(), "files": [str(path) for path in files]})
    else:
        _print(world, result, files)


def made_world(text: str, horizon: int | None) -> World:
    """Make the world; where its maker scales with the horizon, with the one asked for.

    >>> made_world("two-swaps", 1000).breakpoints
    (300, 500)
    """
    found: World = make("world", text, environments.CATALOGUE, **_scaled(text, horizon))
    return found


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


def tuned_policies(world: World, horizon: int, seed: int) -> list[Strategy]:
    """Return the paper's four policies, tuned by its rules for the world.

    The number of breakpoints that the rules ask for is that of the changes of the best arm: in a
    world that moves in every round it is these that cost regret.
    """
    changes = int(np.count_nonzero(np.diff(world.best_arm(horizon, seed))))
    bound = world.bound
    return [
        UCB1(bound=bound),
        EXP3S.tuned(horizon, changes, world.arms, bound=bound),
        DiscountedUCB.tuned(horizon, changes, bound=bound),
        SlidingWindowUCB.tuned(horizon, changes, bound=bound),
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
