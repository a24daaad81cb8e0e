"""The pictures of docs/families: what the members of a family do in `two_swaps`.

    python -m benchmarks.families [NAME ...]

A few policies of each family play 1,000 runs with seed 0; the pictures go to docs/figures. Without
names all are drawn, which takes a few minutes, most of them compiling.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable

import driftbandit as db
from benchmarks.pages import FIGURES
from driftbandit import linear
from driftbandit.engine import Result
from driftbandit.environments import World, rotting, two_swaps
from driftbandit.policies import Strategy
from driftbandit.policies.tuning import discount_rule, window_rule

RUNS, T, CHANGES, K = 1_000, 10_000, 2, 3
WINDOW = db.Window(window_rule(T, CHANGES))
DISCOUNT = db.Discount(discount_rule(T, CHANGES))
"""The paper's γ and τ for two changes in 10,000 rounds."""


def play(policies: Iterable[Strategy], world: World | None = None) -> Result:
    return db.simulate(policies, world or two_swaps(T), horizon=T, runs=RUNS, seed=0)


def forgetting() -> dict[str, Result]:
    policies = [
        db.UCB1(),
        db.Policy(DISCOUNT, label=f"discount {DISCOUNT.discount:.4f}"),
        db.Policy(WINDOW, label=f"window of {WINDOW.window} rounds"),
        db.Policy(db.GrowingWindow(0.5), label="window growing as 12.3 √t"),
        db.Policy(db.ArmWindow(400), label="last 400 plays of each arm"),
    ]
    return {"index of UCB-1, five memories": play(policies)}


def restarting() -> dict[str, Result]:
    policies = [
        db.UCB1(),
        db.OracleRestart(two_swaps(T).breakpoints, label="told the changes"),
        db.GLRUCB.tuned(T, K, CHANGES, label="GLR, sweeps"),
        db.CUSUMUCB.tuned(T, CHANGES, label="CUSUM, random plays"),
        db.MUCB.tuned(T, CHANGES, K, window=400, xi=0.5, label="two halves, sweeps"),
        db.ADWINUCB(label="ADWIN, nothing forced"),
    ]
    return {"index of UCB-1, what makes it start over": play(policies)}


def exploring() -> dict[str, Result]:
    def with_memory(memory: db.Forget) -> Result:
        rules: dict[str, db.Explore] = {
            "UCB": db.UCB(),
            "KL-UCB": db.KLUCB(),
            "Thompson": db.explore.Thompson(),
            "ε-greedy, ε = 0.1": db.explore.EpsilonGreedy(0.1),
            "softmax, 0.05": db.explore.Softmax(0.05),
        }
        return play(db.Policy(memory, explore=rule, label=name) for name, rule in rules.items())

    return {
        "the whole past": with_memory(db.Full()),
        f"the last {WINDOW.window} rounds": with_memory(WINDOW),
    }


def weights() -> dict[str, Result]:
    variation = 2 * 0.5  # the third arm goes up by 0.5 and down again
    policies = [
        db.EXP3.tuned(T, K),
        db.EXP3IX.tuned(T, K),
        db.EXP3S.tuned(T, CHANGES, K),
        db.EXP3SIX.tuned(T, CHANGES, K),
        db.REXP3.tuned(T, variation, K),
        db.SlidingWindowUCB.tuned(T, CHANGES),
    ]
    return {"exponential weights, tuned by their rules": play(policies)}


def higher() -> dict[str, Result]:
    masters = [
        db.META(T),
        db.AdSwitch(T),
        db.MASTER(T),
        db.BanditOverBandit.tuned(T, K),
        db.MetaBandit(),
        db.UCB1(),
    ]
    decaying = [
        db.UCB1(),
        db.SlidingWindowUCB.tuned(T, 1),
        db.FEWA(),
        db.RAWUCB(),
    ]
    return {
        "two swaps: policies told only T, or nothing": play(masters),
        "rewards that only decay": play(decaying, rotting(T)),
    }


def features() -> dict[str, Result]:
    plain = two_swaps(T)
    world = linear.PiecewiseLinear(
        plain.breakpoints, plain.means, T, actions=linear.Fixed.one_hot(K), law=plain.law
    )
    variation = world.variation(T)
    policies = [
        db.LinUCB(noise=0.5),
        db.DiscountedLinUCB.tuned(T, variation, K, noise=0.5),
        db.SlidingWindowLinUCB.tuned(T, variation, K, noise=0.5),
        linear.LinearPolicy(
            WINDOW, confidence=linear.ConstantRadius(1.0), label=f"window of {WINDOW.window}, β = 1"
        ),
    ]
    result = db.simulate(policies, world, runs=RUNS, seed=0)
    same = dataclasses.replace(result, world=plain)  # θ is the means: it is the same world
    return {"a feature for each arm": same}


def auto() -> dict[str, Result]:
    policies = [
        db.StationaryKLUCB(),
        db.GLRklUCB.tuned(T, K),
        db.SlidingWindowUCB.tuned(T, CHANGES),
        db.OracleRestart(two_swaps(T).breakpoints, explore=db.KLUCB(), label="told the changes"),
        db.Auto(),
    ]
    return {"Auto, and four to compare": play(policies)}


FAMILIES: dict[str, Callable[[], dict[str, Result]]] = {
    "forgetting": forgetting,
    "restarting": restarting,
    "exploring": exploring,
    "weights": weights,
    "procedures": higher,
    "linear": features,
    "auto": auto,
}


def main(names: list[str]) -> None:
    for name in names or FAMILIES:
        db.figures.family(FAMILIES[name](), FIGURES / f"family-{name}.png")
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
