"""The OpenAPI document, the settings, and what the pages say of both."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from driftbandit import InputError
from driftbandit.service import openapi
from driftbandit.service.metrics import Metrics
from driftbandit.service.routes import ROUTES
from driftbandit.service.settings import PREFIX, Settings, settings_of

PAGE = (Path(__file__).parents[2] / "docs/reference/service.md").read_text("utf-8")


def test_the_page_names_every_route_scope_setting_and_metric() -> None:
    for route in ROUTES:
        assert f"| `{route.method} {route.path}` | {route.scope or ''}".rstrip() in PAGE
    for name in Settings.__struct_fields__:
        assert f"`{PREFIX}{name.upper()}` | `{name}` |" in PAGE
    names = {metric.name for metric in Metrics().registry.collect()}
    assert not [name for name in names if f"`{name}" not in PAGE]


def test_the_document_has_every_route_and_its_references_lead_somewhere() -> None:
    document: dict[str, Any] = msgspec.json.decode(openapi.document())
    for route in ROUTES:
        operation = document["paths"][route.path][route.method.lower()]
        assert operation["operationId"] == route.name
        assert ("security" in operation) == (route.scope is not None)
        assert ("requestBody" in operation) == (route.body is not None)
    schemas = document["components"]["schemas"]
    text = openapi.document().decode()
    used = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert used == set(schemas)
    operations = [each for path in document["paths"].values() for each in path.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)


def test_flags_go_before_the_environment_and_this_before_a_file(tmp_path: Path) -> None:
    config = tmp_path / "serve.toml"
    config.write_text('store = "file.db"\nport = 1\nhost = "::1"\n')
    environment = {"DRIFTBANDIT_PORT": "2", "DRIFTBANDIT_HOST": "0.0.0.0"}
    settings = settings_of({"port": 3, "host": None}, environment, str(config))
    assert (settings.store, settings.host, settings.port) == ("file.db", "0.0.0.0", 3)


def test_what_the_environment_sets_is_named_as_its_variable() -> None:
    """As where Kubernetes sets DRIFTBANDIT_PORT for a service of that name."""
    environment = {"DRIFTBANDIT_PORT": "tcp://10.0.0.1:8000"}
    with pytest.raises(InputError, match="environment variable DRIFTBANDIT_PORT must be a"):
        settings_of({}, environment)
    assert settings_of({"port": 3}, environment).port == 3


def test_a_variable_that_is_nearly_a_setting_is_refused() -> None:
    with pytest.raises(InputError, match="DRIFTBANDIT_STOER; did you mean 'DRIFTBANDIT_STORE'"):
        settings_of({}, {"DRIFTBANDIT_STOER": "/data/log.db"})
    others = ("KEY", "CONFIG", "SMALL_JOB", "SERVICE_HOST", "SERVICE_PORT", "PORT_8000_TCP")
    assert settings_of({}, {f"DRIFTBANDIT_{name}": "x" for name in others}).port == 8000


@pytest.mark.parametrize("store", ["postgresql:/u:pw@h/x", "postgres//u:pw@h/x"])
def test_an_address_with_a_slip_is_no_file(store: str) -> None:
    with pytest.raises(InputError, match=r"^store must be a file, or postgresql://…, got '.*u:…@h"):
        settings_of({"store": store}, {})


def test_a_password_with_a_blank_is_not_shown() -> None:
    with pytest.raises(InputError, match=r"%20 in place of blanks, got 'postgresql://u:…@h/x'$"):
        settings_of({"store": "postgresql://u:p w@h/x"}, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("port = 70000", "port must be a whole number from 0 to 65535, got 70000"),
        ("port = 'x'", "port must be a whole number from 0 to 65535, got 'x'"),
        ("patience = 1e-300", "patience must be a number of seconds from 0.001 to 60, got 1e-300"),
        ("host = ''", "host must be a name or an address to listen at, got ''"),
        ('host = "a\\u0000"', "host must be a name or an address to listen at"),
        ("store = ''", "store must be a file, or postgresql://…, got ''"),
        ('store = "a\\u0000"', "store must be a file, or postgresql://…, got"),
        ("store = ':memory:'", "store must be a file, or postgresql://…, got ':memory:'"),
        ("store = 'file:log.db?mode=ro'", "store must be a file, or postgresql://…"),
        ("store = 'mysql://me:secret@there/log'", "got 'mysql://me:…@there/log'$"),
        ("store = 'host=there password=secret'", "got 'host=there password=…'$"),
        ("store = '\"log.db\"'", "store must be a file, or postgresql://…"),
        ('store = "log.db\\n"', "store must be a file, or postgresql://…"),
        ("prot = 1", "must be one of store, host, .*; did you mean 'port'"),
        ("port = ", "config must be TOML"),
    ],
)
def test_a_bad_file_is_said(tmp_path: Path, text: str, message: str) -> None:
    config = tmp_path / "serve.toml"
    config.write_text(text)
    with pytest.raises(InputError, match=message):
        settings_of({}, {}, str(config))


def test_a_file_of_an_editor_that_marks_its_encoding_is_read(tmp_path: Path) -> None:
    config = tmp_path / "serve.toml"
    config.write_text("port = 1", encoding="utf-8-sig")
    assert settings_of({}, {}, str(config)).port == 1


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"can be read, got '.*none.toml': No such file"):
        settings_of({}, {}, str(tmp_path / "none.toml"))


HIDDEN = """
import importlib.util, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "uvloop" else real(name, *rest)
from driftbandit.cli import main
main(["serve", *sys.argv[1:]])
"""


def test_without_the_extra_one_line_says_how_to_install_it() -> None:
    command = [sys.executable, "-c", HIDDEN]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert process.returncode == 2
    assert len(process.stderr.splitlines()) == 1
    assert "-m pip install 'httptools>=0.6' 'msgspec>=0.19'" in process.stderr


def test_the_extra_is_what_the_command_names() -> None:
    from driftbandit.cli.serve import EXTRA, NEEDED  # noqa: PLC0415  # the constants of one test

    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    extra = project.partition("serve = [")[2].partition("]")[0]
    assert [line.strip().strip('",') for line in extra.split("\n") if line.strip()] == EXTRA.split()
    assert [each.partition(">")[0] for each in EXTRA.split()] == list(NEEDED)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["walk"], "action must be one of run, rebuild, upgrade, got 'walk'"),
        (["--check"], "--check must come with rebuild"),
        (["rebuild", "--demo"], "--demo must come with run"),
        (["upgrade", "--check"], "--check must come with rebuild"),
        (["upgrade", "--store", "none.db"], "store must be a file that exists"),
        (["REBUILD", "--store", "none.db"], "store must be a file that exists"),
        (["--config", ""], "config must name a file of TOML, got ''"),
        (["--store", ".", "--port", "0"], "store must be a file, got '.'"),
        (["--store", "/dev/null", "--port", "0"], "store must be a file, got '/dev/null'"),
        (["--host", "é" * 70, "--port", "0"], "host and port must be free to listen on"),
        (["--host", "256.0.0.1"], "host and port must be free to listen on"),
        (["rebuild", "--store", "none.db"], "store must be a file that exists"),
        (["--store", "nowhere/log.db", "--port", "0"], "store must be a file that can be written"),
    ],
)
def test_bad_usage_is_one_line(tmp_path: Path, options: list[str], message: str) -> None:
    command = [sys.executable, "-m", "driftbandit", "serve", *options]
    process = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert (process.returncode, len(process.stderr.splitlines())) == (2, 1)
    assert message in process.stderr
