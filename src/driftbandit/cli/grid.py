"""The grid of policies: axes and their rules, families and their named policies.

Axes are the fields of `Policy` and `LinearPolicy`, and rules what their namespaces offer. A family
is a folder of `policies`, or a file of its own, and its named policies are those made there.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable
from typing import Any

from driftbandit import linear
from driftbandit.cli.syntax import parameters
from driftbandit.core.docstring import reference, summary
from driftbandit.core.domain import domains
from driftbandit.policies import CATALOGUE, Policy
from driftbandit.policies.presets.preset import Cell, Preset
from driftbandit.rules import detect, explore, force, forget
from driftbandit.rules.rule import Axis

NAMESPACES = (forget, detect, explore, force, linear)
"""What offers the rules."""


@dataclasses.dataclass(frozen=True)
class RuleAxis:
    """An axis: what it is about, and its rules by name."""

    name: str
    summary: str
    rules: dict[str, type]


@dataclasses.dataclass(frozen=True)
class Family:
    """A family: what it is, and its named policies."""

    name: str
    summary: str
    presets: list[Preset[..., Any]]


def axes() -> dict[str, RuleAxis]:
    """Return the axes by name.

    >>> list(axes())[:4], list(axes()["forget"].rules)[:2]
    (['forget', 'detect', 'explore', 'force'], ['ArmWindow', 'Discount'])
    """
    every = {**axes_of(Policy), **axes_of(linear.LinearPolicy)}
    return {name: RuleAxis(name, summary(kind), _rules(kind)) for name, kind in every.items()}


def families() -> dict[str, Family]:
    """Return the families by name; what they are is told by the docstrings of their folders.

    >>> [preset.shell for preset in families()["linear"].presets]
    ['lin-ucb', 'd-lin-ucb', 'sw-lin-ucb']
    """
    names = {name: family_of(preset.cell.kind) for name, preset in CATALOGUE.items()}
    return {
        family: Family(
            family,
            summary(sys.modules[f"driftbandit.policies.{family}"]).rpartition(": ")[2],
            [CATALOGUE[name] for name, its_family in names.items() if its_family == family],
        )
        for family in dict.fromkeys(names.values())
    }


def family_of(kind: type) -> str:
    """Return the family of a class of policies: where in `policies` it is made.

    >>> family_of(Policy)
    'index'
    """
    return kind.__module__.split(".")[2]


def axes_of(kind: type) -> dict[str, type]:
    """Return the axes of a class of policies, and the kind of rule that each holds.

    >>> axes_of(Policy)["force"].__name__
    'Force'
    """
    return {name: domain.kind for name, domain in domains(kind) if isinstance(domain, Axis)}


def _rules(base: type) -> dict[str, type]:
    """Return the rules of an axis."""
    offered = {name: getattr(home, name) for home in NAMESPACES for name in home.__all__}
    return {
        name: kind
        for name, kind in offered.items()
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base
    }


def cell(place: Cell) -> dict[str, str]:
    """Return the rules of a cell, by axis; of a family without axes, the class in it.

    >>> cell(CATALOGUE["sw-ucb"].cell)
    {'forget': 'Window', 'detect': 'Never', 'explore': 'UCB', 'force': 'Unforced'}
    >>> cell(CATALOGUE["exp3"].cell), cell(CATALOGUE["doubling"].cell)
    ({'weights': 'EXP3S'}, {'doubling': 'Doubling'})
    """
    return place.rules() or {family_of(place.kind): place.kind.__name__}


def source(text: str) -> str:
    """Return a reference without the titles in it.

    >>> source("Auer & Ortner 2019, *Adaptively tracking*; Thompson, *On the likelihood*, 1933.")
    'Auer & Ortner 2019; Thompson, 1933.'
    """
    return re.sub(r",? ?\*[^*]*\*", "", text)


def settings(maker: Callable[..., Any]) -> str:
    """Return the parameters in words, but for the label and the bound, which nearly all have.

    >>> settings(CATALOGUE["ucb-1"])
    'xi=0.5'
    """
    return parameters(maker, without=("label", "bound"))


def rule_name(rule: type) -> str:
    """Return the name of a rule in Python, with its namespace.

    >>> rule_name(forget.Window), rule_name(linear.Ellipsoid)
    ('forget.Window', 'linear.Ellipsoid')
    """
    home = next(home for home in NAMESPACES if vars(home).get(rule.__name__) is rule)
    return f"{home.__name__.rpartition('.')[2]}.{rule.__name__}"


def rule_row(kind: type) -> dict[str, Any]:
    """Return the row that describes a rule."""
    return {
        "name": kind.__name__,
        "summary": summary(kind),
        "parameters": parameters(kind),
        "reference": reference(kind),
    }


def preset_row(preset: Preset[..., Any]) -> dict[str, Any]:
    """Return the row that describes a named policy; `tuned` are the parameters of its rule, if any.

    >>> preset_row(CATALOGUE["glr-kl-ucb"])["cell"]["detect"]
    'GLR'
    """
    tuned = getattr(preset, "tuned", None)
    return {
        "name": preset.shell,
        "python": preset.python,
        "family": family_of(preset.cell.kind),
        "summary": preset.summary,
        "cell": cell(preset.cell),
        "parameters": parameters(preset),
        "tuned": parameters(tuned) if tuned else None,
        "reference": preset.reference,
    }
