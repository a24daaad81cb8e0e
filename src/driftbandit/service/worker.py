"""A running process: it folds the log, draws from what it has folded, and appends."""

from __future__ import annotations

import asyncio
import collections
import functools
import logging
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from driftbandit.service import events
from driftbandit.service.alerts import Alerts
from driftbandit.service.events import Row
from driftbandit.service.fold import Fold
from driftbandit.service.metrics import Metrics
from driftbandit.service.problems import Refusal, unavailable
from driftbandit.service.rebuild import load, saved
from driftbandit.service.store.batch import Claim, Entry, Outcome, Taken
from driftbandit.service.store.protocol import Store, StoreError
from driftbandit.service.writer import Delivery, Job, Writer

Result = TypeVar("Result")
LOG = logging.getLogger("driftbandit")

MOST_WAITING = 20_000
"""Entries that may wait for the store; more requests are answered with 503."""
TICK = 0.25
"""Seconds between looks at what is due."""
BEHIND = 1.0
"""Seconds that the clock may lie behind the log before this is reported."""


class Worker:
    """The log, as one process sees it; all methods run on one event loop.

    - `patience`: seconds that a request waits for the store.
    - `snapshot_every`: events between two snapshots.
    """

    def __init__(
        self,
        store: Store,
        *,
        patience: float = 5.0,
        snapshot_every: int = 200_000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.patience, self.snapshot_every = store, patience, snapshot_every
        self.clock = clock
        self.fold = Fold()
        self.metrics = Metrics()
        self.broken = ""  # why this process must not serve any more
        self.failing = False  # whether the last batch could not be stored
        self.saved = self.waiting = 0
        self._behind = False
        self._waits: collections.deque[tuple[float, asyncio.Future[list[Outcome]]]]
        self._waits = collections.deque()
        self._stopping = threading.Event()

    async def start(self) -> None:
        """Fold what is in the log, begin it if it is empty, and be ready."""
        self._loop = asyncio.get_running_loop()
        self.fold = await self._loop.run_in_executor(None, load, self.store)
        self.saved = self.fold.position
        self.alerts = Alerts(self.metrics, self.fold.position)
        self._reader = ThreadPoolExecutor(1, "reader")
        self._read_store = await self._loop.run_in_executor(self._reader, self.store.reader)
        self._writer = Writer(self.store, self.fold.position, self._hand_over)
        self._ticking = self._loop.create_task(self._tick())
        if self.store.shared:
            following = await self._loop.run_in_executor(None, self.store.reader)
            threading.Thread(target=self._follow, args=(following,), daemon=True).start()

    async def stop(self) -> None:
        """Save a snapshot, and let go of the store."""
        self._ticking.cancel()
        self._stopping.set()
        if not self.broken and not self.failing and self.fold.position > self.saved:
            self._save()
        self._writer.put(None)
        await self._loop.run_in_executor(None, self._writer.join, 2.0)
        self._reader.submit(self._read_store.close)
        self._reader.shutdown()
        self.store.close()

    async def submit(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Append entries; return what became of each, once it is durable and folded.

        Raise a `Refusal` with status 503 if it is not known to be durable.
        """
        if self.broken:
            raise unavailable(self.broken)
        if self.waiting + len(entries) > MOST_WAITING:
            raise unavailable("too many requests wait for the store")
        future: asyncio.Future[list[Outcome]] = self._loop.create_future()
        self._waits.append((time.monotonic() + self.patience, future))
        self.waiting += len(entries)
        self._writer.put(Job(entries, future))
        return await future

    def now(self) -> float:
        """Return the time that an event would get now."""
        return max(self.clock(), self.fold.at)

    async def find(self, keys: Sequence[str]) -> dict[str, Taken]:
        """Look up who has these keys in the log."""
        return await self.read(lambda store: store.find(keys))

    async def read(self, task: Callable[[Store], Result]) -> Result:
        """Run a task on the store that reads, in its thread."""
        try:
            return await self._loop.run_in_executor(self._reader, task, self._read_store)
        except StoreError as error:
            raise unavailable(str(error)) from None

    async def pieces(self, make: Callable[[Store], Iterator[bytes]]) -> AsyncGenerator[bytes]:
        """Yield what is made of the log, in a thread and over a connection of its own."""
        with ThreadPoolExecutor(1, "pieces") as thread:
            run = functools.partial(self._loop.run_in_executor, thread)
            try:
                store = await run(self.store.reader)
                try:
                    pieces = await run(make, store)
                    while piece := await run(next, pieces, b""):
                        yield piece
                finally:
                    await run(store.close)
            except StoreError as error:
                raise unavailable(str(error)) from None

    async def catch_up(self) -> bool:
        """Fold what other processes have appended; return whether there was anything."""
        before = self.fold.position
        if self.store.shared:
            await self.submit([])
        return self.fold.position > before

    async def reach(self, position: int) -> None:
        """Wait until a position is folded."""
        deadline = time.monotonic() + self.patience
        while self.fold.position < position:
            if self.broken or time.monotonic() > deadline:
                raise unavailable(self.broken or "the log could not be followed in time")
            await asyncio.sleep(0.005)

    def _hand_over(self, delivery: Delivery) -> None:
        """Bring a delivery from the writer's thread to the event loop."""
        self._loop.call_soon_threadsafe(self._take, delivery)

    def _take(self, delivery: Delivery) -> None:
        """Fold what is new, and answer."""
        try:
            self._extend(delivery.rows)
        except Exception as error:  # not what the state is made for: serve nothing from it
            self.broken = f"the log cannot be folded: {error}"
            LOG.exception("stopped serving: the log cannot be folded")
            delivery = delivery._replace(outcomes=StoreError(self.broken))
        self._report(delivery)
        outcomes, place = delivery.outcomes, 0
        for entries, future, _ in delivery.jobs:
            if future is None:
                continue
            size = len(entries)
            self.waiting -= size
            if future.done():  # it has waited too long
                pass
            elif isinstance(outcomes, StoreError):
                future.set_exception(unavailable(f"nothing was stored: {outcomes}"))
            else:
                future.set_result(outcomes[place : place + size])
            place += size

    def _extend(self, rows: list[Row]) -> None:
        """Fold rows, and save at the same positions as every process does."""
        for row in rows:
            self.fold.apply(row)
            if row.position % self.snapshot_every == 0:
                self._save()

    def _report(self, delivery: Delivery) -> None:
        """Count a batch, and say when the store fails or works again."""
        failed = isinstance(delivery.outcomes, StoreError)
        if failed:
            self.metrics.failures.inc()
        if failed != self.failing:
            LOG.warning(
                "%s", f"store fails: {delivery.outcomes}" if failed else "store works again"
            )
        self.failing = failed
        if delivery.rows:
            self.metrics.batches.inc()
            self.metrics.events.inc(len(delivery.rows))
        behind = self.fold.at - self.clock()
        self.metrics.behind.set(max(behind, 0.0))
        if (behind > BEHIND) != self._behind:
            self._behind = behind > BEHIND
            LOG.warning(
                "the clock is %s", f"{behind:.0f} s behind the log" if self._behind else "right"
            )

    def _save(self) -> None:
        """Queue a snapshot of what is folded now."""
        snapshot, self.saved = saved(self.fold), self.fold.position

        def save(store: Store) -> None:
            if store.save(snapshot) != snapshot.digest:
                self._loop.call_soon_threadsafe(self._disagree, snapshot.position)

        self._writer.put(Job(task=save))

    def _disagree(self, position: int) -> None:
        """Serve nothing any more: of two processes, one has a state that the log does not make."""
        self.broken = f"the state at {position} is not the one that another process has saved"
        LOG.error("stopped serving: %s; run `driftbandit serve rebuild --check`", self.broken)

    async def _tick(self) -> None:
        """Give up on requests that wait too long, and close decisions that are due."""
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            while self._waits and (self._waits[0][1].done() or self._waits[0][0] < now):
                future = self._waits.popleft()[1]
                if not future.done():
                    message = f"not known to be stored after {self.patience:g} s; ask again"
                    future.set_exception(unavailable(message))
            if not self.failing or not self.waiting:
                await self._append_due()
            self.alerts.look(self.fold)

    async def _append_due(self) -> None:
        """Append the end of decisions that are due, and pauses; the first worker is the one."""
        now = self.now()
        entries = [
            closing(name, id)
            for name, experiment in self.fold.experiments.items()
            for id in experiment.ledger.due(now)
        ]
        entries += pauses(self.fold)
        try:
            for first in range(0, len(entries), 1_000):
                await self.submit(entries[first : first + 1_000])
        except Refusal as error:  # tried again at the next tick
            LOG.debug("could not append what is due: %s", error)
        except Exception:  # a fault of ours, which must not end the ticking
            LOG.exception("could not append what is due")

    def _follow(self, store: Store) -> None:
        """Have the writer read what other processes append."""
        while not self._stopping.is_set():
            end = 0
            try:
                end = store.wait(TICK)
            except StoreError:
                self._stopping.wait(TICK)
            if not 0 < end <= self._writer.seen:  # what is heard of is mostly its own
                self._writer.put(Job())
        store.close()


def pauses(fold: Fold) -> list[Entry]:
    """Return the entries that pause experiments whose rewards have stopped, by the log's clock."""
    entries = []
    for name, each in fold.experiments.items():
        most, silence = each.config.pause_without_rewards, each.watch.silence(fold.at)
        if each.status == "running" and most is not None and silence > most:
            paused = events.Turned("paused", f"no reward came for {silence:.0f} s")
            once = Claim(f"p:{name}:{each.version}")
            entries.append(Entry(name, paused, fold.position, (once,)))
    return entries


def closing(name: str, id: str) -> Entry:
    """Return the entry that ends a decision: its key makes it one."""
    return Entry(name, events.Closed(id), None, (Claim(f"s:{id}"),))
