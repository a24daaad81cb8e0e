"""What the columns of a log are called, and what they mean."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from driftbandit.core.errors import InputError, shown, suggestion

ROLES = ("id", "time", "arm", "reward", "propensity", "eligible", "reward_time", "group")
"""What a column may hold; the same names are the columns that are looked for by default."""

NEEDED = ("time", "arm", "reward")
"""What no log can do without."""


@dataclasses.dataclass(frozen=True)
class Columns:
    """The column of each role; None where the log has none."""

    id: str | None
    time: str
    arm: str
    reward: str
    propensity: str | None
    eligible: str | None
    reward_time: str | None
    group: str | None

    def present(self) -> dict[str, str]:
        """Return the columns that there are, by role."""
        pairs = {role: getattr(self, role) for role in ROLES}
        return {role: name for role, name in pairs.items() if name is not None}


def columns_of(
    names: Sequence[str], chosen: dict[str, str | None], layout: dict[str, str] | None = None
) -> Columns:
    """Return the columns: those that were chosen, else those of the layout, else of their roles.

    >>> columns_of(["time", "arm", "clicked"], {"reward": "clicked"}).propensity is None
    True
    >>> columns_of(["time", "variant", "clicked"], {"reward": "clicked", "arm": "varient"})
    Traceback (most recent call last):
    driftbandit.InputError: arm must name a column of the log, got 'varient'; \
did you mean 'variant'?
    """
    by_letters = {name.lower(): name for name in names if isinstance(name, str)}
    columns: dict[str, str | None] = {}
    for role in ROLES:
        name = chosen.get(role)
        if name is None:
            usual = ((layout or {}).get(role), role)
            name = next((each for each in usual if each in names), None)
        elif not (isinstance(name, str) and name):
            raise InputError(f"{role} must be a text, the name of a column, got {shown(name)}")
        elif name not in names:
            near = suggestion(name.lower(), by_letters)
            listed = "" if near else f"; the columns are {shown(list(names))}"
            raise InputError(
                f"{role} must name a column of the log, got {shown(name)}{near}{listed}"
            )
        if name is None and role in NEEDED:
            near = suggestion(role, by_letters)
            raise InputError(
                f"{role} must name a column with {role}=… (--{role} …), none is called "
                f"{shown(role)}; the columns are {shown(list(names))}{near}"
            )
        columns[role] = name
    used = [name for name in columns.values() if name is not None]
    twice = next((name for name in used if used.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"columns must be different for each role, got {shown(twice)} twice")
    return Columns(**columns)  # type: ignore[arg-type]  # those that are needed are there
