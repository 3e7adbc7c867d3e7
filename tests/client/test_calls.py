"""Calls: many at once, cancelled, linked to their questions, with progress and log lines."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import sys
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.client.eras import HINT_KEY
from jupyter_mcp_elicit.core.elicitation import Accept, Cause, Decline, FormElicitation
from jupyter_mcp_elicit.core.errors import LocalError, RemoteError
from jupyter_mcp_elicit.core.withdrawal import Withdrawal

from .conftest import PEERS, AskerAt, HttpPeer, Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(40)

FORM = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@on_a_loop
async def test_fifty_calls_at_once_each_get_their_own_answer_over_http(
    era: str, http_asker: HttpPeer
) -> None:
    async def ask(question: FormElicitation, token: object) -> Accept:
        assert json.loads(question.cause.arguments) == {"who_hint": str(token)}
        assert question.cause.certainty == "caused"
        return Accept({"name": f"n{token}"})

    async with connected(http_asker.spec(era=era), ask, max_pending=99, max_per_minute=99) as connection:
        calls = [connection.call_tool("ask_any", {"who_hint": str(n)}, token=n) for n in range(50)]
        results = await asyncio.gather(*calls)
    assert [text_of(each) for each in results] == [f"accept n{n}" for n in range(50)]


@on_a_loop
async def test_over_stdio_two_calls_at_once_are_both_named_and_neither_is_blamed() -> None:
    person = Person()
    async with connected(spec_of("asker", era="legacy"), person) as connection:
        first = asyncio.ensure_future(connection.call_tool("patient_ask", {"seconds": 60}, token=1))
        await person.until(lambda: len(person.asked) == 1)
        second = asyncio.ensure_future(connection.call_tool("confirm", token=2))
        await person.until(lambda: len(person.asked) == 2)
        assert person.asked[0].cause == Cause("patient_ask", '{"seconds": 60}', "during")
        assert person.asked[1].cause == Cause("patient_ask, confirm", "", "during")
        assert person.tokens == [1, None]
        for each in (first, second):
            each.cancel()
        await asyncio.wait({first, second})


@on_a_loop
async def test_the_call_that_opens_the_connection_is_not_taken_for_the_cause_of_later_questions() -> None:
    person = Person(Decline())
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        await connection.call_tool("later", {"params": FORM}, token="opener")
        await person.until(lambda: bool(person.asked))
    assert person.asked[0].cause == Cause()


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
@on_a_loop
async def test_a_cancelled_call_withdraws_its_question_and_leaves_the_connection_usable(
    era: str, transport: str, asker_at: AskerAt
) -> None:
    person = Person()
    spec = asker_at(transport, era=era)
    async with connected(spec, person) as connection:
        call = asyncio.ensure_future(connection.call_tool("ask_any", {"who_hint": "there"}))
        await person.until(lambda: bool(person.asked))
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()
        await person.until(lambda: person.withdrawn == person.asked)
        assert person.why == [Withdrawal.CALLER]
        assert text_of(await connection.call_tool("echo", {"text": "still here"})) == "still here"
        assert connection.generation == 1


@on_a_loop
async def test_a_cancelled_call_is_cancelled_on_the_wire_and_its_question_answered_with_cancel() -> None:
    person = Person()
    async with connected(spec_of("raw", "legacy", era="legacy"), person) as connection:
        call = asyncio.ensure_future(connection.call_tool("push", {"params": FORM}))
        await person.until(lambda: bool(person.asked))
        call.cancel()
        await asyncio.wait({call})
        # This server never takes its question back, so we end it.
        await person.until(lambda: person.withdrawn == person.asked)
        [cancelled] = json.loads(text_of(await connection.call_tool("cancelled")))
        assert cancelled["reason"] == "caller cancelled"
        answers = json.loads(text_of(await connection.call_tool("answers")))
        assert answers["q"] == [{"action": "cancel"}]


@on_a_loop
async def test_a_server_that_gives_up_withdraws_its_question() -> None:
    person = Person()
    async with connected(spec_of("asker", era="legacy"), person) as connection:
        assert text_of(await connection.call_tool("patient_ask", {"seconds": 0.2})) == "gave up"
        await person.until(lambda: person.withdrawn == person.asked)
        assert person.why == [Withdrawal.ASKER]


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
@on_a_loop
async def test_progress_and_log_lines_arrive_at_their_call(
    era: str, transport: str, asker_at: AskerAt
) -> None:
    heard: list[Any] = []
    everything: list[Any] = []
    spec = asker_at(transport, era=era)
    async with connected(spec, on_log=lambda *log: everything.append(log)) as connection:
        result = await connection.call_tool(
            "tell", on_progress=lambda *at: heard.append(at), on_log=lambda *log: heard.append(log)
        )
        assert text_of(result) == "told"
    assert sorted(heard, key=str) == [("info", None, "all is well"), (1.0, 2.0, "half way")]
    assert everything == [("info", None, "all is well")]


@on_a_loop
async def test_a_tool_that_can_only_ask_in_the_handshake_eras_gets_a_way_out() -> None:
    async with connected(spec_of("asker")) as connection:
        with pytest.raises(RemoteError, match='Set "era": "legacy" for the server "asker"') as raised:
            await connection.call_tool("ask")
        assert raised.value.code == -32600


@on_a_loop
async def test_the_same_way_out_stands_beside_a_result_that_is_an_error() -> None:
    text = "elicitation via server-initiated requests is unavailable on 2026-07-28 connections."
    result = {"content": [{"type": "text", "text": text}], "isError": True}
    async with connected(spec_of("raw", "modern")) as connection:
        got = await connection.call_tool("result", {"result": result})
    assert '"era": "legacy"' in got["_meta"][HINT_KEY]
    assert text_of(got) == text


@on_a_loop
async def test_a_json_rpc_error_arrives_with_code_message_and_data() -> None:
    error = {
        "code": -32042,
        "message": "Sign in first",
        "data": {"elicitations": [{"url": "https://example.org"}]},
    }
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        with pytest.raises(RemoteError) as raised:
            await connection.call_tool("error", {"error": error})
    assert (raised.value.code, raised.value.message, raised.value.data) == tuple(error.values())


@on_a_loop
async def test_an_error_with_the_code_of_a_closed_connection_is_only_an_error() -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        with pytest.raises(RemoteError, match="Out of bread"):
            await connection.call_tool("error", {"error": {"code": -32000, "message": "Out of bread"}})
        assert connection.generation == 1
        assert connection.state == "ready"


@on_a_loop
async def test_a_result_is_the_json_of_the_specification() -> None:
    result = {
        "content": [{"type": "text", "text": "é"}],
        "structuredContent": {"a": None, "n": 2**60},
        "isError": False,
    }
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        assert await connection.call_tool("result", {"result": result}) == result


@pytest.mark.parametrize("arguments", [{"x": float("nan")}, {"x": "\ud800"}, {"x": object()}])
@on_a_loop
async def test_arguments_that_are_no_json_are_our_callers_mistake(arguments: dict[str, Any]) -> None:
    connection = Connection(spec_of("asker"), Person())
    with pytest.raises(LocalError, match="cannot be sent as JSON"):
        await connection.call_tool("echo", arguments)
    assert connection.state == "closed"


@on_a_loop
async def test_every_frame_is_seen_in_both_directions_and_an_eye_that_fails_harms_nothing() -> None:
    seen: list[tuple[str, str]] = []

    def look(direction: str, frame: Any) -> None:
        seen.append((direction, getattr(frame, "method", "")))
        raise ValueError("bad eye")

    async with connected(
        spec_of("raw", "legacy", era="legacy"), Person(Decline()), on_frame=look
    ) as connection:
        await connection.call_tool("push", {"params": FORM})
    assert seen == [
        ("send", "initialize"),
        ("recv", ""),
        ("send", "notifications/initialized"),
        ("send", "tools/call"),
        ("recv", "elicitation/create"),
        ("send", ""),
        ("recv", ""),
    ]


@pytest.mark.parametrize("era", ["auto", "legacy", "2025-06-18"])
@on_a_loop
async def test_a_server_object_in_this_process_is_a_connection_like_any_other(era: str) -> None:
    server = MCPServer("here")

    @server.tool()
    async def add(a: int, b: int) -> int:
        return a + b

    connection = Connection.of_server("here", server, Person(), transport="in this kernel", era=era)
    for generation in (1, 2):
        assert text_of(await connection.call_tool("add", {"a": 1, "b": 2})) == "3"
        assert [tool["name"] for tool in await connection.list_tools()] == ["add"]
        assert connection.generation == generation
        assert connection.asker.transport == "in this kernel"
        await connection.close()


def test_an_object_that_is_no_server_is_refused() -> None:
    with pytest.raises(LocalError, match="of the type dict is no MCP server"):
        Connection.of_server("here", {}, Person())


@on_a_loop
async def test_a_server_object_asks_like_any_other() -> None:
    spec = importlib.util.spec_from_file_location("asker", PEERS / "asker.py")
    assert spec is not None
    assert spec.loader is not None
    asker = importlib.util.module_from_spec(spec)
    sys.modules["asker"] = asker
    spec.loader.exec_module(asker)
    for each in ("legacy", "2026-07-28"):
        connection = Connection.of_server("here", asker.server, Person(Accept({"name": "Ada"})), era=each)
        assert text_of(await connection.call_tool("ask_any", {"who_hint": "x"})) == "accept Ada"
        await connection.close()


@on_a_loop
async def test_what_the_server_says_of_itself_is_known_once_it_is_open() -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        assert (connection.calls_itself, connection.server_info, connection.protocol_version) == ("", {}, "")
        await connection.open()
        assert connection.server_info == {"name": "raw", "version": "1"}
        assert connection.calls_itself == "raw"
        assert connection.era.pushes


@on_a_loop
async def test_no_log_at_any_level_holds_what_was_answered(
    caplog: pytest.LogCaptureFixture, asker_at: AskerAt
) -> None:
    caplog.set_level(logging.DEBUG)
    for transport in ("stdio", "http"):
        for era in ("legacy", "2026-07-28"):
            spec = asker_at(transport, era=era)
            async with connected(
                spec, Person(Accept({"name": "c4nary"}), Accept({"name": ["c4nary", 1]}))
            ) as connection:
                assert "c4nary" in text_of(await connection.call_tool("ask_any", {"who_hint": "x"}))
                # Of a kind that cannot be sent: a failure of ours, told without the value.
                assert "cancel" in text_of(await connection.call_tool("ask_any", {"who_hint": "x"}))
    assert "of a kind that MCP cannot carry" in caplog.text
    assert "c4nary" not in caplog.text
