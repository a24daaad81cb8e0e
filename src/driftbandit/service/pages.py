"""The files of the pages, and the headers that let a browser load nothing else."""

from __future__ import annotations

import functools
from importlib import resources

from driftbandit.service import manual

DOCS = "/docs"
CHARTS, OWN = "figures/browser", "service/static"
TYPES = {"html": b"text/html", "css": b"text/css", "js": b"text/javascript"}
FILES = {
    "/": f"{OWN}/index.html",
    "/charts.css": f"{CHARTS}/charts.css",
    "/charts.js": f"{CHARTS}/charts.js",
    **{f"/{name}": f"{OWN}/{name}" for name in (
        "actions.js", "board.css", "board.js", "docs.css", "service.js", "words.js",
    )},
}  # fmt: skip
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


@functools.cache
def page(path: str) -> tuple[bytes, bytes]:
    """Return the type and the content of a page, or of a file of one.

    >>> page("/")[0]
    b'text/html; charset=utf-8'
    """
    if path == DOCS:
        return TYPES["html"] + b"; charset=utf-8", manual.page()
    name = FILES[path]
    kind = TYPES[name.rpartition(".")[2]] + b"; charset=utf-8"
    return kind, (resources.files("driftbandit") / name).read_bytes()
