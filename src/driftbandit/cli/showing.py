"""`driftbandit policies`: the grid, or one part of it in detail."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from driftbandit.cli import grid, output
from driftbandit.core.docstring import explanation, reference, summary
from driftbandit.core.errors import InputError
from driftbandit.policies import CATALOGUE

Row = dict[str, Any]


def everything(as_json: bool) -> None:
    """Print the rules on every axis, the families, and the named policies with their cells."""
    groups = grid.groups()
    presets = [grid.preset_row(preset) for preset in CATALOGUE.values()]
    if as_json:
        axes = {group.name: _told(group) for group in groups}
        output.document({"axes": axes, "policies": presets})
        return
    for group in groups:
        _print(group)
        print()
    head = ["policy", "in Python", "cell", "parameters", "reference"]
    output.listing(head, [_cells(row) for row in presets])
    print()
    print("Most policies have a bound=1.0 on rewards, and all a label.")
    print("One of them, or one axis, in detail: driftbandit policies NAME")


def _print(group: grid.Group) -> None:
    print(f"{group.name}: {group.summary}")
    rows = [
        [kind.__name__, grid.settings(kind), grid.source(reference(kind)), summary(kind)]
        for kind in group.kinds.values()
    ]
    output.listing(["rule", "parameters", "reference", "what"], rows)


def one(name: str, as_json: bool) -> None:
    """Print all about a named policy, about a rule, or about an axis."""
    axes = {group.name: group for group in grid.groups()}
    kinds = {
        name: kind
        for group in axes.values()
        for key, kind in group.kinds.items()
        for name in (key, f"{group.name}.{key}")  # MOSS is a policy too, explore.MOSS the rule
    }
    shell = _known(name, kinds, axes)
    if shell in axes:
        _axis(axes[shell], as_json)
    elif shell in CATALOGUE:
        _show(_preset(shell), as_json)
    else:
        _show(_rule(kinds[shell]), as_json)


def _axis(group: grid.Group, as_json: bool) -> None:
    if as_json:
        output.document({"name": group.name, **_told(group)})
    else:
        _print(group)


def _known(name: str, kinds: Iterable[str], axes: Iterable[str] = ()) -> str:
    """Return a name as the catalogue has it, or the name of a rule or of an axis.

    >>> _known("GLRklUCB", {}), _known("SW-UCB", {})
    ('glr-kl-ucb', 'sw-ucb')
    """
    python = {preset.python: key for key, preset in CATALOGUE.items()}
    names = {
        **{key: key for key in (*axes, *kinds)},
        **python,
        **{key: key for key in CATALOGUE},
    }
    folded = {known.lower(): known for known in names}
    found = folded.get(name.strip().lower())
    if found is None:
        near = difflib.get_close_matches(name.strip().lower(), folded, n=3, cutoff=0.5)
        hint = f"; did you mean {' or '.join(repr(folded[each]) for each in near)}?" if near else ""
        raise InputError(f"policy must be a name of `driftbandit policies`, got {name!r}{hint}")
    return names[found]


def _preset(name: str) -> Row:
    preset = CATALOGUE[name]
    row = {**grid.preset_row(preset), "explanation": explanation(preset.make)}
    tuned = getattr(preset, "tuned", None)
    return {**row, "tuning": explanation(tuned) if tuned else None}


def _rule(kind: type) -> Row:
    cells = {name: grid.cell(preset.cell) for name, preset in CATALOGUE.items()}
    return {
        **grid.kind_row(kind),
        "explanation": explanation(kind),
        "used": [name for name, cell in cells.items() if kind.__name__ in cell.values()],
    }


def _show(row: Row, as_json: bool) -> None:
    if as_json:
        output.document(row)
        return
    print(row["explanation"])
    print()
    print(f"parameters: {row['parameters'] or 'none'}")
    if "used" in row:
        print(f"used by: {', '.join(row['used']) or 'no named policy'}")
        return
    print(f"in Python: db.{row['python']}, in a shell: {row['name']}")
    print(f"cell: {_cell(row)}")
    if row["tuned"] is not None:
        print()
        print(f"{row['name']}.tuned({row['tuned']})")
        print(row["tuning"])


def _cells(row: Row) -> list[str]:
    given = grid.settings(CATALOGUE[row["name"]])
    return [row["name"], row["python"], _cell(row), given, grid.source(row["reference"])]


def _cell(row: Row) -> str:
    if len(row["cell"]) == 1:
        ((family, kind),) = row["cell"].items()
        return f"{family}: {kind}"
    return " × ".join(row["cell"].values())


def _told(group: grid.Group) -> Row:
    rules = [grid.kind_row(kind) for kind in group.kinds.values()]
    return {"summary": group.summary, "rules": rules}
