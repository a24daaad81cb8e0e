"""Linear worlds are worlds like the others: what they share is written once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from driftbandit import environments as env
from driftbandit import linear
from driftbandit.core.errors import InputError
from driftbandit.environments import laws
from driftbandit.environments.environment import Environment

WORLDS = [
    linear.abrupt(number=5),
    linear.slow(sigma=0.2),
    linear.PiecewiseLinear([3], [[1.0], [0.5]], actions=linear.Cube(4), law=laws.Beta(3.0)),
    linear.Rotating(rounds=7, actions=linear.Fixed.one_hot(2)),
]
each_world = pytest.mark.parametrize("world", WORLDS, ids=lambda world: type(world).__name__)


@each_world
def test_linear_worlds_survive_json_and_pickle_and_compare(world: linear.LinearWorld) -> None:
    again = Environment.from_json(world.to_json())
    assert again == pickle.loads(pickle.dumps(world)) == world == world.replace()
    assert world != world.replace(law=laws.GaussianNoise(7.5))


@each_world
def test_theta_does_not_depend_on_the_chunks(world: linear.LinearWorld) -> None:
    whole = world.theta(1, 40)
    assert whole.shape == (40, world.dimension)
    assert np.array_equal(np.concatenate([world.theta(1, 16), world.theta(17, 40)]), whole)


@pytest.mark.parametrize("world", [env.two_swaps(50), linear.slow()])
def test_every_world_checks_a_horizon_alike(world: Environment) -> None:
    last = world.horizon
    assert world.last_round() == last
    assert world.last_round(7) == 7
    with pytest.raises(
        InputError, match=f"^horizon must be at most {last}, the world's last round"
    ):
        world.last_round(10_000)


@pytest.mark.parametrize("world", [env.Stationary([0.5]), linear.Rotating()])
def test_a_world_without_end_needs_a_horizon(world: Environment) -> None:
    assert world.last_round(10**9) == 10**9
    with pytest.raises(InputError, match=r"^horizon must be given: this world has no last round$"):
        world.last_round()


def test_the_variation_checks_its_horizon() -> None:
    message = "^horizon must be at most 6000, the world's last round, got 7000$"
    with pytest.raises(InputError, match=message):
        linear.abrupt().variation(7_000)


@pytest.mark.parametrize("make", [env.Stationary, lambda _, law: linear.Rotating(law=law)])
def test_every_world_refuses_what_is_no_law(make: type[env.Stationary]) -> None:
    with pytest.raises(InputError, match=r"^law must be a reward law, got 0\.5$"):
        make([0.5], law=0.5)  # type: ignore[arg-type]  # on purpose


def test_a_linear_world_says_its_dimension() -> None:
    with pytest.raises(InputError, match="LinearWorld must say its dimension"):
        linear.LinearWorld()


def test_the_number_of_fixed_actions_follows_from_their_rows() -> None:
    actions = linear.Fixed([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    assert linear.Fixed.from_json(actions.to_json()) == actions
    with pytest.raises(InputError, match="number must be that of the rows, 3, got 7"):
        linear.Fixed.from_json(actions.to_json().replace('"number": 3', '"number": 7'))
    with pytest.raises(InputError, match="number must be a whole number"):
        linear.Fixed([[1.0]], number="many")  # type: ignore[arg-type]  # the mistake
