"""The API of a real server: what is answered, what is refused, and what leaves no trace."""

from __future__ import annotations

import concurrent.futures
import csv
import io
import itertools
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import driftbandit as db
from driftbandit.service.exporting import PIECE
from driftbandit.service.rebuild import rebuild
from driftbandit.service.store.sqlite import SqliteStore
from service.serving import ARMS, Client, Server, serving

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("api")) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Client:
    return server.client()


@pytest.fixture
def name(client: Client) -> str:
    name = f"e{next(NUMBERS)}"
    client.create(name)
    return name


def digest(server: Server) -> str:
    store = SqliteStore(server.store, write=False)
    state = rebuild(store).digest
    store.close()
    return state


def test_a_decision_and_its_reward(client: Client, name: str) -> None:
    decision = client.post(f"/{name}/decide")
    assert decision["arm"] in ARMS
    assert 0.1 - 1e-12 <= decision["probability"] <= 0.8 + 1e-12
    assert decision["drawn_at"] < decision["position"]
    receipt = client.post(f"/{name}/reward", {"id": decision["id"], "reward": 0.5})
    assert (receipt["status"], receipt["reward"]) == ("counted", 0.5)
    experiment = client.ask("GET", f"/v1/experiments/{name}")[1]
    assert (experiment["decisions"], experiment["rewards"], experiment["pending"]) == (1, 1, 0)


def test_a_second_reward_gets_the_answer_of_the_first(client: Client, name: str) -> None:
    id = client.post(f"/{name}/decide")["id"]
    first = client.post(f"/{name}/reward", {"id": id, "reward": 1.0})
    assert client.post(f"/{name}/reward", {"id": id, "reward": 0.0}) == first


def test_eligible_arms(client: Client, name: str) -> None:
    decision = client.post(f"/{name}/decide", {"eligible": ["blue"]})
    assert (decision["arm"], decision["probability"]) == ("blue", 1.0)
    refused = client.refused(f"/{name}/decide", {"eligible": ["blue", "pink"]})
    assert refused == (422, "eligible")


def test_the_same_key_and_body_get_the_same_answer(client: Client, name: str) -> None:
    body = {"decisions": [{}, {"eligible": ["red"]}]}
    first = client.post(f"/{name}/decide/batch", body, once="k")
    assert client.post(f"/{name}/decide/batch", body, once="k") == first
    refused = client.refused(f"/{name}/decide/batch", {"decisions": [{}]}, once="k")
    assert refused == (422, "Idempotency-Key")
    client.post(f"/{name}/pause")
    assert client.post(f"/{name}/resume")["decisions"] == 2


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"shares": {"red": {"?": 1}}}, "shares[...].?", "must be one of the fields least, most"),
        ({"shares": {"": {"least": 0.1}}}, "shares", "must be text of length >= 1, got ''"),
        ({"shares": {"red": {"least": 2}}}, "shares[...].least", "must be a number <= 1.0, got 2"),
        ({"shares": {"red": {"least": 2}, "blue": {"least": 3}}}, "shares", "a number <= 1.0"),
        ({"x` in `$.y": 1}, "x", "must be one of the fields policy, floor"),
        ({"shares": {"red": {"a` - at `b": 1}}}, "", "must be one of the fields least, most"),
    ],
)
def test_what_is_wrong_inside_an_object_is_said(
    server: Server, body: Any, field: str, message: str
) -> None:
    server.client().ask("POST", "/v1/experiments", {"name": "inside", "arms": ["red", "blue"]})
    status, answer = server.client().ask("PATCH", "/v1/experiments/inside", body)
    assert status == 422
    assert field in answer["error"]["field"]
    assert message in answer["error"]["message"]


def test_a_body_that_is_no_utf_8_is_no_fault(client: Client, name: str) -> None:
    body = '{"eligible": ["réd"]}'.encode("latin-1")
    status, _, answer = client.raw("POST", f"/v1/experiments/{name}/decide", body)
    assert (status, json.loads(answer)["error"]["message"]) == (400, "body must be JSON in UTF-8")


def test_an_answer_is_repeated_even_when_the_experiment_has_paused(
    client: Client, name: str
) -> None:
    first = client.post(f"/{name}/decide", {}, once="k")
    client.post(f"/{name}/pause")
    assert client.refused(f"/{name}/decide", {}) == (409, "status")
    assert client.post(f"/{name}/decide", {}, once="k") == first


def test_concurrent_twins_have_one_effect(server: Server, client: Client, name: str) -> None:
    def decide(_: int) -> str:
        return str(server.client().post(f"/{name}/decide", {}, once="twin")["id"])

    def reward(number: int) -> Any:
        body = {"id": id, "reward": number / 16}
        return server.client().post(f"/{name}/reward", body)

    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        ids = set(threads.map(decide, range(16)))
        assert len(ids) == 1
        id = ids.pop()
        receipts = list(threads.map(reward, range(16)))
    assert all(receipt == receipts[0] for receipt in receipts)
    experiment = client.ask("GET", f"/v1/experiments/{name}")[1]
    assert (experiment["decisions"], experiment["rewards"]) == (1, 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"id": "x", "reward": NaN}', "body"),
        (b'{"id": "x", "reward": 1e999}', "reward"),
        (b'{"id": "ID", "reward": 1.5}', "reward"),
        (b'{"id": "ID", "reward": -1}', "reward"),
        (b'{"id": "ID", "reward": "1"}', "reward"),
        (b'{"id": "ID"}', "reward"),
        (b'{"id": "ID", "reward": 1, "arm": "red"}', "arm"),
        (b'{"id": "nobody", "reward": 1}', "id"),
        (b"[" * 100_000, "body"),
        (b" " * 1_000_001, "body"),
    ],
)
def test_a_bad_reward_leaves_no_trace(
    server: Server, client: Client, name: str, body: bytes, field: str
) -> None:
    id = client.post(f"/{name}/decide")["id"]
    before = digest(server)
    path = f"/v1/experiments/{name}/reward"
    status, _, answer = client.raw("POST", path, body.replace(b"ID", id.encode()))
    assert status in (400, 404, 413, 422)
    assert json.loads(answer)["error"]["field"] == field
    assert digest(server) == before


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            b'{"id": "x", "reward": 1e999}',
            "reward must be a number that 64 bits can hold, got inf",
        ),
        (b'{"id": 7, "id": "x", "reward": 1}', "id must be text"),  # which one, is not clear
        (b'{"id": 7, "reward": ]', "id must be text"),
        (b'{"id": "x", "": 1}', "'' must be one of the fields id, reward"),
        (b'{"id": "x"', "body must be JSON: Input data was truncated"),
        (b'{"id": "x", "reward": NaN}', "body must be JSON: JSON is malformed"),
    ],
)
def test_a_body_that_is_hardly_json_is_said(
    client: Client, name: str, body: bytes, message: str
) -> None:
    status, _, answer = client.raw("POST", f"/v1/experiments/{name}/reward", body)
    assert status in (400, 422)
    assert json.loads(answer)["error"]["message"].startswith(message)


@pytest.mark.parametrize(
    ("path", "field", "message"),
    [
        ("/decide?defer=true", "defer", "a query parameter must not be there, got 'defer'"),
        ("/export?fromat=csv", "fromat", "must be one of format, rows, got 'fromat'"),
        ("/export?format=", "format", "format must be one of jsonl, csv, parquet, got ''"),
        ("/export?rows=all&rows=all", "query", "query must have each parameter once"),
        ("/nothing?x=1", "path", "path must be one of those in /openapi.json"),
    ],
)
def test_query_parameters_that_mean_nothing_are_refused(
    client: Client, name: str, path: str, field: str, message: str
) -> None:
    method = "POST" if "decide" in path else "GET"
    status, answer = client.ask(method, f"/v1/experiments/{name}{path}", None)
    assert status in (404, 422)
    assert answer["error"]["field"] == field
    assert message in answer["error"]["message"]


def test_documents_and_metrics_take_no_query(client: Client) -> None:
    for path in ("/metrics?x", "/openapi.json?x=1", "/health?x=1"):
        assert client.ask("GET", path)[0] == 422
    assert client.raw("GET", "/?utm_source=mail")[0] == 200  # a page


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("", {"name": "x"}, "arms must be given"),
        ("", {"name": "x", "arms": ["a"], "combine": "all"}, "combine must be one of first, last"),
        ("/decide", {"elegible": ["a"]}, "elegible must be one of the fields eligible, defer"),
        (
            "/decide/batch", {"decisions": [{}, {"arm": "a"}]},
            "decisions[1].arm must be one of the fields eligible, defer",
        ),
        (
            "/decide/batch", {"decisions": [{}, {"defer": 1}]},
            "decisions[1].defer must be true or false, got 1",
        ),
        ("/reward", {"id": "x", "reward": -2}, "reward must be a number >= 0.0, got -2"),
        ("/reward", {"id": "x", "reward": None}, "reward must be a number, got null"),
        ("", {"name": "x", "arms": ["a"], "floor": True}, "floor must be a number, got true"),
        (
            "", {"name": "x", "arms": ["a"], "policy": {"name": "sw-ucb", "window": None}},
            "policy: window must be a whole number of at least 1, got null",
        ),
        ("", {"name": "x y", "arms": ["a"]}, "name must be text matching regex "),
        (
            "", {"name": "x", "arms": ["a"], "policy": {"name": "sw-ucb", "size": 9}},
            "policy: sw-ucb has the parameters window, xi=0.5, bound=1.0, padding=1.0, label=",
        ),
        ("/decide", {"eligible": "a"}, "eligible must be an array or null, got 'a'"),
    ],
)  # fmt: skip
def test_a_message_says_what_is_allowed(
    client: Client, name: str, path: str, body: dict[str, Any], message: str
) -> None:
    url = f"/v1/experiments{'/' + name if path else ''}{path}"
    status, answer = client.ask("POST", url, body)
    assert (status, answer["error"]["message"][: len(message)]) == (422, message)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "two words"}, "name"),
        ({"arms": []}, "arms"),
        ({"arms": ["red", "red"]}, "arms"),
        ({"floor": 1.5}, "floor"),
        ({"policy": {"name": "nonsense"}}, "policy"),
        ({"policy": {"name": "sw-ucb", "width": 3}}, "policy"),
        ({"policy": {"name": "oracle"}}, "policy"),
        ({"policy": {"name": "lin-ucb"}}, "policy"),
        ({"policy": {"kind": "os:system"}}, "policy"),
        ({"default_reward": 7.0}, "default_reward"),
        ({"combine": "all"}, "combine"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_experiment_is_refused(client: Client, change: dict[str, Any], field: str) -> None:
    body = {"name": "bad", "arms": ARMS, "policy": {"name": "ucb-1"}, **change}
    assert client.refused("", body) == (422, field)
    assert client.ask("GET", "/v1/experiments/bad")[0] == 404


def test_arms_come_and_go(client: Client, name: str) -> None:
    assert client.post(f"/{name}/arms", {"arm": "pink"})["arms"] == [*ARMS, "pink"]
    assert client.refused(f"/{name}/arms", {"arm": "pink"}) == (409, "arm")
    status, answer = client.ask("DELETE", f"/v1/experiments/{name}/arms/red")
    assert (status, answer["retired"]) == (200, ["red"])
    refused = client.refused(f"/{name}/decide", {"eligible": ["red"]})
    assert refused == (422, "eligible")
    history = client.ask("GET", f"/v1/experiments/{name}/history")[1]["events"]
    assert [each["event"]["kind"] for each in history] == ["Created", "ArmAdded", "ArmRetired"]
    assert "secret" not in json.dumps(history)


def test_another_policy_begins_with_nothing(client: Client, name: str) -> None:
    id = client.post(f"/{name}/decide")["id"]
    change = {"policy": {"name": "exp3.s"}, "floor": 0.0}
    status, answer = client.ask("PATCH", f"/v1/experiments/{name}", change)
    assert (status, answer["label"], answer["floor"]) == (200, "EXP3.S", 0.0)
    assert client.post(f"/{name}/reward", {"id": id, "reward": 1.0})["status"] == "counted"
    assert client.post(f"/{name}/decide")["probability"] == pytest.approx(1 / 3)


def test_the_kill_switch_and_the_way_back(client: Client, name: str) -> None:
    guardrails = {"shares": {"red": {"most": 0.5}}, "holdout": 0.2, "default_arm": "blue"}
    status, answer = client.ask("PATCH", f"/v1/experiments/{name}", guardrails)
    assert (status, answer["shares"]) == (200, {"red": {"least": 0.0, "most": 0.5}})
    why_not = client.refused(f"/{name}/kill", {"arm": "pink"})
    assert why_not == (422, "default_arm")
    assert client.post(f"/{name}/kill", {})["mode"] == "killed"
    decision = client.post(f"/{name}/decide")
    assert (decision["arm"], decision["probability"]) == ("blue", 1.0)
    assert client.refused(f"/{name}/decide", {"eligible": ["red"]}) == (422, "eligible")
    assert client.ask("DELETE", f"/v1/experiments/{name}/arms/blue")[0] == 409
    assert client.ask("PATCH", f"/v1/experiments/{name}", {"mode": "live"})[0] == 200
    decision = client.post(f"/{name}/decide")
    why = client.ask("GET", f"/v1/experiments/{name}/decisions/{decision['id']}")[1]
    assert why["knowledge"][decision["arm"]]["probability"] == decision["probability"]
    assert why["by"] in ("policy", "shares", "holdout")
    assert client.refused(f"/{name}/arms", {"arm": ""}) == (422, "arm")


def test_a_deferred_decision_counts_once_it_is_activated(client: Client, name: str) -> None:
    id = client.post(f"/{name}/decide", {"defer": True})["id"]
    reward = {"id": id, "reward": 1.0}
    assert client.refused(f"/{name}/reward", reward) == (409, "id")
    activation = client.post(f"/{name}/activate", {"id": id})
    assert client.post(f"/{name}/activate", {"id": id}) == activation
    assert client.post(f"/{name}/reward", reward)["status"] == "counted"
    other = client.post(f"/{name}/decide")["id"]
    assert client.refused(f"/{name}/activate", {"id": other}) == (409, "id")
    assert client.refused(f"/{name}/activate", {"id": "nobody"}) == (404, "id")


def test_what_is_not_rewarded_in_time_gets_the_default(client: Client) -> None:
    client.create("hasty", reward_within=0.2, default_reward=0.25)
    ids = [client.post("/hasty/decide")["id"] for _ in range(3)]
    client.post("/hasty/reward", {"id": ids[0], "reward": 1.0})
    time.sleep(1.0)
    late = client.post("/hasty/reward", {"id": ids[1], "reward": 1.0})
    assert (late["status"], late["reward"]) == ("late", 1.0)
    assert client.post("/hasty/reward", {"id": ids[1], "reward": 0.5}) == late
    table = client.raw("GET", "/v1/experiments/hasty/export")[2].splitlines()
    assert [json.loads(line)["reward"] for line in table] == [1.0, 0.25, 0.25]
    why = client.ask("GET", f"/v1/experiments/hasty/decisions/{ids[1]}")[1]
    assert (why["settled"], why["reward"], why["late"]) == (True, 0.25, 1.0)
    assert client.ask("GET", "/v1/experiments/hasty")[1]["pending"] == 0


@pytest.mark.parametrize(("combine", "reward"), [("last", 0.25), ("sum", 0.75)])
def test_several_rewards_of_one_decision(client: Client, combine: str, reward: float) -> None:
    client.create(combine, combine=combine, reward_within=1.0)
    id = client.post(f"/{combine}/decide")["id"]
    for amount, once in [(0.5, "a"), (0.25, "b"), (0.5, "a")]:
        receipt = client.post(f"/{combine}/reward", {"id": id, "reward": amount}, once=once)
        assert (receipt["status"], receipt["reward"]) == ("counted", amount)
    time.sleep(1.6)
    table = client.raw("GET", f"/v1/experiments/{combine}/export")[2]
    assert json.loads(table)["reward"] == reward


def test_a_batch_of_rewards_says_what_became_of_each(client: Client, name: str) -> None:
    asked = [{}, {}, {"defer": True}]
    ids = [
        each["id"]
        for each in client.post(f"/{name}/decide/batch", {"decisions": asked})["decisions"]
    ]
    rewards = [{"id": id, "reward": 1.0} for id in [*ids, "nobody", ids[0]]]
    receipts = client.post(f"/{name}/reward/batch", {"rewards": rewards})["rewards"]
    statuses = [receipt["status"] for receipt in receipts]
    assert statuses == ["counted", "counted", "inactive", "unknown", "counted"]
    assert receipts[0] == receipts[4]


def test_why_this_arm(client: Client, name: str) -> None:
    ids = [client.post(f"/{name}/decide")["id"] for _ in range(5)]
    for id in ids[:3]:
        client.post(f"/{name}/reward", {"id": id, "reward": 1.0})
    decision = client.post(f"/{name}/decide")
    why = client.ask("GET", f"/v1/experiments/{name}/decisions/{decision['id']}")[1]
    assert why["decision"] == decision
    assert why["redrawn"] == decision["arm"]
    known = why["knowledge"]
    assert known[decision["arm"]]["probability"] == decision["probability"]
    assert sum(each["pending"] for each in known.values()) == 2


def test_the_log_as_a_table(client: Client, name: str) -> None:
    ids = [client.post(f"/{name}/decide")["id"] for _ in range(4)]
    client.post(f"/{name}/reward", {"id": ids[2], "reward": 0.5})
    path = f"/v1/experiments/{name}/export"
    path += "?rows=all"
    lines = [json.loads(line) for line in client.raw("GET", path)[2].splitlines()]
    table = list(csv.DictReader(io.StringIO(client.raw("GET", f"{path}&format=csv")[2].decode())))
    assert [line["id"] for line in lines] == [row["id"] for row in table] == ids
    assert [line["reward"] for line in lines] == [None, None, 0.5, None]
    assert [float(row["propensity"]) for row in table] == [line["propensity"] for line in lines]
    assert client.raw("GET", f"{path}&format=xml")[0] == 422


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_long_table_is_whole(client: Client, name: str, form: str) -> None:
    many: dict[str, Any] = {"decisions": [{}] * 1_000}
    ids = [
        decision["id"]
        for _ in range(-(-(2 * PIECE + 500) // 1_000))
        for decision in client.post(f"/{name}/decide/batch", many)["decisions"]
    ]
    lines = client.raw("GET", f"/v1/experiments/{name}/export?rows=all&format={form}")[2].decode()
    assert re.findall(r"[0-9a-f]{10}-[0-9a-f]{20}", lines) == ids


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_the_table_is_a_log(client: Client, name: str, form: str, tmp_path: Path) -> None:
    def read(options: str = "") -> Any:
        file = tmp_path / f"export.{form}"
        path = f"/v1/experiments/{name}/export?format={form}{options}"
        file.write_bytes(client.raw("GET", path)[2])
        return db.Log.read(file)

    decisions = [client.post(f"/{name}/decide", {"eligible": ARMS[:2]}) for _ in range(6)]
    for place, reward in enumerate([1.0, 0.5, 0.0, 0.25]):
        client.post(f"/{name}/reward", {"id": decisions[place]["id"], "reward": reward})
    client.post(f"/{name}/reward", {"id": decisions[5]["id"], "reward": 1.0})
    log = read()
    assert log.check().reasons == {}
    rows = {row.arm: row.rows for row in log.overlap().arms if row.rows}
    assert rows == Counter(decision["arm"] for decision in decisions[:4])
    assert read("&rows=all").check().reasons == {"reward is missing or no number": 1}
    refused = client.ask("GET", f"/v1/experiments/{name}/export?rows=some")
    assert refused[1]["error"]["message"] == "rows must be one of ended, all, got 'some'"


def test_a_missing_reward_means_that_none_came_and_none_is_learned(client: Client) -> None:
    client.create("silent", reward_within=0.3)
    shown, _, answered = (
        client.post("/silent/decide", {"defer": defer})["id"] for defer in (False, True, False)
    )
    client.post("/silent/reward", {"id": answered, "reward": 0.5})
    path = "/v1/experiments/silent/export"
    assert client.raw("GET", path)[2] == b""  # the first may still get a reward
    deadline = time.monotonic() + 20.0
    while client.ask("GET", "/v1/experiments/silent")[1]["pending"] and time.monotonic() < deadline:
        time.sleep(0.05)
    lines = [json.loads(line) for line in client.raw("GET", path)[2].splitlines()]
    expected = [(shown, "closed", None), (answered, "rewarded", 0.5)]
    assert [(line["id"], line["status"], line["reward"]) for line in lines] == expected
    every = client.raw("GET", f"{path}?rows=all")[2].splitlines()
    assert [json.loads(line)["status"] for line in every] == ["closed", "not shown", "rewarded"]


def test_keys_have_scopes_and_can_be_revoked(server: Server, client: Client, name: str) -> None:
    status, made = client.ask("POST", "/v1/keys", {"name": "web", "scopes": ["decide"]})
    assert status == 201
    web = server.client(made["key"])
    id = web.post(f"/{name}/decide")["id"]
    assert web.refused(f"/{name}/reward", {"id": id, "reward": 1.0}) == (403, "Authorization")
    assert made["key"] not in json.dumps(client.ask("GET", "/v1/keys")[1])
    assert client.ask("DELETE", f"/v1/keys/{made['id']}")[0] == 200
    assert web.refused(f"/{name}/decide") == (401, "Authorization")
    assert server.client("").refused(f"/{name}/decide") == (401, "Authorization")
    assert server.client("db_").refused(f"/{name}/decide") == (401, "Authorization")
    last = next(key for key in client.ask("GET", "/v1/keys")[1]["keys"] if "admin" in key["scopes"])
    assert client.ask("DELETE", f"/v1/keys/{last['id']}")[0] == 409
    for method, path in (("DELETE", ""), ("POST", "/rotate")):
        status, answer = client.ask(method, f"/v1/keys/{made['key']}{path}")
        assert (status, made["key"] in json.dumps(answer)) == (404, False)


def test_no_key_is_in_the_store_or_the_log(server: Server) -> None:
    files = [*server.store.parent.glob("log.db*"), server.store.with_suffix(".err")]
    assert len(files) >= 3
    assert not [path for path in files if server.key.encode() in path.read_bytes()]


def test_paths_and_methods(client: Client, name: str) -> None:
    assert client.ask("GET", "/v1/nothing")[0] == 404
    for path in ("/{experiment}", "/{experiment}/history", f"/{name}/decisions/{{decision}}"):
        assert client.ask("GET", f"/v1/experiments{path}")[0] == 404  # the braces of the document
    for path in ("/v1/experiments", f"/v1/experiments/{name}/export", "/metrics", "/"):
        status, headers, _ = client.raw("PUT", path)
        assert (status, headers["allow"].split(", ")[-1] in ("GET", "HEAD")) == (405, True)
    assert client.ask("GET", "/health")[1]["status"] == "ok"
    status, headers, body = client.raw("HEAD", "/health")  # what monitors ask for
    assert (status, headers["content-type"], body) == (200, "application/json", b"")


def test_who_has_no_key_is_told_where_it_stands(server: Server) -> None:
    status, headers, _ = server.client("").raw("GET", "/v1/experiments")
    assert (status, headers["www-authenticate"]) == (401, "Bearer")


def test_names_end_where_they_seem_to(client: Client) -> None:
    assert client.refused("", {"name": "line\n", "arms": ARMS}) == (422, "name")
    body = {"name": "line\n", "scopes": ["read"]}
    assert client.ask("POST", "/v1/keys", body)[0] == 422


@pytest.mark.parametrize("name", ["sw-ucb", "SW-UCB", "SlidingWindowUCB"])
def test_a_policy_is_called_by_any_of_its_names(client: Client, name: str) -> None:
    body = {"name": f"called-{name}", "arms": ARMS, "policy": {"name": name, "window": 5}}
    assert client.post("", body)["label"] == "SW-UCB"
    body["policy"] = {"name": f"{name}s", "window": 5}
    assert "did you mean" in client.ask("POST", "/v1/experiments", body)[1]["error"]["message"]


def test_metrics(client: Client, name: str) -> None:
    client.post(f"/{name}/decide")
    text = client.raw("GET", "/metrics")[2].decode()
    assert f'driftbandit_decisions_total{{experiment="{name}"}} 1.0' in text
    assert f'driftbandit_pending{{experiment="{name}"}} 1.0' in text
    assert "driftbandit_store_failures_total 0.0" in text


def test_an_archived_experiment_is_over(client: Client, name: str) -> None:
    id = client.post(f"/{name}/decide")["id"]
    assert client.post(f"/{name}/archive")["status"] == "archived"
    assert client.refused(f"/{name}/resume") == (409, "status")
    assert client.refused(f"/{name}/reward", {"id": id, "reward": 1.0}) == (409, "status")
