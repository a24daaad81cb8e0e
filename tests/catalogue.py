"""One policy of every name in the catalogue."""

from __future__ import annotations

from typing import Any

import driftbandit as db
from driftbandit.policies import CATALOGUE

EXAMPLES: dict[str, dict[str, Any]] = {
    "d-ucb": {"discount": 0.9},
    "sw-ucb": {"window": 50},
    "d-kl-ucb": {"discount": 0.9},
    "sw-kl-ucb": {"window": 50},
    "moss": {"horizon": 10_000},
    "sw-ucb-sharp": {"power": 0.5},
    "d-ts": {"discount": 0.9},
    "sw-ts": {"window": 50},
    "glr-ucb": {"delta": 0.1, "rate": 0.1},
    "glr-kl-ucb": {"delta": 0.1, "rate": 0.1},
    "cusum-ucb": {"warmup": 5, "drift": 0.1, "threshold": 1.0, "rate": 0.1},
    "pht-ucb": {"drift": 0.1, "threshold": 1.0, "rate": 0.1},
    "m-ucb": {"window": 10, "threshold": 1.0, "rate": 0.1},
    "periodic-ucb": {"period": 50},
    "oracle-restart": {"rounds": [50]},
    "exp3": {"exploration": 0.1},
    "exp3-ix": {"rate": 0.1, "implicit": 0.1},
    "adswitch": {"horizon": 10_000},
    "meta": {"horizon": 10_000},
    "master": {"horizon": 10_000},
    "doubling": {"base": "moss"},
    "d-lin-ucb": {"discount": 0.9},
    "sw-lin-ucb": {"window": 50},
}
"""Parameters for the presets that need some."""


def example(name: str) -> db.Strategy:
    policy: db.Strategy = CATALOGUE[name](**EXAMPLES.get(name, {}))
    return policy


POLICIES = {name: example(name) for name in CATALOGUE}
