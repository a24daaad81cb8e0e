"""The paper's results as functions: bounds, lower bounds, deviation inequalities, tuning rules."""

from driftbandit.policies.tuning import (
    discount_rule,
    doubling_discount,
    doubling_window,
    window_rule,
)
from driftbandit.theory import discounted, exp3s, lower, ucb1, windowed
from driftbandit.theory.band import Band, confidence_band
from driftbandit.theory.bound import Bound, regret, same_regret
from driftbandit.theory.deviation import (
    best_eta,
    deviation,
    deviation_threshold,
    hoeffding,
    maximal_deviation,
    maximal_threshold,
    weight_of,
)
from driftbandit.theory.divergence import kl_bernoulli, kl_finite, kl_gaussian
from driftbandit.theory.guarantee import guarantee
from driftbandit.theory.optimum import Choice, best_discount, best_window
from driftbandit.theory.statements import Statement, statements

__all__ = [
    "Band",
    "Bound",
    "Choice",
    "Statement",
    "best_discount",
    "best_eta",
    "best_window",
    "confidence_band",
    "deviation",
    "deviation_threshold",
    "discount_rule",
    "discounted",
    "doubling_discount",
    "doubling_window",
    "exp3s",
    "guarantee",
    "hoeffding",
    "kl_bernoulli",
    "kl_finite",
    "kl_gaussian",
    "lower",
    "maximal_deviation",
    "maximal_threshold",
    "regret",
    "same_regret",
    "statements",
    "ucb1",
    "weight_of",
    "window_rule",
    "windowed",
]
