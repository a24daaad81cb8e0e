"""The axis of exploration, one rule a file."""

from driftbandit.policies.explore.gibbs import Gibbs
from driftbandit.policies.explore.rule import Explore
from driftbandit.policies.explore.ucb import UCB
from driftbandit.policies.explore.variance import UCBVariance

__all__ = ["UCB", "Explore", "Gibbs", "UCBVariance"]
