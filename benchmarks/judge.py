"""`python -m benchmarks judge`: what a policy loses to the best of its rivals, in units of √(KT).

The excess of a policy in a world is (its regret − that of the best rival) / √(KT): √(KT) is the
price that no policy can avoid in all worlds. Rivals are tuned by their published rules, and most
know T and the number of changes. What rivals lost is kept under build/judge, so that only the
judged policy is played again.
"""

from __future__ import annotations

import hashlib
import json as json_format
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

import driftbandit as db
from driftbandit import environments
from driftbandit.cli.options import whole
from driftbandit.cli.values import make_policies
from driftbandit.core.statistics import standard_error
from driftbandit.environments import World
from driftbandit.policies import Strategy
from driftbandit.studies.arena import LINEUP, RANKED
from driftbandit.studies.arena.lineup import make_policy

RIVALS = (
    *("UCB-1", "UCB-V", "KL-UCB", "Thompson", "D-UCB (padding B)", "D-TS", "SW-UCB", "SW-TS"),
    *("CUSUM-UCB", "ADWIN-UCB", "GLR-klUCB"),
)
"""The line-up of the arena without exponential weights and what is slow and rarely the best."""

KEPT = Path("build/judge")
PRECISE, MOST = 0.05, 1024
"""The standard error of an excess that is wanted, and the runs at which it is given up."""


def judge(
    policy: Annotated[
        str, typer.Option(help="The policy, as for `driftbandit simulate`.")
    ] = "auto",
    published: Annotated[bool, typer.Option(help="Play the published problems.")] = True,
    wild: Annotated[int, whole("wild", "Wild worlds.", 0)] = 70,
    wild_seed: Annotated[int, whole("wild-seed", "Their first seed.", 0, None)] = 0,
    rises: Annotated[int, whole("rises", "Rising worlds.", 0)] = 40,
    rise_seed: Annotated[int, whole("rise-seed", "Their first seed.", 0, None)] = 0,
    longest: Annotated[int, whole("longest", "Leave out worlds with more rounds.")] = 10**6,
    runs: Annotated[int, whole("runs", "Runs; more where an excess is vague.", 2)] = 64,
    json: Annotated[Path | None, typer.Option(help="A file for all numbers.")] = None,
) -> None:
    """Judge a policy by what it loses to the best rival in every world, in units of √(KT)."""
    worlds = {name: environments.PROBLEMS[name]() for name in RANKED} if published else {}
    worlds |= environments.wilds(wild, wild_seed) if wild else {}
    worlds |= environments.rises(rises, rise_seed) if rises else {}
    rows = []
    for row in judged(make_policies([policy])[0], worlds, runs, longest):
        rows.append(row)
        typer.echo(line(row))
    typer.echo(summary(rows))
    if json:
        json.write_text(json_format.dumps(rows, indent=1) + "\n", encoding="utf-8")


def judged(
    policy: Strategy, worlds: dict[str, World], runs: int, longest: int
) -> Iterator[dict[str, Any]]:
    """Yield the excess of a policy in every world, the smallest worlds first."""
    by_size = sorted(worlds.items(), key=lambda item: item[1].arms * horizon_of(item[1]))
    for name, world in by_size:
        if horizon_of(world) <= longest:
            yield {"world": name, **excess(policy, world, runs)}


def excess(policy: Strategy, world: World, runs: int) -> dict[str, Any]:
    """Return the excess over the best rival; runs double until its standard error is small."""
    T, rivals = horizon_of(world), {}
    for label in RIVALS:
        rivals[label] = kept_regret(make_policy(label, LINEUP[label], world, T), world, runs)
    best = min(rivals, key=lambda label: float(rivals[label].mean()))
    rival, unit = make_policy(best, LINEUP[best], world, T), math.sqrt(world.arms * T)
    while True:
        own, other = regret(policy, world, runs), kept_regret(rival, world, runs)
        error = standard_error(own - other) / unit
        if error <= PRECISE or runs >= MOST:
            break
        runs *= 2
    return {
        "arms": world.arms,
        "T": T,
        "runs": runs,
        "regret": float(own.mean()),
        "rival": best,
        "rival_regret": float(other.mean()),
        "excess": float((own - other).mean()) / unit,
        "error": error,
    }


def horizon_of(world: World) -> int:
    """Return the last round of a world."""
    return world.horizon or 10_000


def regret(policy: Strategy, world: World, runs: int) -> NDArray[np.float64]:
    """Return the regret of every run."""
    result = db.simulate(policy, world, horizon_of(world), runs, workers=1, checkpoints=1)
    return result[policy.label].final_regret


def kept_regret(policy: Strategy, world: World, runs: int) -> NDArray[np.float64]:
    """Return the regret of every run of a rival, from the disk if it has been played before."""
    key = "\n".join([policy.to_json(), world.to_json(), str(horizon_of(world)), str(runs)])
    path = KEPT / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.npy"
    if path.exists():
        regrets: NDArray[np.float64] = np.load(path)
        return regrets
    regrets = regret(policy, world, runs)
    KEPT.mkdir(parents=True, exist_ok=True)
    np.save(path, regrets)
    return regrets


def line(row: dict[str, Any]) -> str:
    """Return a world's row as text."""
    ratio = row["regret"] / max(row["rival_regret"], 1e-9)
    return (
        f"{row['world']:24} T {row['T']:8,} runs {row['runs']:4} regret {row['regret']:8.1f} "
        f"{row['rival']:>18} {row['rival_regret']:8.1f} ratio {ratio:5.2f} "
        f"excess {row['excess']:+.2f} ± {row['error']:.2f}"
    )


def summary(rows: list[dict[str, Any]]) -> str:
    """Return mean and worst excess."""
    worst = max(rows, key=lambda row: float(row["excess"]))
    mean = float(np.mean([row["excess"] for row in rows]))
    return f"{len(rows)} worlds: mean {mean:+.2f}, worst {worst['excess']:+.2f} ({worst['world']})"
