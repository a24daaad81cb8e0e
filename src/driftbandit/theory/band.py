"""A confidence band around a drifting rate, from rewards that somebody chose to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.errors import InputError, flag, one_of, real, require, shown, whole
from driftbandit.theory.ends import METHODS, Averages
from driftbandit.theory.memory import Floats, Memory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Band:
    """The result of `confidence_band`: arrays shaped like the rewards, and what they promise."""

    mean: Floats
    """The average of the observed rewards; NaN before the first."""

    low: Floats
    high: Floats

    count: Floats
    """The effective count: N_t(γ)² / N_t(γ²) equally weighted rewards would be as good."""

    level: float
    bound: float
    simultaneous: bool
    """Whether the band holds for all rounds and arms at once, or for each of them alone."""

    drift: float
    """The largest change of the true mean per round that the band allows for."""

    method: str
    """How the ends were found: "betting" or "hoeffding"."""

    def __repr__(self) -> str:
        """Return in one line what the band covers."""
        rounds, *arms = self.mean.shape
        size = f"{rounds:,} rounds" + "".join(f", {number} arms" for number in arms)
        return f"<Band: {size}, level {self.level:g}, simultaneous={self.simultaneous}>"

    def plot(
        self,
        path: str | Path | None = None,
        truth: ArrayLike | None = None,
        *,
        names: Sequence[str] | None = None,
        times: ArrayLike | None = None,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Figure:
        """Draw the band, and the true means if known; see `driftbandit.figures.band`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.band(self, path, truth, names=names, times=times, ax=ax)


def confidence_band(
    rewards: ArrayLike,
    *,
    discount: float | None = None,
    window: int | None = None,
    level: float = 0.95,
    bound: float = 1.0,
    played: ArrayLike | None = None,
    simultaneous: bool = True,
    drift: float = 0.0,
    horizon: int | None = None,
    method: str = "betting",
) -> Band:
    """Return a band around the average of the true means in the rounds that were played.

    `rewards` lie in [0, bound], one row per round, and may have one column per arm. A reward is NaN
    where its arm was not played; where `played` is false it may be anything. One column of rewards
    and one column per arm in `played` are enough. The average is discounted, or over a `window`;
    `discount=1` is the full history. The choice of what to play may depend on all earlier rewards,
    and so may the means: the band is around Σ w_s μ_s / Σ w_s over the rounds s that were played,
    where μ_s is the mean of the reward given the past, and w_s = γ^(t−s), or 1 in the window.

    With `simultaneous` the band holds for all rounds and arms at once with probability `level`.
    Otherwise it holds for each round and arm alone. It is cut to [0, bound], and [0, bound] before
    the first reward.

    The method "betting" takes as ends the means that bets against them reject, each end at
    (1 − level) / 2, divided by the number of arms if they hold at once. They lie closer together
    where the variance is small; docs/decisions/0023-bands.md has the proof. "hoeffding" is
    mean ± δ / √count: δ is the `maximal_threshold` of the same probability, or for single rounds
    the `deviation_threshold` with `least=1e-6`, for the round rounded up to a power of two.

    `simultaneous` covers the rounds of the log. If you look again and again at a log that grows,
    set `horizon` to its final length: then all looks together hold with probability `level`.

    If the mean moves by at most `drift` per round, the band is widened by drift × the mean age of
    the rewards, and so holds for the true mean of each round.

    >>> rewards = [1.0, 0.0, np.nan, 1.0] * 100
    >>> band = confidence_band(rewards, window=200)
    >>> [float(x[-1].round(3)) for x in (band.mean, band.low, band.high, band.count)]
    [0.667, 0.477, 0.826, 150.0]
    """
    bound, drift = real("bound", bound, "(0, inf)"), real("drift", drift, "[0, inf)")
    at_once = flag("simultaneous", simultaneous)
    way = one_of("method", method, METHODS)
    ends = METHODS[way]
    miss = (1.0 - real("level", level, "(0, 1)")) / 2.0
    seen, mask = _observations(rewards, played, bound)
    shape = seen.shape
    columns = mask.reshape(len(mask), -1)
    values = (seen / bound).reshape(columns.shape)
    memory = Memory.of(columns, *_memory(discount, window))
    averages = Averages.of(values, columns, memory)
    reach = _reach(horizon, len(seen))
    share = miss / columns.shape[1] if at_once else miss
    low, high = ends(values, columns, memory, share, reach if at_once else None)
    age = drift / bound * _ages(columns, memory) if drift else 0.0
    informed = averages.effective > 0.0
    low = bound * np.where(informed, np.maximum(low - age, 0.0), 0.0)
    high = bound * np.where(informed, np.minimum(high + age, 1.0), 1.0)
    mean = bound * np.minimum(averages.mean, 1.0)
    mean, low, high, count = (x.reshape(shape) for x in (mean, low, high, averages.effective))
    return Band(mean, low, high, count, float(level), bound, at_once, drift, way)


def _reach(horizon: int | None, rows: int) -> int:
    """Return the last round that the band must hold for."""
    return rows if horizon is None else whole("horizon", horizon, least=rows)


def _ages(mask: Floats, memory: Memory) -> Floats:
    """Return the mean age of the remembered rewards."""
    rounds = np.arange(1.0, len(mask) + 1.0)[:, np.newaxis]
    with np.errstate(invalid="ignore"):
        return np.asarray(rounds - memory.total(rounds * mask) / memory.total(mask))


def _memory(discount: float | None, window: int | None) -> tuple[float, int | None]:
    if (discount is None) == (window is None):
        raise InputError("either discount or window must be given; discount=1 is the full history")
    if window is not None:
        return 1.0, whole("window", window)
    return real("discount", discount, "(0, 1]"), None


def _observations(
    rewards: ArrayLike, played: ArrayLike | None, bound: float
) -> tuple[Floats, Floats]:
    """Return the rewards, 0 where the arm was not played, and a mask: 1 if played, else 0."""
    values = real_array(rewards)
    if values is None:
        raise InputError(f"rewards must be numbers, one row per round, got {shown(rewards)}")
    fits = values.ndim in {1, 2} and values.size > 0
    require(fits, "the shape of rewards", values.shape, "be (rounds,) or (rounds, arms), none 0")
    mask = ~np.isnan(values) if played is None else _mask(played, values)
    if mask.ndim > values.ndim:
        values = values[:, np.newaxis]
    seen = np.where(mask, values, 0.0)
    wrong = ~((seen >= 0.0) & (seen <= bound))
    if wrong.any():
        place = np.unravel_index(wrong.argmax(), wrong.shape)
        where = f"[0, {bound:g}] where played, got {seen[place]:g} in round {place[0] + 1}"
        raise InputError(f"rewards must lie in {where}")
    return seen, mask.astype(np.float64)


def _mask(played: ArrayLike, rewards: Floats) -> NDArray[np.bool_]:
    masked = isinstance(played, np.ma.MaskedArray)
    require(not masked, "played", played, "be a plain array, not a masked one")
    try:
        mask = np.asarray(played)
    except ValueError:  # rows of different lengths
        raise InputError(f"played must have rows of one length, got {shown(played)}") from None
    require(mask.dtype == np.bool_, "played", mask.dtype.name, "be an array of True and False")
    wider = rewards.ndim == 1 and mask.ndim == 2 and len(mask) == len(rewards) and mask.size > 0
    allowed = f"be that of rewards, {rewards.shape}, or have one column per arm beside it"
    require(wider or mask.shape == rewards.shape, "the shape of played", mask.shape, allowed)
    return mask
