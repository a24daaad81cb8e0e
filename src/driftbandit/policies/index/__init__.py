"""Index policies: forget × detect × explore × force, live and in lockstep."""

from driftbandit.policies.index.policy import Policy

__all__ = ["Policy"]
