"""The claims about the second experiment, a cosine against a constant, and of the conclusion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.statistics import NORMAL_95
from driftbandit.studies.paper.claims.claim import Check, Claim, Evidence
from driftbandit.studies.paper.claims.measures import ALMOST, nearness, smaller, within
from driftbandit.studies.paper.estimate import Estimate, mean
from driftbandit.studies.paper.experiments import HORIZON

if TYPE_CHECKING:
    from driftbandit.engine import Result

NEIGHBOURS = 50
"""Rounds on either side of a change of the best arm, where the arms are hard to distinguish."""


def _cyclic(evidence: Evidence, _: str) -> list[Check]:
    changes = _changes(evidence)
    spans = np.diff(changes)
    return [
        Check("changes of the best arm", Estimate.exact(len(changes)), above=3),
        Check("rounds between them, shortest", Estimate.exact(spans.min(initial=HORIZON))),
        Check("longest minus shortest", Estimate.exact(np.ptp(spans)), below=1.5),
    ]


def _smooth(evidence: Evidence, _: str) -> list[Check]:
    """Compare the arms' difference near its zeros with its noise under equal plays."""
    means = evidence.continuous.world.realise(HORIZON).mean_rewards(1, HORIZON)
    step = float(np.abs(np.diff(means, axis=0)).max())
    near = [
        np.abs(means[change - NEIGHBOURS - 1 : change + NEIGHBOURS - 1] @ (1.0, -1.0)).max()
        for change in _changes(evidence)
    ]
    noise = NORMAL_95 * math.sqrt(2 * 0.25 / NEIGHBOURS)
    return [
        Check("largest step of a mean", Estimate.exact(step), ".5f", below=0.001),
        Check("largest difference near a change", Estimate.exact(max(near)), ".3f", below=noise),
        Check("against a noise of ±", Estimate.exact(noise), ".3f"),
    ]


def _changes(evidence: Evidence) -> NDArray[np.int64]:
    """Return the first round of each new best arm."""
    best = evidence.continuous.world.best_arm(HORIZON)
    return np.flatnonzero(np.diff(best)) + 2


def _track(evidence: Evidence, discounted: str) -> list[Check]:
    result = evidence.continuous
    return [check for label in (discounted, "SW-UCB") for check in _follows(result, label)]


def _track_less(evidence: Evidence, discounted: str) -> list[Check]:
    result = evidence.continuous
    own = result["EXP3.S"].suboptimal_plays.sum(axis=1)
    missed = [
        Check(
            f"EXP3.S on the best arm, relative to {label}:",
            mean((result[label].suboptimal_plays.sum(axis=1) - own) / HORIZON),
            "+.0%",
            below=0.0,
        )
        for label in (discounted, "SW-UCB")
    ]
    return [*missed, *_follows(result, "EXP3.S")]


def _fails(evidence: Evidence, _: str) -> list[Check]:
    first, second = _shares(evidence.continuous, "UCB-1")
    return [
        Check("UCB-1 on arm 2 while it is best", second, ".0%", below=0.5),
        Check("on arm 1 while it is best", first, ".0%"),
    ]


def _follows(result: Result, label: str) -> list[Check]:
    first, second = _shares(result, label)
    return [
        Check(f"{label} on arm 1 while it is best", first, ".0%", above=0.5),
        Check("on arm 2", second, ".0%", above=0.5),
    ]


def _shares(result: Result, label: str) -> tuple[Estimate, Estimate]:
    """Estimate the share of plays of each arm in the rounds in which it is the best.

    With two arms, every suboptimal play of one arm is a round in which the other is best.
    """
    best = result.world.best_arm(HORIZON)
    missed = result[label].suboptimal_plays
    rounds = [int((best == arm).sum()) for arm in (0, 1)]
    return mean(1.0 - missed[:, 1] / rounds[0]), mean(1.0 - missed[:, 0] / rounds[1])


def _equivalent(evidence: Evidence, discounted: str) -> list[Check]:
    return within(evidence.continuous, discounted, both_sides=True)


def _near(evidence: Evidence, discounted: str) -> list[Check]:
    return nearness(evidence.continuous, discounted, both_sides=True)


def _larger(evidence: Evidence, discounted: str) -> list[Check]:
    return [
        check
        for label in (discounted, "SW-UCB")
        for check in smaller(evidence.continuous, label, ("UCB-1", "EXP3.S"))
    ]


def _outperform(evidence: Evidence, discounted: str) -> list[Check]:
    return [
        check
        for title, result in (("1", evidence.abrupt), ("2", evidence.continuous))
        for label in (discounted, "SW-UCB")
        for check in smaller(result, label, ("EXP3.S",), f"example {title}: ")
    ]


CLAIMS = (
    Claim(
        "The best arm of the second example evolves cyclically.",
        "it changes more than three times, at equal distances",
        _cyclic,
    ),
    Claim(
        "Its transitions are smooth: regularly the two arms are statistically indistinguishable.",
        "no mean moves by 0.001 per round, and around every change of the best arm the difference "
        f"of the arms over {2 * NEIGHBOURS} rounds is below its 95 % noise",
        _smooth,
    ),
    Claim(
        "D-UCB and SW-UCB track the cycles.",
        "each plays either arm more than half of the time while it is the best",
        _track,
        discounted=True,
    ),
    Claim(
        "EXP3.S tracks the cycles to a lesser extent.",
        "it does so too, but plays the best arm less often than D-UCB and SW-UCB do, paired",
        _track_less,
        discounted=True,
    ),
    Claim(
        "UCB-1 fails to identify the best current arm.",
        "it plays arm 2 less than half of the time while that is the best",
        _fails,
    ),
    Claim(
        "In the second example D-UCB and SW-UCB are almost equivalent.",
        f"their mean regrets differ by less than {100 * ALMOST:.0f} % of SW-UCB's, paired",
        _equivalent,
        discounted=True,
    ),
    Claim(
        "— the same claim, read loosely.",
        "they differ by less than half of what SW-UCB's and EXP3.S's or UCB-1's do, paired",
        _near,
        discounted=True,
    ),
    Claim(
        "… while UCB-1 and EXP3.S accumulate larger regrets.",
        "both have a larger regret than D-UCB and than SW-UCB, paired",
        _larger,
        discounted=True,
    ),
    Claim(
        "Conclusion: D-UCB and SW-UCB outperform the tuned EXP3.S on both examples.",
        "each has a smaller regret than EXP3.S in each example, paired",
        _outperform,
        discounted=True,
    ),
)
