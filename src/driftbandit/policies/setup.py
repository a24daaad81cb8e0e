"""What a family tells the engine about a policy: how to play it in lockstep."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

from driftbandit.core.lanes import Shape

Function = Callable[..., Any]


def nothing(*arguments: Any) -> float:
    """Take the place of a function that a policy does not have."""
    return 0.0


class Empty(NamedTuple):
    """The rules, numbers, flags or state of a policy that has none."""


EMPTY = Empty()


@dataclasses.dataclass(frozen=True)
class Setup:
    """The functions that play a policy in lockstep, what they are handed, and the room they need.

    In every round the engine calls `choose(player, block, t, row)`, `force(player, block, t)` and,
    after the reward, `learn(player, block, t, row)`. `player` has the `rules`, `flags`, `numbers`
    and state of the policy, each a named tuple; rules and flags are compiled in. `row` is where
    the round lies in the block's means and actions.

    `make_state(lanes, shape)` returns the arrays that the steps change, as they are before the
    first round. `check(state, past)` is called after each chunk: it raises if something went wrong
    in compiled code, which counts its rounds after `past` earlier ones.

    `noise` uniform numbers are drawn per round and lane. The first `opening` rounds play arms 0,
    1, 2, … in turn. `lane_numbers` says how many numbers per lane the state holds besides its
    table of arms: blocks are narrower where they are many. With a `stride` the arms of a lane lie
    side by side. Code is made `for_few` arms, one for each number of them, where the steps gain
    from it: where they go through all lanes at once, not through one after the other.

    `lean`, if there is one, plays the same arms in more time, with code for any number of arms that
    is sooner compiled.
    """

    choose: Function
    learn: Function
    force: Function = nothing
    rules: Any = EMPTY
    numbers: Any = EMPTY
    flags: Any = EMPTY
    make_state: Callable[[int, Shape], Any] = lambda lanes, shape: EMPTY
    check: Callable[[Any, int], None] = lambda state, past: None
    noise: int = 0
    opening: int = 0
    lane_numbers: int = 0
    stride: int = 0
    for_few: bool = True
    lean: Setup | None = None
