"""The grid of policies as text and as plain data: all of it, or one part in detail."""

from __future__ import annotations

from typing import Any

from driftbandit.cli import grid, output
from driftbandit.cli.grid import Family, RuleAxis
from driftbandit.core.docstring import explanation, reference, summary
from driftbandit.core.errors import one_of
from driftbandit.policies import CATALOGUE
from driftbandit.policies.presets.preset import other_names

Row = dict[str, Any]


def print_all(as_json: bool) -> None:
    """Print the rules on every axis, and the named policies of every family with their cells."""
    axes, families = grid.axes(), grid.families()

    def content() -> Row:
        return {
            "axes": {name: _axis_content(axis) for name, axis in axes.items()},
            "families": {name: family.summary for name, family in families.items()},
            "policies": [grid.preset_row(preset) for preset in CATALOGUE.values()],
        }

    def show() -> None:
        for axis in axes.values():
            _show_axis(axis)
            print()
        for family in families.values():
            _show_family(family)
            print()
        print("Most policies have a bound=1.0 on rewards, and all have a label.")
        print("One of them, one axis or one family in detail: driftbandit policies NAME")

    output.report(as_json, content, show)


def print_one(text: str, as_json: bool) -> None:
    """Print the details of a named policy, of a rule, of an axis or of a family."""
    axes, families, rules, name = grid.axes(), grid.families(), _rules(), name_of(text)
    if name in CATALOGUE:
        row = _preset(name)
        output.report(as_json, lambda: row, lambda: _show_row(row))
    elif name in families:
        family = families[name]
        output.report(as_json, lambda: _family_content(family), lambda: _show_family(family))
    elif name in axes:
        axis = axes[name]
        content = {"name": name, **_axis_content(axis)}
        output.report(as_json, lambda: content, lambda: _show_axis(axis))
    else:
        row = _rule(rules[name])
        output.report(as_json, lambda: row, lambda: _show_row(row))


def name_of(text: str) -> str:
    """Return the name of the policy, rule, axis or family that is meant.

    >>> name_of("GLR-klUCB"), name_of("BernoulliGLR"), name_of("Detect"), name_of("weights")
    ('glr-kl-ucb', 'detect.GLR', 'detect', 'weights')
    """
    rules = _rules()
    names = [*CATALOGUE, *grid.families(), *grid.axes(), *rules]
    tuned = {f"{name}.tuned": name for name, each in CATALOGUE.items() if hasattr(each, "tuned")}
    also = {**_rule_names(rules), **other_names(), **tuned}
    return one_of("policy", text.strip(), names, also=also, listed_by="driftbandit policies")


def _rules() -> dict[str, type]:
    """Return all rules by axis and name: `explore.MOSS` is the rule, `MOSS` a policy too."""
    return {
        f"{axis.name}.{name}": rule
        for axis in grid.axes().values()
        for name, rule in axis.rules.items()
    }


def _rule_names(rules: dict[str, type]) -> dict[str, str]:
    """Return the names that the package has for rules, such as `GLR` and `BernoulliGLR`."""
    names = {rule: name for name, rule in rules.items()}
    values = {name: value for home in grid.NAMESPACES for name, value in vars(home).items()}
    return {
        name: names[value]
        for name, value in values.items()
        if isinstance(value, type) and value in names
    }


def _preset(name: str) -> Row:
    preset = CATALOGUE[name]
    tuned = getattr(preset, "tuned", None)
    return {
        **grid.preset_row(preset),
        "explanation": explanation(preset.make),
        "tuning": explanation(tuned) if tuned else None,
    }


def _rule(rule: type) -> Row:
    return {
        **grid.rule_row(rule),
        "python": grid.rule_name(rule),
        "explanation": explanation(rule),
        "used": [name for name, preset in CATALOGUE.items() if preset.cell.holds(rule)],
    }


def _axis_content(axis: RuleAxis) -> Row:
    rules = [grid.rule_row(rule) for rule in axis.rules.values()]
    return {"summary": axis.summary, "rules": rules}


def _family_content(family: Family) -> Row:
    policies = [grid.preset_row(preset) for preset in family.presets]
    return {"name": family.name, "summary": family.summary, "policies": policies}


def _show_axis(axis: RuleAxis) -> None:
    print(f"{axis.name}: {axis.summary}")
    rows = [
        [rule.__name__, grid.settings(rule), grid.source(reference(rule)), summary(rule)]
        for rule in axis.rules.values()
    ]
    output.listing(["rule", "parameters", "reference", "what"], rows)


def _show_family(family: Family) -> None:
    print(f"{family.name}: {family.summary}")
    rows = [
        [
            preset.shell,
            preset.python,
            _cell(grid.cell(preset.cell)),
            grid.settings(preset),
            grid.source(preset.reference),
        ]
        for preset in family.presets
    ]
    output.listing(["policy", "in Python", "cell", "parameters", "reference"], rows)


def _show_row(row: Row) -> None:
    print(row["explanation"])
    print()
    print(f"parameters: {row['parameters'] or 'none'}")
    if "used" in row:
        print(f"in Python: db.{row['python']}")
        print(f"used by: {', '.join(row['used']) or 'no named policy'}")
        return
    print(f"in Python: db.{row['python']}, in a shell: {row['name']}")
    print(f"cell: {_cell(row['cell'])}")
    if row["tuned"] is not None:
        print()
        print(f"{row['name']}.tuned({row['tuned']})")
        print(row["tuning"])


def _cell(cell: dict[str, str]) -> str:
    """Return a cell in words: its rules, or its class."""
    return " × ".join(cell.values())
