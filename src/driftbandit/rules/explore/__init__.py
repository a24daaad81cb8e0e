"""The axis of exploration, one rule per file, under the names of the literature."""

from driftbandit.rules.explore.gibbs import Softmax
from driftbandit.rules.explore.greedy import DecayingGreedy, EpsilonGreedy
from driftbandit.rules.explore.kl import KLUCB
from driftbandit.rules.explore.minimax import MOSS, AnytimeMOSS
from driftbandit.rules.explore.posterior import GaussianThompson, Thompson
from driftbandit.rules.explore.rule import Explore
from driftbandit.rules.explore.tuned import UCBTuned
from driftbandit.rules.explore.ucb import UCB
from driftbandit.rules.explore.variance import UCBV

# What `db` calls these rules: there the names of the literature are those of the policies.
AnytimeMinimax = AnytimeMOSS
BetaPosterior = Thompson
GaussianPosterior = GaussianThompson
Gibbs = Softmax
Greedy = EpsilonGreedy
Minimax = MOSS
TunedUCB = UCBTuned
UCBVariance = UCBV

__all__ = [
    "KLUCB",
    "MOSS",
    "UCB",
    "UCBV",
    "AnytimeMOSS",
    "DecayingGreedy",
    "EpsilonGreedy",
    "Explore",
    "GaussianThompson",
    "Softmax",
    "Thompson",
    "UCBTuned",
]


def __dir__() -> list[str]:
    """List the rules, without the modules they are written in."""
    return sorted(__all__)
