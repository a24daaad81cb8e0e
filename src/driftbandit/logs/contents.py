"""The rows of a log: which are bad and why, and the good ones as evidence."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from driftbandit.logs.arms import NONE, Arms, Codes
from driftbandit.logs.check import Check, check_of, refuse
from driftbandit.logs.columns import Columns
from driftbandit.logs.evidence import THIN, Evidence
from driftbandit.logs.oddities import oddities
from driftbandit.logs.reading.moments import require_unit, seconds
from driftbandit.logs.reading.source import Source
from driftbandit.logs.rows import Batch, Inspector, Terms
from driftbandit.logs.survey import Survey, looked_at

if TYPE_CHECKING:
    import polars as pl


class Contents:
    """The rows of a source, looked at once, when the first question is asked.

    `sort`: sort them by time and id; `set_aside`: leave bad rows out, instead of refusing them.
    """

    def __init__(
        self, source: Source, columns: Columns, terms: Terms, sort: bool, set_aside: bool
    ) -> None:
        self._source, self.columns, self._terms = source, columns, terms
        self._sort, self._set_aside = sort, set_aside

    @property
    def name(self) -> str | None:
        """The name of the source, if it has one."""
        return self._source.name

    def groups(self, column: str) -> dict[Any, Contents]:
        """Return the contents for each value of a column."""
        return {
            label: Contents(
                self._source.where(column, label), self.columns, self._terms,
                self._sort, self._set_aside,
            )
            for label in self._source.distinct(column)
        }  # fmt: skip

    def check(self) -> Check:
        """Return what there is, and which rows are bad and why."""
        numbered = self._source.ordered and not self._sort
        return check_of(self.survey, self._labels, numbered, self._set_aside)

    @property
    def usable(self) -> bool:
        """Whether there are good rows, and no bad ones that are not set aside."""
        good, rows = self.survey.good, self.survey.rows
        return good > 0 and (self._set_aside or good == rows)

    @property
    def notes(self) -> list[str]:
        """Say what is odd about the log, and how many rows are set aside, if any are."""
        aside = self.survey.rows - self.survey.good
        left = [f"{aside:,} of {self.survey.rows:,} rows are bad and set aside."] if aside else []
        return [*oddities(self.survey, self._labels), *left]

    @functools.cached_property
    def survey(self) -> Survey:
        """What one pass over the rows tells."""
        survey = Survey(Arms())
        for batch, frame, faults in self._looked_at(survey.arms):
            survey.add(batch, frame, faults, self._terms.bound)
        if survey.good:
            require_unit(survey.start, self._terms.unit)
        return survey

    def _looked_at(self, arms: Arms) -> Iterator[Any]:
        columns = {role: name for role, name in self.columns.present().items() if role != "group"}
        inspector = Inspector(self._terms, arms, self._repeated)
        frames = self._source.batches(columns, self._clock if self._sort else None)
        return looked_at(frames, arms, self._terms, inspector)

    def _clock(self, times: pl.Series) -> pl.Series:
        return seconds(times, self._terms.unit, self._terms.zone)

    @functools.cached_property
    def _repeated(self) -> set[str]:
        """Return the ids that stand more than once."""
        return set() if self.columns.id is None else self._source.repeated(self.columns.id)

    @functools.cached_property
    def _order(self) -> list[int]:
        """Return the codes of the arms in the order of their labels.

        A name that stands in rows alone that are set aside, such as a second header, is no arm.
        """
        survey, labels = self.survey, self.survey.arms.labels
        codes = set(range(len(labels)))
        if self._set_aside and survey.good:
            codes = survey.played | survey.arms.among(survey.offered)
        return sorted(codes, key=lambda code: _sorting(labels[code]))

    @functools.cached_property
    def _sets(self) -> list[int]:
        """Return the codes of the sets of arms that were eligible in good rows."""
        return sorted(self.survey.offered - {NONE})

    @functools.cached_property
    def _labels(self) -> list[Any]:
        """Return the arms in their order; in CSV, where all is text, whole numbers are numbers."""
        labels = [self.survey.arms.labels[code] for code in self._order]
        if self._source.of_text and all(_is_whole(label) for label in labels):
            return [int(label) for label in labels]
        return labels

    @functools.cached_property
    def evidence(self) -> Evidence:
        """The good rows; raises if there are bad ones that are not set aside."""
        survey = self.survey
        refuse(self.check(), self._set_aside)
        known, bins = self.columns.propensity is not None, survey.propensities
        evidence = Evidence(
            survey.good,
            self._labels,
            survey.arms.mask()[np.ix_(self._sets, self._order)],
            self._terms.bound,
            survey.coins,
            survey.start,
            survey.end,
            bins.quantile(THIN),
            bins.quantile(0.0),
            "logged" if known else "estimated",
            self._good,
        )
        if known:
            return evidence
        for piece in evidence.pieces():
            bins.add(piece.rows.propensity)
        return dataclasses.replace(evidence, thinning=bins.quantile(THIN), least=bins.quantile(0.0))

    def _good(self) -> Iterator[Batch]:
        """Yield the good rows, with arms by their places among the labels."""
        arms, sets = _places(self._order), _places(self._sets)
        batches = self.survey.kept
        for batch in self._read_again() if batches is None else batches:
            yield batch._replace(arm=arms[batch.arm], eligible=sets[batch.eligible])

    def _read_again(self) -> Iterator[Batch]:
        for batch, _, faults in self._looked_at(self.survey.arms):
            bad = np.zeros(len(batch.time), dtype=np.bool_)
            for fault in faults:
                bad |= fault.mask
            if not bad.all():
                yield batch.where(~bad)


def _places(codes: list[int]) -> Codes:
    """Return the place of each code among these, for indexing; that of −1 is −1.

    >>> _places([3, 0])[[0, 3, -1]].tolist()
    [1, 0, -1]
    """
    places = np.full(max(codes, default=NONE) + 2, NONE, dtype=np.int32)
    places[codes] = np.arange(len(codes), dtype=np.int32)
    return places


def _is_whole(label: Any) -> bool:
    """Say whether a text is a whole number as Python writes it."""
    return (
        isinstance(label, str)
        and label.isascii()
        and len(label) < 20  # more digits are no number to any reader
        and label.lstrip("-").isdigit()
        and (str(int(label)) == label)
    )


def _sorting(label: Any) -> tuple[int, float, str]:
    """Return a key that sorts numbers before texts."""
    if isinstance(label, int | float) or _is_whole(label):
        return 0, float(label), ""
    return 1, 0.0, str(label)
