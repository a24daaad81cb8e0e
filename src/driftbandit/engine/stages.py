"""The stages of a policy: one, but for policies that begin anew with other numbers."""

from __future__ import annotations

import dataclasses

from driftbandit.engine.families import FAMILIES, Setup
from driftbandit.engine.families.setup import Function
from driftbandit.environments import World
from driftbandit.policies import Strategy


@dataclasses.dataclass(frozen=True)
class Stage:
    """From which round on a policy is played, what the engine needs for it, and how it begins."""

    start: int
    setup: Setup
    begin: Function


def stages(policy: Strategy, world: World, horizon: int) -> list[Stage]:
    """Return the stages of a policy, first to last.

    >>> import driftbandit as db
    >>> policy = db.Doubling("moss", first=100)
    >>> [stage.start for stage in stages(policy, db.environments.two_swaps(), 1_000)]
    [1, 101, 301, 701]
    """
    epochs = policy.epochs(horizon)
    ends = [*(start for start, _ in epochs[1:]), horizon + 1]
    return [
        Stage(start, FAMILIES[each.family].setup(each, world, end - start), _begin(each))
        for (start, each), end in zip(epochs, ends, strict=True)
    ]


def _begin(policy: Strategy) -> Function:
    begin: Function = FAMILIES[policy.family].begin
    return begin
