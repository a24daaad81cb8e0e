"""The demonstration: traffic of the past, and traffic that goes on."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest

from driftbandit.core.errors import InputError
from driftbandit.service import demo
from driftbandit.service.opening import begin
from driftbandit.service.rebuild import load, rebuild
from driftbandit.service.settings import Settings
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.worker import Worker
from service.serving import serving


def test_a_new_store_is_filled_and_visitors_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "PAST", 200.0)
    settings = Settings(str(tmp_path / "demo.db"))
    assert demo.fill(settings).startswith("db_")
    with pytest.raises(InputError, match="--demo must have a new store"):
        demo.fill(settings)

    async def scene() -> tuple[int, int]:
        worker = Worker(SqliteStore(settings.store))
        await worker.start()
        experiment = worker.fold.experiments[demo.NAME]
        before = experiment.decisions
        visits = asyncio.ensure_future(demo.visit(worker))
        for _ in range(200):
            await asyncio.sleep(0.05)
            if experiment.decisions > before + 3:
                break
        visits.cancel()
        after = experiment.decisions
        await worker.stop()
        return before, after

    before, after = asyncio.run(scene())
    assert 400 < before < 800
    assert after > before + 3
    store = SqliteStore(settings.store, write=False)
    watch = load(store).experiments[demo.NAME].watch
    starts = [each.start for each in watch.series.bins("minutes")]
    store.close()
    assert starts[-1] - starts[0] > 190.0


def test_the_past_ends_now_however_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = itertools.count(1e9, 0.5)
    monkeypatch.setattr(demo, "PAST", 20.0)
    monkeypatch.setattr(demo, "time", SimpleNamespace(time=lambda: next(now)))
    settings = Settings(str(tmp_path / "demo.db"))
    demo.fill(settings)
    store = SqliteStore(settings.store, write=False)
    assert store.read(0)[-1].at > next(now) - 5.0
    store.close()


def test_one_arm_leads_and_another_one_later() -> None:
    leaders = [max(demo.ARMS, key=lambda arm: demo.chance(arm, at)) for at in range(0, 1_680, 210)]
    assert set(leaders) == set(demo.ARMS)
    chances = [demo.chance(arm, at) for arm in (*demo.ARMS, "new") for at in range(3_000)]
    assert min(chances) > 0.05
    assert max(chances) < 0.45


def test_it_needs_a_new_file_and_simulates_nothing_before_it_has_one(tmp_path: Path) -> None:
    said = list[str]()
    with pytest.raises(InputError, match="--demo must have a file as its store"):
        demo.fill(Settings("postgresql://nowhere/x"), before=lambda: said.append("simulating"))
    store = SqliteStore(tmp_path / "log.db")
    begin(store)
    store.close()
    with pytest.raises(InputError, match="--demo must have a new store, got"):
        demo.fill(Settings(str(store.path)), before=lambda: said.append("simulating"))
    assert said == []


@pytest.mark.slow
def test_one_command_shows_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--demo") as server:
        board = server.client().ask("GET", f"/v1/experiments/{demo.NAME}/board/hour")[1]
        assert len(board["starts"]) > 140
        assert len(board["found"]) >= 5
        assert board["worth"]["low"] > 0.0
        assert server.stop() == 0
        store = SqliteStore(server.store, write=False)
        assert rebuild(store).wrong == []
        store.close()
