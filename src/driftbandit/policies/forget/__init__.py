"""The axis of forgetting, one rule a file."""

from driftbandit.policies.forget.discount import Discount, DoublingDiscount
from driftbandit.policies.forget.full import Full
from driftbandit.policies.forget.rule import Forget
from driftbandit.policies.forget.window import ArmWindow, DoublingWindow, GrowingWindow, Window

__all__ = [
    "ArmWindow",
    "Discount",
    "DoublingDiscount",
    "DoublingWindow",
    "Forget",
    "Full",
    "GrowingWindow",
    "Window",
]
