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
    from driftbandit.policies import ADWIN as ADWIN
    from driftbandit.policies import ADWINUCB as ADWINUCB
    from driftbandit.policies import CUSUM as CUSUM
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
    from driftbandit.policies import KLUCB as KLUCB
    from driftbandit.policies import MASTER as MASTER
    from driftbandit.policies import META as META
    from driftbandit.policies import MOSS as MOSS
    from driftbandit.policies import MUCB as MUCB
    from driftbandit.policies import PHTUCB as PHTUCB
    from driftbandit.policies import RAWUCB as RAWUCB
    from driftbandit.policies import REXP3 as REXP3
    from driftbandit.policies import UCB as UCB
    from driftbandit.policies import UCB1 as UCB1
    from driftbandit.policies import UCBV as UCBV
    from driftbandit.policies import AdSwitch as AdSwitch
    from driftbandit.policies import AnytimeEXP3IX as AnytimeEXP3IX
    from driftbandit.policies import AnytimeMinimax as AnytimeMinimax
    from driftbandit.policies import AnytimeMOSS as AnytimeMOSS
    from driftbandit.policies import ArmWindow as ArmWindow
    from driftbandit.policies import Auto as Auto
    from driftbandit.policies import BanditOverBandit as BanditOverBandit
    from driftbandit.policies import BernoulliGLR as BernoulliGLR
    from driftbandit.policies import BetaPosterior as BetaPosterior
    from driftbandit.policies import DecayingGreedy as DecayingGreedy
    from driftbandit.policies import Detect as Detect
    from driftbandit.policies import DiminishingSweeps as DiminishingSweeps
    from driftbandit.policies import Discount as Discount
    from driftbandit.policies import DiscountedKLUCB as DiscountedKLUCB
    from driftbandit.policies import DiscountedThompson as DiscountedThompson
    from driftbandit.policies import DiscountedUCB as DiscountedUCB
    from driftbandit.policies import Doubling as Doubling
    from driftbandit.policies import DoublingDiscount as DoublingDiscount
    from driftbandit.policies import DoublingWindow as DoublingWindow
    from driftbandit.policies import EpsilonGreedy as EpsilonGreedy
    from driftbandit.policies import Explore as Explore
    from driftbandit.policies import Force as Force
    from driftbandit.policies import Forget as Forget
    from driftbandit.policies import Full as Full
    from driftbandit.policies import GaussianGLR as GaussianGLR
    from driftbandit.policies import GaussianPosterior as GaussianPosterior
    from driftbandit.policies import GaussianThompson as GaussianThompson
    from driftbandit.policies import Gibbs as Gibbs
    from driftbandit.policies import GLRklUCB as GLRklUCB
    from driftbandit.policies import Greedy as Greedy
    from driftbandit.policies import GrowingSweeps as GrowingSweeps
    from driftbandit.policies import GrowingWindow as GrowingWindow
    from driftbandit.policies import KnownRestart as KnownRestart
    from driftbandit.policies import MetaBandit as MetaBandit
    from driftbandit.policies import Minimax as Minimax
    from driftbandit.policies import Never as Never
    from driftbandit.policies import Oracle as Oracle
    from driftbandit.policies import OracleRestart as OracleRestart
    from driftbandit.policies import PageHinkley as PageHinkley
    from driftbandit.policies import PeriodicRestart as PeriodicRestart
    from driftbandit.policies import PeriodicUCB as PeriodicUCB
    from driftbandit.policies import Policy as Policy
    from driftbandit.policies import Procedure as Procedure
    from driftbandit.policies import RandomForce as RandomForce
    from driftbandit.policies import SlidingWindowKLUCB as SlidingWindowKLUCB
    from driftbandit.policies import SlidingWindowThompson as SlidingWindowThompson
    from driftbandit.policies import SlidingWindowUCB as SlidingWindowUCB
    from driftbandit.policies import Softmax as Softmax
    from driftbandit.policies import StationaryKLUCB as StationaryKLUCB
    from driftbandit.policies import Strategy as Strategy
    from driftbandit.policies import Sweeps as Sweeps
    from driftbandit.policies import SWUCBSharp as SWUCBSharp
    from driftbandit.policies import Thompson as Thompson
    from driftbandit.policies import TunedUCB as TunedUCB
    from driftbandit.policies import TwoHalves as TwoHalves
    from driftbandit.policies import UCBTuned as UCBTuned
    from driftbandit.policies import UCBVariance as UCBVariance
    from driftbandit.policies import Unforced as Unforced
    from driftbandit.policies import Uniform as Uniform
    from driftbandit.policies import Weights as Weights
    from driftbandit.policies import Window as Window
    from driftbandit.rules import detect as detect
    from driftbandit.rules import explore as explore
    from driftbandit.rules import force as force
    from driftbandit.rules import forget as forget
    from driftbandit.studies.arena import Arena as Arena
    from driftbandit.studies.arena.arena import arena as arena
    from driftbandit.studies.tune import Tuned as Tuned
    from driftbandit.studies.tune.tune import tune as tune

_HOMES = {
    "live.agent": "Agent",
    "policies": "ADWIN ADWINUCB AdSwitch AnytimeEXP3IX AnytimeMOSS AnytimeMinimax ArmWindow "
    "Auto BanditOverBandit BernoulliGLR BetaPosterior CUSUM CUSUMUCB DecayingGreedy Detect "
    "DiminishingSweeps Discount DiscountedKLUCB DiscountedThompson DiscountedUCB Doubling "
    "DoublingDiscount DoublingWindow EXP3 EXP3IX EXP3P EXP3PP EXP3R EXP3S EXP3SIX "
    "EpsilonGreedy Explore FEWA Force Forget Full GLRUCB GLRklUCB GaussianGLR "
    "GaussianPosterior GaussianThompson Gibbs Greedy GrowingSweeps GrowingWindow KLUCB "
    "KnownRestart MASTER META MOSS MUCB MetaBandit Minimax Never Oracle OracleRestart PHTUCB "
    "PageHinkley PeriodicRestart PeriodicUCB Policy Procedure RAWUCB REXP3 RandomForce "
    "SWUCBSharp SlidingWindowKLUCB SlidingWindowThompson SlidingWindowUCB Softmax "
    "StationaryKLUCB Strategy Sweeps Thompson TunedUCB TwoHalves UCB UCB1 UCBTuned UCBV "
    "UCBVariance Unforced Uniform Weights Window",
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
