"""The pages are true: their code runs and prints what they say, and nothing public is left out.

In a page, `python` blocks run in order in one namespace, and so do `sh` blocks whose every line is
a `driftbandit` command. An `output` block shows what the block before it prints.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import pytest
from typer.main import get_command

import driftbandit
from driftbandit import environments, linear, policies
from driftbandit.cli.app import app
from driftbandit.cli.syntax import VARIANTS, parameters

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
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
        Block(found[1], found[2], text.count("\n", 0, found.start(2)))
        for found in FENCE.finditer(text)
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


def run_commands(lines: list[str], folder: Path) -> str:
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    printed = ""
    for line in lines:
        done = subprocess.run(
            line,
            shell=True,
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        printed += done.stdout
    return printed


@pytest.fixture
def module(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> types.ModuleType:
    """Return a module whose file holds the page's code, line for line, so that rules are cached."""
    page: Path = request.param
    lines = [""] * page.read_text(encoding="utf-8").count("\n")
    for block in blocks(page):
        if block.kind == "python":
            code = block.text.splitlines()
            lines[block.line : block.line + len(code)] = code
    made = types.ModuleType("page_" + re.sub(r"\W", "_", page.stem))
    made.__file__ = str(tmp_path / f"{made.__name__}.py")
    Path(made.__file__).write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    return made


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
            printed = run_commands(commands(block), Path.cwd())
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


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    missing = [name(page) for page in PAGES[1:] if page != index and page not in linked]
    # a decision may be reached through its folder
    assert not [page for page in missing if not page.startswith("docs/decisions/")]


REFERENCE = "\n".join(
    page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "reference").glob("*.md"))
)
CODE = SPAN.findall(FENCE.sub("", REFERENCE)) + [text for _, text in FENCE.findall(REFERENCE)]


@pytest.mark.parametrize("public", driftbandit.__all__)
def test_every_public_name_is_in_the_reference(public: str) -> None:
    assert any(re.search(rf"(?<![\w-]){public}(?![\w-])", code) for code in CODE)


def makers() -> dict[str, Callable[..., Any]]:
    """Return all that the command line can make, by name."""
    found: dict[str, Callable[..., Any]] = {}
    catalogues: list[Any] = [
        policies.CATALOGUE,
        environments.CATALOGUE,
        linear.CATALOGUE,
        linear.WORLDS,
        {f"{law} (law)": maker for law, maker in environments.laws.CATALOGUE.items()},
    ]
    for catalogue in catalogues:
        for title, maker in catalogue.items():
            others = {f"{title}.{form}": getattr(maker, form, None) for form in VARIANTS}
            found |= {title: maker} | {key: other for key, other in others.items() if other}
    return found


@pytest.mark.parametrize("title", makers())
def test_every_parameter_and_default_is_in_the_reference(title: str) -> None:
    written = f"{title.removesuffix(' (law)')}({parameters(makers()[title])})"
    assert written in CODE, f"the reference must show `{written}`"


def options() -> list[tuple[str, str]]:
    """Return every option of every command."""
    group: Any = get_command(app)
    return [
        (title, option)
        for title, command in group.commands.items()
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    ]


@pytest.mark.parametrize(("command", "option"), options())
def test_every_command_and_option_is_in_the_reference(command: str, option: str) -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    section = page.partition(f"## `driftbandit {command}")[2].partition("\n## ")[0]
    assert section, f"cli.md must have a section `driftbandit {command}`"
    assert f"`{option}" in section
