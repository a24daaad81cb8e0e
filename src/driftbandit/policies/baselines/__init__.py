"""Baselines: policies that learn nothing, to compare with."""

from driftbandit.policies.baselines.policy import Oracle, Uniform

__all__ = ["Oracle", "Uniform"]
