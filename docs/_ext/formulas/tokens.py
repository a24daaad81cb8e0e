"""Split text into the words, numbers and signs that formulas are made of."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

FUNCTIONS = frozenset(["log", "exp", "min", "max", "sin", "cos", "cosh", "kl", "KL", "Beta"])
"""Names that are set upright and stand before what they are applied to."""

PRODUCTS = frozenset(["BT", "KT", "Kt", "KTC", "MN", "aa", "dT", "kT"])
"""Letters that are multiplied although they are written as one word."""

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱʲᵀ"
LOWERED = "₀₁₂₃₄₅₆₇₈₉"
PARTS = "½¼⅓⅔"
SUPERSCRIPTS = str.maketrans(RAISED, "0123456789−+nijT")
SUBSCRIPTS = str.maketrans(LOWERED, "0123456789")

LETTER = rf"[^\W\d_{RAISED}{LOWERED}{PARTS}]"
ACCENT = "[\u0300-\u036f~]"
TOKEN = re.compile(
    rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+(?:\.\d+)?(?:e-?\d+)?|[{PARTS}])"
    rf"|(?P<superscript>[{RAISED}]+|[′*](?!\w))"
    rf"|(?P<subscript>[{LOWERED}]+)"
    r"|(?P<name>[a-z]{2,}(?:_[a-z]{2,})+)"
    rf"|(?P<word>{LETTER}(?:{LETTER}|{ACCENT})*)"
    r"|(?P<sign>\S)"
)


class Token(NamedTuple):
    """A piece of text: its kind, where it begins, and whether a space stands before it."""

    kind: str
    text: str
    at: int
    spaced: bool

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.at + len(self.text)


def tokens(text: str) -> list[Token]:
    """Split `text`; a letter that stands for a number is of the kind "letter".

    >>> [token.text for token in tokens("all √(γ x̂_i)") if token.kind == "letter"]
    ['γ', 'x̂', 'i']
    """
    pieces: list[Token] = []
    for match in TOKEN.finditer(text):
        spaced = match.start() > 0 and text[match.start() - 1].isspace()
        token = Token(match.lastgroup or "sign", match[0], match.start(), spaced)
        pieces += _letters(token) if token.kind == "word" else [token]
    return pieces


def _letters(word: Token) -> list[Token]:
    """Return the letters of a word if each is a variable, else the word."""
    letters = re.findall(f".{ACCENT}*", word.text)
    if len(letters) > 1 and word.text not in PRODUCTS and not any(map(is_greek, letters)):
        return [word]
    pieces, at = [], word.at
    for letter in letters:
        pieces.append(Token("letter", letter, at, word.spaced and at == word.at))
        at += len(letter)
    return pieces


def is_greek(letter: str) -> bool:
    """Say whether a letter, with or without an accent, is Greek or made for formulas.

    >>> is_greek("γ"), is_greek("ℓ"), is_greek("x")
    (True, True, False)
    """
    base = unicodedata.normalize("NFD", letter)[0]
    return "\u0391" <= base <= "\u03c9" or base == "ℓ"
