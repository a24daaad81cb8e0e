"""Linear worlds in compiled code: the rounds of a block, and what each policy makes of them."""

from driftbandit.engine.linear.job import LinearJob

__all__ = ["LinearJob"]
