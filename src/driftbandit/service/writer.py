"""The one thread that appends: whatever waits goes into one batch, and one commit."""

from __future__ import annotations

import logging
import queue
import threading
from asyncio import Future
from collections.abc import Callable, Sequence
from typing import NamedTuple

from driftbandit.service.events import Row
from driftbandit.service.store.batch import Entry, Outcome
from driftbandit.service.store.protocol import Store, StoreError

LOG = logging.getLogger("driftbandit")

MOST = 2_000
"""Entries that go into one batch, if the first of them are not more."""
AT_ONCE = 10_000
"""Rows that are read at a time."""


class Job(NamedTuple):
    """Entries to append, and who waits for their outcomes; or a task for the thread."""

    entries: Sequence[Entry] = ()
    future: Future[list[Outcome]] | None = None
    task: Callable[[Store], None] | None = None


class Delivery(NamedTuple):
    """What a batch came to: the rows that are new, in order, and the outcomes of its jobs."""

    rows: list[Row]
    jobs: list[Job]
    outcomes: list[Outcome] | StoreError


class Writer:
    """Append jobs in the order in which they come, and deliver what they came to.

    `deliver` is called in the writer's thread. It gets every row of the log once and in order,
    those of other processes too, and no outcome before its row.
    """

    def __init__(self, store: Store, seen: int, deliver: Callable[[Delivery], None]) -> None:
        self.store, self.seen, self._deliver = store, seen, deliver
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    def put(self, job: Job | None) -> None:
        """Queue a job; None ends the thread after all that was queued before."""
        self._jobs.put(job)

    def join(self, seconds: float) -> None:
        """Wait for the end of the thread."""
        self._thread.join(seconds)

    def _work(self) -> None:
        ended = False
        while not ended:
            jobs, ended = self._gathered()
            entries = [entry for job in jobs for entry in job.entries]
            try:
                rows, outcomes = self._append(entries)
                self._deliver(Delivery(rows, jobs, outcomes))
                for job in jobs:
                    if job.task is not None:
                        job.task(self.store)
            except StoreError as error:
                self._deliver(Delivery([], jobs, error))
            except Exception as error:  # a fault of ours; nobody may wait for it
                LOG.exception("the writer failed")
                self._deliver(Delivery([], jobs, StoreError(f"the writer failed: {error}")))

    def _gathered(self) -> tuple[list[Job], bool]:
        """Wait for a job, and return all that are there by then."""
        jobs: list[Job] = []
        size = 0
        while size < MOST:
            try:
                job = self._jobs.get(block=not jobs)
            except queue.Empty:
                return jobs, False
            if job is None:
                return jobs, True
            jobs.append(job)
            size += len(job.entries)
        return jobs, False

    def _append(self, entries: list[Entry]) -> tuple[list[Row], list[Outcome]]:
        """Append, and return the rows that have not been delivered yet."""
        outcomes: list[Outcome] = []
        rows: list[Row] = []
        if entries:
            outcomes, end = self.store.append(entries)
            own = [outcome for outcome in outcomes if isinstance(outcome, Row)]
            rows = self._unseen(end - len(own)) + own
        elif self.store.shared:
            rows = self._unseen()
        self.seen += len(rows)
        return rows, outcomes

    def _unseen(self, until: int = 2**62) -> list[Row]:
        """Return what others have appended, or what a failed commit left in the log."""
        rows: list[Row] = []
        position = self.seen
        while position < until:
            some = self.store.read(position, min(until - position, AT_ONCE))
            if not some:
                break
            rows += some
            position = some[-1].position
        return rows
