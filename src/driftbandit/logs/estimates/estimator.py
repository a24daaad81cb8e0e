"""What every estimator is: two numbers for each row, whose sums are divided."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from driftbandit.logs.rows import Floats, Mask


class View(NamedTuple):
    """The rows of a piece as one policy sees them."""

    reward: Floats
    weight: Floats
    """w = π(a) / p, of the arm that was played."""
    expected: Floats
    """What earlier blocks predict that the policy earns: Σ_a π(a) r̂(a)."""
    predicted: Floats
    """What earlier blocks predict of the arm that was played: r̂(a)."""
    fitted: Floats
    """What the mean rewards of the row's own window say that the policy earns."""
    accepted: Mask
    """The rows that replay keeps."""


class Terms(NamedTuple):
    """What the rows contribute: the estimate is Σ above / Σ below."""

    above: Floats
    below: Floats
    control: Floats | None = None
    """A number per row whose mean is 0, if all is right."""


class Estimator:
    """Base of the estimators: an average over rows, or a ratio of two."""

    name: ClassVar[str]
    assumes: ClassVar[str]
    """What must be true for it to be right, in words."""
    mean_of_rows: ClassVar[bool] = False
    """Whether every row contributes a number that is unbiased by itself."""
    by_window: ClassVar[bool] = False
    """Whether rows of a window share what was estimated of it."""

    def terms(self, view: View) -> Terms:
        """Return what the rows contribute."""
        raise NotImplementedError
