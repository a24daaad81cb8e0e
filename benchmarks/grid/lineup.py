"""Every policy of the catalogue with parameters for a game, and the worlds that it plays."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import numpy as np

from driftbandit.cli.values import make_policies
from driftbandit.environments import Piecewise, World
from driftbandit.environments.laws import Law
from driftbandit.linear import Fixed, LinearWorld, PiecewiseLinear
from driftbandit.policies import CATALOGUE, Strategy
from driftbandit.policies.linear import LinearPolicy

LOW, HIGH = 0.2, 0.8
"""The least and the largest mean of an arm."""
KNOWN = {"breakpoints": 1, "variation": round(HIGH - LOW, 12)}
"""What a tuning rule may ask of the world, besides its size."""

WRITTEN = {
    "sw-ucb-sharp": "sw-ucb-sharp.tuned(growth=0.5)",
    "epsilon-greedy": "epsilon-greedy",
    "m-ucb": "m-ucb.tuned(breakpoints=1, window=150)",
    "oracle-restart": "oracle-restart(rounds=[1001])",
    "exp3.r": "exp3.r(interval=150)",
    "doubling": "doubling(base=sw-ucb, known={'breakpoints': 1})",
}
"""Presets that have no rule, or one that asks for something else."""


def texts() -> list[str]:
    """Return the call of every preset: by its rule where it has one, else as it is.

    >>> [text for text in texts() if text.startswith(("d-ucb", "kl-ucb", "rexp3"))]
    ['d-ucb.tuned(breakpoints=1)', 'kl-ucb', 'rexp3.tuned(variation=0.6)']
    """
    return [WRITTEN.get(name) or _text(name) for name in CATALOGUE]


def _text(name: str) -> str:
    rule = getattr(CATALOGUE[name], "tuned", None)
    if rule is None:
        return name
    parameters = [
        parameter for parameter in inspect.signature(rule).parameters if parameter in KNOWN
    ]
    arguments = ", ".join(f"{parameter}={KNOWN[parameter]}" for parameter in parameters)
    return f"{name}.tuned({arguments})" if arguments else f"{name}.tuned"


def players(texts: Sequence[str], arms: int, horizon: int) -> list[Strategy]:
    """Return the policies that these texts describe, for a game of so many arms and rounds."""
    return make_policies(texts, horizon=horizon, arms=arms, dimension=2)


def world(policy: Strategy, arms: int, horizon: int, law: Law) -> World | LinearWorld:
    """Return a world with spread means that change places halfway.

    A linear policy sees two features of each arm, whose mean is one of them, and then the other.

    >>> from driftbandit.environments.laws import Bernoulli
    >>> from driftbandit.policies import UCB1
    >>> world(UCB1(), 3, 10, Bernoulli()).mean_rewards(5, 6).round(12).tolist()
    [[0.2, 0.5, 0.8], [0.8, 0.5, 0.2]]
    """
    means = np.linspace(LOW, HIGH, arms)
    halfway = [horizon // 2 + 1]
    if not isinstance(policy, LinearPolicy):
        return Piecewise(halfway, [means, means[::-1]], horizon=horizon, law=law)
    features = Fixed(np.stack([means, means[::-1]], axis=1))
    return PiecewiseLinear(halfway, [[1.0, 0.0], [0.0, 1.0]], horizon, actions=features, law=law)
