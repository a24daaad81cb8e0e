"""The worlds and policies that a command plays, from the texts that name them."""

from __future__ import annotations

import collections
import re
from collections.abc import Mapping, Sequence
from typing import Any

from driftbandit import environments, linear, policies
from driftbandit.cli.syntax import Call, parse
from driftbandit.core.errors import InputError, whole
from driftbandit.core.rounds import LONGEST
from driftbandit.engine import changes
from driftbandit.environments import World
from driftbandit.linear import DiscountedLinUCB, LinearWorld, LinUCB, SlidingWindowLinUCB
from driftbandit.policies import EXP3S, UCB1, DiscountedUCB, SlidingWindowUCB, Strategy
from driftbandit.policies.presets.preset import other_names

HORIZON = 10_000
"""Rounds played in a world that has no last round."""
WORLDS = {**environments.CATALOGUE, **linear.WORLDS}
POLICIES = policies.CATALOGUE


def make_world(call: Call, horizon: int | None, name: str = "horizon") -> Any:
    """Make a world; one that scales with its horizon is made for `horizon`, unless it has its own.

    `name` is what the command calls the horizon, for a message on one that the world refuses.

    >>> make_world(parse("world", "Two-Swaps", WORLDS), 1000).breakpoints
    (300, 500)
    """
    parameter = call.parameters.get("horizon")
    if horizon is None or parameter is None:
        return call.make()
    scales = isinstance(parameter.default, int) or "breakpoints" in call.arguments
    if not scales or "horizon" in call.arguments:
        return call.make()
    try:
        return call.make(horizon=horizon)
    except InputError as error:
        raise InputError(re.sub(r"^horizon\b", name, str(error))) from None


def check_length(horizon: int, name: str = "horizon") -> int:
    """Return the horizon, or raise if it is too long to be played; counting changes comes first."""
    return whole(name, horizon, most=LONGEST)


def parse_policy(text: str) -> Call:
    """Return the call of a policy by any of its names: in a shell, in Python, or its label.

    >>> [parse_policy(text).name for text in ("GLR-klUCB", "ε-greedy(0.1)", "DiscountedUCB.tuned")]
    ['glr-kl-ucb', 'epsilon-greedy', 'd-ucb.tuned']
    """
    return parse("policy", text, POLICIES, other_names())


def make_policies(texts: Sequence[str], **facts: int) -> list[Strategy]:
    """Make the policies; those that share a label are labelled with their texts.

    `facts` are the horizon and the number of arms, for policies and rules that must know them.

    >>> [policy.label for policy in make_policies(["sw-ucb(10)", "SW-UCB(20)", "ucb-1"])]
    ['sw-ucb(10)', 'sw-ucb(20)', 'UCB-1']
    """
    calls = [parse_policy(text) for text in texts]
    players: list[Strategy] = [call.make(**needed(call, facts)) for call in calls]
    frequency = collections.Counter(player.label for player in players)
    return [
        player.replace(label=call.text) if frequency[player.label] > 1 else player
        for player, call in zip(players, calls, strict=True)
    ]


def needed(call: Call, facts: Mapping[str, int]) -> dict[str, int]:
    """Return the facts without which a policy cannot be made; a rule for Υ changes needs T."""
    rule = "breakpoints" in call.arguments
    return {name: value for name, value in facts.items() if rule or name in call.required}


def default_policies(world: World | LinearWorld, horizon: int) -> list[Strategy]:
    """Return the paper's four policies, or the linear ones, tuned by their rules for the world.

    The rules take the number of changes of the best arm for the number of breakpoints: in a world
    whose means move in every round, these changes are what costs regret.
    """
    if isinstance(world, LinearWorld):
        problem = horizon, world.variation(horizon), world.dimension
        return [LinUCB(), DiscountedLinUCB.tuned(*problem), SlidingWindowLinUCB.tuned(*problem)]
    breakpoints, bound = changes(world, horizon), world.bound
    return [
        UCB1(bound=bound),
        EXP3S.tuned(horizon, breakpoints, world.arms, bound=bound),
        DiscountedUCB.tuned(horizon, breakpoints, bound=bound),
        SlidingWindowUCB.tuned(horizon, breakpoints, bound=bound),
    ]
