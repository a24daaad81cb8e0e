"""The OpenAPI document, made from the routes and their types."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec

from driftbandit import __version__
from driftbandit.service import exporting, personalizer
from driftbandit.service.keys import BEARER
from driftbandit.service.problems import Problem
from driftbandit.service.routes import ROUTES, Route
from driftbandit.service.series import SPANS

EVERYWHERE = (422, 503)
IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key and body: the same answer, and one effect.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}


@functools.cache
def document() -> bytes:
    """Return the document as JSON.

    >>> msgspec.json.decode(document())["openapi"]
    '3.1.0'
    """
    types = {each for route in ROUTES for each in (route.answer, route.body, route.problem) if each}
    ordered = sorted(types, key=lambda each: each.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    for path, operation in _documents().items():
        paths[path] = {"get": operation}
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "driftbandit", "version": __version__},
            "paths": paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {
                    "key": {"type": "http", "scheme": "bearer"},
                    personalizer.HEADER: {
                        "type": "apiKey",
                        "in": "header",
                        "name": personalizer.HEADER,
                    },
                },
            },
        }
    )


def _operation(route: Route) -> dict[str, Any]:
    parameters = [_in_path(name) for name in re.findall(r"{(\w+)}", route.path)]
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "parameters": [*parameters, *([IDEMPOTENCY] if route.repeatable else [])],
        "responses": {str(route.status): _content("Done.", route.answer), **_errors(route)},
    }
    links = _links(route)
    if links:
        operation["responses"][str(route.status)]["links"] = links
    if route.scope is not None:
        operation["security"] = [{"key" if route.header == BEARER else route.header: []}]
        operation["description"] = f"Needs a key with the scope `{route.scope}`."
    if route.body is not None:
        operation["requestBody"] = {
            "required": bool(
                msgspec.json.schema(route.body)["$defs"][route.body.__name__].get("required")
            ),
            **_content("", route.body),
        }
        del operation["requestBody"]["description"]
    return operation


def _links(route: Route) -> dict[str, Any]:
    """Return what can be asked next with what an answer holds."""
    if route.name == "create":
        inside = [each for each in ROUTES if "{experiment}" in each.path and each.name != "explain"]
        links = {each.name: _link(each.name, experiment="$response.body#/name") for each in inside}
        links["rank"] = {
            "operationId": "rank",
            "description": f"If the name is `{personalizer.EXPERIMENT}`.",
            "requestBody": {"actions": [{"id": "$response.body#/arms/0"}]},
        }
        return links
    if route.name == "decide":
        here, id = {"experiment": "$request.path.experiment"}, "$response.body#/id"
        reward = {"id": id, "reward": 1}
        return {
            "explain": _link("explain", decision=id, **here),
            "reward": {**_link("reward", **here), "requestBody": reward},
            "reward_many": {**_link("reward_many", **here), "requestBody": {"rewards": [reward]}},
            "activate": {**_link("activate", **here), "requestBody": {"id": id}},
        }
    if route.name == "rank":
        event = "$response.body#/eventId"
        return {
            "reward_event": {**_link("reward_event", event=event), "requestBody": {"value": 1}},
            "activate_event": _link("activate_event", event=event),
        }
    if route.name == "add_key":
        return {
            name: _link(name, key="$response.body#/id") for name in ("rotate_key", "revoke_key")
        }
    return {}


def _link(name: str, **parameters: str) -> dict[str, Any]:
    return {"operationId": name, "parameters": parameters}


def _errors(route: Route) -> dict[str, Any]:
    keys = (401, 403, 429) if route.scope is not None else ()
    body = (400, 413) if route.body is not None else ()
    named = {*EVERYWHERE, *keys, *body, *route.errors}
    statuses = sorted({route.problem.status(each) for each in named})
    return {str(status): _content("Refused: see `error`.", route.problem) for status in statuses}


def _in_path(name: str) -> dict[str, Any]:
    schema = {"enum": list(SPANS)} if name == "span" else {"type": "string"}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _content(description: str, kind: type | None) -> dict[str, Any]:
    if kind is None:
        return {"description": description}
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _documents() -> dict[str, dict[str, Any]]:
    """Return the operations whose answers are no JSON objects."""
    problem = _content("Refused: see `error`.", Problem)
    options = {"format": list(exporting.FORMATS), "rows": exporting.ROWS}
    wanted = [
        {"name": name, "in": "query", "schema": {"enum": values}}
        for name, values in options.items()
    ]
    table: dict[str, Any] = {kind.decode(): {} for kind, _ in exporting.FORMATS.values()}
    return {
        "/v1/experiments/{experiment}/export": {
            "operationId": "export",
            "summary": "Return the decisions of an experiment as a table, with their rewards.",
            "security": [{"key": []}],
            "parameters": [_in_path("experiment"), *wanted],
            "responses": {
                "200": {"description": "The table.", "content": table},
                **{str(status): problem for status in (401, 403, 404, 422, 429, 503)},
            },
        },
        "/metrics": {
            "operationId": "metrics",
            "summary": "Return the numbers of this process for Prometheus.",
            "security": [{"key": []}],
            "responses": {
                "200": {"description": "The numbers.", "content": {"text/plain": {}}},
                **{str(status): problem for status in (401, 403, 422, 429)},
            },
        },
        "/openapi.json": {
            "operationId": "openapi",
            "summary": "Return this document.",
            "responses": {
                "200": {"description": "It.", "content": {"application/json": {}}},
                "422": problem,
            },
        },
    }
