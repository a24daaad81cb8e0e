"""The axis of exploration, one rule a file."""

from driftbandit.policies.explore.gibbs import Gibbs
from driftbandit.policies.explore.greedy import DecayingGreedy, Greedy
from driftbandit.policies.explore.kl import KLUCB
from driftbandit.policies.explore.minimax import AnytimeMinimax, Minimax
from driftbandit.policies.explore.posterior import BetaPosterior, GaussianPosterior
from driftbandit.policies.explore.rule import Explore
from driftbandit.policies.explore.tuned import TunedUCB
from driftbandit.policies.explore.ucb import UCB
from driftbandit.policies.explore.variance import UCBVariance

__all__ = [
    "KLUCB",
    "UCB",
    "AnytimeMinimax",
    "BetaPosterior",
    "DecayingGreedy",
    "Explore",
    "GaussianPosterior",
    "Gibbs",
    "Greedy",
    "Minimax",
    "TunedUCB",
    "UCBVariance",
]
