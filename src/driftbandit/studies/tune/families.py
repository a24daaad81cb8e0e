"""A family of policies: what makes one from parameters, and the rule of the papers for it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from driftbandit.core.errors import InputError, one_of, require
from driftbandit.policies import CATALOGUE, Strategy
from driftbandit.studies.tune.ranges import ON_REQUEST, Choice, chosen, ranges

Maker = Callable[..., Strategy]
Parameters = dict[str, Any]

AXES = ("forget", "detect", "explore", "force")
"""Rules of a policy that hold parameters of it."""


class Family:
    """A maker of policies, given the worlds' horizon, number of arms and bound.

    The maker is a preset, a class, any callable, or a name of the catalogue. It is told `bound`
    and `horizon` if it takes them.

    >>> Family("sw-ucb", horizon=1_000, arms=3, bound=1.0).space(None)
    {'window': Range(low=2, high=1000, ...), 'xi': Range(low=0.001, high=2.0, ...)}
    """

    def __init__(self, maker: Maker | str, horizon: int, arms: int, bound: float) -> None:
        if isinstance(maker, str):
            maker = CATALOGUE[one_of("family", maker, CATALOGUE)]
        fits = callable(maker) and not isinstance(maker, Strategy)
        require(fits, "family", maker, "be a name, a preset or a callable that makes a policy")
        self.maker, self.horizon, self.arms = maker, horizon, arms
        self.known = {"bound": bound, "horizon": horizon}
        self.taken = inspect.signature(maker).parameters
        base = maker.func if isinstance(maker, functools.partial) else maker
        names = [name for name, known in CATALOGUE.items() if known is base]
        self.name = names[0] if names else getattr(base, "__name__", type(base).__name__)
        self.tuned: Maker | None = getattr(base, "tuned", None)

    @property
    def open(self) -> bool:
        """The maker takes parameters of any name."""
        return any(value.kind is value.VAR_KEYWORD for value in self.taken.values())

    def space(self, search: Mapping[str, Any] | None) -> dict[str, Choice]:
        """Return what is to be tried of each parameter, by default of all that are known."""
        known = ranges(self.horizon)
        if search is None:
            names = [name for name in known if name in self.taken and name not in ON_REQUEST]
            search = dict.fromkeys(names)
            if not search:
                raise InputError(f"search must be given: {self.name} has no parameter with a range")
        fits = isinstance(search, Mapping) and len(search) > 0
        require(fits, "search", search, "give a range or values for some parameter")
        names = [name for name in self.taken if name != "label"]
        for name in search if not self.open else ():
            one_of(f"a parameter of {self.name}", name, names, exact=True)
        return {name: chosen(name, given, known.get(name)) for name, given in search.items()}

    def make(self, parameters: Parameters) -> Strategy:
        """Make a policy."""
        told = {name: value for name, value in self.known.items() if name in self.taken}
        return self._made(self.maker, told | parameters)

    def rule(self, breakpoints: int, parameters: Parameters) -> Strategy | None:
        """Return what the papers' rule sets, else the defaults, else None.

        `parameters` are those that are fixed, not searched.
        """
        fixed = dict(getattr(self.maker, "keywords", {})) | parameters
        if self.tuned is not None:
            told = self.known | {"breakpoints": breakpoints, "arms": self.arms} | fixed
            taken = inspect.signature(self.tuned).parameters
            return self._made(self.tuned, {key: told[key] for key in told if key in taken})
        return None if self._needed(parameters) else self.make(parameters)

    def rest(self, rule: Strategy | None, space: Mapping[str, Choice]) -> Parameters:
        """Return the parameters that are not searched, as the rule sets them."""
        names = [name for name in self.taken if name not in {*space, *self.known, "label"}]
        found = {} if rule is None else {name: read(rule, [name]) for name in names}
        rest = {name: value for part in found.values() if part for name, value in part.items()}
        missing = self._needed({**space, **rest})
        if missing:
            raise InputError(f"search must say what {missing[0]} is: {self.name} needs it")
        return rest

    def _needed(self, parameters: Mapping[str, Any]) -> list[str]:
        """Return what the maker needs besides these parameters."""
        several = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        return [
            name
            for name, value in self.taken.items()
            if value.default is value.empty
            and value.kind not in several
            and name not in {*parameters, *self.known}
        ]

    def _made(self, maker: Maker, parameters: Parameters) -> Strategy:
        try:
            policy = maker(**parameters)
        except InputError:
            raise
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.name}: {error}") from None
        require(isinstance(policy, Strategy), f"what {self.name} makes", policy, "be a policy")
        return policy


def read(policy: Strategy, names: list[str]) -> Parameters | None:
    """Return these parameters of a policy, its own or those of its rules; None if one is missing.

    >>> from driftbandit import SlidingWindowUCB
    >>> read(SlidingWindowUCB(429), ["window", "xi"])
    {'window': 429, 'xi': 0.5}
    """
    parts = [policy, *(getattr(policy, axis, None) for axis in AXES)]
    found = {}
    for name in names:
        holders = [part for part in parts if hasattr(part, name)]
        if not holders:
            return None
        found[name] = getattr(holders[0], name)
    return found
