"""Settings: flags before environment before a TOML file before what is usual."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from driftbandit.core.errors import InputError, one_of, require, shown, suggestion
from driftbandit.core.files import path_of

PREFIX = "DRIFTBANDIT_"

ALLOWED = {
    "store": "be a file, or postgresql://…",
    "host": "be a name or an address to listen at",
    "port": "be a whole number from 0 to 65535",
    "workers": "be a whole number from 1 to 256",
    "patience": "be a number of seconds from 0.001 to 60",
    "snapshot_every": "be a whole number of at least 1",
}
ELSEWHERE = re.compile(
    r"""[a-z0-9+.-]+://|postgres(ql)?(:|//)|file:|:memory:|["']|(host|hostaddr|port|dbname|user|password|service)\s*=""",
    re.IGNORECASE,
)
"""How other stores, and names in quotation marks, begin: they would be odd names of files."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the service runs.

    - `store`: a file for SQLite, or `postgresql://…`.
    - `host`, `port`: where it listens; port 0 lets the system choose one.
    - `workers`: processes; more than one need PostgreSQL.
    - `patience`: seconds that a request waits for the store before it is answered with 503.
    - `snapshot_every`: events between two snapshots.
    """

    store: str = "driftbandit.db"
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8000
    workers: Annotated[int, Meta(ge=1, le=256)] = 1
    patience: Annotated[float, Meta(ge=0.001, le=60.0)] = 5.0
    snapshot_every: Annotated[int, Meta(ge=1)] = 200_000

    def __post_init__(self) -> None:
        """Refuse an empty host, which is every address there is, and what names no store."""
        host = self.host.strip() != "" and self.host.isprintable()
        require(host, "host", self.host, ALLOWED["host"])
        if self.postgres:  # the driver would name the word before a blank: of a password, too
            blank = re.search(r"\s", self.store)
            require(not blank, "store", self.shown, "have %20 in place of blanks")
        else:
            path_of("store", self.store, ALLOWED["store"])
            fits = self.store.isprintable() and not ELSEWHERE.match(self.store)
            require(fits, "store", self.shown, ALLOWED["store"])

    @property
    def postgres(self) -> bool:
        """Whether the store is PostgreSQL."""
        return self.store.startswith(("postgresql://", "postgres://"))

    @property
    def shown(self) -> str:
        """The store as it may be printed: without a password."""
        hidden = re.sub(r"(//?[^/@]*:)[^@]*@", r"\1…@", self.store)
        return re.sub(r"(password\s*=\s*)('[^']*'|\S*)", r"\1…", hidden, flags=re.IGNORECASE)


def settings_of(
    flags: Mapping[str, Any], environment: Mapping[str, str], config: str | None = None
) -> Settings:
    """Return the settings; a flag that is None was not given.

    >>> here = {"DRIFTBANDIT_PORT": "9", "DRIFTBANDIT_HOST": "::1"}
    >>> settings = settings_of({"port": 0, "host": None}, here)
    >>> settings.port, settings.host, settings.store
    (0, '::1', 'driftbandit.db')
    """
    names = Settings.__struct_fields__
    for name in environment:
        own = name.removeprefix(PREFIX).lower() if name.startswith(PREFIX) else ""
        near = suggestion(own, {each: f"{PREFIX}{each.upper()}" for each in names})
        if near and own not in names:
            raise InputError(f"there is no setting {name}{near}")
    from_file = _file(config)
    for name in from_file:
        one_of(f"a setting in {config}", name, names, exact=True)
    here = {name: environment.get(PREFIX + name.upper()) for name in names}
    values = {
        **from_file,
        **{name: value for name, value in here.items() if value},
        **{name: value for name, value in flags.items() if value is not None},
    }
    unset = [name for name, value in here.items() if value and flags.get(name) is None]
    titles = {name: f"the environment variable {PREFIX}{name.upper()}" for name in unset}
    settings = _converted(values, titles)
    if settings.workers > 1 and not settings.postgres:
        raise InputError(f"workers must be 1 with SQLite, got {settings.workers}")
    return settings


def _file(config: str | None) -> dict[str, Any]:
    if config is None:
        return {}
    path = path_of("config", config, "name a file of TOML")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(
            f"config must be a file that can be read, got {shown(config)}: {error.strerror}"
        ) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"config must be TOML, got {shown(config)}: {error}") from None


def _converted(values: Mapping[str, Any], titles: Mapping[str, str]) -> Settings:
    """Return the settings, or raise; `titles` say which of them come from the environment."""
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, InputError):
            raise error.__cause__ from None
        name = str(error).partition(" - at `$.")[2].rstrip("`")
        title = titles.get(name, name)
        raise InputError(f"{title} must {ALLOWED[name]}, got {shown(values.get(name))}") from None
