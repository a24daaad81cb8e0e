"""Decisions of every catalogued policy: the same as choose and learn, and as after a restore."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import scipy.stats

import driftbandit as db
from catalogue import POLICIES
from driftbandit.core.numerics import beta_argmax
from driftbandit.live.state import sealed
from driftbandit.rules.explore import posterior

Law = Callable[[Sequence[float], Sequence[float]], list[float]]

LIVE = [name for name, policy in POLICIES.items() if not policy.features and name != "oracle"]


def draws_its_index(policy: db.Strategy) -> bool:
    """Say whether `choose` draws otherwise than `decide`."""
    if isinstance(policy, db.Policy):
        return policy.explore.noise > 0 or policy.force.noise
    return isinstance(policy, db.Procedure) and policy.draws(3) > 0


def rewards(seed: int) -> Iterator[float]:
    luck = random.Random(seed)
    while True:
        yield float(luck.random() < 0.5)


@pytest.mark.parametrize("name", [name for name in LIVE if not draws_its_index(POLICIES[name])])
def test_rewards_that_come_at_once_make_decisions_choices(name: str) -> None:
    policy, luck = POLICIES[name], rewards(1)
    chooses, decides = policy.agent(arms=3, seed=5), policy.agent(arms=3, seed=5)
    for t in range(400):
        decision, reward = decides.decide(at=float(t)), next(luck)
        assert decision.arm == chooses.choose()
        chooses.learn(decision.arm, reward)
        decides.reward(decision.id, reward, at=float(t))


@pytest.mark.parametrize("name", LIVE)
def test_a_restored_agent_goes_on_the_same(name: str) -> None:
    agent, luck = POLICIES[name].agent(arms=["a", "b", "c"], seed=3, floor=0.1), random.Random(2)
    pending: list[str] = []

    def step(each: db.Agent[str], number: int, dice: random.Random) -> object:
        eligible = each.arms if dice.random() < 0.7 else dice.sample(each.arms, 2)
        decision = each.decide(eligible, at=float(number))
        pending.append(decision.id)
        if len(pending) > 7:
            each.reward(
                pending.pop(dice.randrange(7)), float(dice.random() < 0.4), at=float(number)
            )
        return decision

    for t in range(150):
        step(agent, t, luck)
    agent.add("d")
    for t in range(150, 200):
        step(agent, t, luck)
    agent.retire("a")
    text = json.dumps(agent.state(), allow_nan=False)
    again = db.Agent.restore(json.loads(text))
    waiting, seed = list(pending), luck.getstate()
    first = [step(agent, t, luck) for t in range(200, 300)]
    pending[:] = waiting
    luck.setstate(seed)
    assert [step(again, t, luck) for t in range(200, 300)] == first
    assert again.state() == agent.state()


@pytest.mark.parametrize("name", LIVE)
def test_probabilities_are_those_of_the_draws(name: str) -> None:
    chi_square(POLICIES[name], decisions=2_000, errors=4.0)  # many policies are tried


@pytest.mark.slow
@pytest.mark.parametrize("name", ["auto", "sw-ts", "exp3.s", "cusum-ucb", "d-ucb", "softmax"])
def test_probabilities_are_those_of_a_million_draws(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posterior, "beta_argmax", remembered(beta_argmax))
    chi_square(POLICIES[name], decisions=1_000_000, errors=3.0)


def remembered(law: Law) -> Law:
    """Return a law of the argmax that is computed once for the same arms in whatever order."""

    @functools.lru_cache(maxsize=2**17)
    def of_sorted(shapes: tuple[tuple[float, float], ...]) -> list[float]:
        alphas, betas = zip(*shapes, strict=True)
        return law(alphas, betas)

    def of(alphas: Sequence[float], betas: Sequence[float]) -> list[float]:
        shapes = list(zip(alphas, betas, strict=True))
        order = sorted(range(len(shapes)), key=shapes.__getitem__)
        shares = dict(zip(order, of_sorted(tuple(sorted(shapes))), strict=True))
        return [shares[arm] for arm in range(len(shapes))]

    return of


def chi_square(policy: db.Strategy, decisions: int, errors: float) -> None:
    """Hold Σ (1{arm} − p) against its predictable covariance Σ (diag p − ppᵀ), and Σ 1{arm}/p."""
    agent, luck, K = policy.agent(arms=4, seed=9, floor=0.2), random.Random(1), 4
    total, covariance = [0.0] * K, [[0.0] * K for _ in range(K)]
    inverse, variance = [0.0] * K, [0.0] * K
    for t in range(decisions):
        eligible = None if luck.random() < 0.5 else luck.sample(range(K), 3)
        p = agent.probabilities(eligible)
        decision = agent.decide(eligible, at=float(t))
        assert decision.probability == p[decision.arm]
        assert abs(sum(p.values()) - 1.0) < 1e-12
        total[decision.arm] += 1.0
        inverse[decision.arm] += 1.0 / decision.probability
        for arm, chance in p.items():
            total[arm] -= chance
            covariance[arm][arm] += chance
            for other, its in p.items():
                covariance[arm][other] -= chance * its
            inverse[arm] -= 1.0
            variance[arm] += 1.0 / chance - 1.0  # the floor leaves none without a chance
        mean = 0.3 + 0.4 * ((decision.arm + t // 500) % K == 0)
        agent.reward(decision.id, float(luck.random() < mean), at=float(t))
    statistic = total @ np.linalg.pinv(covariance) @ total
    assert scipy.stats.chi2.sf(statistic, K - 1) > 0.001
    assert (abs(np.array(inverse)) <= errors * np.sqrt(variance)).all()


@pytest.mark.parametrize("name", ["thompson", "d-ts", "sw-ts", "gaussian"])
def test_draws_of_an_index_have_the_law_that_decisions_are_drawn_from(name: str) -> None:
    gaussian = db.Policy(explore=db.explore.GaussianThompson())
    agent, luck = POLICIES.get(name, gaussian).agent(arms=3, seed=2), random.Random(3)
    for t in range(60):
        decision = agent.decide(at=float(t))
        agent.reward(decision.id, float(luck.random() < 0.3 + 0.1 * decision.arm), at=float(t))
    law = np.array(list(agent.probabilities().values()))
    draws = 20_000
    counts = np.bincount([agent.choose() for _ in range(draws)], minlength=3)
    assert law.min() > 0.01
    assert scipy.stats.chisquare(counts, law / law.sum() * draws).pvalue > 0.001


def test_a_proposal_changes_nothing() -> None:
    for name in LIVE:
        agent = POLICIES[name].agent(arms=3)
        for t in range(20):
            agent.reward(agent.decide(at=float(t)).id, 0.5, at=float(t))
        before = agent.state()
        one, other = (agent.propose(at=20.0, id="x", u=0.37) for _ in range(2))
        assert one == other
        assert agent.state() == before


def test_a_fold_of_events_is_the_same_agent() -> None:
    agent, other = (db.Auto().agent(arms=["a", "b"], floor=0.1) for _ in range(2))
    for t in range(100):
        decision = agent.decide(at=float(t))
        event = db.event_from_json(decision.to_json())
        other.apply(event)
        reward = db.Reward(decision.id, float(t % 3 == 0), float(t))
        agent.apply(reward)
        other.apply(db.event_from_json(reward.to_json()))
    theirs, ours = other.state(), agent.state()
    for state in (theirs, ours):
        del state["generator"], state["checksum"]
    assert theirs == ours


def test_a_state_is_small() -> None:
    for policy in (db.UCB1(), db.Auto(), db.GLRklUCB.tuned(horizon=10**5, arms=10, breakpoints=5)):
        agent, luck = policy.agent(arms=10), rewards(4)
        for t in range(5_000):
            agent.reward(agent.decide(at=float(t)).id, next(luck), at=float(t))
        assert len(json.dumps(agent.state())) < 100_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version of the state must be 1, got 2"),
        ({"format": "other"}, "state must be what Agent.state() returned"),
        ({"more": 1}, "state must have no other fields, got ['more']"),
        ({"learner": {"rounds": 1}}, "state must have ["),
        ({"active": [7]}, "active of the state must be places of arms, got [7]"),
        ({"generator": [1, 2]}, "generator of the state cannot be read"),
        ({"pending": [["a", 1]]}, "state is damaged"),
    ],
)
def test_a_state_of_something_else_is_one_clear_error(
    change: dict[str, object], message: str
) -> None:
    state = sealed({**db.UCB1().agent(arms=2).state(), **change})
    with pytest.raises(db.InputError) as caught:
        db.Agent.restore(state)
    assert str(caught.value).startswith(message)


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every (container, key) of plain data, in order."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


@pytest.mark.parametrize("wrong", [None, -1, 0.25, "nan", [], [3], {}])
@pytest.mark.parametrize("name", ["ucb-1", "exp3.s", "auto", "glr-kl-ucb"])
def test_a_state_that_was_changed_anywhere_is_refused(name: str, wrong: Any) -> None:
    agent, luck = POLICIES[name].agent(arms=3, reward_within="1h"), rewards(5)
    for t in range(40):
        decision = agent.decide(at=float(t))
        if t % 3:
            agent.reward(decision.id, next(luck), at=float(t))
    state = agent.state()
    for container, key in list(places_in(state))[::23]:
        right = container[key]
        if right == wrong:
            continue
        container[key] = wrong
        with pytest.raises(db.InputError):
            db.Agent.restore(state)
        container[key] = right
    assert db.Agent.restore(state).state() == state


def test_a_state_may_come_back_with_other_types_of_numbers() -> None:
    agent = db.UCB1().agent(arms=["red", "blue"], floor=1.0)
    agent.learn("red", 1.0)
    text = json.dumps(agent.state()).replace('"floor": 1.0', '"floor": 1').replace("1.0", "1e0")
    again = db.Agent.restore(dict(reversed(json.loads(text).items())))
    assert again.probabilities() == agent.probabilities()


@pytest.mark.parametrize(
    ("rule", "rounds"),
    [(db.HalfLife(30), db.Discount(2.0 ** (-1 / 30))), (db.TimeWindow("20s"), db.Window(20))],
)
def test_forgetting_by_the_clock_is_forgetting_by_rounds_of_a_second(
    rule: db.Forget, rounds: db.Forget
) -> None:
    by_clock, by_rounds = (db.Policy(forget=each, label=repr(each)) for each in (rule, rounds))
    world = db.environments.Piecewise(breakpoints=[100], means=[[0.2, 0.5, 0.4], [0.7, 0.5, 0.4]])
    one, other = (db.trace(policy, world, horizon=300) for policy in (by_clock, by_rounds))
    assert (one == other).all()
    agents, luck = [policy.agent(arms=3) for policy in (by_clock, by_rounds)], rewards(8)
    for t in range(1, 300):
        decisions = [agent.decide(at=float(t)) for agent in agents]
        assert decisions[0].arm == decisions[1].arm
        reward = next(luck)
        for agent, decision in zip(agents, decisions, strict=True):
            agent.reward(decision.id, reward, at=float(t))


def test_a_silence_fades_what_was_known() -> None:
    agent = db.Policy(forget=db.HalfLife("1h")).agent(arms=2)
    for t in range(4):
        agent.learn(t % 2, 1.0, at=float(t))
    agent.learn(0, 1.0, at=3600.0 * 2 + 3)
    counts = [row["count"] for row in agent.explain().values()]
    assert counts == pytest.approx([1.0 + 2 * 0.25, 2 * 0.25], abs=1e-3)


@pytest.mark.parametrize("name", LIVE)
def test_choices_among_arms_in_play_are_learned_as_decisions(name: str) -> None:
    """What a retired arm weighs is no part of the probability that a reward is divided by."""
    policy, luck = POLICIES[name], rewards(7)
    chooses, decides = (policy.agent(arms=["a", "b", "c"], seed=5) for _ in range(2))
    for agent in (chooses, decides):
        for t in range(120):
            agent.learn("aabc"[t % 4], float(t % 4 == 3 or t % 3 == 0), at=float(t))
        agent.retire("c")
    for t in range(120, 320):
        decision, reward = decides.decide(at=float(t)), next(luck)
        assert chooses.choose() == decision.arm
        chooses.learn(decision.arm, reward, at=float(t))
        decides.reward(decision.id, reward, at=float(t))


def test_a_new_arm_has_the_mean_weight() -> None:
    for policy, name in ((db.EXP3S(0.1, 0.01), "weight"), (db.AnytimeEXP3IX(), "score")):
        agent, luck = policy.agent(arms=3, seed=4), rewards(2)
        for t in range(50):
            agent.reward(agent.decide(at=float(t)).id, next(luck), at=float(t))
        before = [row[name] or 0.0 for row in agent.explain().values()]
        agent.add(3)
        assert agent.explain()[3][name] == pytest.approx(sum(before) / 3)
        agent.retire(0)
        agent.add(0, fresh=True)
        known = [row[name] or 0.0 for arm, row in agent.explain().items() if arm]
        assert agent.explain()[0][name] == pytest.approx(sum(known) / 3)


def test_a_retired_arm_still_learns_what_it_awaits() -> None:
    agent = db.UCB1().agent(arms=["a", "b"])
    decision = agent.decide(at=0.0)
    agent.retire(decision.arm)
    assert agent.reward(decision.id, 1.0, at=1.0)
    agent.add(decision.arm)
    assert agent.explain()[decision.arm]["mean"] == 1.0


@pytest.mark.parametrize("name", LIVE)
def test_one_eligible_arm_has_a_probability_that_events_can_hold(name: str) -> None:
    """Rounding put it above 1 where weights are explored by a share: no event could hold it."""
    agent, luck = POLICIES[name].agent(arms=["a", "b", "c"], seed=0), rewards(2)
    for round in range(60):
        decision = agent.decide(eligible=["abc"[round % 3]], at=float(round))
        assert json.loads(decision.to_json())["probability"] <= 1.0
        agent.reward(decision.id, next(luck), at=float(round))


def test_an_arm_comes_back_with_what_was_known_or_fresh() -> None:
    agent = db.UCB1().agent(arms=["a", "b"])
    for arm in ("a", "b", "a"):
        agent.learn(arm, 1.0)
    agent.retire("a")
    assert agent.arms == ["b"]
    assert agent.choose() == "b"
    agent.add("a")
    assert agent.explain()["a"]["count"] == 2.0
    agent.retire("a")
    agent.add("a", fresh=True)
    assert agent.explain()["a"]["count"] == 0.0
    assert agent.decide().arm == "a"
    for bad in ("a", "b"):
        with pytest.raises(db.InputError, match="not be in play already"):
            agent.add(bad)
    with pytest.raises(db.InputError, match="eligible must be among"):
        agent.decide(eligible=["z"])
    agent.retire("a")
    with pytest.raises(db.InputError, match="not be the last one in play"):
        agent.retire("b")
