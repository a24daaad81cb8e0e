"""A claim of the paper, and how measurements judge it."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from driftbandit.studies.paper.estimate import Estimate
from driftbandit.studies.paper.experiments import HALVED, PRINTED

if TYPE_CHECKING:
    from driftbandit.engine import Result


class Verdict(enum.Enum):
    """What the measurements say about a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    HALVED = "holds only with padding B"
    UNDECIDED = "undecided: too few runs"


@dataclasses.dataclass(frozen=True)
class Evidence:
    """The results that claims are judged by."""

    abrupt: Result
    continuous: Result
    sweep: Result


@dataclasses.dataclass(frozen=True)
class Check:
    """An estimate whose whole 95 % interval must lie strictly between two limits.

    Without limits it only informs the reader. A check that is not `shown` still counts.

    >>> Check("excess", Estimate(0.2, 0.1, 0.3), below=0.25).holds is None
    True
    """

    name: str
    estimate: Estimate
    form: str = ".0f"
    above: float = -math.inf
    below: float = math.inf
    shown: bool = True

    @property
    def holds(self) -> bool | None:
        """Whether the interval lies inside the limits; None if a limit cuts it."""
        if self.above < self.estimate.low and self.estimate.high < self.below:
            return True
        if self.estimate.high <= self.above or self.estimate.low >= self.below:
            return False
        return None

    def __str__(self) -> str:
        """Return the name and the estimate."""
        return f"{self.name} {self.estimate:{self.form}}"


@dataclasses.dataclass(frozen=True)
class Finding:
    """A claim, what was measured, and the verdict."""

    claim: Claim
    measured: str
    verdict: Verdict


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim of the paper, the criterion for it to hold, and the checks that decide.

    `checks` is called with the evidence and with the label of the policy to take for D-UCB. A claim
    about D-UCB is `discounted`: it is judged with the printed padding 2B and with padding B.
    """

    text: str
    criterion: str
    checks: Callable[[Evidence, str], Sequence[Check]]
    discounted: bool = False

    @property
    def words(self) -> str:
        """The claim's text, under its former name."""
        return self.text

    def judge(self, evidence: Evidence) -> Finding:
        """Return what the evidence says about the claim."""
        printed = self.checks(evidence, PRINTED)
        if not self.discounted:
            return Finding(self, _text(printed), _verdict(_holds(printed)))
        halved = self.checks(evidence, HALVED)
        verdict = _verdict(_holds(printed), _holds(halved))
        shared = [check for check in printed if check in halved]
        own = _text([check for check in printed if check not in shared])
        other = _text([check for check in halved if check not in shared])
        parts = [own, f"with padding B: {other.replace(HALVED, PRINTED)}", _text(shared)]
        return Finding(self, " · ".join(part for part in parts if part), verdict)


def _text(checks: Sequence[Check]) -> str:
    return "; ".join(str(check) for check in checks if check.shown)


def _holds(checks: Sequence[Check]) -> bool | None:
    answers = [check.holds for check in checks]
    if False in answers:
        return False
    return None if None in answers else True


def _verdict(printed: bool | None, halved: bool | None = False) -> Verdict:
    if printed:
        return Verdict.HOLDS
    if printed is None or halved is None:
        return Verdict.UNDECIDED
    return Verdict.HALVED if halved else Verdict.FAILS


def worst(checks: Sequence[Check]) -> list[Check]:
    """Return the checks, of which only the one nearest to its upper limit is shown.

    >>> checks = [Check("a", Estimate.exact(value), below=3) for value in (1, 2)]
    >>> [check.shown for check in worst(checks)]
    [False, True]
    """
    nearest = max(checks, key=lambda check: check.estimate.high - check.below)
    return [dataclasses.replace(check, shown=check is nearest) for check in checks]
