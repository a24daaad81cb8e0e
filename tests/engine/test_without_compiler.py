"""The compiled loops take the decisions of the same code in plain Python."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import driftbandit as db
from driftbandit.environments import AnyWorld
from fingerprint.linear_worlds import LINEAR
from fingerprint.policies import PRESETS

pytestmark = pytest.mark.slow  # plain Python plays a thousand rounds per second

TESTS = Path(__file__).parents[1]
ROUNDS, RUNS = 60, 3


def hashes() -> list[str]:
    """What every policy of the catalogue plays, one line per policy."""
    arms = db.environments.Brownian(3, sigma=0.05, law=db.environments.laws.Exact())
    linear = db.environments.linear.abrupt(number=5)
    games: list[tuple[db.Strategy, AnyWorld]] = [(policy, arms) for policy in PRESETS.values()]
    games += [(policy, linear) for policy in LINEAR.values()]
    return [f"{policy.label}: {hash_of_arms(policy, world)}" for policy, world in games]


def hash_of_arms(policy: db.Strategy, world: AnyWorld) -> str:
    return hashlib.sha256(db.trace(policy, world, ROUNDS, RUNS).tobytes()).hexdigest()


def test_compiled_loops_play_as_plain_python_does() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(TESTS)}
    code = "from engine.test_without_compiler import hashes; print('\\n'.join(hashes()))"
    plain = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert (plain.returncode, plain.stderr) == (0, "")
    assert plain.stdout.splitlines() == hashes()
