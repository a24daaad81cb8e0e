"""Studies: the paper's experiments, the arena, tuning by simulation, and rehearsal.

Each loads on first use, so that tuning does not load what the paper's figures need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driftbandit.studies import arena as arena
    from driftbandit.studies import paper as paper
    from driftbandit.studies import rehearse as rehearse
    from driftbandit.studies import tune as tune

__all__ = ["arena", "paper", "rehearse", "tune"]


def __getattr__(name: str) -> Any:
    """Load a study when it is first asked for."""
    if name in __all__:
        return importlib.import_module(f"driftbandit.studies.{name}")
    raise AttributeError(f"module 'driftbandit.studies' has no attribute {name!r}")
