"""The axis of detection, one rule per file."""

from driftbandit.rules.detect.adwin import ADWIN
from driftbandit.rules.detect.cusum import CUSUM, PageHinkley
from driftbandit.rules.detect.glr import GLR, GaussianGLR
from driftbandit.rules.detect.halves import TwoHalves
from driftbandit.rules.detect.never import Never
from driftbandit.rules.detect.restart import KnownRestart, PeriodicRestart
from driftbandit.rules.detect.rule import Detect

BernoulliGLR = GLR  # an older name

__all__ = [
    "ADWIN",
    "CUSUM",
    "GLR",
    "Detect",
    "GaussianGLR",
    "KnownRestart",
    "Never",
    "PageHinkley",
    "PeriodicRestart",
    "TwoHalves",
]


def __dir__() -> list[str]:
    """List the rules, without the modules they are written in."""
    return sorted(__all__)
