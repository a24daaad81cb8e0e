"""Presets: how a named policy is declared.

    @preset("sw-ucb", Cell(Policy, forget=(Window, DoublingWindow)), tuned=windowed)
    def SlidingWindowUCB(window: int, …, label: str = "SW-UCB") -> Policy:

The declaration gives the name in a shell, the cell and the tuning rule; the signature gives the
parameters and the label; the docstring says what the policy is, and where it comes from. All lists
of policies are read from here: the catalogue, the grid of the command line, and the reference.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Self, TypeVar, overload

from driftbandit.core import docstring
from driftbandit.core.domain import domains
from driftbandit.core.errors import one_of
from driftbandit.policies.presets.tuned import Tuning
from driftbandit.rules.rule import Axis

if TYPE_CHECKING:
    from driftbandit.policies.strategy import Strategy

Made = ParamSpec("Made")
Known = ParamSpec("Known")
Class = TypeVar("Class", bound="type[Strategy]")
Named_co = TypeVar("Named_co", bound="Strategy", covariant=True)

CATALOGUE: dict[str, Preset[..., Any]] = {}
"""The presets by their names in a shell, in the order in which they are declared."""


class Cell:
    """Where a policy stands: its class, and what its fields must hold.

    A field is given as a class of rules, as a value, or as several of these, the usual one first.
    An axis that is not given holds a rule of the same class as it does by default.

    >>> from driftbandit.policies import Policy
    >>> from driftbandit.rules.forget import Discount, Window
    >>> cell = Cell(Policy, forget=Window)
    >>> cell.fits(Policy(forget=Window(5))), cell.fits(Policy(forget=Discount(0.9)))
    (True, False)
    >>> cell.rules()
    {'forget': 'Window', 'detect': 'Never', 'explore': 'UCB', 'force': 'Unforced'}
    """

    def __init__(self, kind: type[Strategy], **fields: Any) -> None:
        defaults = {field.name: field.default for field in dataclasses.fields(kind)}
        self.kind = kind
        self.axes = [name for name, domain in domains(kind) if isinstance(domain, Axis)]
        usual = {name: type(defaults[name]) for name in self.axes}
        self.fields = {
            name: options if isinstance(options, tuple) else (options,)
            for name, options in {**usual, **fields}.items()
        }

    def fits(self, policy: Strategy) -> bool:
        """Say whether a policy stands here."""
        return type(policy) is self.kind and all(
            any(_is(getattr(policy, name), option) for option in options)
            for name, options in self.fields.items()
        )

    def rules(self) -> dict[str, str]:
        """Return the usual rule on every axis; nothing for a class without axes."""
        return {axis: self.fields[axis][0].__name__ for axis in self.axes}

    def holds(self, rule: type) -> bool:
        """Say whether a policy that stands here may have this rule by name."""
        return any(rule in self.fields[axis] for axis in self.axes)


def _is(value: Any, option: Any) -> bool:
    return isinstance(value, option) if isinstance(option, type) else bool(value == option)


class Preset(Generic[Made, Named_co]):
    """A named policy: call it with its parameters. Most have a rule `tuned` for these.

    `shell` is its name in a shell, `cell` where it stands, `make` the function or the class that
    makes the policy, and `public` what `db` shows: the preset itself, or the class.
    """

    def __init__(self, shell: str, make: Callable[Made, Named_co], cell: Cell) -> None:
        functools.update_wrapper(self, make, updated=())
        self.shell, self.make, self.cell = shell, make, cell
        self.public: Any = make if isinstance(make, type) else self

    def __call__(self, *args: Made.args, **kwargs: Made.kwargs) -> Named_co:
        """Make the policy from its parameters."""
        return self.make(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """Be what it is in a class too; to `help`, whatever has this method is a function."""
        return self

    if not TYPE_CHECKING:  # a type checker knows which presets have a rule

        def __getattr__(self, name: str) -> Any:
            """Raise: say of a preset without a rule that it has none, and which way leads on."""
            if name == "tuned":
                raise AttributeError(f"{self.python} has no rule `tuned`: give it its parameters")
            if name == "agent":
                text = f"{self.python} makes a policy, and that has an agent"
                raise AttributeError(f"{text}: write {self.python}(...).agent(...)")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        """Return the name and the parameters."""
        shown = [
            name if one.default is one.empty else f"{name}={one.default!r}"
            for name, one in inspect.signature(self).parameters.items()
        ]
        return f"<preset {self.python}({', '.join(shown)})>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the name."""
        return declared, (self.shell,)

    @property
    def python(self) -> str:
        """The name in Python."""
        return self.make.__name__

    @property
    def label(self) -> str:
        """The label of its policies, unless another is given."""
        return str(inspect.signature(self).parameters["label"].default)

    @property
    def summary(self) -> str:
        """What it is, in a sentence."""
        return docstring.summary(self.make)

    @property
    def reference(self) -> str:
        """Where it comes from."""
        return docstring.reference(self.make)


class TunedPreset(Preset[Made, Named_co], Generic[Made, Known, Named_co]):
    """A preset whose `tuned` sets parameters by a rule, from what is known of the world."""

    tuned: Callable[Known, Named_co]


@overload
def preset(shell: str) -> Callable[[Class], Class]: ...
@overload
def preset(
    shell: str, cell: Cell
) -> Callable[[Callable[Made, Named_co]], Preset[Made, Named_co]]: ...
@overload
def preset(
    shell: str, cell: Cell, tuned: Tuning[Known]
) -> Callable[[Callable[Made, Named_co]], TunedPreset[Made, Known, Named_co]]: ...
def preset(shell: str, cell: Cell | None = None, tuned: Tuning[Any] | None = None) -> Any:
    """Declare a function that makes a policy, or a class of policies, as a preset.

    A function becomes the preset. A class stays what it is, and has its `tuned` itself, if any.
    """

    def declare(make: Any) -> Any:
        if cell is not None:
            make = _truly_labelled(make, cell)
        rule = getattr(make, "tuned", None) if tuned is None else tuned.of(make)
        entry: Any = (Preset if rule is None else TunedPreset)(shell, make, cell or Cell(make))
        if rule is not None:
            entry.tuned = rule
        CATALOGUE[shell] = entry
        return entry.public

    return declare


def _truly_labelled(make: Callable[Made, Named_co], cell: Cell) -> Callable[Made, Named_co]:
    """Let policies that do not stand in the cell of their preset be labelled by their rules."""
    name = inspect.signature(make).parameters["label"].default

    @functools.wraps(make)
    def labelled(*args: Made.args, **kwargs: Made.kwargs) -> Named_co:
        policy = make(*args, **kwargs)
        untrue = policy.label == name and not cell.fits(policy)
        return policy.replace(label="") if untrue else policy

    return labelled


def declared(shell: str) -> Preset[..., Any]:
    """Return the preset of this name."""
    return CATALOGUE[shell]


def preset_name(parameter: str, text: str) -> str:
    """Return the name in a shell of a preset that is called by any of its names, or raise.

    >>> [preset_name("policy", text) for text in ("GLR-klUCB", "GLRklUCB", "glr-kl-ucb")]
    ['glr-kl-ucb', 'glr-kl-ucb', 'glr-kl-ucb']
    """
    return one_of(parameter, text, CATALOGUE, also=other_names())


def other_names() -> dict[str, str]:
    """Return the labels of presets and their names in Python, with their names in a shell."""
    return {
        name: shell
        for shell, entry in CATALOGUE.items()
        for name in (entry.label, entry.python)
        if name
    }


def presets_of(policy: Strategy) -> list[Preset[..., Any]]:
    """Return the presets after which a policy is called: its label is theirs, and its cell.

    >>> from driftbandit.policies import Policy, SlidingWindowUCB
    >>> presets_of(SlidingWindowUCB(500))
    [<preset SlidingWindowUCB(window, xi=0.5, bound=1.0, padding=1.0, label='SW-UCB')>]
    >>> presets_of(Policy(label="SW-UCB"))
    []
    """
    entries = [entry for entry in CATALOGUE.values() if entry.cell.fits(policy)]
    return [entry for entry in entries if entry.label == policy.label]
