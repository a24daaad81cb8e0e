"""The families of policies in plain Python, one step at a time: what a live agent runs.

The compiled engine runs the same rules on many runs at once (`driftbandit.engine.families`); a
test holds the two to the same decisions.
"""

from collections.abc import Callable

from driftbandit.errors import InputError
from driftbandit.policies.doubling import Doubling
from driftbandit.policies.learners.doubling import DoublingLearner
from driftbandit.policies.learners.fixed import UniformLearner
from driftbandit.policies.learners.index import IndexLearner
from driftbandit.policies.learners.learner import LIGHTEST, Draw, Learner
from driftbandit.policies.learners.memory import HEAVIEST
from driftbandit.policies.learners.procedure import ProcedureLearner
from driftbandit.policies.learners.quickest import index_learner
from driftbandit.policies.learners.scores import LOWEST, ScoresLearner
from driftbandit.policies.learners.watching import WatchingLearner
from driftbandit.policies.learners.weights import WeightsLearner, rescaling_period
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.weights import Weights


def _weights_learner(policy: Weights, arms: int) -> Learner:
    """Return the learner that fits what the rule says."""
    if policy.schedule is not None:
        return ScoresLearner(policy, arms)
    return (
        WeightsLearner(policy, arms)
        if policy.watch(arms) is None
        else WatchingLearner(policy, arms)
    )


def _doubling_learner(policy: Doubling, arms: int) -> Learner:
    """Return the learner of a policy in epochs, which asks for those of its base."""
    return DoublingLearner(policy, arms, learner)


LEARNERS: dict[str, Callable[..., Learner]] = {
    "index": index_learner,
    "weights": _weights_learner,
    "procedure": ProcedureLearner,
    "doubling": _doubling_learner,
    "uniform": UniformLearner,
}


def learner(policy: Strategy, arms: int) -> Learner:
    """Return a learner for `policy`."""
    if policy.family not in LEARNERS:
        raise InputError(f"{policy.label} plays only in a simulation, where the means are known")
    return LEARNERS[policy.family](policy, arms)


__all__ = [
    "HEAVIEST",
    "LEARNERS",
    "LIGHTEST",
    "LOWEST",
    "Draw",
    "IndexLearner",
    "Learner",
    "index_learner",
    "learner",
    "rescaling_period",
]
