"""What a server hears when its question is refused, word for word."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.core.elicitation import Accept, Decline, FormElicitation, UrlElicitation
from jupyter_mcp_elicit.core.errors import RemoteError

from .conftest import Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(30)

FORM = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}
NESTED = {"type": "object", "properties": {"a": {"type": "object"}}}
URL = {"mode": "url", "message": "Sign in", "url": "https://example.org/", "elicitationId": "e"}


async def answer_to(connection: Connection, params: Any, **more: Any) -> Any:
    """What the raw server got back for its elicitation/create."""
    [answer] = json.loads(text_of(await connection.call_tool("push", {"params": params, **more})))
    return answer


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        (None, "params"),
        ({"requestedSchema": {"type": "object", "properties": {}}}, "needs a message"),
        ({"message": 7, "requestedSchema": {"type": "object", "properties": {}}}, "needs a message"),
        ({"message": "m"}, "requestedSchema"),
        ({"message": "m", "schema": {"type": "object", "properties": {}}}, "requestedSchema"),
        ({"message": "m", "requestedSchema": {"type": "array"}}, '"type": "object"'),
        ({"message": "m", "requestedSchema": {"type": "object", "properties": []}}, "properties"),
        (
            {"message": "m", "requestedSchema": {"type": "object", "properties": {}, "required": 1}},
            "required",
        ),
        ({**FORM, "mode": "telepathy"}, '"telepathy"'),
        ({**FORM, "mode": None}, "null"),
        ({**FORM, "mode": ""}, '""'),
        (URL, "'url'"),
        ({"message": "m", "requestedSchema": {**NESTED, "required": ["a"]}}, '"a"'),
    ],
)
@on_a_loop
async def test_what_cannot_be_asked_is_refused_with_its_reason(params: Any, reason: str) -> None:
    person = Person()
    spec = spec_of("raw", "legacy", era="legacy", capabilities=("form",))
    async with connected(spec, person) as connection:
        error = await answer_to(connection, params)
        assert error["code"] == -32602
        assert reason in error["message"]
        assert person.asked == []
        # The connection is as good as before.
        assert await connection.list_tools() == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("javascript:alert(1)", "cannot be opened from here"),
        ("https://evil.example@good.example/", "cannot be opened from here"),
        ("http://localhost:8888/lab", "cannot be opened from here"),
        ("", "cannot be opened from here"),
    ],
)
@on_a_loop
async def test_an_address_that_must_not_be_opened_is_refused_with_its_reason(url: str, reason: str) -> None:
    person = Person()
    spec = spec_of("raw", "legacy", era="legacy")
    own = ("http://localhost:8888",)
    async with connected(spec, person, own_origins=lambda: own) as connection:
        error = await answer_to(connection, {**URL, "url": url})
        assert error["code"] == -32602
        assert reason in error["message"]
        assert person.asked == []


@on_a_loop
async def test_a_client_that_declares_nothing_does_not_know_the_method() -> None:
    person = Person()
    spec = spec_of("raw", "legacy", era="legacy", capabilities=())
    async with connected(spec, person) as connection:
        for params in (FORM, URL, {"message": "no schema"}):
            error = await answer_to(connection, params)
            assert error == {"code": -32601, "message": "Method not found", "data": "elicitation/create"}
        assert json.loads(text_of(await connection.call_tool("declared"))) == {}
    assert person.asked == []


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("modes", [(), ("form",), ("url",), ("form", "url")])
@on_a_loop
async def test_exactly_the_configured_modes_are_declared(era: str, modes: tuple[Any, ...]) -> None:
    async with connected(spec_of("raw", era, capabilities=modes)) as connection:
        declared = json.loads(text_of(await connection.call_tool("declared")))
    assert declared.get("elicitation", {}) == {mode: {} for mode in modes}
    assert ("elicitation" in declared) == bool(modes)


@on_a_loop
async def test_a_url_is_asked_when_that_mode_was_declared_and_accepted_without_content() -> None:
    person = Person(Accept())
    spec = spec_of("raw", "legacy", era="legacy", capabilities=("url",))
    async with connected(spec, person) as connection:
        assert await answer_to(connection, URL) == {"action": "accept"}
        assert (await answer_to(connection, FORM))["code"] == -32602
    [asked] = person.asked
    assert isinstance(asked, UrlElicitation)
    assert (asked.url, asked.elicitation_id) == ("https://example.org/", "e")


@pytest.mark.parametrize(
    "schema",
    [{}, {"type": "object"}, {"properties": {}}, {"type": "object", "properties": {}, "required": None}],
)
@on_a_loop
async def test_a_schema_without_fields_is_a_confirmation_and_its_acceptance_an_empty_object(
    schema: Any,
) -> None:
    person = Person(Accept({}), Accept(None), Decline())
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        params = {"message": "Sure?", "requestedSchema": schema}
        assert await answer_to(connection, params) == {"action": "accept", "content": {}}
        assert await answer_to(connection, params) == {"action": "accept", "content": {}}
        assert await answer_to(connection, params) == {"action": "decline"}
    assert all(isinstance(each, FormElicitation) and not each.schema.fields for each in person.asked)


@on_a_loop
async def test_a_failure_of_ours_is_a_cancel_and_says_nothing_to_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    person = Person(ValueError("secret of ours"), Decline())
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        assert await answer_to(connection, FORM) == {"action": "cancel"}
        assert await answer_to(connection, FORM) == {"action": "decline"}
    assert "secret of ours" in caplog.text


@on_a_loop
async def test_what_the_person_side_refuses_is_told_with_its_code() -> None:
    person = Person(RemoteError("Busy.", code=-32600, data={"a": 1}))
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        assert await answer_to(connection, FORM) == {"code": -32600, "message": "Busy.", "data": {"a": 1}}


@on_a_loop
async def test_numbers_of_any_size_reach_the_server_digit_for_digit() -> None:
    content = {
        "n": 90071992547409931,
        "big": 10**40 + 7,
        "x": 0.1,
        "yes": True,
        "many": ["a", "b"],
        "s": "\u2028é",
    }
    async with connected(spec_of("raw", "legacy", era="legacy"), Person(Accept(content))) as connection:
        answer = await answer_to(connection, FORM)
    assert answer == {"action": "accept", "content": content}
    assert [type(answer["content"][key]) for key in content] == [type(value) for value in content.values()]


@on_a_loop
async def test_two_questions_with_one_json_rpc_id_are_two_questions() -> None:
    person = Person(Accept({"name": "a"}), Accept({"name": "b"}))
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        answers = json.loads(text_of(await connection.call_tool("push", {"params": FORM, "times": 2})))
    assert [answer["content"]["name"] for answer in answers] == ["a", "b"]
    assert len({asked.id for asked in person.asked}) == 2


@on_a_loop
async def test_a_question_after_the_call_belongs_to_no_call() -> None:
    person = Person(Decline())
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        await connection.call_tool("later", {"params": FORM}, token="t")
        await person.until(lambda: bool(person.asked))
        assert person.asked[0].cause.certainty == "none"
        assert person.tokens == [None]


@on_a_loop
async def test_a_question_after_the_call_is_refused_when_so_configured() -> None:
    person = Person()
    refusal: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def look(direction: str, frame: Any) -> None:
        if direction == "send" and getattr(frame, "id", None) == "late":
            refusal.set_result(frame.error)

    spec = spec_of("raw", "legacy", era="legacy")
    async with connected(spec, person, unsolicited="refuse", on_frame=look) as connection:
        await connection.call_tool("later", {"params": FORM})
        assert (await refusal).code == -32602
    assert person.asked == []


@on_a_loop
async def test_more_questions_than_may_wait_are_refused() -> None:
    person = Person()
    async with connected(spec_of("raw", "legacy", era="legacy"), person, max_pending=3) as connection:
        call = asyncio.ensure_future(connection.call_tool("flood", {"params": FORM, "times": 10}))
        await person.until(lambda: len(person.asked) == 3)
        while connection.refused < 7:
            await connection.list_tools()
        assert connection.refused == 7
        call.cancel()
        await asyncio.wait({call})
    assert len(person.asked) == 3


@on_a_loop
async def test_a_flood_of_questions_does_not_pile_up() -> None:
    most = 0

    def look(direction: str, frame: Any) -> None:
        nonlocal most
        most = max(most, len(asyncio.all_tasks()))

    person = Person()
    spec = spec_of("raw", "legacy", era="legacy")
    async with connected(spec, person, max_pending=3, on_frame=look) as connection:
        call = asyncio.ensure_future(connection.call_tool("flood", {"params": FORM, "times": 2000}))
        while connection.refused < 1997:
            await connection.list_tools()
        call.cancel()
        await asyncio.wait({call})
    assert most < 100


@on_a_loop
async def test_a_server_that_asks_too_often_is_muted_until_a_call_of_ours_or_time() -> None:
    person = Person(*[Decline()] * 40)
    async with connected(spec_of("raw", "legacy", era="legacy"), person, max_per_minute=5) as connection:
        answers = json.loads(text_of(await connection.call_tool("flood", {"params": FORM, "times": 12})))
        assert sorted(answer.get("code", 0) for answer in answers) == [-32600] * 7 + [0] * 5
        for _ in range(10):
            # A loop of calls that each ask once is no flood.
            assert await answer_to(connection, FORM) == {"action": "decline"}


SECRETS = {
    "message": "m",
    "requestedSchema": {"type": "object", "properties": {"api_key": {"type": "string"}}},
}


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25"])
@on_a_loop
async def test_a_form_that_asks_for_a_secret_is_refused_where_that_is_configured(era: str) -> None:
    person = Person(Accept({"api_key": "k"}))
    spec = spec_of("raw", "legacy", era=era)
    async with connected(spec, person, sensitive_fields="refuse") as connection:
        error = await answer_to(connection, SECRETS)
        assert error["code"] == -32602
        assert '"api_key"' in error["message"]
        assert "url mode" in error["message"]
        assert person.asked == []
    async with connected(spec, person) as connection:
        assert await answer_to(connection, SECRETS) == {"action": "accept", "content": {"api_key": "k"}}
