"""The live agent: choose an arm now, learn when the reward comes."""

from __future__ import annotations

import math
import random
import sys
import threading
from collections.abc import Iterable, Sequence
from typing import Any, Generic

from driftbandit.core.domain import Real
from driftbandit.core.duration import moment_of
from driftbandit.core.errors import InputError, plain, require, reward_as_float, shown, whole
from driftbandit.live import state as states
from driftbandit.live.arms import labels_of
from driftbandit.live.decision import Arm, Decision, Reward, id_of
from driftbandit.live.ledger import Entry, Ledger, Terms
from driftbandit.live.memory import warn_of_short_memory
from driftbandit.policies.learner import Learner
from driftbandit.policies.strategy import Strategy

SHARE, UNIT = Real("[0, 1]"), Real("[0, 1)")


class Agent(Generic[Arm]):
    """One policy playing live, one step at a time, without compiled code.

    Where rewards come at once, `choose` says which arm to play and `learn` takes the reward. Where
    they come later, `decide` returns a `Decision` with an id, and `reward` takes the reward of that
    id. Rejected input changes nothing. All methods may be called from several threads: a lock lets
    one in at a time.

    - `floor` is the share of decisions drawn uniformly from the eligible arms: decision.probability
      is (1 − floor) π + floor/m, π being the policy's own law over the m eligible arms.
    - `reward_within` is how long a reward may take: seconds, a `timedelta`, or a text such as "1h".
      A decision that has none by then gets `default_reward`, or is forgotten if that is None.
      Without `reward_within`, at most `most_pending` decisions are awaited; the oldest goes first.
    - `combine` says what several rewards of one decision make: the "first" is learned at once, and
      later ones are as `duplicates` says, "ignore" or "refuse"; the "last" one or the "sum" is
      learned when `reward_within` is over.

    >>> import driftbandit as db
    >>> agent = db.UCB1().agent(arms=["red", "blue"])
    >>> agent.learn(agent.choose(), reward=0.0)
    >>> agent.learn("blue", reward=1.0)
    >>> agent.choose(), agent.rounds
    ('blue', 2)
    >>> first, second = agent.decide(), agent.decide()
    >>> agent.reward(second.id, 1.0)
    True
    >>> agent.pending
    1
    >>> agent.learn("green", reward=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: arm must be one of ['red', 'blue'], got 'green'
    """

    def __init__(
        self,
        policy: Strategy,
        arms: int | Sequence[Arm],
        seed: int = 0,
        *,
        floor: float = 0.0,
        reward_within: Any = None,
        default_reward: float | None = None,
        combine: str = "first",
        duplicates: str = "ignore",
        most_pending: int = 10_000,
    ) -> None:
        require(isinstance(policy, Strategy), "policy", policy, "be a policy")
        self.policy = policy
        self._arms: list[Arm] = labels_of(arms)
        self._position = {arm: place for place, arm in enumerate(self._arms)}
        self._active = list(range(len(self._arms)))
        self._most = min(policy.bound, sys.float_info.max)
        self._floor = float(SHARE("floor", floor))
        default = None if default_reward is None else self._checked(default_reward)
        terms = Terms.checked(reward_within, default, combine, duplicates, most_pending)
        number = whole("seed", seed, least=0, most=None)
        self._rng = random.Random(number)
        self._learner: Learner = policy.learner(len(self._arms))
        self._learner.seed(number)
        self._ledger = Ledger(terms, self._learner, self._most)
        self._now, self._warned = -math.inf, False
        self._lock = threading.RLock()

    @property
    def arms(self) -> list[Arm]:
        """The names of the arms in play: a new list, so that changing it changes nothing here."""
        return [self._arms[place] for place in self._active]

    @property
    def rounds(self) -> int:
        """How many rounds have been played: decisions, and rewards learned without one."""
        return self._learner.rounds

    @property
    def pending(self) -> int:
        """How many decisions await their reward."""
        return sum(not entry.learned for entry in self._ledger.entries.values())

    @property
    def reward_within(self) -> float | None:
        """For how many seconds a decision may get its reward; None for any time."""
        return self._ledger.terms.reward_within

    def choose(self) -> Arm:
        """Return the arm to play now, where the reward comes before the next choice."""
        with self._lock:
            if len(self._active) < len(self._arms):
                law = self._learner.law(self._active)
                return self._arms[self._learner.pick(self._draw(), self._active, law)]
            return self._arms[self._learner.choose(self._draw)]

    def learn(self, arm: Arm, reward: float, at: Any = None) -> None:
        """Take in the reward of a play of `arm`; a bad one is refused and nothing is learned."""
        try:
            place = self._position[arm]
        except (KeyError, TypeError):
            raise self._no_such_arm(arm) from None
        if not (type(reward) is float and 0.0 <= reward <= self._most):  # else it is fine
            reward = self._checked(reward)
        with self._lock:
            if self._learner.timed:
                self._now = max(self._now, moment_of(at))
                self._learner.tick(self._now)
            self._learner.learn(place, reward)

    def decide(self, eligible: Iterable[Arm] | None = None, at: Any = None) -> Decision[Arm]:
        """Choose one of the eligible arms, by default any, at a time, by default now."""
        with self._lock:
            decision = self._proposed(eligible, at, None, self._draw())
            self._take(decision)
            return decision

    def reward(self, id: str, reward: float, at: Any = None) -> bool:
        """Take in the reward of a decision; return whether it counts: a duplicate does not."""
        return self._paid(id, reward, at)

    def propose(
        self,
        eligible: Iterable[Arm] | None = None,
        at: Any = None,
        id: str | None = None,
        u: float | None = None,
    ) -> Decision[Arm]:
        """Return the decision that the uniform number `u` draws; nothing changes.

        `apply` makes it one of this agent, or of another one that has seen the same events.
        """
        with self._lock:
            u = random.random() if u is None else float(UNIT("u", u))
            return self._proposed(eligible, at, id, u)

    def _proposed(
        self, eligible: Iterable[Arm] | None, at: Any, id: str | None, u: float
    ) -> Decision[Arm]:
        """Return what `propose` does; the uniform number is known to be one."""
        places, moment, floor = self._places(eligible), self._moment(at), self._floor
        law = self._learner.law(places)
        if u < floor:
            place = places[min(int(u / floor * len(places)), len(places) - 1)]
        else:
            place = self._learner.pick(self._left(u), places, law)
        probability = (1.0 - floor) * law[places.index(place)] + floor / len(places)
        round = self._learner.rounds + 1
        id = f"{round}-{int(u * 2**53):014x}" if id is None else id_of(id)
        names = tuple([self._arms[each] for each in places])
        return Decision(id, self._arms[place], probability, round, moment, names, u)

    def apply(self, event: Decision[Arm] | Reward) -> bool:
        """Take in a decision or a reward made elsewhere; return whether it changed anything."""
        with self._lock:
            if isinstance(event, Decision):
                self._take(event)
                return True
            require(isinstance(event, Reward), "event", event, "be a Decision or a Reward")
            return self._paid(event.id, event.reward, event.at)

    def _paid(self, id: str, reward: float, at: Any) -> bool:
        """Take in a reward, or raise before anything changes; return whether it counts."""
        with self._lock:
            amount, moment = self._checked(reward), self._moment(at)
            counts = self._ledger.reward(id_of(id), amount, moment)
            self._advance(moment)
            return counts

    def forsake(self, id: str) -> None:
        """Give up on the reward of a decision: nothing is learned, and none is awaited."""
        with self._lock:
            self._ledger.forsake(id_of(id))

    def probabilities(self, eligible: Iterable[Arm] | None = None) -> dict[Arm, float]:
        """Return the probability of each eligible arm: exactly what `decide` draws from."""
        with self._lock:
            places = self._places(eligible)
            law, share = self._learner.law(places), self._floor / len(places)
            chances = [(1.0 - self._floor) * chance + share for chance in law]
            return {self._arms[place]: p for place, p in zip(places, chances, strict=True)}

    def add(self, arm: Arm, fresh: bool = False) -> None:
        """Bring an arm into play: a new one, or one that was retired, with what was known of it.

        With `fresh = True` nothing is known of it.
        """
        with self._lock:
            labels_of([arm])
            place = self._position.get(arm)
            require(place not in self._active, "arm", arm, "not be in play already")
            if place is None:
                self._position[arm] = place = len(self._arms)
                self._arms.append(arm)
                self._learner.add_arm()
            elif fresh:
                self._learner.forget_arm(place)
            self._active = sorted([*self._active, place])

    def retire(self, arm: Arm) -> None:
        """Take an arm out of play; rewards that it awaits are still learned."""
        with self._lock:
            place = self._places([arm])[0]
            require(len(self._active) > 1, "arm", arm, "not be the last one in play")
            self._active.remove(place)

    def explain(self) -> dict[Arm, dict[str, float | None]]:
        """Return why: per arm in play what is known of it, pending decisions and probability."""
        with self._lock:
            chances = self.probabilities()
            return {
                arm: {**self._learner.knowledge(self._position[arm]), "probability": chance}
                for arm, chance in chances.items()
            }

    def state(self) -> dict[str, Any]:
        """Return everything as plain data that JSON can hold; `Agent.restore` goes on from there.

        >>> import json
        >>> import driftbandit as db
        >>> agent = db.UCB1().agent(arms=["red", "blue"])
        >>> agent.learn("red", reward=1.0)
        >>> again = db.Agent.restore(json.loads(json.dumps(agent.state())))
        >>> again.rounds, again.choose()
        (1, 'blue')
        """
        with self._lock:
            return states.dump(self)

    @staticmethod
    def restore(state: dict[str, Any]) -> Agent[Any]:
        """Return the agent whose `state` this is; every later decision is the same."""
        return states.load(Agent, state)

    def _take(self, decision: Decision[Arm]) -> None:
        """Make a decision one of this agent, or raise before anything changes."""
        place = self._position.get(decision.arm)
        if place is None:
            raise self._no_such_arm(decision.arm)
        id, at = id_of(decision.id), self._moment(decision.at)
        require(id not in self._ledger.entries, "id", id, "be new")
        probability = decision.probability
        require(0.0 < probability <= 1.0, "probability", probability, "lie in (0, 1]")
        self._advance(at)
        self._learner.tick(self._now)
        u = 1.0 if decision.u < self._floor else self._left(decision.u)
        self._learner.decide(place, probability, u)
        self._ledger.add(id, Entry(place, self._learner.rounds, self._now))
        if not self._warned:
            self._warned = warn_of_short_memory(
                self.policy, self.reward_within, len(self._ledger.entries), 5
            )

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

    def _places(self, eligible: Iterable[Arm] | None) -> list[int]:
        """Return the places of the eligible arms, in the order of arms, or raise."""
        if eligible is None:
            return self._active
        names = labels_of(eligible)
        for name in names:
            if self._position.get(name) not in self._active:
                raise self._no_such_arm(name, "eligible must be among")
        return sorted(self._position[name] for name in names)

    def _no_such_arm(self, arm: Any, must: str = "arm must be one of") -> InputError:
        return InputError(f"{must} {shown(self.arms)}, got {shown(arm)}")

    def _checked(self, reward: float) -> float:
        """Return any kind of number, or a click, as a float, or raise."""
        if type(reward) is float and 0.0 <= reward <= self._most:
            return reward
        number = reward_as_float(reward)
        if not 0.0 <= number <= self._most:  # so that NaN is wrong too
            bound = self.policy.bound
            allowed = f"[0, {plain(bound)}]" if bound < math.inf else "[0, inf)"
            raise InputError(f"reward must lie in {allowed}, got {shown(reward)}")
        return number

    def _draw(self) -> float:
        """Return a uniform number of the open interval (0, 1)."""
        return self._rng.random() or 2.0**-54

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the lock, which no copy shares."""
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what was copied, with a lock of its own."""
        vars(self).update(state, _lock=threading.RLock())
