"""Actions with features: linear policies, their live agent, and the worlds to try them in."""

from collections.abc import Callable

from driftbandit.environments.linear import (
    Actions,
    Ball,
    Cube,
    Fixed,
    GaussianNoise,
    LinearWorld,
    Noise,
    PiecewiseLinear,
    Rotating,
    Sphere,
    abrupt,
    slow,
)
from driftbandit.live.linear import LinearAgent
from driftbandit.policies.linear.policy import LinearPolicy
from driftbandit.policies.presets.linear import DiscountedLinUCB, LinUCB, SlidingWindowLinUCB
from driftbandit.rules.confidence import Confidence, ConstantRadius, Ellipsoid, WindowEllipsoid

WORLDS: dict[str, Callable[..., LinearWorld]] = {"linear-abrupt": abrupt, "linear-slow": slow}
"""The published linear worlds by the name used in a shell."""

__all__ = [
    "WORLDS",
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
