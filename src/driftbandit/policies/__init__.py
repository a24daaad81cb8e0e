"""What to play: the families, the named policies, and the catalogue of these."""

# Presets are in the catalogue in the order of these imports.
# isort: off
from driftbandit.policies.strategy import Strategy as Strategy
from driftbandit.policies.index.policy import Policy as Policy
from driftbandit.policies.weights.policy import Weights as Weights
from driftbandit.policies.procedures.policy import Procedure as Procedure
from driftbandit.policies.linear.policy import LinearPolicy as LinearPolicy
from driftbandit.policies.presets.default import Auto as Auto
from driftbandit.policies.presets.paper import (
    UCB1 as UCB1,
    DiscountedUCB as DiscountedUCB,
    SlidingWindowUCB as SlidingWindowUCB,
)
from driftbandit.policies.presets.optimism import (
    StationaryKLUCB as StationaryKLUCB,
    DiscountedKLUCB as DiscountedKLUCB,
    SlidingWindowKLUCB as SlidingWindowKLUCB,
    UCBV as UCBV,
    UCBTuned as UCBTuned,
    MOSS as MOSS,
    AnytimeMOSS as AnytimeMOSS,
    SWUCBSharp as SWUCBSharp,
)
from driftbandit.policies.presets.chance import (
    Thompson as Thompson,
    DiscountedThompson as DiscountedThompson,
    SlidingWindowThompson as SlidingWindowThompson,
    GaussianThompson as GaussianThompson,
    EpsilonGreedy as EpsilonGreedy,
    Softmax as Softmax,
)
from driftbandit.policies.presets.restarting import (
    GLRUCB as GLRUCB,
    GLRklUCB as GLRklUCB,
    CUSUMUCB as CUSUMUCB,
    PHTUCB as PHTUCB,
    MUCB as MUCB,
    ADWINUCB as ADWINUCB,
)
from driftbandit.policies.presets.planned import (
    PeriodicUCB as PeriodicUCB,
    OracleRestart as OracleRestart,
)
from driftbandit.policies.presets.classes import EXP3 as EXP3, EXP3IX as EXP3IX
from driftbandit.policies.weights.anytime import AnytimeEXP3IX as AnytimeEXP3IX
from driftbandit.policies.weights.exp3p import EXP3P as EXP3P
from driftbandit.policies.weights.exp3pp import EXP3PP as EXP3PP
from driftbandit.policies.weights.exp3r import EXP3R as EXP3R
from driftbandit.policies.weights.exp3s import EXP3S as EXP3S
from driftbandit.policies.weights.exp3six import EXP3SIX as EXP3SIX
from driftbandit.policies.weights.rexp3 import REXP3 as REXP3
from driftbandit.policies.procedures.adswitch import AdSwitch as AdSwitch
from driftbandit.policies.procedures.bandit_over_bandit import BanditOverBandit as BanditOverBandit
from driftbandit.policies.procedures.master import MASTER as MASTER
from driftbandit.policies.procedures.meta import META as META
from driftbandit.policies.procedures.meta_bandit import MetaBandit as MetaBandit
from driftbandit.policies.procedures.rotting import FEWA as FEWA, RAWUCB as RAWUCB
from driftbandit.policies.doubling import Doubling as Doubling
from driftbandit.policies.baselines.policy import (
    Oracle as Oracle,
    Uniform as Uniform,
)
from driftbandit.policies.presets.linear import (
    LinUCB as LinUCB,
    DiscountedLinUCB as DiscountedLinUCB,
    SlidingWindowLinUCB as SlidingWindowLinUCB,
)
from driftbandit.policies.presets.preset import CATALOGUE as CATALOGUE
