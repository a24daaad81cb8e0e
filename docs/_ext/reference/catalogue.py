"""Document what has a name in a shell: policies, worlds and reward laws."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import driftbandit
from _ext.reference.objects import fenced, kind, resolve
from driftbandit import environments, linear

Makers = Mapping[str, Callable[..., Any]]

FAMILIES: dict[str, tuple[type, ...]] = {
    "index": (driftbandit.Policy,),
    "weights": (driftbandit.Weights,),
    "procedures": (driftbandit.Procedure, driftbandit.Doubling),
    "linear": (linear.LinearPolicy,),
    "baselines": (driftbandit.Uniform, driftbandit.Oracle),
}
"""The families of policies, each by the classes of its members."""

VARIANTS = ("tuned", "read")
"""Other ways to make a value."""


def policies(family: str) -> str:
    """Return the entries of the named policies of a family."""
    presets = {
        name: preset.public
        for name, preset in driftbandit.policies.CATALOGUE.items()
        if issubclass(preset.cell.kind, FAMILIES[family])
    }
    return _entries(presets, "driftbandit")


def worlds(group: str) -> str:
    """Return the entries of a group of worlds: fixed, random, wild, rise, published or linear."""
    if group == "linear":
        return _entries(linear.WORLDS, "driftbandit.linear")
    room = "driftbandit.environments" + (".published" if group == "published" else "")
    makers = environments.CATALOGUE
    return _entries({name: makers[name] for name in makers if group_of(name) == group}, room)


def laws(_: str) -> str:
    """Return the entries of the reward laws."""
    return _entries(environments.laws.CATALOGUE, "driftbandit.environments.laws")


def group_of(name: str) -> str:
    """Return the group of a world.

    >>> group_of("two-swaps"), group_of("radio"), group_of("besson-1")
    ('fixed', 'random', 'published')
    """
    paper = ("two-swaps", "periodic")
    if name in environments.PROBLEMS and name not in paper:
        return "published"
    if name in ("wild", "rise"):
        return name
    return "random" if getattr(environments.CATALOGUE[name], "random", False) else "fixed"


def _entries(makers: Makers, room: str) -> str:
    return "\n\n".join(_entry(name, maker, room) for name, maker in makers.items())


def _entry(name: str, maker: Callable[..., Any], room: str) -> str:
    """Return a heading, the name in a shell, and what the docstrings say."""
    public = python_name(maker, room)
    blocks, names = [f".. auto{kind(maker)}:: {room}.{public}"], [f"`{name}`"]
    for variant in VARIANTS:
        if hasattr(maker, variant):
            directive = "method" if inspect.isclass(maker) else "function"
            blocks.append(f".. auto{directive}:: {room}::{public}.{variant}")
            names.append(f"`{name}.{variant}`")
    shell = f"In a shell: {', '.join(names)}."
    return f"## {title(name, maker)}\n\n{shell}\n\n" + fenced("\n\n".join(blocks))


def python_name(maker: Callable[..., Any], room: str) -> str:
    """Return the public name of a maker in a module.

    >>> python_name(environments.CATALOGUE["news"], "driftbandit.environments")
    'NewsFeed'
    """
    module = resolve(room)
    return next(str(name) for name in module.__all__ if getattr(module, name) is maker)


def title(name: str, maker: Callable[..., Any]) -> str:
    """Return how results and figures call a policy, or its name in a shell.

    >>> title("d-ucb", driftbandit.DiscountedUCB), title("moss", driftbandit.MOSS)
    ('D-UCB', 'MOSS')
    """
    label = inspect.signature(maker).parameters.get("label")
    return str(label.default) if label and label.default else name
