"""The stages of a policy: one, but for policies that begin again with other numbers."""

from __future__ import annotations

import dataclasses
import functools

from driftbandit.engine.forms import Form, form_of, lean_form
from driftbandit.environments import AnyWorld
from driftbandit.policies import Strategy
from driftbandit.policies.setup import Setup


@dataclasses.dataclass(frozen=True)
class Stage:
    """From which round on a policy is played, and what plays it."""

    start: int
    setup: Setup
    arms: int

    @functools.cached_property
    def quickest(self) -> Form:
        """The form that runs quickest."""
        return form_of(self.setup, self.arms)

    @functools.cached_property
    def lean(self) -> Form:
        """The form that is sooner compiled, which may be the quickest."""
        return lean_form(self.setup, self.arms)


def stages(policy: Strategy, world: AnyWorld, horizon: int) -> list[Stage]:
    """Return the stages of a policy, first to last.

    >>> import driftbandit as db
    >>> policy = db.Doubling("moss", first=100)
    >>> [stage.start for stage in stages(policy, db.environments.two_swaps(), 1_000)]
    [1, 101, 301, 701]
    """
    epochs = policy.epochs(horizon)
    ends = [*(start for start, _ in epochs[1:]), horizon + 1]
    return [
        Stage(start, each.setup(world, end - start), world.arms)
        for (start, each), end in zip(epochs, ends, strict=True)
    ]
