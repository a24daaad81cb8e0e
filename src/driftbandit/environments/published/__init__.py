"""Problems on which policies were compared in print, exactly as defined there; one file per source.

`PROBLEMS` maps their names to functions. With another horizon the breakpoints move in proportion,
as in the authors' programs.
"""

from collections.abc import Callable

from driftbandit.environments.periodic import periodic
from driftbandit.environments.published.besson import (
    besson_1,
    besson_2,
    besson_3,
    besson_4,
    besson_config_3,
)
from driftbandit.environments.published.f_dsw import f_dsw_1, f_dsw_2, f_dsw_3
from driftbandit.environments.published.jmlr import jmlr_1, jmlr_2, jmlr_3, jmlr_4, jmlr_random
from driftbandit.environments.published.smooth import sinusoid_fast, sinusoid_slow
from driftbandit.environments.two_swaps import two_swaps
from driftbandit.environments.world import World

PROBLEMS: dict[str, Callable[..., World]] = {
    "two-swaps": two_swaps,
    "periodic": periodic,
    "besson-1": besson_1,
    "besson-2": besson_2,
    "besson-3": besson_3,
    "besson-4": besson_4,
    "besson-config-3": besson_config_3,
    "jmlr-1": jmlr_1,
    "jmlr-2": jmlr_2,
    "jmlr-3": jmlr_3,
    "jmlr-4": jmlr_4,
    "jmlr-random": jmlr_random,
    "sinusoid-fast": sinusoid_fast,
    "sinusoid-slow": sinusoid_slow,
    "f-dsw-1": f_dsw_1,
    "f-dsw-2": f_dsw_2,
    "f-dsw-3": f_dsw_3,
}
"""The function that makes each published problem; all have defaults for everything."""

__all__ = [
    "PROBLEMS",
    "besson_1",
    "besson_2",
    "besson_3",
    "besson_4",
    "besson_config_3",
    "f_dsw_1",
    "f_dsw_2",
    "f_dsw_3",
    "jmlr_1",
    "jmlr_2",
    "jmlr_3",
    "jmlr_4",
    "jmlr_random",
    "periodic",
    "sinusoid_fast",
    "sinusoid_slow",
    "two_swaps",
]
