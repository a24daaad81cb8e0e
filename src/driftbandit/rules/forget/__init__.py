"""The axis of forgetting, one rule per file."""

from driftbandit.rules.forget.clock import HalfLife, TimeWindow
from driftbandit.rules.forget.discount import Discount, DoublingDiscount
from driftbandit.rules.forget.full import Full
from driftbandit.rules.forget.rule import Forget
from driftbandit.rules.forget.window import ArmWindow, DoublingWindow, GrowingWindow, Window

__all__ = [
    "ArmWindow",
    "Discount",
    "DoublingDiscount",
    "DoublingWindow",
    "Forget",
    "Full",
    "GrowingWindow",
    "HalfLife",
    "TimeWindow",
    "Window",
]


def __dir__() -> list[str]:
    """List the rules, without the modules they are written in."""
    return sorted(__all__)
