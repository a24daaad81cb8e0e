"""Loads matplotlib, whatever `MPLBACKEND` says, and where the user has no folder for its settings.

Figures are drawn without a screen, so a backend that is not installed is of no concern; a shell
that was started from a notebook, for example, inherits the notebook's. Matplotlib itself refuses to
load then. Where the home cannot be written to, as in many containers, it warns in two lines and
looks for all fonts in every process; a folder of our own keeps what it finds.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import private_folder


def _writable(folder: Path) -> bool:
    """Return whether the nearest folder that can be seen on the way to this one can be used."""
    if folder.parts[0] == "~":  # there is no home
        return False
    around = folder.absolute()
    nearest = next(place for place in (around, *around.parents) if os.path.exists(place))
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _places() -> list[Path]:
    """Return the folders where matplotlib keeps its settings and fonts."""
    if chosen := os.environ.get("MPLCONFIGDIR"):
        return [Path(chosen)]
    homes = {"XDG_CONFIG_HOME": "~/.config", "XDG_CACHE_HOME": "~/.cache"}
    return [
        Path(os.environ.get(variable) or os.path.expanduser(default), "matplotlib")
        for variable, default in homes.items()
    ]


def _settings() -> str | None:
    """Return the folder for matplotlib's settings and fonts; None where it finds its own."""
    if all(map(_writable, _places())):
        return os.environ.get("MPLCONFIGDIR")
    with contextlib.suppress(OSError):  # then it says why it is slow
        return str(private_folder() / "matplotlib")
    return None


@contextlib.contextmanager
def _environment(**variables: str | None) -> Iterator[None]:
    """Set variables of the environment, or remove those that are None, for a while."""
    before = {name: os.environ.get(name) for name in variables}
    try:
        _update(variables)
        yield
    finally:
        _update(before)


def _update(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


if "matplotlib" not in sys.modules:
    wanted = os.environ.get("MPLBACKEND")
    with _environment(MPLBACKEND=None, MPLCONFIGDIR=_settings()):
        try:
            import matplotlib as mpl
        except (OSError, ValueError) as error:  # of a matplotlibrc
            raise InputError(
                f"matplotlib cannot read its settings, matplotlibrc: {shown(str(error))}"
            ) from error
        mpl.get_cachedir()  # remembered, as the folder of settings is
    if wanted is not None:
        with contextlib.suppress(ValueError):
            mpl.rcParams["backend"] = wanted
