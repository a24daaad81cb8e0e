"""How regret grows with the horizon, and how far the bounds lie above the measured plays."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import listed
from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import real, require, whole
from driftbandit.core.statistics import standard_error
from driftbandit.core.text import amount
from driftbandit.engine.simulate import simulate
from driftbandit.environments import Piecewise
from driftbandit.policies import EXP3S, UCB1, DiscountedUCB, SlidingWindowUCB, Strategy
from driftbandit.studies.progress import Progress
from driftbandit.theory import discount_rule, discounted, window_rule, windowed

Array = NDArray[np.float64]

HORIZONS = tuple(round(10 ** (k / 2)) for k in range(6, 13))
"""Seven horizons from 10³ to 10⁶."""
LOGARITHMS = {"UCB-1": 0.0, "EXP3.S": 0.5, "D-UCB": 1.0, "D-UCB (padding B)": 1.0, "SW-UCB": 0.5}
"""Powers p of log T in the proved rates: √T (log T)^p, and T for UCB-1."""


@dataclasses.dataclass(frozen=True, repr=False)
class Growth:
    """Regret, suboptimal plays and bounds on these plays, by policy, at every horizon.

    `regret` and `plays` have one row per horizon: the mean over runs and its standard error.
    `plays` counts the arm that is played most while it is not the best.
    """

    breakpoints: int
    gap: float
    xi: float
    runs: int
    horizons: Array
    regret: dict[str, Array]
    plays: dict[str, Array]
    bounds: dict[str, Array]

    def __repr__(self) -> str:
        """Return in one line what was measured."""
        last = f"{len(self.horizons)} horizons up to {self.horizons[-1]:,.0f}"
        return f"<Growth: {', '.join(self.regret)}, {last}, {amount(self.runs, 'run')}>"

    def slope(self, label: str, logarithms: float = 0.0) -> float:
        """Return p of regret ≈ c T^p (log T)^logarithms, fitted to all horizons by least squares.

        >>> horizons = np.array([1e3, 1e4, 1e5])
        >>> regret = {"x": np.column_stack([3.0 * np.sqrt(horizons), np.zeros(3)])}
        >>> round(Growth(1, 0.1, 0.6, 1, horizons, regret, {}, {}).slope("x"), 9)
        0.5
        """
        mean = self.regret[label][:, 0] / np.log(self.horizons) ** logarithms
        return float(np.polyfit(np.log(self.horizons), np.log(mean), 1)[0])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "breakpoints": self.breakpoints,
            "gap": self.gap,
            "xi": self.xi,
            "runs": self.runs,
            "horizons": self.horizons.astype(int).tolist(),
            "regret": {label: rows.tolist() for label, rows in self.regret.items()},
            "plays": {label: rows.tolist() for label, rows in self.plays.items()},
            "bounds": {label: row.tolist() for label, row in self.bounds.items()},
            "slopes": {label: self.slope(label) for label in self.regret},
        }


def growth(
    breakpoints: int = 2,
    gap: float = 0.4,
    horizons: Sequence[int] = HORIZONS,
    runs: int = 64,
    seed: int = 0,
    xi: float = 0.6,
    progress: Progress | None = None,
) -> Growth:
    """Play the paper's policies, tuned by its rules, at growing horizons.

    The world is that of `swaps`, with the same number of breakpoints at every horizon. The first
    breakpoint is hard for UCB-1, which has seen the first arm win for a long time by then.

    >>> growth_of_regret = growth(horizons=(100, 1000), runs=4)
    >>> 0.9 < growth_of_regret.slope("UCB-1") < 1.1
    True
    """
    whole("breakpoints", breakpoints)
    require_function("progress", progress, "done, total")
    allowed = "be two or more that increase"
    rounds = [whole("horizon", T, least=10) for T in listed("horizons", horizons, allowed)]
    require(len(rounds) > 1 and sorted(set(rounds)) == rounds, "horizons", rounds, allowed)
    results = []
    for done, T in enumerate(rounds):
        if progress is not None:
            progress(sum(rounds[:done]), sum(rounds))
        world = swaps(T, breakpoints, gap)
        results.append(
            simulate(policies(T, breakpoints, xi), world, T, runs, seed, checkpoints=(T,))
        )
    labels = results[0].labels
    return Growth(
        breakpoints=breakpoints,
        gap=gap,
        xi=xi,
        runs=runs,
        horizons=np.array(rounds, dtype=np.float64),
        regret={
            label: np.array([_mean(result[label].final_regret) for result in results])
            for label in labels
        },
        plays={
            label: np.array([_most(result[label].suboptimal_plays) for result in results])
            for label in labels
        },
        bounds={
            "D-UCB": np.array([_discounted(T, breakpoints, gap, xi) for T in rounds]),
            "SW-UCB": np.array([_windowed(T, breakpoints, gap, xi) for T in rounds]),
        },
    )


def swaps(horizon: int, breakpoints: int, gap: float) -> Piecewise:
    """Return a world of two arms: one stays at 1/2, the other is a gap above or below by turns.

    The breakpoints cut the rounds into equal stretches.

    >>> swaps(30, breakpoints=2, gap=0.4).breakpoints
    (11, 21)
    """
    breaks, distance = whole("breakpoints", breakpoints, least=0), real("gap", gap, "(0, 0.5]")
    T = whole("horizon", horizon, least=breaks + 1)
    rounds = [1 + T * j // (breaks + 1) for j in range(1, breaks + 1)]
    rows = [[0.5 + (distance if j % 2 == 0 else -distance), 0.5] for j in range(breaks + 1)]
    return Piecewise(rounds, rows, horizon=T)


def policies(horizon: int, breakpoints: int, xi: float) -> list[Strategy]:
    """Return the policies of the experiment, tuned by the paper's rules."""
    return [
        UCB1(xi=xi),
        EXP3S.tuned(horizon, breakpoints, arms=2),
        DiscountedUCB.tuned(horizon, breakpoints, xi=xi),
        DiscountedUCB.tuned(horizon, breakpoints, xi=xi, padding=1.0, label="D-UCB (padding B)"),
        SlidingWindowUCB.tuned(horizon, breakpoints, xi=xi),
    ]


def _discounted(horizon: int, breakpoints: int, gap: float, xi: float) -> float:
    """Return the bound of Theorem 1 for the experiment's D-UCB."""
    discount = discount_rule(horizon, breakpoints)
    return discounted.plays(horizon, breakpoints, gap, discount, xi=xi).value


def _windowed(horizon: int, breakpoints: int, gap: float, xi: float) -> float:
    """Return the bound of Theorem 2 for the experiment's SW-UCB."""
    window = window_rule(horizon, breakpoints)
    return windowed.plays(horizon, breakpoints, gap, window, xi=xi).value


def _mean(values: Array) -> tuple[float, float]:
    return float(values.mean()), standard_error(values) if len(values) > 1 else 0.0


def _most(plays: Array) -> tuple[float, float]:
    return _mean(plays[:, plays.mean(axis=0).argmax()])
