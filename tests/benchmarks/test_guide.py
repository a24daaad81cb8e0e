"""The guide's table is what was measured, and every family has its page and picture."""

from __future__ import annotations

import polars
import pytest

from benchmarks import families, guide
from benchmarks.pages import FIGURES, table_from


def test_the_table_is_that_of_the_scores() -> None:
    assert table_from(guide.PAGE, guide.SCORES) == guide.table(polars.read_csv(guide.SCORES))


def test_the_table_has_a_row_a_policy_and_bold_cells_where_unbeaten() -> None:
    rows = [
        {"problem": name, "policy": label, "mean": mean, "low": mean - 2.0, "high": mean + 2.0,
         "ratio": mean / 10.0, "worse": mean > 10.0}
        for name in ("one", "two")
        for mean, label in enumerate(reversed(guide.NEEDS), start=10)
    ]  # fmt: skip  # one look
    lines = guide.table(polars.DataFrame(rows)).splitlines()
    assert lines[0] == "| policy | is told | one | two | worst ratio |"
    assert lines[2].endswith("| T, Υ | **10 ± 2** | **10 ± 2** | 1.00 |")
    assert lines[-1] == "| Auto | nothing | 19 ± 2 | 19 ± 2 | 1.90 |"
    assert len(lines) == 2 + len(guide.NEEDS)


@pytest.mark.parametrize("name", families.FAMILIES)
def test_every_family_has_its_page_and_picture(name: str) -> None:
    page = FIGURES.parent / "families" / f"{name}.md"
    picture = f"figures/family-{name}.png"
    assert f"](../{picture})" in page.read_text(encoding="utf-8")
    assert (FIGURES.parent / picture).exists()
