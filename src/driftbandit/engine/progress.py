"""How far a job is: rounds played by all workers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError

from driftbandit.engine.job import Job

Progress = Callable[[int, int], None]


class Meter:
    """Adds up the rounds played by all workers, and stops threads when the caller has gone."""

    def __init__(self, job: Job, progress: Progress | None) -> None:
        self._job, self._progress = job, progress
        self.total = job.horizon * job.runs * len(job.policies)
        self.done, self.stopped, self._lock = 0, False, threading.Lock()

    def __call__(self, rounds: int) -> None:
        """Count rounds just played."""
        if self.stopped:
            raise CancelledError
        with self._lock:
            self.done += rounds
            if self._progress is not None:
                self._progress(self.done, self.total)

    def block(self, block: int) -> None:
        """Count all rounds of a block that was played elsewhere."""
        self(self._job.live(block) * self._job.horizon * len(self._job.policies))
