"""The live agent: choose an arm now, learn when the reward comes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Unpack

from driftbandit.core.errors import InputError, flag, require, shown
from driftbandit.live.arms import arms_of, is_name, names_of, plain_name
from driftbandit.live.deciding import DecidingAgent
from driftbandit.live.decision import UNIT, Arm, Decision
from driftbandit.live.turn import alone
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.terms import AgentTerms


class Agent(DecidingAgent[Arm]):
    """One policy playing live, one step at a time, without compiled code.

    Where rewards come at once, `choose` says which arm to play and `learn` takes the reward. Where
    they come later, `decide` returns a `Decision` with an id, and `reward` takes the reward of that
    id. Rejected input changes nothing. All methods may be called from several threads: a lock lets
    one in at a time. A signal handler must not call any, since it may have interrupted one.

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
    >>> agent
    <Agent: UCB-1, 4 rounds, 1 pending>
    >>> agent.learn("green", reward=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: arm must be one of ['red', 'blue'], got 'green'
    """

    def __init__(
        self,
        policy: Strategy,
        arms: int | Sequence[Arm],
        seed: int = 0,
        **terms: Unpack[AgentTerms],
    ) -> None:
        require(isinstance(policy, Strategy), "policy", policy, "be a policy")
        self._arms: list[Arm] = arms_of(arms)
        self._position = {arm: place for place, arm in enumerate(self._arms)}
        self._put_in_play(list(range(len(self._arms))))
        super().__init__(policy, policy.learner(len(self._arms)), seed, **terms)

    @property
    def arms(self) -> list[Arm]:
        """The names of the arms in play: a new list, so that changing it changes nothing here."""
        return [self._arms[place] for place in self._active]

    def choose(self) -> Arm:
        """Return the arm to play now, where the reward comes before the next choice.

        A floor is of decisions: it is refused here, since nothing would be drawn by it.
        """
        if self._floor:
            raise self._floored()
        turn = self._turn  # what `alone` does, without the call
        while True:
            try:
                del turn.free
                break
            except AttributeError:
                turn.wait()
        try:
            if self._all_in_play:
                return self._arms[self._learner.choose(self._draw)]
            law = self._learner.law(self._active)
            return self._arms[self._active[self._learner.pick(self._draw(), self._active, law)]]
        finally:
            turn.free = True

    def learn(self, arm: Arm, reward: float, at: Any = None) -> None:
        """Take in the reward of a play of `arm`; a bad one is refused and nothing is learned."""
        try:  # what `_place` does, without the call
            place = self._position[arm]
        except Exception:
            raise self._no_such_arm(arm) from None
        if not (type(reward) is float and 0.0 <= reward <= self._most):  # else it is fine
            reward = self._checked(reward)
        turn = self._turn
        while True:
            try:
                del turn.free
                break
            except AttributeError:
                turn.wait()
        try:
            if self._timed or at is not None:
                self._now = max(self._now, self._moment(at))
                self._learner.tick(self._now)
            if self._all_in_play:
                self._learner.learn(place, reward)
            else:
                self._learner.learn_among(place, reward, self._active)
        finally:
            turn.free = True

    @alone
    def decide(self, eligible: Iterable[Arm] | None = None, at: Any = None) -> Decision[Arm]:
        """Choose one of the eligible arms, by default any, at a time, by default now."""
        names, places = self._eligible(eligible)
        decision = self._proposed(names, places, at, None, None)
        self._take(decision)
        return decision

    @alone
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
        u = random.random() if u is None else UNIT("u", u)
        names, places = self._eligible(eligible)
        return self._proposed(names, places, at, id, u)

    @alone
    def draw(
        self, u: float, eligible: Iterable[Arm] | None = None
    ) -> tuple[Arm, float, tuple[Arm, ...]]:
        """Return arm, probability and eligible arms of what `propose` returns, in less time.

        >>> import driftbandit as db
        >>> db.UCB1().agent(arms=["red", "blue"], floor=0.5).draw(0.3)
        ('blue', 0.25, ('red', 'blue'))
        """
        if not (type(u) is float and 0.0 <= u < 1.0):  # else it is fine
            u = UNIT("u", u)
        names, places = self._eligible(eligible)
        place, probability = self._pick(u, len(names), places, self._learner.law(places))
        return names[place], probability, tuple(names)

    @alone
    def eligible(self, names: Iterable[Arm] | None = None) -> list[Arm]:
        """Return arms in play in their order: these, or all; raise for any other."""
        return list(self._eligible(names)[0])

    @alone
    def probabilities(self, eligible: Iterable[Arm] | None = None) -> dict[Arm, float]:
        """Return the probability of each eligible arm: exactly what `decide` draws from."""
        return self._chances(*self._eligible(eligible))

    @alone
    def add(self, arm: Arm, fresh: bool = False) -> None:
        """Bring an arm into play: a new one, or one that was retired, with what was known of it.

        With `fresh = True` nothing is known of it.
        """
        fresh, arm = flag("fresh", fresh), plain_name(arm)
        require(is_name(arm), "arm", arm, "be a name that can be looked up")
        place = self._position.get(arm)
        require(place not in self._active, "arm", arm, "not be in play already")
        if place is None:
            self._position[arm] = place = len(self._arms)
            self._arms.append(arm)
            self._learner.add_arm()
        elif fresh:
            self._learner.forget_arm(place)
        self._put_in_play(sorted([*self._active, place]))

    @alone
    def retire(self, arm: Arm) -> None:
        """Take an arm out of play; rewards that it awaits are still learned."""
        place = self._place(arm)
        require(place in self._active, "arm", arm, f"be one of {shown(self.arms)}")
        require(len(self._active) > 1, "arm", arm, "not be the last one in play")
        self._put_in_play([each for each in self._active if each != place])

    @alone
    def explain(self) -> dict[Arm, dict[str, float | None]]:
        """Return why: per arm in play what is known of it, pending decisions and probability."""
        chances = self._chances(*self._eligible(None))
        return {
            arm: {**self._learner.knowledge(self._position[arm]), "probability": chance}
            for arm, chance in chances.items()
        }

    def _own_state(self) -> dict[str, Any]:
        return {"arms": list(self._arms), "active": list(self._active)}

    def _load_own(self, state: dict[str, Any]) -> None:
        places = state["active"]
        fits = sorted(set(places) & set(range(len(self._arms)))) == places and places
        require(fits, "active of the state", places, "be places of arms")
        self._put_in_play(places)

    def _put_in_play(self, places: list[int]) -> None:
        self._active, self._all_in_play = places, len(places) == len(self._arms)
        self._in_play = [self._arms[place] for place in places]

    def _played(self, decision: Decision[Arm]) -> int:
        return self._place(decision.arm)

    def _place(self, arm: Any) -> int:
        """Return the place of an arm that is or was in play, or raise."""
        try:
            return self._position[arm]
        except Exception:  # none, or one that cannot be looked up
            raise self._no_such_arm(arm) from None

    def _no_such_arm(self, arm: Any) -> InputError:
        return InputError(f"arm must be one of {shown(self.arms)}, got {shown(arm)}")

    def _eligible(self, eligible: Iterable[Arm] | None) -> tuple[list[Arm], list[int]]:
        """Return names and places of the eligible arms, in the order of arms, or raise."""
        if eligible is None:
            return self._in_play, self._active
        names = names_of("eligible", eligible, "be a list of arms")
        for name in names:
            place = self._position.get(name)
            # True equals 1: a mask is no list of arms whose names are numbers
            mask = place is not None and isinstance(name, bool) > isinstance(
                self._arms[place], bool
            )
            if place not in self._active or mask:
                raise InputError(f"eligible must be among {shown(self.arms)}, got {shown(name)}")
        places = sorted(self._position[name] for name in names)
        return [self._arms[place] for place in places], places
