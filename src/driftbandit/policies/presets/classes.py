"""Named policies that are classes of their own, and the two that are cases of EXP3.S and EXP3.SIX.

A class of a family brings its parameters, its label and its `tuned` along.
"""

from __future__ import annotations

import math
from typing import Unpack

from driftbandit.core.errors import whole
from driftbandit.policies.baselines.policy import Oracle, Uniform
from driftbandit.policies.doubling import Doubling
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Bounded, Parameters, sets
from driftbandit.policies.procedures.adswitch import AdSwitch
from driftbandit.policies.procedures.bandit_over_bandit import BanditOverBandit
from driftbandit.policies.procedures.master import MASTER
from driftbandit.policies.procedures.meta import META
from driftbandit.policies.procedures.meta_bandit import MetaBandit
from driftbandit.policies.procedures.rotting import FEWA, RAWUCB
from driftbandit.policies.weights.anytime import AnytimeEXP3IX
from driftbandit.policies.weights.exp3p import EXP3P
from driftbandit.policies.weights.exp3pp import EXP3PP
from driftbandit.policies.weights.exp3r import EXP3R
from driftbandit.policies.weights.exp3s import EXP3S
from driftbandit.policies.weights.exp3six import EXP3SIX
from driftbandit.policies.weights.rexp3 import REXP3


@sets("exploration")
def exploring(horizon: int, arms: int, **others: Unpack[Bounded]) -> Parameters:
    """Return γ = min(1, √(K log K / ((e − 1) T))), Corollary 3.2 of Auer et al. 2002."""
    T, K = whole("horizon", horizon), whole("arms", arms, least=2)
    return {"exploration": min(1.0, math.sqrt(K * math.log(K) / ((math.e - 1.0) * T)))}


@preset("exp3", Cell(EXP3S, sharing=0.0), tuned=exploring)
def EXP3(exploration: float, bound: float = 1.0, label: str = "EXP3") -> EXP3S:
    """EXP3, exponential weights: p_i = (1 − γ) w_i / W + γ / K, w_i ← w_i exp(γ x̂_i / K).

    EXP3.S with sharing 0: it competes with the best single arm, not with a changing one.

    Fails where the best arm changes.

    Reference: Auer, Cesa-Bianchi, Freund & Schapire 1995 and 2002, section 3.

    >>> EXP3.tuned(horizon=10_000, arms=3).exploration
    0.01384...
    """
    return EXP3S(exploration, 0.0, bound, label=label)


preset("exp3.s")(EXP3S)
preset("exp3.p")(EXP3P)


@sets("rate", "implicit")
def implicit(horizon: int, arms: int, **others: Unpack[Bounded]) -> Parameters:
    """Return η = 2γ = √(2 log K / (KT)), of Neu 2015.

    With probability 1 − δ the regret is at most 2√(2KT log K) + (√(2KT / log K) + 1) log(2/δ), for
    every δ at once.
    """
    policy = EXP3SIX.tuned(horizon, 0, arms)
    return {"rate": policy.rate, "implicit": policy.implicit}


@preset("exp3-ix", Cell(EXP3SIX, sharing=0.0), tuned=implicit)
def EXP3IX(rate: float, implicit: float, bound: float = 1.0, label: str = "EXP3-IX") -> EXP3SIX:
    """EXP3-IX, exponential weights: p_i = w_i / W, w_i ← w_i exp(−η ℓ 1{i = I} / (p_i + γ)).

    ℓ = 1 − X/B is the loss, η is `rate`, γ is `implicit`. EXP3.SIX with sharing 0: it competes with
    the best single arm, with high probability and without forced plays.

    The γ in the estimate makes it smaller than the truth on average, and far less noisy: that is
    the exploration. As γ goes to 0 it becomes plain exponential weights; η/γ is at most 250.

    Fails where the best arm changes, as EXP3 does; nothing makes it play an arm that it has given
    up.

    Reference: Neu 2015.

    >>> EXP3IX.tuned(horizon=10_000, arms=3).implicit
    0.00427...
    """
    return EXP3SIX(rate, implicit, 0.0, bound, label=label)


preset("exp3-ix-anytime")(AnytimeEXP3IX)
preset("exp3.six")(EXP3SIX)
preset("exp3++")(EXP3PP)
preset("rexp3")(REXP3)
preset("exp3.r")(EXP3R)

preset("adswitch")(AdSwitch)
preset("meta")(META)
preset("master")(MASTER)
preset("raw-ucb")(RAWUCB)
preset("fewa")(FEWA)
preset("bandit-over-bandit")(BanditOverBandit)
preset("meta-bandit")(MetaBandit)

preset("doubling")(Doubling)
preset("uniform")(Uniform)
preset("oracle")(Oracle)
