"""Whole processes: how soon the first result appears, and in how much memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from driftbandit.engine.small import PLAYS, VARIABLE

HELP = "from driftbandit.cli import main; main()"
MANY_RUNS = 100_000
FIRST = str(Path(__file__).with_name("first.py"))


def start(runs: int = 1_000, horizon: int = 10_000, policies: int = 4) -> dict[str, Any]:
    """Time Python alone, import, --help, and the first result cold and warm."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (first(cache, runs, horizon, policies) for _ in range(2))
    return {
        "python": _seconds("-c", "pass"),
        "import": _seconds("-c", "import driftbandit"),
        "help": _seconds("-c", HELP, "--help"),
        "runs": runs,
        "cold": cold,
        "warm": warm,
    }


def memory(horizon: int = 10_000) -> dict[str, Any]:
    """Return what 100,000 runs of the four policies cost once they are compiled."""
    with tempfile.TemporaryDirectory() as cache:
        first(cache, 1, horizon, small=0)
        return {"runs": MANY_RUNS, **first(cache, MANY_RUNS, horizon, small=0)}


def first(
    cache: str, runs: int, horizon: int, policies: int = 4, small: int = PLAYS
) -> dict[str, Any]:
    """Run `first.py` with compiled code stored in the folder `cache`."""
    numbers = [str(number) for number in (runs, horizon, policies)]
    environment = {"NUMBA_CACHE_DIR": cache, VARIABLE: str(small)}
    start = time.perf_counter()
    printed = _python(["-P", FIRST, *numbers], **environment)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, **json.loads(printed)}


def _seconds(*words: str) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        _python(words)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _python(words: Sequence[str], **environment: str) -> str:
    process = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **environment},
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # the note that code is compiled
        text=True,
    )
    return process.stdout
