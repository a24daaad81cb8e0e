"""What state a log makes with each policy, on record: `python -m service.record` in tests/."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catalogue import EXAMPLES
from driftbandit import InputError
from driftbandit.policies import CATALOGUE
from driftbandit.service import events
from driftbandit.service.events import VERSION, Row
from driftbandit.service.experiment import checked, uniform
from driftbandit.service.fold import Fold, encoded

DATA = Path(__file__).parent / "data"
FILE = DATA / "digests.json"
ARMS = ("red", "green", "blue")
DECISIONS = 400
HOLDOUT = 0.1
SECRET = "07" * 32


def digest_of_log(name: str) -> str:
    """Return the hash of the state that a policy is in after a log that does not depend on it.

    Numbers have nine digits in it: logarithms are not the same to the last bit on every processor.
    """
    fold = Fold()
    for position, (experiment, event) in enumerate(_events(name), 1):
        fold.apply(Row(position, 60.0 * position, experiment, event))
    state = json.loads(encoded(fold.state()), parse_float=lambda digits: f"{float(digits):.9g}")
    del state["experiments"]["x"]["agent"]["checksum"]
    return hashlib.blake2b(json.dumps(state).encode(), digest_size=8).hexdigest()


def _events(name: str) -> Iterator[tuple[str, events.AnyEvent]]:
    """Yield decisions, rewards of most of them, some late, others never; the best arm changes."""
    luck = random.Random(7)
    yield "", events.Began(VERSION)
    yield "x", events.Created(_config(name), ARMS, SECRET)
    waiting: list[str] = []
    for number in range(DECISIONS):
        arm, id = luck.choice(ARMS), f"{number}"
        held_out = uniform(bytes.fromhex(SECRET), id) < HOLDOUT
        yield "x", events.Decided(id, arm, 1 / 3, 0, ARMS, by="holdout" if held_out else "policy")
        if luck.random() < 0.9:
            best = ARMS[number // 150]
            yield "x", events.Rewarded(id, float(luck.random() < (0.8 if arm == best else 0.2)))
        else:
            waiting.append(id)
        if len(waiting) > 20:
            yield "x", events.Closed(waiting.pop(0))


def _config(name: str) -> events.Config:
    spec = {"name": name, **EXAMPLES.get(name, {})}
    return checked(events.Config(spec, floor=0.1, holdout=HOLDOUT, default_reward=0.0), ARMS)


def load() -> dict[str, Any]:
    """Return the version on record, and the hashes by policy."""
    recorded: dict[str, Any] = json.loads(FILE.read_text())
    return recorded


def names() -> list[str]:
    """Return the policies that the service takes."""
    taken = []
    for name in CATALOGUE:
        with contextlib.suppress(InputError):
            _config(name)
            taken.append(name)
    return sorted(taken)


def main() -> None:
    """Write down what there is now."""
    digests = {name: digest_of_log(name) for name in names()}
    FILE.write_text(json.dumps({"version": VERSION, "digests": digests}, indent=1) + "\n")


if __name__ == "__main__":
    main()
