"""Every detector raises its alarms where the naive one does, live and compiled."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive_detect as slow
from common import compiled_arms, live_arms
from driftbandit.policies.index.live.memory import detector_state
from driftbandit.rules.detect import buckets

SLOW = pytest.mark.slow  # others like them are tested by the quick ones, and these compile
Make = Callable[[str], db.Detect]

DETECTORS: dict[str, tuple[Make, slow.Alarm]] = {
    "CUSUM": (
        lambda scope: db.CUSUM(warmup=4, drift=0.125, threshold=1.5, scope=scope),
        functools.partial(slow.cusum, warmup=4, drift=0.125, threshold=1.5),
    ),
    "CUSUM with a clock of rounds": (
        lambda scope: db.CUSUM(4, drift=0.125, threshold=1.5, scope=scope, clock="rounds"),
        functools.partial(slow.cusum, warmup=4, drift=0.125, threshold=1.5),
    ),
    "Page–Hinkley": (
        lambda scope: db.PageHinkley(drift=0.05, threshold=1.3, scope=scope),
        functools.partial(slow.page_hinkley, drift=0.05, threshold=1.3),
    ),
    "two halves": (
        lambda scope: db.TwoHalves(window=6, threshold=1.6, scope=scope),
        functools.partial(slow.two_halves, window=6, threshold=1.6),
    ),
    "Bernoulli GLR": (
        lambda scope: db.BernoulliGLR(delta=0.9, every=1, scope=scope),
        functools.partial(slow.bernoulli_glr, delta=0.9, every=1),
    ),
    "Gaussian GLR": (
        lambda scope: db.GaussianGLR(delta=0.9, sigma=0.3, every=2, scope=scope),
        functools.partial(slow.gaussian_glr, delta=0.9, sigma=0.3, every=2),
    ),
    "ADWIN": (
        lambda scope: db.ADWIN(delta=0.9, every=3, scope=scope),
        functools.partial(slow.adwin, delta=0.9, every=3),
    ),
}

COUNT_PLAYS = ("CUSUM", "Page–Hinkley")
"""Those whose clock, where single arms are forgotten, is the plays remembered of all arms."""

SCOPES = [
    *((name, "all") for name in DETECTORS if not name.startswith("CUSUM")),
    *((name, "arm") for name in DETECTORS if name.startswith("CUSUM")),
    *(pytest.param(*each, marks=SLOW) for each in (("CUSUM", "all"), ("Bernoulli GLR", "arm"))),
]
"""Not all of them twice: each is compiled by itself."""


def stretches(lengths: st.SearchStrategy[int]) -> st.SearchStrategy[list[float]]:
    """Rewards that are mostly 0 for a while and mostly 1 for another: changes to be found."""
    law = st.sampled_from([[0.0, 0.0, 0.25], [1.0, 1.0, 0.5], [0.0, 1.0]])
    piece = st.tuples(lengths, law).flatmap(
        lambda drawn: st.lists(st.sampled_from(drawn[1]), min_size=drawn[0], max_size=drawn[0])
    )
    return st.lists(piece, min_size=1, max_size=6).map(
        lambda pieces: [x for piece in pieces for x in piece]
    )


def alarms(rule: db.Detect, rewards: list[float]) -> list[int]:
    """Return after how many rewards there is an alarm; each starts over."""
    state, times = detector_state(rule), []
    for n, x in enumerate(rewards, start=1):
        if rule.alarm(*state, x, 0.0, *rule.numbers()):
            state = detector_state(rule)
            times.append(n)
    return times


def naive_alarms(alarm: slow.Alarm, rewards: list[float]) -> list[int]:
    start, alarms = 0, []
    for n in range(1, len(rewards) + 1):
        if alarm(rewards[start:n]):
            start = n
            alarms.append(n)
    return alarms


@pytest.mark.parametrize("name", DETECTORS)
@given(rewards=stretches(st.integers(1, 60)))
@settings(max_examples=25)
def test_alarms_are_the_naive_ones(name: str, rewards: list[float]) -> None:
    make, reference = DETECTORS[name]
    assert alarms(make("arm"), rewards) == naive_alarms(reference, rewards)


@pytest.mark.parametrize(("name", "scope"), SCOPES)
@given(columns=st.tuples(*[stretches(st.integers(1, 40))] * 3))
@settings(max_examples=15)
def test_decisions_are_the_naive_ones(
    name: str, scope: str, columns: tuple[list[float], ...]
) -> None:
    make, reference = DETECTORS[name]
    table = [list(row) for row in zip(*columns, strict=False)]
    policy = db.Policy(detect=make(scope), force=db.GrowingSweeps(0.3))
    player = slow.Player(
        K=3,
        alarm=reference,
        everywhere=scope == "all",
        counts_plays=name in COUNT_PLAYS,
        force=functools.partial(slow.growing_sweeps, rate=0.3),
    )
    arms = compiled_arms(policy, table)
    assert live_arms(policy, table) == arms
    assert slow.plays_right(player, table, [0.5] * len(table), arms)


def test_alarms_do_happen_in_these_tests() -> None:
    rewards = [0.0] * 30 + [1.0] * 40 + [0.0, 1.0] * 30
    for make, reference in DETECTORS.values():
        assert len(naive_alarms(reference, rewards)) >= 1
        assert alarms(make("all"), rewards) == naive_alarms(reference, rewards)


@pytest.mark.parametrize(
    ("name", "scope", "forget"),
    [
        ("two halves", "arm", db.Window(40)),
        pytest.param("Gaussian GLR", "all", db.Window(40), marks=SLOW),
        pytest.param("Page–Hinkley", "arm", db.Discount(0.9), marks=SLOW),
        ("ADWIN", "all", db.Discount(0.9)),
    ],
)
def test_live_is_compiled_whatever_is_forgotten(name: str, scope: str, forget: db.Forget) -> None:
    rng = np.random.default_rng(7)
    rewards = np.where(np.arange(400)[:, None] // 50 % 2 == [0, 1, 0], 0.9, 0.1)
    table = np.round(np.clip(rewards + rng.normal(0.0, 0.2, rewards.shape), 0.0, 1.0), 3).tolist()
    policy = db.Policy(forget=forget, detect=DETECTORS[name][0](scope))
    assert live_arms(policy, table) == compiled_arms(policy, table)


def test_a_clock_of_plays_is_their_weight_whatever_is_forgotten() -> None:
    policy = db.Policy(db.Discount(0.9), db.PageHinkley(0.05, 0.7), force=db.RandomForce(0.3))
    learner, rng, plays = policy.learner(3), np.random.default_rng(3), list[tuple[int, int]]()
    for t in range(1, 301):
        arm = learner.choose(rng.random)
        learner.learn(arm, float(rng.random() < (0.9 if t // 50 % 2 else 0.2)))
        plays = [play for play in [*plays, (t, arm)] if play[0] > learner.born[play[1]]]
        expected = sum(0.9 ** (t - s) for s, _ in plays)
        assert learner.arm_clocks() == pytest.approx([expected] * 3)
    assert learner.restarts > 3


def test_clocks_agree_where_all_arms_are_forgotten_together() -> None:
    world = db.environments.two_swaps(800)
    rules = (db.CUSUM(9, 0.05, 1.5, "all", clock) for clock in ("plays", "rounds"))
    policies = [db.Policy(detect=rule, label=rule.clock) for rule in rules]
    result = db.simulate(policies, world, runs=20)
    assert (result["plays"].regret == result["rounds"].regret).all()


def test_the_state_is_declared_without_an_annotation() -> None:
    @dataclasses.dataclass(frozen=True)
    class Annotated(db.Detect):
        state: db.State = db.State("up")  # type: ignore[misc]  # noqa: RUF009  # the mistake

    line = "state of Annotated must be declared without an annotation: state = db.State('up')"
    with pytest.raises(db.InputError, match=re.escape(line)):
        db.Policy(detect=Annotated())


def test_a_memory_by_positions_is_refused_with_the_way_to_go() -> None:
    class Positions(db.Detect):
        memory = 2

    line = "Positions.memory is not read: declare state = db.State('name', …) and use state.name"
    with pytest.raises(db.InputError, match=re.escape(line)):
        db.Policy(detect=Positions())


def test_a_name_that_is_not_declared_is_an_error_live_and_compiled() -> None:
    @dataclasses.dataclass(frozen=True)
    class Misspelt(db.Detect):
        state = db.State("up")

        @staticmethod
        def alarm(state: Any, reward: float, count: float) -> bool:
            state.upp = reward
            return False

    policy, table = db.Policy(detect=Misspelt()), [[0.5, 0.5, 0.5]] * 9
    with pytest.raises(db.InputError, match="'state' object has no attribute 'upp'"):
        live_arms(policy, table)
    line = "a rule uses state.upp, which its state does not declare"
    with pytest.raises(db.InputError, match=line):
        compiled_arms(policy, table)


def test_rounds_of_restarts_are_a_list() -> None:
    with pytest.raises(db.InputError, match="rounds must be a list of rounds, got 5"):
        db.OracleRestart(5)  # type: ignore[arg-type]  # that is the point


def test_buckets_by_hand() -> None:
    assert slow.borders(15) == list(range(1, 15))
    assert slow.borders(16) == [2, 4, 6, 8, *range(9, 16)]
    assert slow.borders(40)[:5] == [4, 8, 12, 16, 18]  # four of 4, eight of 2, eight of 1


@pytest.mark.parametrize("n", [1, 15, 16, 17, 100, 1_000, 5_000])
def test_buckets_are_the_naive_ones(n: int) -> None:
    state, rewards = buckets.BUCKETS.blank(), np.random.default_rng(n).integers(0, 5, n) / 4.0
    for x in rewards:
        buckets.insert(state, float(x))
    sizes: list[int] = []
    sums: list[float] = []
    for level in range(buckets.LEVELS):
        first, held = level * 2 * buckets.M, int(state.held[level])
        sizes = [2**level] * held + sizes
        sums = state.sums[first : first + held] + sums
    cuts = np.cumsum(sizes)
    assert cuts[:-1].tolist() == slow.borders(n)
    assert sums == np.diff(np.cumsum(rewards)[cuts - 1], prepend=0.0).tolist()
    assert state.seen == n
    assert (state.total, state.squares) == (rewards.sum(), (rewards**2).sum())
    for cut, size in zip(cuts[:-1], sizes[1:], strict=True):
        assert size == 1 or size <= (n - cut) / buckets.M + 1  # cut: where this bucket begins


def test_the_highest_level_drops_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "LEVELS", 3)
    state = buckets.BUCKETS.blank()
    for n in range(1, 2_001):
        buckets.insert(state, n / 1024.0)
        seen = int(state.seen)
        assert seen == n or seen >= buckets.M * 7
        assert state.total == sum(range(n - seen + 1, n + 1)) / 1024.0
    assert seen < 200


@pytest.mark.parametrize("before", [20, 57, 300])
def test_a_change_is_met_by_a_cut_nearby(before: int) -> None:
    for after in range(1, before + 1):
        rewards = [0.0] * before + [1.0] * after
        best = slow.gaussian_statistic(rewards, before, 0.5)
        near = [s for s in slow.borders(before + after) if abs(s - before) <= 1 + after / 16]
        assert max(slow.gaussian_statistic(rewards, s, 0.5) for s in near) >= 0.9 * best


@given(rewards=stretches(st.integers(1, 60)))
@settings(max_examples=25)
def test_few_cuts_raise_no_alarm_that_all_cuts_would_not(rewards: list[float]) -> None:
    def all_cuts(samples: list[float]) -> bool:
        n = len(samples)
        cuts = range(1, n)
        return any(slow.bernoulli_statistic(samples, s) >= slow.glr_level(n, 0.9) for s in cuts)

    for n in alarms(db.GLR(0.9, every=1), rewards)[:1]:
        assert all_cuts(rewards[:n])


def test_a_cut_between_borders_is_missed_for_a_while() -> None:
    """What few cuts cost: 33 samples after the change, the nearest border is a sample away."""
    rewards = [0.0] * 33 + [1.0] * 33
    n, best = len(rewards), slow.bernoulli_statistic(rewards, 33)
    assert 33 not in slow.borders(n)
    few = max(slow.bernoulli_statistic(rewards, s) for s in slow.borders(n))
    assert 0.9 * best < few < best


def test_no_number_is_forgotten_twice_when_a_plan_meets_an_alarm() -> None:
    class Both(db.PeriodicRestart):
        @staticmethod
        def alarm(state: object, reward: float, count: float, period: float) -> bool:
            return count == period

    policy = db.Policy(detect=Both(20), force=db.GrowingSweeps(0.2))
    rewards = np.random.default_rng(1).random((200, 3)).tolist()
    assert live_arms(policy, rewards) == compiled_arms(policy, rewards)
