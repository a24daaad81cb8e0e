"""The family of procedures: policies that are small programs, one a file."""

from driftbandit.policies.procedures.adswitch import AdSwitch
from driftbandit.policies.procedures.auto import Auto
from driftbandit.policies.procedures.bandit_over_bandit import BanditOverBandit
from driftbandit.policies.procedures.master import MASTER
from driftbandit.policies.procedures.meta import META
from driftbandit.policies.procedures.meta_bandit import MetaBandit
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.policies.procedures.rotting import FEWA, RAWUCB

__all__ = [
    "FEWA",
    "MASTER",
    "META",
    "RAWUCB",
    "AdSwitch",
    "Auto",
    "BanditOverBandit",
    "MetaBandit",
    "Procedure",
]
