"""Exponential weights: the family that keeps weights instead of averages."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import ClassVar

from driftbandit.core.errors import InputError, require
from driftbandit.environments import AnyWorld
from driftbandit.policies.learner import Learner
from driftbandit.policies.setup import Setup
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.weights.live.multiply import WeightsLearner
from driftbandit.policies.weights.live.scores import ScoresLearner
from driftbandit.policies.weights.live.watch import WatchingLearner
from driftbandit.policies.weights.lockstep.setup import setup


@dataclasses.dataclass(frozen=True)
class Weights(Strategy):
    """Base of EXP3 and its kin, for rewards in [0, B].

    With weights w and W = Σ w, arm i is drawn with p_i = (1 − γ) w_i / W + γ / K. With the gain
    x̂_i = (X / B) 1{i = I} / p_i, every weight becomes v_i = w_i · exp(exponent(x̂_i, p_i, K, …)),
    and then v_i + s W, where s = share(K) is e α / K. With `fresh = True` the share is one of the
    new weights, v_i + s Σ v. After every `batch` rounds all weights are equal again.

    `exponent(gain, probability, arms, …)` is a plain static function that takes `numbers()` last;
    with `lone = True` it is zero for the arms not played. Only ratios of weights matter: they are
    kept above 10⁻²⁰⁰ of the largest, which changes no probability in its last digit and keeps
    overflow and 0/0 away over any horizon. An arm that has fallen below that comes back sooner
    than on paper; with sharing no arm falls so far.

    A rule with `watch(arms) = (n, d)` draws uniformly and by weights apart. When the uniform draws
    have met every arm n times, all weights are made equal if some arm's mean of these exceeds that
    of the arm with the largest weight by d or more; then it counts anew.

    A rule whose rate η_t changes says so by `schedule(t, arms, …)`. Its arms have sums,
    G_i ← G_i + exponent(x̂_i, p_i, K, η_t, …), and w_i = exp(η_t G_i) in round t. It may have
    floors: p_i = (1 − Σ ε) w_i / W + ε_i with ε_i = floor(Δ̂_i, t, K, …), where Δ̂_i is by how much
    the interval X̄_i ± radius(N_i, t, K, …), cut to [0, 1], lies below that of another arm. X̄ and N
    are the mean of X / B and the number of plays; without a play the interval is [0, 1].
    """

    lone: ClassVar[bool] = True
    fresh: ClassVar[bool] = False
    exponent: ClassVar[Callable[..., float]]
    schedule: ClassVar[Callable[..., float] | None] = None
    radius: ClassVar[Callable[..., float] | None] = None
    floor: ClassVar[Callable[..., float] | None] = None

    @property
    def exploration(self) -> float:
        """The share γ of uniform play."""
        return 0.0

    @property
    def sharing(self) -> float:
        """The share α of weight that is spread over all arms each round."""
        return 0.0

    @property
    def batch(self) -> int:
        """After how many rounds all weights are made equal again; 0 for never."""
        return 0

    def learner(self, arms: int) -> Learner:
        """Return what plays this policy one step at a time."""
        if self.schedule is not None:
            return ScoresLearner(self, arms)
        return (WeightsLearner if self.watch(arms) is None else WatchingLearner)(self, arms)

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        return setup(self, world, horizon)

    def share(self, arms: int) -> float:
        """Return s = e α / K, the share of all weights that every arm is given."""
        return math.e * self.sharing / arms

    def watch(self, arms: int) -> tuple[float, float] | None:
        """Return how many uniform draws of every arm are compared, and what difference counts."""
        return None

    def numbers(self) -> tuple[float, ...]:
        """Return the numbers handed to `exponent`."""
        raise InputError(f"{type(self).__name__} must have a method numbers()")

    def check(self, arms: int) -> None:
        """Raise if a rule says what does not go together, or if weights could grow too fast."""
        if self.schedule is not None:
            plain = self.lone and not self.batch and not self.share(arms) and not self.watch(arms)
            require(plain, self.label, self, "have no share, batch or watch beside a schedule")
            return
        fits = self.watch(arms) is None or (self.lone and self.exploration > 0.0)
        require(fits, self.label, self, "explore and have lone = True to be watched")
        steepest, name = self.steepest(arms), f"largest exponent of {self.label} with {arms} arms"
        require(steepest <= 250.0, name, steepest, "be at most 250")

    def steepest(self, arms: int) -> float:
        """Return the largest size an exponent can have; it says how often weights are rescaled."""
        raise InputError(f"{type(self).__name__} must have a method steepest(arms)")
