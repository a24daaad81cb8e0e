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
        arm[lane] = forced if forced >= 0 else arm[lane]


@compilable
def force_at_random(player: IndexPlayer, block: Block, t: int) -> None:
    """Do the same with a rule that is handed noise, the last that is drawn for a round."""
    arm, restarts, arms = block.arm, player.state.restarts, float(block.arms)
    last = block.noise.shape[0] - LANES
    for lane in range(width_of(block)):
        since, noise = t - restarts[LANES + lane], block.noise[last + lane]
        forced = player.rules.force(since, restarts[lane], arms, noise, *player.numbers.force)
        arm[lane] = forced if forced >= 0 else arm[lane]
