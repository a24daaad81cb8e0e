"""Self-normalised inverse propensity scores."""

from __future__ import annotations

from typing import ClassVar

from driftbandit.logs.estimates.estimator import Estimator, Terms, View


class SelfNormalised(Estimator):
    """V̂ = Σ_t w_t r_t / Σ_t w_t with w_t = π_t(a_t) / p_t.

    Never outside of the range of the rewards, and little disturbed by a constant factor in the
    propensities; biased by O(1/n). Weights that are large by chance in one part of the log count
    that part more: under drift this is noise that IPS does not have.

    Reference: Swaminathan & Joachims, *The self-normalized estimator for counterfactual learning*,
    NIPS 2015.
    """

    name: ClassVar[str] = "snips"
    assumes: ClassVar[str] = (
        "propensities are right up to a factor, and positive for every arm that the policy plays"
    )

    def terms(self, view: View) -> Terms:
        """Return weighted rewards and weights."""
        return Terms(view.weight * view.reward, view.weight)
