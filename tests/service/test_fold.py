"""The fold against a naive one, and against itself: cut anywhere, and sent again and again."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driftbandit.service import events
from driftbandit.service.call import Call
from driftbandit.service.deciding import decide
from driftbandit.service.events import Row
from driftbandit.service.experiment import checked, uniform
from driftbandit.service.fold import Fold, FoldError, encoded
from driftbandit.service.opening import begin
from driftbandit.service.rewarding import reward_many
from driftbandit.service.shapes import Decide, Reward, RewardMany
from driftbandit.service.store.batch import Claim, Entry
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.worker import Worker

ARMS = ("red", "green", "blue")
ACTS = ["decide", "reward", "reward", "close"] * 2 + ["defer", "activate", "floor", "arm", "pass"]


def acts_of(seed: int) -> list[tuple[str, int, float]]:
    """Return what happens: an act, the number of a decision, a reward."""
    luck = random.Random(seed)
    return [
        (luck.choice(ACTS), luck.randint(0, 3), luck.choice([0.0, 0.25, 0.5, 1.0]))
        for _ in range(luck.randint(10, 60))
    ]


def config(policy: str = "ucb-1", **more: Any) -> events.Config:
    return checked(events.Config({"name": policy}, **more), ARMS)


class Log:
    """A log in memory, which takes only what a store and a worker would let in."""

    def __init__(self, first: events.Config) -> None:
        self.fold, self.rows, self.at = Fold(), list[Row](), 0.0
        self.add("", events.Began(events.VERSION))
        self.add("x", events.Created(first, ARMS, "07" * 32))

    def add(self, experiment: str, event: events.AnyEvent) -> None:
        row = Row(len(self.rows) + 1, self.at, experiment, event)
        self.rows.append(row)
        self.fold.apply(row)

    def act(self, kind: str, which: int, reward: float) -> None:
        """Do something to the decision with this number among those that are pending."""
        experiment = self.fold.experiments["x"]
        pending = list(experiment.ledger.pending)
        id = pending[which % len(pending)] if pending else ""
        shown = bool(pending) and experiment.ledger.pending[id].shown
        if kind in ("decide", "defer"):
            name = f"{len(self.rows)}"
            self.add("x", experiment.draw(name, None, len(self.rows), kind == "defer"))
        elif kind == "reward" and shown:
            self.add("x", events.Rewarded(id, reward))
        elif kind == "close" and pending:
            self.add("x", events.Closed(id))
        elif kind == "activate" and pending and not shown:
            self.add("x", events.Activated(id))
        elif kind == "floor":
            changed = msgspec.structs.replace(
                experiment.config,
                floor=reward / 2,
                holdout=reward / 4,
                shares={"red": events.Bounds(0.1, 0.5)} if which % 2 else {},
            )
            self.add("x", events.Changed(changed))
        elif kind == "arm" and "pink" in experiment.agent.arms:
            self.add("x", events.ArmRetired("pink"))
        elif kind == "arm":
            self.add("x", events.ArmAdded("pink", fresh=which > 1))
        self.at += which


def naive(rows: list[Row]) -> dict[str, list[float]]:
    """Return the rewards that each arm has to have learned, in order, from the log alone."""
    learned: dict[str, list[float]] = {}
    fresh: dict[str, int] = {}  # a decision for an arm that began anew since is not learned
    now = rows[1].event
    assert isinstance(now, events.Created)
    terms = now.config
    for place, (position, _, _, event) in enumerate(rows):
        if isinstance(event, events.ArmAdded) and event.fresh:
            learned[event.arm], fresh[event.arm] = [], position
        if isinstance(event, events.Changed):
            terms = event.config
        ends = isinstance(event, events.Closed) or (
            isinstance(event, events.Rewarded) and terms.combine == "first"
        )
        if not ends:
            continue
        assert isinstance(event, events.Closed | events.Rewarded)
        past = [row for row in rows[: place + 1] if getattr(row.event, "id", "") == event.id]
        decided = past[0].event
        assert isinstance(decided, events.Decided)
        kind = events.Activated if decided.deferred else events.Decided
        shown = [row.position for row in past if isinstance(row.event, kind)]
        gathered = [row.event.reward for row in past if isinstance(row.event, events.Rewarded)]
        if terms.combine == "sum" and gathered:
            gathered = [min(sum(gathered), 1.0)]
        reward = gathered[-1] if gathered else terms.default_reward
        if shown and shown[0] > fresh.get(decided.arm, 0) and reward is not None:
            learned.setdefault(decided.arm, []).append(reward)
    return learned


@pytest.mark.parametrize("default", [None, 0.5])
@pytest.mark.parametrize("combine", ["first", "last", "sum"])
def test_the_fold_learns_what_a_naive_one_does(combine: Any, default: float | None) -> None:
    for seed in range(60):
        log = Log(config(combine=combine, default_reward=default))
        for act in acts_of(seed):
            log.act(*act)
        learned = naive(log.rows)
        for arm, knowledge in log.fold.experiments["x"].agent.explain().items():
            rewards = learned.get(arm, [])
            assert knowledge["count"] == len(rewards)
            mean = sum(rewards) / len(rewards) if rewards else None
            assert knowledge["mean"] == (None if mean is None else pytest.approx(mean, abs=1e-12))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 1_000),
    st.integers(0, 60),
    st.sampled_from(["sw-ts", "exp3.s", "auto", "adwin-ucb"]),
)
def test_a_fold_goes_on_from_its_state(seed: int, cut: int, policy: str) -> None:
    parameters = {"window": 20} if policy == "sw-ts" else {}
    log = Log(checked(events.Config({"name": policy, **parameters}), ARMS))
    for act in acts_of(seed):
        log.act(*act)
    first = Fold()
    first.extend(log.rows[:cut])
    second = Fold.restore(msgspec.json.decode(encoded(first.state())))
    second.extend(log.rows[cut:])
    assert second.digest() == log.fold.digest()
    rows = [row._replace(event=events.decode(events.encode(row.event))) for row in log.rows]
    third = Fold()
    third.extend(rows)
    assert third.digest() == log.fold.digest()


def test_a_gap_and_another_version_are_refused() -> None:
    fold = Fold()
    with pytest.raises(FoldError, match=f"of version 99, this program of {events.VERSION}"):
        fold.apply(Row(1, 0.0, "", events.Began(99)))
    fold.apply(Row(1, 0.0, "", events.Began(events.VERSION)))
    with pytest.raises(FoldError, match="goes on at 2, got 3"):
        fold.apply(Row(3, 0.0, "", events.KeyRevoked("a")))


def test_a_fold_begins_with_the_state_that_another_version_has_left() -> None:
    log = Log(config())
    for act in ["decide", "decide", "reward"] * 3:
        log.act(act, 1, 0.5)
    fold = Fold()
    state = msgspec.json.decode(encoded(log.fold.state()))
    fold.apply(Row(40, log.at, "", events.Began(events.VERSION, state)))
    assert fold.experiments["x"].state() == log.fold.experiments["x"].state()


def test_uniform_numbers_are_uniform_and_keyed() -> None:
    numbers = [uniform(b"k", str(each)) for each in range(20_000)]
    bins = Counter(int(u * 20) for u in numbers)
    assert sum((count - 1_000) ** 2 / 1_000 for count in bins.values()) < 43.8  # 0.001, 19 df
    assert numbers[:5] != [uniform(b"l", str(each)) for each in range(5)]


def test_rewards_sent_again_and_again_in_any_order(tmp_path: Path) -> None:
    """Four senders, each reward 1 to 5 times: the state is that of the log without repeats."""
    luck = random.Random(5)

    async def flood() -> str:
        worker = Worker(SqliteStore(tmp_path / "log.db"))
        begin(worker.store)
        await worker.start()
        created = events.Created(config("exp3.s"), ARMS, "07" * 32)
        await worker.submit([Entry("x", created, None, (Claim("e:x"),))])
        call = Call({"experiment": "x"}, {}, Decide(), b"", "")
        decisions = [await decide(worker, call) for _ in range(200)]
        asks = [Reward(each.id, round(luck.random(), 3)) for each in decisions]
        sent = [ask for ask in asks for _ in range(luck.randint(1, 5))]
        luck.shuffle(sent)

        async def send(some: list[Reward]) -> None:
            for first in range(0, len(some), 7):
                body = RewardMany(some[first : first + 7])
                await reward_many(worker, call._replace(body=body))

        await asyncio.gather(*(send(sent[sender::4]) for sender in range(4)))
        state = worker.fold.digest()
        assert worker.fold.experiments["x"].rewards == len(asks)
        await worker.stop()
        return state

    state = asyncio.run(flood())
    store = SqliteStore(tmp_path / "log.db", write=False)
    rows = store.read(0)
    store.close()
    ids = [row.event.id for row in rows if isinstance(row.event, events.Rewarded)]
    assert len(ids) == len(set(ids)) == 200
    again = Fold()
    again.extend(rows)
    assert again.digest() == state
