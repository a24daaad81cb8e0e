"""The pages are true: their code runs and prints what they say, and their links lead somewhere.

In a page, `python` blocks run in order in one namespace, and so do `sh` blocks whose every line is
a `driftbandit` command. An `output` block shows what the block before it prints.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import pytest

from driftbandit.cli import main

ROOT = Path(__file__).parent.parent
TOP = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES = [*TOP, *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
BIN = Path(sys.executable).parent
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    kind: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start(2)))
        for match in FENCE.finditer(text)
    ]


def commands(block: Block) -> list[str]:
    """Return the lines of a shell block if all are commands of this package, else none."""
    lines = block.text.replace("\\\n", " ").splitlines()
    ours = block.kind == "sh" and all(line.startswith("driftbandit ") for line in lines)
    return lines if ours else []


def run_python(block: Block, module: types.ModuleType) -> str:
    assert module.__file__ is not None
    code = compile("\n" * block.line + block.text, module.__file__, "exec", dont_inherit=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, module.__dict__)
    return printed.getvalue()


def run_command(line: str) -> str:
    """Run a command in this process, which has loaded everything, or in a shell if need be."""
    if re.search(r"[|<>;&$`*]", line):
        return run_in_shell(line)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as ended:
        main(shlex.split(line)[1:])
    assert not ended.value.code, line
    return printed.getvalue()


def run_in_shell(line: str) -> str:
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    process = subprocess.run(
        line,
        shell=True,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert process.returncode == 0, f"{line}\n{process.stderr}"
    return process.stdout


@pytest.fixture
def module(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> types.ModuleType:
    """Return a module whose file holds the page's code, line for line, so that rules are cached."""
    page: Path = request.param
    lines = [""] * page.read_text(encoding="utf-8").count("\n")
    for block in blocks(page):
        if block.kind == "python":
            rows = block.text.splitlines()
            lines[block.line : block.line + len(rows)] = rows
    code = types.ModuleType("page_" + re.sub(r"\W", "_", page.stem))
    code.__file__ = str(tmp_path / f"{code.__name__}.py")
    Path(code.__file__).write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setitem(sys.modules, code.__name__, code)
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    return code


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize(
    ("page", "module"), [(page, page) for page in PAGES], indirect=["module"], ids=map(name, PAGES)
)
def test_code_runs_and_prints_what_the_page_says(page: Path, module: types.ModuleType) -> None:
    printed = ""
    for block in blocks(page):
        if block.kind == "python":
            printed = run_python(block, module)
        elif block.kind == "sh":
            printed = "".join(map(run_command, commands(block)))
        elif block.kind == "output":
            where = f"{name(page)}:{block.line + 1} says\n{block.text}\nbut the code prints\n"
            fits = doctest.OutputChecker().check_output(block.text, printed, LOOSE)
            assert fits, where + printed


@pytest.mark.parametrize("page", PAGES, ids=map(name, PAGES))
def test_links_lead_somewhere(page: Path) -> None:
    prose = SPAN.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))
    links = [link for link in LINK.findall(prose) if not re.match(r"\w+:", link)]
    broken = [link for link in links if not (page.parent / link).exists()]
    assert not broken
