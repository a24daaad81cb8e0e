"""From what was asked to a job: everything is checked before anything is computed."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from driftbandit.core.errors import InputError, horizon_of, require, whole
from driftbandit.engine.block import Job
from driftbandit.engine.linear.job import FAMILIES as LINEAR_FAMILIES
from driftbandit.engine.linear.job import LinearJob
from driftbandit.environments import World
from driftbandit.environments.laws import Law
from driftbandit.environments.linear import LinearWorld, Noise
from driftbandit.policies import Strategy
from driftbandit.policies.linear import LinearPolicy


def asked(
    policies: Strategy | Iterable[Strategy],
    world: World | LinearWorld,
    horizon: int | None,
    runs: int,
    seed: int,
    checkpoints: int | Sequence[int],
) -> Job:
    """Return the job that was asked for, or raise."""
    several = isinstance(policies, Iterable) and not isinstance(policies, str)
    players: tuple[Any, ...] = tuple(policies) if several else (policies,)  # type: ignore[arg-type]  # mypy loses the test above
    ours = isinstance(world, World | LinearWorld)
    require(ours, "world", world, "be a world of driftbandit.environments")
    require(len(players) > 0, "policies", list(players), "hold at least one policy")
    check = _check_linear if isinstance(world, LinearWorld) else _check_arms
    for policy in players:
        require(isinstance(policy, Strategy), "policies", policy, "hold policies only")
        check(policy, world)
    labels = [policy.label for policy in players]
    require(len(set(labels)) == len(labels), "labels", labels, "be different from each other")
    rounds = horizon_of(horizon, world.horizon)
    if not isinstance(world.law, Noise):
        _check_law(world.law)
    kind: Any = LinearJob if isinstance(world, LinearWorld) else Job
    job: Job = kind(
        policies=players,
        world=world,
        horizon=rounds,
        runs=whole("runs", runs),
        seed=whole("seed", seed, least=0, most=None),
        marks=_marks(checkpoints, rounds),
    )
    return job


def _check_arms(policy: Strategy, world: Any) -> None:
    """Raise unless the policy can play the arms of this world."""
    if policy.family == LinearPolicy.family:
        raise InputError(f"{policy.label} needs features: give a world of driftbandit.linear")
    if isinstance(world.law, Noise):
        raise InputError(
            f"law of {type(world).__name__} must pay rewards in [0, 1], got {world.law!r}"
        )
    if policy.bound < world.bound:
        raise InputError(
            f"bound of {policy.label} must be at least the world's {world.bound:g}, "
            f"got {policy.bound:g}"
        )


def _check_linear(policy: Strategy, world: Any) -> None:
    """Raise unless the policy can play the actions of this linear world."""
    if policy.family not in LINEAR_FAMILIES:
        raise InputError(f"{policy.label} plays arms without features: give a linear policy")
    if isinstance(policy, LinearPolicy) and policy.length < world.length * (1.0 - 1e-9):
        raise InputError(
            f"length of {policy.label} must be at least the actions' {world.length:g}, "
            f"got {policy.length:g}"
        )


def _check_law(law: Law) -> None:
    """Try the law at a few points; a user's own may pay what compiled code does not expect."""
    for mean in (0.0, 0.1, 0.5, 1.0):
        for u in (1e-9, 0.25, 0.75, 1.0 - 1e-9):
            reward = law.reward(u, mean)
            if not 0.0 <= reward <= 1.0:
                raise InputError(
                    f"{type(law).__name__}.quantile must pay rewards in [0, 1], got {reward!r} "
                    f"for u = {u:g} and mean = {mean:g}"
                )


def _marks(checkpoints: int | Sequence[int], horizon: int) -> tuple[int, ...]:
    """Return the rounds at which curves are kept, the last one always among them."""
    if isinstance(checkpoints, int | float | np.number):
        count = min(whole("checkpoints", checkpoints), horizon)
        return tuple(sorted({round(horizon * (i + 1) / count) for i in range(count)}))
    marks = [whole("checkpoints", mark) for mark in checkpoints]
    rising = all(early < late for early, late in itertools.pairwise(marks))
    inside = bool(marks) and marks[-1] <= horizon
    require(rising and inside, "checkpoints", marks, f"rise from 1 to at most {horizon}")
    return tuple(marks) if marks[-1] == horizon else (*marks, horizon)
