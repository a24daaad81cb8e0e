"""Values over time: they add up to the value, and their intervals hold."""

from __future__ import annotations

import numpy as np
import pytest

import driftbandit as db
from logs.simulated import drawn


def test_the_stretches_add_up() -> None:
    frame = drawn("drift", 3_000, 0).frame
    values = db.Log.read(frame).value([{"a": 1.0}, db.UCB1()])
    assert [each.policy for each in values.course] == ["as logged", "always a", "UCB-1"]
    for course in values.course:
        assert len(course.ends) == 21  # 219 blocks
        assert np.all(np.diff(course.ends) > 0)
        assert np.mean(course.values) == pytest.approx(values[course.policy].value, abs=0.003)
        assert np.all(np.array(course.low) <= course.values)
        assert np.all(np.array(course.high) >= course.values)
    logged = values.course[0]
    rows = frame.filter(frame["time"] > logged.ends[-2] + 3_600)
    assert logged.values[-1] == pytest.approx(rows["reward"].mean(), abs=0.05)
    assert db.Log.read(frame).value({"a": 1.0}, at="now").course == []
    assert db.Log.read(frame[:60]).value({"a": 1.0}).course[0].values[0] >= 0.0
    assert db.Log.read(frame[:10]).value().course == []


def test_intervals_of_stretches_hold() -> None:
    inside, wide = [], []
    for seed in range(60):
        log = drawn("still", 3_000, seed)
        (_, course) = db.Log.read(log.frame).value({"a": 1.0}).course
        truth = float(np.mean(log.means[:, 0]))
        inside.append((np.array(course.low) <= truth) & (truth <= np.array(course.high)))
        wide.append(np.array(course.high) - course.low)
    assert 0.93 < np.mean(inside) < 0.98  # 1,260 of them
    assert 0.2 < np.mean(wide) < 0.4
