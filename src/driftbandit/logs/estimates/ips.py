"""Inverse propensity scores."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from driftbandit.logs.estimates.estimator import Estimator, Terms, View


class InversePropensity(Estimator):
    """V̂ = (1/n) Σ_t w_t r_t with w_t = π_t(a_t) / p_t.

    Unbiased row by row for any drift, if propensities are right and positive wherever the policy
    plays. Its variance grows with the weights.

    Reference: Horvitz & Thompson, *A generalization of sampling without replacement from a finite
    universe*, JASA 47, 1952.
    """

    name: ClassVar[str] = "ips"
    assumes: ClassVar[str] = (
        "propensities are right, and positive for every arm that the policy plays"
    )
    mean_of_rows: ClassVar[bool] = True

    def terms(self, view: View) -> Terms:
        """Return weighted rewards."""
        return Terms(view.weight * view.reward, np.ones(len(view.reward)))
