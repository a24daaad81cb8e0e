"""Loads matplotlib, whatever `MPLBACKEND` says.

Figures are drawn without a screen, so a backend that is not installed is of no concern; a shell
that was started from a notebook, for example, inherits the notebook's. Matplotlib itself refuses to
load then.
"""

import contextlib
import os
import sys

if "matplotlib" not in sys.modules and "MPLBACKEND" in os.environ:
    name = os.environ.pop("MPLBACKEND")
    try:
        import matplotlib as mpl

        with contextlib.suppress(ValueError):
            mpl.rcParams["backend"] = name
    finally:
        os.environ["MPLBACKEND"] = name
