"""The axis of detection, one rule a file."""

from driftbandit.policies.detect.adwin import ADWIN
from driftbandit.policies.detect.cusum import CUSUM, PageHinkley
from driftbandit.policies.detect.glr import BernoulliGLR, GaussianGLR
from driftbandit.policies.detect.halves import TwoHalves
from driftbandit.policies.detect.never import Never
from driftbandit.policies.detect.restart import KnownRestart, PeriodicRestart
from driftbandit.policies.detect.rule import Detect

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
