"""The paper's results as functions: bounds, lower bounds, deviation inequalities, tuning rules."""

from driftbandit.policies.tuning import discount_rule, window_rule
from driftbandit.theory import discounted, exp3s, lower, ucb1, windowed
from driftbandit.theory.bound import Bound, regret, same_regret
from driftbandit.theory.divergence import kl_bernoulli, kl_finite, kl_gaussian
from driftbandit.theory.guarantee import guarantee
from driftbandit.theory.optimum import Choice, best_discount, best_window
from driftbandit.theory.statements import Statement, statements

__all__ = [
    "Bound",
    "Choice",
    "Statement",
    "best_discount",
    "best_window",
    "discount_rule",
    "discounted",
    "exp3s",
    "guarantee",
    "kl_bernoulli",
    "kl_finite",
    "kl_gaussian",
    "lower",
    "regret",
    "same_regret",
    "statements",
    "ucb1",
    "window_rule",
    "windowed",
]
