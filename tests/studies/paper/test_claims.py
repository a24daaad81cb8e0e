"""Claims: what was measured decides, and nothing else."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import driftbandit as db
from driftbandit.studies.paper import CLAIMS, Evidence, Verdict, judge
from driftbandit.studies.paper.claims import Check, Claim
from driftbandit.studies.paper.claims.measures import BLOCK, delay, nearness, regret_at, share
from driftbandit.studies.paper.estimate import Estimate, excess, mean
from shared_results import dressed, evidence

PRINTED, HALVED = "D-UCB", "D-UCB (padding B)"


def verdict(start: str, measured: Evidence) -> Verdict:
    claims = [claim for claim in CLAIMS if claim.text.startswith(start)]
    assert len(claims) == 1
    return claims[0].judge(measured).verdict


def in_first(clothes: dict[str, str]) -> Evidence:
    measured = evidence()
    return dataclasses.replace(measured, abrupt=dressed(measured.abrupt, clothes))


def in_second(clothes: dict[str, str]) -> Evidence:
    measured = evidence()
    return dataclasses.replace(measured, continuous=dressed(measured.continuous, clothes))


def test_every_claim_is_judged_once() -> None:
    findings = judge(evidence())
    assert len(findings) == len(CLAIMS) == 20
    for finding in findings:
        assert finding.measured
        assert "nan" not in finding.measured
        assert "|" not in finding.measured + finding.claim.text + finding.claim.criterion


# The runs are few, but each of these is decided by many standard errors.
@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("The optimal policy", Verdict.HOLDS),
        ("Both waste", Verdict.HOLDS),
        ("UCB-1 is initially", Verdict.HOLDS),
        ("UCB-1 reacts", Verdict.FAILS),
        ("UCB-1 takes", Verdict.HOLDS),
        ("The best arm of the second", Verdict.HOLDS),
        ("Its transitions", Verdict.HOLDS),
        ("D-UCB and SW-UCB track", Verdict.HOLDS),
        ("UCB-1 fails", Verdict.HOLDS),
        ("… while UCB-1", Verdict.HOLDS),
        ("Conclusion", Verdict.HALVED),
    ],
)
def test_what_the_experiments_say(start: str, expected: Verdict) -> None:
    assert verdict(start, evidence()) is expected


@pytest.mark.parametrize(
    ("start", "clothes", "expected"),
    [
        ("Conclusion", {PRINTED: HALVED}, Verdict.HOLDS),
        ("Conclusion", {HALVED: PRINTED}, Verdict.FAILS),
        ("Conclusion", {"SW-UCB": "UCB-1"}, Verdict.FAILS),
        ("D-UCB performs", {PRINTED: "SW-UCB"}, Verdict.HOLDS),
        ("D-UCB performs", {HALVED: "SW-UCB"}, Verdict.HALVED),
        ("UCB-1 is initially", {"UCB-1": "EXP3.S"}, Verdict.FAILS),
        ("UCB-1 reacts", {"UCB-1": HALVED}, Verdict.HOLDS),
        ("UCB-1 takes", {"UCB-1": "SW-UCB"}, Verdict.FAILS),
        ("Both waste", {PRINTED: "UCB-1", HALVED: "UCB-1"}, Verdict.FAILS),
        ("Both waste", {PRINTED: "UCB-1"}, Verdict.HALVED),
        ("Both quickly", {"SW-UCB": "UCB-1"}, Verdict.FAILS),
    ],
)
def test_other_outcomes_in_the_first_world_give_other_verdicts(
    start: str, clothes: dict[str, str], expected: Verdict
) -> None:
    assert verdict(start, in_first(clothes)) is expected


@pytest.mark.parametrize(
    ("start", "clothes", "expected"),
    [
        ("In the second example", {PRINTED: "SW-UCB"}, Verdict.HOLDS),
        ("In the second example", {HALVED: "UCB-1"}, Verdict.FAILS),
        ("D-UCB and SW-UCB track", {"SW-UCB": "UCB-1"}, Verdict.FAILS),
        ("D-UCB and SW-UCB track", {PRINTED: "UCB-1"}, Verdict.HALVED),
        ("EXP3.S tracks", {"EXP3.S": "SW-UCB"}, Verdict.FAILS),
        ("UCB-1 fails", {"UCB-1": "SW-UCB"}, Verdict.FAILS),
        ("… while UCB-1", {"EXP3.S": HALVED}, Verdict.FAILS),
    ],
)
def test_other_outcomes_in_the_second_world_give_other_verdicts(
    start: str, clothes: dict[str, str], expected: Verdict
) -> None:
    assert verdict(start, in_second(clothes)) is expected


def test_a_better_tuning_overturns_the_paper_s() -> None:
    measured = evidence()
    bad = dressed(measured.sweep, {"SW-UCB × 1": "SW-UCB × 4"})
    assert verdict("The parameters", dataclasses.replace(measured, sweep=bad)) is Verdict.FAILS


def test_the_world_decides_where_nothing_is_measured() -> None:
    measured = evidence()
    still = db.environments.Stationary(means=(0.5, 0.4, 0.3))
    other = dataclasses.replace(measured.abrupt, world=still)
    assert verdict("The optimal", dataclasses.replace(measured, abrupt=other)) is Verdict.FAILS


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(1, 2, True), (4, 6, None), (6, 7, False), (-1, 1, None), (-3, -1, False), (0, 1, None)],
)
def test_a_check_needs_its_whole_interval(low: float, high: float, expected: bool | None) -> None:
    estimate = Estimate((low + high) / 2, low, high)
    assert Check("x", estimate, above=0.0, below=5.0).holds is expected


def test_a_cut_interval_is_undecided() -> None:
    claim = Claim("w", "c", lambda _, __: [Check("x", Estimate(0, -1, 1), below=0.5)])
    assert claim.judge(evidence()).verdict is Verdict.UNDECIDED


def invented(regret: list[float], times: list[int]) -> db.Result:
    """A result of one policy with the same regret curve in both runs."""
    result = evidence().abrupt
    outcome = dataclasses.replace(result["UCB-1"], regret=np.array([regret, regret]))
    return dataclasses.replace(result, times=np.array(times), outcomes={"UCB-1": outcome})


def test_the_delay_ends_with_the_first_good_block() -> None:
    # a gap of 0.1 loses 5 a block: the second block loses less than 2.5, the first and third more
    times = [99 + BLOCK * place for place in range(4)]
    result = invented([10.0, 14.0, 16.0, 20.0], times)
    assert delay(result, "UCB-1", 100, 99 + 3 * BLOCK, gap=0.1).tolist() == [100.0, 100.0]
    never = invented([0.0, 5.0, 10.0, 15.0], times)
    assert delay(never, "UCB-1", 100, 99 + 3 * BLOCK, gap=0.1).tolist() == [150.0, 150.0]


def test_regret_exists_at_checkpoints_only() -> None:
    result = invented([1.0, 2.0], [10, 20])
    assert regret_at(result, "UCB-1", 20).tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match="round 15 is not a checkpoint"):
        regret_at(result, "UCB-1", 15)


def test_shares_of_a_stretch_come_from_cumulative_plays() -> None:
    result = evidence().abrupt
    first, second = (int(np.searchsorted(result.times, time)) for time in (999, 2999))
    plays = result["UCB-1"].play_share[:, 0] * result.times
    expected = (plays[second] - plays[first]) / 2000
    estimate = share(result, "UCB-1", 0, 999, 2999)
    assert estimate.mean == pytest.approx(expected)
    assert estimate.low < expected < estimate.high
    whole = share(result, "UCB-1", 0, 0, 10_000)
    assert whole.mean == pytest.approx(result["UCB-1"].plays[:, 0].mean() / 10_000)


def test_estimates_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    hits, ratios, tries = 0, 0, 1000
    for _ in range(tries):
        base = rng.gamma(4.0, 1.0, 200)
        values = 1.2 * base + rng.normal(0.0, 0.5, 200)
        one, two = mean(values), excess(values, base)
        hits += one.low < 4.8 < one.high
        ratios += two.low < 0.2 < two.high
    assert 0.93 < hits / tries < 0.97
    assert 0.93 < ratios / tries < 0.97


@pytest.mark.parametrize(
    ("clothes", "both_sides", "expected"),
    [
        ({PRINTED: "SW-UCB"}, True, True),
        ({PRINTED: "EXP3.S"}, False, False),
        ({PRINTED: "UCB-1"}, False, False),
        ({"SW-UCB": HALVED, "EXP3.S": HALVED, PRINTED: "SW-UCB"}, False, True),
        ({"SW-UCB": HALVED, "EXP3.S": HALVED, PRINTED: "SW-UCB"}, True, False),
    ],
)
def test_nearness_is_judged_from_the_midpoints(
    clothes: dict[str, str], both_sides: bool, expected: bool
) -> None:
    # in the last two cases D-UCB is better than SW-UCB by more than EXP3.S is worse, which is 0
    result = dressed(evidence().abrupt, clothes)
    answers = [check.holds for check in nearness(result, PRINTED, both_sides)]
    assert all(answers) is expected


@pytest.mark.parametrize(
    ("arm", "expected", "words"),
    [
        (0, Verdict.HOLDS, "on arm 2 while it is best 0 %; on arm 1 while it is best 100 %"),
        (1, Verdict.FAILS, "on arm 2 while it is best 100 %; on arm 1 while it is best 0 %"),
    ],
)
def test_a_policy_that_plays_one_arm_only(arm: int, expected: Verdict, words: str) -> None:
    measured = evidence()
    best = measured.continuous.world.best_arm(10_000)
    missed = np.zeros((10, 2))
    missed[:, arm] = (best != arm).sum()
    stubborn = dataclasses.replace(measured.continuous["UCB-1"], suboptimal_plays=missed)
    outcomes = {**measured.continuous.outcomes, "UCB-1": stubborn}
    second = dataclasses.replace(measured.continuous, outcomes=outcomes)
    claim = next(claim for claim in CLAIMS if claim.text.startswith("UCB-1 fails"))
    finding = claim.judge(dataclasses.replace(measured, continuous=second))
    assert (finding.verdict, finding.measured) == (expected, f"UCB-1 {words}")
