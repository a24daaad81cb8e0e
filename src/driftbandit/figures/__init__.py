"""Every picture of the package; the only place that loads matplotlib."""

# isort: off
from driftbandit.figures import backend as backend  # before anything that loads matplotlib

# isort: on
from driftbandit.figures.arena import arena
from driftbandit.figures.band import band
from driftbandit.figures.drift import drift
from driftbandit.figures.experiments import two_panels
from driftbandit.figures.family import family
from driftbandit.figures.growth import growth
from driftbandit.figures.looks import colors
from driftbandit.figures.regret import regret, regrets
from driftbandit.figures.tuning import tuning
from driftbandit.figures.world import world

__all__ = [
    "arena",
    "band",
    "colors",
    "drift",
    "family",
    "growth",
    "regret",
    "regrets",
    "tuning",
    "two_panels",
    "world",
]
