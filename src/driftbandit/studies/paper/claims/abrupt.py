"""The claims about the first experiment: three arms, two breakpoints."""

from __future__ import annotations

import itertools
import math

import numpy as np

from driftbandit.studies.paper.claims.claim import Check, Claim, Evidence, worst
from driftbandit.studies.paper.claims.measures import (
    ALMOST,
    BLOCK,
    Runs,
    delay,
    nearness,
    regret_at,
    share,
    within,
)
from driftbandit.studies.paper.estimate import Estimate, excess, mean
from driftbandit.studies.paper.experiments import BREAKPOINTS, FACTORS, HORIZON, scaled_label

FIRST, SECOND = BREAKPOINTS
STRETCHES = ((0, FIRST - 1, 0), (FIRST, SECOND - 1, 2), (SECOND, HORIZON, 0))
"""(start, last round, best arm) of each stretch between breakpoints."""


def _optimal(evidence: Evidence, _: str) -> list[Check]:
    best = evidence.abrupt.world.best_arm(HORIZON)
    rounds = np.arange(1, HORIZON + 1)
    first_is_best = (rounds < FIRST) | (rounds >= SECOND)
    wrong = int(((best == 0) != first_is_best).sum())
    return [Check("rounds that contradict it:", Estimate.exact(wrong), below=0.5)]


def _related(evidence: Evidence, _: str) -> list[Check]:
    """Correlate plays of arm 1 with regret over policies, and look for a pair that disagrees."""
    result = evidence.abrupt
    plays = {label: result[label].plays[:, 0] for label in result}
    regrets = {label: result[label].final_regret for label in result}
    x, y = (np.array(list(table.values())) for table in (plays, regrets))
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    correlation = mean((x * y).sum(axis=0) / np.sqrt((x * x).sum(axis=0) * (y * y).sum(axis=0)))
    pairs = [
        (f"{one} against {two}", mean(plays[one] - plays[two]), mean(regrets[one] - regrets[two]))
        for one, two in itertools.permutations(result, 2)
    ]
    name, more, worse = max(pairs, key=lambda pair: min(pair[1].low, pair[2].low))
    return [
        Check("correlation over the policies of a run", correlation, ".2f", below=0.0),
        Check(f"{name}: more plays of arm 1", more, "+.0f", above=0.0),
        Check("and yet more regret", worse, "+.0f", above=0.0),
    ]


def _parameters(evidence: Evidence, discounted: str) -> list[Check]:
    checks = []
    for name in (discounted, "SW-UCB", "EXP3.S"):
        regrets = {f: evidence.sweep[scaled_label(name, f)].final_regret for f in FACTORS}
        best = min(FACTORS, key=lambda factor: float(regrets[factor].mean()))
        loss = Estimate.exact(0.0) if best == 1.0 else excess(regrets[1.0], regrets[best])
        checks.append(Check(f"{name}: best × {best:g}, loss", loss, ".0%", below=ALMOST))
    return checks


def _almost(evidence: Evidence, discounted: str) -> list[Check]:
    return within(evidence.abrupt, discounted)


def _nearer(evidence: Evidence, discounted: str) -> list[Check]:
    return nearness(evidence.abrupt, discounted)


def _delays(evidence: Evidence, label: str) -> tuple[Runs, Runs]:
    return (
        delay(evidence.abrupt, label, FIRST, SECOND - 1, gap=0.4),
        delay(evidence.abrupt, label, SECOND, HORIZON - 1, gap=0.1),
    )


def _detects(evidence: Evidence, discounted: str) -> list[Check]:
    both = {label: _delays(evidence, label) for label in (discounted, "SW-UCB", "EXP3.S", "UCB-1")}
    means = [
        Check(f"{label} after {change}:", mean(delays[place]))
        for label, delays in both.items()
        for place, change in enumerate(BREAKPOINTS)
    ]
    gaps = [
        Check(f"{one} − {two} after {change}:", mean(both[one][i] - both[two][i]), below=0.0)
        for one in (discounted, "SW-UCB")
        for two in ("EXP3.S", "UCB-1")
        for i, change in enumerate(BREAKPOINTS)
    ]
    return [*means, *worst(gaps)]


def _concentrates(evidence: Evidence, discounted: str) -> list[Check]:
    return [
        Check(
            f"{label}, rounds {start + 1000}–{last}:",
            share(evidence.abrupt, label, arm, start + 999, last),
            ".0%",
            above=0.5,
        )
        for label in (discounted, "SW-UCB")
        for start, last, arm in STRETCHES
    ]


def _initially(evidence: Evidence, _: str) -> list[Check]:
    regrets = {label: regret_at(evidence.abrupt, label, FIRST - 1) for label in evidence.abrupt}
    own = regrets.pop("UCB-1")
    gaps = [
        Check(f"UCB-1 − {label}:", mean(own - other), "+.0f", below=0.0)
        for label, other in regrets.items()
    ]
    return [Check("UCB-1", mean(own)), *worst(gaps)]


def _reacts(evidence: Evidence, _: str) -> list[Check]:
    ucb, others = _delays(evidence, "UCB-1")[0], ("SW-UCB", "EXP3.S")
    never = mean((ucb > SECOND - FIRST - BLOCK).astype(np.float64))
    return [
        Check("UCB-1", mean(ucb), below=100.0 + BLOCK),
        Check("runs that need the whole stretch", never, ".1%"),
        *(Check(label, mean(_delays(evidence, label)[0])) for label in others),
    ]


def _loose(evidence: Evidence, _: str) -> list[Check]:
    """Compare UCB-1's paddings of arms 3 and 1, √(log t / (2 N)), at their mean plays."""
    plays = [share(evidence.abrupt, "UCB-1", arm, 0, FIRST - 1) for arm in (0, 2)]
    first, third = (
        Estimate(*(_padding(count) for count in (part.mean, part.high, part.low))) for part in plays
    )
    ratio = Estimate(third.mean / first.mean, third.low / first.high, third.high / first.low)
    return [
        Check("arm 3: ±", third, ".3f"),
        Check("arm 1: ±", first, ".3f"),
        Check("ratio", ratio, ".1f", above=2.0),
    ]


def _padding(share_of_plays: float) -> float:
    rounds = FIRST - 1
    return math.sqrt(0.5 * math.log(rounds) / (share_of_plays * rounds))


def _returns(evidence: Evidence, _: str) -> list[Check]:
    late = _delays(evidence, "UCB-1")[1]
    never = mean((late >= HORIZON - SECOND - BLOCK).astype(np.float64))
    return [
        Check("UCB-1", mean(late), above=(HORIZON - SECOND) / 2),
        Check("runs that never do", never, ".0%"),
        Check("SW-UCB", mean(_delays(evidence, "SW-UCB")[1])),
    ]


DELAY = (
    f"delay: rounds until the end of the first block of {BLOCK} rounds in which the new best arm "
    "has more than half of the plays (a run without such a block counts up to the next breakpoint "
    "or the horizon)"
)

CLAIMS = (
    Claim(
        "The optimal policy plays arm 1 before round 3000 and from round 5000 on.",
        "it is true in every round",
        _optimal,
    ),
    Claim(
        "The number of plays of arm 1 and the regret are related, but not equivalent.",
        "they correlate negatively over the policies of a run, and yet one policy plays arm 1 more "
        "often than another and has the larger regret",
        _related,
    ),
    Claim(
        "The parameters are roughly optimal for the horizon and the number of breakpoints.",
        "for 1 − γ, τ and EXP3.S's exploration, none of ¼, ½, 2, 4 times the paper's value lowers "
        f"the regret so far that the paper's value loses {100 * ALMOST:.0f} % against it",
        _parameters,
        discounted=True,
    ),
    Claim(
        "D-UCB performs almost as well as SW-UCB, consistently over the simulations.",
        f"D-UCB's mean regret exceeds SW-UCB's by less than {100 * ALMOST:.0f} %, paired",
        _almost,
        discounted=True,
    ),
    Claim(
        "— the same claim, read loosely.",
        "D-UCB's mean regret is nearer to SW-UCB's than to EXP3.S's and UCB-1's, paired",
        _nearer,
        discounted=True,
    ),
    Claim(
        "Both waste significantly less time than EXP3.S and UCB-1 to detect the breakpoints.",
        "the mean delay of each is below that of EXP3.S and of UCB-1 after each breakpoint, paired",
        _detects,
        discounted=True,
    ),
    Claim(
        "Both quickly concentrate their pulls on the optimal arm.",
        "from 1000 rounds after the start of each stretch to its end, each plays the best arm more "
        "than half of the time",
        _concentrates,
        discounted=True,
    ),
    Claim(
        "UCB-1 is initially the best policy.",
        "its regret up to round 2999 is the smallest, paired",
        _initially,
    ),
    Claim(
        "UCB-1 reacts very fast to the first breakpoint.",
        f"its mean delay is below {100 + BLOCK} rounds",
        _reacts,
    ),
    Claim(
        "… as the confidence interval for arm 3 is then very loose.",
        "at round 3000 UCB-1's padding of arm 3 is more than twice that of arm 1",
        _loose,
    ),
    Claim(
        "UCB-1 takes a very long time after the second breakpoint to play arm 1 again.",
        "its mean delay is more than half of the 5000 rounds that are left",
        _returns,
    ),
)
