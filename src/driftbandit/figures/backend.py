"""Loads matplotlib, whatever `MPLBACKEND` says, and wherever its settings cannot be kept.

Figures are drawn without a screen, so a backend that is not installed is of no concern; a shell
that was started from a notebook, for example, inherits the notebook's. Matplotlib itself refuses to
load then. Where the home folder cannot be written to, matplotlib keeps its list of fonts in a
temporary folder, and would say so at length; the pictures are the same.
"""

import contextlib
import importlib
import logging
import os
import sys
from collections.abc import Iterator

NOT_WRITABLE = ("mkdir -p failed for path", "Matplotlib created a temporary cache directory")
"""How matplotlib's messages about a folder that cannot be written to begin."""


def _matters(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(NOT_WRITABLE)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    logger = logging.getLogger("matplotlib")
    logger.addFilter(_matters)
    try:
        yield
    finally:
        logger.removeFilter(_matters)


@contextlib.contextmanager
def _without_backend() -> Iterator[None]:
    """Hide `MPLBACKEND` while matplotlib loads; after that it holds if it exists."""
    if "matplotlib" in sys.modules or "MPLBACKEND" not in os.environ:
        yield
        return
    name = os.environ.pop("MPLBACKEND")
    try:
        yield
        with contextlib.suppress(ValueError):
            sys.modules["matplotlib"].rcParams["backend"] = name
    finally:
        os.environ["MPLBACKEND"] = name


with _quiet(), _without_backend():
    importlib.import_module("matplotlib.font_manager")  # which looks for the folder
