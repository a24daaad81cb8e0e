"""Worlds: where rewards come from, one world per file."""

from collections.abc import Callable

from driftbandit.environments import laws, published
from driftbandit.environments.brownian import Brownian
from driftbandit.environments.decay import Decay
from driftbandit.environments.drift import Drift
from driftbandit.environments.environment import Environment
from driftbandit.environments.linear import LinearWorld
from driftbandit.environments.news import NewsFeed
from driftbandit.environments.periodic import Periodic, periodic
from driftbandit.environments.piecewise import Piecewise
from driftbandit.environments.published import PROBLEMS
from driftbandit.environments.radio import Radio
from driftbandit.environments.random_jumps import RandomJumps
from driftbandit.environments.random_piecewise import RandomPiecewise
from driftbandit.environments.random_switching import RandomSwitching
from driftbandit.environments.rising import rise, rises
from driftbandit.environments.rotting import rotting
from driftbandit.environments.seasonal import Seasonal
from driftbandit.environments.sinusoid import Sinusoid
from driftbandit.environments.stationary import Stationary
from driftbandit.environments.table import Table
from driftbandit.environments.two_swaps import two_swaps
from driftbandit.environments.wild import wild, wilds
from driftbandit.environments.world import World

AnyWorld = World | LinearWorld
"""A world with arms, or one whose actions have features."""

CATALOGUE: dict[str, Callable[..., World]] = {
    "stationary": Stationary,
    "piecewise": Piecewise,
    "two-swaps": two_swaps,
    "periodic": periodic,
    "random-switching": RandomSwitching,
    "drift": Drift,
    "brownian": Brownian,
    "radio": Radio,
    "news": NewsFeed,
    "table": Table,
    "random-piecewise": RandomPiecewise,
    "sinusoid": Sinusoid,
    "rotting": rotting,
    "random-jumps": RandomJumps,
    "decay": Decay,
    "seasonal": Seasonal,
    "wild": wild,
    "rise": rise,
    **PROBLEMS,
}
"""The function or class that makes a world, by its name on the command line."""

__all__ = [
    "CATALOGUE",
    "PROBLEMS",
    "AnyWorld",
    "Brownian",
    "Decay",
    "Drift",
    "Environment",
    "NewsFeed",
    "Periodic",
    "Piecewise",
    "Radio",
    "RandomJumps",
    "RandomPiecewise",
    "RandomSwitching",
    "Seasonal",
    "Sinusoid",
    "Stationary",
    "Table",
    "World",
    "laws",
    "periodic",
    "published",
    "rise",
    "rises",
    "rotting",
    "two_swaps",
    "wild",
    "wilds",
]
