"""The arm with the largest index in machine code, one choice at a time."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from driftbandit.engine import compiler, first_use

SEAL = -1
"""The place in whose stead the compiled function returns its seal."""


@functools.cache
def largest_of(index: compiler.Function, noise: int, prior: bool, numbers: int) -> Any:
    """Return a compiled function `largest(memory, drawn, place, arguments)` for an index.

    It returns the arm with the largest index, the lowest of equals. `memory` has the mean of every
    arm, the count of every arm in units of the weight, the weight, and the clock; `drawn` has the
    random numbers of the choice from `place` on, in the order in which a live policy draws them;
    `arguments` are the rule's own, so many `numbers`. `noise` and `prior` are those of the rule.

    >>> from driftbandit.rules.explore import KLUCB
    >>> rule = KLUCB()
    >>> largest = largest_of(rule.index, 0, False, 2)
    >>> memory = np.array([0.2, 0.4, 9.0, 9.0, 1.0, 18.0])
    >>> largest(memory, np.empty(0), 0, rule.numbers())
    1
    """
    seal = compiler.seal((index,), f"largest {noise} {prior}")

    def largest(memory: Any, drawn: Any, place: int, arguments: Any) -> int:
        if place == SEAL:
            return seal
        arms, best, lead = (len(memory) - 2) // 2, 0, -math.inf
        weight, clock = memory[-2], max(memory[-1], 1.0)
        for arm in range(arms):
            mean, count = memory[arm], memory[arms + arm] / weight
            if prior and not math.isfinite(mean):
                mean = 0.0
            value = mean
            if prior or count > 0.0:
                if noise == 0:
                    value = index(mean, count, clock, *arguments)
                elif noise == 1:
                    value = index(mean, count, clock, drawn[place + arm], *arguments)
                else:
                    own = drawn[place + arm : place + arms * noise : arms]
                    value = index(mean, count, clock, own, *arguments)
            if value > lead:
                best, lead = arm, value
        return best

    code = compiler.compiled(largest, seal)
    with first_use.explained():
        compiler.check(code(np.ones(6), np.empty(0), SEAL, (1.0,) * numbers), seal)
    return code
