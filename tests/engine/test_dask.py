"""Blocks on a Dask cluster: two worker processes of this machine stand for many of others."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

import driftbandit as db
from driftbandit.cli import main
from driftbandit.engine.job import make_job
from same_bits import assert_same_bits

POLICIES = [db.SlidingWindowUCB(20), db.EXP3S(0.1, 0.01)]
WORLD = db.environments.Brownian()
RUNS = 10_000


@pytest.fixture(scope="module")
def undisturbed() -> db.Result:
    """The same on one thread; also compiles what the workers then find on disk."""
    return db.simulate(POLICIES, WORLD, horizon=100, runs=RUNS, workers=1)


@pytest.fixture(scope="module")
def client(undisturbed: db.Result) -> Iterator[Any]:
    make: Any = distributed  # has few types
    with (
        make.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        make.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def play(client: Any, **options: Any) -> db.Result:
    executor = client.get_executor()
    return db.simulate(POLICIES, WORLD, horizon=100, runs=RUNS, executor=executor, **options)


def test_a_cluster_gives_the_same_bits(client: Any, undisturbed: db.Result) -> None:
    heard: list[int] = []
    result = play(client, workers=2, progress=lambda done, total: heard.append(done))
    assert_same_bits(result, undisturbed)
    assert heard == sorted(heard)
    assert heard[-1] == 2 * 100 * RUNS


def test_blocks_of_a_worker_that_dies_are_played_by_another(
    client: Any, undisturbed: db.Result
) -> None:
    before = dict(client.run(os.getpid))
    victims = list(before.values())[:1]

    def kill(done: int, total: int) -> None:
        while victims:  # with blocks left to hand in, since eight of forty are on their way
            os.kill(victims.pop(), signal.SIGKILL)

    assert_same_bits(play(client, workers=2, progress=kill), undisturbed)
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(before.values())  # its nanny made a new one


def test_the_command_line_plays_on_a_cluster(
    client: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["simulate", "brownian", "--horizon", "100", "--runs", "600", "--json"]
    command += ["--policy", "sw-ucb(20)"]
    answers = []
    for place in (["--workers", "1"], ["--dask", client.scheduler.address, "--checkpoint", "kept"]):
        with pytest.raises(SystemExit) as ended:
            main([*command, *place])
        assert ended.value.code == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
    blocks = make_job(db.SlidingWindowUCB(20), WORLD, 100, 600, 0, 200).blocks
    assert len(list((tmp_path / "kept").glob("*.parquet"))) == blocks


def failure(capsys: pytest.CaptureFixture[str], *place: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "two-swaps", "--horizon", "50", "--runs", "2", *place])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    return err.removeprefix("driftbandit: ").rstrip()


@pytest.fixture
def refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., str]]:
    """Give a command that fails; nothing may be left of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("driftbandit.cli.cluster.PATIENCE", 0.3)
    yield lambda *place: failure(capsys, *place)
    assert list(tmp_path.iterdir()) == []


def test_no_scheduler_is_one_line(refused: Callable[..., str]) -> None:
    line = refused("--dask", "tcp://127.0.0.1:9", "--checkpoint", "kept")
    assert line.startswith("--dask found no scheduler at tcp://127.0.0.1:9: ")
    line = refused("--dask", "nonsense://x")
    assert line == "--dask must be an address such as tcp://HOST:PORT, got 'nonsense://x'"
    assert refused("--dask", "nonsense://x:1").startswith("--dask found no scheduler at nonsense:")


def test_a_server_that_never_speaks_is_given_up(refused: Callable[..., str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        line = refused("--dask", address, "--checkpoint", "kept")
    assert line == f"--dask found no scheduler at {address}: no answer within 0.3 seconds"


def test_a_server_that_is_no_scheduler_is_told(refused: Callable[..., str]) -> None:
    def answer() -> None:
        with web.accept()[0] as connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as web:
        address = f"tcp://127.0.0.1:{web.getsockname()[1]}"
        thread = threading.Thread(target=answer)
        thread.start()
        line = refused("--dask", address)
        thread.join()
    end = "what answers there is no Dask scheduler"
    assert line == f"--dask found no scheduler at {address}: {end}"


def test_dask_and_workers_exclude_each_other(refused: Callable[..., str]) -> None:
    line = refused("--dask", "tcp://127.0.0.1:9", "--workers", "2")
    assert line == "--dask and --workers exclude each other: a cluster has its own workers"


def test_without_dask_the_line_says_what_to_install(
    refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = refused("--dask", "tcp://127.0.0.1:9")
    start = f"--dask needs Dask: {sys.executable} -m pip install "
    assert line.startswith(start)
    (requirement,) = shlex.split(line.removeprefix(start))
    table = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert table["project"]["optional-dependencies"]["dask"] == [requirement]
