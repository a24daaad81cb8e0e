"""Linear worlds: actions with features whose mean reward is aᵀθ."""

from driftbandit.environments.laws import GaussianNoise, Noise
from driftbandit.environments.linear.actions import Actions, Ball, Cube, Fixed, Sphere
from driftbandit.environments.linear.piecewise import PiecewiseLinear
from driftbandit.environments.linear.published import abrupt, slow
from driftbandit.environments.linear.rotating import Rotating
from driftbandit.environments.linear.world import LinearWorld

__all__ = [
    "Actions",
    "Ball",
    "Cube",
    "Fixed",
    "GaussianNoise",
    "LinearWorld",
    "Noise",
    "PiecewiseLinear",
    "Rotating",
    "Sphere",
    "abrupt",
    "slow",
]
