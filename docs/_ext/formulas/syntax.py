"""The parts of a formula."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Symbol:
    """A letter, number, name or sign, and whether a space stands before it."""

    kind: str
    text: str
    spaced: bool = False


@dataclasses.dataclass(frozen=True)
class Row:
    """Parts side by side."""

    parts: tuple[Node, ...]


@dataclasses.dataclass(frozen=True)
class Fraction:
    """A quotient."""

    above: Node
    below: Node
    spaced: bool


@dataclasses.dataclass(frozen=True)
class Root:
    """A square root."""

    body: Node


@dataclasses.dataclass(frozen=True)
class Scripts:
    """A base with what is below and above to its right."""

    base: Node
    below: Node | None
    above: Node | None


@dataclasses.dataclass(frozen=True)
class Fenced:
    """Parts in brackets."""

    left: str
    body: Row
    right: str


Node = Symbol | Row | Fraction | Root | Scripts | Fenced
