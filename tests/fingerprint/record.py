"""Play rows and write down what came out: `python -m fingerprint.record [PATTERN ...]` in tests/.

A pattern is matched with the names of rows as a shell does it with files: 'sw-ucb / *' is all rows
of SW-UCB, '* / random, 9 arms*' those of all policies in two worlds. Only rows that match are
written anew; without a pattern, all.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import numpy as np

import driftbandit as db
from fingerprint.rows import ROWS, SEED, Row, rows_by_policy

DATA = Path(__file__).parent / "data"


class Fingerprint(NamedTuple):
    """What a policy did in a world: a hash of all arms played, and the final regret of each run."""

    arms: str
    regrets: list[float]


def play(row: Row) -> Fingerprint:
    """Play a row: once for the arms, once more for the regrets."""
    arms = db.trace(row.strategy, row.world, row.rounds, row.runs, SEED)
    result = db.simulate(row.strategy, row.world, row.rounds, row.runs, SEED, workers=1)
    regrets = result[row.strategy.label].final_regret
    return Fingerprint(hash_of_arms(arms), regrets.tolist())


def hash_of_arms(arms: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> str:
    """Return the sha256 of the arms as two bytes each, round by round and in it run by run."""
    return hashlib.sha256(arms.astype("<i2").tobytes(order="C")).hexdigest()


def file_of(policy: str) -> Path:
    """Return where the rows of a policy are on record."""
    return DATA / f"{policy}.json"


def load(policy: str) -> dict[str, Fingerprint]:
    """Return what is on record for a policy, by world."""
    path = file_of(policy)
    if not path.exists():
        return {}
    worlds = json.loads(path.read_text(encoding="utf-8"))
    return {place: Fingerprint(**entry) for place, entry in worlds.items()}


def save(policy: str, fingerprints: Mapping[str, Fingerprint]) -> None:
    """Write the rows of a policy, a line each; JSON writes numbers such that all bits come back."""
    lines = [
        f"{json.dumps(place)}: {json.dumps(fingerprint._asdict(), separators=(',', ':'))}"
        for place, fingerprint in fingerprints.items()
    ]
    file_of(policy).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def matching(patterns: Sequence[str]) -> tuple[Row, ...]:
    """Return the rows whose names match one of the patterns, or all if there is none."""
    if not patterns:
        return ROWS
    return tuple(
        row for row in ROWS if any(fnmatch.fnmatchcase(row.name, pattern) for pattern in patterns)
    )


def record(policy: str, rows: Sequence[Row]) -> None:
    """Play these rows of a policy; leave its others as they are, and drop what is no row."""
    fingerprints = load(policy) | {row.place: play(row) for row in rows}
    order = [row.place for row in rows_by_policy()[policy]]
    save(policy, {place: fingerprints[place] for place in order if place in fingerprints})


def main(arguments: Sequence[str] | None = None) -> None:
    """Record the rows that match, a policy at a time in each process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="names of rows; * is any")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    rows = matching(options.patterns)
    if not rows:
        parser.error(f"no row matches {' or '.join(map(repr, options.patterns))}")
    DATA.mkdir(exist_ok=True)
    start, done = time.perf_counter(), 0
    with ProcessPoolExecutor(options.processes) as pool:
        by_policy = rows_by_policy(rows)
        waiting = {pool.submit(record, *entry): entry for entry in by_policy.items()}
        for finished in as_completed(waiting):
            finished.result()
            policy, own = waiting[finished]
            done += len(own)
            seconds = time.perf_counter() - start
            print(f"{done}/{len(rows)} rows, {seconds:.0f} s: {policy}, {len(own)}", flush=True)


if __name__ == "__main__":
    main()
