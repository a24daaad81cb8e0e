"""The grid of policies: axes and their rules, families and their classes, presets and their cells.

Axes are the fields of `Policy` and `LinearPolicy`, and rules what their namespaces offer. Presets
are those of the catalogue; a family is the base that classes of the catalogue share.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

from driftbandit import linear
from driftbandit.cli.syntax import parameters
from driftbandit.core.docstring import reference, summary
from driftbandit.core.domain import domains
from driftbandit.policies import CATALOGUE, Policy, Strategy
from driftbandit.policies.presets.preset import Cell, Preset
from driftbandit.rules import detect, explore, force, forget
from driftbandit.rules.rule import Axis

PLAYERS = "players"
"""The group of policies that belong to no family."""
NAMESPACES = (forget, detect, explore, force, linear)
"""What offers the rules."""


@dataclasses.dataclass(frozen=True)
class Group:
    """An axis or a family: what it is about, and its kinds by name."""

    name: str
    summary: str
    kinds: dict[str, type]


def groups() -> list[Group]:
    """Return the axes, then the families.

    >>> [group.name for group in groups()][:4], list(groups()[0].kinds)[:2]
    (['forget', 'detect', 'explore', 'force'], ['ArmWindow', 'Discount'])
    """
    every = {**axes_of(Policy), **axes_of(linear.LinearPolicy)}
    axes = [Group(name, summary(kind), _rules(kind)) for name, kind in every.items()]
    players = {preset.python: preset.cell.kind for preset in CATALOGUE.values()}
    classes = {name: kind for name, kind in players.items() if kind.__name__ == name}
    bases = {_base(kind): None for kind in classes.values()}
    families = [
        Group(base.__name__.lower(), summary(base), _below(base, classes))
        for base in bases
        if base.__name__ not in classes
    ]
    alone = {name: kind for name, kind in classes.items() if _base(kind) is kind}
    return [*axes, *families, Group(PLAYERS, "Policies of a kind of their own.", alone)]


def families() -> dict[str, list[Preset[..., Any]]]:
    """Return the named policies of every family, by the name of its folder.

    >>> [preset.shell for preset in families()["linear"]]
    ['lin-ucb', 'd-lin-ucb', 'sw-lin-ucb']
    """
    table: dict[str, list[Preset[..., Any]]] = {}
    for preset in CATALOGUE.values():
        _, _, family, *module = preset.cell.kind.__module__.split(".")
        if module:  # `Doubling` is in a file of its own: it plays policies of any family
            table.setdefault(family, []).append(preset)
    return table


def axes_of(kind: type) -> dict[str, type]:
    """Return the axes of a class of policies, and the kind of rule that each holds.

    >>> axes_of(Policy)["force"].__name__
    'Force'
    """
    return {name: domain.kind for name, domain in domains(kind) if isinstance(domain, Axis)}


def _rules(base: type) -> dict[str, type]:
    """Return the rules of an axis."""
    offered = {name: getattr(home, name) for home in NAMESPACES for name in home.__all__}
    return _below(base, offered)


def _below(base: type, offered: dict[str, Any]) -> dict[str, type]:
    return {
        name: kind
        for name, kind in offered.items()
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base
    }


def _base(kind: type) -> type:
    """Return the class right below `Strategy` that this one is, or is made from."""
    return next(each for each in kind.__mro__ if Strategy in each.__bases__)


def cell(place: Cell) -> dict[str, str]:
    """Return the rules of a cell, by axis; of another family, the class in it.

    >>> cell(CATALOGUE["sw-ucb"].cell)
    {'forget': 'Window', 'detect': 'Never', 'explore': 'UCB', 'force': 'Unforced'}
    >>> cell(CATALOGUE["exp3"].cell), cell(CATALOGUE["doubling"].cell)
    ({'weights': 'EXP3S'}, {'players': 'Doubling'})
    """
    base = _base(place.kind)
    family = PLAYERS if base is place.kind else base.__name__.lower()
    return place.rules() or {family: place.kind.__name__}


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


def kind_row(kind: type) -> dict[str, Any]:
    """Return the row that describes a rule, or a class of policies."""
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
        "summary": preset.summary,
        "cell": cell(preset.cell),
        "parameters": parameters(preset),
        "tuned": parameters(tuned) if tuned else None,
        "reference": preset.reference,
    }
