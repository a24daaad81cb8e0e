"""Checks that any policy must pass, shipped so that your own can be tested with them.

    import driftbandit as db
    db.checks.check_policy(my_policy)

Each check is a function of a policy that raises `AssertionError` with a sentence; `CHECKS` lists
them, so that a test can run them one by one.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import pickle
from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import InputError, require
from driftbandit.engine import simulate, trace
from driftbandit.environments import Brownian, Table, laws
from driftbandit.linear import Fixed, GaussianNoise, LinearPolicy, PiecewiseLinear
from driftbandit.policies import Oracle, Policy, Procedure, Strategy

ARMS, ROUNDS = 3, 200

Array = NDArray[np.float64]


Check = Callable[[Strategy], None]


def _of_policy(check: Check) -> Check:
    """Let a check refuse what is no policy, in one line."""

    @functools.wraps(check)
    def checked(policy: Strategy) -> None:
        require(isinstance(policy, Strategy), "policy", policy, "be a policy")
        check(policy)

    return checked


def _ensure(condition: object, failure: str) -> None:
    """Raise `AssertionError` unless the condition holds; `assert` would do nothing under `-O`."""
    if not condition:
        raise AssertionError(failure)


@_of_policy
def check_policy(policy: Strategy) -> None:
    """Run every check on `policy`; the first that fails raises `AssertionError`.

    >>> import driftbandit as db
    >>> check_policy(db.SlidingWindowUCB(window=50))
    """
    for check in CHECKS:
        check(policy)


@_of_policy
def check_plays(policy: Strategy) -> None:
    """It plays live, in plain Python, where a mistake in a rule is an error and not a crash."""
    if not _live(policy):
        return
    live, draw = policy.learner(ARMS), Random(1).random
    for t, row in enumerate(_rewards(_bound(policy)), start=1):
        try:
            arm = live.choose(draw)
            live.learn(arm, float(row[arm]))
        except Exception as error:
            raise AssertionError(f"round {t} fails: {type(error).__name__}: {error}") from error


@_of_policy
def check_choosing_changes_nothing(policy: Strategy) -> None:
    """The `choose` of a procedure leaves the state as it was: an agent may choose twice."""
    if not isinstance(policy, Procedure):
        return
    live, draw = policy.learner(ARMS), Random(1).random
    for t, row in enumerate(_rewards(_bound(policy)), start=1):
        before = copy.deepcopy(live.state)
        arm = live.choose(draw)
        _ensure(live.state == before, f"round {t}: choose changes the state, only learn may")
        live.learn(arm, float(row[arm]))


@_of_policy
def check_value(policy: Strategy) -> None:
    """A policy is a value: it compares, hashes, pickles and survives JSON."""
    _ensure(policy == policy.replace(), "a copy must be equal")
    _ensure(hash(policy) == hash(policy.replace()), "equal policies must have equal hashes")
    try:
        pickled = pickle.loads(pickle.dumps(policy))
        again = type(policy).from_json(policy.to_json())
    except Exception as error:
        raise AssertionError(f"it must survive pickling and JSON, but {error}") from error
    _ensure(pickled == policy, "it must survive pickling")
    _ensure(again == policy, "it must survive JSON")
    _ensure(policy.label, "it must have a label")


@_of_policy
def check_same_seed_same_bits(policy: Strategy) -> None:
    """A simulation is a function of its seed, whatever the number of threads."""
    world = _world(policy)
    one, two = (
        simulate(policy, world, horizon=ROUNDS, runs=300, seed=7, workers=workers)[policy.label]
        for workers in (1, 2)
    )
    _ensure(np.array_equal(one.regret, two.regret), "threads must not change the regret")
    _ensure(np.array_equal(one.plays, two.plays), "threads must not change the plays")


@_of_policy
def check_counts(policy: Strategy) -> None:
    """Every round plays exactly one arm, and regret is what those plays cost."""
    world = _world(policy)
    outcome = simulate(policy, world, horizon=ROUNDS, runs=20)[policy.label]
    _ensure(np.all(outcome.plays.sum(axis=1) == ROUNDS), "plays must add up to the horizon")
    for run, arms in enumerate(trace(policy, world, horizon=ROUNDS, runs=20).T):
        means = _means(world, run)
        cost = np.sum(means.max(axis=1) - means[np.arange(ROUNDS), arms])
        _ensure(np.allclose(outcome.final_regret[run], cost), "regret must be what the plays cost")


@_of_policy
def check_live_is_compiled(policy: Strategy) -> None:
    """The live agent takes the decisions of the compiled engine, given the same draws."""
    if not _live(policy):
        return
    rewards = _rewards(_bound(policy))
    compiled = _compiled(policy, rewards)
    stream = random.streams(0, random.POLICY, 0, 1)[:, 0].copy()
    live = policy.learner(ARMS)
    for t, (row, expected) in enumerate(zip(rewards, compiled, strict=True), start=1):
        draws = iter(_draws(policy.epochs(t)[-1][1], stream))
        arm = live.choose(lambda draws=draws: next(draws))  # type: ignore[misc]  # used at once
        _ensure(arm == expected, f"round {t}: live plays {arm}, compiled plays {expected}")
        live.learn(arm, float(row[arm]))


@_of_policy
def check_linear_live_is_compiled(policy: Strategy) -> None:
    """So does that of a linear policy; it refuses bad features, and learns nothing from them."""
    if not isinstance(policy, LinearPolicy):
        return
    world, agent = _linear_world(policy), policy.agent(dimension=2)
    rows, means = np.array(world.actions.rows), _means(world, 0)[0]
    stream = random.streams(0, random.REWARDS, 0, 1)[:, 0].copy()
    for t, expected in enumerate(trace(policy, world, horizon=ROUNDS)[:, 0], start=1):
        row = agent.choose(rows)
        _ensure(row == expected, f"round {t}: live plays {row}, compiled plays {expected}")
        with np.errstate(over="ignore"):  # the stream's words wrap around on purpose
            agent.learn(rows[row], world.law.reward(random.uniform(stream), means[row]))
    for features in ([0.1], [0.1, float("nan")], rows):
        before = pickle.dumps(agent)
        try:
            agent.learn(features, 1.0)
        except InputError:
            _ensure(pickle.dumps(agent) == before, f"learned from {features}")
        else:
            raise AssertionError(f"accepted the features {features!r}")


@_of_policy
def check_every_arm_first(policy: Strategy) -> None:
    """An index policy plays every arm once before it judges, unless it has a prior."""
    if isinstance(policy, Policy) and not policy.explore.prior:
        first = _compiled(policy, _rewards(_bound(policy)))[:ARMS]
        _ensure(first == list(range(ARMS)), f"the first rounds must play every arm, got {first}")


@_of_policy
def check_names_do_not_matter(policy: Strategy) -> None:
    """Without noise or ties, permuted arms are played in permuted order."""
    if not isinstance(policy, Policy) or policy.explore.noise:
        return
    order = [2, 0, 1]
    plain, permuted = policy.learner(ARMS), policy.learner(ARMS)
    for t, row in enumerate(_rewards(_bound(policy)), start=1):
        image = permuted.choose(lambda: 0.5)
        second, first = sorted(plain.indices(lambda: 0.5))[-2:]
        free = plain.forced(lambda: 0.5) < 0
        if free and first > second:  # else the arm is told by name, or a tie is settled by it
            arm = plain.choose(lambda: 0.5)
            _ensure(arm == order[image], f"round {t}: {arm} and {order[image]} differ by name only")
        plain.learn(order[image], float(row[order[image]]))
        permuted.learn(image, float(row[order[image]]))


@_of_policy
def check_bad_input_changes_nothing(policy: Strategy) -> None:
    """A live agent refuses bad rewards and unknown arms, and learns nothing from them."""
    if not _live(policy):
        return
    agent = policy.agent(arms=ARMS)
    arm = agent.choose()
    bad = [(arm, float("nan")), (arm, float("inf")), (arm, -0.1), (arm, "1"), (ARMS, 0.5)]
    bad += [(arm, 2.0 * policy.bound)] if np.isfinite(policy.bound) else []
    for name, reward in bad:
        before = pickle.dumps(agent)
        try:
            agent.learn(name, reward)  # type: ignore[arg-type]  # that is the point
        except InputError:
            _ensure(pickle.dumps(agent) == before, f"learned from {(name, reward)}")
        else:
            raise AssertionError(f"accepted arm {name!r} with reward {reward!r}")


CHECKS: list[Callable[[Strategy], None]] = [
    check_plays,
    check_choosing_changes_nothing,
    check_value,
    check_same_seed_same_bits,
    check_counts,
    check_live_is_compiled,
    check_linear_live_is_compiled,
    check_every_arm_first,
    check_names_do_not_matter,
    check_bad_input_changes_nothing,
]


def _live(policy: Strategy) -> bool:
    """Say whether the policy can play arms outside a simulation."""
    return not isinstance(policy, Oracle | LinearPolicy)


def _bound(policy: Strategy) -> float:
    return min(policy.bound, 1.0)


def _world(policy: Strategy) -> Brownian | _StillWorld:
    """Rewards that differ from run to run, of the law of the tables: one compiled loop does."""
    if isinstance(policy, LinearPolicy):
        return _linear_world(policy)
    bound = _bound(policy)
    return Brownian(arms=ARMS, sigma=0.1 * bound, law=laws.Exact(), bound=bound)


@dataclasses.dataclass(frozen=True)
class _StillWorld(PiecewiseLinear):
    """A linear world with actions that stay the same."""

    actions: Fixed = dataclasses.field(kw_only=True)


def _linear_world(policy: LinearPolicy) -> _StillWorld:
    rows = min(policy.length, 1.0) * np.array([[0.6, 0.8], [0.9, 0.1], [-0.3, 0.7], [0.5, -0.5]])
    return _StillWorld((), ((0.7, -0.2),), actions=Fixed(rows), law=GaussianNoise(0.5))


def _means(world: Brownian | _StillWorld, run: int) -> Array:
    """Return the means of all rounds of a run."""
    if isinstance(world, _StillWorld):
        return np.array(world.theta(1, ROUNDS) @ np.array(world.actions.rows).T)
    return world.realise(ROUNDS, run=run).mean_rewards(1, ROUNDS)


def _rewards(bound: float) -> Array:
    """Rewards with no ties, so that decisions do not hang on rounding."""
    rng = np.random.default_rng(42)
    rewards: Array = bound * rng.random((ROUNDS, ARMS)) ** np.array([1.0, 2.0, 0.7])
    return rewards


def _compiled(policy: Strategy, rewards: Array) -> list[int]:
    world = Table(rewards, law=laws.Exact(), bound=_bound(policy))
    return [int(arm) for arm in trace(policy, world, horizon=len(rewards))[:, 0]]


def _draws(policy: Strategy, stream: NDArray[np.uint64]) -> list[float]:
    """Return the uniform numbers the engine draws for a round of this policy."""
    count = 1
    if isinstance(policy, Policy):
        count = ARMS * policy.explore.noise + policy.force.noise
    if isinstance(policy, Procedure):
        count = policy.draws(ARMS)
    with np.errstate(over="ignore"):  # the stream's words wrap around on purpose
        return [random.uniform(stream) for _ in range(count)]
