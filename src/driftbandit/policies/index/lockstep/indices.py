"""Indices of any form, one arm of one run at a time.

First all that an index needs is read, then it is computed from plain numbers: an array that is
within reach where the code branches has its references counted, which costs more than the index.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from driftbandit.core.beta_draws import BETA_NUMBERS
from driftbandit.core.lanes import LANES, Block, line, on
from driftbandit.core.marking import compilable, compiled_as
from driftbandit.policies.index.lockstep.state import COUNT, MEAN, SQUARE, IndexPlayer
from driftbandit.policies.setup import Function, nothing
from driftbandit.rules.explore import Explore


def caller(explore: Explore) -> Function:
    """Return the function that calls an index with the arguments its rule asks for."""
    if explore.index is None:
        return nothing
    if explore.noise:
        return call_with_variance_and_noise if explore.variance else call_with_noise
    return call_with_variance if explore.variance else call


@compilable
def call(
    index: Any, mean: float, count: float, clock: float, variance: float, noise: Any, numbers: Any
) -> Any:
    """Call an index that needs neither variance nor noise."""
    return index(mean, count, clock, *numbers)


@compilable
def call_with_variance(
    index: Any, mean: float, count: float, clock: float, variance: float, noise: Any, numbers: Any
) -> Any:
    """Call an index that needs the variance."""
    return index(mean, count, clock, variance, *numbers)


@compilable
def call_with_noise(
    index: Any, mean: float, count: float, clock: float, variance: float, noise: Any, numbers: Any
) -> Any:
    """Call an index that needs a random number, or several."""
    return index(mean, count, clock, noise, *numbers)


@compilable
def call_with_variance_and_noise(
    index: Any, mean: float, count: float, clock: float, variance: float, noise: Any, numbers: Any
) -> Any:
    """Call an index that needs the variance and a random number, or several."""
    return index(mean, count, clock, variance, noise, *numbers)


def reader(explore: Explore) -> Function:
    """Return the function that reads the random numbers of an index."""
    readers = {0: read_none, 1: read_one, BETA_NUMBERS: read_five}
    return readers.get(explore.noise, read_many)


@compilable
def read_none(noise: Any, first: int, step: int) -> float:
    """Read nothing."""
    return 0.0


@compilable
def read_one(noise: Any, first: int, step: int) -> Any:
    """Return one number."""
    return noise[first]


@compilable
def read_five(noise: Any, first: int, step: int) -> Any:
    """Return five numbers: those of a beta draw."""
    a, b, c = noise[first], noise[first + step], noise[first + 2 * step]
    return a, b, c, noise[first + 3 * step], noise[first + 4 * step]


@compilable
def read_many(noise: Any, first: int, step: int) -> Any:
    """Return any number of them, as a view."""
    return noise[first::step]


class IndexRules(NamedTuple):
    """The parts of a player that an index depends on; no array is among them."""

    function: Any
    call: Any
    read: Any
    numbers: Any
    prior: Any
    weight: float
    """What the counts of the table are multiplied by."""


class Places(NamedTuple):
    """Where the numbers of an arm begin, of the first lane."""

    mean: int
    plays: int
    square: int
    noise: int
    step: int
    """How far its random numbers are apart."""


class Arm(NamedTuple):
    """What is known of an arm in one lane, and its random numbers."""

    mean: float
    plays: float
    square: float
    noise: Any


@compilable
def index_rules(player: IndexPlayer, function: Any) -> IndexRules:
    """Return the parts of a player that an index, or a draft of it, depends on."""
    return IndexRules(
        function,
        player.rules.call,
        player.rules.read,
        player.numbers.explore,
        player.flags.prior,
        1.0 / player.state.shared[0].weight,
    )


@compilable
def places_of(block: Block, k: int) -> Places:
    """Return where the numbers of arm k begin."""
    shape = block.shape
    arms = shape[0] // shape[1]
    return Places(
        line(shape, MEAN, k),
        line(shape, COUNT, k),
        line(shape, SQUARE, k),
        k * LANES,
        arms * LANES,
    )


@compilable
def look(rules: IndexRules, places: Places, table: Any, noise: Any, lane: int) -> Arm:
    """Read what is known of an arm."""
    return Arm(
        table[places.mean + lane],
        table[places.plays + lane],
        table[places.square + lane],
        rules.read(noise, places.noise + lane, places.step),
    )


@compilable
def _index_without_branches(rules: IndexRules, arm: Arm, clock: float) -> float:
    """Do as `index_of`, and compute the index where it is not asked for, too."""
    seen = arm.plays > 0.0
    mean = arm.mean if seen else 0.0
    variance = max(arm.square / (arm.plays if seen else 1.0) - mean * mean, 0.0)
    value = rules.call(
        rules.function,
        mean,
        arm.plays * rules.weight,
        clock,
        variance,
        arm.noise,
        rules.numbers,
    )
    return value if seen or on(rules.prior) else math.inf


@compiled_as(_index_without_branches)
def index_of(rules: IndexRules, arm: Arm, clock: float) -> float:
    """Return the index of an arm; infinite, but for a prior, where no play is remembered.

    Nothing is computed there: an index divides by the plays, which plain Python refuses.
    """
    if arm.plays > 0.0 or on(rules.prior):
        return _index_without_branches(rules, arm, clock)
    return math.inf
