"""Linear policies: forget × detect × confidence, for actions with features."""

from driftbandit.policies.linear.policy import LinearPolicy

__all__ = ["LinearPolicy"]
