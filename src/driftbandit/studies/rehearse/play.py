"""One run of a rehearsal: live agents meet the traffic of a run."""

from __future__ import annotations

import dataclasses
import warnings
from collections import deque

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import UnknownDecisionError
from driftbandit.engine.job import Job
from driftbandit.engine.player import Piece
from driftbandit.environments import World
from driftbandit.live.agent import Agent
from driftbandit.live.decision import Decision
from driftbandit.live.memory import ShortMemoryWarning
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.terms import AgentTerms
from driftbandit.studies.rehearse.conditions import Conditions
from driftbandit.studies.rehearse.servers import Event, Servers
from driftbandit.studies.rehearse.traffic import Traffic, traffic_of

Array = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Play:
    """A rehearsal to be played: the comparison, the conditions, and the terms of the agents."""

    job: Job
    world: World
    conditions: Conditions
    terms: AgentTerms


@dataclasses.dataclass(frozen=True)
class Run:
    """What a run brings, whoever plays."""

    means: Array
    in_play: NDArray[np.bool_] | None
    luck: list[float]
    draws: list[float]
    traffic: Traffic
    seed: int


def play_run(play: Play, number: int) -> list[Piece]:
    """Play one run with every policy."""
    job, seed = play.job, play.job.seed
    means = play.world.realise(job.horizon, seed, number).mean_rewards(1, job.horizon)
    run = Run(
        means,
        play.conditions.in_play(job.horizon, job.world.arms),
        random.uniform_list(seed, random.REWARDS, number, job.horizon),
        random.uniform_list(seed, random.POLICY, number, job.horizon),
        traffic_of(play.conditions, job.horizon, play.world.seconds_per_round, seed, number),
        seed * 2**64 + number,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShortMemoryWarning)  # `rehearse` has warned once
        return [_piece(job, run, _arms_played(play, policy, run)) for policy in job.policies]


def _arms_played(play: Play, policy: Strategy, run: Run) -> list[int]:
    """Let the agents of a policy decide; return the arms."""
    world, conditions = play.world, play.conditions
    agents = [policy.agent(world.arms, run.seed, **play.terms) for _ in range(conditions.servers)]
    servers, changes = Servers(agents, conditions.behind), _changes(run.in_play)
    quantile, numbers, bound = world.law.quantile, world.law.parameters(), world.bound
    made: list[Decision[int]] = []
    coming = deque(run.traffic.deliveries)
    for place, (at, u) in enumerate(zip(run.traffic.times, run.draws, strict=True)):
        while coming and coming[0].before <= place:
            _, moment, of = coming.popleft()
            mean = run.means[of, made[of].arm] / bound
            reward = bound * float(quantile(run.luck[of], mean, numbers))
            servers.tell(_paid(made[of].id, reward, moment))
        for event in changes.get(place, ()):
            servers.tell(event)
        made.append(servers.decide(at, u))
    return [decision.arm for decision in made]


def _paid(id: str, reward: float, at: float) -> Event:
    """Return the event of a reward; one that is over is refused, as in production."""

    def pay(agent: Agent[int]) -> None:
        try:
            agent.reward(id, reward, at)
        except UnknownDecisionError:
            return

    return pay


def _changes(in_play: NDArray[np.bool_] | None) -> dict[int, list[Event]]:
    """Return the arms that come and go, by the place of the decision before which they do."""
    if in_play is None:
        return {}
    before = np.vstack([np.ones(in_play.shape[1], dtype=np.bool_), in_play[:-1]])
    changes: dict[int, list[Event]] = {}
    for comes in (True, False):  # so that one is always left
        rows, arms = np.nonzero((in_play != before) & (in_play == comes))
        for place, arm in zip(rows.tolist(), arms.tolist(), strict=True):
            changes.setdefault(place, []).append(_added(arm) if comes else _retired(arm))
    return changes


def _added(arm: int) -> Event:
    return lambda agent: agent.add(arm)


def _retired(arm: int) -> Event:
    return lambda agent: agent.retire(arm)


def _piece(job: Job, run: Run, played: list[int]) -> Piece:
    """Return what was done, as the engine does; the best arm is one in play."""
    arms, last = np.array(played), np.array(job.marks) - 1
    means = run.means if run.in_play is None else np.where(run.in_play, run.means, -np.inf)
    gaps = means.max(axis=1) - run.means[np.arange(job.horizon), arms]
    plays = [arms == arm for arm in range(job.world.arms)]
    totals = np.column_stack([np.cumsum(each)[last] for each in plays]).astype(np.float64)
    return Piece(
        regret=np.cumsum(gaps)[last][None, :],
        suboptimal_plays=np.array([[float((each & (gaps > 0.0)).sum()) for each in plays]]),
        plays=np.array([[float(each.sum()) for each in plays]]),
        play_totals=totals,
        play_squares=totals**2,
        arms=arms[:, None],
    )
