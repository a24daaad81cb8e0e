"""Index policies: forget × detect × explore × force; the arm with the largest index is played."""

from driftbandit.policies.index.policy import Policy

__all__ = ["Policy"]
