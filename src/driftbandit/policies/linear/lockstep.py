"""Linear policies in lockstep: the runs of a block one after the other in every round.

What a policy does whatever it sees comes in a table (`schedule`), so that one loop serves all
forgetting rules and radii, and is compiled once for each law of rewards.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from driftbandit.core.errors import InputError
from driftbandit.core.lanes import REWARD, Array, Block, Player, Shape
from driftbandit.core.marking import compilable
from driftbandit.core.state import record_type
from driftbandit.environments.linear import LinearWorld
from driftbandit.policies.linear import algebra
from driftbandit.policies.linear.live import too_small
from driftbandit.policies.linear.schedule import CLEAR, REBUILD
from driftbandit.policies.setup import Empty, Setup
from driftbandit.rules.forget.rule import unfaded

if TYPE_CHECKING:
    from driftbandit.policies.linear.policy import LinearPolicy

add, clear, fade, score = algebra.add, algebra.clear, algebra.fade, algebra.score
factorise, invert, estimate, widen = (
    algebra.factorise,
    algebra.invert,
    algebra.estimate,
    algebra.widen,
)

SHARED = record_type([("held", np.int64), ("failed", np.int64)])
"""What all runs share: how many plays the window holds, and whether a matrix was singular."""


class Numbers(NamedTuple):
    """The parameters of the policy."""

    ridge: float
    plain: bool
    """All weights are 1."""


class Workspace(NamedTuple):
    """Room to work in, for one run at a time."""

    matrices: Array
    """Four d × d matrices."""
    vectors: Array
    """Two vectors of d + 2 numbers."""
    lines: Array
    """Two lines of one number per action."""


class State(NamedTuple):
    """The state of a block; the first four by run."""

    sums: Array
    """Σ w aaᵀ."""
    squares: Array
    """Σ w² aaᵀ."""
    targets: Array
    """Σ w x a."""
    ring: Array
    """The plays of a window: features, reward, and the factor of the round."""
    shared: Any
    """One record: what all runs share."""
    schedule: Any
    """What is done in each round: radius, factor, weight of the play that leaves, and after it."""
    workspace: Workspace


LinearPlayer = Player[Empty, Numbers, Empty, State]


def setup(policy: LinearPolicy, world: LinearWorld, horizon: int) -> Setup:
    """Return what plays `policy` in lockstep for `horizon` rounds of a linear world."""
    d, arms, held = world.dimension, world.arms, capacity(policy, horizon)

    @functools.cache
    def schedule() -> Any:
        return policy.schedule(d).table(horizon)

    def make_state(lanes: int, shape: Shape) -> State:
        return State(
            sums=np.zeros((lanes, d, d)),
            squares=np.zeros((lanes, d, d)),
            targets=np.zeros((lanes, d)),
            ring=np.zeros((lanes, held, d + 2)),
            shared=np.zeros(1, dtype=SHARED),
            schedule=schedule(),
            workspace=Workspace(np.zeros((4, d, d)), np.zeros((2, d + 2)), np.zeros((2, arms))),
        )

    def check(state: State, past: int) -> None:
        if state.shared[0].failed:
            raise InputError(too_small(policy))

    return Setup(
        choose=choose,
        learn=learn,
        numbers=Numbers(policy.ridge, policy.forget.factor is unfaded),
        make_state=make_state,
        check=check,
        lane_numbers=held * (d + 2) + 2 * d * d + d,
        for_few=False,
    )


def capacity(policy: LinearPolicy, horizon: int) -> int:
    """Return how many plays a policy must hold to forget them one by one."""
    span = policy.forget.span(float(horizon), *policy.forget.numbers())
    return 0 if span == math.inf else min(math.ceil(span), horizon)


@compilable
def choose(player: LinearPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest aᵀθ̂ + β √(aᵀ V⁻¹ Ṽ V⁻¹ a) of every run, the first of equals."""
    state, plain = player.state, player.numbers.plain
    work, shared = state.workspace, state.shared[0]
    theta, root = work.vectors[0, : state.targets.shape[1]], work.matrices[1 if plain else 2]
    radius, actions = state.schedule[t - 1].radius, block.actions
    turn, own = row if actions.shape[0] > 1 else 0, actions.shape[1] > 1  # some stay the same
    for lane in range(block.live):
        sums, squares, targets = state.sums[lane], state.squares[lane], state.targets[lane]
        if not solve(sums, squares, targets, player.numbers.ridge, plain, work):
            shared.failed = 1
        columns, lines = actions[turn, lane if own else 0], work.lines
        block.arm[lane] = score(columns, theta, root, plain, radius, lines[0], lines[1])


@compilable
def solve(
    sums: Any, squares: Any, targets: Any, ridge: float, plain: bool, work: Workspace
) -> bool:
    """Leave θ̂ in the first vector and G in the third matrix, or in the second if weights are 1."""
    upper, inverse, root, inner = (
        work.matrices[0],
        work.matrices[1],
        work.matrices[2],
        work.matrices[3],
    )
    if not factorise(sums, ridge, upper):
        return False
    invert(upper, inverse)
    estimate(inverse, targets, work.vectors[0, : targets.shape[0]])
    if plain:
        return True
    if not factorise(squares, ridge, inner):
        return False
    widen(inner, inverse, upper, root)  # L has done its work
    return True


@compilable
def learn(player: LinearPlayer, block: Block, t: int, row: int) -> None:
    """Learn the plays of round t as the schedule says."""
    state, size = player.state, player.state.targets.shape[1]
    shared, play, step, held = state.shared[0], state.workspace.vectors[1], state.schedule[t - 1], 0
    actions = block.actions
    turn, own = row if actions.shape[0] > 1 else 0, actions.shape[1] > 1
    for lane in range(block.live):
        for i in range(size):
            play[i] = actions[turn, lane if own else 0, i, block.arm[lane]]
        play[size] = block.rows[REWARD + lane]
        play[size + 1] = step.factor
        held = learn_play(state, lane, play, t, shared.held, step)
    shared.held = held


@compilable
def learn_play(state: State, lane: int, play: Any, t: int, held: int, step: Any) -> int:
    """Learn the play of one run; return how many plays the window then holds."""
    sums, squares, targets = state.sums[lane], state.squares[lane], state.targets[lane]
    ring = state.ring[lane]
    if step.factor != 1.0:
        fade(sums, squares, targets, step.factor)
    if step.gone >= 0.0:
        old = ring[(t - 1 - held) % ring.shape[0]]
        add(sums, squares, targets, old, -step.gone, -step.gone * step.gone)
        held -= 1
    add(sums, squares, targets, play, 1.0, 1.0)
    if ring.shape[0] > 0:
        newest = (t - 1) % ring.shape[0]
        for i in range(play.shape[0]):
            ring[newest, i] = play[i]
        held += 1
    if step.after == CLEAR:
        clear(sums, squares, targets)
        return 0
    if step.after == REBUILD:
        rebuild(sums, squares, targets, ring, t - held, held)
    return held


@compilable
def rebuild(sums: Any, squares: Any, targets: Any, ring: Any, first: int, held: int) -> None:
    """Add up the window again: what was taken out left rounding errors behind."""
    clear(sums, squares, targets)
    for age in range(held):
        play = ring[(first + age) % ring.shape[0]]
        fade(sums, squares, targets, play[targets.shape[0] + 1])
        add(sums, squares, targets, play, 1.0, 1.0)
