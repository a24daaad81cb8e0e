"""Which learner runs an index policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from driftbandit.policies.index.live.choose import FEW, IndexLearner, ManyArmsLearner, WidthLearner
from driftbandit.policies.index.live.tangents import TangentLearner
from driftbandit.rules.detect import Never
from driftbandit.rules.force import Unforced

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy


def index_learner(policy: Policy, arms: int) -> IndexLearner:
    """Return the quickest learner for `policy`; all take the same decisions."""
    if policy.detect != Never() or policy.force != Unforced():
        return IndexLearner(policy, arms)
    if policy.explore.width is not None:
        return WidthLearner(policy, arms) if arms <= FEW else ManyArmsLearner(policy, arms)
    return (IndexLearner if policy.explore.tangent is None else TangentLearner)(policy, arms)
