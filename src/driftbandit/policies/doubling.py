"""The doubling trick: a policy that must know the horizon, for a horizon that nobody knows."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, cast

from driftbandit.core.domain import Count, Real
from driftbandit.core.errors import InputError, require, shown
from driftbandit.core.kinds import class_of, kind_of
from driftbandit.core.numerics import floor_of
from driftbandit.policies.learner import Draw, Learner
from driftbandit.policies.presets.preset import CATALOGUE, preset_name
from driftbandit.policies.strategy import Strategy


@dataclasses.dataclass(frozen=True)
class Doubling(Strategy):
    """Play a policy in epochs of growing length, each time afresh and tuned for the epoch.

    Epoch j = 0, 1, … has ⌊first · factor^j⌋ rounds. Its policy is `base.tuned(horizon=length, …)`,
    or `base(horizon=length, …)` where there is no `tuned`; what else is `known` is handed over as
    it is. Nothing is carried from one epoch to the next.

    `base` is a named policy, kept as its name in the catalogue, or a class of policies of your own;
    `known` is a dict, kept as pairs.

    A bound c √T of the base becomes one of at most 3.42 c √T with factor 2. A bound c log T does
    not stay one, and every epoch explores anew. `DoublingDiscount` and `DoublingWindow`, the tuning
    of D-UCB and SW-UCB by `growth`, keep their memory instead.

    A base that needs no horizon is refused. The label is that of the base with ", doubling". Fails
    where starting over is expensive: just after the start of an epoch it knows nothing. The number
    of breakpoints it is told is that of one epoch, not of all rounds. In a shell:
    `doubling(base=exp3.s, known={'breakpoints': 1, 'arms': 3}, first=500)`, or
    `doubling(base=moss)`.

    Reference: Auer, Cesa-Bianchi, Freund & Schapire 2002, section 4, for EXP3; Besson & Kaufmann,
    *What doubling tricks can and can't do for multi-armed bandits*, 2018.

    >>> import driftbandit as db
    >>> policy = Doubling(db.EXP3S, {"breakpoints": 1, "arms": 3}, first=500)
    >>> [(start, round(each.exploration, 3)) for start, each in policy.epochs(horizon=3_000)]
    [(1, 0.187), (501, 0.137), (1501, 0.1)]
    >>> Doubling.from_json(policy.to_json()) == policy
    True
    """

    base: str | Callable[..., Strategy]
    known: Mapping[str, Any] | tuple[tuple[str, Any], ...] = ()
    first: Count = 100
    factor: Annotated[float, Real("(1, 100]")] = 2.0

    def validate(self) -> None:
        """Check base and knowledge by making the policy of the first epoch."""
        self._set(base=_name(self.base), known=_pairs(self.known))
        self.policy(0)
        super().validate()

    def default_label(self) -> str:
        """Return the label of the base, and that it is doubled."""
        return f"{self.policy(0).label}, doubling"

    @property
    def bound(self) -> float:
        """The bound B of the base."""
        return self.policy(0).bound

    def length(self, epoch: int) -> int:
        """Return how many rounds an epoch has, the first being epoch 0."""
        return int(floor_of(self.first * self.factor**epoch))

    def policy(self, epoch: int) -> Strategy:
        """Return the policy of an epoch."""
        maker = _maker(str(self.base))
        make = getattr(maker, "tuned", maker)
        require(maker is not Doubling, "base", self.base, "be a policy that does not double itself")
        allowed = "need a horizon: one that needs none is played as it is"
        require("horizon" in inspect.signature(make).parameters, "base", self.base, allowed)
        try:
            made = make(horizon=self.length(epoch), **dict(self.known))
        except (InputError, TypeError) as error:
            raise InputError(f"known does not fit {self.base}: {error}") from None
        fits = isinstance(made, Strategy) and not (made.features or isinstance(made, Doubling))
        allowed = "be a policy for arms, and none that doubles itself"
        require(fits, f"what {self.base} makes", made, allowed)
        return made  # type: ignore[no-any-return]  # checked above

    def epochs(self, horizon: int) -> list[tuple[int, Strategy]]:
        """Return the first rounds of the epochs up to the horizon, with their policies."""
        starts, epoch = [1], 0
        while (start := starts[-1] + self.length(epoch)) <= horizon:
            starts.append(start)
            epoch += 1
        return [(start, self.policy(epoch)) for epoch, start in enumerate(starts)]

    def learner(self, arms: int) -> DoublingLearner:
        """Return what plays this policy one step at a time."""
        return DoublingLearner(self, arms)


class DoublingLearner(Learner):
    """A learner of the base, and after the last round of an epoch another one.

    A reward whose decision belongs to an earlier epoch is not learned.
    """

    kept = ("rounds", "arms", "_epoch", "_start")

    def __init__(self, policy: Doubling, arms: int) -> None:
        self.policy, self.arms, self.rounds = policy, arms, 0
        self._epoch = self._start = self._seed = 0
        self.now: Learner = policy.policy(0).learner(arms)

    def _end_round(self) -> None:
        """Begin anew where an epoch ends."""
        self.rounds += 1
        if self.now.rounds == self.policy.length(self._epoch):
            self._epoch, self._start = self._epoch + 1, self.rounds
            self._renew()

    def _renew(self) -> None:
        """Make the learner of the epoch."""
        self.now = self.policy.policy(self._epoch).learner(self.arms)
        self.now.seed(self._seed + self._epoch)

    def choose(self, draw: Draw) -> int:
        """Choose as the base does."""
        return self.now.choose(draw)

    def learn(self, arm: int, reward: float) -> None:
        """Learn as the base does."""
        self.now.learn(arm, reward)
        self._end_round()

    def learn_among(self, arm: int, reward: float, eligible: Sequence[int]) -> None:
        """Learn as the base does."""
        self.now.learn_among(arm, reward, eligible)
        self._end_round()

    def law(self, eligible: Sequence[int]) -> list[float]:
        """Return the law of the base."""
        return self.now.law(eligible)

    def pick(self, u: float, eligible: Sequence[int], law: Sequence[float]) -> int:
        """Draw as the base does."""
        return self.now.pick(u, eligible, law)

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Begin a round of the base."""
        self.now.decide(arm, probability, u)
        self._end_round()

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward of this epoch."""
        return round > self._start and self.now.reward(round - self._start, reward)

    def forsake(self, round: int) -> None:
        """Give up on a reward of this epoch."""
        if round > self._start:
            self.now.forsake(round - self._start)

    def seed(self, number: int) -> None:
        """Seed the base, in every epoch anew."""
        self._seed = number
        self.now.seed(number + self._epoch)

    def add_arm(self) -> None:
        """Make place for one more arm."""
        self.arms += 1
        self.now.add_arm()

    def forget_arm(self, arm: int) -> None:
        """Forget an arm."""
        self.now.forget_arm(arm)

    @property
    def alarms(self) -> int:
        """What the base has found in this epoch."""
        return self.now.alarms

    @property
    def remembered(self) -> float | None:
        """What the base remembers."""
        return self.now.remembered

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return what the base knows in this epoch."""
        return self.now.knowledge(arm)

    def dump(self) -> dict[str, Any]:
        """Return the epoch, and the state of the base in it."""
        return {**super().dump(), "base": self.now.dump()}

    def load(self, state: dict[str, Any]) -> None:
        """Take over a state."""
        require("base" in state, "state", sorted(state), "have the state of the base")
        super().load({name: value for name, value in state.items() if name != "base"})
        self._renew()
        self.now.load(state["base"])


def _pairs(known: Any) -> tuple[tuple[str, Any], ...]:
    """Return parameters and their values in the order of their names."""
    try:
        named = dict(known)
    except (TypeError, ValueError):
        named = {0: known}
    except Exception as error:  # an object of a user may do anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"known cannot be gone through: {shown(reason)}") from error
    texts = all(isinstance(name, str) for name in named)
    require(texts, "known", known, "give parameters by name")
    return tuple((name, named[name]) for name in sorted(named))


def _name(base: Any) -> str:
    """Return the name under which a base is found again."""
    if isinstance(base, str):
        _maker(base)
        return base if ":" in base else preset_name("base", base)
    names = [name for name, preset in CATALOGUE.items() if preset.public is base]
    if names:
        return names[0]
    own = isinstance(base, type) and issubclass(base, Strategy)
    require(own, "base", base, "be a named policy, its name, or a class of policies")
    return kind_of(base)


def _maker(name: str) -> Callable[..., Any]:
    """Return the preset or the class of this name."""
    maker: Any = class_of(name, Strategy)
    if ":" not in name:
        maker = CATALOGUE[preset_name("base", name)].public
    allowed = "name a policy, or a class of policies that is defined here, as module:Class"
    require(maker is not None, "base", name, allowed)
    return cast(Callable[..., Any], maker)
