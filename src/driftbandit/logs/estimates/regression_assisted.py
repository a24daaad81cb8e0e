"""Doubly robust estimates that trust old data as far as they have been of use."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from driftbandit.logs.estimates.estimator import Estimator, Terms, View


class RegressionAssisted(Estimator):
    """V̂ = (1/n) Σ_t [w_t r_t + β (Σ_a π_t(a) r̂_t(a) − w_t r̂_t(a_t))], β of least variance.

    r̂_t is predicted from earlier rows. What β multiplies has mean 0 where propensities are right,
    however old and wrong the predictions are; β = −Cov(w r, control) / Var(control) over blocks of
    time says how much they help: 1 is the doubly robust estimate, 0 inverse propensity scores.

    Reference: Liu, Chandak, Thomas & White, *Asymptotically unbiased off-policy policy evaluation
    when reusing old data in nonstationary environments*, AISTATS 2023; the regression estimator of
    survey sampling.
    """

    name: ClassVar[str] = "radr"
    assumes: ClassVar[str] = (
        "propensities are right, and positive for every arm that the policy plays"
    )

    def terms(self, view: View) -> Terms:
        """Return weighted rewards, and what the prediction says of their error."""
        control = view.expected - view.weight * view.predicted
        return Terms(view.weight * view.reward, np.ones(len(control)), control)
