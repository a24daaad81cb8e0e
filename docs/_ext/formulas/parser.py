"""Read a formula written in plain text, such as X̄ + B √(ξ log t / N)."""

from __future__ import annotations

from collections.abc import Callable

from _ext.formulas.syntax import Fenced, Fraction, Node, Root, Row, Scripts, Symbol
from _ext.formulas.tokens import FUNCTIONS, SUBSCRIPTS, SUPERSCRIPTS, Token

RELATIONS = frozenset("=≤≥<>←→∝≈≠∈")
SUMS = frozenset("+−±∨")
TIMES = frozenset("·×")
OPERATORS = RELATIONS | SUMS | {"·", "/"}
BRACKETS = {"(": ")]", "[": ")]", "{": "}", "⌈": "⌉", "⌊": "⌋", "|": "|", "‖": "‖"}
OPENING, CLOSING = frozenset("([{,"), frozenset(")]},")
END = Token("end", "", -1, True)


class NotAFormulaError(Exception):
    """The text is no formula from here on."""


class Parser:
    """A recursive descent through tokens; `place` is the next one."""

    def __init__(self, pieces: list[Token], place: int) -> None:
        self.pieces, self.start, self.place = pieces, place, place

    def relation(self) -> Node:
        """Read sums that are compared."""
        return self._chain(RELATIONS, self.sum)

    def sum(self) -> Node:
        """Read products that are added, the first maybe with a sign of its own."""
        sign = self._accept("−+±")
        rest = self._chain(SUMS, self.product)
        return Row((Symbol("prefix", sign.text), *_parts(rest))) if sign else rest

    def product(self) -> Node:
        """Read quotients with a sign of multiplication between them."""
        return self._chain(TIMES, self.quotient)

    def quotient(self) -> Node:
        """Read factors that are divided; those side by side are divided as a whole."""
        node = self.factors()
        while self._is_binary("/"):
            place, spaced = self.place, self._peek().spaced
            self.place += 1
            try:
                node = Fraction(node, self.factors(), spaced)
            except NotAFormulaError:
                self.place = place
                break
        return node

    def factors(self) -> Node:
        """Read factors side by side."""
        parts = [self.factor()]
        while True:
            place, spaced = self.place, self._peek().spaced
            try:
                factor = self.factor()
            except NotAFormulaError:
                self.place = place
                break
            parts += [Symbol("space", " ")] * spaced + [factor]
        if _is_function(parts[-1]) and self._peek().text not in OPERATORS | {")", "]"}:
            raise NotAFormulaError
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def factor(self) -> Node:
        """Read a root, or an atom with its scripts."""
        if not self._accept("√"):
            return self._scripts(self._atom())
        body = self._atom()
        if isinstance(body, Fenced) and body.left == "(":
            return self._scripts(Root(body.body))
        return Root(self._scripts(body))

    def _atom(self) -> Node:
        token = self._peek()
        if token.text in BRACKETS:
            return self._fenced()
        kind = "word" if token.kind == "name" else token.kind
        if kind == "word" and token.text in FUNCTIONS:
            kind = "function"
        elif token.text in ("Σ", "Π", "∫"):
            kind = "big"
        elif token.text in ("…", "∞"):
            kind = "number"
        names = kind in ("letter", "word") and (kind == "word" or token.text in "aAI")
        if kind not in ("number", "letter", "word", "function", "big") or (
            names and not self._is_operand()
        ):
            raise NotAFormulaError
        self.place += 1
        return Symbol(kind, token.text, token.spaced)

    def _fenced(self) -> Fenced:
        left = self._accept("".join(BRACKETS))
        assert left is not None
        right = BRACKETS[left.text]
        star = self._accept("*")  # μ(*), the mean of the best arm
        parts: list[Node] = [Symbol("number", "*") if star else self.relation()]
        while sign := self._accept("".join({*",:;|"} - {right})):
            kind = "operator" if sign.text in ":|" else "punctuation"
            parts += [Symbol(kind, sign.text), self.relation()]
        end = self._accept(right)
        if end is None:
            raise NotAFormulaError
        return Fenced(left.text, Row(tuple(parts)), end.text)

    def _scripts(self, base: Node) -> Node:
        """Read what is written below and above a base."""
        below: Node | None = None
        above: list[Node] = []
        while not self._peek().spaced:
            token = self._peek()
            if token.kind == "superscript":
                above.append(Symbol("number", token.text.translate(SUPERSCRIPTS)))
            elif token.kind == "subscript":
                below = Symbol("number", token.text.translate(SUBSCRIPTS))
            elif token.text in ("_", "^"):
                self.place += 1
                if token.text == "^":
                    above.append(self._script())
                else:
                    below = self._script()
                continue
            else:
                break
            self.place += 1
        if below is None and not above:
            return base
        return Scripts(base, below, Row(tuple(above)) if above else None)

    def _script(self) -> Node:
        """Read one script: a letter or number, or anything in brackets, which are left out."""
        sign = self._accept("−+")
        if sign is None and self._peek().kind == "word":
            name = self._peek()
            self.place += 1
            return Symbol("word", name.text)
        body = self._atom()
        if isinstance(body, Fenced) and body.left in "({":
            return body.body
        return Row((Symbol("prefix", sign.text), body)) if sign else body

    def _chain(self, signs: frozenset[str], read: Callable[[], Node]) -> Node:
        """Read operands with signs between them, as far as there are any."""
        parts = [*_parts(read())]
        while self._is_binary("".join(signs)):
            place, sign = self.place, self._peek().text
            self.place += 1
            try:
                operand = read()
            except NotAFormulaError:
                self.place = place
                break
            parts += [Symbol("operator", sign), *_parts(operand)]
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def _is_binary(self, signs: str) -> bool:
        """Say whether a sign comes next with as much space before as behind."""
        token = self._peek()
        return bool(token.text) and token.text in signs and token.spaced == self._peek(1).spaced

    def _is_operand(self) -> bool:
        """Say whether a name is part of a formula, by what stands before and behind it."""
        before, token, after = (self._peek(ahead) for ahead in (-1, 0, 1))
        if after.text in ("_", "^") or after.kind in ("superscript", "subscript"):
            return not after.spaced
        applied = after.text == "(" and not after.spaced and self.place > self.start
        joined = before.kind == "letter" and not token.spaced
        last = token.kind == "letter" and after.text in CLOSING
        alone = before.text in OPENING and after.text in CLOSING
        if applied or joined or last or alone or before.text == "√":
            return True
        follows = before.text in OPERATORS and token.spaced and before.spaced
        leads = after.text in OPERATORS and after.spaced and self._peek(2).spaced
        return follows or leads

    def _accept(self, signs: str) -> Token | None:
        token = self._peek()
        if not token.text or token.text not in signs:
            return None
        self.place += 1
        return token

    def _peek(self, ahead: int = 0) -> Token:
        place = self.place + ahead
        return self.pieces[place] if 0 <= place < len(self.pieces) else END


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Row) else (node,)


def _is_function(node: Node) -> bool:
    base = node.base if isinstance(node, Scripts) else node
    return isinstance(base, Symbol) and base.kind == "function"
