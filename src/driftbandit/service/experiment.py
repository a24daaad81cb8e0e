"""One experiment: configuration, agent and settlements, as its events make them."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import math
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from driftbandit.core.errors import InputError, require, shown
from driftbandit.live.agent import Agent
from driftbandit.live.decision import Decision, Reward
from driftbandit.live.state import sealed
from driftbandit.policies import CATALOGUE, Strategy
from driftbandit.policies.presets.preset import preset_name
from driftbandit.service import events, guards
from driftbandit.service.contrast import Contrast
from driftbandit.service.events import Config, Status
from driftbandit.service.ledger import Ledger, Pending
from driftbandit.service.watch import Watch


@functools.lru_cache(1_024)  # a decision is drawn, and soon folded
def uniform(secret: bytes, id: str) -> float:
    """Return the number of [0, 1) that draws a decision: a hash of its id under the secret.

    Not from a generator: workers at the same position would draw the same number.

    >>> uniform(b"secret", "a") == uniform(b"secret", "a") != uniform(b"secret", "b")
    True
    """
    digest = hashlib.blake2b(id.encode(), key=secret, digest_size=8).digest()
    return float(int.from_bytes(digest) >> 11) * 2.0**-53


def policy_of(spec: dict[str, Any]) -> Strategy:
    """Return the policy of validated JSON: as `to_json` writes it, or a name and parameters.

    >>> policy_of({"name": "sw-ucb", "window": 500}).label
    'SW-UCB'
    """
    try:
        policy = Strategy.from_json(json.dumps(spec)) if "kind" in spec else _named(spec)
        require(not policy.features, "policy", policy.label, "choose among arms without features")
        policy.learner(2)  # raises for one that cannot play live
    except InputError as error:
        raise InputError(f"policy: {error}") from None
    return policy


def _named(spec: dict[str, Any]) -> Strategy:
    """Return a policy of the catalogue."""
    shell = preset_name("name", spec.get("name", ""))
    parameters = {key: value for key, value in spec.items() if key != "name"}
    maker = CATALOGUE[shell]
    try:
        policy: Strategy = maker(**parameters)
    except TypeError as error:
        own = inspect.signature(maker).parameters.values()
        allowed = ", ".join(str(each.replace(annotation=each.empty)) for each in own)
        reason = str(error).rpartition("() ")[2]
        raise InputError(f"{shell} has the parameters {allowed}: {shown(reason)}") from None
    return policy


def checked(config: Config, arms: Sequence[str], known: Sequence[str] = ()) -> Config:
    """Return a configuration with its policy in full, or raise `InputError`.

    `arms` are those in play, and `known` all that there were.
    """
    policy = policy_of(config.policy)
    guards.check(config, arms, known or arms)
    default = config.default_reward or 0.0
    require(default <= policy.bound, "default_reward", default, f"be at most {policy.bound:g}")
    Agent(policy, arms, floor=config.floor).probabilities()  # raises for a policy without a law
    return msgspec.structs.replace(config, policy=json.loads(policy.to_json()))


class Experiment:
    """The state of one experiment: a pure function of its events.

    Nothing here fails on an event that a store has accepted: what is checked, is checked before.
    """

    def __init__(self, name: str, position: int, at: float, event: events.Created) -> None:
        self.name, self.config, self.secret = name, event.config, bytes.fromhex(event.secret)
        self.status: Status = "running"
        self.reason = ""  # why it has paused, if nobody asked for it
        self.created_at, self.version = at, position
        self.decisions = self.rewards = 0
        self.arms = list(event.arms)
        self.watch = Watch(self.arms)
        self.ledger = Ledger()
        self._play(self._fresh())

    def _play(self, agent: Agent[str]) -> None:
        """Let an agent play from now on; `most` is its largest reward."""
        self.agent, self.most = agent, min(agent.policy.bound, sys.float_info.max)

    def _fresh(self) -> Agent[str]:
        """Return an agent that knows nothing; whose decision ends when is the ledger's matter."""
        policy = policy_of(self.config.policy)
        seed = int.from_bytes(self.secret[:8])
        return Agent(policy, self.arms, seed, floor=self.config.floor, most_pending=2**53)

    def draw(
        self, id: str, eligible: Sequence[str] | None, position: int, deferred: bool = False
    ) -> events.Decided:
        """Return the decision that this state makes; nothing changes."""
        u = uniform(self.secret, id)
        arm, probability, by, names = guards.draw(
            self.agent, self.config, eligible, u, lambda: uniform(self.secret, f"{id} again")
        )
        return events.Decided(id, arm, probability, position, names, deferred, by)

    def law(self, eligible: Sequence[str] | None = None) -> dict[str, float]:
        """Return the probability of each eligible arm: what `draw` draws from."""
        return guards.law(self.agent, self.config, eligible)

    def check_reward(self, reward: float) -> None:
        """Raise unless a reward lies within the bound of the policy."""
        allowed = f"[0, {self.most:g}]" if self.most < sys.float_info.max else "[0, inf)"
        fits = math.isfinite(reward) and 0.0 <= reward <= self.most
        require(fits, "reward", reward, f"lie in {allowed}")

    def apply(self, position: int, at: float, event: events.AnyEvent) -> None:
        """Take in the next event of this experiment."""
        if isinstance(event, events.BARRIERS):
            self.version = position
        match event:
            case events.Decided():
                self._decided(at, event)
            case events.Rewarded(id, reward):
                self.rewards += 1
                self.watch.rewarded()
                if self.ledger.add(id, reward, self.config.combine, self.most):
                    self._settle(id, position, at)
            case events.Closed(id):
                self._settle(id, position, at)
            case events.Activated(id):
                self._show(id, self.ledger.pending[id], at)
            case events.Changed(config):
                self._change(config)
            case events.Turned(status, reason):
                self.status, self.reason = status, reason
                self.watch.rewarded()  # silence counts from here
            case events.ArmAdded(arm, fresh):
                self.agent.add(arm, fresh)
                self.watch.added(arm)
                if arm not in self.arms:
                    self.arms.append(arm)
            case events.ArmRetired(arm):
                self.agent.retire(arm)
            case _:  # a late reward stays in the log alone
                pass

    def _decided(self, at: float, event: events.Decided) -> None:
        self.decisions += 1
        due = at + self.config.reward_within
        pending = Pending(event.arm, event.probability, at, due, not event.deferred)
        holdout = self.config.holdout
        if event.by == "policy":
            pending.u = guards.left(uniform(self.secret, event.id), holdout)
        else:
            pending.u = guards.LAST
        if holdout and event.by != "kill switch":
            self.watch.contrast.begin(event.id, holdout, event.by == "holdout")
        self.ledger.await_reward(event.id, pending)
        if not event.deferred:
            self._show(event.id, pending, at)

    def _show(self, id: str, pending: Pending, at: float) -> None:
        """Make a decision one of the agent."""
        decision = Decision(id, pending.arm, pending.probability, 1, at, (), pending.u)
        self.agent.apply(decision, trusted=True)
        pending.shown = pending.known = True
        pending.counted = at
        self.watch.decided(at, pending.arm, self.agent)

    def _settle(self, id: str, position: int, at: float) -> None:
        """End a decision: learn its reward, or the default, or give up."""
        pending = self.ledger.settle(id)
        reward = self.config.default_reward if pending.reward is None else pending.reward
        self.watch.settled(id, pending, reward)
        if not pending.known:
            return
        if reward is None:
            self.agent.forsake(id)
            return
        alarms = self.agent.alarms
        self.agent.apply(Reward(id, reward, at), trusted=True)
        if self.agent.alarms > alarms:
            self.watch.changed(position, at, pending.arm)

    def _change(self, config: Config) -> None:
        """Take over a configuration; another policy begins with nothing."""
        before, self.config = self.config, config
        self.watch.rewarded()
        self.watch.contrast = Contrast()
        if config.policy != before.policy:
            retired = set(self.arms) - set(self.agent.arms)
            self._play(self._fresh())
            for arm in retired:
                self.agent.retire(arm)
            for pending in self.ledger.pending.values():
                pending.known = False
        elif config.floor != before.floor:
            self._play(Agent.restore(sealed({**self.agent.state(), "floor": config.floor})))

    def state(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "config": msgspec.to_builtins(self.config),
            "secret": self.secret.hex(),
            "status": self.status,
            "reason": self.reason,
            "created_at": self.created_at,
            "version": self.version,
            "decisions": self.decisions,
            "rewards": self.rewards,
            "arms": self.arms,
            "agent": self.agent.state(),
            "pending": self.ledger.dump(),
            "watch": self.watch.state(),
        }

    @classmethod
    def restore(cls, name: str, state: dict[str, Any]) -> Experiment:
        """Return the experiment whose `state` this is."""
        self = cls.__new__(cls)
        self.name, self.config = name, msgspec.convert(state["config"], Config)
        self.secret, self.status = bytes.fromhex(state["secret"]), state["status"]
        self.reason = state["reason"]
        self.created_at, self.version = state["created_at"], state["version"]
        self.decisions, self.rewards = state["decisions"], state["rewards"]
        self.arms = list(state["arms"])
        self._play(Agent.restore(state["agent"]))
        self.ledger = Ledger.load(state["pending"])
        self.watch = Watch.restore(state["watch"])
        return self
