"""Values written as calls: `d-ucb(discount=0.99)`, `piecewise(breakpoints=[300], means=…)`.

The text is parsed, never evaluated: parameters are Python literals, or a reward law by its name.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from driftbandit.core.errors import InputError, one_of
from driftbandit.environments import laws

WRITTEN = re.compile(r"\s*([A-Za-z0-9_.+\-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
VARIANTS = ("tuned", "read")
"""Other ways to make a value, written after a dot: `d-ucb.tuned(…)`, `table.read(…)`."""

Makers = Mapping[str, Callable[..., Any]]


def make(kind: str, text: str, makers: Makers, **defaults: Any) -> Any:
    """Make what `text` describes; `defaults` hold for parameters that it leaves open.

    >>> from driftbandit.policies import CATALOGUE
    >>> make("policy", "sw-ucb(window=100)", CATALOGUE).forget
    Window(window=100)
    >>> make("policy", "sw-ucb(size=100)", CATALOGUE)
    Traceback (most recent call last):
    driftbandit.InputError: sw-ucb has no parameter 'size'; it has window, xi, bound, \
padding, label
    """
    name, inside = split(kind, text)
    maker = _maker(kind, name, makers)
    call = _parsed(kind, text, inside)
    arguments = [_literal(name, "", node) for node in call.args]
    given: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise InputError(f"{name} takes parameter=value, not **")
        if keyword.arg in given:
            raise InputError(f"{keyword.arg} of {name} must be given once only")
        given[keyword.arg] = _literal(name, keyword.arg, keyword.value)
    return _called(name, maker, arguments, given, defaults)


def split(kind: str, text: str) -> tuple[str, str]:
    """Return the name of what is called, and what is written in its brackets.

    >>> split("policy", "sw-ucb(window=100)")
    ('sw-ucb', 'window=100')
    """
    found = WRITTEN.fullmatch(text)
    if not found:
        raise InputError(f"{kind} must be written as name(parameter=value, …), got {text!r}")
    return found[1], found[2] or ""


def needed(kind: str, text: str, makers: Makers) -> list[str]:
    """Return the parameters without a default of what `text` calls.

    >>> from driftbandit.policies import CATALOGUE
    >>> needed("policy", "exp3.s.tuned(breakpoints=2)", CATALOGUE)
    ['horizon', 'breakpoints', 'arms']
    """
    maker = _maker(kind, split(kind, text)[0], makers)
    known = inspect.signature(maker).parameters
    return [name for name, value in known.items() if value.default is value.empty]


def parameters(maker: Callable[..., Any], without: Sequence[str] = ()) -> str:
    """Return the parameters of a maker in words, with their defaults.

    >>> from driftbandit.policies import UCB1
    >>> parameters(UCB1)
    "xi=0.5, bound=1.0, label='UCB-1'"
    """
    return ", ".join(
        name if value.default is value.empty else f"{name}={_shown(value.default)}"
        for name, value in inspect.signature(maker).parameters.items()
        if name not in without
    )


def _shown(default: Any) -> str:
    return str(default.name) if isinstance(default, laws.Law) else repr(default)


def _maker(kind: str, name: str, makers: Makers) -> Callable[..., Any]:
    name = name.lower()
    base, _, variant = name.rpartition(".")
    if variant not in VARIANTS:
        return makers[one_of(kind, name, makers)]
    maker = getattr(makers[one_of(kind, base, makers)], variant, None)
    if maker is None:
        raise InputError(f"{kind} {base} has no {variant!r} form")
    return maker  # type: ignore[no-any-return]


def _parsed(kind: str, text: str, inside: str) -> ast.Call:
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise InputError(f"{kind} must be written as name(parameter=value, …), got {text!r}")
    return call


def _literal(name: str, parameter: str, node: ast.expr) -> Any:
    """Return the value of a literal; for `law`, a name or a call of one is a reward law.

    For `base` the name of a policy needs no quotes.
    """
    written = ast.unparse(node)
    if parameter == "law" and isinstance(node, ast.Name | ast.Call):
        return make("law", written, laws.CATALOGUE)
    if parameter == "base" and isinstance(node, ast.Name | ast.Attribute | ast.BinOp):
        return written.replace(" ", "")  # exp3.s and m-ucb are names, though Python reads sums
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise InputError(
            f"{parameter or 'a parameter'} of {name} must be a number, a list or a text in "
            f"quotes, got {written}"
        ) from None


def _called(
    name: str,
    maker: Callable[..., Any],
    arguments: list[Any],
    given: dict[str, Any],
    defaults: dict[str, Any],
) -> Any:
    known = inspect.signature(maker).parameters
    for parameter in given:
        if parameter not in known:
            near = difflib.get_close_matches(parameter, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{name} has no parameter {parameter!r}; it has {', '.join(known) or 'none'}{hint}"
            )
    by_name = list(known)[len(arguments) :]
    open_ones = {key: value for key, value in defaults.items() if key in by_name}
    try:
        bound = inspect.signature(maker).bind(*arguments, **(open_ones | given))
    except TypeError as error:
        raise InputError(f"{name}: {error}; its parameters are {parameters(maker)}") from None
    try:
        return maker(*bound.args, **bound.kwargs)
    except InputError:
        raise
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: {error}") from None
