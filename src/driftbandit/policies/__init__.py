"""What to play: the axes, the families, and the named policies."""

from collections.abc import Callable

from driftbandit.policies.agent import Agent
from driftbandit.policies.detect import (
    ADWIN,
    CUSUM,
    BernoulliGLR,
    Detect,
    GaussianGLR,
    KnownRestart,
    Never,
    PageHinkley,
    PeriodicRestart,
    TwoHalves,
)
from driftbandit.policies.explore import UCB, Explore, Gibbs, UCBVariance
from driftbandit.policies.force import (
    DiminishingSweeps,
    Force,
    GrowingSweeps,
    RandomForce,
    Sweeps,
    Unforced,
)
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
    UCB1,
    UCBV,
    DiscountedUCB,
    SlidingWindowUCB,
    Softmax,
)
from driftbandit.policies.restarting import (
    ADWINUCB,
    CUSUMUCB,
    GLRUCB,
    MUCB,
    PHTUCB,
    OracleRestart,
    PeriodicUCB,
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
    "glr-ucb": GLRUCB,
    "cusum-ucb": CUSUMUCB,
    "pht-ucb": PHTUCB,
    "m-ucb": MUCB,
    "adwin-ucb": ADWINUCB,
    "periodic-ucb": PeriodicUCB,
    "oracle-restart": OracleRestart,
    "ucb-v": UCBV,
    "softmax": Softmax,
    "uniform": Uniform,
    "oracle": Oracle,
}
"""The named policies by the name used in a shell; some also have a `tuned` rule."""

__all__ = [
    "ADWIN",
    "ADWINUCB",
    "CATALOGUE",
    "CUSUM",
    "CUSUMUCB",
    "EXP3",
    "EXP3P",
    "EXP3S",
    "GLRUCB",
    "MUCB",
    "PHTUCB",
    "UCB",
    "UCB1",
    "UCBV",
    "Agent",
    "BernoulliGLR",
    "Detect",
    "DiminishingSweeps",
    "Discount",
    "DiscountedUCB",
    "DoublingDiscount",
    "DoublingWindow",
    "Explore",
    "Force",
    "Forget",
    "Full",
    "GaussianGLR",
    "Gibbs",
    "GrowingSweeps",
    "KnownRestart",
    "Never",
    "Oracle",
    "OracleRestart",
    "PageHinkley",
    "PeriodicRestart",
    "PeriodicUCB",
    "Policy",
    "RandomForce",
    "SlidingWindowUCB",
    "Softmax",
    "Strategy",
    "Sweeps",
    "TwoHalves",
    "UCBVariance",
    "Unforced",
    "Uniform",
    "Weights",
    "Window",
]
