"""The command line where signals, limits and variables of the surroundings are not kind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from driftbandit.engine import executors
from driftbandit.engine.block import play_block
from driftbandit.engine.job import Job
from driftbandit.engine.player import Piece

pytestmark = pytest.mark.usefixtures("signals")

PLAY = ["simulate", "two-swaps", "--horizon", "60", "--runs", "600", "--workers", "1"]
KEPT = "blocks that were finished are kept in blocks: give the same command again to play the rest"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize(
    ("place", "end"), [([], "nothing written"), (["--checkpoint", "blocks"], KEPT)]
)
def test_a_signal_is_one_line(
    command: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    code: int,
    place: list[str],
    end: str,
) -> None:
    def killed(job: Job, block: int, tick: Any) -> list[Piece]:
        if block == 1:
            signal.raise_signal(number)
        return play_block(job, block, tick)

    monkeypatch.setattr(executors, "play_block", killed)
    answer = command(*PLAY, *place)
    assert (answer.code, answer.out, answer.err) == (code, "", f"driftbandit: terminated, {end}")
    assert [path.name for path in tmp_path.iterdir()] == place[1:]
    assert signal.getsignal(number) is signal.SIG_DFL


@pytest.mark.parametrize(
    ("number", "word", "code"),
    [("SIGINT", "interrupted", 130), ("SIGTERM", "terminated", 143), ("SIGHUP", "terminated", 129)],
)
def test_a_signal_while_the_commands_load_is_one_line(number: str, word: str, code: int) -> None:
    script = (
        "import signal, sys\n"
        "class Signalled:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'typer':\n"
        f"            signal.raise_signal(signal.{number})\n"
        "from driftbandit.cli import main\n"
        "sys.meta_path.insert(0, Signalled())\n"
        "main(['--version'])\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr == f"driftbandit: {word}, nothing written\n"


@pytest.mark.parametrize(
    ("number", "word", "code"),
    [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)],
)
def test_a_signal_in_a_finaliser_is_one_line(
    command: Any, monkeypatch: pytest.MonkeyPatch, number: int, word: str, code: int
) -> None:
    class Signalled:
        def __del__(self) -> None:
            signal.raise_signal(number)

    def finalise(*_: object) -> None:
        Signalled()
        time.sleep(10)

    monkeypatch.setattr("driftbandit.cli.grid_text.print_all", finalise)
    answer = command("policies")
    assert (answer.code, answer.err) == (code, f"driftbandit: {word}, nothing written")


def test_a_signal_that_is_ignored_stays_so(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def hung_up(job: Job, block: int, tick: Any) -> list[Piece]:
        signal.raise_signal(signal.SIGHUP)
        return play_block(job, block, tick)

    monkeypatch.setattr(executors, "play_block", hung_up)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    assert command(*PLAY).code == 0


@pytest.mark.parametrize(
    ("variable", "value", "least"),
    [("POLARS_MAX_THREADS", "0", 1), ("SOURCE_DATE_EPOCH", "today", 0)],
)
def test_a_variable_that_libraries_stumble_over_is_one_line(
    variable: str, value: str, least: int
) -> None:
    done = run_process(PLAY, env={**os.environ, variable: value})
    assert done.returncode == 2
    allowed = f"must be a whole number of at least {least}, got '{value}'"
    assert done.stderr == f"driftbandit: the environment variable {variable} {allowed}\n"


def test_a_variable_that_numba_cannot_read_is_told_without_a_traceback(tmp_path: Path) -> None:
    done = run_process(["warmup"], env={**os.environ, "NUMBA_OPT": "x"}, cwd=tmp_path)
    assert done.returncode == 0
    assert "'NUMBA_OPT' is defined but its associated value 'x' could not be parsed" in done.stderr
    assert "The parse failed with exception: ValueError: " in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_of_matplotlib_that_are_no_text_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_bytes(b"\xff\xfe")
    done = run_process(PLAY, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    words = "driftbandit: matplotlib cannot read its settings, matplotlibrc: \"'utf-8' codec can't"
    assert done.stderr.splitlines()[-1].startswith(words)
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["matplotlibrc"]


def test_too_little_memory_is_one_line() -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))

    done = run_process(PLAY, preexec_fn=limit)
    assert done.returncode == 2
    line = "the limit on memory (ulimit -v) must be at least 1,572,864 kB, got 1,048,576 kB"
    assert done.stderr == f"driftbandit: {line}\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "too large to compute: there is not enough memory"),
        (OSError("Could not load libllvmlite.so"), "Could not load libllvmlite.so"),
        (type("PanicException", (BaseException,), {})("no threads"), "Polars gave up: no threads"),
    ],
)
def test_a_library_that_gives_up_is_one_line(
    command: Any, monkeypatch: pytest.MonkeyPatch, error: BaseException, line: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("driftbandit.cli.grid_text.print_all", fail)
    answer = command("policies")
    assert (answer.code, answer.err) == (1, f"driftbandit: {line}")


LONG = "horizon must be at most 1000000000000, got 1000000000000000"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["simulate", "two-swaps", "--horizon", "1e15"], LONG),
        (["simulate", "two-swaps(horizon=1e15)"], LONG),
        (["tune", "two-swaps", "--policy", "sw-ucb", "--horizon", "1e15"], LONG),
        (["tune", "two-swaps(horizon=1e15)", "--policy", "sw-ucb"], LONG),
        (
            ["bounds", "--horizon", "1e15", "--breakpoints", "1", "--gap", ".1", "--measure", "9"],
            "horizon to measure must be at most 1000000000000, got",
        ),
        (["arena", "--wild", "1e9"], "wild must be at most 100000, got 1000000000"),
        (["simulate", "two-swaps", "--out", "bad\udcff"], "out must be a name in UTF-8"),
    ],
)
def test_what_cannot_be_done_is_refused_at_once(
    command: Any, tmp_path: Path, arguments: list[str], line: str
) -> None:
    answer = command(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"driftbandit: {line}")
    assert list(tmp_path.iterdir()) == []


def test_a_seed_may_have_any_number_of_digits(command: Any) -> None:
    options = ["--horizon", "60", "--runs", "10", "--policy", "ucb-1", "--json"]
    answer = command("simulate", "two-swaps", *options, "--seed", str(2**70))
    assert (answer.code, f'"seed": {2**70}' in answer.out) == (0, True)


def test_warmup_compiles_for_any_number_of_arms(command: Any) -> None:
    assert command("warmup", "--arms", "1e15").code == 0


@pytest.mark.parametrize("arguments", [["policies"], ["policies", "sw-ucb"], ["environments"]])
def test_descriptions_that_python_leaves_out_are_told(arguments: list[str]) -> None:
    done = run_process(arguments, env={**os.environ, "PYTHONOPTIMIZE": "2"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "no description, since Python leaves docstrings out (-OO)" in done.stdout
    assert "dataclass" not in done.stdout
    assert "plays: 'Count'" not in done.stdout


def test_a_current_folder_that_was_removed_is_named_where_code_is_compiled(tmp_path: Path) -> None:
    code = "import os, driftbandit as db\nos.rmdir(os.getcwd())\ndb.engine.warmup()\n"
    place, cache = tmp_path / "gone", tmp_path / "cache"
    place.mkdir()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=place, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    line = "the current folder must exist while code is compiled, and was removed"
    assert done.stderr.splitlines()[-1] == f"driftbandit.InputError: {line}"


def run_process(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    code = "from driftbandit.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)
