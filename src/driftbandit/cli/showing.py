"""`driftbandit policies`: the grid, or one part of it in detail."""

from __future__ import annotations

from typing import Any

from driftbandit.cli import grid, output
from driftbandit.errors import one_of

Row = dict[str, Any]


def everything(as_json: bool) -> None:
    """Print the rules on every axis, the families, and the named policies with their cells."""
    groups = grid.groups()
    presets = [grid.preset_row(name, maker) for name, maker in grid.PRESETS.items()]
    if as_json:
        axes = {group.name: _told(group) for group in groups}
        output.document({"axes": axes, "policies": presets})
        return
    for group in groups:
        print(f"{group.name}: {group.summary}")
        head = ["rule", "what", "parameters", "reference"]
        output.table(head, [list(grid.kind_row(kind).values()) for kind in group.kinds.values()])
        print()
    head = ["policy", "in Python", "cell", "parameters", "reference"]
    output.table(head, [_cells(row) for row in presets])
    print()
    print("One of them in detail: driftbandit policies NAME")


def one(name: str, as_json: bool) -> None:
    """Print all about a named policy, or about a rule."""
    kinds = {key: kind for group in grid.groups() for key, kind in group.kinds.items()}
    shell = _known(name, kinds)
    if shell in grid.PRESETS:
        _show(_preset(shell), as_json)
    else:
        _show(_rule(kinds[shell]), as_json)


def _known(name: str, kinds: dict[str, type]) -> str:
    """Return a name as the catalogue has it, or the name of a rule.

    >>> _known("GLRklUCB", {}), _known("SW-UCB", {})
    ('glr-kl-ucb', 'sw-ucb')
    """
    python = {grid.python_name(maker): key for key, maker in grid.PRESETS.items()}
    names = {**{kind: kind for kind in kinds}, **python, **{key: key for key in grid.PRESETS}}
    folded = {known.lower(): known for known in names}
    return names[one_of("policy", folded.get(name.strip().lower(), name), names)]


def _preset(name: str) -> Row:
    maker = grid.PRESETS[name]
    row = {**grid.preset_row(name, maker), "explanation": grid.explanation(maker)}
    tuned = getattr(maker, "tuned", None)
    return {**row, "tuning": grid.explanation(tuned) if tuned else None}


def _rule(kind: type) -> Row:
    made = {name: grid.cell_of(maker) for name, maker in grid.PRESETS.items()}
    return {
        **grid.kind_row(kind),
        "explanation": grid.explanation(kind),
        "used": [name for name, cell in made.items() if kind.__name__ in cell.values()],
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
    return [row["name"], row["python"], _cell(row), row["parameters"], row["reference"]]


def _cell(row: Row) -> str:
    if len(row["cell"]) == 1:
        ((family, kind),) = row["cell"].items()
        return f"{family}: {kind}"
    return " × ".join(row["cell"].values())


def _told(group: grid.Group) -> Row:
    rules = [grid.kind_row(kind) for kind in group.kinds.values()]
    return {"summary": group.summary, "rules": rules}
