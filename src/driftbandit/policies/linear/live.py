"""What a linear policy remembers of one run, with NumPy: weighted sums over the plays."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError, require
from driftbandit.policies.learner import Learner, only
from driftbandit.policies.linear.schedule import CLEAR, REBUILD

if TYPE_CHECKING:
    from driftbandit.policies.linear.policy import LinearPolicy

Array = NDArray[np.float64]


class Play(NamedTuple):
    """A play in the window, its reward if that has come, and the factor of its round."""

    action: Array
    reward: float | None
    factor: float


class Regression(Learner):
    """Discounted or windowed ridge regression.

    The sums leave out the ridge: γV + (1−γ)λI with V = A + λI is γA + λI.

    A decision is a play whose reward is awaited: it takes its place in windows, and everything
    older fades, when it is made. `open` and `open_squares` are the shares of such plays in V and Ṽ,
    which the width is computed from; θ̂ is computed from the others alone. Until the reward comes,
    `waiting` has its action, by round, and how far plays had faded by then (`faded`, a logarithm).
    """

    kept = (
        "rounds", "sums", "squares", "targets", "open", "open_squares", "plays", "waiting", "faded",
    )  # fmt: skip  # as they stand in `__init__`

    def __init__(self, policy: LinearPolicy, dimension: int) -> None:
        self.policy, self.dimension, self.rounds = policy, dimension, 0
        self.schedule = policy.schedule(dimension)
        self._ridge = policy.ridge * np.eye(dimension)
        self._clear()
        self.plays: deque[Play] = deque()
        self.waiting: dict[int, tuple[tuple[float, ...], float]] = {}
        self.faded = 0.0
        self._solved: tuple[Array, Array] | None = None

    def _clear(self) -> None:
        shape = self.dimension, self.dimension
        self.sums, self.squares = np.zeros(shape), np.zeros(shape)
        self.open, self.open_squares = np.zeros(shape), np.zeros(shape)
        self.targets = np.zeros(self.dimension)

    @property
    def V(self) -> Array:
        """The matrix V = Σ_s w_s a_s a_sᵀ + λI, with the plays whose reward is awaited."""
        return self.sums + self.open + self._ridge

    @property
    def V_squared(self) -> Array:
        """The matrix Ṽ = Σ_s w_s² a_s a_sᵀ + λI, with the plays whose reward is awaited."""
        return self.squares + self.open_squares + self._ridge

    @property
    def theta(self) -> Array:
        """The estimate θ̂ = V⁻¹ Σ_s w_s x_s a_s, without the plays whose reward is awaited."""
        return self._solution()[0]

    def widths(self, features: Array) -> Array:
        """Return β √(aᵀ V⁻¹ Ṽ V⁻¹ a) for every row."""
        root = self._solution()[1]
        widths: Array = np.sqrt(np.square(features @ root.T).sum(axis=1))
        return self.schedule.radius * widths

    def indices(self, features: Array) -> Array:
        """Return the index of every row: aᵀθ̂ + β √(aᵀ V⁻¹ Ṽ V⁻¹ a)."""
        indices: Array = features @ self.theta + self.widths(features)
        return indices

    def _solution(self) -> tuple[Array, Array]:
        """Return θ̂, and a matrix G with GᵀG = V⁻¹ Ṽ V⁻¹."""
        if self._solved is None:
            try:
                factors = np.linalg.cholesky(np.stack([self.V, self.V_squared]))
            except np.linalg.LinAlgError:
                raise InputError(too_small(self.policy)) from None
            lower, inner = factors.astype(np.float64, copy=False)
            inverse: Array = np.linalg.inv(lower).astype(np.float64, copy=False)
            if self.waiting:
                known = self.sums + self._ridge
                theta: Array = np.linalg.solve(known, self.targets).astype(np.float64, copy=False)
            else:
                theta = inverse.T @ (inverse @ self.targets)
            root: Array = inner.T @ inverse.T @ inverse
            self._solved = theta, root
        return self._solved

    def law(self, eligible: Array) -> list[float]:
        """Return the law that is certain of the row with the largest index, the first of equals."""
        best = int(self.indices(eligible).argmax())
        return only(best, range(len(eligible)))

    def learn(self, arm: Array, reward: float) -> None:
        """Forget as the round passes, and add the play of an action."""
        self._pass_round(arm, reward)
        self._add(arm, reward, 1.0)
        self._end_round()

    def decide(self, arm: Array, probability: float, u: float) -> None:
        """Begin a round; its action counts in the width from now on, and its reward is awaited."""
        self._pass_round(arm, None)
        self.waiting[self.rounds] = tuple(arm.tolist()), self.faded
        self._await(arm, 1.0)
        self._end_round()

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward as that of a play of its round, unless that is forgotten by now."""
        play = self._give_up(round)
        if play is None:
            return False
        action, weight = play
        if self.plays:
            place = round - self.rounds - 1
            self.plays[place] = self.plays[place]._replace(reward=reward)
        self._add(action, reward, weight)
        return True

    def forsake(self, round: int) -> None:
        """Give up on a reward: the play no longer counts, though its round has passed."""
        self._give_up(round)

    def _pass_round(self, action: Array, reward: float | None) -> None:
        """Let a round pass: forget, and note the play in a window."""
        self._step = self.schedule.step()
        self.rounds, self._solved = self.rounds + 1, None
        self._fade(self._step.factor)
        self.faded += math.log(self._step.factor)
        if self._step.gone >= 0.0:
            self._take_out_oldest(self._step.gone)
        if self.schedule.span < math.inf:
            self.plays.append(Play(action, reward, self._step.factor))

    def _take_out_oldest(self, weight: float) -> None:
        """Take the oldest play out of the window."""
        made = self.rounds - len(self.plays)
        old = self.plays.popleft()
        if old.reward is None:
            self._give_up(made)
        else:
            self._add(old.action, old.reward, -weight)

    def _end_round(self) -> None:
        """Start over or add up anew where the schedule says so."""
        if self._step.after == CLEAR:
            self._clear()
            self.plays.clear()
            self.waiting.clear()
        elif self._step.after == REBUILD:
            self._rebuild()

    def _fade(self, factor: float) -> None:
        if factor != 1.0:
            self.sums *= factor
            self.squares *= factor * factor
            self.targets *= factor
            self.open *= factor
            self.open_squares *= factor * factor

    def _add(self, action: Array, reward: float, weight: float) -> None:
        """Add a play, or take one out if `weight` is negative."""
        outer = np.outer(action, action)
        self.sums += weight * outer
        self.squares += weight * abs(weight) * outer
        self.targets += weight * reward * action

    def _await(self, action: Array, weight: float) -> None:
        """Count a play whose reward is awaited, or no longer if `weight` is negative."""
        outer = np.outer(action, action)
        self.open += weight * outer
        self.open_squares += weight * abs(weight) * outer

    def _give_up(self, made: int) -> tuple[Array, float] | None:
        """Await the play of a round no longer; return its action and weight if it was awaited."""
        if made not in self.waiting:
            return None
        numbers, faded = self.waiting.pop(made)
        action, weight = np.array(numbers), math.exp(self.faded - faded)
        self._solved = None
        if self.waiting:
            self._await(action, -weight)
        else:  # the last one leaves exactly nothing
            self.open[:] = self.open_squares[:] = 0.0
        return action, weight

    def _rebuild(self) -> None:
        """Add up the window anew: what was taken out left rounding errors behind."""
        self._clear()
        for made, play in enumerate(self.plays, start=self.rounds - len(self.plays) + 1):
            self._fade(play.factor)
            if play.reward is not None:
                self._add(play.action, play.reward, 1.0)
            elif made in self.waiting:
                self._await(play.action, 1.0)

    def dump(self) -> dict[str, Any]:
        """Return the sums and plays, and how far the schedule has come."""
        return {**super().dump(), "schedule": self.schedule.dump()}

    def load(self, state: dict[str, Any]) -> None:
        """Take over a state."""
        require("schedule" in state, "state", sorted(state), "have a schedule")
        super().load({name: value for name, value in state.items() if name != "schedule"})
        self.schedule.load(state["schedule"])
        self.plays = deque(
            Play(np.array(action), reward, factor) for action, reward, factor in self.plays
        )
        sizes = [np.shape(self.sums), np.shape(self.targets)]
        require(
            sizes == [(self.dimension,) * 2, (self.dimension,)],
            "sums of the state",
            sizes,
            f"be of {self.dimension} features",
        )
        self._solved = None


def too_small(policy: LinearPolicy) -> str:
    """Return the message for a ridge that is lost to rounding."""
    return f"ridge of {policy.label} must be larger: {policy.ridge:g} is lost to rounding"
