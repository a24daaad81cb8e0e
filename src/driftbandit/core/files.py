"""Files that are written completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from driftbandit.core.errors import InputError, require

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says where a file cannot grow: a full disk, a quota, a limit."""

CUT_OFF = "Invalid thrift: transport error"
"""All that Polars says where the last bytes of a Parquet file find no room."""


def path_of(name: str, value: Any, allowed: str) -> Path:
    """Return `value` as a path, or raise: an empty one would be the current folder.

    A leading ~ is the home folder, as it is for a shell and for Polars.
    """
    text = str(value) if isinstance(value, str | os.PathLike) else ""
    try:
        fits = text.strip() != "" and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # half of a letter
        fits = False
    require(fits, name, value, allowed)
    letters = not any("\ud800" <= letter <= "\udfff" for letter in str(value))
    require(letters, name, value, "be a name in UTF-8, which all writers of files know")
    return Path(os.path.expanduser(value))  # that of paths may raise


def reachable(name: str, value: Any) -> Path:
    """Return `value` as the path of a file that can be written, or raise before long work is lost.

    >>> reachable("out", "/dev/null/policy.json")
    Traceback (most recent call last):
    driftbandit.InputError: cannot write /dev/null/policy.json: Not a directory
    """
    import tempfile  # noqa: PLC0415  # few commands that load this module need it

    path = path_of(name, value, "name a file")
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    with _explained(path):
        folder = next(place for place in path.absolute().parents if os.path.lexists(place))
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        with tempfile.TemporaryFile(dir=folder):  # no file has its name, where the system allows it
            pass
    return path


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; move it to `path` on success, remove it on failure.

    The temporary file has the same suffix, since many writers choose their format by it, and lies
    in the same folder, since a move is atomic only there. Missing folders are made. A link stays
    one: the file that it names is written. A path that cannot be written is an `InputError`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "new" / "note.txt") as partial:
    ...         _ = partial.write_text("whole")
    ...     (Path(folder) / "new" / "note.txt").read_text()
    'whole'
    """
    target = path_of("path", path, "name a file")
    if target.is_dir():
        raise InputError(f"cannot write {target}: it is a folder")
    place = Path(os.path.realpath(target)) if target.is_symlink() else target
    with _explained(target):
        place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.with_name(f".{place.stem}.{os.urandom(4).hex()}.part{target.suffix}")
    try:
        with _explained(target):
            yield partial
            partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def filling(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary folder; move its files into `folder` once all are written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with filling(Path(home) / "results") as partial:
    ...         for name in ("a.txt", "b.txt"):
    ...             _ = (partial / name).write_text(name)
    ...     sorted(path.name for path in (Path(home) / "results").iterdir())
    ['a.txt', 'b.txt']
    """
    target = path_of("folder", folder, "be the name of a folder")
    with _explained(target):
        missing = absent(target)
        if os.path.lexists(target) and not target.is_dir():
            raise InputError(f"cannot write {target}: it is not a folder")
        target.mkdir(parents=True, exist_ok=True)
        partial = target / f".{os.urandom(4).hex()}.part"
        partial.mkdir()
    try:
        with _explained(target):
            yield partial
            _move(partial, target)
    except BaseException as error:
        shutil.rmtree(partial, ignore_errors=True)
        prune(missing)
        if isinstance(error, InputError) and str(partial) in str(error):  # of a file within
            raise InputError(str(error).replace(str(partial), str(target))) from error
        raise
    shutil.rmtree(partial)


def _move(source: Path, target: Path) -> None:
    names = sorted(path.name for path in source.iterdir())
    for name in names:  # look before the first move: all files move, or none
        if (target / name).is_dir():
            raise InputError(f"cannot write {target / name}: it is a folder")
    for name in names:
        (source / name).replace(target / name)


def absent(folder: Path) -> list[Path]:
    """Return the folder and those above it that do not exist yet, innermost first."""
    return [place for place in (folder, *folder.parents) if not place.exists()]


def prune(folders: list[Path]) -> None:
    """Remove these folders, innermost first, as long as they are empty."""
    with contextlib.suppress(OSError):
        for folder in folders:
            folder.rmdir()


def private_folder() -> Path:
    """Return a folder of this user alone among the temporary ones; make it if it is not there.

    Raise `PermissionError` if another user may write to it.
    """
    import tempfile  # noqa: PLC0415  # as above

    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    folder = Path(tempfile.gettempdir()) / f"driftbandit-{user}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    state = folder.lstat()
    mine = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    if not (stat.S_ISDIR(state.st_mode) and mine and not state.st_mode & 0o022):
        raise PermissionError(f"{folder} belongs to somebody else")
    return folder


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        reason = None if isinstance(error, InputError) else _reason(error)
        if reason is None:
            raise
        raise InputError(f"cannot write {path}: {reason}") from error


def _reason(error: BaseException | None) -> str | None:
    """Return why the system could not write, if that is what an exception comes from.

    Libraries that write a file may raise something of their own: polars tells a full disk by a
    `ComputeError`, and matplotlib stumbles while it closes a PDF.
    """
    while error is not None:
        for reason in map(os.strerror, NO_ROOM):
            if reason in str(error):
                return reason
        if CUT_OFF in str(error):
            return "Polars was cut off, as by a full disk or a limit on the size of files"
        if isinstance(error, OSError):
            return error.strerror or str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return None
