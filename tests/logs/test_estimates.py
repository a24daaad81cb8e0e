"""Estimators, replay and estimated propensities: what is quick is what the definitions say."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive_logs as naive
from driftbandit.logs.estimates import ESTIMATORS
from driftbandit.logs.estimates.sums import gathered
from driftbandit.logs.intervals.blocks import estimate_of
from driftbandit.logs.players import players_of, shared_of
from driftbandit.logs.streams import generator
from logs.simulated import ARMS, drawn

POLICIES = [
    db.UCB1(),
    db.SlidingWindowUCB(window=5),
    db.Policy(forget=db.HalfLife(3.0), explore=db.UCB(), label="half-life"),
    db.EpsilonGreedy(0.3),
    db.EXP3S(exploration=0.2, sharing=0.01),
]


@st.composite
def logs(draw: Any) -> tuple[list[naive.Row], int]:
    arms = draw(st.integers(1, 4))
    sets = st.sets(st.integers(0, arms - 1), min_size=1).map(lambda each: tuple(sorted(each)))
    whole = tuple(range(arms))
    pool = draw(st.sampled_from([[whole], [whole, draw(sets), draw(sets)]]))
    rows, time = [], 0.0
    for _ in range(draw(st.integers(2, 40))):
        time += draw(st.sampled_from([0.0, 0.5, 4.0]))
        eligible = draw(st.sampled_from(pool))
        arm = draw(st.sampled_from(eligible))
        p = draw(st.sampled_from([0.1, 0.25, 0.5, 1.0]))
        rows.append(naive.Row(time, arm, draw(st.sampled_from([0.0, 0.3, 1.0])), p, eligible))
    return rows, arms


def log_of(rows: list[naive.Row], propensity: bool = True) -> db.Log:
    columns: dict[str, Any] = {
        "time": [row.time for row in rows],
        "arm": [row.arm for row in rows],
        "reward": [row.reward for row in rows],
        "eligible": [list(row.eligible) for row in rows],
    }
    if propensity:
        columns["propensity"] = [row.propensity for row in rows]
    return db.Log.read(pl.DataFrame(columns))


def renumbered(rows: list[naive.Row], labels: list[int]) -> list[naive.Row]:
    """Number arms as the log does, which does not know those that are nowhere."""
    places = {label: place for place, label in enumerate(labels)}
    return [
        row._replace(arm=places[row.arm], eligible=tuple(places[a] for a in row.eligible))
        for row in rows
    ]


def opened(evidence: Any) -> list[bool]:
    rng = generator(0, "acceptance")
    return [
        bool(each) for piece in evidence.pieces() for each in shared_of(piece, evidence, rng).open
    ]


@settings(max_examples=60, deadline=None)
@given(logs(), st.sampled_from(POLICIES))
def test_estimates_are_those_of_the_formulas(drawn_log: Any, policy: Any) -> None:
    evidence = log_of(drawn_log[0])._evidence
    rows, arms = renumbered(drawn_log[0], evidence.labels), evidence.arms
    shares = {evidence.labels[0]: 0.25}
    shares[evidence.labels[-1]] = shares.get(evidence.labels[-1], 0.0) + 0.75
    if arms == 1:
        shares = {evidence.labels[0]: 1.0}
    chosen = [name for name in ESTIMATORS if name != "radr"]
    players = players_of([policy, shares], evidence, 0)
    _, learned, fixed = gathered(players, [ESTIMATORS[n] for n in chosen], evidence, None, 0)

    r_hat = naive.predicted(rows, arms, evidence.blocks)
    means = naive.window_means(rows, arms, evidence.windows)
    np.testing.assert_allclose(evidence.predicted, r_hat)
    result = naive.replay(policy, rows, arms, opened(evidence))
    laws = {
        "learned": lambda place, row: [float(a == result.choices[place]) for a in range(arms)],
        "fixed": naive.shares_law([shares.get(label, 0.0) for label in evidence.labels]),
    }
    for name, gathering in (("learned", learned), ("fixed", fixed)):
        if np.isnan(means).any():  # an arm that stands nowhere: values are not told
            continue
        expected = naive.estimates(rows, laws[name], result.accepted, r_hat, means)
        for method in chosen:
            if method == "replay" and name == "fixed":
                continue  # which rows it keeps is drawn
            value = estimate_of(gathering.sums[method]).value
            np.testing.assert_allclose(value, expected[method], atol=1e-9, err_msg=method)
    assert learned.overview.accepted == sum(result.accepted)


@settings(max_examples=40, deadline=None)
@given(logs())
def test_propensities_are_estimated_by_arm_and_window(drawn_log: Any) -> None:
    evidence = log_of(drawn_log[0], propensity=False)._evidence
    rows = renumbered(drawn_log[0], evidence.labels)
    expected = naive.estimated_propensities(rows, evidence.arms, evidence.windows)
    ours = np.concatenate([piece.rows.propensity for piece in evidence.pieces()])
    np.testing.assert_allclose(ours, expected, atol=0.02 if evidence.restricted else 1e-9)


def test_the_policy_that_wrote_the_log_earned_what_the_log_says() -> None:
    sample = drawn("drift", 2_000, 0)
    mean = sample.frame["reward"].mean()
    for method in ("dr", "radr", "snips", "ips", "dm"):
        assert sample.log.value([{"a": 1.0}], method=method)["as logged"].value == pytest.approx(
            mean
        )


def test_an_arm_that_is_certain_is_the_mean_of_its_rows() -> None:
    rows = pl.DataFrame({"time": range(100), "arm": ["a"] * 100, "reward": [0.0, 1.0] * 50})
    log = db.Log.read(rows.with_columns(propensity=pl.lit(1.0)))
    values = log.value([db.UCB1(), {"a": 1.0}], method=["dr", "snips", "ips", "dm", "replay"])
    assert {row.value for row in values} == {0.5}
    assert {row.accepted for row in values} == {1.0}


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_replay_under_equal_shares_learns_from_one_row_in_k(policy: Any) -> None:
    log = drawn("jump", 6_000, 1, np.full(3, 1 / 3)).log
    assert log.value([policy], method="replay")[policy.label].accepted == pytest.approx(
        1 / 3, abs=0.02
    )


def test_forgetting_by_the_clock_spans_the_time_of_the_log() -> None:
    """A half-life in replay is the discount of as many rows as lie between two accepted ones."""
    sample = drawn("jump", 9_000, 2, np.full(3, 1 / 3))
    seconds = float(sample.frame["time"][1] - sample.frame["time"][0])
    by_clock = db.Policy(
        forget=db.HalfLife(300 * seconds), explore=db.UCB(), label="300 rows, 100 accepted"
    )
    by_rounds = by_clock.replace(forget=db.Discount(0.5 ** (1 / 100)), label="100 rounds")
    long = by_clock.replace(forget=db.Discount(0.5 ** (1 / 300)), label="300 rounds")
    values = {row.policy: row.value for row in sample.log.value([by_clock, by_rounds, long])}
    near = abs(values["300 rows, 100 accepted"] - values["100 rounds"])
    assert near < 0.5 * abs(values["300 rows, 100 accepted"] - values["300 rounds"])


def test_regression_assistance_is_no_noisier_than_what_it_mixes() -> None:
    widths: dict[str, list[float]] = {"ips": [], "dr": [], "radr": []}
    for seed in range(20):
        log = drawn("drift", 2_000, seed).log
        for row in log.value([{"c": 1.0}], method=list(widths)):
            if row.policy == "always c":
                widths[row.method].append(row.high - row.low)
    means = {name: np.mean(each) for name, each in widths.items()}
    assert means["radr"] <= 1.01 * min(means["ips"], means["dr"])


def test_arms_by_name_and_in_any_order_are_the_same_arms() -> None:
    sample = drawn("still", 1_000, 3)
    backwards = sample.frame.with_columns(arm=pl.col("arm").replace({"a": "z"}))
    one, two = sample.log.value([db.UCB1()]), db.Log.read(backwards).value([{"z": 1.0}])
    assert two["always z"].value == sample.log.value([{"a": 1.0}])["always a"].value
    assert one["as logged"].value == two["as logged"].value
    assert list(ARMS) == sample.log.check().arms


def test_which_rows_are_accepted_has_nothing_to_do_with_how_a_log_was_drawn() -> None:
    """The numbers of `default_rng(0)` choose the arms; those of replay are others."""
    rng, p = np.random.default_rng(0), np.array([0.5, 0.3, 0.2])
    arm = rng.choice(3, 12_000, p=p)
    frame = pl.DataFrame({"time": range(12_000), "arm": arm, "reward": arm == 1})
    log = db.Log.read(frame.with_columns(propensity=p[arm]))
    for each in log.overlap([{0: 1.0}, {1: 1.0}, {2: 1.0}]).policies[1:]:
        assert each.accepted == pytest.approx(0.2, abs=0.015)
