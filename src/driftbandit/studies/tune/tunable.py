"""What `tune` tunes: a maker of policies from parameters, and the papers' rule for it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from driftbandit.core.errors import InputError, one_of, require
from driftbandit.policies import CATALOGUE, Strategy
from driftbandit.policies.presets.preset import preset_name
from driftbandit.studies.tune.ranges import ON_REQUEST, Domain, default_ranges, make_domain

Maker = Callable[..., Strategy]
Parameters = dict[str, Any]

AXES = ("forget", "detect", "explore", "force")
"""The rules of a policy that hold some of its parameters."""


class Tunable:
    """A maker of policies, and the horizon, number of arms and bound of the worlds.

    The maker is a preset, a class, any callable, or a name of the catalogue. `bound` and `horizon`
    are passed to it if it takes them.

    >>> Tunable("sw-ucb", horizon=1_000, arms=3, bound=1.0).space(None)
    {'window': Range(low=2, high=1000, ...), 'xi': Range(low=0.001, high=2.0, ...)}
    """

    def __init__(self, maker: Maker | str, horizon: int, arms: int, bound: float) -> None:
        if isinstance(maker, str):
            maker = CATALOGUE[preset_name("policy", maker)]
        fits = callable(maker) and not isinstance(maker, Strategy)
        require(fits, "policy", maker, "be a name, a preset or a callable that makes a policy")
        self.maker, self.horizon, self.arms = maker, horizon, arms
        self.facts = {"bound": bound, "horizon": horizon}
        self.signature = _signature(maker)
        base = maker.func if isinstance(maker, functools.partial) else maker
        names = [name for name, preset in CATALOGUE.items() if base in (preset, preset.make)]
        self.name = names[0] if names else getattr(base, "__name__", type(base).__name__)
        self.rule_maker: Maker | None = getattr(base, "tuned", None)

    @property
    def open(self) -> bool:
        """Whether the maker takes parameters of any name."""
        return any(value.kind is value.VAR_KEYWORD for value in self.signature.values())

    def space(self, search: Mapping[str, Any] | None) -> dict[str, Domain]:
        """Return the values to try per parameter, by default of all that have a default range."""
        ranges = default_ranges(self.horizon)
        if search is None:
            names = [name for name in ranges if name in self.signature and name not in ON_REQUEST]
            search = dict.fromkeys(names)
            if not search:
                raise InputError(f"search must be given: {self.name} has no parameter with a range")
        fits = isinstance(search, Mapping) and len(search) > 0
        require(fits, "search", search, "give a range or values for some parameter")
        names = [name for name in self.signature if name != "label"]
        for name in search if not self.open else ():
            one_of(f"a parameter of {self.name}", name, names, exact=True)
        return {name: make_domain(name, value, ranges.get(name)) for name, value in search.items()}

    def make(self, parameters: Parameters) -> Strategy:
        """Make a policy."""
        facts = {name: value for name, value in self.facts.items() if name in self.signature}
        return self._call(self.maker, facts | parameters)

    def rule(self, breakpoints: int, parameters: Parameters) -> Strategy | None:
        """Return the policy of the papers' rule, else that of the defaults, else None.

        `parameters` are those that are fixed, not searched.
        """
        fixed = dict(getattr(self.maker, "keywords", {})) | parameters
        if self.rule_maker is not None:
            arguments = self.facts | {"breakpoints": breakpoints, "arms": self.arms} | fixed
            names = inspect.signature(self.rule_maker).parameters
            chosen = {name: value for name, value in arguments.items() if name in names}
            return self._call(self.rule_maker, chosen)
        if self.open or self._missing(parameters):  # one of any names has no defaults to go by
            return None
        return self.make(parameters)

    def rest(self, rule: Strategy | None, space: Mapping[str, Domain]) -> Parameters:
        """Return the parameters that are not searched, as the rule sets them."""
        names = [name for name in self.signature if name not in {*space, *self.facts, "label"}]
        parts = [] if rule is None else [read_parameters(rule, [name]) for name in names]
        rest = {name: value for part in parts if part for name, value in part.items()}
        missing = self._missing({**space, **rest})
        if missing:
            raise InputError(f"search must say what {missing[0]} is: {self.name} needs it")
        return rest

    def _missing(self, parameters: Mapping[str, Any]) -> list[str]:
        """Return what the maker needs besides these parameters."""
        several = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        return [
            name
            for name, value in self.signature.items()
            if value.default is value.empty
            and value.kind not in several
            and name not in {*parameters, *self.facts}
        ]

    def _call(self, maker: Maker, arguments: Parameters) -> Strategy:
        try:
            policy = maker(**arguments)
        except InputError:
            raise
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.name}: {error}") from None
        require(isinstance(policy, Strategy), f"what {self.name} makes", policy, "be a policy")
        return policy


def read_parameters(policy: Strategy, names: list[str]) -> Parameters | None:
    """Return these parameters of a policy, its own or those of its rules; None if one is missing.

    >>> from driftbandit import SlidingWindowUCB
    >>> read_parameters(SlidingWindowUCB(429), ["window", "xi"])
    {'window': 429, 'xi': 0.5}
    """
    parts = [policy, *(getattr(policy, axis, None) for axis in AXES)]
    values = {}
    for name in names:
        holders = [part for part in parts if hasattr(part, name)]
        if not holders:
            return None
        values[name] = getattr(holders[0], name)
    return values


def _signature(maker: Maker) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a maker, or raise: some builtins do not tell theirs."""
    try:
        return inspect.signature(maker).parameters
    except ValueError:
        raise InputError(
            f"policy must be a callable that tells its parameters, got {maker!r}"
        ) from None
