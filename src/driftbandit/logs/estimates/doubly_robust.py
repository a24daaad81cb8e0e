"""Doubly robust estimates."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from driftbandit.logs.estimates.estimator import Estimator, Terms, View


class DoublyRobust(Estimator):
    """V̂ = (1/n) Σ_t [Σ_a π_t(a) r̂_t(a) + w_t (r_t − r̂_t(a_t))] with w_t = π_t(a_t) / p_t.

    r̂_t is predicted from earlier blocks of rows alone (`Evidence.predicted`). So a row's term is
    unbiased, given all before it, if propensities are right, for any drift and any prediction; a
    good prediction makes it less noisy. For a policy that learns, π_t plays the arm that it would
    play after what it has learned from the accepted rows: rejected rows correct the estimate, too.

    Reference: Dudík, Erhan, Langford & Li, *Doubly robust policy evaluation and optimization*,
    Statistical Science 29, 2014; for policies that learn, the same authors, *Sample-efficient
    nonstationary policy evaluation for contextual bandits*, UAI 2012.
    """

    name: ClassVar[str] = "dr"
    assumes: ClassVar[str] = (
        "propensities are right, and positive for every arm that the policy plays"
    )
    mean_of_rows: ClassVar[bool] = True

    def terms(self, view: View) -> Terms:
        """Return predictions, corrected where the arm was played."""
        corrected = view.expected + view.weight * (view.reward - view.predicted)
        return Terms(corrected, np.ones(len(corrected)))
