"""Tables of pages that are made from a file in docs/figures: they stand between two comments."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
FIGURES = DOCS / "figures"
END = "<!-- end -->\n"


def table_from(page: Path, source: Path) -> str:
    """Return the table of a page that is made from a file."""
    return _parts(page, source)[1]


def put_table(page: Path, source: Path, table: str) -> None:
    """Put a table in place of the one that a page has from the same file."""
    before, _, after = _parts(page, source)
    page.write_text(before + _start(source) + table + END + after, encoding="utf-8")


def _parts(page: Path, source: Path) -> tuple[str, str, str]:
    """Return what stands before the table, the table, and what stands behind."""
    before, rest = page.read_text(encoding="utf-8").split(_start(source))
    table, after = rest.split(END, maxsplit=1)
    return before, table, after


def _start(source: Path) -> str:
    return f"<!-- from figures/{source.name} -->\n"
