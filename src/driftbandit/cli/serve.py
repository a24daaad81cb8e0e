"""`driftbandit serve`: live decisions over HTTP."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import contextlib
import importlib.util
import json as json_module
import os
import sys
import tempfile
from typing import Annotated, Any

import typer

from driftbandit.cli.exit import FAILED
from driftbandit.cli.options import Json, real, whole
from driftbandit.cli.signals import Terminated
from driftbandit.core.errors import InputError, one_of

NEEDED = ("httptools", "msgspec", "prometheus_client", "uvicorn", "uvloop")
EXTRA = "httptools>=0.6 msgspec>=0.19 prometheus_client>=0.20 uvicorn>=0.30 uvloop>=0.20"
"""The extra `serve`: these can be installed wherever the package itself came from."""


def serve(
    action: Annotated[
        str,
        typer.Argument(
            metavar="ACTION",
            help="run; rebuild: fold the log anew; upgrade: let the log of an older version go on.",
        ),
    ] = "run",
    store: Annotated[
        str | None,
        typer.Option(
            metavar="STORE", help="A file for SQLite, or postgresql://…; default: driftbandit.db."
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Where to listen; default: 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None, whole("port", "Default: 8000; 0: a free one.", least=0, most=65_535)
    ] = None,
    workers: Annotated[
        int | None, whole("workers", "Processes; more than one need PostgreSQL.", most=256)
    ] = None,
    patience: Annotated[
        float | None, real("patience", "Seconds that a request waits for the store; default: 5.")
    ] = None,
    snapshot_every: Annotated[
        int | None, whole("snapshot-every", "Events between snapshots; default: 200000.")
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Settings in TOML; flags and environment go before."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="With rebuild: compare with snapshots, and fail on others."),
    ] = False,
    demo: Annotated[
        bool,
        typer.Option(
            "--demo",
            help="With simulated traffic that drifts, in a new store: without --store, one that "
            "is removed in the end.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Decide over HTTP: prints its address, and the first time a key. The dashboard is at /.

    Every option but --check, --demo and --json can be set as an environment variable, too, such as
    DRIFTBANDIT_STORE.
    """
    action = one_of("action", action, ("run", "rebuild", "upgrade"))
    if check and action != "rebuild":
        raise InputError("--check must come with rebuild")
    if demo and action != "run":
        raise InputError("--demo must come with run")
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        packages = " ".join(f"'{each}'" for each in EXTRA.split())
        raise InputError(f"serve needs more packages: {sys.executable} -m pip install {packages}")
    from driftbandit.service import run
    from driftbandit.service.settings import settings_of

    flags = {
        "store": store, "host": host, "port": port, "workers": workers, "patience": patience,
        "snapshot_every": snapshot_every,
    }  # fmt: skip
    stack = contextlib.ExitStack()
    if demo and store is None:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="driftbandit-demo-"))
        flags["store"] = f"{folder}/demo.db"
    file = os.environ.get("DRIFTBANDIT_CONFIG") or None if config is None else config
    settings = settings_of(flags, os.environ, file)
    if action == "rebuild":
        _show(run.rebuild(settings), check, json)
        return
    if action == "upgrade":
        _show_upgrade(run.upgrade(settings), json)
        return

    def announce(address: str, key: str | None) -> None:
        if json:
            line = json_module.dumps({"address": address, "key": key})
        else:
            new = f"\nkey (shown this once): {key}" if key else ""
            new += "\nopen the address in a browser, and enter the key" if demo else ""
            line = f"driftbandit serves at {address} from {settings.shown}{new}"
        try:
            print(line, flush=True)
        except OSError:
            if key:  # it is stored already, and nothing else opens the store
                print(line, file=sys.stderr)
            raise

    def before() -> None:
        print("driftbandit: simulating 75 minutes of traffic first", file=sys.stderr)

    try:
        with stack:
            run.run_demo(settings, announce, before) if demo else run.run(settings, announce)
    except (KeyboardInterrupt, Terminated):  # before it listened: nothing is half done
        return


def _show(found: Any, check: bool, json: bool) -> None:
    """Print what a rebuild found; fail if it is not what snapshots say."""
    if json:
        print(_fields(found))
    else:
        rate = found.events / max(found.seconds, 1e-9)
        print(f"{found.events:,} events, {rate:,.0f} per second, state {found.digest}")
        print(f"{found.snapshots} snapshots compared, wrong: {found.wrong or 'none'}")
    if check and found.wrong:
        raise typer.Exit(FAILED)


def _show_upgrade(done: Any, json: bool) -> None:
    """Print what an upgrade did."""
    if json:
        print(_fields(done))
    elif done.before == done.version:
        print(f"nothing to do: the log is of version {done.version}")
    else:
        print(
            f"the log of version {done.before} goes on at {done.position:,} in version "
            f"{done.version}: {done.events:,} events folded anew in {done.seconds:.1f} s"
        )


def _fields(result: Any) -> str:
    return json_module.dumps({name: getattr(result, name) for name in result.__struct_fields__})
