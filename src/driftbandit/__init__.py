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
    from driftbandit import experiments as experiments
    from driftbandit import figures as figures
    from driftbandit import policies as policies
    from driftbandit import theory as theory
    from driftbandit import tuning as tuning
    from driftbandit.engine import Outcome as Outcome
    from driftbandit.engine import Result as Result
    from driftbandit.engine.simulate import simulate as simulate
    from driftbandit.engine.simulate import trace as trace
    from driftbandit.errors import InputError as InputError
    from driftbandit.errors import LostWorkersError as LostWorkersError
    from driftbandit.marking import compilable as compilable
    from driftbandit.policies import ADWIN as ADWIN
    from driftbandit.policies import ADWINUCB as ADWINUCB
    from driftbandit.policies import CUSUM as CUSUM
    from driftbandit.policies import CUSUMUCB as CUSUMUCB
    from driftbandit.policies import EXP3 as EXP3
    from driftbandit.policies import EXP3P as EXP3P
    from driftbandit.policies import EXP3S as EXP3S
    from driftbandit.policies import GLRUCB as GLRUCB
    from driftbandit.policies import MUCB as MUCB
    from driftbandit.policies import PHTUCB as PHTUCB
    from driftbandit.policies import UCB as UCB
    from driftbandit.policies import UCB1 as UCB1
    from driftbandit.policies import UCBV as UCBV
    from driftbandit.policies import Agent as Agent
    from driftbandit.policies import BernoulliGLR as BernoulliGLR
    from driftbandit.policies import Detect as Detect
    from driftbandit.policies import DiminishingSweeps as DiminishingSweeps
    from driftbandit.policies import Discount as Discount
    from driftbandit.policies import DiscountedUCB as DiscountedUCB
    from driftbandit.policies import DoublingDiscount as DoublingDiscount
    from driftbandit.policies import DoublingWindow as DoublingWindow
    from driftbandit.policies import Explore as Explore
    from driftbandit.policies import Force as Force
    from driftbandit.policies import Forget as Forget
    from driftbandit.policies import Full as Full
    from driftbandit.policies import GaussianGLR as GaussianGLR
    from driftbandit.policies import Gibbs as Gibbs
    from driftbandit.policies import GrowingSweeps as GrowingSweeps
    from driftbandit.policies import KnownRestart as KnownRestart
    from driftbandit.policies import Never as Never
    from driftbandit.policies import Oracle as Oracle
    from driftbandit.policies import OracleRestart as OracleRestart
    from driftbandit.policies import PageHinkley as PageHinkley
    from driftbandit.policies import PeriodicRestart as PeriodicRestart
    from driftbandit.policies import PeriodicUCB as PeriodicUCB
    from driftbandit.policies import Policy as Policy
    from driftbandit.policies import RandomForce as RandomForce
    from driftbandit.policies import SlidingWindowUCB as SlidingWindowUCB
    from driftbandit.policies import Softmax as Softmax
    from driftbandit.policies import Strategy as Strategy
    from driftbandit.policies import Sweeps as Sweeps
    from driftbandit.policies import TwoHalves as TwoHalves
    from driftbandit.policies import UCBVariance as UCBVariance
    from driftbandit.policies import Unforced as Unforced
    from driftbandit.policies import Uniform as Uniform
    from driftbandit.policies import Weights as Weights
    from driftbandit.policies import Window as Window

_HOMES = {
    "policies": "ADWIN ADWINUCB CUSUM CUSUMUCB EXP3 EXP3P EXP3S GLRUCB MUCB PHTUCB UCB UCB1 UCBV "
    "Agent BernoulliGLR Detect DiminishingSweeps Discount DiscountedUCB "
    "DoublingDiscount DoublingWindow Explore Force Forget Full GaussianGLR Gibbs "
    "GrowingSweeps KnownRestart Never Oracle OracleRestart PageHinkley "
    "PeriodicRestart PeriodicUCB Policy RandomForce SlidingWindowUCB Softmax Strategy "
    "Sweeps TwoHalves UCBVariance Unforced Uniform Weights Window",
    "engine": "Outcome Result simulate trace",
    "errors": "InputError LostWorkersError",
    "marking": "compilable",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = (
    "checks",
    "engine",
    "environments",
    "experiments",
    "figures",
    "policies",
    "theory",
    "tuning",
)

__all__ = ["__version__", *_HOME, *_MODULES]  # noqa: PLE0604  # names, from the table above


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name in _MODULES:
        return importlib.import_module(f"driftbandit.{name}")
    if name in _HOME:
        module = importlib.import_module(f"driftbandit.{_HOME[name]}")
        value = getattr(module, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'driftbandit' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
