"""Estimators of what a policy earns, one per file."""

from __future__ import annotations

from driftbandit.core.errors import one_of
from driftbandit.logs.estimates.direct import Direct
from driftbandit.logs.estimates.doubly_robust import DoublyRobust
from driftbandit.logs.estimates.estimator import Estimator
from driftbandit.logs.estimates.ips import InversePropensity
from driftbandit.logs.estimates.regression_assisted import RegressionAssisted
from driftbandit.logs.estimates.replay import Replay
from driftbandit.logs.estimates.snips import SelfNormalised

ESTIMATORS: dict[str, Estimator] = {
    each.name: each
    for each in (
        DoublyRobust(),
        RegressionAssisted(),
        SelfNormalised(),
        InversePropensity(),
        Direct(),
        Replay(),
    )
}
"""By name; the first is the default."""

WORLD = "world"
"""The method that plays in a fitted world; it is no average over the rows of the log."""


def method_of(name: str) -> str:
    """Return the name of a method as it is spelt here, or raise."""
    return one_of("method", name, [*ESTIMATORS, WORLD])
