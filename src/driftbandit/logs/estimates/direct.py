"""The direct method: a model of the rewards alone."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from driftbandit.logs.estimates.estimator import Estimator, Terms, View


class Direct(Estimator):
    """V̂ = (1/n) Σ_t Σ_a π_t(a) m_{w(t)}(a), m_w(a) being the mean reward of arm a in window w.

    The windows have about 30 rows per arm, at most 200 of them; a window in which an arm was not
    played takes its mean from the windows beside it. It needs no propensities, and has little
    noise. It is wrong where rewards and propensities move together within a window, or where arms
    were played more for some users than for others. A policy that learns chooses from the same
    rewards that the model averages, so it looks a little too good.

    Reference: Dudík, Erhan, Langford & Li, *Doubly robust policy evaluation and optimization*,
    Statistical Science 29, 2014, section 2.
    """

    name: ClassVar[str] = "dm"
    assumes: ClassVar[str] = (
        "within a window of time, who got which arm has nothing to do with the reward"
    )
    by_window: ClassVar[bool] = True

    def terms(self, view: View) -> Terms:
        """Return what the model says."""
        return Terms(view.fitted, np.ones(len(view.fitted)))
