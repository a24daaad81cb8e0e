"""Sums over blocks of time of what the rows contribute, for every policy and method at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from driftbandit.logs.estimates.estimator import Estimator, View
from driftbandit.logs.estimates.weighting import Recent
from driftbandit.logs.evidence import Evidence, Piece
from driftbandit.logs.players import Play, Player, shared_of
from driftbandit.logs.rows import Floats
from driftbandit.logs.streams import generator

Progress = Callable[[int, int], None]


@dataclasses.dataclass
class Sums:
    """Per block of time: the sums of what one policy's rows contribute by one method."""

    above: Floats
    below: Floats
    control: Floats
    squares: Floats
    rows: Floats


@dataclasses.dataclass
class Overview:
    """How much of the log a policy can use."""

    weights: float = 0.0
    squares: float = 0.0
    largest: float = 0.0
    accepted: int = 0

    @property
    def effective(self) -> float:
        """The effective sample size (Σ w)² / Σ w²."""
        return self.weights**2 / self.squares if self.squares > 0.0 else 0.0

    def add(self, play: Play, counted: Floats) -> None:
        """Take in the rows of a piece; `counted` are their weights by age."""
        weight = play.weight * counted
        self.weights += float(weight.sum())
        self.squares += float((weight**2).sum())
        self.largest = max(self.largest, float(weight.max(initial=0.0)))
        self.accepted += int(play.accepted.sum())


@dataclasses.dataclass
class Gathered:
    """What one pass over the log has gathered of one policy: by method, and of its weights."""

    player: Player
    sums: dict[str, Sums]
    overview: Overview


def gathered(
    players: Sequence[Player],
    estimators: Sequence[Estimator],
    evidence: Evidence,
    recent: Recent | None,
    seed: int,
    progress: Progress | None = None,
) -> list[Gathered]:
    """Go through the log once with all policies."""
    results = [
        Gathered(player, {each.name: _zeros(each, evidence) for each in estimators}, Overview())
        for player in players
    ]
    rng = generator(seed, "acceptance")
    done = 0
    for piece in evidence.pieces():
        shared = shared_of(piece, evidence, rng)
        counted = np.ones(len(piece.places)) if recent is None else recent.weights(piece.rows.time)
        for result in results:
            play = result.player.play(piece, shared)
            result.overview.add(play, counted)
            if estimators:
                view = _view(piece, play, evidence)
            for estimator in estimators:
                _add(result.sums[estimator.name], estimator, view, counted, piece, evidence)
            done += len(piece.places)
            if progress is not None:
                progress(done, evidence.size * len(players))
    return results


def parts_of(estimator: Estimator, evidence: Evidence) -> int:
    """Return into how many parts the log is cut for an estimator."""
    return evidence.windows if estimator.by_window else evidence.blocks


def _zeros(estimator: Estimator, evidence: Evidence) -> Sums:
    return Sums(*(np.zeros(parts_of(estimator, evidence)) for _ in range(5)))


def _view(piece: Piece, play: Play, evidence: Evidence) -> View:
    rows = piece.rows
    block = evidence.parts_of(piece.places, evidence.blocks)
    window = evidence.parts_of(piece.places, evidence.windows)
    return View(
        rows.reward,
        play.weight,
        play.expected(evidence.predicted, block),
        evidence.predicted[block, rows.arm],
        play.expected(evidence.by_window.means, window),
        play.accepted,
    )


def _add(
    sums: Sums, estimator: Estimator, view: View, counted: Floats, piece: Piece, evidence: Evidence
) -> None:
    """Add the rows of a piece to the sums of their parts of the log."""
    terms = estimator.terms(view)
    parts = parts_of(estimator, evidence)
    place = evidence.parts_of(piece.places, parts)
    first = int(place[0])
    place, count = place - first, int(place[-1]) - first + 1
    above = counted * terms.above
    span = slice(first, first + count)
    sums.above[span] += np.bincount(place, above, count)
    sums.below[span] += np.bincount(place, counted * terms.below, count)
    sums.squares[span] += np.bincount(place, above**2, count)
    sums.rows[span] += np.bincount(place, minlength=count)
    if terms.control is not None:
        sums.control[span] += np.bincount(place, counted * terms.control, count)
