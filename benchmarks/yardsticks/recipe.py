"""Policies as a name and numbers, for programs that do not know this package."""

from __future__ import annotations

from typing import NamedTuple

from driftbandit.policies import EXP3S, Policy, Strategy
from driftbandit.rules.detect import Never
from driftbandit.rules.explore import UCB, Thompson
from driftbandit.rules.force import Unforced
from driftbandit.rules.forget import Discount, Full, Window


class Recipe(NamedTuple):
    """What kind of policy, and its numbers by name.

    The padding of an index is part of `xi`: padding · √(ξ log n / N) = √(padding² ξ log n / N).
    """

    kind: str
    numbers: dict[str, float]


def kinds(policy: Policy) -> tuple[type, ...]:
    """Return the classes of a policy's rules, except the forgetting rule."""
    return type(policy.detect), type(policy.explore), type(policy.force)


def recipe(policy: Strategy) -> Recipe | None:
    """Return the recipe of UCB-1, D-UCB, SW-UCB, EXP3.S or Thompson sampling, else None.

    All are for rewards in [0, 1].

    >>> from driftbandit import DiscountedUCB
    >>> recipe(DiscountedUCB(0.99))
    Recipe(kind='d-ucb', numbers={'discount': 0.99, 'xi': 2.0})
    """
    if policy.bound != 1.0:
        return None
    if type(policy) is EXP3S:
        return Recipe("exp3.s", {"exploration": policy.exploration, "sharing": policy.sharing})
    if type(policy) is Policy and kinds(policy) == (Never, UCB, Unforced):
        return _ucb(policy)
    if type(policy) is Policy and kinds(policy) == (Never, Thompson, Unforced):
        return _thompson(policy)
    return None


def _ucb(policy: Policy) -> Recipe | None:
    assert isinstance(policy.explore, UCB)
    index = {"xi": policy.explore.xi * policy.explore.padding**2}
    if type(policy.forget) is Full:
        return Recipe("ucb-1", index)
    if type(policy.forget) is Discount:
        return Recipe("d-ucb", {"discount": policy.forget.discount, **index})
    if type(policy.forget) is Window:
        return Recipe("sw-ucb", {"window": policy.forget.window, **index})
    return None


def _thompson(policy: Policy) -> Recipe | None:
    assert isinstance(policy.explore, Thompson)
    if type(policy.forget) is not Full:
        return None
    prior = {"success": policy.explore.success, "failure": policy.explore.failure}
    return Recipe("thompson", prior)
