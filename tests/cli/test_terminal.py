"""The command line as a process of its own: quick to start, and at a terminal."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from driftbandit.cli import app, output
from driftbandit.core.table import width

COMMANDS = [function.__name__ for function in app.COMMANDS]
BOUNDS = ["bounds", "--horizon", "1000", "--breakpoints", "1", "--gap", "0.1"]


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        *[([*command, "--help"], set()) for command in ([], *([name] for name in COMMANDS))],
        *[(["log", *command, "--help"], set()) for command in ([], ["check"], ["value"])],
        (["policies"], {"numpy"}),
        (["policies", "sw-ucb", "--json"], {"numpy"}),
        (["environments"], {"numpy"}),
        (BOUNDS, {"numpy"}),
        (["simulate", "nowhere"], {"numpy", "numba"}),
    ],
)
def test_a_command_loads_only_what_it_uses(words: list[str], allowed: set[str]) -> None:
    code = (
        "import sys\n"
        "from driftbandit.cli import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    heavy = {'numpy', 'numba', 'matplotlib', 'narwhals', 'polars', 'rich'}\n"
        "    heavy |= {'distributed'}\n"
        "    print(*(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, *words]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(process.stderr.splitlines()[-1].split()) <= allowed


@pytest.mark.parametrize(
    ("command", "first"), [("policies", "forget: "), ("environments", "environments")]
)
def test_an_ascii_terminal_gets_all_it_can_show(command: str, first: str) -> None:
    def printed(*options: str) -> str:
        code = "from driftbandit.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, command, *options],
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=True,
        )
        assert done.stderr == b""
        return done.stdout.decode("ascii")

    assert printed().startswith(first)
    content = json.loads(printed("--json"))  # where no letter is lost
    assert not any("?" in row["summary"] for row in content[command])


def test_a_terminal_shows_progress_and_keeps_json_clean(tmp_path: Path) -> None:
    import pty  # noqa: PLC0415  # not on every system

    mother, child = pty.openpty()
    code = "from driftbandit.cli import main; main()"
    arguments = ["simulate", "two-swaps", "--runs", "200", "--json"]
    command = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=child, cwd=tmp_path) as running:
        os.close(child)
        shown = _drained(mother)
        out, _ = running.communicate()
    assert running.returncode == 0
    assert "simulating" in shown
    assert "left" in shown
    assert json.loads(out)["runs"] == 200


def test_code_of_the_current_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "benchmarks").mkdir()
    places = ["benchmarks/__init__", "benchmarks/yardsticks", "numpy", "numba", "polars", "rules"]
    for name in [*places, "sitecustomize", "conftest", "matplotlib", "driftbandit"]:
        (tmp_path / f"{name}.py").write_text("open('was-run', 'w').close()")
    program = Path(sys.executable).parent / "driftbandit"
    options = ["--horizon", "100", "--runs", "20", "--policy", "ucb-1"]
    subprocess.run([program, "simulate", "two-swaps", *options], cwd=tmp_path, check=True)
    assert (tmp_path / "results").exists()
    assert not (tmp_path / "was-run").exists()


def _drained(terminal: int) -> str:
    """All that is written to a terminal until its other side is closed."""
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # what Linux answers at the end
            part = b""
        if not part:
            os.close(terminal)
            return b"".join(parts).decode()
        parts.append(part)


@pytest.mark.parametrize("arguments", [["policies"], ["policies", "--json"], ["--help"]])
def test_a_full_disk_on_stdout_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = run_process(arguments, stdout=full)
    assert done.returncode == 1
    assert done.stderr == "driftbandit: cannot write: No space left on device\n"


def test_the_key_of_a_new_store_is_shown_where_stdout_cannot_be_written(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = run_process(["serve", "--port", "0"], stdout=full, cwd=tmp_path)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert any(line.startswith("key (shown this once): ") for line in lines)
    assert lines[-1] == "driftbandit: cannot write: No space left on device"


def test_a_closed_stdout_is_one_line() -> None:
    done = run_process(["policies"], preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    assert done.stderr == "driftbandit: nothing can be printed: stdout is closed\n"


def test_a_closed_stderr_stops_nothing(tmp_path: Path) -> None:
    arguments = ["simulate", "two-swaps", "--policy", "ucb-1", "--runs", "10", "--horizon", "50"]
    done = run_process(
        arguments, stdout=subprocess.PIPE, cwd=tmp_path, preexec_fn=lambda: os.close(2)
    )
    assert done.returncode == 0
    assert done.stdout.startswith("regret at round 50 in two-swaps")


@pytest.mark.parametrize(
    ("name", "least", "number"),
    [
        ("NUMBA_NUM_THREADS", 1, "0"),
        ("NUMBA_NUM_THREADS", 1, "-1"),
        ("NUMBA_NUM_THREADS", 1, "many"),
        ("DRIFTBANDIT_SMALL_JOB", 0, "few"),
        ("DRIFTBANDIT_SMALL_JOB", 0, "٣"),
        ("NUMBA_NUM_THREADS", 1, "9" * 30),
    ],
)
def test_variables_that_are_no_such_number_are_one_line(name: str, least: int, number: str) -> None:
    done = run_process(["simulate", "two-swaps"], env={**os.environ, name: number})
    assert done.returncode == 2
    allowed = f"must be a whole number of at least {least}"
    assert (
        done.stderr == f"driftbandit: the environment variable {name} {allowed}, got '{number}'\n"
    )


class Terminal(io.StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


def words(text: str) -> set[str]:
    """All words and numbers, without what only a terminal or only a pipe shows."""
    return {word.rstrip(":?") for word in text.replace("─", " ").split()}


LONG = "a policy whose label is so long that no terminal of eighty columns has room for it, ξ = "
LABELS = [
    f"{LONG}0.1",
    f"{LONG}0.2",
    "without_any_space_but_longer_than_forty_columns_ξ=0.3",
    "窗口",
]
POLICIES = [
    f"ucb-1(xi=0.{place},label='{label}')" for place, label in enumerate(LABELS[:3], start=1)
]
PLAY = ["simulate", "two-swaps", "--horizon", "200", "--runs", "10"]
HEADS = {"policy", "rule", "Python", "cell", "parameters", "reference", "what"}
"""Names of columns of texts, which paragraphs do without."""
PRINTS = {
    "simulate": [*PLAY, *(word for text in POLICIES for word in ("--policy", text))],
    "arena": ["arena", "--problem", "besson-4", "--policy", "ucb-1", "--policy", "sw-ucb"],
    "tune": ["tune", "two-swaps", "--policy", "sw-ucb", "--horizon", "200", "--runs", "10"],
    "bounds": ["bounds", "--horizon", "1e6", "--breakpoints", "3", "--gap", "0.1"],
    "policies": ["policies"],
    "one family": ["policies", "weights"],
    "environments": ["environments"],
}


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 130])
@pytest.mark.parametrize("command", PRINTS)
def test_no_terminal_is_too_narrow(
    command: str, columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is cut: all that a pipe gets is shown, word for word and number for number."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = printed(PRINTS[command], Terminal())
    times = {"arena": r"\d+\.\d"}.get(command)  # nanoseconds differ from time to time
    lost = words(piped(command)) - words(shown) - HEADS
    assert not {word for word in lost if not (times and re.fullmatch(times, word))}


@functools.cache
def piped(command: str) -> str:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return printed(PRINTS[command], io.StringIO())


def printed(arguments: list[str], stdout: io.StringIO) -> str:
    with contextlib.redirect_stdout(stdout), pytest.raises(SystemExit) as ended:
        app.main(arguments)
    assert not ended.value.code
    return re.sub(r"\x1b\[[0-9;]*m", "", stdout.getvalue())  # bold and coloured


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_no_two_rows_look_alike(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = [[label, f"{1234.5 + place:.1f}"] for place, label in enumerate(LABELS)]
    terminal = Terminal()
    with contextlib.redirect_stdout(terminal):
        output.table(["policy", "mean"], rows, right=1)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue()).splitlines()
    shown = words("\n".join(lines))
    for label, mean in rows:
        assert {*label.split(), mean} <= shown
    assert max(width(line) for line in lines if "without_any" not in line) <= columns


def test_a_letter_that_no_font_has_is_one_line(tmp_path: Path) -> None:
    label = "\N{EGYPTIAN HIEROGLYPH A001}"
    arguments = [*PLAY, "--policy", f"ucb-1(label='{label}')"]
    done = run_process(arguments, stdout=subprocess.PIPE, cwd=tmp_path)
    assert (done.returncode, label in done.stdout) == (0, True)
    (line,) = (line for line in done.stderr.splitlines() if "compiling" not in line)
    assert line.startswith("driftbandit: Glyph 77824")


@pytest.mark.parametrize("kilobytes", [1, 5, 20])
def test_files_that_cannot_grow_are_one_line(kilobytes: int, tmp_path: Path) -> None:
    """A limit on files stands for a full disk; what writes first fails, be it polars or NumPy."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))

    arguments = ["simulate", "two-swaps", "--horizon", "200", "--runs", "200", "--policy", "ucb-1"]
    done = run_process(arguments, cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=limit)
    assert done.returncode == 2
    (line,) = (line for line in done.stderr.splitlines() if "compil" not in line)
    assert line.startswith("driftbandit: cannot write results/simulate")
    assert line.endswith(": File too large")
    assert list(tmp_path.iterdir()) == []


def run_process(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    code = "from driftbandit.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)
