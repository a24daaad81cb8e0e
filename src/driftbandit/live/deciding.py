"""What agents for arms and agents for actions with features have in common: decisions."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from typing import Any, Generic

from driftbandit.core.domain import Real
from driftbandit.core.duration import moment_of
from driftbandit.core.errors import (
    InputError,
    check_names,
    plain,
    require,
    reward_as_float,
    shown,
    whole,
)
from driftbandit.live import state as states
from driftbandit.live.decision import Arm, Decision, Reward, id_of
from driftbandit.live.ledger import TERMS, Entry, Ledger, Terms
from driftbandit.live.memory import warn_of_short_memory
from driftbandit.live.turn import Turn, alone
from driftbandit.policies.learner import Learner
from driftbandit.policies.strategy import Strategy

SHARE = Real("[0, 1]")


class DecidingAgent(Generic[Arm]):
    """Decisions, their late rewards, the clock, the lock and the state of one learner.

    An agent says what may be chosen, which rewards are good, and what of it a state must hold.
    """

    def __init__(
        self,
        policy: Strategy,
        learner: Learner,
        seed: int = 0,
        *,
        floor: float = 0.0,
        reward_within: Any = None,
        default_reward: float | None = None,
        combine: str = "first",
        duplicates: str = "ignore",
        most_pending: int = 10_000,
        **unknown: Any,
    ) -> None:
        check_names(unknown, "an agent", TERMS)
        self.policy, self._learner, self._timed = policy, learner, learner.timed
        self._most = min(policy.bound, sys.float_info.max)
        self._floor = float(SHARE("floor", floor))
        default = (
            None if default_reward is None else self._checked(default_reward, "default_reward")
        )
        terms = Terms.checked(reward_within, default, combine, duplicates, most_pending)
        number = whole("seed", seed, least=0, most=None)
        self._rng = random.Random(number)
        self._learner.seed(number)
        self._draw = self._uniform  # bound once
        self._ledger = Ledger(terms, learner, self._checked)
        self._now, self._warned = -math.inf, False
        self._turn = Turn()

    def __repr__(self) -> str:
        """Return the kind of agent, its policy, and how far it is."""
        kind, label = type(self).__name__, self.policy.label
        return f"<{kind}: {label}, {self.rounds:,} rounds, {self.pending:,} pending>"

    @property
    def rounds(self) -> int:
        """How many rounds have been played: decisions, and rewards learned without one."""
        return self._learner.rounds

    @property
    @alone
    def pending(self) -> int:
        """How many decisions await their reward."""
        return sum(not entry.learned for entry in self._ledger.entries.values())

    @property
    def alarms(self) -> int:
        """How many changes the policy has found in the rewards; planned restarts may count too.

        >>> import driftbandit as db
        >>> agent = db.Policy(detect=db.GLR(delta=1e-3)).agent(arms=["red", "blue"])
        >>> for reward in [0.0] * 50 + [1.0] * 50:
        ...     agent.learn("red", reward)
        >>> agent.alarms
        1
        """
        return self._learner.alarms

    @property
    def remembered(self) -> float | None:
        """How many plays the policy's memory amounts to; None if it does not count plays.

        >>> import driftbandit as db
        >>> agent = db.DiscountedUCB(discount=0.5).agent(arms=["red", "blue"])
        >>> for _ in range(3):
        ...     agent.learn("red", 1.0)
        >>> agent.remembered
        1.75
        """
        return self._learner.remembered

    @property
    def reward_within(self) -> float | None:
        """For how many seconds a decision may get its reward; None for any time."""
        return self._ledger.terms.reward_within

    @alone
    def reward(self, id: str, reward: float, at: Any = None) -> bool:
        """Take in the reward of a decision; return whether it counts: a duplicate does not."""
        return self._rewarded(id, reward, at)

    @alone
    def forsake(self, id: str) -> None:
        """Give up on the reward of a decision: nothing is learned, and none is awaited."""
        self._ledger.forsake(id_of(id))

    @alone
    def apply(self, event: Decision[Arm] | Reward, *, trusted: bool = False) -> bool:
        """Take in a decision or a reward made elsewhere; return whether it changed anything.

        A `trusted` event is known to have fields of the right kinds; looking takes half of the
        time.
        """
        if isinstance(event, Decision):
            self._take(event if trusted else event.checked())
            return True
        require(isinstance(event, Reward), "event", event, "be a Decision or a Reward")
        reward = event if trusted else event.checked()
        return self._rewarded(reward.id, reward.reward, reward.at)

    @alone
    def state(self) -> dict[str, Any]:
        """Return everything as plain data that JSON can hold; `restore` goes on from there.

        >>> import json
        >>> import driftbandit as db
        >>> agent = db.UCB1().agent(arms=["red", "blue"])
        >>> agent.learn("red", reward=1.0)
        >>> again = db.Agent.restore(json.loads(json.dumps(agent.state())))
        >>> again.rounds, again.choose()
        (1, 'blue')
        """
        return states.dump(self)

    @staticmethod
    def restore(state: dict[str, Any]) -> Any:
        """Return the agent whose `state` this is; every later decision is the same."""
        return states.load(state)

    def _own_state(self) -> dict[str, Any]:
        """Return what an agent was made with, and what it keeps beside the learner."""
        raise NotImplementedError

    def _load_own(self, state: dict[str, Any]) -> None:
        """Take over what an agent keeps beside the learner."""

    def _played(self, decision: Decision[Arm]) -> Any:
        """Return what the learner calls the arm of a decision, or raise."""
        raise NotImplementedError

    def _proposed(
        self, names: Sequence[Arm], choices: Any, at: Any, id: str | None, u: float | None
    ) -> Decision[Arm]:
        """Return the decision that the uniform number draws among these choices.

        Without one it comes from the generator, when nothing can be refused any more.
        """
        moment, law = self._moment(at), self._learner.law(choices)
        u = self._draw() if u is None else u
        place, probability = self._pick(u, len(names), choices, law)
        round = self._learner.rounds + 1
        id = f"{round}-{int(u * 2**53):014x}" if id is None else id_of(id)
        return Decision(id, names[place], probability, round, moment, tuple(names), u)

    def _pick(self, u: float, many: int, choices: Any, law: Sequence[float]) -> tuple[int, float]:
        """Return the place that a uniform number draws among choices, and its probability."""
        floor = self._floor
        if u < floor:
            place = min(int(u / floor * many), many - 1)
        else:
            place = self._learner.pick(self._left(u), choices, law)
        return place, (1.0 - floor) * law[place] + floor / many

    def _chances(self, names: Sequence[Arm], choices: Any) -> dict[Arm, float]:
        """Return the probability of each choice."""
        share = self._floor / len(names)
        law = [(1.0 - self._floor) * chance + share for chance in self._learner.law(choices)]
        return dict(zip(names, law, strict=True))

    def _take(self, decision: Decision[Arm]) -> None:
        """Make a decision one of this agent, or raise before anything changes."""
        played, probability = self._played(decision), decision.probability
        id, at = decision.id, self._moment(decision.at)
        require(id not in self._ledger.entries, "id", id, "be new")
        self._advance(at)
        if self._timed:
            self._learner.tick(self._now)
        u = 1.0 if decision.u < self._floor else self._left(decision.u)
        self._learner.decide(played, probability, u)
        self._ledger.add(id, Entry(self._learner.rounds, self._now))
        if not self._warned:
            self._warned = warn_of_short_memory(
                self.policy, self.reward_within, len(self._ledger.entries), 5
            )

    def _rewarded(self, id: str, reward: float, at: Any) -> bool:
        """Take in the reward of a decision; return whether it counts."""
        amount, moment = self._checked(reward), self._moment(at)
        counts = self._ledger.reward(id_of(id), amount, moment)
        self._advance(moment)
        return counts

    def _left(self, u: float) -> float:
        """Return what is left of a uniform number that did not fall below the floor."""
        return min((u - self._floor) / (1.0 - self._floor), 1.0 - 2.0**-53) if self._floor else u

    def _moment(self, at: Any) -> float:
        """Return a time as seconds; raise if it lies before all that is pending."""
        moment, within = moment_of(at), self._ledger.terms.reward_within
        if within is not None and moment < self._now - within:
            early = self._now - moment
            raise InputError(
                f"at must not run backwards by more than {within:g} s, got {early:g} s"
            )
        return moment

    def _advance(self, at: float) -> None:
        """Let time pass: decisions expire."""
        self._ledger.expire(at)
        self._now = max(self._now, at)

    def _floored(self) -> InputError:
        """Return why an agent with a floor has decisions alone, and no choices."""
        return InputError(f"floor must be 0 for choose, got {self._floor:g}: use decide and reward")

    def _checked(self, reward: float, name: str = "reward") -> float:
        """Return any kind of number, or a click, as a float, or raise."""
        if type(reward) is float and 0.0 <= reward <= self._most:
            return reward
        number = reward_as_float(reward)
        if not 0.0 <= number <= self._most:  # so that NaN is wrong too
            bound = self.policy.bound
            allowed = f"[0, {plain(bound)}]" if bound < math.inf else "[0, inf)"
            raise InputError(f"{name} must lie in {allowed}, got {shown(reward)}")
        return number

    def _uniform(self) -> float:
        """Return a uniform number of the open interval (0, 1)."""
        return self._rng.random() or 2.0**-54

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the lock, which no copy shares."""
        return {name: value for name, value in vars(self).items() if name != "_turn"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what was copied, with a lock of its own."""
        vars(self).update(state, _turn=Turn())
