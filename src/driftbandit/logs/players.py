"""Policies over a log: which arm they would play in each row, and which rows they learn from."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError, as_float, plain, require, shown
from driftbandit.logs.absence import Places
from driftbandit.logs.arms import NONE
from driftbandit.logs.choosing import chooser_of
from driftbandit.logs.evidence import Evidence, Piece
from driftbandit.logs.rows import Floats, Mask, places_by_arm
from driftbandit.logs.streams import generator
from driftbandit.policies import Uniform
from driftbandit.policies.strategy import Strategy

LOGGED = "as logged"
"""The label of the policy that wrote the log."""

MOST_ARMS = 100
"""Arms that are valued one by one unless policies are named: those played most."""


class Play(NamedTuple):
    """What a policy does in the rows of a piece."""

    weight: Floats
    """Its probability of the arm that was played, over the propensity."""
    accepted: Mask
    """The rows that replay keeps, as if the policy had decided in them."""
    choice: NDArray[np.int32] | None
    """The arm it would play, for a policy that learns."""
    law: Floats | None
    """Its shares, a row for each set of eligible arms and one for all arms, for a fixed policy."""
    eligible: NDArray[np.int32]
    arm: NDArray[np.int32]

    def expected(self, table: Floats, parts: Places) -> Floats:
        """Return the mean of a row of the table over what the policy plays; a column per arm."""
        if self.choice is not None:
            return table[parts, self.choice]
        if self.law is None:
            return table[parts, self.arm]
        played = self.law.any(axis=0)  # a policy that plays few of many arms asks for few means
        means = table[:, played]
        rewards = np.where(np.isnan(means), 0.0, means)  # arms never tried, which it never plays
        return np.asarray((rewards @ self.law[:, played].T)[parts, self.eligible])


class Player(Protocol):
    """A policy that goes through a log once."""

    label: str
    learns: bool

    def play(self, piece: Piece, shared: Shared) -> Play:
        """Go through the next rows."""


class Shared(NamedTuple):
    """What all policies share in a piece: which rows replay may accept, and by arm where."""

    open: Mask
    by_arm: list[list[int]]


def shared_of(piece: Piece, evidence: Evidence, rng: np.random.Generator) -> Shared:
    """Draw which rows replay may accept: with probability c/p, at most 1.

    Then every decision of a policy is accepted with the same probability c, whatever it is.
    """
    u = rng.random(len(piece.places))
    open_rows = u * piece.rows.propensity < evidence.thinning
    places = np.flatnonzero(open_rows)
    by_arm = [places[own].tolist() for own in places_by_arm(piece.rows.arm[places], evidence.arms)]
    return Shared(open_rows, by_arm)


class Logged:
    """What wrote the log."""

    label, learns = LOGGED, False

    def play(self, piece: Piece, shared: Shared) -> Play:
        """Return that it plays what was played."""
        rows = piece.rows
        return Play(np.ones(len(rows.time)), shared.open, None, None, rows.eligible, rows.arm)


class Shares:
    """A policy that plays each arm with a fixed probability; of eligible arms, in proportion.

    Where none of its arms is eligible, it plays those that are with equal shares.
    """

    learns = False

    def __init__(self, shares: Floats, label: str, evidence: Evidence, seed: int) -> None:
        self.label, self.shares = label, shares
        among = np.vstack([evidence.mask * shares, shares])  # the last row is −1: all arms
        lost = among.sum(axis=1) == 0.0
        among[:-1][lost[:-1]] = evidence.mask[lost[:-1]]
        self.law = among / among.sum(axis=1, keepdims=True)
        self._rng = generator(seed, "shares")

    def play(self, piece: Piece, shared: Shared) -> Play:
        """Return the weights of the rows."""
        rows = piece.rows
        chance = self.law[rows.eligible, rows.arm]
        accepted = shared.open & (self._rng.random(len(chance)) < chance)
        weight = chance / rows.propensity
        return Play(weight, accepted, None, self.law, rows.eligible, rows.arm)


class Held(NamedTuple):
    """The arm that a policy waits for, its probability, and the number that drew it."""

    arm: int
    probability: float = math.nan
    u: float = math.nan


class Replayed:
    """A policy that learns: from the rows of the arm that it would have played.

    It decides, and waits for the next open row of that arm, whose reward and time it learns; then
    it decides again. As every row is as likely to be open for any decision, this has the law of
    deciding anew in every row.
    """

    learns = True

    def __init__(self, policy: Strategy, evidence: Evidence, seed: int) -> None:
        self.label, self.policy = policy.label, policy
        self._learner = policy.learner(evidence.arms)
        self._learner.seed(seed)
        self._chooser = chooser_of(self._learner, evidence.size, seed)
        self._mask = evidence.mask
        self._held: dict[int, Held] = {}

    def play(self, piece: Piece, shared: Shared) -> Play:
        """Go through the next rows, and learn."""
        rows = piece.rows
        if (rows.eligible == NONE).all():
            choice, accepted = self._among_all(piece, shared)
        else:
            choice, accepted = self._among_eligible(piece, shared)
        weight = np.where(choice == rows.arm, 1.0 / rows.propensity, 0.0)
        return Play(weight, accepted, choice, None, rows.eligible, rows.arm)

    def _among_all(self, piece: Piece, shared: Shared) -> tuple[NDArray[np.int32], Mask]:
        learner, choose, by_arm = self._learner, self._chooser.choose, shared.by_arm
        rewards, times = piece.rows.reward.tolist(), piece.rows.time.tolist()
        places: list[int] = []
        choices: list[int] = []
        last, arm = -1, self._held.pop(NONE, Held(NONE)).arm
        while True:
            if arm == NONE:
                arm = choose()
            following = by_arm[arm]
            place = bisect_right(following, last)
            choices.append(arm)
            if place == len(following):
                break
            last = following[place]
            places.append(last)
            if learner.timed:
                learner.tick(times[last])
            learner.learn(arm, rewards[last])
            arm = NONE
        if places:
            self._held.clear()
        self._held[NONE] = Held(arm)
        accepted = np.zeros(len(rewards), dtype=np.bool_)
        accepted[places] = True
        spans = np.diff([-1, *places, len(rewards) - 1])
        return np.repeat(np.array(choices, dtype=np.int32), spans), accepted

    def _among_eligible(self, piece: Piece, shared: Shared) -> tuple[NDArray[np.int32], Mask]:
        rows, learner, held = piece.rows, self._learner, self._held
        choice = np.empty(len(rows.time), dtype=np.int32)
        accepted = np.zeros(len(rows.time), dtype=np.bool_)
        columns = (rows.eligible, rows.arm, rows.reward, rows.time, shared.open)
        lists = (column.tolist() for column in columns)
        for place, (eligible, arm, reward, time, is_open) in enumerate(zip(*lists, strict=True)):
            if eligible not in held:
                held[eligible] = self._choose(eligible)
            choice[place], probability, u = held[eligible]
            if is_open and choice[place] == arm:
                accepted[place] = True
                if learner.timed:
                    learner.tick(time)
                if eligible == NONE:
                    learner.learn(arm, reward)
                else:  # its probability is that among the eligible, which some learn by
                    learner.decide(arm, probability, u)
                    learner.reward(learner.rounds, reward)
                held.clear()
        return choice, accepted

    def _choose(self, eligible: int) -> Held:
        """Return what to play among those eligible."""
        if eligible == NONE:
            return Held(self._chooser.choose())
        arms = np.flatnonzero(self._mask[eligible]).tolist()
        u, law = self._chooser.draw(), self._learner.law(arms)
        place = self._learner.pick(u, arms, law)
        return Held(arms[place], law[place], u)


def players_of(policies: Any, evidence: Evidence, seed: int) -> list[Player]:
    """Return what wrote the log, and the policies; by default each arm alone, and uniform shares.

    Of very many arms, those that were played most.
    """
    listed: Sequence[Any]
    if policies is None:
        arms = evidence.most_played(MOST_ARMS)
        listed = [*({evidence.labels[arm]: 1.0} for arm in arms), Uniform()]
    elif isinstance(policies, Strategy | Mapping):
        listed = [policies]
    else:
        fits = isinstance(policies, Sequence) and not isinstance(policies, str) and len(policies)
        require(bool(fits), "policies", policies, "be a policy, shares by arm, or a list of them")
        listed = policies
    places = {label: place for place, label in enumerate(evidence.labels)}
    players: list[Player] = [Logged(), *(_player(each, evidence, seed, places) for each in listed)]
    labels = Counter(player.label for player in players)
    twice = next((label for label, number in labels.items() if number > 1), None)
    require(twice is None, "labels of policies", twice, "be different from each other")
    return players


def arms_of(player: Player, evidence: Evidence) -> list[int]:
    """Return the arms that a policy may play."""
    if isinstance(player, Shares):
        return np.flatnonzero(player.law.any(axis=0)).tolist()
    return list(range(evidence.arms))


def on_arms(policies: Any, evidence: Evidence) -> list[str]:
    """Return a note where not every arm is valued by itself, though no policies were named."""
    if policies is not None or evidence.arms <= MOST_ARMS:
        return []
    return [
        f"Of {evidence.arms:,} arms, the {MOST_ARMS} that were played most are valued one by one: "
        "name others as policies to see them."
    ]


def _player(policy: Any, evidence: Evidence, seed: int, places: Mapping[Any, int]) -> Player:
    if isinstance(policy, Mapping):
        return _shares(policy, evidence, seed, places)
    require(isinstance(policy, Strategy), "policies", policy, "be policies, or shares by arm")
    if policy.features:
        raise InputError(f"policies must play arms without features, got {policy.label}")
    if isinstance(policy, Uniform):
        equal = np.full(evidence.arms, 1.0 / evidence.arms)
        return Shares(equal, policy.label, evidence, seed)
    if policy.bound < evidence.bound:
        raise InputError(
            f"bound of {policy.label} must be at least that of the log, {plain(evidence.bound)}, "
            f"got {plain(policy.bound)}"
        )
    return Replayed(policy, evidence, seed)


def _shares(
    shares: Mapping[Any, Any], evidence: Evidence, seed: int, places: Mapping[Any, int]
) -> Player:
    """Return the fixed policy with these shares by arm; an arm that is not named has none."""
    row = np.zeros(evidence.arms)
    for label, share in shares.items():
        plain_label = label.item() if isinstance(label, np.generic) else label
        name = plain_label if isinstance(plain_label, str | int | float) else str(label)  # a date
        if name not in places:
            raise InputError(f"arm must be one of {shown(evidence.labels)}, got {shown(label)}")
        number = as_float(share)
        require(0.0 <= number <= 1.0, f"share of {label!r}", share, "lie in [0, 1]")
        row[places[name]] = number
    require(abs(row.sum() - 1.0) < 1e-9, "shares", dict(shares), "sum to 1")
    played = [label for label, share in shares.items() if share]
    if len(played) == 1:
        return Shares(row, f"always {played[0]}", evidence, seed)
    text = ", ".join(f"{label} {plain(float(share))}" for label, share in shares.items() if share)
    return Shares(row, text, evidence, seed)
