"""`driftbandit warmup`: compile ahead of the first use."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

from typing import Annotated

from driftbandit.cli import output
from driftbandit.cli.options import Json, whole


def warmup(
    arms: Annotated[int, whole("arms", "The number of arms to compile for.", 2)] = 3,
    json: Json = False,
) -> None:
    """Compile the paper's policies ahead of their first use."""
    from driftbandit import engine

    seconds: dict[str, float] = {}

    def note(label: str, time: float) -> None:
        seconds[label] = time
        if not json:
            _show(label, time)

    total = engine.warmup(note, arms)
    output.report(json, lambda: {"seconds": seconds, "total": total}, lambda: _show("total", total))


def _show(label: str, seconds: float) -> None:
    print(f"{label:<8} {seconds:5.1f} s", flush=True)
