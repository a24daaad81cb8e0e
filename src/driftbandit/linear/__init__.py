"""Actions with features: linear policies, their live agent, and the worlds to try them in."""

from driftbandit.linear.actions import Actions, Ball, Cube, Fixed, Sphere
from driftbandit.linear.agent import LinearAgent
from driftbandit.linear.confidence import Confidence, ConstantRadius, Ellipsoid, WindowEllipsoid
from driftbandit.linear.noise import GaussianNoise, Noise
from driftbandit.linear.policy import LinearPolicy
from driftbandit.linear.presets import DiscountedLinUCB, LinUCB, SlidingWindowLinUCB
from driftbandit.linear.world import LinearWorld
from driftbandit.linear.worlds import PiecewiseLinear, Rotating, abrupt, slow

__all__ = [
    "Actions",
    "Ball",
    "Confidence",
    "ConstantRadius",
    "Cube",
    "DiscountedLinUCB",
    "Ellipsoid",
    "Fixed",
    "GaussianNoise",
    "LinUCB",
    "LinearAgent",
    "LinearPolicy",
    "LinearWorld",
    "Noise",
    "PiecewiseLinear",
    "Rotating",
    "SlidingWindowLinUCB",
    "Sphere",
    "WindowEllipsoid",
    "abrupt",
    "slow",
]
