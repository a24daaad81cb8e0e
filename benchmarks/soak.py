"""Whether the service grows: `python -m benchmarks soak` serves for half an hour.

Decisions, rewards of most of them, changes of the experiment, a dashboard and explanations go on
all the time. After a while, in which caches fill, the memory of the process must stay as it is.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import Annotated

import psutil
import typer

from benchmarks.serve import Connection, Service
from driftbandit.cli.exit import FAILED

MOST = 0.05
SIZE, PAUSE = 40, 0.1
X = "/v1/experiments/x"


def soak(
    minutes: Annotated[float, typer.Option(help="How long.")] = 30.0,
    warm: Annotated[float, typer.Option(help="Minutes of it in which caches fill.")] = 5.0,
) -> None:
    """Memory of the service over half an hour; fails if it grows by more than 5 %."""
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
        service = Service(str(Path(folder) / "log.db"), 1)
        try:
            before, after = _live(service, 60.0 * minutes, 60.0 * warm)
        finally:
            service.stop()
    growth = after / before - 1.0
    print(
        f"{before / 1e6:.1f} MB after {warm:g} min, {after / 1e6:.1f} MB in the end: {growth:+.1%}"
    )
    if growth > MOST:
        raise typer.Exit(FAILED)


def _live(service: Service, seconds: float, warm: float) -> tuple[float, float]:
    """Return the memory after the warm part, and in the end: medians of a minute."""
    luck, connection = random.Random(1), Connection(service)
    terms = {"reward_within": 20.0, "default_reward": 0.0, "holdout": 0.1}
    connection.ask("PATCH", X, terms)
    started, minute, sizes = time.monotonic(), 0, list[int]()
    samples: dict[int, list[int]] = {}
    while (now := time.monotonic() - started) < seconds:
        _visit(connection, luck)
        samples.setdefault(int(now // 60), []).append(psutil.Process(service.pid).memory_info().rss)
        if now // 60 > minute:
            minute = int(now // 60)
            connection.ask("PATCH", X, {"floor": 0.01 * (minute % 7)})
            sizes = sorted(samples[minute - 1])
            position = connection.ask("GET", "/health")["position"]
            print(
                f"{minute:3} min {sizes[len(sizes) // 2] / 1e6:7.1f} MB {position:10,} events",
                flush=True,
            )
        time.sleep(PAUSE)
    connection.http.close()
    middle = [sorted(samples[each])[len(samples[each]) // 2] for each in sorted(samples)]
    return float(middle[int(warm // 60)]), float(middle[-1])


def _visit(connection: Connection, luck: random.Random) -> None:
    """Decide, reward most of that, and look."""
    asked: dict[str, list[dict[str, str]]] = {"decisions": [{}] * SIZE}
    made = connection.ask("POST", f"{X}/decide/batch", asked)["decisions"]
    rewards = [
        {"id": each["id"], "reward": float(luck.random() < 0.3)}
        for each in made
        if luck.random() < 0.9
    ]
    connection.ask("POST", f"{X}/reward/batch", {"rewards": rewards})
    connection.ask("POST", f"{X}/decide", {})
    if luck.random() < 0.1:
        connection.ask("GET", f"{X}/board/minutes")
    if luck.random() < 0.002:
        connection.ask("GET", f"{X}/decisions/{made[0]['id']}")
