"""The experiments of Garivier & Moulines 2008: run, drawn, and their claims judged."""

from driftbandit.studies.paper.claims import CLAIMS, Claim, Evidence, Finding, Verdict, judge
from driftbandit.studies.paper.growth import Growth, growth
from driftbandit.studies.paper.reproduce import Reproduction, reproduce

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
