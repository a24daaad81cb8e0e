"""How a command ends early."""

from __future__ import annotations


class Interrupted(Exception):  # noqa: N818  # no error: the user asked for it
    """Ctrl-C in the middle of work that can go on later; the message says how."""
