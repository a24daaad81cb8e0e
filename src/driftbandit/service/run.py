"""What `driftbandit serve` does."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator

from driftbandit.core.errors import InputError, LostWorkersError
from driftbandit.service import demo, upgrading
from driftbandit.service import rebuild as rebuilding
from driftbandit.service.crew import look_after
from driftbandit.service.opening import begin, open_store
from driftbandit.service.server import LOCAL, address_of, listening, log_to_stderr, serve
from driftbandit.service.settings import Settings
from driftbandit.service.store.protocol import StoreError
from driftbandit.service.upgrading import require_version

LOG = logging.getLogger("driftbandit")


@contextlib.contextmanager
def _working(settings: Settings) -> Iterator[None]:
    """Say in one line that a store is damaged, or that its disk is full."""
    try:
        yield
    except StoreError as error:
        text = f"store must be a log that can be read and written, got {settings.shown!r}: {error}"
        raise InputError(text) from None


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
        with _working(settings):
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
        with _working(settings), contextlib.closing(store):
            key = begin(store)
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
    with _working(settings), contextlib.closing(store):
        require_version(store)
        return rebuilding.rebuild(store)


def upgrade(settings: Settings) -> upgrading.Upgrade:
    """Let the log of an older version go on in this one."""
    open_store(settings, write=False).close()  # none is made where there is none
    store = open_store(settings)
    with _working(settings), contextlib.closing(store):
        return upgrading.upgrade(store)
