"""The arena: policies × problems with common luck, ranked."""

from driftbandit.contest.arena import arena
from driftbandit.contest.lineup import LINEUP, Entry, changes
from driftbandit.contest.result import Arena

__all__ = ["LINEUP", "Arena", "Entry", "arena", "changes"]
