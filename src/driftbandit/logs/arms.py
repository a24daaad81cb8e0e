"""The arms of a log, and the sets of arms that were eligible, as numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

Codes = NDArray[np.int32]

NONE = -1
"""The code of what is missing."""

SEPARATOR = "\x1f"
"""Stands between the arms of a set; no name has it."""


class Arms:
    """Codes of arms and of sets of arms, in the order in which they are met.

    >>> import polars as pl
    >>> arms = Arms()
    >>> arms.codes(pl.Series(["b", None, "a", "b"])).tolist(), arms.labels
    ([0, -1, 1, 0], ['b', 'a'])
    >>> arms.sets(pl.Series([["a"], ["b", "c"], None, []])).tolist(), arms.labels
    ([0, 1, -1, -1], ['b', 'a', 'c'])
    >>> arms.mask().tolist()
    [[False, True, False], [True, False, True]]
    """

    def __init__(self) -> None:
        self.labels: list[Any] = []
        self._places: dict[str, int] = {}
        self._members: list[tuple[int, ...]] = []
        self._codes: dict[tuple[int, ...], int] = {}
        self._sets: dict[str, int] = {}

    def codes(self, values: pl.Series) -> Codes:
        """Return the code of each arm."""
        for label in values.unique(maintain_order=True).drop_nulls().to_list():
            self._place(label)
        return _replaced(_texts(values), self._places)

    def sets(self, values: pl.Series) -> Codes:
        """Return the code of each set: a list, or a text such as "a|b" or '["a", "b"]'."""
        import polars as pl  # noqa: PLC0415  # loads only where a log is read

        if isinstance(values.dtype, pl.List | pl.Array):
            kind = pl.List(pl.String)
            texts = values.cast(kind).list.join(SEPARATOR)
            lists = dict(zip(texts.to_list(), values.to_list(), strict=True)) if len(values) else {}
        else:
            texts = values.cast(pl.String, strict=False)
            lists = {text: _listed(text) for text in texts.unique().drop_nulls().to_list()}
        for text, members in lists.items():
            if text is not None and members and text not in self._sets:
                named = {self._place(label) for label in members if label is not None}
                places = tuple(sorted(named))  # the order in which they are written is none
                if places not in self._codes:
                    self._codes[places] = len(self._members)
                    self._members.append(places)
                self._sets[text] = self._codes[places]
        return _replaced(texts, self._sets)

    def among(self, sets: Iterable[int]) -> set[int]:
        """Return the arms that are in one of these sets."""
        return {arm for each in sets if each != NONE for arm in self._members[each]}

    def mask(self) -> NDArray[np.bool_]:
        """Return which arms are in which set: a row per set, a column per arm."""
        mask = np.zeros((len(self._members), len(self.labels)), dtype=np.bool_)
        for row, members in enumerate(self._members):
            mask[row, members] = True
        return mask

    def _place(self, label: Any) -> int:
        text = _text(label)
        if text not in self._places:
            self._places[text] = len(self.labels)
            self.labels.append(label if isinstance(label, str | int | float) else text)
        return self._places[text]


def _texts(values: pl.Series) -> pl.Series:
    """Return the labels as text, by which they are told apart."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if values.dtype in (pl.String, pl.Int64, pl.Int32, pl.Null):
        return values.cast(pl.String)
    distinct = values.unique().drop_nulls().to_list()
    if not distinct:
        return values.cast(pl.String, strict=False)
    return values.replace_strict(
        distinct, [_text(value) for value in distinct], default=None, return_dtype=pl.String
    )


def _text(label: Any) -> str:
    """Return a label as text; a whole number that pandas made a float is as it was before.

    >>> _text(1.0), _text(1.5), _text("1.0")
    ('1', '1.5', '1.0')
    """
    whole = isinstance(label, float) and label.is_integer()
    return str(int(label)) if whole else str(label)


def _replaced(texts: pl.Series, places: dict[str, int]) -> Codes:
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if not places:
        return np.full(len(texts), NONE, dtype=np.int32)
    codes = texts.replace_strict(
        list(places), list(places.values()), default=NONE, return_dtype=pl.Int32
    )
    return codes.fill_null(NONE).to_numpy()


def _listed(text: str) -> list[Any]:
    """Return the arms in a text: a list in JSON, or names with | between them."""
    if text.lstrip().startswith("["):
        try:
            value = json.loads(text)
        except ValueError:
            return []
        return value if isinstance(value, list) else []
    return [part.strip() for part in text.split("|") if part.strip()]
