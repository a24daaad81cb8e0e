"""Baselines: policies that learn nothing, live and in lockstep."""

from driftbandit.policies.baselines.policy import Oracle, Uniform

__all__ = ["Oracle", "Uniform"]
