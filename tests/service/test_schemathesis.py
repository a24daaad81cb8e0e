"""Schemathesis reads the OpenAPI document and uses the service, step after step."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from driftbandit.service.personalizer import HEADER
from driftbandit.service.routes import ROUTES
from service.serving import Server, check, serving

CASES = 10_000
CHECKS = ",".join(
    [
        "not_a_server_error", "status_code_conformance", "content_type_conformance",
        "response_schema_conformance", "response_headers_conformance",
    ]
)  # fmt: skip
HOOKS = """
import os, schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    if (case.path_parameters or {}).get("key") == os.environ["OWN_KEY"]:
        case.path_parameters["key"] = "none"  # or nothing could be asked any more
"""


@pytest.mark.slow
@pytest.mark.parametrize("phases", ["examples,coverage,fuzzing", "stateful"])
def test_cases_are_answered_as_the_document_says(tmp_path: Path, phases: str) -> None:
    (tmp_path / "hooks.py").write_text(HOOKS)
    with serving(tmp_path) as server:
        server.client().post("", {"name": "personalizer", "arms": ["a", "b"]})
        cases, seed = 0, 0
        while cases < CASES:
            seed += 1
            cases += run(server, tmp_path, phases, seed)
        assert server.client().ask("GET", "/ready")[0] == 200
        numbers = server.client().raw("GET", "/metrics")[2].decode()
        assert check(server).wrong == []
    done = set(re.findall(r'requests_total{route="(\w+)",status="2', numbers))
    print(f"{phases}: {cases} cases, never done: {sorted({route.name for route in ROUTES} - done)}")
    if phases == "stateful":
        assert {"create", "decide", "reward", "explain", "rotate_key"} <= done
        assert "rank" in done


@pytest.mark.slow
def test_events_of_personalizer_are_ranked_activated_and_rewarded(tmp_path: Path) -> None:
    """By itself, since few of all steps lead there."""
    (tmp_path / "hooks.py").write_text(HOOKS)
    with serving(tmp_path) as server:
        server.client().post("", {"name": "personalizer", "arms": ["a", "b"]})
        cases = run(server, tmp_path, "stateful", 1, "--include-path-regex", "^/personalizer/")
        numbers = server.client().raw("GET", "/metrics")[2].decode()
        assert check(server).wrong == []
    done = re.findall(r'requests_total{route="(\w+)",status="(2\d\d)"} (\d+)', numbers)
    print(f"{cases} cases, done: {done}")
    assert {"rank", "reward_event", "activate_event"} <= {name for name, _, _ in done}


def run(server: Server, folder: Path, phases: str, seed: int, *more: str) -> int:
    """Return how many cases there were, all of them answered as they should be."""
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "hooks",
        "PYTHONPATH": str(folder),
        "OWN_KEY": server.key.split("_")[1],
    }
    options = {
        "--phases": phases, "--checks": CHECKS, "--seed": str(seed), "--max-time": "240",
        "--generation-database": "none", "--max-examples": "400",
    }  # fmt: skip
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", "--no-color"]
    command += [f"http://127.0.0.1:{server.port}/openapi.json"]
    command += ["-H", f"Authorization: Bearer {server.key}", "-H", f"{HEADER}: {server.key}"]
    command += [*more, *(word for pair in options.items() for word in pair)]
    process = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr
    cases = re.search(r"([\d,]+) generated", process.stdout)
    assert cases is not None, process.stdout
    return int(cases[1].replace(",", ""))
