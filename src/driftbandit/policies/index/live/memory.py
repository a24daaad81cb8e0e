"""What an index policy remembers of one run, and how it forgets.

Discounting multiplies all old plays by one factor; instead the weight of new plays grows, and
counts are read relative to the current weight. So only the arm played, and one that leaves a
window, change: what an index needs of them is renewed then.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.policies.learner import LIGHTEST
from driftbandit.rules.detect import Detect, Never
from driftbandit.rules.forget.rule import unfaded, unlimited

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy

HEAVIEST = 1e100
"""Weights of plays grow as their elders are discounted; beyond this all are rescaled."""


class Memory:
    """Weighted sums of rewards and plays, one place in each list for every arm."""

    means: list[float] | NDArray[np.float64]
    roots: list[float] | NDArray[np.float64]

    def __init__(self, policy: Policy, arms: int) -> None:
        self.policy = policy
        self.rounds = 0
        self.weight = self.stretch = 1.0
        self.clock = 0.0
        self.untried = list(range(arms))
        self.totals, self.lost, self.squares, self.counts = ([0.0] * arms for _ in range(4))
        self.means, self.roots, self.variances = [math.inf] * arms, [0.0] * arms, [0.0] * arms
        self.plays: deque[tuple[int, float, float]] = deque()
        self.own: list[deque[tuple[int, float]]] = [deque() for _ in range(arms)]
        self.clocks, self.born = [0.0] * arms, [0] * arms
        self.restarts = self.restarted = 0
        self.states: list[tuple[Any, ...]] = [detector_state(policy.detect) for _ in range(arms)]
        forget, numbers = policy.forget, policy.forget.numbers()
        self._forgetting = numbers
        self._factor, self._span = forget.factor(1.0, *numbers), forget.span(1.0, *numbers)
        self._factor_varies = not forget.steady and forget.factor is not unfaded
        self._span_varies = not forget.steady and forget.span is not unlimited
        self._varied = policy.explore.variance
        self._restarts, self._counts_plays = policy.detect != Never(), policy.detect.counts_plays
        self._detecting = policy.detect.numbers()
        self._by_arm, self._ageing = forget.by_arm, forget.ageing
        self._uncut = forget.by_arm or forget.ageing

    def learn(self, arm: int, reward: float) -> None:
        """Forget as the round passes, add the play, and start over if there is an alarm."""
        self.rounds += 1
        if self.untried and arm in self.untried:
            self.untried.remove(arm)
        if self._factor_varies:
            self._factor = self.policy.forget.factor(float(self.rounds), *self._forgetting)
        if self._span_varies:
            self._span = self.policy.forget.span(float(self.rounds), *self._forgetting)
        factor, span = self._factor, self._span
        if factor != 1.0:
            self._fade(factor)
        if self._by_arm:
            self._slide_own(span, arm, reward)
        elif span < math.inf:
            self._slide(span, arm, reward)
        self._change(arm, self.weight, reward)
        clock = factor * self.clock + 1.0
        self.clock = clock if clock < span or self._uncut else span
        if self._restarts:
            self._detect(arm, reward)

    def _fade(self, factor: float) -> None:
        """Let new plays weigh more, instead of all others less; this stretches every 1/√count."""
        self.weight /= factor
        if self.weight > HEAVIEST:
            self._rescale()
        self.stretch = math.sqrt(self.weight)

    def _slide(self, span: float, arm: int, reward: float) -> None:
        """Take out the plays that leave the window, and note the new one; one comes a round."""
        plays = self.plays
        while len(plays) >= span:
            old, weight, past = plays[0]
            if not (self._restarts and self.born[old] >= self.rounds - len(plays)):
                self._change(old, -weight, past)
            plays.popleft()
        plays.append((arm, self.weight, reward))

    def _slide_own(self, span: float, arm: int, reward: float) -> None:
        """Take out the arm's oldest play if the new one takes its place; clocks go back by it."""
        plays = self.own[arm]
        if len(plays) >= span:
            made, past = plays.popleft()
            if made > self.born[arm]:
                self._change(arm, -1.0, past)
            if not self._ageing:
                self.clock -= 1.0
                if self._restarts:
                    aged = zip(self.clocks, self.born, strict=True)
                    self.clocks = [clock - (made > born) for clock, born in aged]
        plays.append((self.rounds, reward))

    def _change(self, arm: int, weight: float, reward: float) -> None:
        """Add a play, or take one out if `weight` is negative, and renew what an index needs."""
        before, amount = self.totals[arm], weight * reward
        total = self.totals[arm] = before + amount
        count = self.counts[arm] = self.counts[arm] + weight
        if self.plays or self._by_arm:  # sums would drift if what rounding takes away were lost
            part = total - before
            if part != amount or total - part != before:  # not so with rewards of 0 and 1
                self.lost[arm] += (before - (total - part)) + (amount - part)
            total += self.lost[arm]
            # whatever is left after a play was taken out weighs at least as much as that play
            if count <= -0.5 * weight:
                self._clear(arm)
                return
        mean = self.means[arm] = total / count
        self.roots[arm] = math.sqrt(1.0 / count)
        if self._varied:
            square = self.squares[arm] = self.squares[arm] + amount * reward
            self.variances[arm] = max(square / count - mean * mean, 0.0)

    def _clear(self, arm: int) -> None:
        """Forget an arm."""
        for row in (self.totals, self.lost, self.squares, self.counts, self.roots, self.variances):
            row[arm] = 0.0
        self.means[arm] = math.inf

    def _rescale(self) -> None:
        """Make the current weight 1 again; no count reaches zero by it."""
        scale, self.weight = self.weight, 1.0
        for row in (self.totals, self.lost, self.squares):
            row[:] = [value / scale for value in row]
        self.counts = [max(count / scale, LIGHTEST) if count else 0.0 for count in self.counts]
        self.roots[:] = [math.sqrt(1.0 / count) if count else 0.0 for count in self.counts]
        self.plays = deque((arm, weight / scale, past) for arm, weight, past in self.plays)

    def _detect(self, arm: int, reward: float) -> None:
        """Advance the clock of every arm, and start over if the detector says so."""
        factor, span = self._factor, self._span
        most = math.inf if self._uncut else span
        self.clocks = [min(factor * clock + 1.0, most) for clock in self.clocks]
        detect, count = self.policy.detect, self.counts[arm] / self.weight
        alarm = detect.alarm(*self.states[arm], reward, count, *self._detecting)
        due = detect.due(float(self.rounds), *self._detecting)
        if alarm or due:
            self._restart(range(len(self.counts)) if due or detect.scope == "all" else [arm])

    def arm_clocks(self) -> list[float]:
        """Return the clock of every arm, where there are restarts."""
        if not self._counts_plays:
            return self.clocks
        total = 0.0
        for count in self.counts:  # `sum` rounds in another way since Python 3.12
            total += count
        return [total / self.weight] * len(self.counts)

    def _restart(self, arms: Iterable[int]) -> None:
        """Forget these arms after this round."""
        for arm in arms:
            self._clear(arm)
            self.clocks[arm], self.born[arm] = 0.0, self.rounds
            self.states[arm] = detector_state(self.policy.detect)
        self.restarts, self.restarted = self.restarts + 1, self.rounds


def detector_state(detect: Detect) -> tuple[Any, ...]:
    """Return what a detector is handed of an arm of which nothing is known."""
    state = detect.state.blank()
    return (state, [0.0] * detect.room) if detect.room else (state,)
