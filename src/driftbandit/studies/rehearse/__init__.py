"""Rehearsal: live agents in a simulated world, under the conditions of production."""

from driftbandit.studies.rehearse.conditions import Conditions
from driftbandit.studies.rehearse.rehearse import rehearse

__all__ = ["Conditions", "rehearse"]
