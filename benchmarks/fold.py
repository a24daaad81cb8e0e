"""How fast a log is folded, and how soon a process starts from a snapshot of it.

`python -m benchmarks fold` makes a log of decisions, each with a reward soon after, in a new file.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from driftbandit.service import events
from driftbandit.service.experiment import checked
from driftbandit.service.fold import Fold
from driftbandit.service.opening import begin
from driftbandit.service.rebuild import load, rebuild, saved
from driftbandit.service.store.batch import Claim, Entry
from driftbandit.service.store.sqlite import SqliteStore

ARMS = ("a", "b", "c")
VISITORS = 250
"""Decisions in a batch, and rewards of the batch before."""


def fold(
    size: Annotated[int, typer.Option("--events", help="Events of the log.")] = 1_000_000,
    policy: Annotated[str, typer.Option(help="A policy of the catalogue.")] = "ucb-1",
    turns: Annotated[int, typer.Option(help="How often the log is folded.")] = 3,
) -> None:
    """Events folded per second of processor time, and a start from a snapshot."""
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
        store = SqliteStore(Path(folder) / "log.db")
        _fill(store, size, policy)
        rates = []
        for _ in range(turns):
            before = time.process_time()
            found = rebuild(store)
            rates.append(found.events / (time.process_time() - before))
        print(f"rebuild: {found.events:,} events, {max(rates):,.0f} per processor second")
        before = time.process_time()
        start = load(store)
        seconds = time.process_time() - before
        print(f"start at {start.position:,} from the last snapshot: {seconds:.2f} s")
        store.close()


def _fill(store: SqliteStore, size: int, policy: str) -> None:
    """Make the log, and a snapshot as the service would: one 100,000 events before its end."""
    luck, fold = random.Random(1), Fold()
    begin(store)
    created = events.Created(checked(events.Config({"name": policy}), ARMS), ARMS, "07" * 32)
    store.append([Entry("x", created, None, (Claim("e:x"),))])
    fold.extend(store.read(0))
    waiting: list[str] = []
    while fold.position < size:
        before, experiment = fold.position, fold.experiments["x"]
        ids = [f"{before:010x}-{luck.getrandbits(80):020x}" for _ in range(VISITORS)]
        drawn = [experiment.draw(id, None, before) for id in ids]
        rewards = [events.Rewarded(id, float(luck.random() < 0.3)) for id in waiting]
        entries = [
            *(Entry("x", each, before, (Claim(f"d:{each.id}", fresh=True),)) for each in drawn),
            *(Entry("x", each, before, (Claim(f"s:{each.id}"),)) for each in rewards),
        ]
        store.append(entries)
        fold.extend(store.read(before))
        waiting = ids
        if before < size - 100_000 <= fold.position:
            store.save(saved(fold))
