from __future__ import annotations

import dataclasses
import functools
import math
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import driftbandit as db
from driftbandit.core.errors import InputError
from driftbandit.core.random import REWARDS, streams, uniform
from driftbandit.environments import laws

Floats = NDArray[np.float64]
Compile = Callable[[Callable[..., Any]], Any]

SAMPLE = (0.05, 0.1, 0.1, 0.3, 0.9)
LAWS = [
    laws.Bernoulli(),
    laws.Beta(0.05),
    laws.Beta(0.7),
    laws.Beta(2.0),
    laws.Beta(300.0),
    laws.ClippedGaussian(0.01),
    laws.ClippedGaussian(0.1),
    laws.ClippedGaussian(1.0),
    laws.ClippedGaussian(10.0),
    laws.Uniform(0.1),
    laws.Uniform(0.5),
    laws.Quantile(SAMPLE),
    laws.Quantile(SAMPLE, linear=False),
    laws.Exact(),
]
MEANS = (0.001, 0.1, 0.31, 0.5, 0.9, 0.9999)
LEVELS = (np.arange(2000) + 0.5) / 2000

each_law = pytest.mark.parametrize("law", LAWS, ids=repr)


def rewards(law: laws.Law, levels: Floats, mean: float) -> Floats:
    numbers = law.parameters()
    return np.array([law.quantile(float(u), mean, numbers) for u in levels], dtype=np.float64)


@functools.cache
def compiled_law(compiled: Compile, quantile: Callable[..., float]) -> Callable[..., Floats]:
    """Return the rewards of a law in compiled code, which is the same for all its parameters."""
    from numba.extending import register_jitable  # noqa: PLC0415

    register_jitable(quantile)

    def every(levels: Floats, mean: float, numbers: Floats) -> Floats:
        values = np.empty(levels.size)
        for i in range(levels.size):
            values[i] = quantile(levels[i], mean, numbers)
        return values

    return compiled(every)  # type: ignore[no-any-return]  # Numba has no types


def compiled_rewards(compiled: Compile, law: laws.Law, levels: Floats, mean: float) -> Floats:
    return compiled_law(compiled, type(law).quantile)(levels, mean, law.parameters())


@each_law
def test_the_mean_is_the_mean_wanted(law: laws.Law, compiled: Compile) -> None:
    # A monotone function with values in [0, 1] is integrated by n midpoints to within 1/(2n).
    n = 100_000
    levels = (np.arange(n) + 0.5) / n
    for mean in MEANS:
        assert compiled_rewards(compiled, law, levels, mean).mean() == pytest.approx(mean, abs=5e-6)


@each_law
def test_rewards_lie_in_the_unit_interval_and_are_monotone(law: laws.Law) -> None:
    edges = np.concatenate([[2.0**-53], LEVELS[::3], [1.0 - 2.0**-53]])
    for mean in MEANS:
        values = rewards(law, edges, mean)
        assert values.min() >= 0.0
        assert values.max() <= 1.0
        steps = np.diff(values) * (-1.0 if law.binary else 1.0)
        assert (steps >= 0.0).all()


@each_law
def test_a_larger_mean_is_never_worse_luck(law: laws.Law) -> None:
    table = np.array([rewards(law, LEVELS[::20], mean) for mean in MEANS])
    assert (np.diff(table, axis=0) >= -1e-12).all() or isinstance(law, laws.Uniform)


@each_law
def test_means_of_zero_and_one_leave_no_luck(law: laws.Law) -> None:
    assert (rewards(law, LEVELS[::50], 0.0) == 0.0).all()
    assert (rewards(law, LEVELS[::50], 1.0) == 1.0).all()


@each_law
def test_compiled_and_plain_give_the_same_bits(law: laws.Law, compiled: Compile) -> None:
    for mean in (0.0, *MEANS, 1.0):
        fast = compiled_rewards(compiled, law, LEVELS[::7], mean)
        assert fast.tobytes() == rewards(law, LEVELS[::7], mean).tobytes()


@each_law
def test_laws_survive_json_and_pickle(law: laws.Law) -> None:
    assert laws.Law.from_json(law.to_json()) == law
    assert pickle.loads(pickle.dumps(law)) == law
    assert hash(law.replace()) == hash(law)


@each_law
def test_binary_says_whether_rewards_are_coins(law: laws.Law) -> None:
    values = set(rewards(law, LEVELS, 0.31).tolist())
    assert law.binary == (values == {0.0, 1.0})


def test_the_beta_law_is_the_beta_law() -> None:
    for concentration in (0.7, 2.0, 300.0):
        values = rewards(laws.Beta(concentration), LEVELS[::10], 0.3)
        back = stats.beta.cdf(values, 0.3 * concentration, 0.7 * concentration)
        np.testing.assert_allclose(back, LEVELS[::10], rtol=1e-10)


def test_the_clipped_gaussian_is_a_gaussian_between_its_ends() -> None:
    for sigma, mean in ((0.1, 0.05), (0.3, 0.6), (1.0, 0.1)):
        values = rewards(laws.ClippedGaussian(sigma), LEVELS, mean)
        inside = (values > 0.0) & (values < 1.0)
        noise = values[inside] - sigma * stats.norm.ppf(LEVELS[inside])
        assert inside.sum() > 100
        assert np.ptp(noise) < 1e-13 * max(1.0, sigma)


@pytest.mark.parametrize("mean", [1e-300, 1e-30, 1e-9, 1.0 - 1e-9, 1.0 - 2.0**-53])
@each_law
def test_means_very_near_the_ends_are_no_trouble(law: laws.Law, mean: float) -> None:
    values = rewards(law, LEVELS[::100], mean)
    assert np.isfinite(values).all()
    assert abs(np.median(values) - round(mean)) <= 1e-8


@pytest.mark.parametrize(
    ("law", "mean", "truth"),
    [
        (laws.Beta(4.0), 0.3, stats.beta(1.2, 2.8)),
        (laws.Uniform(0.2), 0.1, stats.uniform(0.0, 0.2)),
        (laws.ClippedGaussian(0.02), 0.5, stats.norm(0.5, 0.02)),
        (laws.Quantile((0.0, 1.0)), 0.25, stats.uniform(0.0, 0.5)),
    ],
    ids=["beta", "uniform", "gaussian", "quantile"],
)
def test_drawn_rewards_pass_kolmogorov_and_smirnov(law: laws.Law, mean: float, truth: Any) -> None:
    with np.errstate(over="ignore"):
        rng = streams(11, REWARDS, 0, 1)[:, 0]
        luck = np.array([uniform(rng) for _ in range(20_000)])
    assert stats.kstest(rewards(law, luck, mean), truth.cdf).pvalue > 0.01


def test_bernoulli_counts_the_share_below_the_mean() -> None:
    assert rewards(laws.Bernoulli(), LEVELS, 0.3).sum() == 600


def test_quantile_tables_by_hand() -> None:
    line = laws.Quantile((0.0, 0.5, 1.0))
    assert line.reward(0.25, 0.5) == 0.25
    assert line.reward(0.25, 0.25) == 0.125
    assert line.reward(0.25, 0.75) == 0.625
    assert laws.Quantile((1.0, 0.0)).table == (0.0, 1.0)
    sample = laws.Quantile(np.array([0.2, 0.4]), linear=False)  # type: ignore[arg-type]
    assert [sample.reward(u, 0.3) for u in (0.49, 0.5)] == pytest.approx([0.2, 0.4])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: laws.Beta(0.0), "concentration must lie in (0, 1e6], got 0.0"),
        (lambda: laws.Beta(float("nan")), "concentration must lie in (0, 1e6], got nan"),
        (lambda: laws.ClippedGaussian(-1), "sigma must lie in (0, 10], got -1"),
        (lambda: laws.Uniform(0.6), "half_width must lie in (0, 0.5], got 0.6"),
        (
            lambda: laws.Quantile((0.5,)),
            "table must hold at least two numbers in [0, 1], got (0.5,)",
        ),
        (
            lambda: laws.Quantile((0.5, 1.5)),
            "table must hold at least two numbers in [0, 1], got (0.5, 1.5)",
        ),
        (lambda: laws.Quantile((0, 0)), "table must not be all 0 nor all 1, got (0, 0)"),
    ],
)
def test_errors_name_the_parameter(make: Callable[[], laws.Law], message: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value) == message


def test_a_users_own_law_is_one_function(compiled: Compile) -> None:
    law = Steps(0.25)
    assert laws.Law.from_json(law.to_json()) == law
    fast = compiled_rewards(compiled, law, LEVELS, 0.4)
    assert fast.tobytes() == rewards(law, LEVELS, 0.4).tobytes()
    assert fast.mean() == pytest.approx(0.4)


@dataclasses.dataclass(frozen=True)
class Steps(laws.Law):
    middle: float = 0.5

    @staticmethod
    def quantile(u: float, mean: float, parameters: Floats) -> float:
        coin = (1.0 - parameters[0]) * (1.0 - mean)
        if u <= coin:
            return 0.0
        return mean if u <= coin + parameters[0] else 1.0


def test_a_law_with_a_wrong_quantile_is_refused_at_once() -> None:
    with pytest.raises(
        InputError, match=r"Wrong.quantile must be a staticmethod of \(u, mean, par"
    ):

        class Wrong(laws.Law):
            def quantile(self, u: float) -> float:  # type: ignore[override]
                return u


def test_the_catalogue_names_every_law() -> None:
    assert list(laws.CATALOGUE) == ["bernoulli", "beta", "gaussian", "uniform", "quantile", "exact"]
    assert {type(law) for law in LAWS} == set(laws.CATALOGUE.values())


@pytest.mark.parametrize(
    ("quantile", "message"),
    [
        (
            lambda u, mean, _: float(u > 1.0 - 0.99 * mean),
            "must pay 0.1 on average for mean = 0.1, got 0.098",
        ),
        (lambda u, mean, _: 0.1, "pay 0.5 on average for mean = 0.5, got 0.1"),
        (lambda u, mean, _: float(u < mean), "never fall with u, got -1.0"),
        (lambda u, mean, _: "much", "fails for u = 1e-09 and mean = 0: ValueError"),
        (lambda u, mean, _: math.sqrt(-1.0), "fails for u = 1e-09 and mean = 0: ValueError"),
    ],
)
def test_a_law_of_your_own_keeps_its_promises(quantile: Any, message: str) -> None:
    law = type("Mine", (laws.Law,), {"quantile": staticmethod(quantile)})()
    world = db.environments.Stationary((0.2, 0.8), law=law)
    with pytest.raises(db.InputError, match=f"Mine.quantile .*{message}"):
        db.simulate(db.UCB1(), world, horizon=9, runs=8)


def test_a_law_of_your_own_draws_nothing() -> None:
    law = type("Mine", (laws.Law,), {"quantile": staticmethod(lambda u, mean, _: random.random())})
    world = db.environments.Stationary((0.2, 0.8), law=law())
    with pytest.raises(db.InputError, match=r"draws from random\.random, which does not follow"):
        db.simulate(db.UCB1(), world, horizon=9, runs=8)
