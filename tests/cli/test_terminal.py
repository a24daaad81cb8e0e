"""The command line as a process of its own: quick to start, and at a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from driftbandit.cli import app

COMMANDS = [function.__name__ for function in app.COMMANDS]
BOUNDS = ["bounds", "--horizon", "1000", "--breakpoints", "1", "--gap", "0.1"]


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        *[([*command, "--help"], set()) for command in ([], *([name] for name in COMMANDS))],
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
        "    heavy = {'numpy', 'numba', 'matplotlib', 'polars', 'rich', 'distributed'}\n"
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
    assert json.loads(out)["runs"] == 200


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


def test_a_closed_stdout_is_one_line() -> None:
    done = run_process(["policies"], preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    assert done.stderr == "driftbandit: nothing can be printed: stdout is closed\n"


def run_process(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    code = "from driftbandit.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)
