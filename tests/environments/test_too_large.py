"""Worlds and policies of absurd sizes are refused in one line, before memory or time run out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import driftbandit as db
from driftbandit import environments as worlds

MOST = 2**53


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: worlds.RandomSwitching(breakpoints=2, horizon=MOST), "horizon must be at most"),
        (lambda: worlds.RandomPiecewise(horizon=MOST), "horizon must be at most 1000000000000, "),
        (lambda: worlds.RandomJumps(horizon=MOST).realise(), "horizon must be smaller, or arms: "),
        (lambda: worlds.RandomJumps(arms=MOST).realise(10), "horizon must be smaller, or arms: "),
        (lambda: worlds.Radio(arms=2**60 // 3).realise(10), "arms must be at most"),
        (lambda: worlds.Sinusoid(arms=MOST).best_arm(2), "horizon must be smaller, or arms: "),
        (lambda: worlds.Sinusoid(horizon=MOST).mean_rewards(1, MOST), "last must be smaller: "),
        (lambda: db.MUCB(window=MOST, threshold=1.0, rate=0.1), "window must be at most 134217728"),
        (
            lambda: db.BanditOverBandit(block=MOST).agent(2),
            "BanditOverBandit.room must be at most 134217728, got",
        ),
        (
            lambda: db.simulate(db.BanditOverBandit(block=MOST), worlds.two_swaps(100), runs=1),
            "BanditOverBandit.room must be at most 134217728, got",
        ),
    ],
)
def test_absurd_sizes_are_one_line(make: Callable[[], Any], line: str) -> None:
    with pytest.raises(db.InputError) as error:
        make()
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)
