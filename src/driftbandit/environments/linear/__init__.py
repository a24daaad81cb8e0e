"""Linear worlds: actions with features whose mean reward is aᵀθ."""

from driftbandit.environments.linear.actions import Actions, Ball, Cube, Fixed, Sphere
from driftbandit.environments.linear.noise import GaussianNoise, Noise
from driftbandit.environments.linear.world import LinearWorld
from driftbandit.environments.linear.worlds import PiecewiseLinear, Rotating, abrupt, slow

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
