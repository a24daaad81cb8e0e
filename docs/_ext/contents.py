"""Make the table of contents of the lists of links on the pages that have one."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from sphinx.application import Sphinx

SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
LINK = re.compile(r"^(?:-|\d+\.) \[[^\]]+\]\(([\w/.-]+)\.md\)", re.MULTILINE)
LISTS = {"index", "decisions/README"}
"""Pages whose lists are the contents."""


def with_contents(text: str) -> str:
    """Return a page with a hidden table of contents for every section that lists pages.

    >>> print(with_contents("# Start\\n\\n## How to\\n\\n- [play](how-to/play.md): now\\n"))
    # Start
    <BLANKLINE>
    ## How to
    <BLANKLINE>
    - [play](how-to/play.md): now
    <BLANKLINE>
    ```{toctree}
    :hidden:
    :caption: How to
    how-to/play
    ```
    <BLANKLINE>
    """
    pieces = SECTION.split(text)
    captions, bodies = ["", *pieces[1::2]], pieces[::2]
    tables = [
        "\n".join(["```{toctree}", ":hidden:", *_caption(caption), *pages, "```", ""])
        for caption, body in zip(captions, bodies, strict=True)
        if (pages := LINK.findall(body))
    ]
    return "\n".join([text, *tables])


def _caption(caption: str) -> list[str]:
    return [f":caption: {caption}"] if caption else []


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the contents to the pages that list them."""
    if PurePosixPath(page).as_posix() in LISTS:
        source[0] = with_contents(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to the reading of pages."""
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
