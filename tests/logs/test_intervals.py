"""Intervals hold what they promise, in worlds that stand still, jump, drift, or have a season."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.logs import valuing
from driftbandit.logs.estimates.sums import Sums
from driftbandit.logs.intervals.bernstein import bernstein
from driftbandit.logs.intervals.blocks import joint_quantile, standard_error
from driftbandit.logs.intervals.sequence import sequence
from driftbandit.logs.notes import CANNOT_FOLLOW
from driftbandit.logs.players import LOGGED, players_of, shared_of
from driftbandit.logs.streams import generator
from driftbandit.logs.trend.level import PACES, STILL, Series, filtered, smoothed_draws
from driftbandit.logs.valuing import ahead_of
from logs.simulated import DAY, SPAN, WORLDS, Drawn, drawn, drawn_from, late_jump

FIXED: dict[str, dict[str, float]] = {
    "always c": {"c": 1.0},
    "a 0.2, b 0.3, c 0.5": {"a": 0.2, "b": 0.3, "c": 0.5},
}
LEARNING = [
    db.SlidingWindowUCB(window=200),
    db.Policy(forget=db.HalfLife("10d"), explore=db.UCB(), label="half-life"),
]


def earned(sample: Drawn, policy: db.Strategy) -> float:
    """Return the mean reward of what a policy would play, learning from the accepted rows."""
    evidence = sample.log._evidence
    player = players_of([policy], evidence, 0)[1]
    rng = generator(0, "acceptance")
    (piece,) = evidence.pieces()
    choice: Any = player.play(piece, shared_of(piece, evidence, rng)).choice
    return float(sample.means[np.arange(len(choice)), choice].mean())


def hits(world: str, logs: int, rows: int) -> dict[str, float]:
    """Return how often the default interval holds the truth, by policy."""
    counts: dict[str, int] = dict.fromkeys([*FIXED, *(each.label for each in LEARNING)], 0)
    for seed in range(logs):
        sample = drawn(world, rows, seed)
        values = sample.log.value([*FIXED.values(), *LEARNING])
        overall = sample.means.mean(axis=0)
        truths = {name: float(overall @ [shares.get(a, 0.0) for a in "abc"])
                  for name, shares in FIXED.items()}  # fmt: skip
        truths |= {policy.label: earned(sample, policy) for policy in LEARNING}
        for name, truth in truths.items():
            counts[name] += values[name].low <= truth <= values[name].high
    return {name: count / logs for name, count in counts.items()}


def test_default_intervals_cover_in_every_world() -> None:
    """Of 240 logs with four policies, 95 % give or take what chance leaves."""
    shares = [hits(world, 60, 1_000) for world in WORLDS]
    for name in shares[0]:
        assert 0.90 <= float(np.mean([each[name] for each in shares])) <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_default_intervals_cover_within_narrow_limits(world: str) -> None:
    for name, share in hits(world, 1_000, 3_000).items():
        assert 0.93 <= share <= 0.98, name


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("at", ["now", "next 7d"])
def test_values_of_now_and_next_cover(world: str, at: str) -> None:
    ahead = np.array([SPAN]) if at == "now" else SPAN + np.linspace(0.0, 7 * DAY, 1_001)
    truth = WORLDS[world](ahead).mean(axis=0)
    for arm, label in enumerate("abc"):
        held = 0
        for seed in range(200):
            row = drawn(world, 3_000, seed).log.value([{label: 1.0}], at=at)[f"always {label}"]
            held += row.low <= truth[arm] <= row.high
        assert held >= 180, label


def sums_of(x: np.ndarray[Any, Any], blocks: int) -> Sums:
    parts = np.array_split(x, blocks)
    return Sums(
        np.array([part.sum() for part in parts]),
        np.array([float(len(part)) for part in parts]),
        np.zeros(blocks),
        np.array([(part**2).sum() for part in parts]),
        np.array([float(len(part)) for part in parts]),
    )


@pytest.mark.parametrize("kind", [bernstein, sequence])
def test_bernstein_and_sequences_hold_at_least_as_often_as_they_say(kind: Any) -> None:
    """Terms of a rare arm: 0, or up to 10, with a mean that drifts."""
    rng, held, widths = np.random.default_rng(0), 0, []
    for _ in range(200):
        means = np.linspace(0.2, 0.8, 2_000)
        x = 10.0 * (rng.random(2_000) < 0.1 * means)
        half = kind(sums_of(x, 50), 10.0, 0.9)
        held += abs(x.mean() - means.mean()) <= half
        widths.append(half)
    assert held >= 190
    assert np.mean(widths) < 0.5


def test_a_sequence_holds_at_all_times_at_once() -> None:
    rng, broken = np.random.default_rng(1), 0
    for _ in range(100):
        means = 0.5 + 0.4 * np.sin(np.arange(3_000) / 300.0)
        x = (rng.random(3_000) < means).astype(float)
        ends = range(30, 3_001, 90)
        broken += any(
            abs(x[:end].mean() - means[:end].mean()) > sequence(sums_of(x[:end], 15), 1.0, 0.9)
            for end in ends
        )
    assert broken <= 10


def test_a_sequence_is_wider_than_bernstein_and_bernstein_than_blocks() -> None:
    log = drawn("drift", 3_000, 0).log
    widths = []
    for kind in ("blocks", "bernstein", "sequence"):
        row = log.value([{"c": 1.0}], interval=kind)["always c"]
        widths.append(row.high - row.low)
    assert widths == sorted(widths)


def test_the_noise_is_that_of_neighbours_not_of_drift() -> None:
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(400)
    slow = noise + np.linspace(0.0, 20.0, 400)
    assert standard_error(slow) == pytest.approx(standard_error(noise), rel=0.02)
    assert standard_error(noise) == pytest.approx(20.0, rel=0.1)  # √400 · 1


def test_joint_quantiles_are_those_of_the_largest_difference() -> None:
    rng = np.random.default_rng(0)
    two = list(rng.standard_normal((2, 2_000)))
    assert joint_quantile(two, 0.95, 0) == pytest.approx(1.96, abs=0.1)
    # Tukey's studentised range of 5 means, over √2
    five = list(rng.standard_normal((5, 2_000)))
    assert joint_quantile(five, 0.95, 0) == pytest.approx(3.858 / math.sqrt(2.0), abs=0.12)


def test_differences_hold_together_and_ties_are_ties() -> None:
    wrong = 0
    for seed in range(60):
        sample = drawn("still", 1_000, seed, np.full(3, 1 / 3))
        values = sample.log.value([{"a": 1.0}, {"b": 1.0}, {"c": 1.0}])
        means = dict(zip(("always a", "always b", "always c"), sample.means[0], strict=True))
        means["as logged"] = sample.means.mean()
        wrong += any(
            not row.low <= means[row.policy] - means[row.against] <= row.high
            for row in values.differences
        )
    assert wrong <= 8
    equal = drawn("drift", 1_000, 0).log.value([{"a": 1.0}, {"b": 1.0}])  # 0.5 on average, both
    pair = [row for row in equal.differences if "as logged" not in (row.policy, row.against)]
    assert pair[0].tie
    assert "tie" in repr(equal)


def test_too_few_blocks_give_no_interval() -> None:
    sample = drawn("still", 1_000, 0)
    values = sample.log.value([{"a": 1.0}], at="now", memory=db.TimeWindow("2d"))
    assert math.isnan(values["as logged"].low)
    assert "There are too few blocks of time for an interval of as logged." in values.notes


def test_a_memory_is_the_mean_of_its_rows() -> None:
    sample = drawn("jump", 2_000, 0)
    values = sample.log.value([{"a": 1.0}], at="now", memory=db.TimeWindow("20d"))
    recent = sample.frame["time"].to_numpy() > sample.frame["time"][-1] - 20 * DAY
    expected = sample.frame["reward"].to_numpy()[recent].mean()
    assert values["as logged"].value == pytest.approx(expected)
    age = (sample.frame["time"][-1] - sample.frame["time"].to_numpy()) / (5 * DAY)
    decayed = sample.log.value([{"a": 1.0}], at="now", memory=db.HalfLife("5d"))
    expected = np.average(sample.frame["reward"].to_numpy(), weights=0.5**age)
    assert decayed["as logged"].value == pytest.approx(expected)


def naive_level(series: Series, pace: float) -> tuple[float, float]:
    """Return mean and variance of the last level by conditioning one large normal law."""
    time = series.time
    walk = (pace * series.bound) ** 2 * np.minimum.outer(time - time[0], time - time[0])
    prior = series.bound**2 + walk
    gain = prior[-1] @ np.linalg.inv(prior + np.diag(series.variance))
    mean = 0.5 * series.bound + gain @ (series.value - 0.5 * series.bound)
    return float(mean), float(prior[-1, -1] - gain @ prior[:, -1])


def test_the_filter_is_conditioning_of_a_normal_law() -> None:
    rng = np.random.default_rng(0)
    time = np.sort(rng.random(30))
    series = Series(time, rng.random(30), rng.uniform(0.01, 0.1, 30), np.empty((30, 0)), 1.0)
    result = filtered(series)
    for place, pace in enumerate(PACES):
        mean, variance = naive_level(series, pace)
        assert result.means[-1, place, 0] == pytest.approx(mean)
        assert result.covariances[-1, place, 0, 0] == pytest.approx(variance)
    draws = smoothed_draws(series, result, 4_000, rng)
    chances = np.exp(result.weight - result.weight.max())
    expected = chances @ result.means[-1, :, 0] / chances.sum()
    assert draws[:, -1].mean() == pytest.approx(expected, abs=0.02)
    assert 0.0 < STILL < 1.0


def test_very_many_policies_are_compared_with_the_best_and_with_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = drawn("drift", 2_000, 0).log
    mixed = [{"a": share / 20, "b": 1.0 - share / 20} for share in range(1, 20)]
    every = log.value(mixed).differences
    monkeypatch.setattr(valuing, "MOST_PAIRED", 19)
    some = log.value(mixed).differences
    best = every[0].against
    pairs = [(each.policy, each.against) for each in every]
    assert len(every) == 20 * 19 / 2
    wanted = [pair for pair in pairs if best in pair or LOGGED in pair]
    assert sorted((each.policy, each.against) for each in some) == sorted(wanted)
    wide = {(each.policy, each.against): each for each in every}
    for each in some:
        other = wide[each.policy, each.against]
        assert each.difference == other.difference
        assert each.high - each.low > other.high - other.low


def test_methods_that_miss_for_policies_that_learn_say_so() -> None:
    log = drawn("jump", 1_000, 0).log
    assert not any("hold less often" in note for note in log.value({"a": 1.0}, "dm").notes)
    assert any("hold less often" in note for note in log.value(LEARNING, "dm").notes)
    assert any("smooths what is too small" in note for note in log.value(LEARNING, "world").notes)


@pytest.mark.parametrize("world", ["still", "drift"])
def test_drift_is_told_where_there_is_some(world: str) -> None:
    notes = " ".join(drawn(world, 3_000, 0).log.value([{"a": 1.0}], at="now").notes)
    assert ("The log shows drift" in notes) == (world == "drift")


def test_a_season_carries_on() -> None:
    """Half a week after the end of whole weeks the wave has turned round."""
    row = drawn("season", 3_000, 0).log.value([{"a": 1.0}], at="now")["always a"]
    assert row.value == pytest.approx(0.75, abs=0.1)
    ahead = drawn("season", 3_000, 0).log.value([{"a": 1.0}], at="next 7d")["always a"]
    assert ahead.value == pytest.approx(0.5, abs=0.05)
    assert ahead.of == "next 7d"


LINES: list[tuple[dict[str, Any], str]] = [
    ({"at": "soon"}, "at must be 'mean', 'now' or such as 'next 7d', got 'soon'"),
    ({"at": "next week"}, "at must be seconds, a timedelta or a text such as '90s'"),
    ({"method": "drr"}, "method must be one of dr, radr, snips, ips, dm, replay, world, got 'drr'"),
    ({"method": []}, "method must be a name or a list of names, got []"),
    ({"method": ["dr", "dr"]}, "method must name each method once, got ['dr', 'dr']"),
    ({"memory": db.TimeWindow("1d")}, "memory must come with at='now', which it is for"),
    ({"memory": 7, "at": "now"}, "memory must be a TimeWindow or a HalfLife, or left out, got 7"),
    ({"interval": "wide"}, "interval must be one of blocks, bernstein, sequence, got 'wide'"),
    (
        {"interval": "bernstein", "method": "snips"},
        "interval must be 'blocks' for the method snips, got 'bernstein': only ips and dr are",
    ),
    ({"interval": "sequence", "at": "now"}, "interval must be 'blocks' unless at is 'mean', got"),
    ({"method": "world", "at": "now"}, "method 'world' must come with at='mean'"),
    ({"level": 1.0}, "level must lie in (0, 1), got 1.0"),
    ({"policies": {"d": 1.0}}, "arm must be one of ['a', 'b', 'c'], got 'd'"),
    ({"policies": {"a": 0.7}}, "shares must sum to 1, got {'a': 0.7}"),
    ({"policies": {"a": 1.7}}, "share of 'a' must lie in [0, 1], got 1.7"),
    ({"policies": "ucb1"}, "policies must be a policy, shares by arm, or a list of them, got 'ucb"),
    ({"policies": [db.UCB1(), db.UCB1()]}, "labels of policies must be different from each other"),
    ({"policies": [db.LinUCB()]}, "policies must play arms without features, got LinUCB"),
    ({"policies": [db.Oracle()]}, "oracle plays only in a simulation, where the means are known"),
]


@pytest.mark.parametrize(("options", "line"), LINES, ids=[line for _, line in LINES])
def test_a_question_without_sense_is_one_line(options: dict[str, Any], line: str) -> None:
    with pytest.raises(db.InputError) as error:
        drawn("still", 200, 0).log.value(**options)
    assert str(error.value).startswith(line)


def test_a_policy_must_take_the_rewards_of_the_log() -> None:
    log = db.Log.read(drawn("still", 200, 0).frame, bound=2.0)
    with pytest.raises(db.InputError, match="bound of UCB-1 must be at least that of the log, 2"):
        log.value([db.UCB1()])
    assert log.value([db.UCB1(bound=2.0)])


def test_words_for_time() -> None:
    assert ahead_of("next 12h") == 43_200.0


def jumping(share: float) -> db.Log:
    return drawn_from(late_jump(share, 0.4), 3_000, np.random.default_rng(0)).log


def test_a_jump_near_the_end_is_followed_and_said() -> None:
    for at in ("now", "next 7d"):
        values = jumping(0.95).value([{"a": 1.0}, {"b": 1.0}, {"c": 1.0}], at=at)
        for arm, truth in (("a", 0.7), ("b", 0.2), ("c", 0.4)):
            row = values[f"always {arm}"]
            assert row.low < truth < row.high
    warnings = [note for note in values.notes if note.startswith(CANNOT_FOLLOW)]
    assert [note.split(": ")[1].split()[0] for note in warnings] == ["a", "b"]
    (findable,) = (note for note in values.notes if note.startswith("Of a, played most, a change"))
    assert "if it is 0.18 or more" in findable
    early = jumping(0.6).value([{"a": 1.0}], at="now")
    assert not any(note.startswith(CANNOT_FOLLOW) for note in early.notes)


MEMORIES = [db.TimeWindow("7d"), db.HalfLife("4d")]


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda memory: type(memory).__name__)
@pytest.mark.parametrize("world", ["still", "season"])
def test_a_memory_that_cannot_follow_is_told(world: str, memory: Any) -> None:
    values = drawn(world, 3_000, 0).log.value([{"a": 1.0}, {"c": 1.0}], at="now", memory=memory)
    warnings = [note for note in values.notes if note.startswith(CANNOT_FOLLOW)]
    assert len(warnings) == (world == "season")
    assert all("always a earned" in note and "always c" not in note for note in warnings)
