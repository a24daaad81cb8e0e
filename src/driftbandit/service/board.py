"""What the dashboard shows of an experiment, from what is folded."""

from __future__ import annotations

import math
from bisect import bisect_right
from operator import attrgetter

import msgspec

from driftbandit.service import events, shapes
from driftbandit.service.admin import shown
from driftbandit.service.alerts import alerts_of
from driftbandit.service.call import Call
from driftbandit.service.deciding import experiment_of
from driftbandit.service.experiment import Experiment
from driftbandit.service.problems import Refusal
from driftbandit.service.series import SPANS, Bin, Sums
from driftbandit.service.store.protocol import Store
from driftbandit.service.watch import Found
from driftbandit.service.worker import Worker

POOL = 5
"""Bins in a window: what a share or a rate is computed from."""
AGES = (10.0, 60.0, 600.0, 3_600.0, 86_400.0, math.inf)
RECENT, BACK = 8, 400


class Line(msgspec.Struct, frozen=True):
    """An arm: its probability now, its sums over the span, and windows that end with each bin.

    Rewards are counted where their decisions are; `waiting` decisions have not ended. `mean` and
    `rate` are the reward per decision: one that waits counts as the default reward, if there is
    one, and is left out else. `low` and `high` are 95 % bands around the rate.
    """

    arm: str
    probability: float
    decisions: int
    waiting: int
    rewards: int
    mean: float | None
    share: list[float | None]
    rate: list[float | None]
    low: list[float | None]
    high: list[float | None]


class Age(msgspec.Struct, frozen=True):
    """How many decisions have waited for less than so many seconds, but longer than before."""

    below: float | None
    count: int


class Worth(msgspec.Struct, frozen=True):
    """Reward per decision outside the holdout minus that inside, since the last change.

    Of the decisions before the first one that may still get a reward.
    """

    decisions: int
    difference: float
    low: float
    high: float


class Recent(msgspec.Struct, frozen=True):
    """One of the last decisions."""

    id: str
    arm: str
    at: float
    probability: float
    by: events.By


class Board(msgspec.Struct, frozen=True):
    """An experiment over a span: bins of `width` seconds, each with its `starts`.

    `remembered` is how many plays the policy's memory amounts to; `worth` is null without a
    holdout.
    """

    experiment: shapes.Experiment
    now: float
    width: float
    starts: list[float]
    remembered: list[float | None]
    arms: list[Line]
    found: list[Found]
    pending: list[Age]
    worth: Worth | None
    alerts: list[str]
    recent: list[Recent]


async def board(worker: Worker, call: Call) -> Board:
    """Show how an experiment goes."""
    experiment, span = experiment_of(worker, call), call.names["span"]
    if span not in SPANS:
        raise Refusal(404, "span", f"span must be one of {', '.join(SPANS)}, got {span!r}")
    name, until = experiment.name, worker.fold.position
    recent = await worker.read(lambda store: _recent(store, name, until))
    bins = experiment.watch.series.bins(span)
    contrast, now = experiment.watch.contrast, worker.now()
    worth = contrast.interval()
    return Board(
        shown(worker, experiment), now, SPANS[span], [each.start for each in bins],
        [each.remembered for each in bins], _lines(experiment, bins, SPANS[span]),
        experiment.watch.found, _ages(experiment, now),
        None if worth is None else Worth(contrast.ended.count, *worth),
        alerts_of(experiment, worker.fold.at), recent,
    )  # fmt: skip


def _recent(store: Store, name: str, until: int) -> list[Recent]:
    """Return the last decisions, the last one first."""
    rows = store.read(max(until - BACK, 0), BACK, name)
    decided = [
        Recent(row.event.id, row.event.arm, row.at, row.event.probability, row.event.by)
        for row in rows
        if isinstance(row.event, events.Decided)
    ]
    return decided[: -RECENT - 1 : -1]


def _lines(experiment: Experiment, bins: list[Bin], width: float) -> list[Line]:
    """Return a line for each arm in play, and for others that were served."""
    served: dict[str, float] = {}
    for arm, probability in experiment.law().items():
        name = experiment.watch.series.names.get(arm, arm)
        served[name] = served.get(name, 0.0) + probability
    names = [*served, *(arm for each in bins for arm in each.arms)]
    windows = [_window(bins, place, width) for place in range(len(bins))]
    totals = [sum(sums.decisions for sums in window.values()) for window in windows]
    largest, default = experiment.most, experiment.config.default_reward
    lines = []
    for arm in dict.fromkeys(names):
        whole = Sums()
        for each in bins:
            whole.add(each.arms.get(arm, Sums()))
        sums = [window.get(arm, Sums()) for window in windows]
        bands = [band(expected(each, default), largest) for each in sums]
        mean, _, _ = band(expected(whole, default), largest)
        share = [
            each.decisions / total if total else None
            for each, total in zip(sums, totals, strict=True)
        ]
        lines.append(
            Line(
                arm, served.get(arm, 0.0), whole.decisions, whole.decisions - whole.ended,
                whole.rewards, mean, share, [rate for rate, _, _ in bands],
                [low for _, low, _ in bands], [high for _, _, high in bands],
            )
        )  # fmt: skip
    return lines


def _window(bins: list[Bin], place: int, width: float) -> dict[str, Sums]:
    """Return the sums per arm over the window that ends with a bin."""
    window: dict[str, Sums] = {}
    for each in bins[max(place - POOL + 1, 0) : place + 1]:
        if each.start > bins[place].start - POOL * width:
            for arm, sums in each.arms.items():
                window.setdefault(arm, Sums()).add(sums)
    return window


def expected(sums: Sums, default: float | None) -> Sums:
    """Return sums in which decisions that wait have the default reward, if there is one.

    >>> expected(Sums(9, ended=2, rewards=2, total=2.0, squares=2.0), 0.0).rewards
    9
    """
    waiting = sums.decisions - sums.ended
    if default is None:
        return sums
    total, squares = waiting * default, waiting * default * default
    rewards = sums.rewards + waiting
    return Sums(sums.decisions, sums.decisions, rewards, sums.total + total, sums.squares + squares)


def band(sums: Sums, largest: float) -> tuple[float | None, float | None, float | None]:
    """Return the mean reward and a 95 % band around it, as if two rewards of each end had come.

    That is Agresti and Coull's for clicks. It is not empty where all rewards are equal.

    >>> [round(value, 3) for value in band(Sums(9, 8, 8, 4.0, 4.0), 1.0)]
    [0.5, 0.217, 0.783]
    """
    n = sums.rewards
    if not n:
        return None, None, None
    rate, extra = sums.total / n, largest if math.isfinite(largest) else sums.total / n
    mean = (sums.total + 2.0 * extra) / (n + 4)
    square = (sums.squares + 2.0 * extra * extra) / (n + 4)
    half = 1.96 * math.sqrt(max(square - mean * mean, 0.0) / (n + 4))
    return rate, max(mean - half, 0.0), min(mean + half, largest)


def _ages(experiment: Experiment, now: float) -> list[Age]:
    """Return how old pending decisions are."""
    pending, ages, before = list(experiment.ledger.pending.values()), [], 0
    for below in AGES:  # the oldest come first
        younger = len(pending) - bisect_right(pending, now - below, key=attrgetter("at"))
        ages.append(Age(below if math.isfinite(below) else None, younger - before))
        before = younger
    return ages
