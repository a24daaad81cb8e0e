"""Numbers on the command line, parsed by typer: 10000, 10_000 and 1e4 are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from driftbandit.core import errors


class BadValue(typer.BadParameter):
    """A value of an option that is not allowed; the message names the option by itself."""

    def format_message(self) -> str:
        """Return the message alone, without typer's "Invalid value for"."""
        return self.message


def whole(name: str, least: int = 1, most: int | None = 2**53) -> Callable[[Any], int]:
    """Return a parser of whole numbers from `least` to `most`.

    >>> whole("horizon")("1e4"), whole("horizon")("10_000")
    (10000, 10000)
    """

    def parse(value: Any) -> int:
        try:
            return errors.whole(name, _number(value), least, most)
        except errors.InputError as error:
            raise BadValue(str(error)) from None

    return parse


def real(name: str) -> Callable[[Any], float]:
    """Return a parser of numbers.

    >>> real("gap")("1e-1")
    0.1
    """

    def parse(value: Any) -> float:
        try:
            return float(value)
        except ValueError:
            raise BadValue(f"{name} must be a number, got {errors.shown(value)}") from None

    return parse


def _number(value: Any) -> Any:
    """Return an int or a float, or the text itself if it is neither."""
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
