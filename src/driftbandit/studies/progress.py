"""Progress of a study that consists of several simulations, as one count over all of them."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the number of rounds done and the number in all."""

TitledProgress = Callable[[str, int, int], None]
"""Called with the title of the current part, the number of rounds done and the number in all."""


def part(progress: TitledProgress | None, title: str, before: int, total: int) -> Progress | None:
    """Return the progress of one part, which begins after `before` of `total` rounds.

    >>> second = part(print, "timing", 20, 100)
    timing 20 100
    >>> second(5, 10)
    timing 25 100
    """
    if progress is None:
        return None
    progress(title, before, total)
    return lambda done, _: progress(title, before + done, total)
