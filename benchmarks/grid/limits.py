"""How long a round of each policy may take, as far as somebody has asked for it."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """Nanoseconds per round: a constant, so many per arm, and a multiple of UCB-1."""

    constant: float = 0.0
    per_arm: float = 0.0
    of_ucb1: float = 0.0

    def ns(self, arms: int, ucb1: float) -> float:
        """Return the limit with a number of arms, where UCB-1 takes `ucb1` nanoseconds.

        >>> Limit(30.0, per_arm=10.0).ns(3, ucb1=4.0), Limit(of_ucb1=8.0).ns(3, ucb1=4.0)
        (60.0, 32.0)
        """
        return self.constant + self.per_arm * arms + self.of_ucb1 * ucb1

    def __str__(self) -> str:
        """Write it as a formula.

        >>> str(Limit(30.0, per_arm=10.0)), str(Limit(per_arm=20.0)), str(Limit(of_ucb1=8.0))
        ('30 + 10 K', '20 K', '8 × UCB-1')
        """
        terms = [
            f"{self.constant:g}" if self.constant else "",
            f"{self.per_arm:g} K" if self.per_arm else "",
            f"{self.of_ucb1:g} × UCB-1" if self.of_ucb1 else "",
        ]
        return " + ".join(filter(None, terms))


USUAL = Limit(100.0, per_arm=20.0)
BETA_DRAWS = Limit(per_arm=20.0)
DIVERGENCES = Limit(of_ucb1=8.0)

LIMITS = {
    "thompson": BETA_DRAWS,
    "d-ts": BETA_DRAWS,
    "sw-ts": BETA_DRAWS,
    "gaussian-thompson": Limit(10.0, per_arm=5.0),
    "kl-ucb": DIVERGENCES,
    "d-kl-ucb": DIVERGENCES,
    "sw-kl-ucb": DIVERGENCES,
    "glr-kl-ucb": Limit(30.0, per_arm=10.0),
    "auto": Limit(84.0, per_arm=12.0),
}
"""The limits with coins of presets that have one of their own; the others have the usual one."""

MORE_WITH_BETA = 10.0
"""Nanoseconds that a round may take longer with Beta rewards than with coins."""


def limit_of(preset: str) -> Limit:
    """Return the limit of a preset with coins."""
    return LIMITS.get(preset, USUAL)
