"""Whether a policy remembers for long enough to learn from rewards that come late."""

from __future__ import annotations

import math
import warnings

from driftbandit.policies.strategy import Strategy


class ShortMemoryWarning(UserWarning):
    """Rewards may come so late that the policy has forgotten half of its decisions by then."""


def warn_of_short_memory(
    policy: Strategy, within: float | None, decisions: float, stacklevel: int
) -> bool:
    """Warn if rewards may take longer than half of what the policy remembers; say whether.

    So many decisions are made in that time.
    """
    if within is None:
        return False
    seconds, rounds = policy.remembers()
    if within > 0.5 * seconds:
        text = f"reward_within, {within:g} s, is longer than half of the {seconds:g} s"
    elif decisions > max(0.5 * rounds, 1.0) and rounds < math.inf:
        text = f"reward_within holds {decisions:g} decisions, over half of the {rounds:g}"
    else:
        return False
    warnings.warn(
        f"{text} that {policy.label} remembers: late rewards teach it little",
        ShortMemoryWarning,
        stacklevel=stacklevel,
    )
    return True
