"""The arena: policies × problems with the same luck, ranked."""

from driftbandit.engine import changes
from driftbandit.studies.arena.arena import arena
from driftbandit.studies.arena.lineup import LINEUP, RANKED, Entry
from driftbandit.studies.arena.result import Arena

__all__ = ["LINEUP", "RANKED", "Arena", "Entry", "arena", "changes"]
