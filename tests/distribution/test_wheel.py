"""The wheel in an empty environment outside the clone: for its owner, and for another user."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import NamedTuple

import pytest

from distribution.building import ROOT, link_dependencies

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
ONLY_READS = ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]
NO_PRIVILEGES = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
OTHERS = [NOBODY, [*NOBODY, *ONLY_READS], NO_PRIVILEGES] if os.getuid() == 0 else [[]]
"""Who else may run it, where root tests: nobody; nobody, who may read what is root's, as an
interpreter in root's home; root without the right to write where it is forbidden. A user who is not
root takes the right to write from himself."""

SWAPS = ["simulate", "two-swaps", "--horizon", "200", "--runs", "20"]
PAIR = ["simulate", "stationary(means=[0.5,0.4])", "--horizon", "200", "--policy", "ucb-1"]


class Environment(NamedTuple):
    """A folder that all may enter, with an environment that has the wheel in it."""

    folder: Path

    @property
    def package(self) -> Path:
        (path,) = self.folder.glob("env/lib/*/site-packages/driftbandit")
        return path

    def run(self, place: Path, *arguments: str, user: tuple[str, ...] = ()) -> tuple[str, str]:
        """Run a program of the environment in a folder, as any user: return stdout and stderr."""
        program = str(self.folder / "env" / "bin" / arguments[0])
        done = subprocess.run(
            [*user, program, *arguments[1:]],
            cwd=place,
            env={"PATH": os.environ["PATH"], "HOME": "/dev/null", "TMPDIR": str(place)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return email.message_from_bytes(archive.read(name))


@pytest.fixture(scope="module")
def environment(wheel: Path, metadata: Message) -> Iterator[Environment]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
        python = str(folder / "env" / "bin" / "python")
        (site,) = folder.glob("env/lib/*/site-packages")
        link_dependencies(metadata.get_all("Requires-Dist") or [], site)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        pins = ["--constraint", str(ROOT / "constraints.txt")]
        subprocess.run([*install, *pins, str(wheel)], check=True)
        yield Environment(folder)
        permit(folder, 0o700)


def permit(folder: Path, bits: int) -> None:
    """Set the rights of the owner on all folders below; others may read."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(bits | 0o055)


@pytest.fixture
def place(environment: Environment) -> Iterator[Path]:
    """Yield an empty folder outside the clone that every user may write to."""
    with tempfile.TemporaryDirectory(dir=environment.folder) as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture
def other(environment: Environment, place: Path) -> Iterator[tuple[str, ...]]:
    """Yield what runs a command as another user, who cannot write to the environment."""
    permit(environment.folder / "env", 0o500)
    package = str(environment.package)
    code = f"import os, numpy; open('mine', 'w'); print(os.access({package!r}, os.W_OK))"
    for user in OTHERS:
        command = [*user, str(environment.folder / "env" / "bin" / "python"), "-c", code]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        (place / "mine").unlink(missing_ok=True)
        if done.stdout == "False\n":
            yield tuple(user)
            break
    else:
        pytest.fail(f"no way to run as another user: {done.stderr}")
    permit(environment.folder / "env", 0o700)


def test_it_works(environment: Environment, place: Path) -> None:
    helped, _ = environment.run(place, "driftbandit", "--help")
    assert "simulate" in helped
    where, _ = environment.run(place, "python", "-c", "import driftbandit as d; print(d.__file__)")
    assert Path(where.strip()).parent == environment.package
    out, _ = environment.run(place, "driftbandit", *SWAPS, "--policy", "ucb-1")
    assert "UCB-1" in out
    assert (place / "results" / "simulate" / "summary.csv").stat().st_size > 0


def test_another_user_uses_what_its_owner_has_warmed_up(
    environment: Environment, place: Path, request: pytest.FixtureRequest
) -> None:
    environment.run(place, "driftbandit", "warmup")
    user = request.getfixturevalue("other")
    out, notes = environment.run(place, "driftbandit", *SWAPS, user=user)
    assert "SW-UCB" in out
    assert notes == ""


def test_another_user_keeps_what_was_not_warmed_up(
    environment: Environment, place: Path, other: tuple[str, ...]
) -> None:
    _, first = environment.run(place, "driftbandit", *PAIR, user=other)
    assert first == "driftbandit: compiling for first use, later runs start at once\n"
    _, second = environment.run(place, "driftbandit", *PAIR, user=other)
    assert second == ""


def test_the_page_of_an_index_has_no_link_that_leads_nowhere(metadata: Message) -> None:
    page = bytes(metadata.get_payload(decode=True)).decode()
    targets = re.findall(r"\]\(([^)]*)\)", page)
    assert [target for target in targets if not target.startswith("https://")] == []
    files = re.findall(r"`((?:docs/)?[\w./-]+\.(?:md|png|svg|json))`", page)
    assert "docs/figures/experiments.png" in files
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_the_page_of_an_index_is_the_readme_otherwise(metadata: Message) -> None:
    page = bytes(metadata.get_payload(decode=True)).decode()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    plain = {line for line in readme.splitlines() if "](" not in line}
    assert plain <= set(page.splitlines())
