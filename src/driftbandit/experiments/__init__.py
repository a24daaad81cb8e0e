"""The experiments of Garivier & Moulines 2008, run, drawn and judged."""

from driftbandit.experiments.claims import CLAIMS, Claim, Evidence, Finding, Verdict, judge
from driftbandit.experiments.growth import Growth, growth
from driftbandit.experiments.reproduce import Reproduction, reproduce

__all__ = [
    "CLAIMS",
    "Claim",
    "Evidence",
    "Finding",
    "Growth",
    "Reproduction",
    "Verdict",
    "growth",
    "judge",
    "reproduce",
]
