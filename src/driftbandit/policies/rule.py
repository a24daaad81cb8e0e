"""What the rules on the three axes of a policy have in common."""

from __future__ import annotations

import dataclasses

from driftbandit.value import Value


@dataclasses.dataclass(frozen=True)
class Rule(Value):
    """A value with numeric fields and plain static functions that take those numbers last.

    The functions are compiled by the engine and called as they are by a live agent, so they use
    arithmetic, `math` and other functions marked with `driftbandit.compilable`, nothing else.
    """

    def numbers(self) -> tuple[float, ...]:
        """Return the fields, in order, as the numbers handed to this rule's functions."""
        return tuple(float(getattr(self, field.name)) for field in dataclasses.fields(self))
