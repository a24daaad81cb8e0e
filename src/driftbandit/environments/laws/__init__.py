"""Reward laws: how a uniform number becomes a reward with a certain mean, one law per file."""

from driftbandit.environments.laws.bernoulli import Bernoulli
from driftbandit.environments.laws.beta import Beta
from driftbandit.environments.laws.clipped_gaussian import ClippedGaussian
from driftbandit.environments.laws.exact import Exact
from driftbandit.environments.laws.gaussian_noise import GaussianNoise
from driftbandit.environments.laws.law import Law
from driftbandit.environments.laws.lookup import Lookup
from driftbandit.environments.laws.noise import Noise
from driftbandit.environments.laws.quantile import Quantile
from driftbandit.environments.laws.rows_by_mean import RowsByMean
from driftbandit.environments.laws.uniform import Uniform

CATALOGUE: dict[str, type[Law]] = {
    law.name: law for law in (Bernoulli, Beta, ClippedGaussian, Uniform, Quantile, Exact)
}
"""The laws of rewards in [0, 1], by their names on the command line."""

__all__ = [
    "CATALOGUE",
    "Bernoulli",
    "Beta",
    "ClippedGaussian",
    "Exact",
    "GaussianNoise",
    "Law",
    "Lookup",
    "Noise",
    "Quantile",
    "RowsByMean",
    "Uniform",
]
