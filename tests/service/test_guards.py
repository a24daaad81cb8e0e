"""Guardrails: the law that is served, what is logged of it, and what is learned."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftbandit.core.errors import InputError
from driftbandit.service import events, guards
from driftbandit.service.contrast import Contrast
from driftbandit.service.deciding import decide
from driftbandit.service.events import Bounds, Config
from driftbandit.service.experiment import Experiment, checked
from driftbandit.service.store.batch import Entry
from driftbandit.service.store.sqlite import SqliteStore
from service.test_trouble import DECIDE, SlowStore, started

ARMS = ("a", "b", "c", "d")
EXP3S = {"name": "exp3.s", "exploration": 0.1, "sharing": 1e-4}


def experiment(policy: Any = EXP3S, **guardrails: Any) -> Experiment:
    config = checked(Config(policy, **guardrails), ARMS)
    return Experiment("x", 1, 0.0, events.Created(config, ARMS, "07" * 32))


def teach(each: Experiment, rewards: list[float]) -> None:
    for number, reward in enumerate(rewards):
        decided = each.draw(f"t{number}", None, number)
        each.apply(2, float(number), decided)
        each.apply(3, float(number), events.Rewarded(decided.id, reward))


def naive(policy: dict[str, float], config: Config) -> dict[str, float]:
    """Return the law by its definition: one number μ added, found by halving."""
    uniform, rest = config.holdout / len(policy), 1.0 - config.holdout
    least, most = {}, {}
    for arm in policy:
        bounds = config.shares.get(arm, Bounds())
        least[arm] = max(0.0, (bounds.least - uniform) / rest)
        most[arm] = max(0.0, min(1.0, (bounds.most - uniform) / rest))
    if sum(most.values()) < 1.0:
        scale = sum(most.values())
        most = {arm: each / scale if scale else 1.0 / len(most) for arm, each in most.items()}
    if sum(least.values()) > 1.0:
        least = {arm: each / sum(least.values()) for arm, each in least.items()}
    least = {arm: min(each, most[arm]) for arm, each in least.items()}
    floor = config.floor / len(policy)  # it holds where the shares leave room
    lacking = {arm: max(min(floor, most[arm]) - each, 0.0) for arm, each in least.items()}
    room = max(1.0 - sum(least.values()), 0.0)
    if lack := sum(lacking.values()):
        least = {arm: each + min(1.0, room / lack) * lacking[arm] for arm, each in least.items()}
    low, high = -2.0, 2.0

    def law(shift: float) -> dict[str, float]:
        return {arm: max(min(p + shift, most[arm]), least[arm]) for arm, p in policy.items()}

    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(law(middle).values()) < 1.0 else (low, middle)
    return {arm: uniform + rest * each for arm, each in law(high).items()}


share = st.floats(0.0, 1.0)


@given(
    st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4),
    st.dictionaries(st.sampled_from(ARMS), st.tuples(share, share)),
    st.floats(0.0, 0.9),
    st.floats(0.0, 1.0),
    st.sets(st.sampled_from(ARMS), min_size=1),
)
def test_the_law_is_that_of_its_definition(
    weights: list[float],
    shares: dict[str, Any],
    holdout: float,
    floor: float,
    eligible: set[str],
) -> None:
    bounds = {arm: Bounds(min(pair) / 4, max(pair)) for arm, pair in shares.items()}
    config = Config({}, shares=bounds, holdout=holdout, floor=floor)
    names = sorted(eligible)
    total = sum(weights[ARMS.index(arm)] + 1e-3 for arm in names)
    shown = {arm: (weights[ARMS.index(arm)] + 1e-3) / total for arm in names}
    policy = {arm: (1.0 - floor) * each + floor / len(names) for arm, each in shown.items()}

    class Fixed:
        """An agent with this law."""

        def probabilities(self, _: Any) -> dict[str, float]:
            return policy

    agent: Any = Fixed()
    law = guards.law(agent, config, names)
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-9)
    assert law == pytest.approx(naive(policy, config), abs=1e-9)
    uniform = holdout / len(names)
    assert min(law.values()) >= uniform - 1e-12
    room = sum(max(bounds.get(arm, Bounds()).most, uniform) for arm in names) >= 1.0
    for arm in set(names) & set(bounds) if room else ():
        assert bounds[arm].least - 1e-9 <= law[arm] <= max(bounds[arm].most, uniform) + 1e-9


def test_what_is_logged_is_the_law_that_is_served() -> None:
    """Arms fall as the logged law says, whoever chose them; the holdout stays uniform."""
    each = experiment(holdout=0.2, shares={"a": Bounds(most=0.3)}, floor=0.1)
    teach(each, [1.0] * 40)
    law, n = each.law(), 8_000
    drawn = [each.draw(str(number), None, 9) for number in range(n)]
    assert {row.probability for row in drawn} == set(law.values())
    for row in drawn:
        assert row.probability == law[row.arm]
    held = Counter(row.arm for row in drawn if row.by == "holdout")
    assert sum(held.values()) == pytest.approx(0.2 * n, abs=4 * (0.16 * n) ** 0.5)
    quarter = sum(held.values()) / 4
    assert sum((held[arm] - quarter) ** 2 / quarter for arm in ARMS) < 16.3  # 0.001, 3 df
    counts = Counter(row.arm for row in drawn)
    surplus = sum((counts[arm] - n * law[arm]) ** 2 / (n * law[arm]) for arm in ARMS)
    assert surplus < 16.3


def test_a_policy_that_is_certain_gives_way_to_shares() -> None:
    each = experiment({"name": "ucb-1"}, shares={"a": Bounds(most=0.5), "d": Bounds(least=0.2)})
    assert each.law() == pytest.approx({"a": 0.5, "b": 0.15, "c": 0.15, "d": 0.2}, abs=1e-12)
    by = Counter((row.arm, row.by) for row in (each.draw(str(n), None, 9) for n in range(4_000)))
    assert set(by) == {("a", "policy"), *((arm, "shares") for arm in "bcd")}
    assert by["a", "policy"] == pytest.approx(2_000, abs=130)


def test_shares_leave_the_floor_to_all_arms_that_they_have_room_for() -> None:
    """The nearest law alone would take it from arms that no share is of."""
    ucb = {"name": "ucb-1"}  # certain of the first arm
    each = experiment(ucb, floor=0.2, shares={"b": Bounds(least=0.5)})
    assert each.law() == pytest.approx({"a": 0.4, "b": 0.5, "c": 0.05, "d": 0.05}, abs=1e-12)
    each = experiment(ucb, floor=0.2, shares={"b": Bounds(least=0.94), "c": Bounds(most=0.02)})
    law = {"a": 0.025, "b": 0.94, "c": 0.01, "d": 0.025}  # half of what they should have
    assert each.law() == pytest.approx(law, abs=1e-12)


def test_shares_give_way_where_the_eligible_arms_cannot_have_them() -> None:
    each = experiment(shares={"a": Bounds(most=0.1), "b": Bounds(most=0.3)})
    assert each.law(["a", "b"]) == pytest.approx({"a": 0.25, "b": 0.75}, abs=1e-12)
    assert each.law(["a"]) == {"a": 1.0}


def test_a_shadow_learns_from_what_is_served_and_does_not_act() -> None:
    each = experiment({"name": "ucb-1"}, mode="shadow", default_arm="b", holdout=0.2)
    assert each.law() == pytest.approx({"a": 0.05, "b": 0.85, "c": 0.05, "d": 0.05}, abs=1e-12)
    luck = random.Random(3)
    for number in range(600):
        decided = each.draw(f"{number}", None, number)
        assert decided.probability == each.law()[decided.arm]
        assert decided.by == "holdout" or (decided.by, decided.arm) == ("shadow", "b")
        each.apply(2, float(number), decided)
        each.apply(3, float(number), events.Rewarded(decided.id, float(luck.random() < 0.5)))
    counts = {arm: known["count"] for arm, known in each.agent.explain().items()}
    assert sum(counts.values()) == 600  # type: ignore[arg-type]  # UCB-1 counts plays
    assert counts["b"] == pytest.approx(510, abs=35)
    assert max(each.agent.probabilities().values()) == 1.0  # what the policy would do


def test_a_killed_experiment_serves_its_default_arm_and_still_learns() -> None:
    each = experiment(holdout=0.5, shares={"b": Bounds(most=0.2)})
    decided = each.draw("1", None, 5)
    each.apply(2, 1.0, decided)
    killed = checked(Config(EXP3S, holdout=0.5, mode="killed", default_arm="b"), ARMS)
    each.apply(3, 2.0, events.Changed(killed))
    assert each.law() == {"a": 0.0, "b": 1.0, "c": 0.0, "d": 0.0}
    rows = [each.draw(str(number), None, 9) for number in range(100)]
    assert {(row.arm, row.probability, row.by) for row in rows} == {("b", 1.0, "kill switch")}
    before = each.agent.explain()
    each.apply(4, 3.0, events.Rewarded(decided.id, 1.0))
    assert each.agent.explain() != before
    with pytest.raises(InputError, match="eligible must hold 'b', the default arm, while"):
        each.draw("2", ["a", "c"], 9)


def test_a_decision_under_way_when_the_switch_is_pressed_is_drawn_again(tmp_path: Path) -> None:
    async def scene() -> None:
        worker = await started(SlowStore(tmp_path / "log.db"))
        worker.store.delay = 0.2  # type: ignore[attr-defined]  # it is a SlowStore
        config = worker.fold.experiments["x"].config
        killed = Config(config.policy, mode="killed", default_arm="b")
        entry = Entry("x", events.Changed(killed), worker.fold.position)
        first = asyncio.ensure_future(worker.submit([entry]))
        await asyncio.sleep(0)
        answer = await decide(worker, DECIDE)
        assert (answer.arm, answer.probability) == ("b", 1.0)  # UCB-1 would have begun with a
        await first
        assert worker.metrics.text().count(b"driftbandit_redrawn_total 1.0") == 1
        await worker.stop()

    asyncio.run(scene())


def test_it_pauses_when_rewards_stop(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    now = [10_000.0]

    async def scene() -> None:
        store = SqliteStore(tmp_path / "log.db", clock=lambda: now[0])
        worker = await started(store, clock=lambda: now[0])
        fold = worker.fold
        config = Config(fold.experiments["x"].config.policy, pause_without_rewards=60.0)
        await worker.submit([Entry("x", events.Changed(config), fold.position)])
        first = await decide(worker, DECIDE)
        await worker.submit([Entry("x", events.Rewarded(first.id, 1.0))])
        for _ in range(25):
            now[0] += 2.0
            await decide(worker, DECIDE)
        await asyncio.sleep(0.6)
        position = fold.position
        now[0] += 20.0
        await decide(worker, DECIDE)
        await worker.reach(position + 2)  # the decision, and the pause
        paused = (await worker.read(lambda store: store.read(position + 1)))[0].event
        assert paused == events.Turned("paused", "no reward came for 68 s")
        resume = Entry("x", events.Turned("running"), fold.position)
        await worker.submit([resume])
        assert fold.experiments["x"].watch.silence(fold.at) == 0.0
        await worker.stop()

    asyncio.run(scene())
    assert "experiment x: paused: no reward came for 68 s" in caplog.text


def test_alerts_say_what_was_found(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        worker = await started(SqliteStore(tmp_path / "log.db"))
        config = checked(Config({"name": "auto"}), ["a", "b"])
        position = worker.fold.position
        await worker.submit([Entry("x", events.Changed(config), position)])
        entries = []
        for number in range(2_400):
            entries.append(Entry("x", events.Decided(str(number), "a", 1.0, position, ("a", "b"))))
            entries.append(Entry("x", events.Rewarded(str(number), float(number > 100))))
        await worker.submit(entries[:400])
        await asyncio.sleep(0.4)
        await worker.submit(entries[400:])
        await asyncio.sleep(0.4)
        worker.alerts.measure(worker.fold)
        text = worker.metrics.text().decode()
        assert 'driftbandit_changes_found_total{experiment="x"} 1.0' in text
        assert 'driftbandit_arms_starved{experiment="x"} 1.0' in text
        assert 'driftbandit_rewards_stopped{experiment="x"} 0.0' in text
        assert [found.arm for found in worker.fold.experiments["x"].watch.found] == ["a"]
        await worker.stop()

    asyncio.run(scene())
    assert "experiment x: a change found at a reward of 'a'" in caplog.text
    assert "experiment x: the arm 'b' starves" in caplog.text


def test_the_interval_against_the_holdout_covers_at_all_times() -> None:
    """200 experiments in which the means drift, looked at 40 times each while rewards are late."""
    missed, widths = 0, []
    for run in range(200):
        luck, contrast, worth, covered = random.Random(run), Contrast(), 0.0, True
        worths: list[float] = []
        for number in range(1, 2_001):
            acting = 0.5 + 0.3 * (number > 1_000)
            held = luck.random() < 0.2
            worth += acting - 0.4
            contrast.begin(str(number), 0.2, held)
            if luck.random() < (0.4 if held else acting):
                contrast.end(str(number), 1.0)  # a click comes at once
            if number > 300:
                contrast.end(str(number - 300), 0.0)  # and that there is none shows late
            worths.append(worth / number)
            interval = contrast.interval() if number % 50 == 0 else None
            if interval is not None:
                covered &= interval[1] <= worths[contrast.ended.count - 1] <= interval[2]
        missed += not covered
        assert interval is not None
        assert contrast.ended.count >= 1_700
        widths.append(interval[2] - interval[1])
    assert missed <= 18  # 5 % of 200, and three standard deviations
    assert sum(widths) / 200 < 0.22


@pytest.mark.parametrize(
    ("guardrails", "message"),
    [
        ({"mode": "shadow"}, "default_arm must be given for the mode 'shadow'"),
        ({"default_arm": "z"}, "default_arm must be one of"),
        ({"shares": {"z": Bounds()}}, "shares must be of"),
        ({"shares": {"a": Bounds(0.5, 0.2)}}, "shares of 'a': least must be at most 0.2, got 0.5"),
        ({"shares": {arm: Bounds(0.3) for arm in ARMS}}, "shares: the sum of least must be at"),
        ({"shares": {arm: Bounds(0.0, 0.2) for arm in ARMS}}, "shares: the sum of most over"),
        (
            {"holdout": 0.8, "shares": {"a": Bounds(0.0, 0.1)}},
            "shares of 'a': most must be at least 0.2, by the holdout, got 0.1",
        ),
    ],
)
def test_guardrails_that_do_not_fit_are_refused(guardrails: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        experiment(**guardrails)
