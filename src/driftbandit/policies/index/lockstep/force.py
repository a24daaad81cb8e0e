"""Forced exploration in lockstep: some rounds are taken from the index."""

from __future__ import annotations

from driftbandit.core.lanes import LANES, Block, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import IndexPlayer


@compilable
def force(player: IndexPlayer, block: Block, t: int) -> None:
    """Play the arm that the rule names, where it names one."""
    arm, restarts, arms = block.arm, player.state.restarts, float(block.arms)
    for lane in range(width_of(block)):
        since = t - restarts[LANES + lane]
        forced = player.rules.force(since, restarts[lane], arms, *player.numbers.force)
        note_outside(player, forced, arms)
        arm[lane] = forced if 0 <= forced < arms else arm[lane]


@compilable
def force_at_random(player: IndexPlayer, block: Block, t: int) -> None:
    """Do the same with a rule that is handed noise, the last that is drawn for a round."""
    arm, restarts, arms = block.arm, player.state.restarts, float(block.arms)
    last = block.noise.shape[0] - LANES
    for lane in range(width_of(block)):
        since, noise = t - restarts[LANES + lane], block.noise[last + lane]
        forced = player.rules.force(since, restarts[lane], arms, noise, *player.numbers.force)
        note_outside(player, forced, arms)
        arm[lane] = forced if 0 <= forced < arms else arm[lane]


@compilable
def note_outside(player: IndexPlayer, forced: float, arms: float) -> None:
    """Note a forced arm that does not exist, as a user's rule may name; NaN is one."""
    if not (-1 <= forced < arms and int(forced) == forced):
        player.state.shared[0].outside = forced
