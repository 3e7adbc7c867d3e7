"""URL mode: consent, and the end of a flow that happens elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.core.elicitation import Accept, Decline, UrlElicitation

from .conftest import Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(30)

COMPLETE = "notifications/elicitation/complete"


def url(elicitation_id: str) -> dict[str, Any]:
    return {
        "mode": "url",
        "message": "Sign in",
        "url": "https://example.org/",
        "elicitationId": elicitation_id,
    }


async def push(connection: Connection, elicitation_id: str) -> None:
    await connection.call_tool("push", {"params": url(elicitation_id)})


@on_a_loop
async def test_only_the_end_of_an_accepted_flow_of_this_session_is_told_and_only_once() -> None:
    done: list[str] = []
    person = Person(Accept(), Decline(), Accept())
    spec = spec_of("raw", "legacy", era="legacy", capabilities=("form", "url"))
    async with connected(spec, person, on_complete=done.append) as connection:
        for each in ("yes", "no", "other"):
            await push(connection, each)
        ids = ["yes", "no", "nobody", "yes", 7, None, "other"]
        await connection.call_tool(
            "notify", {"method": COMPLETE, "params": [{"elicitationId": each} for each in ids]}
        )
        assert done == [person.asked[0].id, person.asked[2].id]


@on_a_loop
async def test_a_new_session_knows_nothing_of_the_flows_of_the_old() -> None:
    done: list[str] = []
    spec = spec_of("raw", "legacy", era="legacy", capabilities=("url",))
    person = Person(Accept())
    async with connected(spec, person, on_complete=done.append) as connection:
        await push(connection, "e")
        await connection.close()
        await connection.call_tool("notify", {"method": COMPLETE, "params": [{"elicitationId": "e"}]})
        [asked] = person.asked
        assert isinstance(asked, UrlElicitation)
        assert not await connection.tell_complete(asked, "accept")
    assert done == []


@pytest.mark.parametrize(
    ("allowed", "sent"), [(True, [{"elicitationId": "e", "action": "accept"}]), (False, [])]
)
@on_a_loop
async def test_the_server_is_told_the_end_of_a_flow_unless_configured_not_to(
    allowed: bool, sent: list[Any]
) -> None:
    spec = spec_of("raw", "legacy", era="legacy", capabilities=("url",), client_completion=allowed)
    person = Person(Accept())
    async with connected(spec, person) as connection:
        await push(connection, "e")
        [asked] = person.asked
        assert isinstance(asked, UrlElicitation)
        assert await connection.tell_complete(asked, "accept") == bool(sent)
        assert json.loads(text_of(await connection.call_tool("completions"))) == sent


@on_a_loop
async def test_a_revision_without_urls_neither_declares_nor_answers_them() -> None:
    spec = spec_of("raw", "legacy", era="2025-06-18", capabilities=("form", "url"))
    async with connected(spec) as connection:
        assert json.loads(text_of(await connection.call_tool("declared"))) == {"elicitation": {"form": {}}}
        [answer] = json.loads(text_of(await connection.call_tool("push", {"params": url("e")})))
        assert answer["code"] == -32602
