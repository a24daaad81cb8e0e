"""The application: HTTP to handlers and back, in plain ASGI."""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

import msgspec

from driftbandit.core.errors import InputError
from driftbandit.service import exporting, keys, openapi, pages
from driftbandit.service.bodies import refusal_of
from driftbandit.service.call import Call, idempotency_of, query_of
from driftbandit.service.limits import Limits, items_of
from driftbandit.service.personalizer import Faulty
from driftbandit.service.problems import Problem, Refusal, no_such_method, of_input, unavailable
from driftbandit.service.routes import RANK, Prepared, match
from driftbandit.service.worker import Worker

LOG = logging.getLogger("driftbandit")
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LARGEST_BODY = 1_000_000
NO_CONTENT = 204
READING = ("GET", "HEAD")
JSON = b"application/json"
PATHS = functools.lru_cache(1_024)(lambda path: match([unquote(part) for part in path.split("/")]))
_encode = msgspec.json.Encoder().encode


class App:
    """An ASGI application around a worker; `beside` runs as long as it does."""

    def __init__(
        self,
        make_worker: Callable[[], Worker],
        beside: Callable[[Worker], Awaitable[None]] | None = None,
    ) -> None:
        self._make_worker, self._beside = make_worker, beside
        self.limits = Limits()
        self.worker: Worker

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or start and stop."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:  # a web socket: there are none
            await send({"type": "websocket.close"})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self.worker = self._make_worker()
            await self.worker.start()
        except Exception as error:
            LOG.error("cannot start: %s", error)
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        beside = asyncio.ensure_future(self._beside(self.worker)) if self._beside else None
        await receive()
        if beside is not None:
            beside.cancel()
        await self.worker.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        started, name = time.perf_counter(), "none"
        status, kind, payload, more = 500, JSON, b"", list[tuple[bytes, bytes]]()
        path = scope["raw_path"].decode("latin-1")
        problem: type[Any] = Faulty if path.startswith(RANK) else Problem
        try:
            headers = dict(scope["headers"])
            if path.endswith("/export"):
                name = "export"
                await self._export(scope, path, headers, send)
                self.worker.metrics.answers.answered(name, 200, time.perf_counter() - started)
                return
            if path in pages.FILES or path == pages.DOCS:
                name = "page"
                await _page(scope["method"], path, send)
                return
            if path in ("/metrics", "/openapi.json"):
                name = path[1:]
                query_of(scope["query_string"])
                status, kind, payload = self._document(scope["method"], path, headers)
            else:
                prepared, names = _found(scope["method"], path)
                name, status = prepared.route.name, prepared.route.status
                problem = prepared.route.problem
                query_of(scope["query_string"])
                payload = await self._routed(prepared, names, headers, receive)
        except (Refusal, InputError) as error:
            refusal = error if isinstance(error, Refusal) else of_input(error)
            status, more = problem.status(refusal.status), refusal.headers
            payload = _encode(problem.of(refusal))
        except Exception:
            LOG.exception("a request to %s failed", name)
            fault = Refusal(500, "", "a fault of the service; its log says more")
            status, payload = fault.status, _encode(problem.of(fault))
        await _send(send, status, kind, payload, more)
        self.worker.metrics.answers.answered(name, status, time.perf_counter() - started)

    async def _routed(
        self,
        prepared: Prepared,
        names: dict[str, str],
        headers: dict[bytes, bytes],
        receive: Receive,
    ) -> bytes:
        """Return the answer of a route.

        Nothing is refused for what another process has changed already: then this one catches up
        and tries again.
        """
        route, worker, raw = prepared.route, self.worker, None
        for last in (False, True):
            key: keys.Holder | None = None
            try:
                if route.scope is not None:
                    key = keys.check(headers, worker.fold.keys, route.scope, route.header)
                first = raw is None
                if raw is None:
                    self.limits.admit(key)
                    raw = await _body(receive)
                idempotency = idempotency_of(headers.get(b"idempotency-key"))
                call = Call(names, {}, _decoded(prepared, raw), raw, idempotency)
                if first:
                    self.limits.take(key, items_of(call.body) - 1)
                answer = await route.handler(worker, call)
                return b"" if route.answer is None else _encode(answer)
            except (Refusal, InputError) as error:
                lasting = not isinstance(error, Refusal) or error.status < 500
                if last or not (lasting and await worker.catch_up()):
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _document(
        self, method: str, path: str, headers: dict[bytes, bytes]
    ) -> tuple[int, bytes, bytes]:
        """Return the metrics, or the OpenAPI document."""
        if method not in READING:
            raise no_such_method(method, *READING)
        if path == "/openapi.json":
            return 200, JSON, openapi.document()
        worker = self.worker
        self.limits.admit(keys.check(headers, worker.fold.keys, "read"))
        worker.metrics.position.set(worker.fold.position)
        worker.alerts.measure(worker.fold)
        return 200, b"text/plain; version=0.0.4; charset=utf-8", worker.metrics.text()

    async def _export(
        self, scope: Message, path: str, headers: dict[bytes, bytes], send: Send
    ) -> None:
        """Send the log of an experiment as a table, piece by piece."""
        worker, parts = self.worker, path.split("/")
        await worker.catch_up()
        if len(parts) != 5 or parts[:3] != ["", "v1", "experiments"]:
            raise _no_such_path(path)
        if scope["method"] != "GET":
            raise no_such_method(scope["method"], "GET")
        self.limits.admit(keys.check(headers, worker.fold.keys, "read"))
        query = query_of(scope["query_string"], exporting.QUERY)
        export = exporting.export(
            worker, Call({"experiment": unquote(parts[3])}, query, None, b"", "")
        )
        pieces = worker.pieces(export.pieces)
        first = await anext(pieces, b"")  # what fails before is refused
        await _begin(send, 200, export.kind)
        try:
            await send({"type": "http.response.body", "body": first, "more_body": True})
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except Exception:  # the connection is cut, so that nobody takes a part for the whole
            LOG.exception("an export failed on its way")
            return
        finally:
            await pieces.aclose()
        await send({"type": "http.response.body", "body": b""})


async def _page(method: str, path: str, send: Send) -> None:
    """Send a file of the dashboard."""
    if method not in READING:
        raise no_such_method(method, *READING)
    kind, content = pages.page(path)
    await _begin(send, 200, kind, *pages.HEADERS, (b"content-length", b"%d" % len(content)))
    body = content if method == "GET" else b""
    await send({"type": "http.response.body", "body": body})


def _found(method: str, path: str) -> tuple[Prepared, dict[str, str]]:
    """Return the route of a request, and the names in its path."""
    routes, names = PATHS(path)
    if not routes:
        raise _no_such_path(path)
    asked = "GET" if method == "HEAD" else method
    if asked not in routes:
        raise no_such_method(method, *routes, *(["HEAD"] if "GET" in routes else []))
    return routes[asked], names


def _no_such_path(path: str) -> Refusal:
    return Refusal(404, "path", f"path must be one of those in /openapi.json, got {path[:100]!r}")


async def _body(receive: Receive) -> bytes:
    """Return the body of a request."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body") and len(body) <= LARGEST_BODY:
        message = await receive()
        body += message.get("body", b"")
    if len(body) > LARGEST_BODY:
        raise Refusal(413, "body", f"body must have at most {LARGEST_BODY} bytes")
    if message["type"] == "http.disconnect":
        raise unavailable("nobody listens any more")
    return body


def _decoded(prepared: Prepared, raw: bytes) -> Any:
    """Return the body as the type that the route takes; an empty one is an empty object."""
    if prepared.decoder is None:
        return None
    try:
        return prepared.decoder.decode(raw or b"{}")
    except msgspec.DecodeError as error:
        raise refusal_of(error, prepared.decoder.type, raw) from None
    except UnicodeDecodeError:
        raise Refusal(400, "body", "body must be JSON in UTF-8") from None
    except RecursionError:
        raise Refusal(400, "body", "body must be JSON that is not so deeply nested") from None


async def _begin(send: Send, status: int, kind: bytes, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", kind), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _send(
    send: Send, status: int, kind: bytes, payload: bytes, more: list[tuple[bytes, bytes]]
) -> None:
    """Send an answer in one piece; of one to HEAD the server leaves out the body."""
    length = [] if status == NO_CONTENT else [(b"content-length", b"%d" % len(payload))]
    await _begin(send, status, kind, *length, *more)
    await send({"type": "http.response.body", "body": payload})
