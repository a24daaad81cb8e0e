"""`driftbandit warmup`."""

from __future__ import annotations

from driftbandit import engine
from driftbandit.cli import output


def run(as_json: bool) -> None:
    """Compile the paper's policies and say how long each took."""
    times: dict[str, float] = {}

    def tell(label: str, seconds: float) -> None:
        times[label] = seconds
        if not as_json:
            print(f"{label:<8} {seconds:5.1f} s", flush=True)

    total = engine.warmup(tell)
    if as_json:
        output.document({"seconds": times, "total": total})
    else:
        print(f"{'total':<8} {total:5.1f} s")
