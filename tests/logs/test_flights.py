"""Real rates that drift: what logs of three policies say of ten policies, against the truth."""

from __future__ import annotations

import numpy as np
import pytest

from logs.flights import CARRIERS, LOGGING, POLICIES, drawn, kendall, rates, truth


def test_the_year_is_what_the_how_to_page_says() -> None:
    means = rates()
    assert means.shape == (52, 5)
    assert len({int(best) for best in means.argmax(axis=1)}) == 5  # each is the best at some time
    assert np.count_nonzero(np.diff(means.argmax(axis=1))) > 20


@pytest.mark.parametrize("logging", LOGGING)
def test_a_small_log_ranks_policies(logging: str) -> None:
    year = drawn(logging, 20_000, seed=0)
    values = year.log.value(POLICIES[:8])
    means = rates()
    for arm, carrier in enumerate(CARRIERS):
        row = values[f"always {carrier}"]
        assert row.value == pytest.approx(means[:, arm].mean(), abs=0.04)
    true = {f"always {carrier}": means[:, arm].mean() for arm, carrier in enumerate(CARRIERS)}
    estimates = {label: values[label].value for label in true}
    assert kendall(estimates, true, apart=0.03) >= 0.8
    assert values["SW-UCB"].value > values["uniform"].value


@pytest.mark.slow
@pytest.mark.parametrize("logging", LOGGING)
def test_logs_rank_ten_policies_as_the_truth_does(logging: str) -> None:
    """Kendall's τ over pairs that differ by 0.01 is at least 0.8, in the median of 20 logs."""
    rows = 200_000
    true = truth(drawn(logging, rows, 0).log, rows, runs=200)
    taus, apart, inside = [], [], []
    for seed in range(20):
        values = drawn(logging, rows, seed).log.value(POLICIES)
        estimates = {row.policy: row.value for row in values}
        taus.append(kendall(estimates, true, apart=0.01))
        apart += [abs(estimates[label] - mean) for label, mean in true.items()]
        fixed = [f"always {carrier}" for carrier in CARRIERS]
        inside += [values[label].low <= true[label] <= values[label].high for label in fixed]
    print(logging, sorted(taus), f"error {np.mean(apart):.4f}, covered {np.mean(inside):.2f}")
    assert np.median(taus) >= 0.8
    assert np.mean(inside) >= 0.85  # of 100
