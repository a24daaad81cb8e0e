"""Write a formula as MathML."""

from __future__ import annotations

import html
import unicodedata

from _ext.formulas.parser import RELATIONS, SUMS
from _ext.formulas.syntax import Fenced, Fraction, Node, Root, Row, Scripts, Symbol

ACCENTS = {"\u0304": "¯", "\u0305": "¯", "\u0302": "^", "\u0303": "~"}
THIN = '<mspace width="0.17em"></mspace>'
MEDIUM = '<mspace width="0.28em"></mspace>'
SYMBOLS = {
    "number": "<mn>{}</mn>",
    "word": "<mi>{}</mi>",
    "function": "<mi>{}</mi>",
    "space": THIN,
    "wide": '<mspace width="2em"></mspace>',
    "prefix": '<mo form="prefix">{}</mo>',
    "operator": '<mo form="infix" lspace="0.28em" rspace="0.28em" stretchy="false">{}</mo>',
    "first operator": '<mo form="infix" lspace="0" rspace="0.28em" stretchy="false">{}</mo>',
    "punctuation": '<mo form="infix" lspace="0" rspace="0.28em" stretchy="false">{}</mo>',
    "big": '<mo lspace="0" rspace="0.17em">{}</mo>',
}
"""How symbols that are not letters are written, by kind."""


def inline(node: Node, source: str) -> str:
    """Return a formula for running text, in pieces between which a line may break.

    Quotients have a slash, as in the source, so that lines keep their height.
    """
    label, writer = html.escape(source, quote=True), Writer(stacked=False)
    pieces = " ".join(f"<math>{writer.row(chunk)}</math>" for chunk in _chunks(node))
    return f'<span class="formula" role="math" aria-label="{label}">{pieces}</span>'


def block(node: Node, source: str) -> str:
    """Return a formula for a line of its own, with quotients one above the other."""
    label, writer = html.escape(source, quote=True), Writer(stacked=True)
    return f'<math display="block" aria-label="{label}">{writer.write(node)}</math>'


class Writer:
    """Write the parts of a formula, with quotients `stacked` or with a slash."""

    def __init__(self, stacked: bool) -> None:
        self.stacked = stacked

    def write(self, node: Node) -> str:
        """Return the MathML of a part."""
        if isinstance(node, Symbol):
            return self.symbol(node)
        if isinstance(node, Row):
            return f"<mrow>{self.row(node.parts)}</mrow>"
        if isinstance(node, Fraction):
            return self.fraction(node)
        if isinstance(node, Root):
            return f"<msqrt>{self.write(node.body)}</msqrt>"
        return self.scripts(node) if isinstance(node, Scripts) else self.fenced(node)

    def row(self, parts: tuple[Node, ...]) -> str:
        """Return parts side by side."""
        return "".join(map(self.write, parts))

    def symbol(self, symbol: Symbol) -> str:
        """Return a letter with its accent, a number, a name or a sign."""
        if symbol.kind != "letter":
            return SYMBOLS[symbol.kind].format(html.escape(symbol.text))
        letters = list(unicodedata.normalize("NFD", symbol.text))
        markup = f"<mi>{letters[0]}</mi>"
        for mark in letters[1:]:
            accent = f'<mo stretchy="false">{ACCENTS.get(mark, mark)}</mo>'
            markup = f'<mover accent="true">{markup}{accent}</mover>'
        return markup

    def fraction(self, node: Fraction) -> str:
        """Return a quotient; a stacked one needs no brackets."""
        if self.stacked:
            above, below = (self.write(_bare(part)) for part in (node.above, node.below))
            return f"<mfrac>{above}{below}</mfrac>"
        space = MEDIUM if node.spaced else ""
        slash = f'{space}<mo lspace="0" rspace="0" stretchy="false">/</mo>{space}'
        return f"<mrow>{self.write(node.above)}{slash}{self.write(node.below)}</mrow>"

    def scripts(self, node: Scripts) -> str:
        """Return a base with its scripts; those of a sum on its own line stand above and below."""
        limits = self.stacked and isinstance(node.base, Symbol) and node.base.text in ("Σ", "Π")
        plain = Writer(stacked=False)
        below = plain.write(node.below) if node.below else ""
        above = plain.write(node.above) if node.above else ""
        names = {"b": "munder", "a": "mover", "ba": "munderover"}
        if not limits:
            names = {"b": "msub", "a": "msup", "ba": "msubsup"}
        tag = names["b" * bool(below) + "a" * bool(above)]
        return f"<{tag}>{self.write(node.base)}{below}{above}</{tag}>"

    def fenced(self, node: Fenced) -> str:
        """Return parts in brackets, which grow on a line of their own."""
        style = f'lspace="0" rspace="0" stretchy="{"true" if self.stacked else "false"}"'
        left = f'<mo form="prefix" {style}>{node.left}</mo>'
        right = f'<mo form="postfix" {style}>{node.right}</mo>'
        return f"<mrow>{left}{self.row(node.body.parts)}{right}</mrow>"


def _bare(node: Node) -> Node:
    """Return what stands in round brackets, or the node."""
    return node.body if isinstance(node, Fenced) and node.left + node.right == "()" else node


def _chunks(node: Node) -> list[tuple[Node, ...]]:
    """Part a formula before its relations and sums, where a line may break.

    The text has a space there, so that the operator needs none.
    """
    chunks: list[tuple[Node, ...]] = [()]
    for part in node.parts if isinstance(node, Row) else (node,):
        operator = isinstance(part, Symbol) and part.kind == "operator" and part
        if operator and operator.text in RELATIONS | SUMS and chunks[-1]:
            chunks.append((Symbol("first operator", operator.text),))
        else:
            chunks[-1] = (*chunks[-1], part)
    return chunks
