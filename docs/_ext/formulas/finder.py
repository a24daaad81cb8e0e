"""Find the formulas in a text."""

from __future__ import annotations

from typing import NamedTuple

from _ext.formulas.parser import OPERATORS, NotAFormulaError, Parser
from _ext.formulas.syntax import Node
from _ext.formulas.tokens import Token, is_greek, tokens

STARTS = frozenset("√ΣΠ∫−([{⌈⌊|‖")
APOSTROPHES = "'\u2019"


class Formula(NamedTuple):
    """A formula in a text: what it says, and where it begins and ends."""

    node: Node
    start: int
    end: int


def formulas(text: str) -> list[Formula]:
    """Return the formulas in `text`, in order.

    >>> text = "The index is X̄ + B √(ξ log t / N), in round t of T, with a discount γ."
    >>> [text[formula.start : formula.end] for formula in formulas(text)]
    ['X̄ + B √(ξ log t / N)', 't', 'T', 'γ']
    """
    pieces, place = tokens(text), 0
    results: list[Formula] = []
    while place < len(pieces):
        formula, after = _formula(text, pieces, place)
        if formula is not None:
            results.append(formula)
        place = after
    return results


def _formula(text: str, pieces: list[Token], place: int) -> tuple[Formula | None, int]:
    """Return the longest formula that begins at a token, if there is one, and where to go on."""
    start = pieces[place]
    if not _can_start(text, start):
        return None, place + 1
    parser = Parser(pieces, place)
    try:
        node = parser.relation()
    except NotAFormulaError:
        return None, place + 1
    end = pieces[parser.place - 1].end
    if not _is_cut_off(text, end) and _is_worth_setting(pieces[place : parser.place], text[end:]):
        return Formula(node, start.at, end), parser.place
    return None, place + 1


def _can_start(text: str, token: Token) -> bool:
    before = text[token.at - 1] if token.at else " "
    if before.isalnum() or before in "-_./@&" + APOSTROPHES:
        return False
    return token.kind in ("letter", "number", "word") or token.text in STARTS


def _is_cut_off(text: str, end: int) -> bool:
    """Say whether a name goes on behind: C++, K-armed, i.e."""
    after = text[end : end + 2]
    return bool(after) and (
        after[0].isalnum()
        or after[0] in "-_+@" + APOSTROPHES
        or (after[0] == "." and after[1:].isalpha())
    )


def _is_worth_setting(pieces: list[Token], rest: str) -> bool:
    """Say whether a span is more than a plain number or word."""
    letters = [token for token in pieces if token.kind == "letter"]
    if len(pieces) == 1:
        name = pieces[0].text
        initial = name.isascii() and name.isupper() and rest[:1] == "." and rest[2:3].isupper()
        return bool(letters) and name not in "aAI" and not initial
    signs = {token.text for token in pieces}
    marked = any(is_greek(token.text) or len(token.text) > 1 for token in letters)
    scripts = any(token.kind in ("superscript", "subscript") for token in pieces)
    return (
        marked
        or scripts
        or bool(signs & {"√", "Σ", "Π", "∫", "⌈", "⌊", "^", "_"})
        or (bool(letters) and (bool(signs & OPERATORS) or pieces[0].kind == "letter"))
    )
