"""The policy to start with: first in the catalogue, and so first in every list of policies."""

from driftbandit.policies.presets.preset import preset
from driftbandit.policies.procedures.auto import Auto

__all__ = ["Auto"]

preset("auto")(Auto)
