"""Every route, once: what answers requests, and what the OpenAPI document is made from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from driftbandit.service import (
    admin,
    board,
    deciding,
    history,
    keys,
    personalizer,
    rewarding,
    shapes,
)
from driftbandit.service.call import Call
from driftbandit.service.events import Scope
from driftbandit.service.problems import Problem
from driftbandit.service.worker import Worker

Handler = Callable[[Worker, Call], Awaitable[Any]]


class Route(NamedTuple):
    """A method and a path, who may ask, the types of body and answer, and who answers.

    `header` is where the key stands, and `problem` the body of answers from 400 on.
    """

    method: str
    path: str
    scope: Scope | None
    handler: Handler
    answer: type[Any] | None
    body: type | None = None
    errors: tuple[int, ...] = ()
    repeatable: bool = False
    status: int = 200
    header: str = keys.BEARER
    problem: type[Problem | personalizer.Faulty] = Problem

    @property
    def name(self) -> str:
        """The name of the operation: that of its handler."""
        return self.handler.__name__

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return (self.handler.__doc__ or "").strip().splitlines()[0]


EXPERIMENTS = "/v1/experiments"
ONE = "/v1/experiments/{experiment}"
RANK = "/personalizer/v1.0"
AS_PERSONALIZER: Any = {"header": personalizer.HEADER, "problem": personalizer.Faulty}

ROUTES = (
    Route("POST", EXPERIMENTS, "admin", admin.create, shapes.Experiment,
          shapes.NewExperiment, (409,), status=201),
    Route("GET", EXPERIMENTS, "read", admin.every, shapes.Experiments),
    Route("GET", ONE, "read", admin.one, shapes.Experiment, None, (404,)),
    Route("PATCH", ONE, "admin", admin.change, shapes.Experiment, shapes.Change, (404, 409)),
    Route("POST", f"{ONE}/pause", "admin", admin.pause, shapes.Experiment, None, (404, 409)),
    Route("POST", f"{ONE}/resume", "admin", admin.resume, shapes.Experiment, None, (404, 409)),
    Route("POST", f"{ONE}/archive", "admin", admin.archive, shapes.Experiment, None, (404, 409)),
    Route("POST", f"{ONE}/kill", "admin", admin.kill, shapes.Experiment, shapes.Kill, (404, 409)),
    Route("POST", f"{ONE}/arms", "admin", admin.add_arm, shapes.Experiment, shapes.NewArm,
          (404, 409)),
    Route("DELETE", f"{ONE}/arms/{{arm}}", "admin", admin.retire_arm, shapes.Experiment, None,
          (404, 409)),
    Route("GET", f"{ONE}/board/{{span}}", "read", board.board, board.Board, None, (404,)),
    Route("GET", f"{ONE}/history", "read", history.changes, shapes.History, None, (404,)),
    Route("POST", f"{ONE}/decide", "decide", deciding.decide, shapes.Decision, shapes.Decide,
          (404, 409), repeatable=True),
    Route("POST", f"{ONE}/decide/batch", "decide", deciding.decide_many, shapes.Decisions,
          shapes.DecideMany, (404, 409), repeatable=True),
    Route("POST", f"{ONE}/activate", "decide", rewarding.activate, shapes.Activation,
          shapes.Activate, (404, 409)),
    Route("POST", f"{ONE}/reward", "reward", rewarding.reward, shapes.Receipt, shapes.Reward,
          (404, 409), repeatable=True),
    Route("POST", f"{ONE}/reward/batch", "reward", rewarding.reward_many, shapes.Receipts,
          shapes.RewardMany, (404, 409), repeatable=True),
    Route("GET", f"{ONE}/decisions/{{decision}}", "read", history.explain, shapes.Explanation,
          None, (404,)),
    Route("POST", f"{RANK}/rank", "decide", personalizer.rank, personalizer.RankResponse,
          personalizer.RankRequest, (404, 409), status=201, **AS_PERSONALIZER),
    Route("POST", f"{RANK}/events/{{event}}/reward", "reward", personalizer.reward_event, None,
          personalizer.RewardRequest, (404, 409), status=204, **AS_PERSONALIZER),
    Route("POST", f"{RANK}/events/{{event}}/activate", "decide", personalizer.activate_event, None,
          None, (404, 409), status=204, **AS_PERSONALIZER),
    Route("POST", "/v1/keys", "admin", admin.add_key, shapes.KeyShown, shapes.NewKey, status=201),
    Route("GET", "/v1/keys", "admin", admin.every_key, shapes.Keys),
    Route("POST", "/v1/keys/{key}/rotate", "admin", admin.rotate_key, shapes.KeyShown, None,
          (404,), status=201),
    Route("DELETE", "/v1/keys/{key}", "admin", admin.revoke_key, shapes.Keys, None, (404, 409)),
    Route("GET", "/health", None, admin.health, shapes.Health),
    Route("GET", "/ready", None, admin.ready, shapes.Health),
)  # fmt: skip


class Prepared(NamedTuple):
    """A route, ready to be used: its parts, and the decoder of its body."""

    route: Route
    parts: tuple[str, ...]
    decoder: msgspec.json.Decoder[Any] | None


def _prepared(route: Route) -> Prepared:
    decoder: msgspec.json.Decoder[Any] | None = None
    if route.body is not None:
        decoder = msgspec.json.Decoder(route.body)
    return Prepared(route, tuple(route.path.split("/")), decoder)


PREPARED = [_prepared(route) for route in ROUTES]


def match(parts: list[str]) -> tuple[dict[str, Prepared], dict[str, str]]:
    """Return the routes of a path by their methods, and the names in the path.

    >>> routes, names = match("/v1/experiments/home/decide".split("/"))
    >>> list(routes), names
    (['POST'], {'experiment': 'home'})
    """
    routes: dict[str, Prepared] = {}
    names: dict[str, str] = {}
    for prepared in PREPARED:
        if len(prepared.parts) == len(parts):
            here = _names(prepared.parts, parts)
            if here is not None:
                routes[prepared.route.method], names = prepared, here
    return routes, names


def _names(template: tuple[str, ...], parts: list[str]) -> dict[str, str] | None:
    names = {}
    for expected, part in zip(template, parts, strict=True):
        if expected.startswith("{") and part:
            names[expected[1:-1]] = part
        elif expected != part:
            return None
    return names
