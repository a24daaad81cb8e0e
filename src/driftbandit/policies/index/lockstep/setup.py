"""Which functions play an index policy in lockstep, and how much it keeps."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import TYPE_CHECKING, NamedTuple

from driftbandit.core.lanes import FEW, flag
from driftbandit.environments import AnyWorld
from driftbandit.policies.index.lockstep import (
    choose,
    force,
    groups,
    indices,
    memory,
    points,
    restart,
    tangents,
)
from driftbandit.policies.index.lockstep.state import (
    ALL,
    BY_ARM,
    CLOCK,
    TANGENTS,
    Flags,
    Numbers,
    Room,
    Rules,
    State,
    group_count,
    group_shift,
    make_state,
)
from driftbandit.policies.setup import Function, Setup, nothing
from driftbandit.rules.detect import Never
from driftbandit.rules.force import Unforced
from driftbandit.rules.forget.rule import unfaded

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy


def setup(policy: Policy, world: AnyWorld, horizon: int) -> Setup:
    """Return what plays `policy` in lockstep for `horizon` rounds of a world."""
    policy.forget.check_until(horizon)
    quick = shortcuts(policy, world.arms, remembered(policy, horizon))
    best = setup_with(quick, policy, world, horizon)
    slow = Shortcuts(quick.many_clocks, groups=quick.groups)
    return dataclasses.replace(best, lean=setup_with(slow, policy, world, horizon))


def setup_with(quick: Shortcuts, policy: Policy, world: AnyWorld, horizon: int) -> Setup:
    """Return what plays a policy by these shortcuts."""
    forget, detect, explore = policy.forget, policy.detect, policy.explore
    span = remembered(policy, horizon)
    ring, plays = (0, span) if forget.by_arm else (span, 0)
    room = Room(
        arms=world.arms,
        rows=rows_of(policy, quick),
        ring=ring,
        plays=plays,
        detector=detect.state.dtype,
        room=detect.room,
        grouped=quick.groups,
        binary=world.law.binary,
    )
    return Setup(
        choose=chooser(policy, quick),
        learn=learner(policy, span),
        force=forcer(policy),
        rules=rules_of(policy, quick.groups),
        numbers=Numbers(
            forget.numbers(),
            explore.arguments(world.arms),
            detect.numbers(),
            policy.force.numbers(),
        ),
        flags=flags_of(policy, world, span, quick),
        make_state=functools.partial(make_state, room),
        check=functools.partial(check, policy, world.arms),
        noise=world.arms * explore.noise + policy.force.noise,
        opening=0 if explore.prior else world.arms,
        lane_numbers=max(ring, (plays + detect.state.numbers + detect.room) * world.arms),
        stride=group_count(world.arms) << group_shift(world.arms) if quick.groups else 0,
    )


class Shortcuts(NamedTuple):
    """How a policy finds the largest index without computing all of them in every lane."""

    many_clocks: bool
    """Lanes part, and have clocks of their own."""
    few: bool = False
    """The number of arms is compiled in."""
    groups: bool = False
    """Arms are compared by groups."""
    tangents: bool = False
    """Indices are compared by their tangents."""
    levels: bool = False
    """Tangents are compared at clocks of their own: nothing fades, or leaves."""


def shortcuts(policy: Policy, arms: int, span: int) -> Shortcuts:
    """Return the shortcuts that a policy can take."""
    forget, explore, restarts = policy.forget, policy.explore, policy.detect != Never()
    many_clocks, by_width = restarts or (forget.by_arm and span > 0), explore.width is not None
    unchanging = forget.factor is unfaded and span == 0
    levels = explore.tangent is not None and restarts and unchanging
    return Shortcuts(
        many_clocks=many_clocks,
        few=arms <= FEW,
        groups=arms >= groups.MANY and by_width and not many_clocks,
        tangents=levels or (explore.tangent is not None and not many_clocks),
        levels=levels,
    )


def check(policy: Policy, arms: int, state: State, past: int) -> None:
    """Raise if an index was not a number, or an arm was forced that does not exist."""
    arm, outside = int(state.shared[0]["nan"]) - 1, float(state.shared[0]["outside"])
    if arm >= 0:
        raise policy.explore.nan_index(arm)
    if outside != 0.0:
        policy.force.check_arm(outside, arms)


def remembered(policy: Policy, horizon: int) -> int:
    """Return how many rounds, or plays of an arm, a window holds; 0 if nothing ever leaves."""
    forget = policy.forget
    first, last = (forget.span(float(t), *forget.numbers()) for t in (1, horizon))
    return math.ceil(min(last, horizon)) if first < horizon else 0  # a span never shrinks


def rows_of(policy: Policy, quick: Shortcuts) -> int:
    """Return how many rows of the table an arm needs."""
    if quick.tangents:
        return TANGENTS
    if quick.many_clocks:
        return BY_ARM if policy.forget.by_arm else ALL
    return CLOCK


def chooser(policy: Policy, quick: Shortcuts) -> Function:
    """Return the function that chooses the arms of a round."""
    by_width = policy.explore.width is not None
    if quick.tangents:
        return tangents.choose_by_levels if quick.levels else tangents.choose_by_tangents
    if quick.many_clocks:
        return choose.choose_by_clocks_and_width if by_width else choose.choose_by_clocks
    if quick.groups:
        return choose.choose_by_groups
    if by_width:
        return choose.choose_few_by_width if quick.few else choose.choose_many_by_width
    return choose.choose_by_index


def fader(policy: Policy, grouped: bool) -> Function:
    """Return the function that discounts what is remembered."""
    if policy.forget.factor is unfaded:
        return nothing
    return memory.fade_groups if grouped else memory.fade_all


def learner(policy: Policy, span: int) -> Function:
    """Return the function that learns the plays of a round."""
    if policy.forget.by_arm and span > 0:
        return memory.learn_by_arm
    if policy.detect != Never():
        return memory.learn_restarting
    return memory.learn_window if span > 0 else memory.learn_forever


def forcer(policy: Policy) -> Function:
    """Return the function that takes rounds from the index."""
    if policy.force == Unforced():
        return nothing
    return force.force_at_random if policy.force.noise else force.force


def rules_of(policy: Policy, grouped: bool) -> Rules:
    """Return the functions of the four axes by name."""
    forget, detect, explore = policy.forget, policy.detect, policy.explore
    return Rules(
        factor=forget.factor,
        span=forget.span,
        fade=fader(policy, grouped),
        width=explore.width or nothing,
        index=explore.index or nothing,
        draft=explore.draft or explore.index or nothing,
        call=indices.caller(explore),
        read=indices.reader(explore),
        level=explore.level or nothing,
        tangent=explore.tangent or nothing,
        near=explore.near or nothing,
        point=points.point_near if explore.near else points.point_at,
        alarm=detect.alarm,
        ask=restart.ask_with_room if detect.room else restart.ask,
        due=detect.due,
        force=policy.force.arm,
    )


def flags_of(policy: Policy, world: AnyWorld, span: int, quick: Shortcuts) -> Flags:
    """Return what is compiled in."""
    detect = policy.detect
    whole = policy.forget.factor is unfaded and world.law.binary and world.bound == 1.0
    return Flags(
        variance=flag(policy.explore.variance),
        exact=flag(whole or span == 0),
        restarts_all=flag(detect.scope == "all"),
        counts_plays=flag(detect.counts_plays),
        one_clock=flag(detect.scope == "all" or detect.counts_plays),
        prior=flag(policy.explore.prior),
        drafts=flag(policy.explore.draft is not None),
        levels=flag(quick.levels),
        trusted=flag(policy.explore.trusted),
        ageing=flag(policy.forget.ageing),
    )
