"""Procedures, one step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import as_float, is_flag, require
from driftbandit.policies.learner import Draw, Learner, generator, only, total_of

if TYPE_CHECKING:
    from driftbandit.policies.procedures.policy import Procedure


class ProcedureLearner(Learner):
    """The functions of a procedure as they are, on a plain object.

    The noise of a round is drawn by its first choice; who learns without choosing gets noise from a
    stream of its own. Decisions have noise too, drawn before they are made: given that, the choice
    is certain.

    A procedure that notes decisions is told the rounds of decisions. For any other, time stands
    still between rewards: it names the same arm until one comes, and learns in order of arrival.
    """

    kept = ("rounds", "learned", "state", "waiting", "_noise", "_ready", "_apart", "rng")

    def __init__(self, policy: Procedure, arms: int) -> None:
        self.rounds, self.learned, self.arms, self.policy = 0, 0, arms, policy
        self.state = policy.started(arms)
        self.waiting: dict[int, Any] = {}
        self._numbers, self._draws = policy.numbers(), policy.draws(arms)
        self._choose_rule, self._learn_rule = policy.called("choose"), policy.called("learn")
        self._noise: list[float] = []
        self._apart = Random(0)
        self.seed(0)

    def seed(self, number: int) -> None:
        """Set the generator of the noise of decisions."""
        self.rng = generator(number)
        self._ready = self._drawn(self.rng)

    def _drawn(self, rng: Random) -> list[float]:
        return [rng.random() or 2.0**-54 for _ in range(self._draws)]

    @property
    def _time(self) -> int:
        """The round that comes, as the procedure counts."""
        return (self.rounds if self.policy.decide is not None else self.learned) + 1

    def choose(self, draw: Draw) -> int:
        """Ask the procedure, which changes nothing."""
        if len(self._noise) < self._draws:
            self._noise = [draw() for _ in range(self._draws)]
        return self._choice(self.state, self.arms, self._noise)

    def _choice(self, state: SimpleNamespace, arms: int, noise: list[float]) -> int:
        t = self._time
        arm = self._choose_rule(state, arms, t, noise, *self._numbers)
        if type(arm) is not int or not 0 <= arm < arms:
            number = as_float(int(arm) if is_flag(arm) else arm)
            fits = number.is_integer() and 0 <= number < arms
            name = f"arm of {self.policy.label} in round {t}"
            require(fits, name, arm, f"be a whole number from 0 to {arms - 1}")
        return int(arm)

    def learn(self, arm: int, reward: float) -> None:
        """Let the procedure change its state."""
        noise = self._noise if len(self._noise) >= self._draws else self._drawn(self._apart)
        self.rounds += 1
        self.learned += 1
        self._learn(self.rounds, arm, reward, noise)
        self._noise = []

    def learn_among(self, arm: int, reward: float, eligible: Sequence[int]) -> None:
        """Learn with the noise that `law` chose by, which is used up."""
        self._noise, self._ready = self._ready, self._drawn(self.rng)
        self.learn(arm, reward)

    def _learn(self, t: int, arm: int, reward: float, noise: Sequence[float]) -> None:
        share = reward / self.policy.bound
        self._learn_rule(self.state, self.arms, t, arm, share, noise, *self._numbers)

    def law(self, eligible: Sequence[int]) -> list[float]:
        """Return the law that is certain of the procedure's arm; uniform if that may not be played.

        A procedure with one record per arm chooses among the eligible arms as if there were no
        others.
        """
        if len(eligible) == self.arms:
            return only(self._choice(self.state, self.arms, self._ready), eligible)
        if self.policy.per_arm:
            state = self.state
            part = SimpleNamespace(
                run=state.run,
                arm=[state.arm[arm] for arm in eligible],
                room=[state.room[arm] for arm in eligible] if state.room else [],
            )
            return only(eligible[self._choice(part, len(eligible), self._ready)], eligible)
        arm = self._choice(self.state, self.arms, self._ready)
        return only(arm, eligible) if arm in eligible else [1.0 / len(eligible)] * len(eligible)

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Begin a round; a procedure that notes decisions is told."""
        if self.policy.decide is not None:
            self.policy.called("decide")(self.state, self.arms, self._time, arm, *self._numbers)
        self.rounds += 1
        self.waiting[self.rounds] = arm, *self._ready
        self._ready = self._drawn(self.rng)

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward: as that of its round if decisions are noted, else of the next one."""
        if round not in self.waiting:
            return False
        arm, *noise = self.waiting[round]
        self.forsake(round)
        self.learned += 1
        t = round if self.policy.decide is not None else self.learned
        self._learn(t, arm, reward, noise)
        return True

    def forsake(self, round: int) -> None:
        """Give up on a reward; a procedure that notes decisions is told."""
        play = self.waiting.pop(round, None)
        if play is not None and self.policy.forsake is not None:
            self.policy.called("forsake")(self.state, self.arms, round, play[0], *self._numbers)

    def add_arm(self) -> None:
        """Make place for one more arm; unless it has one record per arm, all begins anew."""
        self.arms += 1
        fresh = self.policy.started(self.arms)
        if self.policy.per_arm:
            self.state.arm.append(fresh.arm[-1])
            self.state.room.extend(fresh.room[-1:])
        else:
            self._begin_anew(fresh)

    def forget_arm(self, arm: int) -> None:
        """Forget an arm; unless there is one record per arm, all begins anew."""
        fresh = self.policy.started(self.arms)
        if self.policy.per_arm:
            state = self.state
            state.arm[arm] = fresh.arm[arm]
            if state.room:
                state.room[arm] = fresh.room[arm]
            self.waiting = {made: play for made, play in self.waiting.items() if play[0] != arm}
        else:
            self._begin_anew(fresh)

    def _begin_anew(self, fresh: SimpleNamespace) -> None:
        """Start over with a state before the first round; no reward is awaited."""
        self.state, self.learned = fresh, 0
        self.waiting.clear()
        self._draws = self.policy.draws(self.arms)
        self._noise, self._ready = [], self._drawn(self.rng)

    @property
    def alarms(self) -> int:
        """The alarms of a procedure that counts them."""
        return int(getattr(self.state.run, "alarms", 0))

    @property
    def remembered(self) -> float | None:
        """The sum of the counts, if there is one record per arm."""
        if not self.policy.per_arm:
            return None
        return total_of(record.count for record in self.state.arm)

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return the numbers that the procedure keeps of an arm, and the pending decisions."""
        pending = float(sum(play[0] == arm for play in self.waiting.values()))
        if not self.policy.per_arm:
            return {"pending": pending}
        record = self.state.arm[arm]
        count, mean = record.count, record.mean * self.policy.bound
        return {"mean": mean if count else None, "count": count, "pending": pending}
