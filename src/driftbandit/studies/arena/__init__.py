"""The arena: policies × problems with common luck, ranked."""

from driftbandit.studies.arena.arena import arena
from driftbandit.studies.arena.lineup import LINEUP, Entry, changes
from driftbandit.studies.arena.result import Arena

__all__ = ["LINEUP", "Arena", "Entry", "arena", "changes"]
