"""What to play: the axes, the families, and the named policies."""

from collections.abc import Callable

from driftbandit.policies.agent import Agent
from driftbandit.policies.detect import Detect, Never
from driftbandit.policies.explore import UCB, Explore, Gibbs, UCBVariance
from driftbandit.policies.forget import (
    Discount,
    DoublingDiscount,
    DoublingWindow,
    Forget,
    Full,
    Window,
)
from driftbandit.policies.players import Oracle, Uniform
from driftbandit.policies.policy import Policy
from driftbandit.policies.presets import (
    EXP3,
    EXP3IX,
    UCB1,
    UCBV,
    DiscountedUCB,
    SlidingWindowUCB,
    Softmax,
)
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.weights import (
    EXP3P,
    EXP3PP,
    EXP3R,
    EXP3S,
    EXP3SIX,
    REXP3,
    AnytimeEXP3IX,
    Weights,
)

CATALOGUE: dict[str, Callable[..., Strategy]] = {
    "ucb-1": UCB1,
    "d-ucb": DiscountedUCB,
    "sw-ucb": SlidingWindowUCB,
    "exp3": EXP3,
    "exp3.s": EXP3S,
    "exp3.p": EXP3P,
    "exp3-ix": EXP3IX,
    "exp3-ix-anytime": AnytimeEXP3IX,
    "exp3.six": EXP3SIX,
    "exp3++": EXP3PP,
    "rexp3": REXP3,
    "exp3.r": EXP3R,
    "ucb-v": UCBV,
    "softmax": Softmax,
    "uniform": Uniform,
    "oracle": Oracle,
}
"""The named policies by the name used in a shell; some also have a `tuned` rule."""

__all__ = [
    "CATALOGUE",
    "EXP3",
    "EXP3IX",
    "EXP3P",
    "EXP3PP",
    "EXP3R",
    "EXP3S",
    "EXP3SIX",
    "REXP3",
    "UCB",
    "UCB1",
    "UCBV",
    "Agent",
    "AnytimeEXP3IX",
    "Detect",
    "Discount",
    "DiscountedUCB",
    "DoublingDiscount",
    "DoublingWindow",
    "Explore",
    "Forget",
    "Full",
    "Gibbs",
    "Never",
    "Oracle",
    "Policy",
    "SlidingWindowUCB",
    "Softmax",
    "Strategy",
    "UCBVariance",
    "Uniform",
    "Weights",
    "Window",
]
