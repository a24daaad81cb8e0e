"""Where machine code is kept on disk: in a folder that works, and healed where it is damaged.

Numba looks in `NUMBA_CACHE_DIR`, in the package's own folder, and in the user's cache folder, and
takes the first it can write to. Here two more follow: the package's folder if it can be read and
has the code already, as after `driftbandit warmup` by root; and a folder of this user alone among
the temporary ones. Where none works, code is compiled anew in every process, which a note says.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching


class InstalledLocator(caching.InTreeCacheLocator):
    """The package's own folder, read only: somebody else has put the code there."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> InstalledLocator | None:
        """Return the folder if it has code for this function."""
        locator = cls(py_func, py_file)
        pattern = f"{Path(py_file).stem}.{py_func.__qualname__}-*.nbi"
        return locator if any(Path(locator.get_cache_path()).glob(pattern)) else None


class TemporaryLocator(caching.UserProvidedCacheLocator):
    """A folder of this user alone among the temporary ones.

    Cached code is run, so a folder that another user may write to is never used.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
        self._folder = Path(tempfile.gettempdir()) / f"driftbandit-{user}"
        self._cache_path = str(self._folder / self.get_suitable_cache_subpath(py_file))

    def ensure_cache_path(self) -> None:
        """Make the folder, or raise if it is not this user's alone."""
        with contextlib.suppress(FileExistsError):
            self._folder.mkdir(mode=0o700)
        state = self._folder.lstat()
        mine = not hasattr(os, "getuid") or state.st_uid == os.getuid()
        if not (stat.S_ISDIR(state.st_mode) and mine and not state.st_mode & 0o022):
            raise PermissionError(f"{self._folder} belongs to somebody else")
        super().ensure_cache_path()

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> TemporaryLocator | None:
        """Return the folder if it can be had."""
        locator = cls(py_func, py_file)
        with contextlib.suppress(OSError):
            locator.ensure_cache_path()
            return locator
        return None


class _CodeCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [  # noqa: RUF012  # the name and the form are Numba's
        *caching.CacheImpl._locator_classes,
        InstalledLocator,
        TemporaryLocator,
    ]


class CodeCache(caching.FunctionCache):
    """The cache of one compiled function; what goes wrong with its files costs a compilation."""

    _impl_class = _CodeCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code if it is there; delete and forget files that cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a truncated file may raise anything while it is unpickled
            note(f"the compiled code in {self.cache_path} was damaged: compiling it again")
            with contextlib.suppress(OSError):
                for path in Path(self.cache_path).glob(f"{self._impl.filename_base}.*"):
                    path.unlink()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code, if there is room and permission."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            note(f"cannot keep compiled code in {self.cache_path}: {error.strerror or error}")


def keep_on_disk(dispatcher: Any) -> bool:
    """Let a compiled function be kept on disk, and return whether that is possible."""
    function: Callable[..., Any] = dispatcher.py_func
    try:
        dispatcher._cache = CodeCache(function)
        return True
    except RuntimeError:  # no folder at all
        folder = Path(inspect.getfile(function)).parent
        note(
            f"no folder for compiled code can be written to (tried {folder}, the user's cache and "
            "temporary folders): compiling in every process; set NUMBA_CACHE_DIR to a folder"
        )
        return False


_written: set[str] = set()


def note(text: str) -> None:
    """Say something on stderr, once per process."""
    if text not in _written:
        _written.add(text)
        with contextlib.suppress(OSError, ValueError):  # nobody listens
            print(f"driftbandit: {text}", file=sys.stderr)
