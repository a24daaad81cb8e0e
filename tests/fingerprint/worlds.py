"""The worlds: fixed and random, with few, several and many arms, with coins and Beta rewards."""

from __future__ import annotations

import driftbandit as db
from driftbandit.environments import World
from driftbandit.environments.laws import Beta, ClippedGaussian, Exact, Law, Quantile, Uniform

ROUNDS = 2_000

CHANGES = (501, 1_001, 1_501)
"""The rounds in which the means of a fixed world change."""

COINS = db.environments.laws.Bernoulli()

LAWS: dict[str, Law] = {"coins": COINS, "Beta": Beta()}

ARMS = (3, 9, 200)
"""3 arms have code made for their number, 9 have the code for many, 200 may be put into groups."""

FEW_MEANS = ((0.8, 0.5, 0.2), (0.2, 0.5, 0.8), (0.5, 0.9, 0.3), (0.9, 0.1, 0.4))


def fixed_means(arms: int) -> list[list[float]]:
    """Return the means of each of the four stretches."""
    if arms == 3:
        return [list(row) for row in FEW_MEANS]
    if arms == 9:
        return [[0.1 + 0.1 * ((4 * arm + 7 * s) % 9) for arm in range(9)] for s in range(4)]
    return [crowd_means(arms, stretch) for stretch in range(4)]


def crowd_means(arms: int, stretch: int) -> list[float]:
    """Return one good arm among many bad ones: in 2,000 rounds no others can be told apart."""
    means = [0.05 + 0.2 * ((37 * arm + 11 * stretch) % arms) / arms for arm in range(arms)]
    means[(53 * stretch + 20) % arms] = 0.95
    return means


def fixed(arms: int, law: Law, bound: float = 1.0) -> World:
    """Return a world that is the same in all runs; its means are in units of the bound."""
    means = [[bound * mean for mean in row] for row in fixed_means(arms)]
    return db.environments.Piecewise(CHANGES, means, law=law, bound=bound)


def random(arms: int, law: Law, bound: float = 1.0) -> World:
    """Return a world that differs from run to run; with each number of arms it is another kind."""
    if arms == 3:
        jump = (0.2 * bound, 0.5 * bound)
        return db.environments.RandomPiecewise(
            arms, changes=4, jump=jump, horizon=ROUNDS, law=law, bound=bound
        )
    if arms == 9:
        return db.environments.Brownian(arms, sigma=0.02 * bound, law=law, bound=bound)
    gap = (0.3 * bound, 0.5 * bound)
    return db.environments.RandomSwitching(
        arms, gap=gap, breakpoints=3, horizon=ROUNDS, law=law, bound=bound
    )


WORLDS: dict[str, World] = {
    f"{kind.__name__}, {arms} arms, {name}": kind(arms, law)
    for kind in (fixed, random)
    for arms in ARMS
    for name, law in LAWS.items()
}
"""Where every policy of the catalogue plays."""

WORLDS["Brownian, 3 arms, exact"] = db.environments.Brownian(3, sigma=0.05, law=Exact())
"""The quick tests play here: `checks` compiles every policy for these arms and this law anyway."""

COMPOSED_WORLDS = {
    name: WORLDS[name]
    for name in (
        "fixed, 3 arms, coins",
        "random, 3 arms, coins",
        "fixed, 9 arms, Beta",
        "random, 9 arms, Beta",
        "fixed, 200 arms, Beta",
        "random, 200 arms, Beta",
    )
}
"""Where composed policies play: half of the worlds, since these need half of the compiling."""

BOUND_2_WORLDS: dict[str, World] = {
    "fixed, 3 arms, coins, bound 2": fixed(3, COINS, bound=2.0),
    "random, 3 arms, coins, bound 2": random(3, COINS, bound=2.0),
    "fixed, 9 arms, Beta, bound 2": fixed(9, Beta(), bound=2.0),
    "random, 9 arms, Beta, bound 2": random(9, Beta(), bound=2.0),
}
"""Where policies play that were made for rewards up to 2."""


def steps(arms: int) -> list[float]:
    """Return means from 0.1 to 0.9 in even steps."""
    return [0.1 + 0.8 * arm / (arms - 1) for arm in range(arms)]


def kinds(arms: int) -> dict[str, World]:
    """Return one world of every kind that `fixed` and `random` leave out, with so many arms."""
    low, high = steps(arms), steps(arms)[::-1]
    worlds = db.environments
    pieces = worlds.Piecewise(CHANGES, fixed_means(arms))
    return {
        "stationary": worlds.Stationary(low),
        "table": worlds.Table(pieces.mean_rewards(1, ROUNDS)),
        "drift": worlds.Drift(low, high, horizon=ROUNDS),
        "decay": worlds.Decay(high, low, half_life=[300.0] * arms, horizon=ROUNDS),
        "seasonal": worlds.Seasonal(
            [0.1] * arms, high, peak=[arm / arms for arm in range(arms)], period=700.0
        ),
        "sinusoid": worlds.Sinusoid(sigma=0.01, arms=arms, horizon=ROUNDS),
        "random jumps, together": worlds.RandomJumps(arms, rate=0.002),
        "random jumps, one by one": worlds.RandomJumps(arms, rate=0.01, together=False),
        "random piecewise": worlds.RandomPiecewise(arms, horizon=ROUNDS),
        "random switching, by rate": worlds.RandomSwitching(arms, rate=0.002),
        "random switching, by number": worlds.RandomSwitching(arms, breakpoints=4, horizon=ROUNDS),
        "Brownian, small steps": worlds.Brownian(arms, sigma=0.005),
        "Brownian, large steps": worlds.Brownian(arms, sigma=0.2),
        "news feed": worlds.NewsFeed(arms, half_life=300.0, rate=0.005),
        "radio": worlds.Radio(arms, switch_rate=0.002),
        "radio, known switches": worlds.Radio(arms, switches=CHANGES),
    }


OTHER_LAWS: dict[str, Law] = {
    "exact rewards": Exact(),
    "uniform rewards": Uniform(0.1),
    "clipped Gaussian rewards": ClippedGaussian(0.1),
    "Beta rewards of a small concentration": Beta(0.5),
    "Beta rewards of a large concentration": Beta(50.0),
    "rewards from a table": Quantile((0.0, 0.1, 0.5, 0.6, 1.0)),
    "rewards from a table of steps": Quantile((0.0, 0.1, 0.5, 0.6, 1.0), linear=False),
}

OTHER_WORLDS: dict[str, World] = {
    **{f"{name}, {arms} arms": world for arms in (3, 9) for name, world in kinds(arms).items()},
    "periodic, 2 arms": db.environments.periodic(ROUNDS),
    "rotting, 2 arms": db.environments.rotting(ROUNDS),
    "two swaps, 3 arms": db.environments.two_swaps(ROUNDS),
    **{f"fixed, 3 arms, {name}": fixed(3, law) for name, law in OTHER_LAWS.items()},
}
"""Where one quick policy plays for the sake of the worlds and laws."""
