"""What `driftbandit serve` does."""

from __future__ import annotations

import logging
from collections.abc import Callable

from driftbandit.core.errors import LostWorkersError
from driftbandit.service import demo, upgrading
from driftbandit.service import rebuild as rebuilding
from driftbandit.service.crew import look_after
from driftbandit.service.opening import begin, open_store
from driftbandit.service.server import LOCAL, address_of, listening, log_to_stderr, serve
from driftbandit.service.settings import Settings
from driftbandit.service.upgrading import require_version

LOG = logging.getLogger("driftbandit")


def run_demo(
    settings: Settings,
    announce: Callable[[str, str | None], None],
    before: Callable[[], object] = lambda: None,
) -> None:
    """Serve a new store with simulated traffic until a signal comes.

    `before` is called when nothing is left to refuse, before the traffic is simulated.
    """
    log_to_stderr()
    bound = listening(settings)
    with bound:
        key = demo.fill(settings, before=before)
        announce(address_of(bound), key)
        if not serve(settings, bound, demo.visit):
            raise LostWorkersError("the service could not start: its log says why")


def run(settings: Settings, announce: Callable[[str, str | None], None]) -> None:
    """Serve until a signal comes; `announce` takes the address, and the key if it is the first."""
    log_to_stderr()
    bound = listening(settings)
    with bound:
        store = open_store(settings)
        try:
            key = begin(store)
        finally:
            store.close()
        if settings.host not in LOCAL:
            LOG.warning(
                "keys travel unencrypted beyond this machine: put TLS before %s", settings.host
            )
        announce(address_of(bound), key)
        if settings.workers > 1:
            look_after(settings, bound)
        elif not serve(settings, bound):
            raise LostWorkersError("the service could not start: its log says why")


def rebuild(settings: Settings) -> rebuilding.Check:
    """Fold the log from where it begins, and compare with its snapshots."""
    store = open_store(settings, write=False)
    try:
        require_version(store)
        return rebuilding.rebuild(store)
    finally:
        store.close()


def upgrade(settings: Settings) -> upgrading.Upgrade:
    """Let the log of an older version go on in this one."""
    open_store(settings, write=False).close()  # none is made where there is none
    store = open_store(settings)
    try:
        return upgrading.upgrade(store)
    finally:
        store.close()
