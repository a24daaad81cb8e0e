"""A checkout of the package: its own interpreter, its own sources, its own processes."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from driftbandit.engine.small import VARIABLE

WORKER = Path(__file__).with_name("worker.py")
HELP = "from driftbandit.cli import main; main()"
COLD = {
    "paper's four": (
        "policies = [db.UCB1(), db.EXP3S.tuned(200, 2, 3), db.DiscountedUCB(0.9975),"
        " db.SlidingWindowUCB(1213)]\n"
        "db.simulate(policies, db.environments.two_swaps(200), horizon=200, runs=2, workers=1)"
    ),
    "arena's line-up": (
        "problems = {'two-swaps': db.environments.two_swaps(200)}\n"
        "db.arena(problems=problems, runs=2, repeats=0, workers=1)"
    ),
}


class Side:
    """One of the two code bases that are compared."""

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout.resolve()
        if not (self.checkout / "src" / "driftbandit").is_dir():
            raise SystemExit(f"a checkout must have a folder src/driftbandit, got {checkout}")
        own = self.checkout / ".venv" / "bin" / "python"
        self.python = str(own) if own.exists() else sys.executable
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(self.checkout / "src"),
            "OPENBLAS_NUM_THREADS": "1",
            VARIABLE: "0",
        }
        self._worker: subprocess.Popen[str] | None = None

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Keep a worker process alive."""
        with subprocess.Popen(
            [self.python, "-P", str(WORKER)],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the note that code is compiled
            text=True,
        ) as self._worker:
            yield

    def seconds(self, **request: Any) -> float:
        """Let the worker time a task; a fault of its own is raised here."""
        assert self._worker is not None
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        print(json.dumps(request), file=self._worker.stdin, flush=True)
        line = self._worker.stdout.readline()
        answer = json.loads(line) if line else {"error": "the worker ended"}
        if "error" in answer:
            raise RuntimeError(f"{self.checkout}: {answer['error']}")
        return float(answer["seconds"])

    def import_seconds(self) -> float:
        """Return the processor time of `import driftbandit` as a process."""
        return self._process("import driftbandit")

    def help_seconds(self, *words: str) -> float:
        """Return the processor time of a command's `--help` as a process."""
        return self._process(HELP, *words, "--help")

    def cold_seconds(self, name: str) -> float:
        """Return the processor time of a process that compiles everything it needs."""
        with tempfile.TemporaryDirectory() as cache:
            return self._process(f"import driftbandit as db\n{COLD[name]}", NUMBA_CACHE_DIR=cache)

    def _process(self, code: str, *words: str, **environment: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [self.python, "-P", "-c", code, *words],
            env={**self.environment, **environment},
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
