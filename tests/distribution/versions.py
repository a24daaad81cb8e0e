"""`make test-oldest`: the same bytes from every Python, and from the oldest dependencies allowed.

Every Python that the classifiers of pyproject.toml name plays the same jobs with the versions of
constraints.txt; the oldest of them plays them with the lower bounds of the dependencies, too. All
CSV files must be equal, byte by byte. Some tests run with the lower bounds, as well. A Python that
this machine does not have is named at the end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from distribution.building import ROOT, build, copy_repository

PYTHON = "Programming Language :: Python :: 3."
EXTRAS = ("dask",)
"""Those that are for users; their lower bounds are tried as well."""

DASK = """
import driftbandit as db
from distributed import Client

if __name__ == "__main__":
    world = db.environments.two_swaps(horizon=1_000)
    policies = [db.UCB1(), db.SlidingWindowUCB(300)]
    with Client(n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        executor = client.get_executor()
        result = db.simulate(policies, world, runs=300, executor=executor, workers=1)
    result.save("dask")
"""
LIVE = """
import json
import random

import driftbandit as db

policies = [
    db.Auto(), db.SlidingWindowUCB(50), db.DiscountedThompson(0.98), db.EXP3S(0.1, 0.01),
    db.GLRklUCB.tuned(horizon=1_000, arms=3), db.CUSUMUCB.tuned(horizon=1_000, breakpoints=2),
    db.AnytimeEXP3IX(), db.Policy(forget=db.HalfLife("1m")),
]
with open("live.csv", "w", encoding="utf-8") as file:
    for policy in policies:
        agent, luck, ids = policy.agent(3, seed=1, floor=0.1), random.Random(2), []
        for t in range(300):
            if t % 100 == 50:
                agent = db.Agent.restore(json.loads(json.dumps(agent.state())))
            decision = agent.decide(at=float(t))
            ids.append(decision.id)
            if len(ids) > 5:
                agent.reward(ids.pop(luck.randrange(5)), float(luck.random() < 0.4), at=float(t))
            file.write(f"{policy.label};{decision.arm};{decision.probability:.12f}\\n")
"""
JOBS = (
    ("driftbandit", "simulate", "--help"),
    ("driftbandit", "reproduce", "--runs", "200", "--out", "reproduce"),
    ("driftbandit", "arena", "--problem", "besson-1", "--runs", "100", "--repeats", "0",
     "--out", "arena"),
    ("driftbandit", "simulate", "linear-abrupt", "--runs", "20", "--out", "linear"),
    ("driftbandit", "tune", "two-swaps", "--policy", "sw-ucb", "--horizon", "1000",
     "--runs", "50", "--out", "tune"),
    ("python", "dask_job.py"),
    ("python", "live_job.py"),
)  # fmt: skip
"""Programs of an environment with their arguments; together, they play all families of policies."""

TESTS = (
    "-m", "pytest", "-q", "-m", "not slow",
    "-o", "filterwarnings=",  # old versions stumble over the warnings of what is new beside them
    "tests/cli/test_cli.py", "tests/figures", "tests/engine/test_storage.py",
    "tests/logs/test_estimates.py", "tests/logs/test_overlap.py",
)  # fmt: skip
"""What else runs with the lower bounds: what uses the dependencies most."""

Files = dict[str, bytes]


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def named_pythons() -> list[str]:
    """Return the versions of Python that the classifiers name, oldest first."""
    minors = [name.removeprefix(PYTHON) for name in project()["classifiers"] if PYTHON in name]
    return [f"3.{minor}" for minor in sorted(map(int, minors))]


def lower_bounds() -> list[str]:
    """Return a pin for every dependency: the oldest version that is allowed."""
    table = project()
    lines = [*table["dependencies"]]
    for extra in EXTRAS:
        lines += table["optional-dependencies"][extra]
    return [_lowest(Requirement(line)) for line in lines]


def _lowest(requirement: Requirement) -> str:
    (bound,) = (each.version for each in requirement.specifier if each.operator == ">=")
    return f"{requirement.name}=={bound}"


def find_python(version: str) -> str | None:
    """Return an interpreter of this version: on the PATH, or one that pyenv or uv installed."""
    for program in _candidates(version):
        command = [program, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:  # pyenv puts names on the PATH that run nothing
            return program
    return None


def _candidates(version: str) -> Iterator[str]:
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    uv = Path.home() / ".local" / "share" / "uv" / "python"
    for folder, pattern in ((pyenv / "versions", f"{version}.*"), (uv, f"cpython-{version}.*")):
        for place in sorted(folder.glob(pattern)):
            yield str(place / "bin" / f"python{version}")


def install(python: str, pins: Path, wheel: Path, folder: Path) -> str:
    """Install the wheel with these pins into a new environment, and return its interpreter."""
    run(folder, python, "-m", "venv", "env")
    mine = str(folder / "env" / "bin" / "python")
    pip = [mine, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    tools = ["hypothesis", "pytest"]
    package = f"{wheel}[{','.join(EXTRAS)}]"
    run(folder, *pip, "--only-binary", ":all:", "--constraint", str(pins), package, *tools)
    return mine


def play(python: str, folder: Path) -> Files:
    """Play all jobs with an environment, in a new folder; return the CSV files that they write."""
    folder.mkdir()
    for name, text in (("dask_job.py", DASK), ("live_job.py", LIVE)):
        (folder / name).write_text(text, "utf-8")
    for program, *arguments in JOBS:
        run(folder, str(Path(python).parent / program), *arguments)
    paths = sorted(folder.rglob("*.csv"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def run(folder: Path, *command: str) -> None:
    """Run a command in a folder; what it prints is shown if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def differences(name: str, files: Files, expected: Files) -> list[str]:
    """Return a line for every file that is not as expected."""
    return [
        f"{name}: {path} differs"
        for path in sorted(files.keys() | expected.keys())
        if files.get(path) != expected.get(path)
    ]


def compare(results: Mapping[str, Files]) -> list[str]:
    """Return what differs from the first result; nothing to compare is a difference, too."""
    if len(results) < 2 or not next(iter(results.values())):
        return ["nothing was compared"]
    (_, expected), *others = results.items()
    return [line for name, files in others for line in differences(name, files, expected)]


def play_all(pythons: Sequence[tuple[str, str]], folder: Path) -> dict[str, Files]:
    """Return the files of each Python with the pins, and of the first with the lower bounds."""
    repository = copy_repository(folder / "repository")
    wheel = build("wheel", repository, folder / "wheel")
    oldest = folder / "oldest.txt"
    oldest.write_text("\n".join(lower_bounds()), "utf-8")
    turns = [(f"Python {version}", path, ROOT / "constraints.txt") for version, path in pythons]
    for version, path in pythons[:1]:
        turns.append((f"Python {version} with {', '.join(lower_bounds())}", path, oldest))
    results = {}
    for place, (name, path, pins) in enumerate(turns):
        print(f"{name} ...", flush=True)
        (folder / str(place)).mkdir()
        python = install(path, pins, wheel, folder / str(place))
        results[name] = play(python, folder / str(place) / "results")
        if pins == oldest:
            run(repository, python, *TESTS)
        shutil.rmtree(folder / str(place) / "env")
    return results


def main() -> None:
    """Play, compare, and leave with 1 if anything differs or nothing could be compared."""
    candidates = [(version, find_python(version)) for version in named_pythons()]
    pythons = [(version, path) for version, path in candidates if path]
    with tempfile.TemporaryDirectory() as folder:
        results = play_all(pythons, Path(folder))
    for version, path in candidates:
        if not path:
            print(f"NOT CHECKED: Python {version} is not on this machine", file=sys.stderr)
    wrong = compare(results)
    if wrong:
        sys.exit("\n".join(wrong))
    number = len(next(iter(results.values())))
    print(f"{number} CSV files are the same, byte by byte, in {len(results)} environments")


if __name__ == "__main__":
    main()
