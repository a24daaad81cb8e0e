"""`python -m benchmarks grid`: every policy of the catalogue by turns; never how long it took."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.grid import lineup, measure, page, report
from benchmarks.grid.limits import LIMITS
from benchmarks.pages import put_table, table_from
from benchmarks.speed.rounds import OURS
from driftbandit.environments.laws import Bernoulli, Exact
from driftbandit.linear import LinearWorld
from driftbandit.policies import CATALOGUE

WORDS = ("--policy", "uniform", "--arms", "3", "--runs", "8", "--horizon", "20", "--turns", "2")


@pytest.fixture
def _few_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two laws that other tests compile anyway."""
    monkeypatch.setattr(measure, "LAWS", {measure.COINS: Bernoulli(), measure.BETA: Exact()})


def command(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["grid", *words])
    return ended.value.code


@pytest.mark.parametrize("arms", [3, 10, 50])
def test_every_policy_of_the_catalogue_plays(arms: int) -> None:
    texts = lineup.texts()
    names = [measure.preset_of(text) for text in texts]
    assert names == list(CATALOGUE)
    players = lineup.players(texts, arms, 2_000)
    assert all(
        preset.cell.fits(player) for preset, player in zip(CATALOGUE.values(), players, strict=True)
    )
    for player in players:
        world: Any = lineup.world(player, arms, 2_000, Bernoulli())
        if isinstance(world, LinearWorld):
            features: Any = world.actions
            rewards = [features.rows @ theta for theta in world.theta(1_000, 1_001)]
        else:
            rewards = list(world.mean_rewards(1_000, 1_001))
        assert rewards[0].tolist() == pytest.approx(rewards[1][::-1].tolist())
        assert (rewards[0].min(), rewards[0].max()) == pytest.approx((0.2, 0.8))


def test_limits_are_of_policies_of_the_catalogue() -> None:
    assert set(LIMITS) <= set(CATALOGUE)


@pytest.mark.usefixtures("_few_kernels")
def test_there_is_a_row_for_every_policy_and_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grid.json"
    assert command(*WORDS, "--json", str(file)) == 0
    content = json.loads(file.read_text(encoding="utf-8"))
    numpy = measure.NUMPY.name
    assert [(row["law"], row["who"], row["policy"]) for row in content["rows"]] == [
        (law, who, label)
        for law in (measure.COINS, measure.BETA)
        for who, label in ((OURS, "UCB-1"), (numpy, "UCB-1"), (OURS, "uniform"))
    ]
    for row in content["rows"]:
        assert row["turns"] == 2
        assert 0.0 < row["ns"]["low"] <= row["ns"]["median"] <= row["ns"]["high"]
        assert row["limit"] == 160.0 + (10.0 if row["law"] == measure.BETA else 0.0)
        assert (row["times_driftbandit"] is None) == (row["who"] == OURS)
        if (row["who"], row["policy"]) == (OURS, "UCB-1"):
            assert row["times_ucb1"] == 1.0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:4] == ["policy", "K", "=", "3"]
    assert [line.split()[0] for line in lines[2:4]] == ["UCB-1", "uniform"]
    assert sum(line.startswith(numpy) for line in lines) == 2


def rows() -> list[dict[str, Any]]:
    """Two policies with 3 and 10 arms, one of them above its limit with 10, and a program."""
    times = {("ucb-1", 3): 4.0, ("ucb-1", 10): 8.0, ("kl-ucb", 3): 20.0, ("kl-ucb", 10): 99.0}
    ours = [
        {"who": OURS, "preset": name, "policy": name.upper(), "arms": arms, "law": measure.COINS,
         "ns": {"low": ns}, "times_ucb1": ns / times["ucb-1", arms],
         "limit": measure.limit(name, arms, measure.COINS, times["ucb-1", arms])}
        for (name, arms), ns in times.items()
    ]  # fmt: skip  # one look
    return [*ours, *({**row, "who": "NumPy", "ns": {"low": 1_234.0}} for row in ours[:2])]


def test_a_time_above_its_limit_is_marked() -> None:
    head, lines = report.policies(rows())
    assert head == ["policy", "K = 3", "K = 10", "× UCB-1, K = 3", "× UCB-1, K = 10", "limit"]
    assert lines == [
        ["UCB-1", "4.0", "8.0", "1.0", "1.0", "100 + 20 K"],
        ["KL-UCB", "20.0", "99.0!", "5.0", "12.4", "8 × UCB-1"],
    ]


def test_pages_have_the_policies_the_slowest_and_the_programs() -> None:
    assert page.slowest(rows()) == ["KL-UCB", "UCB-1"]
    assert page.short(rows()).splitlines()[2:] == [
        "| UCB-1 | 4.0 | 8.0 |",
        "| KL-UCB | 20.0 | 99.0! |",
        "| *NumPy: UCB-1* | 1,234 | 1,234 |",
    ]
    assert page.whole(rows()).splitlines()[-1] == "| *NumPy: UCB-1* | 1,234 | 1,234 |  |  |  |"


def test_a_table_is_put_in_place_of_another(tmp_path: Path) -> None:
    text, source = tmp_path / "page.md", tmp_path / "grid.json"
    text.write_text("one\n<!-- from figures/grid.json -->\nold\n<!-- end -->\ntwo\n")
    put_table(text, source, "new\n")
    assert table_from(text, source) == "new\n"
    assert text.read_text().splitlines()[0::4] == ["one", "two"]


def test_the_pages_show_what_was_measured() -> None:
    assert table_from(page.WHOLE, page.NUMBERS) == page.whole(page.read())
    assert table_from(page.SHORT, page.NUMBERS) == page.short(page.read())


def test_an_unknown_policy_is_refused_before_anything_is_timed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command("--policy", "ucb-7") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("python -m benchmarks: policy must be one of")
