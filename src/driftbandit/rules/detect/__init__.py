"""The axis of detection, one rule a file."""

from driftbandit.rules.detect.adwin import ADWIN
from driftbandit.rules.detect.cusum import CUSUM, PageHinkley
from driftbandit.rules.detect.glr import BernoulliGLR, GaussianGLR
from driftbandit.rules.detect.halves import TwoHalves
from driftbandit.rules.detect.never import Never
from driftbandit.rules.detect.restart import KnownRestart, PeriodicRestart
from driftbandit.rules.detect.rule import Detect

__all__ = [
    "ADWIN",
    "CUSUM",
    "BernoulliGLR",
    "Detect",
    "GaussianGLR",
    "KnownRestart",
    "Never",
    "PageHinkley",
    "PeriodicRestart",
    "TwoHalves",
]
