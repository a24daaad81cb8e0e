"""The live agent for actions with features: choose a row now, learn when the reward comes."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.errors import InputError, require, reward_as_float, shown, whole
from driftbandit.live.deciding import DecidingAgent
from driftbandit.live.decision import UNIT, Decision
from driftbandit.live.turn import alone
from driftbandit.policies.linear.live import Regression
from driftbandit.policies.linear.policy import LinearPolicy
from driftbandit.policies.terms import AgentTerms

Array = NDArray[np.float64]

Features = ArrayLike | Mapping[Any, ArrayLike]

LARGEST = 1e100
"""Rewards are smaller than this, so that no sum overflows."""


class LinearAgent(DecidingAgent[Any]):
    """One linear policy playing live, one step at a time, without compiled code.

    `choose` takes the features of the actions at hand, a row each and as many as there are, and
    returns the number of a row; or a mapping from names to features, and returns a name. `learn`
    takes the features of what was played and its reward. Rejected input changes nothing.

    Where rewards come late there are `decide` and `reward`, as for `Agent`, with the same terms. A
    decision awaits its reward with its features. Until that comes, its action counts in V and Ṽ,
    so that the width √(aᵀ V⁻¹ Ṽ V⁻¹ a) shrinks where actions like it are under way, and not in
    θ̂, which is computed from the rewards that have come.

    The policy draws nothing at random; `floor` does. Forgetting counts rounds: decisions, and
    rewards learned without one.

    >>> import driftbandit as db
    >>> agent = db.DiscountedLinUCB(discount=0.99).agent(dimension=2)
    >>> features = {"red": [1.0, 0.0], "blue": [0.0, 0.9]}
    >>> agent.choose(features)
    'red'
    >>> agent.learn([1.0, 0.0], reward=0.3)
    >>> agent.rounds, agent.theta.round(3).tolist()
    (1, [0.273, 0.0])
    >>> first, second = agent.decide(features), agent.decide(features)
    >>> first.arm, second.arm, agent.reward(first.id, 1.0)
    ('blue', 'red', True)
    >>> agent.learn([1.0, 0.0, 0.0], reward=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: features must have 2 columns, got 3
    """

    policy: LinearPolicy

    def __init__(
        self, policy: LinearPolicy, dimension: int, seed: int = 0, **terms: Unpack[AgentTerms]
    ) -> None:
        require(isinstance(policy, LinearPolicy), "policy", policy, "be a linear policy")
        self.dimension = whole("dimension", dimension)
        try:
            self._regression = Regression(policy, self.dimension)
        except (MemoryError, ValueError):  # NumPy's, of an array that no memory holds
            raise InputError(
                f"dimension must be one whose square fits into memory, got {self.dimension:,}"
            ) from None
        super().__init__(policy, self._regression, seed, **terms)

    @property
    @alone
    def theta(self) -> Array:
        """The estimate θ̂ of what each feature is worth."""
        theta: Array = self._regression.theta.copy()
        return theta

    @alone
    def choose(self, features: Features) -> Any:
        """Return the row to play now, or its name if features come by name."""
        if self._floor:
            raise self._floored()
        names, rows = self._named(features)
        return names[int(self._regression.indices(rows).argmax())]

    @alone
    def learn(self, features: ArrayLike, reward: float) -> None:
        """Take in the reward of an action; a bad one is refused and nothing is learned."""
        row = real_array(features)
        allowed = "be one row of numbers, the features of the action that was played"
        require(row is not None and row.ndim == 1, "features", features, allowed)
        rows, number = self._rows([features]), self._checked(reward)
        self._regression.learn(rows[0].copy(), number)

    @alone
    def decide(self, features: Features, at: Any = None) -> Decision[Any]:
        """Choose one of the actions, at a time, by default now."""
        names, rows = self._named(features)
        decision = self._featured(names, rows, at, None, None)
        self._take(decision)
        return decision

    @alone
    def propose(
        self, features: Features, at: Any = None, id: str | None = None, u: float | None = None
    ) -> Decision[Any]:
        """Return the decision that the uniform number `u` draws; nothing changes.

        `apply` makes it one of this agent, or of another one that has seen the same events.
        """
        names, rows = self._named(features)
        u = random.random() if u is None else UNIT("u", u)
        return self._featured(names, rows, at, id, u)

    @alone
    def probabilities(self, features: Features) -> dict[Any, float]:
        """Return the probability of each action: exactly what `decide` draws from."""
        names, rows = self._named(features)
        return self._chances(names, rows)

    @alone
    def explain(self, features: Features) -> dict[Any, dict[str, float]]:
        """Return why: per action its estimate aᵀθ̂, width, index and probability."""
        names, rows = self._named(features)
        estimates, widths = rows @ self._regression.theta, self._regression.widths(rows)
        chances = self._chances(names, rows)
        columns = zip(names, estimates.tolist(), widths.tolist(), strict=True)
        return {
            name: {
                "estimate": estimate,
                "width": width,
                "index": estimate + width,
                "probability": chances[name],
            }
            for name, estimate, width in columns
        }

    def _featured(
        self, names: list[Any], rows: Array, at: Any, id: str | None, u: float | None
    ) -> Decision[Any]:
        """Return a decision with the features of what it chose."""
        decision = self._proposed(names, rows, at, id, u)
        row = rows[names.index(decision.arm)]
        return dataclasses.replace(decision, features=tuple(row.tolist()))

    def _named(self, features: Any) -> tuple[list[Any], Array]:
        """Return the names, or numbers, of actions and their features as rows."""
        if isinstance(features, Mapping):
            return list(features), self._rows(list(features.values()))
        rows = self._rows(features)
        return list(range(len(rows))), rows

    def _played(self, decision: Decision[Any]) -> Array:
        row: Array = self._rows([decision.features])[0].copy()
        return row

    def _own_state(self) -> dict[str, Any]:
        return {"dimension": self.dimension}

    def _checked(self, reward: float, name: str = "reward") -> float:
        number = reward_as_float(reward)
        require(abs(number) < LARGEST, name, reward, "be a finite number")
        return number

    def _rows(self, features: Any) -> Array:
        """Return the features as an array of rows, or raise."""
        rows = real_array(features)
        if rows is None:
            allowed = "be rows of numbers, all of one length"
            raise InputError(f"features must {allowed}, got {shown(features)}")
        if rows.ndim != 2 or len(rows) == 0:
            raise InputError(f"features must be one row per action, got the shape {rows.shape}")
        if rows.shape[1] != self.dimension:
            raise InputError(f"features must have {self.dimension} columns, got {rows.shape[1]}")
        with np.errstate(over="ignore", invalid="ignore"):
            norms = np.sqrt(np.square(rows).sum(axis=1))
        most = self.policy.length * (1.0 + 1e-9)  # a normalised row may be longer by rounding
        if not norms.max() <= most:  # so that NaN is wrong too
            row = int(np.argmin(norms <= most))
            raise InputError(
                f"features must have a norm of at most {self.policy.length:g}, the policy's "
                f"length, got {float(norms[row]):g} in row {row}"
            )
        return rows
