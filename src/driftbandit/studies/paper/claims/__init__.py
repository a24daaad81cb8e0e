"""Every claim of the paper's section 5 and of its conclusion about the experiments."""

from driftbandit.studies.paper.claims import abrupt, continuous
from driftbandit.studies.paper.claims.abrupt import DELAY
from driftbandit.studies.paper.claims.claim import Check, Claim, Evidence, Finding, Verdict

CLAIMS: tuple[Claim, ...] = (*abrupt.CLAIMS, *continuous.CLAIMS)
"""The claims in the order in which the paper makes them."""


def judge(evidence: Evidence) -> list[Finding]:
    """Judge every claim by what was measured."""
    return [claim.judge(evidence) for claim in CLAIMS]


__all__ = ["CLAIMS", "DELAY", "Check", "Claim", "Evidence", "Finding", "Verdict", "judge"]
