"""Replay by rejection."""

from __future__ import annotations

from typing import ClassVar

from driftbandit.logs.estimates.estimator import Estimator, Terms, View


class Replay(Estimator):
    """V̂ = Σ_t 1{accepted} r_t / Σ_t 1{accepted}: the mean reward of the rows that replay keeps.

    The policy decides in every row; if it would play the arm that was played, the row is accepted
    with probability c/p_t, its reward is learned, and its time is the time of the decision, so that
    half-lives and windows of time span what they span live. c is a propensity that at most 5 % of
    the rows lie below: 1/K where arms were played uniformly. Where p_t < c rows are accepted too
    rarely for their arm.

    Reference: Li, Chu, Langford & Wang, *Unbiased offline evaluation of contextual-bandit-based
    news article recommendation algorithms*, WSDM 2011; for arms that were not played uniformly,
    Dudík, Erhan, Langford & Li, *Sample-efficient nonstationary policy evaluation for contextual
    bandits*, UAI 2012.
    """

    name: ClassVar[str] = "replay"
    assumes: ClassVar[str] = (
        "propensities are right, and the policy learns live as from the accepted rows"
    )

    def terms(self, view: View) -> Terms:
        """Return the rewards of the rows that are kept."""
        kept = view.accepted.astype(float)
        return Terms(kept * view.reward, kept)
