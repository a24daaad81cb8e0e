"""The grid of policies as text and as plain data: all of it, or one part in detail."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from driftbandit.cli import grid, output
from driftbandit.cli.grid import Group
from driftbandit.core.docstring import explanation, reference, summary
from driftbandit.core.errors import InputError
from driftbandit.policies import CATALOGUE
from driftbandit.policies.presets.preset import other_names

Row = dict[str, Any]


def print_all(as_json: bool) -> None:
    """Print the rules on every axis, the families, and the named policies with their cells."""
    groups = grid.groups()
    presets = [grid.preset_row(preset) for preset in CATALOGUE.values()]

    def content() -> Row:
        axes = {group.name: _group_content(group) for group in groups}
        return {"axes": axes, "policies": presets}

    def show() -> None:
        for group in groups:
            _show_group(group)
            print()
        _show_presets(presets)
        print()
        print("Most policies have a bound=1.0 on rewards, and all have a label.")
        print("One of them, one axis or one family in detail: driftbandit policies NAME")

    output.report(as_json, content, show)


def print_one(name: str, as_json: bool) -> None:
    """Print the details of a named policy, of a rule, of an axis or of a family."""
    axes = {group.name: group for group in grid.groups()}
    kinds = {
        name: kind
        for group in axes.values()
        for key, kind in group.kinds.items()
        for name in (key, f"{group.name}.{key}")  # MOSS is a policy too, explore.MOSS the rule
    }
    families = grid.families()
    others = {key: key for key in (*families, *axes, *kinds)}
    shell = catalogue_name(name, {**aliases(kinds), **others})
    if shell in families and shell not in axes:
        rows = [grid.preset_row(preset) for preset in families[shell]]
        output.report(
            as_json, lambda: {"name": shell, "policies": rows}, lambda: _show_presets(rows)
        )
        return
    if shell in axes:
        group = axes[shell]
        content = {"name": group.name, **_group_content(group)}
        output.report(as_json, lambda: content, lambda: _show_group(group))
        return
    row = _preset(shell) if shell in CATALOGUE else _rule(kinds[shell])
    output.report(as_json, lambda: row, lambda: _show_row(row))


def aliases(kinds: Mapping[str, type]) -> dict[str, str]:
    """Return the other names that the package has for rules, such as `BernoulliGLR` for `GLR`."""
    names = {kind: key for key, kind in kinds.items()}
    values = {name: value for home in grid.NAMESPACES for name, value in vars(home).items()}
    return {name: names[kind] for name, kind in values.items() if _is_one_of(kind, names)}


def _is_one_of(value: Any, kinds: Mapping[type, str]) -> bool:
    return isinstance(value, type) and value in kinds


def catalogue_name(name: str, others: Mapping[str, str]) -> str:
    """Return a name as the catalogue spells it, or what one of the other names stands for.

    >>> catalogue_name("GLRklUCB", {}), catalogue_name("SW-UCB", {})
    ('glr-kl-ucb', 'sw-ucb')
    """
    names = {**others, **other_names()}
    names |= {key: key for key in CATALOGUE}
    folded = {key.lower(): key for key in names}
    text = name.strip().lower()
    if text not in folded:
        near = difflib.get_close_matches(text, folded, n=3, cutoff=0.5)
        meant = dict.fromkeys(repr(names[folded[each]]) for each in near)
        hint = f"; did you mean {' or '.join(meant)}?" if near else ""
        raise InputError(f"policy must be a name of `driftbandit policies`, got {name!r}{hint}")
    return names[folded[text]]


def _preset(name: str) -> Row:
    preset = CATALOGUE[name]
    tuned = getattr(preset, "tuned", None)
    return {
        **grid.preset_row(preset),
        "explanation": explanation(preset.make),
        "tuning": explanation(tuned) if tuned else None,
    }


def _rule(kind: type) -> Row:
    cells = {name: grid.cell(preset.cell) for name, preset in CATALOGUE.items()}
    return {
        **grid.kind_row(kind),
        "explanation": explanation(kind),
        "used": [name for name, cell in cells.items() if kind.__name__ in cell.values()],
    }


def _group_content(group: Group) -> Row:
    rules = [grid.kind_row(kind) for kind in group.kinds.values()]
    return {"summary": group.summary, "rules": rules}


def _show_group(group: Group) -> None:
    print(f"{group.name}: {group.summary}")
    rows = [
        [kind.__name__, grid.settings(kind), grid.source(reference(kind)), summary(kind)]
        for kind in group.kinds.values()
    ]
    output.listing(["rule", "parameters", "reference", "what"], rows)


def _show_presets(rows: list[Row]) -> None:
    head = ["policy", "in Python", "cell", "parameters", "reference"]
    output.listing(head, [_cells(row) for row in rows])


def _show_row(row: Row) -> None:
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
    settings = grid.settings(CATALOGUE[row["name"]])
    return [row["name"], row["python"], _cell(row), settings, grid.source(row["reference"])]


def _cell(row: Row) -> str:
    if len(row["cell"]) == 1:
        ((family, kind),) = row["cell"].items()
        return f"{family}: {kind}"
    return " × ".join(row["cell"].values())
