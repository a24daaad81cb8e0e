"""The family of procedures: policies that are small programs, one a file."""

from driftbandit.policies.procedures.adswitch import AdSwitch
from driftbandit.policies.procedures.auto import Auto
from driftbandit.policies.procedures.master import MASTER
from driftbandit.policies.procedures.meta import META
from driftbandit.policies.procedures.procedure import Procedure

__all__ = ["MASTER", "META", "AdSwitch", "Auto", "Procedure"]
