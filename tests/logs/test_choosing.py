"""How policies choose in a replay: the same arms, by themselves and in machine code."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs import choosing
from driftbandit.logs.choosing import Compiled, Plain, chooser_of
from driftbandit.logs.streams import generator
from driftbandit.policies.index.live.choose import IndexLearner
from logs.simulated import drawn

POLICIES = [
    db.Thompson(),
    db.Policy(forget=db.HalfLife("3d"), explore=db.explore.GaussianThompson(), label="Gaussian"),
    db.Policy(forget=db.TimeWindow("9d"), explore=db.KLUCB(), label="KL"),
]


def both(log: db.Log, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    answers = []
    for long in (log.check().good + 1, 1):
        monkeypatch.setattr(choosing, "LONG", long)
        answers.append(log.value(POLICIES).to_dict())
    return answers


def test_a_long_log_is_answered_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = both(drawn("jump", 20_000, seed=0).log, monkeypatch)
    assert short == long


def test_rows_with_eligible_arms_among_rows_without_are_answered_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = drawn("still", 3_000, seed=0).frame
    pairs = pl.when(pl.col("arm") == "c").then(pl.lit("a|b|c")).otherwise(pl.lit("b|a"))
    log = db.Log.read(frame.with_columns(eligible=pairs))
    short, long = both(log, monkeypatch)
    assert short == long


def test_only_costly_choices_of_long_logs_are_compiled() -> None:
    thompson, ucb = db.Thompson().learner(3), db.UCB1().learner(3)
    assert isinstance(chooser_of(thompson, choosing.LONG, 0), Compiled)
    assert isinstance(chooser_of(thompson, choosing.LONG - 1, 0), Plain)
    assert isinstance(chooser_of(ucb, choosing.LONG, 0), Plain)


def test_random_numbers_are_drawn_in_one_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "AHEAD", 7)  # no number of a choice divides it
    learner = db.Thompson().learner(3)
    assert isinstance(learner, IndexLearner)
    plain = Plain(learner, generator(0, "choices"))
    compiled = Compiled(learner, generator(0, "choices"))
    whole = generator(0, "choices").random(100)
    assert [plain.draw() for _ in range(100)] == whole.tolist()
    places = [compiled.draw() for _ in range(4)]
    compiled.choose()
    rest = [compiled.draw() for _ in range(81)]
    expected = np.concatenate([whole[:4], whole[19:]])
    assert np.array_equal(np.array(places + rest), expected)


RULES = [db.explore.Thompson(), db.explore.GaussianThompson(), db.KLUCB(c=1.0)]
MEMORIES = [db.forget.Full(), db.HalfLife(30.0), db.TimeWindow(40.0), db.Window(25)]


@pytest.mark.parametrize("explore", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("forget", MEMORIES, ids=lambda rule: type(rule).__name__)
def test_machine_code_chooses_what_the_learner_chooses(
    explore: db.Explore, forget: db.Forget
) -> None:
    rng = np.random.default_rng(0)
    learner = db.Policy(forget=forget, explore=explore).learner(3)
    assert isinstance(learner, IndexLearner)
    compiled, plain = (kind(learner, generator(0, "choices")) for kind in (Compiled, Plain))
    played = [0, 0, 0]
    for t in range(400):
        arm = plain.choose()
        assert compiled.choose() == arm
        played[arm] += 1
        learner.tick(3.0 * t)
        learner.learn(arm, float(rng.random() < 0.3 + 0.1 * arm))
    assert min(played) >= 5


@pytest.mark.parametrize(
    "policy",
    [
        db.Auto(),
        db.EXP3S.tuned(1_000, 1, 3),
        db.Policy(detect=db.GLR(delta=0.01), explore=db.KLUCB()),
        db.Policy(force=db.force.RandomForce(0.1), explore=db.explore.Thompson()),
    ],
    ids=lambda policy: policy.label,
)
def test_other_learners_choose_by_themselves(policy: db.Strategy) -> None:
    assert isinstance(chooser_of(policy.learner(3), choosing.LONG, 0), Plain)
