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
from service.serving import serving

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
        environment = {
            **os.environ,
            "SCHEMATHESIS_HOOKS": "hooks",
            "PYTHONPATH": str(tmp_path),
            "OWN_KEY": server.key.split("_")[1],
        }
        command = [str(Path(sys.executable).parent / "schemathesis"), "run"]
        command += [f"http://127.0.0.1:{server.port}/openapi.json", "--phases", phases]
        command += ["-H", f"Authorization: Bearer {server.key}", "-H", f"{HEADER}: {server.key}"]
        command += [
            "--checks",
            CHECKS,
            "--seed",
            "1",
            "--no-color",
            "--generation-database",
            "none",
        ]
        command += ["--max-examples", str(CASES // 4 if phases == "stateful" else CASES // 25)]
        process = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert server.client().ask("GET", "/ready")[0] == 200
        numbers = server.client().raw("GET", "/metrics")[2].decode()
    done = set(re.findall(r'requests_total{route="(\w+)",status="2', numbers))
    print(process.stdout, sorted({route.name for route in ROUTES} - done))
    assert process.returncode == 0, process.stdout + process.stderr
    cases = re.search(r"([\d,]+) generated", process.stdout)
    assert cases is not None
    assert int(cases[1].replace(",", "")) >= CASES
