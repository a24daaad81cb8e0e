"""Choosing well while the world changes: non-stationary multi-armed bandits.

The public names load on first use, so that importing the package stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from driftbandit import checks as checks
    from driftbandit import engine as engine
    from driftbandit import environments as environments
    from driftbandit import figures as figures
    from driftbandit import linear as linear
    from driftbandit import policies as policies
    from driftbandit import studies as studies
    from driftbandit import theory as theory
    from driftbandit.core.errors import InputError as InputError
    from driftbandit.core.errors import LostWorkersError as LostWorkersError
    from driftbandit.core.marking import compilable as compilable
    from driftbandit.core.state import State as State
    from driftbandit.engine import Outcome as Outcome
    from driftbandit.engine import Result as Result
    from driftbandit.engine.simulate import simulate as simulate
    from driftbandit.engine.simulate import trace as trace
    from driftbandit.linear import DiscountedLinUCB as DiscountedLinUCB
    from driftbandit.linear import LinUCB as LinUCB
    from driftbandit.linear import SlidingWindowLinUCB as SlidingWindowLinUCB
    from driftbandit.live.agent import Agent as Agent
    from driftbandit.policies import ADWINUCB as ADWINUCB
    from driftbandit.policies import CUSUMUCB as CUSUMUCB
    from driftbandit.policies import EXP3 as EXP3
    from driftbandit.policies import EXP3IX as EXP3IX
    from driftbandit.policies import EXP3P as EXP3P
    from driftbandit.policies import EXP3PP as EXP3PP
    from driftbandit.policies import EXP3R as EXP3R
    from driftbandit.policies import EXP3S as EXP3S
    from driftbandit.policies import EXP3SIX as EXP3SIX
    from driftbandit.policies import FEWA as FEWA
    from driftbandit.policies import GLRUCB as GLRUCB
    from driftbandit.policies import MASTER as MASTER
    from driftbandit.policies import META as META
    from driftbandit.policies import MOSS as MOSS
    from driftbandit.policies import MUCB as MUCB
    from driftbandit.policies import PHTUCB as PHTUCB
    from driftbandit.policies import RAWUCB as RAWUCB
    from driftbandit.policies import REXP3 as REXP3
    from driftbandit.policies import UCB1 as UCB1
    from driftbandit.policies import UCBV as UCBV
    from driftbandit.policies import AdSwitch as AdSwitch
    from driftbandit.policies import AnytimeEXP3IX as AnytimeEXP3IX
    from driftbandit.policies import AnytimeMOSS as AnytimeMOSS
    from driftbandit.policies import Auto as Auto
    from driftbandit.policies import BanditOverBandit as BanditOverBandit
    from driftbandit.policies import DiscountedKLUCB as DiscountedKLUCB
    from driftbandit.policies import DiscountedThompson as DiscountedThompson
    from driftbandit.policies import DiscountedUCB as DiscountedUCB
    from driftbandit.policies import Doubling as Doubling
    from driftbandit.policies import EpsilonGreedy as EpsilonGreedy
    from driftbandit.policies import GaussianThompson as GaussianThompson
    from driftbandit.policies import GLRklUCB as GLRklUCB
    from driftbandit.policies import MetaBandit as MetaBandit
    from driftbandit.policies import Oracle as Oracle
    from driftbandit.policies import OracleRestart as OracleRestart
    from driftbandit.policies import PeriodicUCB as PeriodicUCB
    from driftbandit.policies import Policy as Policy
    from driftbandit.policies import Procedure as Procedure
    from driftbandit.policies import SlidingWindowKLUCB as SlidingWindowKLUCB
    from driftbandit.policies import SlidingWindowThompson as SlidingWindowThompson
    from driftbandit.policies import SlidingWindowUCB as SlidingWindowUCB
    from driftbandit.policies import Softmax as Softmax
    from driftbandit.policies import StationaryKLUCB as StationaryKLUCB
    from driftbandit.policies import Strategy as Strategy
    from driftbandit.policies import SWUCBSharp as SWUCBSharp
    from driftbandit.policies import Thompson as Thompson
    from driftbandit.policies import UCBTuned as UCBTuned
    from driftbandit.policies import Uniform as Uniform
    from driftbandit.policies import Weights as Weights
    from driftbandit.rules import detect as detect
    from driftbandit.rules import explore as explore
    from driftbandit.rules import force as force
    from driftbandit.rules import forget as forget
    from driftbandit.rules.detect import ADWIN as ADWIN
    from driftbandit.rules.detect import CUSUM as CUSUM
    from driftbandit.rules.detect import BernoulliGLR as BernoulliGLR
    from driftbandit.rules.detect import Detect as Detect
    from driftbandit.rules.detect import GaussianGLR as GaussianGLR
    from driftbandit.rules.detect import KnownRestart as KnownRestart
    from driftbandit.rules.detect import Never as Never
    from driftbandit.rules.detect import PageHinkley as PageHinkley
    from driftbandit.rules.detect import PeriodicRestart as PeriodicRestart
    from driftbandit.rules.detect import TwoHalves as TwoHalves
    from driftbandit.rules.explore import KLUCB as KLUCB
    from driftbandit.rules.explore import UCB as UCB
    from driftbandit.rules.explore import AnytimeMinimax as AnytimeMinimax
    from driftbandit.rules.explore import BetaPosterior as BetaPosterior
    from driftbandit.rules.explore import DecayingGreedy as DecayingGreedy
    from driftbandit.rules.explore import Explore as Explore
    from driftbandit.rules.explore import GaussianPosterior as GaussianPosterior
    from driftbandit.rules.explore import Gibbs as Gibbs
    from driftbandit.rules.explore import Greedy as Greedy
    from driftbandit.rules.explore import Minimax as Minimax
    from driftbandit.rules.explore import TunedUCB as TunedUCB
    from driftbandit.rules.explore import UCBVariance as UCBVariance
    from driftbandit.rules.force import DiminishingSweeps as DiminishingSweeps
    from driftbandit.rules.force import Force as Force
    from driftbandit.rules.force import GrowingSweeps as GrowingSweeps
    from driftbandit.rules.force import RandomForce as RandomForce
    from driftbandit.rules.force import Sweeps as Sweeps
    from driftbandit.rules.force import Unforced as Unforced
    from driftbandit.rules.forget import ArmWindow as ArmWindow
    from driftbandit.rules.forget import Discount as Discount
    from driftbandit.rules.forget import DoublingDiscount as DoublingDiscount
    from driftbandit.rules.forget import DoublingWindow as DoublingWindow
    from driftbandit.rules.forget import Forget as Forget
    from driftbandit.rules.forget import Full as Full
    from driftbandit.rules.forget import GrowingWindow as GrowingWindow
    from driftbandit.rules.forget import Window as Window
    from driftbandit.studies.arena import Arena as Arena
    from driftbandit.studies.arena.arena import arena as arena
    from driftbandit.studies.tune import Tuned as Tuned
    from driftbandit.studies.tune.tune import tune as tune

_HOMES = {
    "live.agent": "Agent",
    "policies": "ADWINUCB AdSwitch AnytimeEXP3IX AnytimeMOSS Auto BanditOverBandit CUSUMUCB "
    "DiscountedKLUCB DiscountedThompson DiscountedUCB Doubling EXP3 EXP3IX EXP3P "
    "EXP3PP EXP3R EXP3S EXP3SIX EpsilonGreedy FEWA GLRUCB GLRklUCB GaussianThompson "
    "MASTER META MOSS MUCB MetaBandit Oracle OracleRestart PHTUCB PeriodicUCB Policy "
    "Procedure RAWUCB REXP3 SWUCBSharp SlidingWindowKLUCB SlidingWindowThompson "
    "SlidingWindowUCB Softmax StationaryKLUCB Strategy Thompson UCB1 UCBTuned UCBV "
    "Uniform Weights",
    "rules.forget": "ArmWindow Discount DoublingDiscount DoublingWindow Forget Full GrowingWindow "
    "Window",
    "rules.detect": "ADWIN BernoulliGLR CUSUM Detect GaussianGLR KnownRestart Never PageHinkley "
    "PeriodicRestart TwoHalves",
    "rules.explore": "AnytimeMinimax BetaPosterior DecayingGreedy Explore GaussianPosterior Gibbs "
    "Greedy KLUCB Minimax TunedUCB UCB UCBVariance",
    "rules.force": "DiminishingSweeps Force GrowingSweeps RandomForce Sweeps Unforced",
    "studies.arena": "Arena arena",
    "engine": "Outcome Result simulate trace",
    "core.errors": "InputError LostWorkersError",
    "linear": "DiscountedLinUCB LinUCB SlidingWindowLinUCB",
    "core.state": "State",
    "core.marking": "compilable",
    "studies.tune": "Tuned tune",
    "rules": "detect explore force forget",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = (
    "checks",
    "engine",
    "environments",
    "figures",
    "linear",
    "policies",
    "studies",
    "theory",
)

__all__ = ["__version__", *_HOME, *_MODULES]  # noqa: PLE0604  # names, from the table above


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name in _MODULES:
        return importlib.import_module(f"driftbandit.{name}")
    if name in _HOME:
        module = importlib.import_module(f"driftbandit.{_HOME[name]}")
        if _HOME[name] == "rules":
            return importlib.import_module(f"driftbandit.rules.{name}")
        value = getattr(module, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'driftbandit' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
