"""What an index policy remembers of one run, and how it forgets.

Discounting multiplies all old plays by one factor; instead the weight of new plays grows, and
counts are read relative to the current weight. So only the arm played, and one that leaves a
window, change: what an index needs of them is renewed then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.policies.learner import LIGHTEST, Learner
from driftbandit.rules.detect import Detect, Never
from driftbandit.rules.forget.rule import unfaded, unlimited

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy

HEAVIEST = 1e100
"""Weights of plays grow as their elders are discounted; beyond this all are rescaled."""


Play = tuple[int, float, float | None]
"""A play in a window: its arm, its weight, and its reward if it has come."""

OwnPlay = tuple[int, float | None]
"""A play in an arm's own window: its round, and its reward if it has come."""


class Memory(Learner):
    """Weighted sums of rewards and plays, one place in each list for every arm.

    A decision is a play whose reward is awaited: it takes its place in windows, and everything
    older fades, when it is made. Until the reward comes, `waiting` has its arm and weight, by
    round; per arm, `awaited` is the weight of these plays and `open` their number.
    """

    means: list[float] | NDArray[np.float64]
    roots: list[float] | NDArray[np.float64]

    def __init__(self, policy: Policy, arms: int) -> None:
        self.policy = policy
        self.rounds = 0
        self.weight = self.stretch = 1.0
        self.clock = 0.0
        self.untried = list(range(arms))
        self.totals, self.lost, self.squares, self.counts = ([0.0] * arms for _ in range(4))
        self.means, self.roots, self.variances = [inf] * arms, [0.0] * arms, [0.0] * arms
        self.plays: deque[Play] = deque()
        self.own: list[deque[OwnPlay]] = [deque() for _ in range(arms)]
        self.clocks, self.born = [0.0] * arms, [0] * arms
        self.restarts = self.restarted = 0
        self.time, self.elapsed = 0.0, 0.0
        self.times: deque[float] = deque()
        self.awaited, self.open = [0.0] * arms, [0] * arms
        self.waiting: dict[int, tuple[int, float]] = {}
        self.states: list[tuple[Any, ...]] = [detector_state(policy.detect) for _ in range(arms)]
        forget, numbers = policy.forget, policy.forget.numbers()
        self._forgetting = numbers
        self._factor, self._span = forget.factor(1.0, *numbers), forget.span(1.0, *numbers)
        self._factor_at, self._span_at = forget.plain("factor"), forget.plain("span")
        self._room, self._varies = size_of(self._span), not forget.steady
        self._varied = policy.explore.variance
        self._restarts, self._counts_plays = policy.detect != Never(), policy.detect.counts_plays
        self._detecting = policy.detect.numbers()
        self._detecting_late = policy.detect.eager.numbers()
        self._alarm, self._due = policy.detect.called("alarm"), policy.detect.plain("due")
        self._by_arm, self._ageing, self.timed = forget.by_arm, forget.ageing, forget.by_clock
        self._uncut = forget.by_arm or forget.ageing

    def learn(self, arm: int, reward: float | None) -> None:
        """Let a round pass: forget, advance the clocks, add the play, start over after an alarm.

        A play without a reward so far is noted in a window, and not added. Live agents spend their
        time here, so what every round needs is written out, not called.
        """
        self.rounds += 1
        if self.untried and arm in self.untried:
            self.untried.remove(arm)
        if self._varies:
            self._vary()
        factor, span = self._factor, self._span
        if factor != 1.0:  # new plays weigh more, instead of all others less
            self.weight /= factor
            if self.weight > HEAVIEST:
                self._rescale()
            self.stretch = sqrt(self.weight)  # that of every 1/√count
        if span < inf:
            span = self._slide(span, arm, reward)
        clock = factor * self.clock + 1.0
        self.clock = clock if clock < span or self._uncut else span
        if reward is not None:
            self._change(arm, self.weight, reward)
        if self._restarts:
            most = inf if self._uncut else span
            self.clocks = [min(factor * clock + 1.0, most) for clock in self.clocks]
            if reward is not None and not self._restart_if_due():
                self._detect(arm, reward, self.rounds)

    def _vary(self) -> None:
        """Ask a rule that is not steady how much it forgets in this round."""
        forget, numbers = self.policy.forget, self._forgetting
        before = self._span
        if forget.factor is not unfaded:
            t = self.elapsed if self.timed else float(self.rounds)
            self._factor = self._factor_at(t, *numbers)
        if forget.span is not unlimited:
            self._span = self._span_at(float(self.rounds), *numbers)
            self._room = size_of(self._span)
        if not (0.0 < self._factor <= 1.0 and self._span >= before):
            forget.refuse(float(self.rounds), self._factor, self._span, before)

    def _slide(self, span: float, arm: int, reward: float | None) -> float:
        """Take out the plays that leave a window, and note the new one; return its rounds."""
        if self._by_arm:
            self._slide_own(arm, reward)
            return span
        if self.timed:
            self._room = self._rounds_within(span)
            span = float(self._room)
        plays, room = self.plays, self._room
        while len(plays) >= room:
            old, weight, past = plays.popleft()
            if past is None:
                self._give_up(self.rounds - len(plays) - 1)
            elif not (self._restarts and self.born[old] >= self.rounds - len(plays) - 1):
                self._change(old, -weight, past)
        plays.append((arm, self.weight, reward))
        return span

    def _rounds_within(self, seconds: float) -> int:
        """Return how many rounds, this one included, were not more than so long ago."""
        times = self.times
        while times and times[0] <= self.time - seconds:
            times.popleft()
        times.append(self.time)
        return len(times)

    def _slide_own(self, arm: int, reward: float | None) -> None:
        """Take out the arm's oldest play if the new one takes its place; clocks go back by it."""
        plays = self.own[arm]
        if len(plays) >= self._room:
            made, past = plays.popleft()
            if past is None:
                self._give_up(made)
            elif made > self.born[arm]:
                self._change(arm, -1.0, past)
            if not self._ageing:
                self.clock -= 1.0
                if self._restarts:
                    aged = zip(self.clocks, self.born, strict=True)
                    self.clocks = [clock - (made > born) for clock, born in aged]
        plays.append((self.rounds, reward))

    def _change(self, arm: int, weight: float, reward: float) -> None:
        """Add a play, or take one out if `weight` is negative, and renew what an index needs."""
        totals, counts, amount = self.totals, self.counts, weight * reward
        before = totals[arm]
        total = totals[arm] = before + amount
        count = counts[arm] = counts[arm] + weight
        if self._room:  # sums would drift if what rounding takes away were lost
            part = total - before
            if part != amount or total - part != before:  # not so with rewards of 0 and 1
                self.lost[arm] += (before - (total - part)) + (amount - part)
            total += self.lost[arm]
            # whatever is left after a play was taken out weighs at least as much as that play
            if count <= -0.5 * weight:
                self._clear(arm)
                return
        mean = self.means[arm] = total / count
        if self.waiting:
            self._size(arm)
        else:
            self.roots[arm] = sqrt(1.0 / count)
        if self._varied:
            square = self.squares[arm] = self.squares[arm] + amount * reward
            self.variances[arm] = max(square / count - mean * mean, 0.0)

    def _clear(self, arm: int) -> None:
        """Forget an arm, but for plays whose reward is awaited."""
        for row in (self.totals, self.lost, self.squares, self.counts, self.variances):
            row[arm] = 0.0
        self._size(arm)

    def _size(self, arm: int) -> None:
        """Renew 1/√count, which counts awaited plays; without any reward, these speak for none."""
        count, awaited = self.counts[arm], self.awaited[arm]
        if count == 0.0:
            self.means[arm] = -inf if awaited else inf
        self.roots[arm] = sqrt(1.0 / (count + awaited)) if count + awaited else 0.0

    def _give_up(self, made: int) -> tuple[int, float] | None:
        """Await the play of a round no longer; return its arm and weight if it was awaited."""
        play = self.waiting.pop(made, None)
        if play is not None:
            arm, weight = play
            self.open[arm] -= 1  # the last one leaves exactly nothing
            self.awaited[arm] = self.awaited[arm] - weight if self.open[arm] else 0.0
            self._size(arm)
        return play

    def _rescale(self) -> None:
        """Make the current weight 1 again; no count reaches zero by it."""
        scale, self.weight = self.weight, 1.0
        for row in (self.totals, self.lost, self.squares, self.awaited):
            row[:] = [value / scale for value in row]
        self.counts = [max(count / scale, LIGHTEST) if count else 0.0 for count in self.counts]
        self.plays = deque((arm, weight / scale, past) for arm, weight, past in self.plays)
        self.waiting = {made: (arm, weight / scale) for made, (arm, weight) in self.waiting.items()}
        for arm in range(len(self.counts)):
            self._size(arm)

    def _detect(self, arm: int, reward: float, made: int) -> None:
        """Start over if the detector raises an alarm at the reward of the play of a round."""
        detect, count = self.policy.detect, self.counts[arm] / self.weight
        numbers = self._detecting if made == self.rounds else self._detecting_late
        if self._alarm(*self.states[arm], reward, count, *numbers):
            self._restart(range(len(self.counts)) if detect.scope == "all" else [arm], made)

    def _restart_if_due(self) -> bool:
        """Start over if that was planned for this round; return whether it was."""
        due = bool(self._due(float(self.rounds), *self._detecting))
        if due:
            self._restart(range(len(self.counts)), self.rounds)
        return due

    def arm_clocks(self) -> list[float]:
        """Return the clock of every arm, where there are restarts."""
        if not self._counts_plays:
            return self.clocks
        total = 0.0
        for count, awaited in zip(self.counts, self.awaited, strict=True):
            total += count + awaited  # `sum` rounds in another way since Python 3.12
        return [total / self.weight] * len(self.counts)

    def _restart(self, arms: Iterable[int], made: int) -> None:
        """Forget these arms as of a round; decisions after it are still awaited."""
        chosen = set(arms)
        late = [at for at, (arm, _) in self.waiting.items() if arm in chosen and at <= made]
        for at in late:
            self._give_up(at)
        for arm in chosen:
            self._clear(arm)
            self.clocks[arm], self.born[arm] = self._clock_since(made), made
            self.states[arm] = detector_state(self.policy.detect)
        if made < self.rounds:
            self._forget_later(chosen)
        self.restarts, self.restarted = self.restarts + 1, self.rounds

    def _clock_since(self, made: int) -> float:
        """Return what a clock shows that stood at zero after a round."""
        rounds, factor = self.rounds - made, self._factor
        if factor < 1.0:
            return (1.0 - factor**rounds) / (1.0 - factor)
        return float(rounds) if self._uncut else min(float(rounds), self._span)

    def _forget_later(self, arms: set[int]) -> None:
        """Let plays of these arms leave a window unseen: what they brought has been forgotten."""
        kept = ((arm, weight, None if arm in arms else past) for arm, weight, past in self.plays)
        self.plays = deque(kept)
        for arm in arms:
            self.own[arm] = deque((made, None) for made, _ in self.own[arm])


def size_of(span: float) -> int:
    """Return how many plays a window of so many rounds holds; 0 if it is unlimited."""
    return ceil(span) if span < inf else 0


def detector_state(detect: Detect) -> tuple[Any, ...]:
    """Return what a detector is handed of an arm of which nothing is known."""
    state = detect.state.blank()
    return (state, [0.0] * detect.room) if detect.room else (state,)
