"""How each family of policies plays a block of runs in lockstep, one family a file."""

from types import ModuleType

from driftbandit.engine.families import fixed, index, procedure, weights
from driftbandit.engine.families.setup import Setup

FAMILIES: dict[str, ModuleType] = {
    "index": index,
    "weights": weights,
    "procedure": procedure,
    "uniform": fixed,
    "oracle": fixed,
}

__all__ = ["FAMILIES", "Setup"]
