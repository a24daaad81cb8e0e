"""The dashboard's files, and the headers that let a browser load nothing else."""

from __future__ import annotations

import functools
from importlib import resources

FILES = {
    "/": ("index.html", b"text/html; charset=utf-8"),
    "/board.css": ("board.css", b"text/css; charset=utf-8"),
    "/board.js": ("board.js", b"text/javascript; charset=utf-8"),
}
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
    """Return the type and the content of a file of the dashboard.

    >>> page("/")[0]
    b'text/html; charset=utf-8'
    """
    name, kind = FILES[path]
    return kind, (resources.files("driftbandit.service") / "static" / name).read_bytes()
