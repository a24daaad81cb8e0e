"""A tuning task: what to tune, the box of its parameters, and the worlds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from driftbandit.core.errors import InputError
from driftbandit.policies import Strategy
from driftbandit.studies.tune.halving import Budget, Candidate
from driftbandit.studies.tune.ranges import Domain
from driftbandit.studies.tune.sensitivity import MOVES, Case
from driftbandit.studies.tune.simulator import Array, Simulator, seed_of
from driftbandit.studies.tune.tunable import Parameters, Tunable, read_parameters

MAIN = ("window", "discount", "exploration")
"""The parameters that say how fast a policy forgets, for which the papers have rules."""


class Task:
    """A tuning task; its parameters are `wide` if they are searched, else `fixed`."""

    def __init__(
        self,
        tunable: Tunable,
        space: Mapping[str, Domain],
        simulator: Simulator,
        case: Case,
        runs: int,
        seed: int,
    ) -> None:
        self.tunable, self.space, self.simulator, self.case = tunable, space, simulator, case
        self.runs, self.seed = runs, seed
        self.wide = {name: domain for name, domain in space.items() if domain.wide}
        if not self.wide:
            raise InputError("search must leave a parameter open: give one a range or two values")
        single = {name: domain.at(0.0) for name, domain in space.items() if not domain.wide}
        self.rule = tunable.rule(case.breakpoints, single)
        self.fixed = tunable.rest(self.rule, space) | single
        self.budget = Budget.of(len(self.wide), runs)
        self.along = next((name for name in MAIN if name in self.wide), next(iter(self.wide)))

    @property
    def shown(self) -> list[str]:
        """The parameters that a report shows: those of the search, and those that forget."""
        forgetting = [name for name in self.fixed if name in MOVES and name not in self.space]
        return [*self.space, *forgetting]

    def parameters(self, candidate: Candidate) -> Parameters:
        """Return all parameters of a candidate, the shown ones first."""
        values = self.fixed | dict(zip(self.wide, candidate, strict=True))
        return {name: values[name] for name in dict.fromkeys([*self.shown, *values])}

    def policies(self, settings: Iterable[Parameters]) -> list[Strategy]:
        """Make one policy per setting."""
        return [self.tunable.make(parameters) for parameters in settings]

    def measure(self, candidates: Sequence[Candidate], rung: int) -> list[Array]:
        """Play candidates on a rung of the search."""
        policies = self.policies(self.parameters(one) for one in candidates)
        return self.simulator.regrets(policies, self.budget.added(rung), seed_of(self.seed, rung))

    def first(self) -> list[Candidate]:
        """Return the rule's choice as a candidate, if it lies in the box."""
        values = None if self.rule is None else read_parameters(self.rule, list(self.wide))
        if values is None:
            return []
        inside = all(0.0 <= domain.place(values[name]) <= 1.0 for name, domain in self.wide.items())
        return [tuple(values.values())] if inside else []
