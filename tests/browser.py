"""A headless Chromium: one on the PATH, else Debian's, else Playwright's own download."""

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
from typing import Any

from playwright.sync_api import Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


@functools.cache
def executable() -> str | None:
    """Return the path of a browser, installed if need be; None for Playwright's own."""
    with (Path(tempfile.gettempdir()) / "driftbandit-browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes may test at once
        found = _on_the_path()
        if found is None and shutil.which("apt-get") and os.geteuid() == 0:
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
                command = ["apt-get", "-q", *words]
                subprocess.run(command, env=environment, check=False, capture_output=True)
            found = _on_the_path()
        if found is None:
            command = [sys.executable, "-m", "playwright", "install", "chromium"]
            subprocess.run(command, check=True, capture_output=True)
        return found


def _on_the_path() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.contextmanager
def opened(
    width: int = 1_280, height: int = 900, scheme: Any = "light", allowed: str = "nothing"
) -> Iterator[Page]:
    """Open an empty page; errors of scripts and console are those of the test, if not allowed."""
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
