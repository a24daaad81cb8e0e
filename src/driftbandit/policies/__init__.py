"""What to play: the axes, the families, and the named policies."""

from collections.abc import Callable

from driftbandit.policies.agent import Agent
from driftbandit.policies.detect import Detect, Never
from driftbandit.policies.explore import (
    KLUCB,
    UCB,
    AnytimeMinimax,
    BetaPosterior,
    DecayingGreedy,
    Explore,
    GaussianPosterior,
    Gibbs,
    Greedy,
    Minimax,
    TunedUCB,
    UCBVariance,
)
from driftbandit.policies.forget import (
    Discount,
    DoublingDiscount,
    DoublingWindow,
    Forget,
    Full,
    GrowingWindow,
    Window,
)
from driftbandit.policies.players import Oracle, Uniform
from driftbandit.policies.policy import Policy
from driftbandit.policies.presets import (
    EXP3,
    UCB1,
    UCBV,
    DiscountedUCB,
    SlidingWindowUCB,
    Softmax,
)
from driftbandit.policies.presets_chance import (
    DiscountedThompson,
    EpsilonGreedy,
    GaussianThompson,
    SlidingWindowThompson,
    Thompson,
)
from driftbandit.policies.presets_optimism import (
    MOSS,
    AnytimeMOSS,
    DiscountedKLUCB,
    SlidingWindowKLUCB,
    StationaryKLUCB,
    SWUCBSharp,
    UCBTuned,
)
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.weights import EXP3P, EXP3S, Weights

CATALOGUE: dict[str, Callable[..., Strategy]] = {
    "ucb-1": UCB1,
    "d-ucb": DiscountedUCB,
    "sw-ucb": SlidingWindowUCB,
    "exp3": EXP3,
    "exp3.s": EXP3S,
    "exp3.p": EXP3P,
    "ucb-v": UCBV,
    "ucb-tuned": UCBTuned,
    "sw-ucb-sharp": SWUCBSharp,
    "moss": MOSS,
    "moss-anytime": AnytimeMOSS,
    "kl-ucb": StationaryKLUCB,
    "d-kl-ucb": DiscountedKLUCB,
    "sw-kl-ucb": SlidingWindowKLUCB,
    "thompson": Thompson,
    "d-ts": DiscountedThompson,
    "sw-ts": SlidingWindowThompson,
    "gaussian-thompson": GaussianThompson,
    "epsilon-greedy": EpsilonGreedy,
    "softmax": Softmax,
    "uniform": Uniform,
    "oracle": Oracle,
}
"""The named policies by the name used in a shell; some also have a `tuned` rule."""

__all__ = [
    "CATALOGUE",
    "EXP3",
    "EXP3P",
    "EXP3S",
    "KLUCB",
    "MOSS",
    "UCB",
    "UCB1",
    "UCBV",
    "Agent",
    "AnytimeMOSS",
    "AnytimeMinimax",
    "BetaPosterior",
    "DecayingGreedy",
    "Detect",
    "Discount",
    "DiscountedKLUCB",
    "DiscountedThompson",
    "DiscountedUCB",
    "DoublingDiscount",
    "DoublingWindow",
    "EpsilonGreedy",
    "Explore",
    "Forget",
    "Full",
    "GaussianPosterior",
    "GaussianThompson",
    "Gibbs",
    "Greedy",
    "GrowingWindow",
    "Minimax",
    "Never",
    "Oracle",
    "Policy",
    "SWUCBSharp",
    "SlidingWindowKLUCB",
    "SlidingWindowThompson",
    "SlidingWindowUCB",
    "Softmax",
    "StationaryKLUCB",
    "Strategy",
    "Thompson",
    "TunedUCB",
    "UCBTuned",
    "UCBVariance",
    "Uniform",
    "Weights",
    "Window",
]
