"""Random numbers of this package, apart from those that may have made a log."""

from __future__ import annotations

import numpy as np


def generator(seed: int, use: str) -> np.random.Generator:
    """Return a generator for one use.

    A log may come from a simulation with `default_rng(0)`, and so may its choices: rows would then
    be accepted by the very numbers that chose their arms. The letters of the use keep it apart.

    >>> generator(0, "bootstrap").random() != np.random.default_rng(0).random()
    True
    """
    return np.random.default_rng([*b"driftbandit.logs", *use.encode(), seed, len(use)])
