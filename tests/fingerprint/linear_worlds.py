"""Worlds and policies for actions with features: the only file that imports the linear ones."""

from __future__ import annotations

import math

import driftbandit as db
from driftbandit.environments import World
from driftbandit.linear import (
    Ball,
    ConstantRadius,
    Cube,
    Fixed,
    GaussianNoise,
    LinearPolicy,
    LinearWorld,
    PiecewiseLinear,
    Rotating,
    Sphere,
)
from fingerprint.worlds import CHANGES, COINS, LAWS

AnyWorld = World | LinearWorld
"""A world with or without features."""

TURNS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""The θ of the stretches of a world that turns at once."""

WIDE_TURNS = (
    (0.8, 0.0, 0.6, 0.0, 0.0),
    (0.0, -0.6, 0.0, 0.8, 0.0),
    (-0.5, 0.5, -0.5, 0.0, 0.5),
    (0.0, 0.0, 0.0, 0.0, 1.0),
)
"""The same with five features."""

SHARES = ((0.9, 0.1, 0.3), (0.1, 0.8, 0.4), (0.2, 0.3, 0.9), (0.7, 0.6, 0.1))
"""The θ of a world in which all means lie in [0, 1]."""

COMPASS = Fixed([[math.cos(k), math.sin(k)] for k in range(6)])
"""Six directions, the same in every round."""

MIXTURES = Fixed([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0], [0, 0.5, 0.5], [0.4, 0.3, 0.3]])
"""Shares of three goods."""

SHORT = GaussianNoise(0.5)

LINEAR_WORLDS: dict[str, LinearWorld] = {
    "piecewise, ball, Gaussian": PiecewiseLinear(CHANGES, TURNS, actions=Ball(20), law=SHORT),
    "rotating, ball, Gaussian": Rotating(rounds=1_500, actions=Ball(20), law=SHORT),
    "piecewise, sphere, 5 features, Gaussian": PiecewiseLinear(
        CHANGES, WIDE_TURNS, actions=Sphere(12), law=SHORT
    ),
    "piecewise, fixed, Gaussian": PiecewiseLinear(CHANGES, TURNS, actions=COMPASS, law=SHORT),
    "rotating, fixed, Gaussian": Rotating(rounds=1_500, actions=COMPASS, law=SHORT),
    "piecewise, fixed, coins": PiecewiseLinear(CHANGES, SHARES, actions=MIXTURES, law=COINS),
    "rotating, fixed, Beta": Rotating(rounds=1_500, actions=Fixed.one_hot(2), law=LAWS["Beta"]),
}

CUBE_WORLDS: dict[str, LinearWorld] = {
    "piecewise, cube, Gaussian": PiecewiseLinear(CHANGES, TURNS, actions=Cube(20), law=SHORT),
}
"""Where actions are longer than 1, for policies that do not mind."""

LINEAR: dict[str, db.Strategy] = {
    "lin-ucb": db.LinUCB(noise=0.5),
    "d-lin-ucb": db.DiscountedLinUCB(0.99, noise=0.5),
    "sw-lin-ucb": db.SlidingWindowLinUCB(150, noise=0.5),
    "uniform": db.Uniform(),
    "oracle": db.Oracle(),
}
"""The named policies for linear worlds."""

LINEAR_COMPOSED: dict[str, db.Strategy] = {
    "linear-discount-periodic": LinearPolicy(
        forget=db.Discount(0.995), detect=db.PeriodicRestart(300), confidence=ConstantRadius(0.5)
    ),
    "linear-growing-window-known-restarts": LinearPolicy(
        forget=db.GrowingWindow(0.6, 2.0),
        detect=db.KnownRestart(CHANGES),
        confidence=ConstantRadius(0.5),
    ),
}
"""Linear policies that reach code which no named one does."""
