"""The loop closes: a drifting world is served, and its exported log says what policies earn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import driftbandit as db
from driftbandit.client import Client
from driftbandit.service import events
from driftbandit.service.events import Row
from driftbandit.service.experiment import Experiment, checked
from driftbandit.service.history import table
from service.serving import ARMS, serving

POLICY = {"name": "sw-ucb", "window": 400}
FLOOR = 0.3


class World(NamedTuple):
    """Mean rewards by round and arm, which swap on the way, and one uniform number per round."""

    means: NDArray[np.float64]
    luck: NDArray[np.float64]

    def reward(self, turn: int, arm: str) -> float:
        return float(self.luck[turn] < self.means[turn, ARMS.index(arm)])

    def earned(self, arms: list[str]) -> float:
        """The mean of the mean rewards of the arms that were played."""
        return float(np.mean([self.means[turn, ARMS.index(arm)] for turn, arm in enumerate(arms)]))


def drifting(rounds: int, seed: int) -> World:
    way = np.linspace(0.0, 1.0, rounds)
    means = np.column_stack([0.8 - 0.6 * way, 0.2 + 0.6 * way, np.full(rounds, 0.4)])
    return World(means, np.random.default_rng(seed).random(rounds))


def test_what_a_server_logs_says_what_its_policy_has_earned(tmp_path: Path, command: Any) -> None:
    size, batches = 50, 40
    world, arms = drifting(size * batches, seed=1), list[str]()
    with (
        serving(tmp_path) as server,
        Client(f"http://127.0.0.1:{server.port}", server.key) as client,
    ):
        client.create("x", ARMS, POLICY, floor=FLOOR)
        for batch in range(batches):
            decisions = client.decide_many("x", size).decisions
            turns = range(batch * size, (batch + 1) * size)
            client.reward_many(
                "x",
                {
                    each.id: world.reward(turn, each.arm)
                    for turn, each in zip(turns, decisions, strict=True)
                },
            )
            arms += [each.arm for each in decisions]
        for form in ("parquet", "csv"):
            client.export("x", tmp_path / f"log.{form}")
    log = db.Log.read(tmp_path / "log.parquet")
    values = log.value([{"red": 1.0}], interval="bernstein", level=0.99999)  # ids differ every time
    force, red = values["as logged"], values["always red"]
    assert force.low < world.earned(arms) < force.high
    assert force.high - force.low < 0.2
    assert red.low < world.means[:, 0].mean() < red.high
    answer = command("log", "value", str(tmp_path / "log.csv"), "--fixed", "red", "--json")
    rows = {row["policy"]: row["value"] for row in json.loads(answer.out)["values"]}
    assert rows["as logged"] == pytest.approx(force.value, abs=1e-12)
    assert rows["always red"] == pytest.approx(red.value, abs=1e-12)


def rows_of(world: World, seed: int) -> Iterator[Row]:
    """Yield the log of an experiment in this world, decided and rewarded by turns."""
    secret = np.random.default_rng([seed, 7]).bytes(32).hex()
    created = events.Created(checked(events.Config(POLICY, FLOOR), ARMS), tuple(ARMS), secret)
    yield Row(1, 0.0, "x", created)
    experiment, position = Experiment("x", 1, 0.0, created), 1
    for turn in range(len(world.means)):
        decided = experiment.draw(f"d{turn}", None, position)
        rewarded = events.Rewarded(decided.id, world.reward(turn, decided.arm))
        for event in (decided, rewarded):
            position += 1
            experiment.apply(position, 60.0 * turn, event)
            yield Row(position, 60.0 * turn, "x", event)


@pytest.mark.slow
def test_the_intervals_cover_what_was_earned_as_often_as_they_say() -> None:
    logs, hits, reds, widths = 300, 0, 0, list[float]()
    for seed in range(logs):
        world = drifting(2_000, seed)
        lines = list(table(rows_of(world, seed), ended=True))
        log = db.Log.read(pl.DataFrame(lines))
        values = log.value([{"red": 1.0}])
        force, red = values["as logged"], values["always red"]
        hits += force.low <= world.earned([line["arm"] for line in lines]) <= force.high
        reds += red.low <= world.means[:, 0].mean() <= red.high
        widths.append(force.high - force.low)
    assert hits / logs >= 0.92, hits
    assert reds / logs >= 0.92, reds
    assert np.mean(widths) < 0.05
