"""Decisions and late rewards, against an agent that keeps the whole history."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import driftbandit as db
import naive_agent

MEMORIES: dict[str, tuple[db.Forget, naive_agent.Memory]] = {
    "full": (db.Full(), naive_agent.full),
    "discount": (db.Discount(0.9), naive_agent.discount(0.9)),
    "window": (db.Window(6), naive_agent.window(6)),
    "half-life": (db.HalfLife(20), naive_agent.half_life(20)),
    "time window": (db.TimeWindow(6), naive_agent.time_window(6)),
}
INDICES: dict[str, tuple[db.Explore, naive_agent.Index]] = {
    "ucb": (db.UCB(xi=0.5), naive_agent.ucb),
    "kl-ucb": (db.KLUCB(), naive_agent.kl_ucb),
}
WITHIN = 8.0
SKEWS = st.sampled_from([0.0, 0.0, -2.0])
"""The clock of one server may be behind that of another."""


class LateRewards(RuleBasedStateMachine):
    """Decide, reward, repeat, forsake, expire, add, retire, save and restore, in any order."""

    memory: ClassVar[str] = "full"
    index: ClassVar[str] = "ucb"

    @initialize(
        default=st.sampled_from([None, 0.0, 0.3]),
        combine=st.sampled_from(["first", "last", "sum"]),
    )
    def begin(self, default: float | None, combine: Literal["first", "last", "sum"]) -> None:
        forget, remember = MEMORIES[self.memory]
        explore, formula = INDICES[self.index]
        self.agent = db.Policy(forget=forget, explore=explore).agent(
            arms=[0, 1, 2], reward_within=WITHIN, default_reward=default, combine=combine
        )
        self.naive = naive_agent.Agent(remember, formula, [0, 1, 2], WITHIN, default, combine)
        self.now, self.ids = 0.0, list[tuple[str, int]]()

    @rule(
        many=st.integers(1, 4),
        step=st.sampled_from([0.0, 0.5, 3.0]),
        skew=SKEWS,
        some=st.integers(1, 63),
    )
    def decide(self, many: int, step: float, skew: float, some: int) -> None:
        eligible = [arm for arm in self.agent.arms if some >> arm & 1] or self.agent.arms
        for _ in range(many):
            self.now += step
            decision = self.agent.propose(eligible, at=self.now + skew, u=0.5)
            assert decision.arm in self.naive.may_choose(eligible)
            assert decision.probability == 1.0
            self.agent.apply(decision)
            self.ids.append((decision.id, self.naive.decide(decision.arm, self.now + skew)))

    @precondition(lambda self: self.ids)
    @rule(
        which=st.integers(0, 50),
        reward=st.floats(0.0, 1.0),
        step=st.sampled_from([0.0, 1.0]),
        skew=SKEWS,
    )
    def reward(self, which: int, reward: float, step: float, skew: float) -> None:
        self.now += step
        id, number = self.ids[which % len(self.ids)]
        play, at = self.naive.plays[number], self.now + skew
        total = sum(play.rewards) + reward if self.naive.combine == "sum" else reward
        if at > play.at + WITHIN or play.closed or total > 1.0:
            before = self.agent.state()
            with pytest.raises(db.InputError):
                self.agent.reward(id, reward, at=at)
            assert self.agent.state() == before
            return
        counts = self.agent.reward(id, reward, at=at)
        assert counts == (self.naive.combine != "first" or not play.rewards)
        self.naive.reward(number, reward, at)

    @precondition(lambda self: self.ids)
    @rule(which=st.integers(0, 50))
    def forsake(self, which: int) -> None:
        id, number = self.ids[which % len(self.ids)]
        if self.naive.plays[number].closed:
            with pytest.raises(db.UnknownDecisionError):
                self.agent.forsake(id)
        else:
            self.agent.forsake(id)
            self.naive.forsake(number)

    @rule()
    def wait(self) -> None:
        self.now += WITHIN / 2

    @rule()
    def save_and_restore(self) -> None:
        state = self.agent.state()
        self.agent = db.Agent.restore(json.loads(json.dumps(state)))
        assert self.agent.state() == state

    @precondition(lambda self: len(self.agent.arms) < 6)
    @rule(fresh=st.booleans())
    def add(self, fresh: bool) -> None:
        retired = [arm for arm in self.naive.arms if arm not in self.agent.arms]
        arm = retired[0] if retired else len(self.naive.arms)
        self.agent.add(arm, fresh=fresh)
        self.naive.arms = sorted({*self.naive.arms, arm})
        if fresh:
            self.naive.fresh_after[arm] = len(self.naive.plays)

    @precondition(lambda self: len(self.agent.arms) > 1)
    @rule(which=st.integers(0, 5))
    def retire(self, which: int) -> None:
        arms = self.agent.arms
        self.agent.retire(arms[which % len(arms)])

    @invariant()
    def the_same_is_known(self) -> None:
        for arm, row in self.agent.explain().items() if hasattr(self, "agent") else ():
            mean, count, awaited = self.naive.evidence(arm)
            assert row["count"] == pytest.approx(count, rel=1e-9)
            assert (row["mean"] is None) == (count == 0.0)
            assert row["mean"] is None or row["mean"] == pytest.approx(mean, abs=1e-9)
            assert (row["pending"] or 0.0) >= awaited


@pytest.mark.filterwarnings("ignore::driftbandit.ShortMemoryWarning")
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("index", INDICES)
def test_late_rewards(memory: str, index: str) -> None:
    machine = type("LateRewards", (LateRewards,), {"memory": memory, "index": index})
    short = settings(max_examples=15, stateful_step_count=30, deadline=None)
    run_state_machine_as_test(machine, settings=short)


FORGETS = [
    db.Full(), db.Discount(0.9), db.Window(6), db.ArmWindow(2), db.GrowingWindow(0.5),
    db.DoublingDiscount(0.5), db.DoublingWindow(0.5), db.HalfLife(5), db.TimeWindow(6),
]  # fmt: skip  # a memory each
EXPLORES = [
    db.explore.UCB(), db.explore.UCBV(), db.explore.UCBTuned(), db.explore.KLUCB(),
    db.explore.MOSS(horizon=100), db.explore.Thompson(), db.explore.GaussianThompson(),
    db.explore.EpsilonGreedy(0.1), db.explore.Softmax(0.1),
]  # fmt: skip  # an index each


@pytest.mark.parametrize("forget", FORGETS, ids=repr)
@pytest.mark.parametrize("explore", EXPLORES, ids=repr)
def test_the_order_of_arrival_changes_nothing(forget: db.Forget, explore: db.Explore) -> None:
    policy = db.Policy(forget=forget, explore=explore)
    plays = [(t % 3, (t * 7 % 11) / 10) for t in range(14)]

    def knowledge(order: list[int]) -> list[Any]:
        agent = policy.agent(arms=3)
        for t, (arm, _) in enumerate(plays):
            agent.apply(db.Decision(str(t), arm, 1.0, t + 1, float(t)))
        for t in order:
            agent.reward(str(t), plays[t][1], at=20.0)
        rows = agent.explain().values()
        names = ("mean", "count", "index", "probability")
        return [row[name] or 0.0 for row in rows for name in names]

    def close(numbers: list[Any]) -> Any:
        return pytest.approx(numbers, rel=1e-12, abs=1e-12)

    ahead, mixed = list(range(14)), [5, 2, 8, 0, 7, 1, 4, 3, 6]
    assert knowledge(ahead) == close(knowledge(ahead[::-1]))
    assert knowledge(ahead[:9]) == close(knowledge(mixed))


def test_a_reward_from_before_a_restart_is_recorded_and_not_learned() -> None:
    policy = db.Policy(detect=db.PeriodicRestart(4), explore=db.UCB())
    agent = policy.agent(arms=2)
    decisions = [agent.decide(at=float(t)) for t in range(6)]
    for decision in decisions[:4]:
        assert agent.reward(decision.id, 1.0, at=7.0)
    assert [row["count"] for row in agent.explain().values()] == [0.0, 0.0]
    for decision in decisions[4:]:
        agent.reward(decision.id, 1.0, at=8.0)
    assert sum(row["count"] or 0.0 for row in agent.explain().values()) == 2.0


def test_forced_plays_pass_over_the_arm_that_is_under_way() -> None:
    policy = db.Policy(explore=db.UCB(xi=0.01), force=db.force.Sweeps(0.25))
    agent = policy.agent(arms=3)
    for arm in (0, 1, 2):
        agent.learn(arm, float(arm == 0))
    arms = [agent.decide(at=0.0).arm for _ in range(24)]
    assert [arms.count(arm) for arm in (1, 2)] == [3, 3]  # every fourth round, as the share says
    at_once = policy.agent(arms=3)
    for _ in range(24):
        at_once.learn(at_once.choose(), 1.0)
    assert at_once.decide(at=0.0).arm == 0  # the sweep of all three begins: nothing is awaited


def test_a_detector_looks_at_every_reward_that_is_late() -> None:
    policy = db.Policy(detect=db.GLR(delta=0.01, every=10), explore=db.UCB())
    late, at_once = (policy.agent(arms=1) for _ in range(2))
    rewards = [0.0] * 31 + [1.0] * 20
    ids = [late.decide(at=0.0).id for _ in rewards]
    alarms = []
    for id, reward in zip(ids, rewards, strict=True):
        late.reward(id, reward, at=1.0)
        at_once.reward(at_once.decide(at=0.0).id, reward, at=1.0)
        alarms.append((late.alarms, at_once.alarms))
    first, second = ([row[agent] for row in alarms].index(1) + 1 for agent in (0, 1))
    assert second == 40  # rewards that come at once are looked at every tenth play
    assert 33 < first < 40


def test_a_burst_goes_round_while_nothing_is_known() -> None:
    for policy in (db.UCB1(), db.Auto(), db.StationaryKLUCB(), db.SlidingWindowUCB(100)):
        agent = policy.agent(arms=3)
        assert [agent.decide(at=0.0).arm for _ in range(9)] == [0, 1, 2] * 3


def test_a_warning_if_rewards_may_take_longer_than_the_memory() -> None:
    agent = db.SlidingWindowUCB(20).agent(arms=2, reward_within="1h")
    for t in range(10):
        agent.decide(at=float(t))
    text = "over half of the 20 that SW-UCB remembers"
    with pytest.warns(db.ShortMemoryWarning, match=text) as caught:
        agent.decide(at=10.0)
    assert caught[0].filename == __file__
    agent.decide(at=11.0)  # once is enough


def test_without_a_time_limit_the_oldest_decision_makes_room() -> None:
    agent = db.UCB1().agent(arms=2, most_pending=3)
    decisions = [agent.decide(at=0.0) for _ in range(4)]
    assert agent.pending == 3
    with pytest.raises(db.InputError, match="id must be of a decision of this agent"):
        agent.reward(decisions[0].id, 1.0)
    assert agent.reward(decisions[1].id, 1.0)
    with pytest.raises(db.InputError, match="not rewarded yet"):
        agent.reward(decisions[1].id, 1.0)


def test_duplicates_are_ignored_or_refused() -> None:
    kind = agent = db.UCB1().agent(arms=2, reward_within=10)
    decision = kind.decide(at=0.0)
    assert kind.reward(decision.id, 1.0, at=1.0)
    assert not kind.reward(decision.id, 0.0, at=2.0)
    strict = db.UCB1().agent(arms=2, reward_within=10, duplicates="refuse")
    decision = strict.decide(at=0.0)
    strict.reward(decision.id, 1.0, at=1.0)
    with pytest.raises(db.InputError, match="id must be of a decision without a reward"):
        strict.reward(decision.id, 1.0, at=1.0)
    assert agent.explain()[0]["mean"] == 1.0


def test_a_decision_that_is_forsaken_awaits_nothing() -> None:
    agent = db.UCB1().agent(arms=["a", "b"])
    decision = agent.decide(at=0.0)
    agent.forsake(decision.id)
    assert agent.pending == 0
    with pytest.raises(db.UnknownDecisionError):
        agent.reward(decision.id, 1.0, at=1.0)
    with pytest.raises(db.UnknownDecisionError):
        agent.forsake(decision.id)
    assert agent.explain()["a"]["count"] == 0.0
