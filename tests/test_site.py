"""The site builds without a warning, its links lead somewhere, and nothing public is left out."""

from __future__ import annotations

import subprocess
import sys
import types
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from typer.main import get_command

import driftbandit
from _ext.reference.commands import leaves
from browser import opened
from driftbandit import engine, environments, figures, linear, logs, policies, theory
from driftbandit.cli.app import app
from driftbandit.environments import laws, published

ROOT = Path(__file__).parent.parent
ROOMS = [driftbandit, engine, environments, figures, laws, linear, logs, published, theory]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--nitpicky"]
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stderr
    return folder


class Page(HTMLParser):
    """What a page links to, what it loads, and the places in it that a link can lead to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        leads = tag == "a" or (tag == "link" and "stylesheet" not in values.get("rel", ""))
        targets = self.links if leads else self.loads
        targets += [values[name] for name in ("src", "href") if values.get(name)]


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_link_leads_somewhere(pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            target, place = urldefrag(link.partition("?")[0])
            if "://" in target or target.startswith(("mailto:", "data:")):
                continue
            other = (path.parent / unquote(target)).resolve() if target else path
            known = pages[other].places if other in pages else set()
            if not other.exists() or (place and unquote(place) not in known):
                broken.append(f"{path.name}: {link}")
    assert not broken


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Page]) -> None:
    assert not [load for page in pages.values() for load in page.loads if "//" in load]


def documented(site: Path) -> set[str]:
    """Return the names in the reference, from the inventory that Sphinx writes."""
    data = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split()[0] for line in zlib.decompress(data).decode().splitlines()}


def paths(room: types.ModuleType, name: str) -> set[str]:
    """Return where a public name may be documented: its room, the one above, or its module."""
    value = getattr(room, name)
    home = f"{value.__module__}.{getattr(value, '__qualname__', name)}"
    above = room.__name__.rpartition(".")[0] or "driftbandit"
    return {f"{room.__name__}.{name}", f"{above}.{name}", home}


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    known = documented(site)
    public = [(room, name) for room in ROOMS for name in room.__all__]
    missing = [
        f"{room.__name__}.{name}"
        for room, name in public
        if callable(getattr(room, name)) and not paths(room, name) & known
    ]
    assert not missing


def test_every_name_in_a_shell_is_in_the_reference(site: Path) -> None:
    text = "".join(page.read_text("utf-8") for page in (site / "reference").glob("*.html"))
    names = [*policies.CATALOGUE, *environments.CATALOGUE, *laws.CATALOGUE]
    names += [*linear.WORLDS]
    assert not [name for name in names if f'<span class="pre">{name}</span>' not in text]


def test_every_command_and_option_is_in_the_reference(site: Path) -> None:
    group: Any = get_command(app)
    text = (site / "reference" / "command-line.html").read_text("utf-8")
    for words, command in leaves(group).items():
        name = words.replace(" ", "-")
        section = text.partition(f'id="driftbandit-{name}"')[2].partition("<section")[0]
        options = [option for part in command.params for option in part.opts if "--" in option]
        assert options
        assert not [option for option in options if f">{option}" not in section]


def test_formulas_are_set(site: Path) -> None:
    text = (site / "reference" / "index-policies.html").read_text("utf-8")
    label = 'aria-label="X̄_t(i) + B √(ξ log t / N_t(i))"'
    formula = text.partition(label)[2].partition("</span>")[0]
    assert "<msqrt>" in formula
    assert '<mover accent="true"><mi>X</mi>' in formula


@pytest.mark.slow
def test_search_finds_a_page(site: Path) -> None:
    with opened() as page:
        page.goto(f"{(site / 'search.html').as_uri()}?q=window")
        page.wait_for_selector('a[href="reference/forget.html#window"]')
        page.get_by_role("heading", name="Search Results").wait_for()  # after the last one
