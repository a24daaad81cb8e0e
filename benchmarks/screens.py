"""The pictures of the two pages that are read in a browser: report and dashboard.

    make screens

writes the report of docs/how-to/logged-data.md, starts `driftbandit serve --demo`, opens both in a
headless Chromium, and puts the pictures into docs/figures: about a minute.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import driftbandit as db
from benchmarks.pages import DOCS, FIGURES
from browser import executable

REPORT, DASHBOARD = FIGURES / "report.png", FIGURES / "dashboard.png"


def main() -> None:
    """Make both pictures anew."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, chdir(folder):
        # the sandbox needs rights that a container does not give
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        picture_of_report(browser.new_page(viewport={"width": 1_000, "height": 1_180}))
        picture_of_dashboard(browser.new_page(viewport={"width": 1_180, "height": 950}))
        browser.close()


def picture_of_report(page: Page) -> None:
    """Write the log and the report of the page on logged data, and take its picture."""
    text = (DOCS / "how-to" / "logged-data.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    exec(next(block for block in blocks if 'write_csv("log.csv")' in block), {})
    log = db.Log.read("log.csv", time="ts", arm="variant", reward="clicked", propensity="p")
    log.report("report.html")
    page.goto(Path("report.html").absolute().as_uri())
    page.screenshot(path=REPORT)


def picture_of_dashboard(page: Page) -> None:
    """Start the demonstration, look at its 75 minutes, and take their picture."""
    command = [sys.executable, "-m", "driftbandit", "serve", "--demo", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            page.goto(told["address"])
            page.fill("#key", told["key"])
            page.click("#enter button")
            page.get_by_role("button", name="75 min").click()
            page.locator("#shares .area").first.wait_for()
            page.wait_for_timeout(3_000)  # two looks at the news
            page.screenshot(path=DASHBOARD)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
