"""Sliding windows: only the last rounds count, or the last plays of each arm."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, ClassVar

from driftbandit.core.domain import Count, Positive, Real, Share
from driftbandit.core.numerics import ceiling_of
from driftbandit.rules.forget.rule import Forget


@dataclasses.dataclass(frozen=True)
class Window(Forget):
    """Remember the plays of the last τ rounds with weight one, and no others.

    N_t(τ, i) = Σ_{s = max(1, t−τ+1)}^{t} 1{I_s = i}, clock min(t, τ). An arm with no play left in
    the window is played next.

    Reference: Garivier & Moulines 2008, section 1.2.

    >>> Window(0)
    Traceback (most recent call last):
    driftbandit.InputError: window must be a whole number of at least 1, got 0
    """

    steady: ClassVar[bool] = True

    window: Count

    @staticmethod
    def span(t: float, window: float) -> float:
        """Return τ."""
        return window


@dataclasses.dataclass(frozen=True)
class ArmWindow(Forget):
    """Remember of every arm its own last n plays, however long ago they were.

    N_t(i) = min(plays of arm i so far, n), clock Σ_i N_t(i): how many plays are remembered, as
    n_t(γ) is for a discount and min(t, τ) for a window of rounds. n is `plays`.

    No arm is ever forgotten, so none is played for having left a window. That costs less while
    nothing changes, and it fails where an arm that is left alone gets better: its old plays still
    speak against it, and the clock, at most K n, ends the growth of its padding.

    Reference: the window of each arm in f-dsw Thompson sampling, Cavenaghi, Sottocornola, Stella &
    Zanker 2021.

    >>> import driftbandit as db
    >>> agent = db.Policy(forget=ArmWindow(2), explore=db.explore.UCB(xi=0.0)).agent(arms=2)
    >>> for arm, reward in ((0, 1.0), (1, 0.5), (0, 0.0), (0, 0.0)):
    ...     agent.learn(arm, reward)
    >>> agent.choose()
    1
    """

    steady: ClassVar[bool] = True
    by_arm: ClassVar[bool] = True

    plays: Count

    @staticmethod
    def span(t: float, plays: float) -> float:
        """Return n."""
        return plays


@dataclasses.dataclass(frozen=True)
class DoublingWindow(Forget):
    """A window for an unknown horizon: τ grows at every power of two.

    For 2^k ≤ t < 2^(k+1), τ = 2B √(2^k log(2^k) / (2^k)^β), rounded, at least 1: the paper's rule
    for a known horizon with 2^k in its place, as its remark does for the discount.

    Reference: Garivier & Moulines 2008, after the last remark of section 2.

    >>> rule = DoublingWindow(growth=0.0)
    >>> [int(rule.span(t, *rule.numbers())) for t in (1, 2, 3, 4, 1023, 1024)]
    [1, 2, 2, 5, 113, 168]
    """

    growth: Annotated[float, Real("[0, 1)")]
    bound: Positive = 1.0

    @staticmethod
    def span(t: float, growth: float, bound: float) -> float:
        """Return the τ of the epoch that contains round t."""
        epoch = math.ldexp(1.0, math.frexp(t)[1] - 1)
        window = 2.0 * bound * math.sqrt(math.log(epoch) * math.pow(epoch, 1.0 - growth))
        return max(1.0, math.floor(window + 0.5))


@dataclasses.dataclass(frozen=True)
class GrowingWindow(Forget):
    """A window that grows with the rounds: the last ⌈λ t^α⌉ of them, clock t.

    λ is `scale`, α is `power`. The memory of SW-UCB#; what has left the window does not come back
    when it grows. With α = 1 and λ ≥ 1 nothing is forgotten.

    Reference: Wei & Srivastava, *On abruptly-changing and slowly-varying multiarmed bandit
    problems*, 2018.

    >>> rule = GrowingWindow(power=0.5, scale=2.0)
    >>> [int(rule.span(t, *rule.numbers())) for t in (1, 2, 3, 4, 100, 101)]
    [2, 3, 4, 4, 20, 21]
    """

    ageing: ClassVar[bool] = True

    power: Share
    scale: Positive = 12.3

    @staticmethod
    def span(t: float, power: float, scale: float) -> float:
        """Return ⌈λ t^α⌉."""
        return ceiling_of(scale * math.pow(t, power))
