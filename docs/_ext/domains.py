"""Show what a parameter may be: plain types in signatures, and the domains beside them."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import typing
from typing import Annotated, Any

from sphinx.application import Sphinx

from driftbandit.core import domain
from driftbandit.core.domain import Domain, OrNone, Real, Whole, domains
from driftbandit.environments import environment
from driftbandit.environments.linear import world

DOMAIN = r"(?:<[^<>]*>|\w+\([^()]*\))"
ANNOTATED = re.compile(rf"~?(?:typing\.)?Annotated\[(~?[\w.]+(?:\[[^\[\]]*\])?), {DOMAIN}\]")
ALIASES = {
    name: typing.get_args(alias)[0].__name__
    for module in (domain, environment, world)
    for name, alias in vars(module).items()
    if typing.get_origin(alias) is Annotated
}
"""The named domains, such as `Positive`, and the types behind them."""

ALIAS = re.compile(rf"\b({'|'.join(ALIASES)})\b")


def plain(signature: str) -> str:
    """Return a signature with types in the place of domains.

    >>> plain("(a: ~typing.Annotated[int, <Whole object at 0x1>], b: Positive = 1.0)")
    '(a: int, b: float = 1.0)'
    """
    signature = ANNOTATED.sub(r"\1", signature)
    return ALIAS.sub(lambda match: ALIASES[match[1]], signature)


def allowed(bounds: Domain) -> str:
    """Return what a domain allows, in words; nothing if its type says it all.

    >>> allowed(Real("(0, 1]")), allowed(Real("(0, inf)")), allowed(Whole(least=2, even=True))
    ('in (0, 1]', 'above 0', 'a whole number of at least 2, even')
    """
    if isinstance(bounds, OrNone):
        words = allowed(bounds.domain)
        return words and f"None, or {words}"
    if isinstance(bounds, Whole):
        return f"a whole number of at least {bounds.least}" + ", even" * bounds.even
    if not isinstance(bounds, Real) or bounds.low == -math.inf:
        return ""
    if bounds.high < math.inf:
        return f"in {bounds.interval}"
    return f"{bounds.low:g} or more" if bounds.interval[0] == "[" else f"above {bounds.low:g}"


def sentence(cls: type) -> str:
    """Return what the fields of a class may be.

    >>> import driftbandit as db
    >>> sentence(db.Discount)
    '`discount` is in (0, 1].'
    """
    pairs = [(name, allowed(bounds)) for name, bounds in domains(cls)]
    phrases = [f"`{name}` is {words}" for name, words in pairs if words]
    return "; ".join(phrases) + "." * bool(phrases)


def process_signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str, returns: str
) -> tuple[str, str] | None:
    """Rewrite a signature for autodoc."""
    return (plain(signature), returns) if signature else None


def process_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Add what the fields of a value may be, before its reference or example."""
    if not (inspect.isclass(obj) and dataclasses.is_dataclass(obj)):
        return
    words = sentence(obj)
    if words:
        place = end_of_text(lines)
        lines[place:place] = ["", words, ""]


def end_of_text(lines: list[str]) -> int:
    """Return where the text of a docstring ends, before the words that lead to an example.

    >>> end_of_text(["Base.", "", "Your own", "is:", "", ">>> 1"]), end_of_text(["Base."])
    (2, 1)
    """
    ends = (place for place, line in enumerate(lines) if line.startswith(("Reference", ">>>")))
    place = next(ends, len(lines))
    if place > 1 and lines[place - 2].endswith(":"):
        place -= 2
        while place > 0 and lines[place - 1]:
            place -= 1
    return place


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen to autodoc, before docstrings are rewritten."""
    app.connect("autodoc-process-signature", process_signature)
    app.connect("autodoc-process-docstring", process_docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
