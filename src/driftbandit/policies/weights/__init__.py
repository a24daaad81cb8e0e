"""The family of exponential weights, one rule a file."""

from driftbandit.policies.weights.anytime import AnytimeEXP3IX
from driftbandit.policies.weights.exp3p import EXP3P
from driftbandit.policies.weights.exp3pp import EXP3PP
from driftbandit.policies.weights.exp3r import EXP3R
from driftbandit.policies.weights.exp3s import EXP3S
from driftbandit.policies.weights.exp3six import EXP3SIX
from driftbandit.policies.weights.policy import Weights
from driftbandit.policies.weights.rexp3 import REXP3

__all__ = ["EXP3P", "EXP3PP", "EXP3R", "EXP3S", "EXP3SIX", "REXP3", "AnytimeEXP3IX", "Weights"]
