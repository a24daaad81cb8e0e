"""The family of procedures: policies that are small programs, one a file."""

from driftbandit.policies.procedures.procedure import Procedure

__all__ = ["Procedure"]
