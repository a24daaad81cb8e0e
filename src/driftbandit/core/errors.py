"""The errors of the package, and the checks that raise the one a user's input can cause."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeGuard


class InputError(ValueError):
    """A value that was given is not allowed; the message names it in one line."""

    __module__ = "driftbandit"  # where users find it


class UnknownDecisionError(InputError):
    """A reward is for a decision that an agent does not await: unknown, over, or expired."""

    __module__ = "driftbandit"  # where users find it


class LostWorkersError(RuntimeError):
    """Workers died, or their scheduler went away, before all runs were played.

    The message says in one line what happened and what is kept.
    """

    __module__ = "driftbandit"  # where users find it


def require(condition: bool, name: str, value: Any, allowed: str) -> None:
    """Raise `InputError` unless `condition` holds.

    >>> require(False, "discount", 1.2, "lie in (0, 1]")
    Traceback (most recent call last):
    driftbandit.InputError: discount must lie in (0, 1], got 1.2
    """
    if not condition:
        raise InputError(f"{name} must {allowed}, got {shown(value)}")


LONGEST = 160
"""Letters of a value that a message shows."""


def shown(value: Any) -> str:
    """Return how a message shows a value: on one line, and shortened where it is long.

    >>> shown([1, 2]), len(shown(10**400)) <= LONGEST
    ('[1, 2]', True)
    """
    try:
        text = repr(value)
        if "\n" in text:  # else blanks are those of a name, and may tell two apart
            text = " ".join(text.split())
    except Exception:  # a whole number of thousands of digits has no decimal form
        large = isinstance(value, int)
        text = (
            f"a number of {value.bit_length():,} bits" if large else article(type(value).__name__)
        )
    half = LONGEST // 2 - 3
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"


def whole(name: str, value: Any, least: int = 1, most: int | None = 2**53) -> int:
    """Return `value` as an int, or raise if it is not a whole number of at least `least`.

    >>> whole("runs", 1e3)
    1000
    """
    number = _as_int(value)
    if number is None or number < least:
        raise InputError(f"{name} must be a whole number of at least {least}, got {shown(value)}")
    require(most is None or number <= most, name, value, f"be at most {most}")
    return number


def _as_int(value: Any) -> int | None:
    """Return a whole number of any kind as an int; None for anything else."""
    if not is_number(value):
        return None
    try:
        number = int(value)
        return number if number == value else None
    except Exception:  # infinite, or only looks like a number: its methods may do anything
        return None


def real(name: str, value: Any, interval: str) -> float:
    """Return `value` as a float, or raise unless it lies in `interval`, written as "(0, 1]".

    >>> real("discount", 1, "(0, 1]")
    1.0
    """
    low, high = (float(part) for part in interval[1:-1].split(","))
    number = as_float(value)  # as it is kept: a tiny fraction is 0
    fits = (
        math.isfinite(number)
        and (number > low or (interval[0] == "[" and number == low))
        and (number < high or (interval[-1] == "]" and number == high))
    )
    require(fits, name, value, f"lie in {interval}")
    return number


def plain(number: float) -> str:
    """Return a number as a message or an interval has it: all its digits, but no ".0".

    >>> plain(1.0), plain(1234567.5), plain(1e100)
    ('1', '1234567.5', '1e+100')
    """
    return repr(float(number)).removesuffix(".0")


def horizon_of(horizon: Any, last: int | None, name: str = "horizon") -> int:
    """Return the number of rounds to play: `horizon`, by default a world's `last` round.

    Raise if the world ends before the horizon, or if neither of them is there.

    >>> horizon_of(None, 500), horizon_of(1e3, None)
    (500, 1000)
    """
    if horizon is None:
        if last is None:
            raise InputError(f"{name} must be given: this world has no last round")
        return whole(name, last)
    rounds = whole(name, horizon)
    fits = last is None or rounds <= last
    require(fits, name, rounds, f"be at most {last}, the world's last round")
    return rounds


def is_number(value: Any) -> bool:
    """Say whether `value` is a real number (numpy's count, True, False and masked ones do not)."""
    if isinstance(value, bool | str | bytes) or not hasattr(type(value), "__float__"):
        return False
    kind = getattr(getattr(value, "dtype", None), "kind", "f")  # numpy converts texts and dates too
    return kind in "iuf" and getattr(value, "ndim", 0) == 0 and not hasattr(value, "mask")


def is_several(value: Any) -> TypeGuard[Iterable[Any]]:
    """Say whether a value can be gone through item by item, which a text should not be.

    >>> is_several([1]), is_several(range(2)), is_several("12"), is_several(5)
    (True, True, False, False)
    """
    several = isinstance(value, Iterable) and not isinstance(
        value, str | bytes | bytearray | memoryview
    )
    return several and getattr(value, "ndim", 1) > 0  # an array without an axis holds one number


def as_float(value: Any) -> float:
    """Return a real number as a float, ±∞ if it is too large for one; NaN for anything else.

    >>> as_float(1), as_float(10**400), as_float("1"), as_float(True)
    (1.0, inf, nan, nan)
    """
    if not is_number(value):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except Exception:  # a signalling NaN, or what only looks like a number and may do anything
        return math.nan


def reward_as_float(value: Any) -> float:
    """Return a reward as a float, a click (True or False) as 1 or 0; NaN for what is no reward.

    >>> reward_as_float(True), reward_as_float(0.5), reward_as_float("1")
    (1.0, 0.5, nan)
    """
    return float(value) if is_flag(value) else as_float(value)


def is_flag(value: Any) -> bool:
    """Say whether `value` is True or False, numpy's included."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    one = getattr(value, "ndim", 0) == 0 and not hasattr(value, "mask")
    return isinstance(value, bool) or (kind == "b" and one)


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool, or raise if it merely counts as True or False.

    >>> flag("as_printed", "no")
    Traceback (most recent call last):
    driftbandit.InputError: as_printed must be True or False, got 'no'
    """
    require(is_flag(value), name, value, "be True or False")
    return bool(value)


def article(name: str) -> str:
    """Return a name after "a" or "an"; a U is that of UCB.

    >>> article("Explore"), article("UCB")
    ('an Explore', 'a UCB')
    """
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"


def one_of(
    name: str,
    value: str,
    options: Iterable[str],
    *,
    exact: bool = False,
    also: Mapping[str, str] = MappingProxyType({}),
    listed_by: str = "",
) -> str:
    """Return the option that `value` names, in the option's own spelling.

    Case is ignored, unless `exact` is set or two options differ only in case.
    `also` has other names of options; of equal ones the last counts. If there is none, raise and
    suggest the nearest; `listed_by` is the command that lists the options where they are many.

    >>> one_of("policy", "SW-UCB", ["d-ucb", "sw-ucb"])
    'sw-ucb'
    >>> one_of("policy", "d-ucp", ["d-ucb", "sw-ucb"])
    Traceback (most recent call last):
    driftbandit.InputError: policy must be one of d-ucb, sw-ucb, got 'd-ucp'; \
did you mean 'd-ucb'?
    """
    names, text = list(options), value.lower() if isinstance(value, str) else ""
    if text and value in names:
        return str(value)
    matches = {option for option in names if option.lower() == text}
    folded = {other.lower(): option for other, option in also.items() if option in names}
    folded |= {option.lower(): option for option in names}
    if not matches and text in folded:
        matches = {folded[text]}
    if len(matches) == 1 and not exact:
        return matches.pop()
    allowed = f"a name that `{listed_by}` lists" if listed_by else f"one of {', '.join(names)}"
    raise InputError(f"{name} must be {allowed}, got {shown(value)}{suggestion(text, folded)}")


def check_names(names: Iterable[str], what: str, options: Sequence[str]) -> None:
    """Raise if a name is none of the options that `what` has, and suggest the nearest.

    >>> check_names(["flor"], "an agent", ["floor", "combine"])
    Traceback (most recent call last):
    driftbandit.InputError: an agent has no option 'flor'; it has floor, combine; \
did you mean 'floor'?
    """
    for name in names:
        if name not in options:
            near = suggestion(name.lower(), {option: option for option in options})
            raise InputError(
                f"{what} has no option {shown(name)}; it has {', '.join(options)}{near}"
            )


SIMILARITY = 0.75
"""How alike two names must be. Of names with one typo this misses 1 in 150 that 0.6 would guess
right; it suggests something for 13 % of nonsense such as `zzz-ucb`, 0.6 for 52 %."""


def suggestion(text: str, options: Mapping[str, str]) -> str:
    """Return the end of a message on an unknown name: the option of the nearest name, if any.

    >>> suggestion("windw", {"window": "window", "xi": "xi"}), suggestion("zzz", {"xi": "xi"})
    ("; did you mean 'window'?", '')
    """
    near = difflib.get_close_matches(text, options, n=1, cutoff=SIMILARITY)
    return f"; did you mean {options[near[0]]!r}?" if near else ""
