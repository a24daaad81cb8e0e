"""Exponential weights that watch their exploration, in lockstep over a block of runs."""

from __future__ import annotations

from driftbandit.core.lanes import FIRST, REWARD, Block, line, place, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.weights.lockstep.multiply import SHARE, TOTAL, learn_one
from driftbandit.policies.weights.lockstep.state import State, WeightsPlayer

WEIGHT, COUNT, SUM = range(3)
"""Rows of an arm; the last two are of the uniform draws of the interval."""


@compilable
def choose(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Draw uniformly with probability γ, else arm i with probability w_i / W."""
    rows, table, arm, noise = block.rows, player.state.table, block.arm, block.noise
    exploration, shape, arms = player.numbers.exploration, block.shape, block.arms
    for lane in range(width_of(block)):
        rows[TOTAL + lane] = 0.0
        rows[REWARD + lane] = 0.0  # for now, the cumulated weight
        arm[lane] = 0
    for k in range(arms):
        weight = line(shape, WEIGHT, k)
        for lane in range(width_of(block)):
            rows[TOTAL + lane] += table[weight + lane]
    for lane in range(width_of(block)):
        level = (noise[lane] - exploration) / (1.0 - exploration)
        rows[SHARE + lane] = level * rows[TOTAL + lane]  # for now, the level among the weights
    for k in range(arms - 1):
        weight = line(shape, WEIGHT, k)
        for lane in range(width_of(block)):
            cumulated = rows[REWARD + lane] + table[weight + lane]
            rows[REWARD + lane] = cumulated
            arm[lane] += int(rows[SHARE + lane] >= cumulated)
    for lane in range(width_of(block)):
        uniform = min(int(noise[lane] / exploration * arms), arms - 1)
        arm[lane] = uniform if noise[lane] < exploration else arm[lane]
        rows[SHARE + lane] = (1.0 - exploration) / rows[TOTAL + lane]


@compilable
def learn(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Learn as without a watch; where an interval is over, compare its means."""
    learn_one(player, block, t, row)
    rows, table, arm, noise = block.rows, player.state.table, block.arm, block.noise
    numbers, shape = player.numbers, block.shape
    for k in range(block.arms):
        counts, sums = line(shape, COUNT, k), line(shape, SUM, k)
        for lane in range(width_of(block)):
            uniform = (arm[lane] == k) & (noise[lane] < numbers.exploration)
            count = table[counts + lane] + (1.0 if uniform else 0.0)
            table[counts + lane] = count
            table[sums + lane] += rows[REWARD + lane] / numbers.bound if uniform else 0.0
            least = rows[FIRST + lane]
            rows[FIRST + lane] = count if k == 0 or count < least else least
    for lane in range(width_of(block)):
        if rows[FIRST + lane] >= numbers.draws:
            end_interval(block, player.state, lane, numbers.threshold)


@compilable
def end_interval(block: Block, state: State, lane: int, threshold: float) -> None:
    """Begin a new interval; restart if an arm beats the one of the largest weight."""
    table, shape, most, lead, best = state.table, block.shape, -1.0, 0.0, 0.0
    for k in range(block.arms):
        weight = table[place(shape, WEIGHT, k, lane)]
        mean = table[place(shape, SUM, k, lane)] / table[place(shape, COUNT, k, lane)]
        best = max(best, mean)
        if weight > most:
            most, lead = weight, mean
    for k in range(block.arms):
        table[place(shape, COUNT, k, lane)] = table[place(shape, SUM, k, lane)] = 0.0
        if best - lead >= threshold:
            table[place(shape, WEIGHT, k, lane)] = 1.0
