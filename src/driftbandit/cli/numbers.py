"""Numbers on the command line, parsed by typer: 10000, 10_000 and 1e4 are the same."""

from __future__ import annotations

import re
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
            return float(number_of(str(value)))
        except (OverflowError, ValueError):
            raise BadValue(f"{name} must be a number, got {errors.shown(value)}") from None

    return parse


def _number(value: Any) -> Any:
    """Return an int or a float, or the text itself if it is neither."""
    try:
        return number_of(str(value))
    except ValueError:
        return value


THOUSANDS = re.compile(r"\s*[+-]?[0-9]{1,3}(_[0-9]{3})+([.eE\s][^_]*)?")


def number_of(text: str) -> int | float:
    """Return the number that a text writes in the digits 0 to 9, or raise `ValueError`.

    An underscore separates thousands: `1_0`, which Python takes for 10, is as likely 1.0 or 100.

    >>> number_of("10_000"), number_of("1e4")
    (10000, 10000.0)
    """
    if not text.isascii() or ("_" in text and not THOUSANDS.fullmatch(text)):
        raise ValueError(text)
    try:
        return int(text)
    except ValueError:
        return float(text)
