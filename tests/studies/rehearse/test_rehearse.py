"""Live agents in a simulated world: like `simulate` where nothing is late, and told of what is."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.studies.rehearse.conditions import Conditions, Delay
from driftbandit.studies.rehearse.traffic import traffic_of

WORLD = db.environments.two_swaps(horizon=600)
DRAWLESS = [
    db.UCB1(),
    db.DiscountedUCB(discount=0.98),
    db.SlidingWindowUCB(window=100),
    db.EXP3S(0.1, 0.01),
    db.Auto(),
]


def test_with_nothing_late_it_is_simulate() -> None:
    live, compiled = (
        db.rehearse(DRAWLESS, WORLD, runs=3, seed=5),
        db.simulate(DRAWLESS, WORLD, runs=3, seed=5),
    )
    for label, outcome in compiled.items():
        for name in ("regret", "plays", "suboptimal_plays", "play_share", "share_error"):
            ours, theirs = getattr(live[label], name), getattr(outcome, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12, err_msg=label)


def test_other_laws_and_bounds_are_those_of_simulate() -> None:
    world = db.environments.two_swaps(horizon=300).replace(
        law=db.environments.laws.Beta(5.0), bound=4.0, means=((2.0, 1.2, 1.6),) * 3
    )
    policy = db.UCB1(bound=4.0)
    live, compiled = db.rehearse(policy, world, runs=2), db.simulate(policy, world, runs=2)
    np.testing.assert_allclose(live["UCB-1"].regret, compiled["UCB-1"].regret, rtol=1e-9)


def test_a_world_that_differs_from_run_to_run_is_that_of_simulate() -> None:
    world = db.environments.RandomSwitching(arms=3, rate=0.01)
    live, compiled = (play(db.UCB1(), world, 300, runs=2) for play in (db.rehearse, db.simulate))
    np.testing.assert_allclose(live["UCB-1"].regret, compiled["UCB-1"].regret)


def test_processes_play_the_same() -> None:
    conditions: dict[str, Any] = {"delay": (5, 50), "lost": 0.2, "runs": 4}
    one = db.rehearse(db.Auto(), WORLD, **conditions)
    two = db.rehearse(db.Auto(), WORLD, workers=2, **conditions)
    np.testing.assert_array_equal(one["Auto"].regret, two["Auto"].regret)


def test_rewards_that_never_come_teach_nothing() -> None:
    result = db.rehearse(db.UCB1(), WORLD, lost=1.0, runs=2)
    share = result["UCB-1"].play_share[-1]
    np.testing.assert_allclose(share, 1 / 3)  # by turns


def test_late_rewards_cost() -> None:
    policy = db.DiscountedUCB(discount=0.98)
    regrets = [
        db.rehearse(policy, WORLD, delay=delay, runs=8)["D-UCB"].final_regret.mean()
        for delay in (0, 20, 200)
    ]
    assert regrets[0] < regrets[1] < regrets[2]


def test_the_same_reward_twice_counts_once() -> None:
    once = db.rehearse(db.UCB1(), WORLD, runs=2, delay=3)
    twice = db.rehearse(db.UCB1(), WORLD, runs=2, delay=3, duplicated=1.0)
    np.testing.assert_array_equal(once["UCB-1"].regret, twice["UCB-1"].regret)


def test_a_reward_after_its_time_is_lost() -> None:
    late = db.rehearse(db.UCB1(), WORLD, runs=2, delay=50, reward_within="10s")
    never = db.rehearse(db.UCB1(), WORLD, runs=2, lost=1.0, reward_within="10s")
    np.testing.assert_array_equal(late["UCB-1"].regret, never["UCB-1"].regret)


def test_only_arms_in_play_are_played() -> None:
    result = db.rehearse(db.UCB1(), WORLD, runs=2, arms={2: (101, 300), 0: (None, 400)})
    plays = result["UCB-1"].plays
    assert (plays[:, 2] <= 200).all()
    assert (plays[:, 0] <= 400).all()
    assert (plays[:, 2] > 0).all()
    assert (np.diff(result["UCB-1"].regret, axis=1) >= 0.0).all()


def test_servers_that_lag_behind_differ_only_by_what_they_have_not_seen() -> None:
    alone = db.rehearse(db.UCB1(), WORLD, runs=2)
    several = db.rehearse(db.UCB1(), WORLD, runs=2, servers=3)
    np.testing.assert_array_equal(alone["UCB-1"].regret, several["UCB-1"].regret)
    behind = db.rehearse(db.UCB1(), WORLD, runs=2, servers=3, behind=20)
    assert (behind["UCB-1"].final_regret != alone["UCB-1"].final_regret).all()


def test_short_memory_is_said_once() -> None:
    with pytest.warns(db.ShortMemoryWarning, match="holds 90 decisions") as caught:
        db.rehearse(db.SlidingWindowUCB(window=100), WORLD, runs=2, delay=5, reward_within="90s")
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_progress_counts_all_rounds() -> None:
    seen: list[tuple[int, int]] = []
    db.rehearse(db.UCB1(), WORLD, runs=2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(600, 1200), (1200, 1200)]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"delay": -1}, "delay must be a whole number of at least 0, got -1"),
        ({"delay": (5, 2)}, "delay must have its shortest before its longest, got (5, 2)"),
        ({"delay": np.array([1, 2, 3])}, "delay must be one, or a pair"),
        ({"delay": (1, 2, 3)}, "delay must be one, or a pair: the shortest and the longest"),
        ({"delay": lambda u: -u}, "delay must return a number of decisions, got -"),
        ({"lost": 1.5}, "lost must lie in [0, 1], got 1.5"),
        ({"duplicated": "x"}, "duplicated must"),
        ({"arrivals": [1, 2]}, "arrivals must be decisions per hour: one number, or one for each"),
        ({"arrivals": 0}, "arrivals of a day must lie in [0.001, 1e12], got 0.0"),
        ({"arrivals": 1e12}, "arrivals of a day must lie in [0.001, 1e12], got 24000000000000.0"),
        ({"arrivals": 1e308}, "arrivals of a day must lie in [0.001, 1e12], got inf"),
        ({"arrivals": [-1, *[1] * 23]}, "arrivals must be at least 0, got"),
        ({"arrivals": True}, "arrivals must be decisions per hour: one number, or one for each"),
        ({"delay": lambda: 1}, "delay must be a function of (u), got"),
        ({"servers": 10**7}, "servers must be at most 1000, got 10000000"),
        ({"default_reward": 2}, "default_reward must lie in [0, 1], got 2"),
        ({"arms": 5}, "arms must map arms to (first round, last round), got 5"),
        ({"arms": {7: (1, 2)}}, "arms must name arms of the world, which has 3, got 7"),
        ({"arms": {0: (9, 2)}}, "arms must have a first round before the last one, got (9, 2)"),
        ({"arms": dict.fromkeys(range(3), (2, 3))}, "arms must leave one in play in every round"),
        ({"servers": 0}, "servers must"),
        ({"behind": -1}, "behind must"),
        ({"workers": 0}, "workers must"),
        ({"floor": 2.0}, "floor must lie in [0, 1], got 2.0"),
        ({"policies": db.Uniform(), "world": db.linear.Rotating(), "decisions": 9}, "world must"),
        ({"world": db.environments.Stationary((0.1, 0.2))}, "decisions must be given: this world"),
        ({"decisions": 601}, "decisions must be at most 600, the world's last round, got 601"),
    ],
)
def test_bad_conditions_are_named(given: dict[str, Any], line: str) -> None:
    arguments = {"policies": db.UCB1(), "world": WORLD, "runs": 1, **given}
    with pytest.raises(db.InputError) as error:
        db.rehearse(**arguments)
    assert str(error.value).startswith(line)


def test_delays_are_drawn_evenly() -> None:
    u = (np.arange(60) + 0.5) / 60
    drawn = Delay.checked((2, 4)).drawn(u)
    assert np.bincount(drawn.astype(int)).tolist() == [0, 0, 20, 20, 20]
    assert Delay.checked(lambda each: 10.0 * each).drawn(u).max() == 9.0
    seconds = Delay.checked(("1m", "2m")).drawn(u)
    assert seconds.min() > 60.0
    assert seconds.max() < 120.0


def test_traffic_follows_the_hours() -> None:
    rates = (0.0,) * 8 + (100.0,) * 12 + (50.0,) * 4
    traffic = traffic_of(Conditions(arrivals=rates), 14_000, 1.0, seed=1, run=0)
    hours = np.array(traffic.times) % 86_400 // 3600
    counts = np.bincount(hours.astype(int), minlength=24)
    assert counts[:8].sum() == 0
    days = np.array(traffic.times).max() / 86_400
    assert abs(counts[8:20].sum() / (days * 1_200) - 1.0) < 0.05
    assert (np.diff(traffic.times) > 0.0).all()


def test_a_reward_comes_after_its_decision_and_in_order_of_time() -> None:
    conditions = Conditions(Delay.checked(("1s", "9s")), lost=0.1, duplicated=0.3)
    traffic = traffic_of(conditions, 1_000, 2.0, seed=0, run=3)
    assert all(each.before > each.decision for each in traffic.deliveries)
    assert all(each.at >= traffic.times[each.decision] for each in traffic.deliveries)
    times = [each.at for each in traffic.deliveries]
    assert times == sorted(times)
    assert 1_000 < len(traffic.deliveries) < 1_300


def test_no_warning_without_a_cause() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        db.rehearse(db.SlidingWindowUCB(window=400), WORLD, 50, delay=5, reward_within="9s", runs=1)
