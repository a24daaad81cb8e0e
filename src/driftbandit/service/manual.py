"""The page at `/docs`: the OpenAPI document for people, without scripts."""

from __future__ import annotations

import functools
import json
import re
from html import escape
from typing import Any

from driftbandit.service.openapi import document

Json = dict[str, Any]
GROUPS = {
    "Decisions": ("decide", "decide_many", "activate", "reward", "reward_many", "explain"),
    "Experiments": (
        "create", "every", "one", "change", "pause", "resume", "archive", "kill", "add_arm",
        "retire_arm", "changes", "board", "export",
    ),
    "Keys": ("add_key", "every_key", "rotate_key", "revoke_key"),
    "The service": ("health", "ready", "metrics", "openapi"),
    "As Azure Personalizer v1.0": ("rank", "reward_event", "activate_event"),
}  # fmt: skip
CODE = r"<code>\1</code>"
REF = "#/components/schemas/"
RANGES = (
    ("minimum", "maximum", ""), ("minLength", "maxLength", " letters"),
    ("minItems", "maxItems", " items"), ("minProperties", "maxProperties", " entries"),
)  # fmt: skip
WORDS = {"exclusiveMinimum": "above {}", "exclusiveMaximum": "below {}", "pattern": "like {}"}


@functools.cache
def page() -> bytes:
    """Return the page.

    >>> b"/v1/experiments/{experiment}/decide" in page()
    True
    """
    api: Json = json.loads(document())
    operations = {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    }
    links = "".join(f'<a href="#{_id(name)}">{escape(name)}</a>' for name in [*GROUPS, "Types"])
    groups = "".join(
        _section(group, "".join(_operation(*operations[name]) for name in names))
        for group, names in GROUPS.items()
    )
    schemas = api["components"]["schemas"]
    types = _section("Types", "".join(_type(name, schemas[name]) for name in sorted(schemas)))
    head = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>driftbandit API</title>'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/charts.css">'
        '<link rel="stylesheet" href="/board.css"><link rel="stylesheet" href="/docs.css"></head>'
    )
    intro = (
        f"<p>Version {escape(api['info']['version'])}. Bodies and answers are JSON. A key stands "
        "in the header <code>Authorization: Bearer db_…</code>, for Azure Personalizer in "
        "<code>Ocp-Apim-Subscription-Key</code>. Made from "
        '<a href="/openapi.json">the OpenAPI document</a>.</p>'
    )
    header = f'<header><h1><a href="/">driftbandit</a> API</h1><nav>{links}</nav></header>'
    return f"{head}<body>{header}<main>{intro}{groups}{types}</main></body></html>".encode()


def _id(name: str) -> str:
    return re.sub(r"\W+", "-", name.lower()).strip("-")


def _section(name: str, content: str) -> str:
    return f'<section id="{_id(name)}"><h2>{escape(name)}</h2>{content}</section>'


def _operation(method: str, path: str, operation: Json) -> str:
    """Return what a request is, what it takes, and what it is answered with."""
    text = _text(operation["summary"] + " " + operation.get("description", ""))
    parts = [f'<h3><b class="{method.lower()}">{method}</b> <code>{escape(path)}</code></h3>', text]
    rows = [
        (each["name"], each["in"], each["schema"], each.get("required", False))
        for each in operation.get("parameters", [])
    ]
    parts.append(_fields([(name, schema, must, where) for name, where, schema, must in rows]))
    if "requestBody" in operation:
        parts.append(f"<p>Body: {_content(operation['requestBody'])}</p>")
    good = {code: each for code, each in operation["responses"].items() if code < "400"}
    bad = [code for code in operation["responses"] if code >= "400"]
    parts += [f"<p>{code}: {_content(each)}</p>" for code, each in good.items()]
    if bad:
        parts.append(f"<p>Refused with {', '.join(bad)}.</p>")
    return f'<article id="{operation["operationId"]}">{"".join(parts)}</article>'


def _content(answer: Json) -> str:
    """Return the types of a body or an answer."""
    kinds = answer.get("content", {})
    named = [
        _kind(kind["schema"]) if "schema" in kind else escape(name) for name, kind in kinds.items()
    ]
    return " or ".join(named) or "no content"


def _type(name: str, schema: Json) -> str:
    """Return what a type holds."""
    required = schema.get("required", [])
    rows = [
        (field, kind, field in required, "") for field, kind in schema.get("properties", {}).items()
    ]
    text = _text(schema.get("description", ""))
    return f'<article id="{name}"><h3>{name}</h3>{text}{_fields(rows)}</article>'


def _fields(rows: list[tuple[str, Json, bool, str]]) -> str:
    """Return a table of fields: name, whether it must be given, type, and default."""
    lines = []
    for name, schema, must, where in rows:
        notes = ["required"] if must else []
        if "default" in schema:
            notes.append(f"default {escape(json.dumps(schema['default']))}")
        note = ", ".join([*([where] if where else []), *notes])
        kind = _kind(schema) + (_text(schema["description"]) if "description" in schema else "")
        lines.append(f"<tr><td><code>{escape(name)}</code></td><td>{kind}</td><td>{note}</td></tr>")
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>' if lines else ""


def _kind(schema: Json) -> str:
    """Return what a value may be.

    >>> _kind({"type": "number", "minimum": 0.0, "maximum": 1.0})
    'number, 0 to 1'
    """
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(json.dumps(each))}</code>" for each in schema["enum"])
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        kind = f"array of {_kind(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        kind = f"object of {_kind(schema['additionalProperties'])}"
    return ", ".join([kind, *_limits(schema)])


def _limits(schema: Json) -> list[str]:
    """Return what bounds a value, in words."""
    shown = {
        name: escape(f"{value:,.12g}" if isinstance(value, int | float) else str(value))
        for name, value in schema.items()
        if not isinstance(value, list | dict)
    }
    texts = [text.format(shown[name]) for name, text in WORDS.items() if name in shown]
    for low, high, unit in RANGES:
        if low in shown and high in shown:
            texts.append(f"{shown[low]} to {shown[high]}{unit}")
        elif low in shown:
            texts.append(f"at least {shown[low]}{unit}")
        elif high in shown:
            texts.append(f"at most {shown[high]}{unit}")
    return texts


def _text(text: str) -> str:
    """Return a description with its code and paragraphs."""
    paragraphs = [each for each in re.split(r"\n\s*\n", escape(text.strip())) if each]
    return "".join(f"<p>{re.sub('`([^`]+)`', CODE, each)}</p>" for each in paragraphs)
