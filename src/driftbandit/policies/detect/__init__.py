"""The axis of detection, one rule a file."""

from driftbandit.policies.detect.never import Never
from driftbandit.policies.detect.rule import Detect

__all__ = ["Detect", "Never"]
