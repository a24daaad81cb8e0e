"""Arms that are not always eligible: what plays among them, and what cannot be told of them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.players import Replayed, shared_of

ROWS = 3_000
SETS = [["red", "blue"], ["blue", "green"]]
RATES = {"red": 0.8, "blue": 0.5, "green": 0.1}
BEST = 0.65
"""What is earned by red where it is eligible, and blue elsewhere."""


def frame() -> pl.DataFrame:
    """Return rows of which each offers two of three arms, drawn by a coin."""
    rng = np.random.default_rng(5)
    sets = rng.integers(0, 2, ROWS)
    arms = [SETS[each][rng.integers(0, 2)] for each in sets.tolist()]
    return pl.DataFrame({
        "time": 1.7e9 + 600.0 * np.arange(ROWS),
        "arm": arms,
        "reward": [int(rng.random() < RATES[arm]) for arm in arms],
        "propensity": 0.5,
        "eligible": ["|".join(SETS[each]) for each in sets.tolist()],
    })  # fmt: skip


LOG = db.Log.read(frame())


@pytest.mark.parametrize(
    "policy", [db.UCB1(), db.Thompson(), db.Auto(), db.EXP3S(exploration=0.1, sharing=1e-4)]
)
def test_a_policy_that_learns_plays_eligible_arms_alone(policy: db.Policy) -> None:
    evidence = LOG._evidence
    player, rng = Replayed(policy, evidence, 0), np.random.default_rng(0)
    for piece in evidence.pieces():
        play = player.play(piece, shared_of(piece, evidence, rng))
        assert play.choice is not None
        assert evidence.mask[piece.rows.eligible, play.choice].all()


@pytest.mark.parametrize("policy", [db.UCB1(), db.Thompson()])
def test_a_policy_that_learns_earns_what_eligible_arms_pay(policy: db.Policy) -> None:
    row = LOG.value(policy)[policy.label]
    assert row.value == pytest.approx(BEST, abs=0.02)


def test_a_policy_learns_by_the_probability_among_eligible_arms() -> None:
    """Each red row is as likely as none: with weights over all three arms it would be rarer."""
    names = ["red", "blue", "green"]
    alone = frame().with_columns(eligible=pl.col("arm"), propensity=1.0)
    policy = db.EXP3S(exploration=0.1, sharing=1e-4)
    evidence = db.Log.read(alone)._evidence
    player, rng = Replayed(policy, evidence, 0), np.random.default_rng(0)
    for piece in evidence.pieces():
        player.play(piece, shared_of(piece, evidence, rng))
    agent = policy.agent(arms=sorted(names), seed=0)
    for arm, reward in alone.select("arm", "reward").iter_rows():
        agent.reward(agent.decide(eligible=[arm]).id, reward)
    live, replayed = agent.probabilities(), player._learner.law([0, 1, 2])
    assert [live[name] for name in sorted(names)] == pytest.approx(replayed)


def test_propensities_are_estimated_among_eligible_arms() -> None:
    """Two or three arms, each as likely: green was taken for rarer, and counted 1.16 times."""
    rng = np.random.default_rng(0)
    sets = [["red", "blue"], ["red", "blue", "green"]]
    offered = [sets[each] for each in rng.integers(0, 2, ROWS).tolist()]
    arms = [each[rng.integers(0, len(each))] for each in offered]
    rows = frame().drop("propensity")
    log = db.Log.read(rows.with_columns(arm=pl.Series(arms), eligible=pl.Series(offered)))
    green = sum(
        (1.0 / piece.rows.propensity[piece.rows.arm == 1]).sum() for piece in log._evidence.pieces()
    )
    assert green / sum(len(each) == 3 for each in offered) == pytest.approx(1.0, abs=0.03)


def test_an_arm_is_not_absent_where_it_was_not_eligible() -> None:
    """Green comes into play in the middle, and no propensities are known."""
    late = frame().drop("propensity").with_row_index()
    late = late.with_columns(
        arm=pl.when(pl.col("index") < ROWS // 2, pl.col("arm") == "green")
        .then(pl.lit("blue"))
        .otherwise(pl.col("arm")),
        eligible=pl.when(pl.col("index") < ROWS // 2)
        .then(pl.lit("red|blue"))
        .otherwise(pl.lit("red|blue|green")),
    )
    assert db.Log.read(late).value({"green": 1.0})["always green"].why == ""
    whole = db.Log.read(late.with_columns(eligible=pl.lit("red|blue|green")))
    assert "absent from the log for long" in whole.value({"green": 1.0})["always green"].why


def test_the_fitted_world_says_nothing_where_arms_were_not_always_eligible() -> None:
    values = LOG.value([{"red": 1.0}, db.UCB1()], method="world")
    why = "cannot tell: in the fitted world all arms are always eligible, which they were not"
    assert [row.policy for row in values if row.why.startswith(why)] == ["always red", "UCB-1"]
    assert values["as logged"].low < float(frame()["reward"].mean()) < values["as logged"].high  # type: ignore[arg-type]  # Polars means many kinds
    tuning = LOG.tune(db.Thompson(), spans=["4d"])
    assert tuning.policy is None
    assert tuning.advice.startswith("Cannot tell what policies earn live: in the fitted world all")
    assert "all arms are always eligible" in LOG.world().remarks()[0]
    report = LOG.report()
    assert report.advice.action == (
        "Let a policy decide that learns as rewards come in: Auto earned most."
    )


def test_arms_that_are_always_eligible_change_nothing() -> None:
    rows = frame().drop("eligible")
    whole = db.Log.read(rows.with_columns(eligible=pl.lit("red|blue|green")))
    assert not whole._evidence.restricted
    assert whole.world().remarks() == db.Log.read(rows).world().remarks()


def test_the_order_in_which_eligible_arms_are_written_changes_nothing() -> None:
    """Each order was a set of its own, with draws of its own."""
    rows = frame()
    turned = pl.Series([
        "|".join(reversed(text.split("|"))) if place % 3 else text
        for place, text in enumerate(rows["eligible"])
    ])  # fmt: skip
    policy = db.EXP3S(exploration=0.1, sharing=1e-4)
    one, two = (log.value(policy) for log in (LOG, db.Log.read(rows.with_columns(eligible=turned))))
    assert [row.value for row in one] == [row.value for row in two]


def test_of_an_arm_that_was_never_played_the_report_says_what_to_do() -> None:
    rows = frame().with_columns(eligible=pl.lit("red|blue|green|violet"))
    advice = db.Log.read(rows).report(policies=db.UCB1(), tune=False).advice
    assert advice.action == (
        "Try “violet” first, or compare policies without: the log does not show what comes of it."
    )


def test_nothing_is_told_of_a_policy_that_plays_an_untried_arm_where_its_own_is_not_eligible() -> (
    None
):
    """Where red cannot be played, blue and violet are, and the log does not show violet."""
    rows = frame().with_columns(
        eligible=pl.when(pl.col("arm") == "red").then(pl.lit("red|blue")).otherwise(
            pl.lit("blue|green|violet")
        ),
    )  # fmt: skip
    values = db.Log.read(rows).value([{"red": 1.0}, {"red": 0.5, "blue": 0.5}])
    assert values["always red"].why.startswith("cannot tell: it may play violet")
    assert values["red 0.5, blue 0.5"].value > 0.0


def test_what_stands_in_rows_that_are_set_aside_is_no_arm() -> None:
    odd = [pl.lit("header"), pl.lit("header|footer")]
    rows = pl.concat([
        frame(),
        frame().tail(2).with_columns(arm=odd[0], eligible=odd[1], reward=7, time=1.8e9),
    ], how="vertical_relaxed")  # fmt: skip
    aside, whole = db.Log.read(rows, bad="set aside"), LOG.value()
    assert aside.check().arms == LOG.check().arms
    values = aside.value()
    assert [(row.policy, row.value) for row in values] == [
        (row.policy, row.value) for row in whole
    ]  # fmt: skip
    assert "header" in db.Log.read(rows).check().arms  # which nothing leaves out
