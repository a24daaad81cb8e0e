"""The real client of Azure Personalizer, pointed at this service."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from azure.cognitiveservices.personalizer import PersonalizerClient
from azure.cognitiveservices.personalizer.models import (
    ErrorResponseException,
    RankableAction,
    RankRequest,
)
from msrest.authentication import CognitiveServicesCredentials
from msrest.exceptions import HttpOperationError

from service.serving import ARMS, Client, Server, serving

NUMBERS = itertools.count()
CONTEXT = [{"timeOfDay": "morning"}, {"device": "mobile"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("personalizer")) as running:
        running.client().create("personalizer", default_reward=0.0)
        yield running


@pytest.fixture
def ours(server: Server) -> Client:
    return server.client()


def personalizer(server: Server, key: str) -> Any:
    credentials = CognitiveServicesCredentials(key)
    address = f"http://127.0.0.1:{server.port}"
    return PersonalizerClient(address, credentials)  # type: ignore[no-untyped-call]  # it has no types


@pytest.fixture
def theirs(server: Server) -> Any:
    with personalizer(server, server.key) as client:
        yield client


def request(*names: str, **more: Any) -> RankRequest:
    actions = [RankableAction(id=name, features=[{"colour": name}]) for name in names]
    more.setdefault("event_id", f"event {next(NUMBERS)}/ä")
    return RankRequest(actions=actions, context_features=CONTEXT, **more)


def test_rank_and_reward(server: Server, ours: Client, theirs: Any) -> None:
    before = ours.ask("GET", "/v1/experiments/personalizer")[1]
    asked = request(*ARMS)
    answer = theirs.rank(asked)
    assert answer.event_id == asked.event_id
    assert answer.ranking[0].id == answer.reward_action_id
    assert sorted(each.id for each in answer.ranking) == sorted(ARMS)
    assert sum(each.probability for each in answer.ranking) == pytest.approx(1.0)
    theirs.events.reward(answer.event_id, value=1.0)
    theirs.events.reward(answer.event_id, value=1.0)  # the same, and no second effect
    after = ours.ask("GET", "/v1/experiments/personalizer")[1]
    assert after["decisions"] - before["decisions"] == after["rewards"] - before["rewards"] == 1


def test_the_log_has_the_features_and_the_probability(
    server: Server, ours: Client, theirs: Any
) -> None:
    answer = theirs.rank(request("red", "blue", event_id=None))
    why = ours.ask("GET", f"/v1/experiments/personalizer/decisions/{answer.event_id}")[1]
    assert why["decision"]["arm"] == answer.reward_action_id == why["redrawn"]
    assert why["decision"]["probability"] == answer.ranking[0].probability
    actions = {"red": [{"colour": "red"}], "blue": [{"colour": "blue"}]}
    assert why["features"] == {"context": CONTEXT, "actions": actions}


def test_an_event_is_ranked_once(ours: Client, theirs: Any) -> None:
    before = ours.ask("GET", "/v1/experiments/personalizer")[1]["decisions"]
    asked = request(*ARMS)
    first, again = theirs.rank(asked), theirs.rank(asked)
    assert first.as_dict() == again.as_dict()
    with pytest.raises(ErrorResponseException) as error:
        theirs.rank(request("red", event_id=asked.event_id))
    assert error.value.response.status_code == 400
    assert json.loads(error.value.response.text)["error"]["target"] == "eventId"
    assert ours.ask("GET", "/v1/experiments/personalizer")[1]["decisions"] == before + 1


def test_excluded_actions_keep_their_places(theirs: Any) -> None:
    for _ in range(10):
        answer = theirs.rank(request("green", "red", "blue", excluded_actions=["green"]))
        assert (answer.ranking[0].id, answer.ranking[0].probability) == ("green", 0.0)
        assert answer.ranking[1].id == answer.reward_action_id != "green"
    with pytest.raises(ErrorResponseException) as error:
        theirs.rank(request("red", excluded_actions=["red"]))
    assert json.loads(error.value.response.text)["error"]["target"] == "excludedActions"


def test_an_event_has_an_id_that_every_store_can_hold(ours: Client) -> None:
    """PostgreSQL has no null character: it failed, and all that was in the batch with it."""
    body = json.dumps({"actions": [{"id": "red"}], "eventId": "a\0"}).encode()
    key = {"Ocp-Apim-Subscription-Key": ours.key}
    status, _, answer = ours.raw("POST", "/personalizer/v1.0/rank", body, **key)
    assert (status, json.loads(answer)["error"]["target"]) == (400, "eventId")
    status, _, answer = ours.raw("GET", "/personalizer/v1.0/status", None, **key)
    assert (status, json.loads(answer)["error"]["code"]) == (404, "ResourceNotFound")


def test_a_new_action_becomes_an_arm(ours: Client, theirs: Any) -> None:
    answer = theirs.rank(request("red", "violet"))
    assert {each.id for each in answer.ranking} == {"red", "violet"}
    assert ours.ask("GET", "/v1/experiments/personalizer")[1]["arms"] == [*ARMS, "violet"]


def test_a_deferred_event_counts_once_it_is_activated(ours: Client, theirs: Any) -> None:
    asked = request(*ARMS, defer_activation=True)
    theirs.rank(asked)
    with pytest.raises(HttpOperationError) as error:
        theirs.events.reward(asked.event_id, value=1.0)
    assert error.value.response.status_code == 409
    theirs.events.activate(asked.event_id)
    theirs.events.activate(asked.event_id)
    theirs.events.reward(asked.event_id, value=0.5)
    shown = theirs.rank(request(*ARMS))
    theirs.events.activate(shown.event_id)  # there is nothing to do, which is no fault


@pytest.mark.parametrize(
    ("status", "code", "target", "ask"),
    [
        (400, "BadRequest", "actions", lambda theirs: theirs.rank(request("red", "red"))),
        (400, "BadRequest", "actions", lambda theirs: theirs.rank(request())),
        (
            404,
            "ResourceNotFound",
            "eventId",
            lambda theirs: theirs.events.reward("none", value=1.0),
        ),
        (400, "BadRequest", "value", lambda theirs: theirs.events.reward(EVENT, value=7.0)),
        (400, "BadRequest", "value", lambda theirs: theirs.events.reward(EVENT, value=-1.0)),
    ],
)
def test_errors_have_their_shape(
    theirs: Any, status: int, code: str, target: str, ask: Any
) -> None:
    theirs.rank(request(*ARMS, event_id=EVENT))
    with pytest.raises(HttpOperationError) as error:
        ask(theirs)
    assert error.value.response.status_code == status
    detail = json.loads(error.value.response.text)["error"]
    assert (detail["code"], detail["target"]) == (code, target)
    assert target in detail["message"]


EVENT = "the same"


def test_keys(server: Server, ours: Client) -> None:
    made = ours.ask("POST", "/v1/keys", {"name": "web", "scopes": ["decide"]})[1]
    with personalizer(server, made["key"]) as client:
        answer = client.rank(request(*ARMS))
        with pytest.raises(HttpOperationError) as error:
            client.events.reward(answer.event_id, value=1.0)
        assert error.value.response.status_code == 403
    with personalizer(server, "db_wrong") as client:
        with pytest.raises(
            ErrorResponseException, match="Ocp-Apim-Subscription-Key must be"
        ) as wrong:
            client.rank(request(*ARMS))
        assert wrong.value.response.status_code == 401
