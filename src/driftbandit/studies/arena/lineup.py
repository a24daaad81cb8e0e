"""The entries: policies, or rules that tune a policy for a world and a horizon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from driftbandit.core.arrays import listed
from driftbandit.core.callbacks import takes
from driftbandit.core.errors import one_of, require
from driftbandit.engine import changes
from driftbandit.environments import PROBLEMS, World
from driftbandit.policies import (
    ADWINUCB,
    CUSUMUCB,
    EXP3S,
    EXP3SIX,
    MUCB,
    UCB1,
    UCBV,
    Auto,
    DiscountedKLUCB,
    DiscountedThompson,
    DiscountedUCB,
    GLRklUCB,
    SlidingWindowKLUCB,
    SlidingWindowThompson,
    SlidingWindowUCB,
    StationaryKLUCB,
    Strategy,
    Thompson,
    Uniform,
)
from driftbandit.policies.presets.preset import Preset

Entry = Strategy | Callable[[World, int], Strategy]
"""A policy, or a rule: a function of (world, horizon) that returns a policy."""


def _at_least_one(world: World, horizon: int) -> int:
    """Return the number of changes, at least 1: the rules of detectors divide by it."""
    return max(1, changes(world, horizon))


LINEUP: dict[str, Entry] = {
    "Auto": lambda world, T: Auto(bound=world.bound),
    "UCB-1": lambda world, T: UCB1(bound=world.bound),
    "UCB-V": lambda world, T: UCBV(bound=world.bound),
    "KL-UCB": lambda world, T: StationaryKLUCB(bound=world.bound),
    "Thompson": lambda world, T: Thompson(bound=world.bound),
    "EXP3.S": lambda world, T: EXP3S.tuned(T, changes(world, T), world.arms, bound=world.bound),
    "EXP3.SIX": lambda world, T: EXP3SIX.tuned(T, changes(world, T), world.arms, world.bound),
    "D-UCB": lambda world, T: DiscountedUCB.tuned(T, changes(world, T), bound=world.bound),
    "D-UCB (padding B)": lambda world, T: DiscountedUCB.tuned(
        T, changes(world, T), bound=world.bound, padding=1.0
    ),
    "D-KL-UCB": lambda world, T: DiscountedKLUCB.tuned(T, changes(world, T), bound=world.bound),
    "D-TS": lambda world, T: DiscountedThompson.tuned(T, changes(world, T), bound=world.bound),
    "SW-UCB": lambda world, T: SlidingWindowUCB.tuned(T, changes(world, T), bound=world.bound),
    "SW-KL-UCB": lambda world, T: SlidingWindowKLUCB.tuned(T, changes(world, T), bound=world.bound),
    "SW-TS": lambda world, T: SlidingWindowThompson.tuned(T, changes(world, T), bound=world.bound),
    "CUSUM-UCB": lambda world, T: CUSUMUCB.tuned(T, _at_least_one(world, T), bound=world.bound),
    "M-UCB": lambda world, T: MUCB.tuned(
        T, _at_least_one(world, T), world.arms, window=150, bound=world.bound
    ),
    "ADWIN-UCB": lambda world, T: ADWINUCB(bound=world.bound),
    "GLR-klUCB": lambda world, T: GLRklUCB.tuned(T, world.arms, bound=world.bound),
    "uniform": lambda world, T: Uniform(),
}
"""The policies that enter by default."""


RANKED = tuple(name for name in PROBLEMS if name not in ("f-dsw-2", "f-dsw-3"))
"""The problems that are played by default.

With f-dsw-2 one paper's tests would count twice, and in f-dsw-3 nothing changes. The ranks in the
documentation are over these 15.
"""


def entries_by_label(
    policies: Mapping[str, Entry] | Iterable[str | Strategy] | None,
) -> dict[str, Entry]:
    """Return the entries by label; names stand for those of the line-up, None for all of them.

    >>> from driftbandit.policies import UCB1
    >>> list(entries_by_label(["SW-UCB", UCB1(xi=2.0, label="UCB1 of Auer et al.")]))
    ['SW-UCB', 'UCB1 of Auer et al.']
    """
    if policies is None:
        return dict(LINEUP)
    if isinstance(policies, Mapping):
        entries = list(policies.items())
    else:
        allowed = "be a list of policies, or a mapping from labels"
        entries = [_entry(policy) for policy in listed("policies", policies, allowed)]
    labels = [label for label, _ in entries]
    require(len(labels) > 0, "policies", labels, "hold at least one policy")
    require(len(set(labels)) == len(labels), "labels", labels, "be different from each other")
    return dict(entries)


def _entry(policy: Any) -> tuple[str, Entry]:
    if isinstance(policy, str):
        label = one_of("policy", policy, LINEUP)
        return label, LINEUP[label]
    fits = isinstance(policy, Strategy)
    require(fits, "policies", policy, "hold policies, names of the line-up, or be a mapping")
    return policy.label, policy


def make_policy(label: str, entry: Entry, world: World, horizon: int) -> Strategy:
    """Return the policy with which an entry plays a world, under the entry's label."""
    allowed = "be a policy, or a function of (world, horizon) that returns one"
    makes = callable(entry) and takes(entry, 2)  # but a preset, or its `tuned`, takes other things
    other = isinstance(entry, type | Preset) or getattr(entry, "__name__", "") == "tuned"
    require(not callable(entry) or (makes and not other), f"policy {label}", entry, allowed)
    policy: Any = entry(world, horizon) if callable(entry) else entry
    require(isinstance(policy, Strategy), f"policy {label}", policy, allowed)
    return policy.replace(label=label)  # type: ignore[no-any-return]
