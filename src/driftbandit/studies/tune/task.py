"""What is to be tuned: a family of policies, the box of its parameters, and the worlds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from driftbandit.core.errors import InputError
from driftbandit.policies import Strategy
from driftbandit.studies.tune.families import Family, Parameters, read
from driftbandit.studies.tune.measuring import Arena, Array, luck
from driftbandit.studies.tune.mistakes import MOVES, Case
from driftbandit.studies.tune.ranges import Choice
from driftbandit.studies.tune.searching import Candidate, Plan

MAIN = ("window", "discount", "exploration")
"""The parameters that say how fast a policy forgets, for which the papers have rules."""


class Task:
    """A tuning: parameters are `wide` if they are searched, else `fixed`."""

    def __init__(
        self,
        family: Family,
        space: Mapping[str, Choice],
        arena: Arena,
        case: Case,
        runs: int,
        seed: int,
    ) -> None:
        self.family, self.space, self.arena, self.case = family, space, arena, case
        self.runs, self.seed = runs, seed
        self.wide = {name: choice for name, choice in space.items() if choice.wide}
        if not self.wide:
            raise InputError("search must leave a parameter open: give one a range or two values")
        given = {name: choice.at(0.0) for name, choice in space.items() if not choice.wide}
        self.rule = family.rule(case.breakpoints, given)
        self.fixed = family.rest(self.rule, space) | given
        self.plan = Plan.of(len(self.wide), runs)
        self.along = next((name for name in MAIN if name in self.wide), next(iter(self.wide)))

    @property
    def shown(self) -> list[str]:
        """The parameters that are told of a policy: those asked for, and those that forget."""
        forgetting = [name for name in self.fixed if name in MOVES and name not in self.space]
        return [*self.space, *forgetting]

    def parameters(self, candidate: Candidate) -> Parameters:
        """Return all parameters of a candidate, those that are shown first."""
        found = self.fixed | dict(zip(self.wide, candidate, strict=True))
        return {name: found[name] for name in dict.fromkeys([*self.shown, *found])}

    def policies(self, settings: Iterable[Parameters]) -> list[Strategy]:
        """Make a policy of each setting."""
        return [self.family.make(parameters) for parameters in settings]

    def measure(self, candidates: Sequence[Candidate], rung: int) -> list[Array]:
        """Play candidates on a rung of the search."""
        policies = self.policies(self.parameters(one) for one in candidates)
        return self.arena.regrets(policies, self.plan.added(rung), luck(self.seed, rung))

    def first(self) -> list[Candidate]:
        """Return the rule's choice, if it lies in the box."""
        found = None if self.rule is None else read(self.rule, list(self.wide))
        if found is None:
            return []
        inside = all(0.0 <= choice.place(found[name]) <= 1.0 for name, choice in self.wide.items())
        return [tuple(found.values())] if inside else []
