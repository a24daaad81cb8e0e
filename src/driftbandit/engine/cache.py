"""Where machine code is kept on disk: in a folder that works, and healed where it is damaged.

Numba looks in `NUMBA_CACHE_DIR`, in the package's own folder, and in the user's cache folder, and
takes the first it can write to. Two more are tried here: before the user's, the package's folder
where it can only be read and has the code already, as after `driftbandit warmup` by root; and last
a folder of this user alone among the temporary ones. Where none works, code is compiled anew in
every process, which a note says.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching

from driftbandit.core.files import private_folder
from driftbandit.engine.libraries import let_go_of_copies


class InstalledLocator(caching.InTreeCacheLocator):
    """The package's own folder, read only: somebody else has put the code there."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> InstalledLocator | None:
        """Return the folder if it has code of this function, for this Python and these sources."""
        locator = cls(py_func, py_file)
        folder, version = Path(locator.get_cache_path()), sys.version_info
        name = f"{Path(py_file).stem}.{py_func.__qualname__}-*.py{version[0]}{version[1]}*.nbi"
        stamp = locator.get_source_stamp()
        return locator if any(_holds_code(path, stamp) for path in folder.glob(name)) else None


def _holds_code(path: Path, stamp: Any) -> bool:
    """Return whether an index can be read and is of these sources and this version of Numba."""
    index = caching.IndexDataCacheFile(str(path.parent), path.stem, stamp)
    with contextlib.suppress(Exception):  # a truncated file may raise anything
        return bool(index._load_index())
    return False


class UserLocator(caching.UserWideCacheLocator):
    """The user's cache folder, unless nobody knows where that is: it would be a folder named ~."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> UserLocator | None:
        """Return the folder if it can be had."""
        if cls(py_func, py_file).get_cache_path().startswith("~"):
            return None
        locator: UserLocator | None = super().from_function(py_func, py_file)
        return locator


class TemporaryLocator(caching.UserProvidedCacheLocator):
    """A folder of this user alone among the temporary ones: cached code is run."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(private_folder() / self.get_suitable_cache_subpath(py_file))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> TemporaryLocator | None:
        """Return the folder if it can be had."""
        with contextlib.suppress(OSError):
            locator = cls(py_func, py_file)
            locator.ensure_cache_path()
            return locator
        return None


class _CodeCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [  # noqa: RUF012  # the name and the form are Numba's
        caching.UserProvidedCacheLocator,
        caching.InTreeCacheLocator,
        InstalledLocator,
        UserLocator,
        *(
            each
            for each in caching.CacheImpl._locator_classes
            if each is not caching.UserWideCacheLocator
        ),
        TemporaryLocator,
    ]


class CodeCache(caching.FunctionCache):
    """The cache of one compiled function; what goes wrong with its files costs a compilation."""

    _impl_class = _CodeCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code if it is there; delete and forget files that cannot be read."""
        try:
            code = super().load_overload(sig, target_context)
            if code is not None:
                let_go_of_copies(code.library)
            return code
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
        let_go_of_copies(data.library)


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
