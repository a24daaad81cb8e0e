"""Exponential weights: the family that keeps weights instead of averages."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import ClassVar

from driftbandit.errors import require
from driftbandit.policies.strategy import Strategy


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
    """

    family: ClassVar[str] = "weights"
    lone: ClassVar[bool] = True
    fresh: ClassVar[bool] = False
    exponent: ClassVar[Callable[..., float]]

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

    def share(self, arms: int) -> float:
        """Return s = e α / K, the share of all weights that every arm is given."""
        return math.e * self.sharing / arms

    def numbers(self) -> tuple[float, ...]:
        """Return the numbers handed to `exponent`."""
        raise NotImplementedError

    def check(self, arms: int) -> None:
        """Raise if weights could grow too fast for floating point within one round."""
        steepest, name = self.steepest(arms), f"largest exponent of {self.label} with {arms} arms"
        require(steepest <= 250.0, name, steepest, "be at most 250")

    def steepest(self, arms: int) -> float:
        """Return the largest size an exponent can have; it says how often weights are rescaled."""
        raise NotImplementedError
