"""The named policies that start over after an alarm, most of them with forced exploration.

All forget nothing between restarts. `explore`, where it is given, takes the place of UCB(ξ, B);
a policy whose name says UCB is then labelled by its rules.
"""

from __future__ import annotations

import math
from typing import Unpack

from driftbandit.core.domain import Flag
from driftbandit.core.errors import InputError, plain, real, whole
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.in_place import ucb_or
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Bounded, Others, Parameters, Scoped, sets
from driftbandit.rules.detect import (
    ADWIN,
    CUSUM,
    GLR,
    PageHinkley,
    TwoHalves,
)
from driftbandit.rules.explore import KLUCB, Explore
from driftbandit.rules.force import GrowingSweeps, RandomForce, Sweeps

SWEEPS = (GrowingSweeps, Sweeps)


@sets("delta", "rate", "growing")
def likelihood(
    horizon: int,
    arms: int,
    breakpoints: int | None = None,
    *,
    scope: str = "all",
    **others: Unpack[Bounded],
) -> Parameters:
    """Set δ and α from the horizon T, the arms K and, if it is known, the number of breakpoints Υ.

    Υ unknown: δ = 1/√T and growing sweeps with α = √(K log T / T). Υ known: δ = 1/√(C T) and
    α = 0.05 √(C log T / T), where C = Υ if all arms are forgotten, C = K Υ if one is.
    """
    T, K = whole("horizon", horizon, least=2), whole("arms", arms)
    if breakpoints is None:
        delta, rate = 1.0 / math.sqrt(T), math.sqrt(K * math.log(T) / T)
    else:
        changes = _changes(breakpoints, T) * (K if isinstance(scope, str) and scope == "arm" else 1)
        delta, rate = 1.0 / math.sqrt(changes * T), 0.05 * math.sqrt(changes * math.log(T) / T)
    return {"delta": delta, "rate": min(1.0, rate), "growing": breakpoints is None}


@preset("glr-ucb", Cell(Policy, detect=GLR, force=SWEEPS), tuned=likelihood)
def GLRUCB(
    delta: float,
    rate: float,
    growing: bool = True,
    xi: float = 0.5,
    bound: float = 1.0,
    every: int = 10,
    scope: str = "all",
    explore: Explore | None = None,
    label: str = "GLR-UCB",
) -> Policy:
    """GLR-UCB, full history × GLR test × UCB, with sweeps: restarts where a likelihood says so.

    δ is `delta`; `rate` is α of the sweeps, which grow as α √k with the k-th stretch unless
    `growing` is False. `tuned` needs the horizon and the number of arms, and may know the number of
    breakpoints.

    The index of arm i has log(t − τ_i), the rounds since its own last restart. An alarm forgets the
    `'arm'` or `'all'` arms, as `scope` says; for changes that touch all arms at once, use `'all'`.
    `explore` takes the place of UCB.

    Fails where changes are small or come before there is enough to compare with, and where means
    drift: it detects a drift late, and then starts over for nothing better. Growing sweeps get
    expensive after many alarms.

    Reference: Besson, Kaufmann, Maillard & Seznec 2022 (there with KL-UCB).

    >>> GLRUCB.tuned(horizon=10_000, arms=3).detect
    GLR(delta=0.01, every=10, bound=1.0, scope='all')
    """
    detect = GLR(delta, every, bound, scope)
    force = GrowingSweeps(rate) if Flag()("growing", growing) else Sweeps(rate)
    return Policy(
        detect=detect,
        explore=ucb_or(explore, xi, bound),
        force=force,
        label=label,
    )


@preset("glr-kl-ucb", Cell(Policy, detect=GLR, explore=KLUCB, force=SWEEPS), tuned=likelihood)
def GLRklUCB(
    delta: float,
    rate: float,
    growing: bool = True,
    c: float = 0.0,
    bound: float = 1.0,
    every: int = 10,
    scope: str = "all",
    label: str = "GLR-klUCB",
) -> Policy:
    """GLR-klUCB, full history × GLR test × KL-UCB, with sweeps: GLR-UCB with the better index.

    The index of arm i is max {q : N(i) kl(X̄(i), q) ≤ log(t − τ_i) + c log log(t − τ_i)}, with τ_i
    the last restart of the arm. `tuned` knows what that of GLR-UCB does.

    c is 0 in practice and 3 in the analysis. Fails where GLR-UCB does.

    Reference: Besson, Kaufmann, Maillard & Seznec 2022.

    >>> GLRklUCB.tuned(horizon=10_000, arms=3).explore
    KLUCB(c=0.0, bound=1.0)
    """
    detect = GLR(delta, every, bound, scope)
    force = GrowingSweeps(rate) if Flag()("growing", growing) else Sweeps(rate)
    return Policy(detect=detect, explore=KLUCB(c, bound), force=force, label=label)


@sets("threshold", "rate")
def walking(
    horizon: int,
    breakpoints: int,
    *,
    drift: float | None = None,
    bound: float = 1.0,
    **others: Unpack[Scoped],
) -> Parameters:
    """Set h = B log(T/Υ), α = √((Υ/T) log(T/Υ)), and ε = 0.05 B unless it is given."""
    T, B = whole("horizon", horizon), real("bound", bound, "(0, inf)")
    odds = T / _changes(breakpoints, T)
    walks = {"drift": 0.05 * B if drift is None else drift, "threshold": B * math.log(odds)}
    return {**walks, "rate": math.sqrt(math.log(odds) / odds)}


@preset(
    "cusum-ucb",
    Cell(Policy, detect=CUSUM, force=RandomForce),
    tuned=walking.assuming(warmup=100, drift=None),
)
def CUSUMUCB(
    warmup: int,
    drift: float,
    threshold: float,
    rate: float,
    xi: float = 0.5,
    bound: float = 1.0,
    scope: str = "arm",
    clock: str = "plays",
    explore: Explore | None = None,
    label: str = "CUSUM-UCB",
) -> Policy:
    """CUSUM-UCB, full history × CUSUM × UCB, with a share α of rounds at random.

    M is `warmup`, ε is `drift`, h is `threshold`, α is `rate`. `tuned` knows the horizon and the
    number of breakpoints. The index of arm i is X̄(i) + B √(ξ log n / N(i)) with n = Σ_j N(j), the
    plays remembered of all arms. With `clock="rounds"` n is t − τ_i, the rounds since the arm's own
    last restart, as in GLR-UCB; that is more for arms forgotten long ago.

    Fails where the mean of the first M rewards is poor: its error is about 1/(2√M), and if that is
    not below ε, false alarms come again and again. An arm that changes within its first M plays has
    a centre that means nothing.

    Reference: Liu, Lee & Shroff 2018.

    >>> CUSUMUCB.tuned(horizon=10_000, breakpoints=2).detect
    CUSUM(warmup=100, drift=0.05, threshold=8.517193191416238, scope='arm', clock='plays')
    """
    detect, force = CUSUM(warmup, drift, threshold, scope, clock), RandomForce(rate)
    return Policy(
        detect=detect,
        explore=ucb_or(explore, xi, bound),
        force=force,
        label=label,
    )


@preset(
    "pht-ucb",
    Cell(Policy, detect=PageHinkley, force=RandomForce),
    tuned=walking.assuming(drift=None),
)
def PHTUCB(
    drift: float,
    threshold: float,
    rate: float,
    xi: float = 0.5,
    bound: float = 1.0,
    scope: str = "arm",
    clock: str = "plays",
    explore: Explore | None = None,
    label: str = "PHT-UCB",
) -> Policy:
    """PHT-UCB, full history × Page–Hinkley × UCB, with a share α of rounds at random.

    ε is `drift`, h is `threshold`, α is `rate`. `tuned` knows the horizon and the number of
    breakpoints. The index is that of CUSUM-UCB.

    Fails where a change comes early: the mean follows it, and the walk never gets far.

    Reference: Liu, Lee & Shroff 2018.

    >>> PHTUCB.tuned(horizon=10_000, breakpoints=2).force
    RandomForce(rate=0.04127...)
    """
    detect, force = PageHinkley(drift, threshold, scope, clock), RandomForce(rate)
    return Policy(
        detect=detect,
        explore=ucb_or(explore, xi, bound),
        force=force,
        label=label,
    )


@sets("window", "threshold", "rate")
def halving(
    horizon: int,
    breakpoints: int,
    arms: int,
    change: float | None = None,
    window: int | None = None,
    *,
    bound: float = 1.0,
    **others: Unpack[Others],
) -> Parameters:
    """Set w = (4B²/δ²) (√log(2KT²) + √log(2T))², made even, from the smallest change δ, or take w.

    Then b = B √(w log(2KT²) / 2) and γ = √(Υ K (2b/B + 3√w) / (2T)), at most 1.
    """
    T, K, B = whole("horizon", horizon), whole("arms", arms), real("bound", bound, "(0, inf)")
    changes, doubt = _changes(breakpoints, T), math.log(2.0 * K * T * T)
    if (change is None) == (window is None):
        raise InputError("tuned needs either change or window")
    if window is None:
        least = real("change", change, f"(0, {plain(B)}]") / B
        need = 4.0 / least**2 * (math.sqrt(doubt) + math.sqrt(math.log(2.0 * T))) ** 2
        window = 2 * math.ceil(need / 2.0)
    w = whole("window", window, least=2)
    b = math.sqrt(w * doubt / 2.0)
    rate = math.sqrt(changes * K * (2.0 * b + 3.0 * math.sqrt(w)) / (2.0 * T))
    return {"window": w, "threshold": B * b, "rate": min(1.0, rate)}


@preset("m-ucb", Cell(Policy, detect=TwoHalves, force=Sweeps), tuned=halving)
def MUCB(
    window: int,
    threshold: float,
    rate: float,
    xi: float = 2.0,
    bound: float = 1.0,
    explore: Explore | None = None,
    label: str = "M-UCB",
) -> Policy:
    """M-UCB, full history × two halves × UCB, with sweeps: X̄(i) + B √(2 log(t − τ) / N(i)).

    w is `window`, b is `threshold`, γ is `rate`. `tuned` knows the horizon, the number of
    breakpoints, the number of arms, and the smallest change or else w.

    All arms start over when the sums of the last w/2 rewards of an arm and of the w/2 before differ
    by more than b. Arms are swept every ⌊K/γ⌋ rounds.

    Fails where w is wrong: if it is too long, an arm that is seldom played never fills it; if it is
    too short, b is beyond any change. The tuned rates are large: in `two_swaps` it forces a quarter
    of the rounds.

    Reference: Cao, Wen, Kveton & Xie 2019.

    >>> MUCB.tuned(horizon=10_000, breakpoints=2, arms=3, change=0.5).detect
    TwoHalves(window=936, threshold=97.25..., scope='all')
    """
    detect, force = TwoHalves(window, threshold), Sweeps(rate)
    return Policy(
        detect=detect,
        explore=ucb_or(explore, xi, bound, usual=2.0),
        force=force,
        label=label,
    )


@preset("adwin-ucb", Cell(Policy, detect=ADWIN))
def ADWINUCB(
    delta: float = 0.002,
    every: int = 32,
    xi: float = 0.5,
    bound: float = 1.0,
    scope: str = "arm",
    explore: Explore | None = None,
    label: str = "ADWIN-UCB",
) -> Policy:
    """ADWIN-UCB, full history × ADWIN × UCB: restarts where ADWIN would shrink its window.

    It forces no exploration, so it is for changes that touch arms in play.

    Fails where an arm that is not played gets better: nothing makes it look.

    Reference: Komiyama, Fouché & Honda 2021, *Finite-time analysis of globally nonstationary
    multi-armed bandits* (the variant that resets); Bifet & Gavaldà 2007.

    >>> ADWINUCB().force
    Unforced()
    """
    detect = ADWIN(delta, every, bound, scope)
    return Policy(detect=detect, explore=ucb_or(explore, xi, bound), label=label)


def _changes(breakpoints: int, horizon: int) -> int:
    """Return Υ, which must be known and at least 1 where a rule divides by it."""
    changes = whole("breakpoints", breakpoints)
    if changes >= horizon:
        raise InputError(f"breakpoints must be fewer than the horizon {horizon}, got {changes}")
    return changes
