"""Which learner runs an index policy."""

from __future__ import annotations

from driftbandit.policies.detect import Never
from driftbandit.policies.force import Unforced
from driftbandit.policies.learners.index import FEW, IndexLearner, ManyArmsLearner, WidthLearner
from driftbandit.policies.learners.tangent import TangentLearner
from driftbandit.policies.policy import Policy


def index_learner(policy: Policy, arms: int) -> IndexLearner:
    """Return the quickest learner for `policy`; all take the same decisions."""
    if policy.detect != Never() or policy.force != Unforced():
        return IndexLearner(policy, arms)
    if policy.explore.width is not None:
        return WidthLearner(policy, arms) if arms <= FEW else ManyArmsLearner(policy, arms)
    return (IndexLearner if policy.explore.tangent is None else TangentLearner)(policy, arms)
