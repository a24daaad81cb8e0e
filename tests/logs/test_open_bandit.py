"""The sample of the Open Bandit Dataset, out of the source of obp, and the formulas of obp."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.core.errors import InputError

SOURCE = "obp==0.4.1"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the sample; obp is unpacked, and not installed."""
    folder = tmp_path_factory.mktemp("obp")
    words = ["-m", "pip", "download", "--no-deps", "--no-binary", "obp", "-d", str(folder), SOURCE]
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz") / "obp/dataset/obd"


def log_of(sample: Path, policy: str, campaign: str = "all") -> db.Log:
    return db.Log.read(sample / policy / campaign / f"{campaign}.csv", layout="open-bandit")


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "bts"])
@pytest.mark.parametrize(("campaign", "arms"), [("all", 80), ("men", 34), ("women", 46)])
def test_the_sample_loads(sample: Path, policy: str, campaign: str, arms: int) -> None:
    check = log_of(sample, policy, campaign).check()
    assert (check.rows, check.good, len(check.arms), check.reasons) == (10_000, 10_000, arms, {})
    assert check.arms == list(range(arms))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "bts"])
def test_estimates_are_those_of_its_formulas(sample: Path, policy: str) -> None:
    log = log_of(sample, policy)
    rows = pl.read_csv(sample / policy / "all" / "all.csv")
    order = np.argsort(rows["timestamp"].to_numpy(), kind="stable")
    assert (order == np.arange(len(rows))).all()
    arm, reward = rows["item_id"].to_numpy(), rows["click"].to_numpy().astype(float)
    pscore = rows["propensity_score"].to_numpy()
    values = log.value([db.Uniform()], method=["ips", "snips", "dr"])
    by_method = {row.method: row.value for row in values if row.policy == "uniform"}
    action_dist = np.full((len(rows), 80), 1.0 / 80.0)
    iw = action_dist[np.arange(len(rows)), arm] / pscore
    assert by_method["ips"] == pytest.approx((iw * reward).mean())
    assert by_method["snips"] == pytest.approx((iw * reward / iw.mean()).mean())
    evidence = log._evidence
    block = evidence.parts_of(np.arange(len(rows)), evidence.blocks)
    rewards_by_model = evidence.predicted[block]  # from earlier rows, so that none is used twice
    q_hat = rewards_by_model[np.arange(len(rows)), arm]
    direct = (action_dist * rewards_by_model).sum(axis=1)
    assert by_method["dr"] == pytest.approx((iw * (reward - q_hat) + direct).mean())


@pytest.mark.slow
def test_what_the_sample_cannot_tell_is_said(sample: Path) -> None:
    log = log_of(sample, "bts")
    arms = [{arm: 1.0} for arm in range(80)]
    values = log.value(arms)
    rows = {row.policy: row for row in values}
    effective = {each.policy: each.effective for each in log.overlap(arms).policies}
    assert sum(each < 30 for each in effective.values()) > 30
    for policy, row in rows.items():
        assert ("cannot tell" in row.why) == np.isnan(row.value) == (effective[policy] < 30.0)
    # with as few clicks, nothing is known to be worse than what served
    assert all(each.tie for each in values.differences if each.against == "as logged")
    clicks = pl.read_csv(sample / "bts" / "all" / "all.csv").filter(pl.col("item_id") == 0)
    assert (len(clicks), clicks["click"].sum()) == (125, 0)
    assert rows["always 0"].high > 1.0 - 0.025 ** (1.0 / 125)
    with pytest.raises(InputError, match="arm must be one of"):
        log.value([{81: 1.0}])


@pytest.mark.slow
def test_values_from_one_policys_log_agree_with_the_others(sample: Path) -> None:
    truth = pl.read_csv(sample / "random" / "all" / "all.csv")["click"].mean()
    row = log_of(sample, "bts").value([db.Uniform()])["uniform"]
    assert isinstance(truth, float)
    assert row.low <= truth <= row.high
    assert row.high < 0.05
