"""The axis of exploration, one rule a file."""

from driftbandit.rules.explore.gibbs import Gibbs
from driftbandit.rules.explore.greedy import DecayingGreedy, Greedy
from driftbandit.rules.explore.kl import KLUCB
from driftbandit.rules.explore.minimax import AnytimeMinimax, Minimax
from driftbandit.rules.explore.posterior import BetaPosterior, GaussianPosterior
from driftbandit.rules.explore.rule import Explore
from driftbandit.rules.explore.tuned import TunedUCB
from driftbandit.rules.explore.ucb import UCB
from driftbandit.rules.explore.variance import UCBVariance

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
