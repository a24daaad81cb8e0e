"""The paper's results as functions: bounds, lower bounds, deviation inequalities, tuning rules."""

from driftbandit.theory.band import Band, confidence_band
from driftbandit.theory.deviation import (
    best_eta,
    deviation,
    deviation_threshold,
    hoeffding,
    maximal_deviation,
    maximal_threshold,
    weight_of,
)

__all__ = [
    "Band",
    "best_eta",
    "confidence_band",
    "deviation",
    "deviation_threshold",
    "hoeffding",
    "maximal_deviation",
    "maximal_threshold",
    "weight_of",
]
