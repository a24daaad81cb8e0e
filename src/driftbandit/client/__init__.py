"""A typed client of the service, for ordinary code and for code on an event loop.

It needs the extra `client`. What it sends and what it raises is the same for both kinds.
"""

import sys

EXTRA = "httpx>=0.27 msgspec>=0.19"
"""The extra `client`."""

try:
    from driftbandit.client.awaiting import AsyncClient
    from driftbandit.client.blocking import Client
    from driftbandit.client.errors import (
        ConflictError,
        InvalidRequestError,
        KeyRefusedError,
        NotFoundError,
        ServiceError,
        TooManyRequestsError,
        UnavailableError,
    )
except ModuleNotFoundError as error:
    if error.name not in ("httpx", "msgspec"):
        raise
    _packages = " ".join(f"'{each}'" for each in EXTRA.split())
    raise ImportError(
        f"driftbandit.client needs more packages: {sys.executable} -m pip install {_packages}"
    ) from None

__all__ = [
    "AsyncClient",
    "Client",
    "ConflictError",
    "InvalidRequestError",
    "KeyRefusedError",
    "NotFoundError",
    "ServiceError",
    "TooManyRequestsError",
    "UnavailableError",
]
