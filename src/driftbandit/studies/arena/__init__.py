"""The arena: policies × problems with the same luck, ranked."""

from driftbandit.engine import changes
from driftbandit.studies.arena.arena import arena
from driftbandit.studies.arena.lineup import LINEUP, Entry
from driftbandit.studies.arena.result import Arena

__all__ = ["LINEUP", "Arena", "Entry", "arena", "changes"]
