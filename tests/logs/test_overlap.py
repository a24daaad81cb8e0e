"""What a log can tell is said before any number, and where it cannot tell there is none."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.absence import absent_for_long
from logs.simulated import drawn


def test_overlap_of_a_good_log() -> None:
    overlap = drawn("drift", 4_000, 0).log.overlap([{"c": 1.0}, db.UCB1()])
    assert overlap.thinning == overlap.least_propensity == 0.2
    assert [arm.arm for arm in overlap.arms] == ["a", "b", "c"]
    for arm in overlap.arms:
        assert arm.calibration == pytest.approx(1.0, abs=0.1)
        assert arm.p_value > 0.001
    logged, fixed, learned = overlap.policies
    assert logged.effective == 4_000
    assert (fixed.largest, learned.verdict) == (5.0, "can tell")
    assert fixed.effective == overlap.arms[2].rows
    assert learned.accepted == pytest.approx(0.2, abs=0.03)
    json.dumps(overlap.to_dict())
    assert "Replay accepts a row with probability 0.2 / p." in repr(overlap)
    assert overlap._repr_html_().count("<table>") == 2


def test_p_values_are_uniform_where_propensities_are_right() -> None:
    values = [
        arm.p_value for seed in range(60) for arm in drawn("still", 2_000, seed).log.overlap().arms
    ]
    assert 0.02 <= sum(p < 0.05 for p in values) / len(values) <= 0.1
    assert 0.4 <= sum(p < 0.5 for p in values) / len(values) <= 0.6


def followed(rows: int, seed: int) -> pl.DataFrame:
    """Return the log of a policy that nearly always plays one of three arms, with a small floor."""
    rng = np.random.default_rng(seed)
    p = np.full((rows, 3), 0.05 / 3)
    p[np.arange(rows), rng.choice(3, rows, p=[0.7, 0.2, 0.1])] += 0.95
    arm = (p.cumsum(axis=1) < rng.random(rows)[:, None]).sum(axis=1)
    played = p[np.arange(rows), arm]
    return pl.DataFrame({"time": np.arange(rows), "arm": arm, "reward": 0.5, "propensity": played})


@pytest.mark.parametrize("rows", [300, 3_000, 30_000])
def test_a_policy_with_a_small_floor_is_not_suspected(rows: int) -> None:
    values = [
        arm.p_value
        for seed in range(20)
        for arm in db.Log.read(followed(rows, seed)).overlap().arms
    ]
    assert sum(p < 0.001 for p in values) <= 2


def test_few_plays_with_small_propensities_say_nothing() -> None:
    log = db.Log.read(followed(3_000, 0))
    assert all(math.isnan(arm.p_value) for arm in log.overlap().arms)
    assert not [note for note in log.overlap().remarks() if "propensities say" in note]


def test_wrong_propensities_of_such_a_policy_are_told() -> None:
    frame = followed(30_000, 0).with_columns(propensity=pl.col("propensity").clip(0.03))
    assert "0, 1, 2 were not played as often" in "".join(db.Log.read(frame).overlap().remarks())


def test_propensities_that_are_wrong_are_told() -> None:
    frame = drawn("still", 4_000, 0).frame.with_columns(propensity=pl.lit(1 / 3))
    overlap = db.Log.read(frame).overlap()
    assert "a, b, c were not played as often as the propensities say." in overlap.remarks()
    assert overlap.arms[0].calibration == pytest.approx(1.5, abs=0.1)


def test_without_propensities_they_are_estimated_and_everything_says_so() -> None:
    sample = drawn("drift", 4_000, 0)
    log = db.Log.read(sample.frame.drop("propensity"))
    overlap = log.overlap()
    assert overlap.propensities == "estimated"
    assert "propensities estimated" in repr(overlap)
    values = log.value([{"c": 1.0}])
    assert values.propensities == "estimated"
    assert any(note.startswith("Propensities are estimated") for note in values.notes)
    row = values["always c"]
    assert row.low <= 0.4 <= row.high
    assert overlap.thinning == pytest.approx(0.2, abs=0.05)
    for each in overlap.policies[1:4]:
        assert each.accepted == pytest.approx(overlap.thinning, abs=0.03)
    with pytest.raises(db.InputError, match="interval must be 'blocks' where propensities are est"):
        log.value([{"c": 1.0}], interval="bernstein")


def test_an_arm_that_was_never_played_cannot_be_told() -> None:
    frame = drawn("still", 1_000, 0).frame.with_columns(eligible=pl.lit("a|b|c|d"))
    log = db.Log.read(frame)
    assert "d was never played: nothing can be told of it." in log.overlap().remarks()
    values = log.value([{"d": 1.0}, {"a": 0.9, "d": 0.1}, {"a": 1.0}, db.UCB1(), db.Uniform()],
                       method=["dr", "dm", "replay", "world"])  # fmt: skip
    for row in values:
        told = row.policy in ("always a", "as logged")
        assert math.isnan(row.value) != told, row
        assert row.why.startswith("cannot tell: it may play d") != told
    assert len(values.differences) == 1  # of the two that are told
    assert "cannot tell" in repr(values)
    json.dumps(values.to_dict(), allow_nan=False)


def test_an_arm_that_is_absent_for_long_cannot_be_told_by_estimated_propensities() -> None:
    sample = drawn("still", 4_000, 0)
    late = (pl.col("arm") != "c") | (pl.col("time") > pl.col("time").max() / 2)
    log = db.Log.read(sample.frame.filter(late).drop("propensity"))
    assert log.value([{"c": 1.0}])["always c"].why.startswith("cannot tell: it may play c")
    assert log.value([{"a": 1.0}])["always a"].why == ""


def test_few_effective_rows_cannot_tell() -> None:
    sample = drawn("still", 100, 0)
    row = sample.log.value([{"c": 1.0}])["always c"]
    assert row.why.startswith("cannot tell: ")
    assert row.effective < 30


def test_a_policy_that_waits_for_a_rare_arm_is_told() -> None:
    sample = drawn("still", 3_000, 0)
    late = (pl.col("arm") != "c") | (pl.col("time") > pl.col("time").max() / 2)
    log = db.Log.read(sample.frame.filter(late))
    notes = " ".join(log.value([db.UCB1()]).notes)
    assert "UCB-1 learns from" in notes


def test_methods_that_disagree_are_told() -> None:
    """Propensities that are wrong: weights say one thing, the model of the rewards another."""
    frame = drawn("still", 4_000, 0).frame.with_columns(propensity=pl.lit(1 / 3))
    notes = db.Log.read(frame).value([{"a": 1.0}], method=["ips", "dm"]).notes
    assert any("ips and dm disagree about always a" in note for note in notes)
    good = drawn("still", 4_000, 0).log.value([{"a": 1.0}], method=["ips", "dm"]).notes
    assert not any("disagree" in note for note in good)


def test_very_many_arms_are_valued_for_those_that_were_played_most() -> None:
    arms, rows = 5_000, 20_000
    rng = np.random.default_rng(0)
    arm = np.where(rng.random(rows) < 0.5, rng.integers(0, 100, rows), rng.integers(0, arms, rows))
    frame = pl.DataFrame(
        {"time": np.arange(rows), "arm": arm, "reward": rng.random(rows).round(),
         "propensity": 0.5 / arms + np.where(arm < 100, 0.005, 0.0)}
    )  # fmt: skip
    log = db.Log.read(frame)
    overlap, values = log.overlap(), log.value()
    labels = ["as logged", *(f"always {each}" for each in range(100)), "uniform"]
    assert [each.policy for each in overlap.policies] == labels
    assert {row.policy for row in values} == set(labels)
    note = f"Of {len(overlap.arms):,} arms, the 100 that were played most are valued one by one"
    assert any(text.startswith(note) for text in overlap.remarks())
    assert any(text.startswith(note) for text in values.notes)
    assert f"the first 200 of {len(overlap.arms):,}" in repr(overlap)
    assert len(repr(overlap).splitlines()) < 400
    assert len(overlap.to_dict()["arms"]) == len(overlap.arms) > 4_000


def test_what_stands_in_the_way_is_said_in_one_sentence_for_all_arms() -> None:
    frame = drawn("still", 3_000, 0).frame.with_columns(eligible=pl.lit("a|b|c|d|e|f|g"))
    remarks = db.Log.read(frame).overlap().remarks()
    assert "d, e, f and 1 more were never played: nothing can be told of them." in remarks


@pytest.mark.parametrize("rows", [60, 100, 118])
def test_a_small_log_that_is_sorted_by_arm_cannot_tell(rows: int) -> None:
    half = rows // 2
    arms = ["a"] * half + ["b"] * half
    log = db.Log.read(pl.DataFrame({"time": range(rows), "arm": arms, "reward": [1, 0] * half}))
    for value in log.value([{"a": 1.0}, {"a": 0.5, "b": 0.5}]).rows[:-1]:
        if value.policy != "as logged":
            assert "absent from the log for long" in value.why
            assert math.isnan(value.value)


def test_arms_that_are_drawn_at_random_are_rarely_taken_for_absent() -> None:
    absent = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(60, 400))
        plays = [(np.arange(rows), rng.choice(2, rows, p=[0.8, 0.2]))]
        counts = np.bincount(plays[0][1], minlength=2).astype(float)[None, :]
        absent += bool(absent_for_long(counts, np.full((1, 2), float(rows)), plays).any())
    assert absent <= 6  # 1 % is allowed
