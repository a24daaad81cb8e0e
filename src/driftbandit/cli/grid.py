"""The grid of policies, read off the values and their docstrings: there is no second list to keep.

Axes are the fields of `Policy` and `LinearPolicy`, families the other kinds of `Strategy`; what
`driftbandit.policies` and `driftbandit.linear` export is what there is. A preset's cell is read off
a policy that it makes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import itertools
import re
import typing
from collections.abc import Callable
from typing import Any

from driftbandit import linear, policies
from driftbandit.cli.syntax import parameters
from driftbandit.core.errors import InputError
from driftbandit.policies import Policy, Strategy
from driftbandit.rules.rule import Rule

Maker = Callable[..., Strategy]
EXPORTED: dict[str, Any] = {
    name: getattr(home, name) for home in (policies, linear) for name in home.__all__
}
PRESETS: dict[str, Maker] = {**policies.CATALOGUE, **linear.CATALOGUE}
"""The named policies, those for actions with features last."""
PLAYERS = "players"
"""The group of policies that belong to no family."""
TRIED: tuple[Any, ...] = (1, 2, 0.5, (2,))
"""What is tried for a parameter without a default, to see which rules a preset is made of."""


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
    axes = [Group(name, summary(kind), _kinds(kind)) for name, kind in every.items()]
    bases = {_base(kind): None for kind in _kinds(Strategy).values() if not axes_of(kind)}
    families = [Group(base.__name__.lower(), summary(base), _kinds(base)) for base in bases]
    players = {kind.__name__: kind for kind in bases if kind.__name__ in EXPORTED}
    alone = {name: kind for name, kind in players.items() if not _kinds(kind)}
    found = [*axes, *(family for family in families if family.kinds)]
    return [*found, Group(PLAYERS, "Policies of a kind of their own.", alone)]


def axes_of(kind: type) -> dict[str, type[Rule]]:
    """Return the fields of a class of policies that hold rules, and the kind of rule they hold.

    >>> axes_of(Policy)["force"].__name__
    'Force'
    """
    hints = typing.get_type_hints(kind)
    fields = [(field.name, hints[field.name]) for field in dataclasses.fields(kind)]
    return {
        name: hint for name, hint in fields if isinstance(hint, type) and issubclass(hint, Rule)
    }


def _kinds(base: type) -> dict[str, type]:
    """Return the exported classes below this one."""
    return {
        name: found
        for name, found in EXPORTED.items()
        if isinstance(found, type) and issubclass(found, base) and found is not base
    }


def _base(kind: type) -> type:
    """Return the class right below `Strategy` that this one is, or is made from."""
    return next(each for each in kind.__mro__ if Strategy in each.__bases__)


def cell_of(maker: Maker) -> dict[str, str]:
    """Return the cell of what a preset makes.

    >>> cell_of(policies.Doubling)
    {'players': 'Doubling'}
    """
    alone = isinstance(maker, type) and not axes_of(maker)
    return _member(maker) if alone else cell(example(maker))  # type: ignore[arg-type]  # a class


def cell(policy: Strategy) -> dict[str, str]:
    """Return which rules a policy is made of, by axis; of another family, the class in it.

    >>> cell(policies.SlidingWindowUCB(100))
    {'forget': 'Window', 'detect': 'Never', 'explore': 'UCB', 'force': 'Unforced'}
    >>> cell(policies.EXP3S())
    {'weights': 'EXP3S'}
    """
    axes = axes_of(type(policy))
    return {name: type(getattr(policy, name)).__name__ for name in axes} or _member(type(policy))


def _member(kind: type) -> dict[str, str]:
    family = PLAYERS if _base(kind) is kind else _base(kind).__name__.lower()
    return {family: kind.__name__}


def example(maker: Maker) -> Strategy:
    """Make a policy with any numbers that fit: its rules do not depend on them.

    >>> example(policies.DiscountedUCB).label
    'D-UCB'
    """
    needed = [
        name
        for name, one in inspect.signature(maker).parameters.items()
        if one.default is one.empty
    ]
    for values in itertools.product(TRIED, repeat=len(needed)):
        with contextlib.suppress(InputError, TypeError, AttributeError):
            return maker(**dict(zip(needed, values, strict=True)))
    raise TypeError(f"no numbers that were tried make a policy of {maker!r}")


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring in one line, with the formula it ends in.

    >>> summary(policies.Window)
    'Remember the plays of the last τ rounds with weight one, and no others.'
    """
    first, *others = [" ".join(part.split()) for part in _paragraphs(thing)]
    formula = first.endswith(":") and others
    return f"{first} {others[0].rstrip(',')}." if formula else first


def reference(thing: Any) -> str:
    """Return what a docstring says after "Reference:", in one line, or nothing.

    >>> reference(policies.GLRklUCB)
    'Besson, Kaufmann, Maillard & Seznec 2022.'
    """
    told = [part for part in _paragraphs(thing) if part.startswith("Reference: ")]
    return " ".join(told[0].removeprefix("Reference: ").split()) if told else ""


def source(told: str) -> str:
    """Return a reference without the titles in it.

    >>> source("Auer & Ortner 2019, *Adaptively tracking*; Thompson, *On the likelihood*, 1933.")
    'Auer & Ortner 2019; Thompson, 1933.'
    """
    return re.sub(r",? ?\*[^*]*\*", "", told)


def settings(maker: Callable[..., Any]) -> str:
    """Return the parameters in words, but for the label and the bound, which nearly all have.

    >>> settings(policies.UCB1)
    'xi=0.5'
    """
    return parameters(maker, without=("label", "bound"))


def explanation(thing: Any) -> str:
    """Return a docstring without its examples."""
    return "\n\n".join(part for part in _paragraphs(thing) if not part.startswith(">>>"))


def _paragraphs(thing: Any) -> list[str]:
    return [part.strip("\n") for part in (inspect.getdoc(thing) or "").split("\n\n")]


def kind_row(kind: type) -> dict[str, Any]:
    """Return what is told of a rule, or of a class of policies."""
    return {
        "name": kind.__name__,
        "summary": summary(kind),
        "parameters": parameters(kind),
        "reference": reference(kind),
    }


def preset_row(name: str, maker: Maker) -> dict[str, Any]:
    """Return what is told of a named policy; `tuned` are the parameters of its rule, if any.

    >>> preset_row("glr-kl-ucb", policies.GLRklUCB)["cell"]["detect"]
    'BernoulliGLR'
    """
    tuned = getattr(maker, "tuned", None)
    return {
        "name": name,
        "python": python_name(maker),
        "summary": summary(maker),
        "cell": cell_of(maker),
        "parameters": parameters(maker),
        "tuned": parameters(tuned) if tuned else None,
        "reference": reference(maker),
    }


def python_name(thing: Any) -> str:
    """Return the name under which the package exports something.

    >>> python_name(policies.GLRklUCB)
    'GLRklUCB'
    """
    return next(name for name, found in EXPORTED.items() if found is thing)
