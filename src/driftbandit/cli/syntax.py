"""Values written as calls: `d-ucb(discount=0.99)`, `piecewise(breakpoints=[300], means=…)`.

The text is parsed, never evaluated: arguments are Python literals, or a reward law by its name.
Names may be written in upper or lower case; a call has the catalogue's spelling.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from driftbandit.core.errors import InputError, one_of, shown, suggestion
from driftbandit.environments import laws

CALL = re.compile(r"\s*([^()=,]*[^()=,\s])\s*(\((.*)\))?\s*", re.DOTALL)
VARIANTS = ("tuned", "read")
"""Other ways to make a value, written after a dot: `d-ucb.tuned(…)`, `table.read(…)`."""

NO_NAMES: Mapping[str, str] = {}

Maker = Callable[..., Any]
Makers = Mapping[str, Maker]


@dataclasses.dataclass(frozen=True)
class Call:
    """A maker with its name in the catalogue, and the arguments that a text gives it."""

    name: str
    maker: Maker
    text: str
    """The text in the catalogue's spelling."""
    positional: tuple[Any, ...]
    keywords: dict[str, Any]

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """All parameters of the maker."""
        return inspect.signature(self.maker).parameters

    @property
    def required(self) -> list[str]:
        """The parameters without a default, whether the text gives them or not."""
        return [name for name, each in self.parameters.items() if each.default is each.empty]

    @property
    def arguments(self) -> set[str]:
        """The parameters that the text gives a value, by place or by name."""
        return {*list(self.parameters)[: len(self.positional)], *self.keywords}

    def make(self, **defaults: Any) -> Any:
        """Make the value; `defaults` hold for parameters that the text leaves open."""
        free = {
            name: value
            for name, value in defaults.items()
            if name in self.parameters and name not in self.arguments
        }
        try:
            bound = inspect.signature(self.maker).bind(*self.positional, **free, **self.keywords)
        except TypeError as error:
            rule = (
                f"; {self.name}.tuned sets them by a rule" if hasattr(self.maker, "tuned") else ""
            )
            raise InputError(
                f"{self.name}: {error}; its parameters are {parameters(self.maker)}{rule}"
            ) from None
        try:
            return self.maker(*bound.args, **bound.kwargs)
        except InputError:
            raise
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.name}: {error}") from None


def parse(kind: str, text: str, makers: Makers, also: Mapping[str, str] = NO_NAMES) -> Call:
    """Return the call that `text` describes; `also` has other names of makers.

    Their names in Python are known, too: `two_swaps` is `two-swaps`.

    >>> from driftbandit.policies import CATALOGUE
    >>> call = parse("policy", "SW-UCB (window=100)", CATALOGUE)
    >>> call.text, call.make().forget
    ('sw-ucb(window=100)', Window(window=100))
    >>> parse("policy", "sw-ucb(size=100)", CATALOGUE)
    Traceback (most recent call last):
    driftbandit.InputError: sw-ucb has no parameter 'size'; it has window, xi, bound, \
padding, label
    """
    names = {other.lower(): name for other, name in also.items()}
    text = names.get(text.strip().lower(), text)  # EXP3-IX (anytime) is a label, no call
    match = CALL.fullmatch(text)
    if not match:
        raise InputError(f"{kind} must be written as name(parameter=value, …), got {shown(text)}")
    name, maker = _maker(kind, match[1], makers, also)
    tree = _tree(kind, text, match[3] or "")
    positional = tuple(_literal(name, "", node) for node in tree.args)
    call = Call(name, maker, name + (match[2] or ""), positional, _keywords(name, tree))
    for parameter in call.keywords:
        _check_parameter(call, parameter)
    return call


def make(kind: str, text: str, makers: Makers, **defaults: Any) -> Any:
    """Make the value that `text` describes; `defaults` hold for parameters that it leaves open."""
    return parse(kind, text, makers).make(**defaults)


def parameters(maker: Maker, without: Sequence[str] = ()) -> str:
    """Return the parameters of a maker as text, with their defaults.

    >>> from driftbandit.policies import UCB1
    >>> parameters(UCB1)
    "xi=0.5, bound=1.0, label='UCB-1'"
    """
    return ", ".join(
        name if value.default is value.empty else f"{name}={_text(value.default)}"
        for name, value in inspect.signature(maker).parameters.items()
        if name not in without
    )


def _text(default: Any) -> str:
    return str(default.name) if isinstance(default, laws.Law) else repr(default)


def _maker(kind: str, text: str, makers: Makers, also: Mapping[str, str]) -> tuple[str, Maker]:
    """Return the name of a maker in the catalogue's spelling, and the maker."""
    python = _python_names(makers)
    base, _, variant = text.rpartition(".")
    if variant.lower() not in VARIANTS:
        name = one_of(kind, python.get(text.lower(), text), makers, also=also)
        return name, makers[name]
    variant = variant.lower()
    name = one_of(kind, python.get(base.lower(), base), makers, also=also)
    maker = getattr(makers[name], variant, None)
    if maker is None:
        raise InputError(f"{kind} {name} has no {variant!r} form")
    return f"{name}.{variant}", maker


def _python_names(makers: Makers) -> dict[str, str]:
    """Return the names of makers in Python, in lower case, with their names in the catalogue."""
    return {
        other.lower(): name
        for name, maker in makers.items()
        for other in (name.replace("-", "_"), getattr(maker, "__name__", name))
    }


def _tree(kind: str, text: str, inside: str) -> ast.Call:
    try:
        tree = ast.parse(f"f({inside})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        raise InputError(f"{kind} must be written as name(parameter=value, …), got {shown(text)}")
    return tree


def _keywords(name: str, tree: ast.Call) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for keyword in tree.keywords:
        if keyword.arg is None:
            raise InputError(f"{name} takes parameter=value, not **")
        if keyword.arg in values:
            raise InputError(f"{keyword.arg} of {name} must be given once only")
        values[keyword.arg] = _literal(name, keyword.arg, keyword.value)
    return values


def _check_parameter(call: Call, parameter: str) -> None:
    names = list(call.parameters)
    if parameter not in names:
        hint = suggestion(parameter, {name: name for name in names})
        raise InputError(
            f"{call.name} has no parameter {parameter!r}; it has {', '.join(names) or 'none'}{hint}"
        )


def _literal(name: str, parameter: str, node: ast.expr) -> Any:
    """Return the value of a literal.

    The value of `law` may be the name or the call of a reward law, that of `base` the name of a
    policy without quotes.
    """
    text = ast.unparse(node)
    if parameter == "law" and isinstance(node, ast.Name | ast.Call):
        return make("law", text, laws.CATALOGUE)
    if parameter == "base" and isinstance(node, ast.Name | ast.Attribute | ast.BinOp):
        return text.replace(" ", "")  # exp3.s and m-ucb are names, though Python reads sums
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise InputError(
            f"{parameter or 'a parameter'} of {name} must be a number, a list or a text in "
            f"quotes, got {text}"
        ) from None
