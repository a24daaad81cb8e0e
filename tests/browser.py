"""A headless Chromium: one on the PATH, else Debian's, else Playwright's own download.

`make test` runs this file before anything is installed, to fetch Debian's beside all else.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
FETCH = (["update"], ["install", "-y", "--no-install-recommends", "chromium"])
QUICKLY = ["-q", "-o", "Dpkg::Options::=--force-unsafe-io"]  # no file is waited for by itself


@functools.cache
def executable() -> str | None:
    """Return the path of a browser, installed if need be; None for Playwright's own."""
    with one_at_a_time():
        path = debians()
        if path is None:
            command = [sys.executable, "-m", "playwright", "install", "chromium"]
            subprocess.run(command, check=True, capture_output=True)
        return path


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let other processes that test wait for what this one installs."""
    with (Path(tempfile.gettempdir()) / "driftbandit-browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def debians() -> str | None:
    """Return the path of a browser on the PATH, after Debian's was installed if there was none."""
    if _on_the_path() is None and shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in FETCH:
            command = ["apt-get", *QUICKLY, *words]
            subprocess.run(command, env=environment, check=False, capture_output=True)
    return _on_the_path()


def _on_the_path() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.contextmanager
def opened(
    width: int = 1_280, height: int = 900, scheme: Any = "light", allowed: str = "nothing"
) -> Iterator[Page]:
    """Open an empty page; errors of scripts and console are those of the test, if not allowed."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # see above

    troubles: list[str] = []

    def note(message: Any) -> None:
        if message.type in ("error", "warning") and allowed not in message.text:
            troubles.append(message.text)

    with sync_playwright() as playwright:
        # the sandbox needs rights that a container does not give
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        viewport: Any = {"width": width, "height": height}
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        try:
            yield page
        finally:
            browser.close()
    assert not troubles, troubles


if __name__ == "__main__":
    with one_at_a_time():
        debians()
