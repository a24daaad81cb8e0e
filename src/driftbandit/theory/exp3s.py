"""EXP3.S against a best arm that changes.

Reference: Auer, Cesa-Bianchi, Freund & Schapire 2002, theorem 8.1 and its corollaries.
"""

from __future__ import annotations

import math

from driftbandit.core.errors import flag, real, whole
from driftbandit.policies import EXP3S
from driftbandit.theory.bound import Bound
from driftbandit.theory.problem import rounds_and_breakpoints

ASSUMES = (
    "rewards lie in [0, B] and do not depend on what was played",
    "the best arm changes at most Υ times up to T",
)


def regret(
    horizon: int,
    breakpoints: int,
    arms: int,
    exploration: float | None = None,
    sharing: float | None = None,
    bound: float = 1.0,
    *,
    as_printed: bool = False,
) -> Bound:
    """Bound the regret of EXP3.S(γ, α): B (K ((Υ+1) log(K/α) + eαT) / γ + (e − 1) γ T).

    By default γ and α are the paper's, which tunes for Υ where there are Υ + 1 segments.

    As printed: 2√(e − 1) √(KT (Υ log(KT) + e)). With Υ + 1 in place of Υ, it holds for γ tuned to
    Υ + 1.

    >>> round(regret(10_000, 2, arms=3).value), round(tuned(10_000, 2, arms=3).value)
    (2678, 2634)
    """
    T, breaks, K, largest = _numbers(horizon, breakpoints, arms, bound)
    rule = EXP3S.tuned(T, breaks, K)
    gamma = rule.exploration if exploration is None else real("exploration", exploration, "(0, 1]")
    alpha = rule.sharing if sharing is None else real("sharing", sharing, "(0, 1]")
    if flag("as_printed", as_printed):
        return _bound(T, largest, {"all": _best(T, K, breaks)}, holds=False)
    weights = K * ((breaks + 1) * math.log(K / alpha) + math.e * alpha * T) / gamma
    return _bound(T, largest, {"weights": weights, "exploration": (math.e - 1.0) * gamma * T})


def tuned(horizon: int, breakpoints: int, arms: int, bound: float = 1.0) -> Bound:
    """Bound the regret of EXP3.S tuned to Υ + 1 segments: 2√(e − 1) √(KT ((Υ+1) log(KT) + e)) B.

    >>> tuned(10_000, 2, arms=3).vacuous
    False
    """
    T, breaks, K, largest = _numbers(horizon, breakpoints, arms, bound)
    return _bound(T, largest, {"all": _best(T, K, breaks + 1)})


def _numbers(
    horizon: int, breakpoints: int, arms: int, bound: float
) -> tuple[int, int, int, float]:
    T, breaks = rounds_and_breakpoints(horizon, breakpoints)
    return T, breaks, whole("arms", arms, least=2), real("bound", bound, "(0, inf)")


def _best(T: int, K: int, hardness: int) -> float:
    inside = K * T * (hardness * math.log(K * T) + math.e)
    return 2.0 * math.sqrt(math.e - 1.0) * math.sqrt(inside)


def _bound(T: int, largest: float, terms: dict[str, float], holds: bool = True) -> Bound:
    scaled = {name: largest * value for name, value in terms.items()}
    value = sum(scaled.values())
    return Bound(value, "regret", largest * T, scaled, ASSUMES, holds=holds)
