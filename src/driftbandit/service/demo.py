"""`driftbandit serve --demo`: simulated visitors whose taste drifts."""

from __future__ import annotations

import asyncio
import heapq
import logging
import math
import random
import secrets
import time
from collections.abc import Callable, Iterator

from driftbandit.core.errors import InputError
from driftbandit.service import events, shapes
from driftbandit.service.call import Call
from driftbandit.service.deciding import decide
from driftbandit.service.experiment import checked
from driftbandit.service.fold import Fold
from driftbandit.service.opening import begin
from driftbandit.service.problems import Refusal
from driftbandit.service.rewarding import reward
from driftbandit.service.settings import Settings
from driftbandit.service.store.batch import Claim, Entry
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.worker import Worker, closing

LOG = logging.getLogger("driftbandit")
NAME, ARMS = "headline", ("classic", "bold", "short", "friendly")
CONFIG = events.Config(
    {"name": "auto"}, floor=0.02, reward_within=120.0, default_reward=0.0, holdout=0.1
)
PAST = 4_500.0
"""Seconds of traffic that are there already."""
PACE = 3.0
"""Visitors per second."""
LOST, DELAY = 0.05, 4.0
"""The share of visitors that leave no reward, and after how many seconds others do, on average."""


def chance(arm: str, at: float) -> float:
    """Return how likely a visitor clicks: one arm leads for seven minutes, and all swing slowly."""
    place = ARMS.index(arm) if arm in ARMS else len(ARMS)
    swing = 0.05 * math.sin(2.0 * math.pi * (at / 1_500.0 + place / 4.0))
    leads = int(at // 420.0) * 3 % len(ARMS) == place
    return 0.13 + swing + (0.22 if leads else 0.0)


class Visitors:
    """Who comes and when, and the rewards that they bring later."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self._coming: list[tuple[float, str, str, float]] = []

    def come(self, seconds: float) -> int:
        """Return how many come in so many seconds."""
        return sum(self.luck.random() < PACE * seconds / 50 for _ in range(50))

    def see(self, experiment: str, id: str, arm: str, at: float) -> None:
        """Let one see an arm; the reward may come later, or never."""
        clicks = float(self.luck.random() < chance(arm, at))
        if self.luck.random() >= LOST:
            later = at + self.luck.expovariate(1.0 / DELAY)
            heapq.heappush(self._coming, (later, experiment, id, clicks))

    def rewards(self, now: float) -> Iterator[tuple[str, str, float]]:
        """Yield the rewards that have come: experiment, id of the decision, reward."""
        while self._coming and self._coming[0][0] <= now:
            yield heapq.heappop(self._coming)[1:]


def fill(settings: Settings, seed: int = 0, before: Callable[[], object] = lambda: None) -> str:
    """Fill a new store with the traffic of the last 75 minutes; return the first key.

    `before` is called once the store is known to be new.
    """
    if settings.postgres or settings.workers > 1:
        raise InputError("--demo must have a file as its store, and one worker")
    clock = [time.time() - PAST]
    store = SqliteStore(settings.store, clock=lambda: clock[0])
    try:
        key = begin(store)
        if key is None:
            raise InputError(f"--demo must have a new store, got {settings.store!r}")
        before()
        created = events.Created(checked(CONFIG, ARMS), ARMS, secrets.token_hex(32))
        store.append([Entry(NAME, created, None, (Claim(f"e:{NAME}"),))])
        fold, visitors = Fold(), Visitors(seed)
        fold.extend(store.read(0))
        while (left := time.time() - clock[0]) > 1.0:  # the last seconds are those that this takes
            step = 5.0 if left > 300.0 else 1.0
            clock[0] += step
            _pass(store, fold, visitors, clock[0], step)
    finally:
        store.close()
    return key


def _pass(store: SqliteStore, fold: Fold, visitors: Visitors, now: float, step: float) -> None:
    """Append what happens in some seconds of the past."""
    experiment, entries = fold.experiments[NAME], list[Entry]()
    for _, id, clicks in visitors.rewards(now):
        if id in experiment.ledger.pending:
            entries.append(Entry(NAME, events.Rewarded(id, clicks), None, (Claim(f"s:{id}"),)))
    entries += [closing(NAME, id) for id in experiment.ledger.due(now)]
    for _ in range(visitors.come(step)):
        id = f"{fold.position:010x}-{visitors.luck.getrandbits(80):020x}"
        decided = experiment.draw(id, None, fold.position)
        entries.append(Entry(NAME, decided, fold.position, (Claim(f"d:{id}"),)))
        visitors.see(NAME, id, decided.arm, now)
    before = fold.position
    store.append(entries)
    fold.extend(store.read(before))


async def visit(worker: Worker, seed: int = 1) -> None:
    """Send visitors to all experiments, as fast as they come, until this is cancelled."""
    visitors, step = Visitors(seed), 0.25
    while True:
        await asyncio.sleep(step)
        experiments = worker.fold.experiments.items()
        running = [name for name, each in experiments if each.status == "running"]
        try:
            for name in running:
                for _ in range(visitors.come(step)):
                    call = Call({"experiment": name}, {}, shapes.Decide(), b"", "")
                    decision = await decide(worker, call)
                    visitors.see(name, decision.id, decision.arm, decision.at)
            for name, id, clicks in visitors.rewards(worker.now()):
                body = shapes.Reward(id, clicks)
                await reward(worker, Call({"experiment": name}, {}, body, b"", ""))
        except (Refusal, InputError) as error:  # somebody has paused or archived it, or so
            LOG.debug("a visitor was sent away: %s", error)
