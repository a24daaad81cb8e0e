"""The paper's policies by hand in C++ with AVX2: how fast they can be on one core.

`make bench-native` builds the program. It plays the paper's first experiment and nothing else; the
numbers of a policy come from here, so they are those of `driftbandit.studies.paper.experiments`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TypedDict

import driftbandit as db

PROGRAM = Path(__file__).parents[3] / "build" / "native" / "bandits"
"""Where `make bench-native` puts the program."""


class Played(TypedDict):
    """What the program prints; `seconds` is the median of its repetitions, `plays` is by arm."""

    policy: str
    runs: int
    horizon: int
    seconds: float
    ns_per_round: float
    mean_regret: float
    standard_error: float
    plays: list[float]


def built() -> bool:
    """Say whether the program is there."""
    return PROGRAM.exists()


def words(policy: db.Strategy) -> tuple[str, list[str]]:
    """Return the program's name of a policy of the first experiment, and its NAME=NUMBER words.

    >>> words(db.SlidingWindowUCB(1213))
    ('sliding-window-ucb', ['window=1213', 'xi=0.5', 'padding=1.0'])
    """
    if isinstance(policy, db.EXP3S):
        return "exp3s", _named(exploration=policy.exploration, sharing=policy.sharing)
    if not isinstance(policy, db.Policy) or not isinstance(policy.explore, db.UCB):
        raise ValueError(f"the native program does not know {policy.label}")
    index = _named(xi=policy.explore.xi, padding=policy.explore.padding)
    if isinstance(policy.forget, db.Window):
        return "sliding-window-ucb", _named(window=policy.forget.window) + index
    discount = policy.forget.discount if isinstance(policy.forget, db.Discount) else 1.0
    return "ucb", _named(discount=discount) + index


def _named(**numbers: float) -> list[str]:
    return [f"{name}={number!r}" for name, number in numbers.items()]


def play(
    policy: db.Strategy, runs: int, seed: int = 1, repeats: int = 1, program: Path = PROGRAM
) -> Played:
    """Play the first experiment `repeats` times over and return what the program says."""
    name, numbers = words(policy)
    command = [str(program), name, str(runs), str(seed), str(repeats), *numbers]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    played: Played = json.loads(printed)
    return played
