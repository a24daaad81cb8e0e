"""What people watch, against its definition: bins of decisions, and the worth of acting."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from driftbandit.service import events
from driftbandit.service.contrast import Contrast
from driftbandit.service.experiment import Experiment, checked
from driftbandit.service.series import KEPT, SPANS, Series

ARMS = ("a", "b")
Ended = tuple[float, str, float | None]


def lived(seed: int) -> tuple[Series, list[tuple[float, str]], list[Ended]]:
    """Return a series, what was decided, and what has ended by now: late, and in any order."""
    luck, series, now = random.Random(seed), Series(), 0.0
    decided: list[tuple[float, str]] = []
    waiting: list[tuple[float, str]] = []
    ended: list[Ended] = []
    for _ in range(400):
        now += luck.choice([0.0, 0.4, 3.0, 50.0, 2_000.0])
        decided.append((now, luck.choice("ab")))
        waiting.append(decided[-1])
        series.decided(*decided[-1], lambda: 1.0)
        while waiting and luck.random() < 0.45:
            at, arm = waiting.pop(luck.randrange(len(waiting)))
            ended.append((at, arm, luck.choice([None, 0.0, 0.5, 1.0])))
            series.ended(*ended[-1])
    return series, decided, ended


@pytest.mark.parametrize("seed", range(5))
def test_bins_hold_what_was_decided_in_them_whenever_its_reward_came(seed: int) -> None:
    series, decided, ended = lived(seed)
    series = Series.load(msgspec.json.decode(msgspec.json.encode(series.dump())))
    for span, width in SPANS.items():
        bins = series.bins(span)
        starts = sorted({at // width * width for at, _ in decided})[-KEPT:]
        assert [each.start for each in bins] == starts
        for each in bins:
            for arm, sums in each.arms.items():
                mine = [
                    at for at, name in decided if (at // width * width, name) == (each.start, arm)
                ]
                over = [
                    row for row in ended if (row[0] // width * width, row[1]) == (each.start, arm)
                ]
                rewards = [row[2] for row in over if row[2] is not None]
                counts = (sums.decisions, sums.ended, sums.rewards)
                assert counts == (len(mine), len(over), len(rewards))
                assert sums.total == pytest.approx(sum(rewards))
                assert sums.squares == pytest.approx(sum(each * each for each in rewards))


@pytest.mark.parametrize("seed", range(20))
def test_the_contrast_counts_decisions_up_to_the_first_that_waits(seed: int) -> None:
    luck, contrast = random.Random(seed), Contrast()
    held: list[bool] = []
    baselines: list[float] = []
    rewards: dict[int, float | None] = {}
    for number in range(60):
        done = [each for each in _ended(rewards) if each is not None]
        baselines.append(sum(done) / len(done) if done else 0.0)
        held.append(luck.random() < 0.25)
        contrast.begin(str(number), 0.25, held[-1])
        for _ in range(luck.randint(0, 2)):
            open_ones = [each for each in range(number + 1) if each not in rewards]
            if open_ones:
                chosen = luck.choice(open_ones[:5])
                rewards[chosen] = luck.choice([None, 0.0, 0.5, 1.0])
                contrast.end(str(chosen), rewards[chosen])
    contrast = Contrast.load(msgspec.json.decode(msgspec.json.encode(contrast.dump())))
    values = [
        (reward - baselines[number]) * (-4.0 if held[number] else 4.0 / 3.0)
        for number, reward in enumerate(_ended(rewards))
        if reward is not None
    ]
    assert contrast.ended.count == len(values)
    assert contrast.ended.total == pytest.approx(sum(values))
    assert contrast.ended.squares == pytest.approx(sum(each * each for each in values))


def _ended(rewards: dict[int, float | None]) -> list[float | None]:
    """Return the rewards of decisions before the first that waits."""
    first = next(number for number in range(len(rewards) + 1) if number not in rewards)
    return [rewards[number] for number in range(first)]


def test_there_is_no_holdout_to_compare_with_while_the_kill_switch_is_on() -> None:
    def experiment(**guardrails: Any) -> Experiment:
        config = checked(events.Config({"name": "ucb-1"}, holdout=0.5, **guardrails), ARMS)
        return Experiment("x", 1, 0.0, events.Created(config, ARMS, "07" * 32))

    for each, count in [
        (experiment(), 150),
        (experiment(mode="shadow", default_arm="b"), 150),
        (experiment(mode="killed", default_arm="b"), 0),
    ]:
        for number in range(150):
            decided = each.draw(str(number), None, number)
            each.apply(2, float(number), decided)
            each.apply(3, float(number), events.Rewarded(decided.id, 1.0))
        assert each.watch.contrast.ended.count == count
