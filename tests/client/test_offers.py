"""Prompts and resources: they are listed, got and read as tools are called, and may ask as tools do."""

from __future__ import annotations

import json

import pytest

from jupyter_mcp_elicit.core.elicitation import Accept, Decline

from .conftest import Person, connected, on_a_loop, spec_of

pytestmark = pytest.mark.timeout(30)

ANSWER = {"k": {"action": "accept", "content": {"name": "Ada"}}}


@on_a_loop
async def test_a_prompt_and_a_resource_may_ask_inside_their_results() -> None:
    person = Person(*[Accept({"name": "Ada"})] * 2)
    async with connected(spec_of("raw", "modern"), person) as connection:
        prompt = await connection.get_prompt("greet", {"how": "warmly"}, token="p")
        resource = await connection.read_resource("raw://menu", token="r")
    told = json.loads(prompt["messages"][0]["content"]["text"])
    more = {"inputResponses": ANSWER, "requestState": "s é"}
    assert told == {"name": "greet", "arguments": {"how": "warmly"}, **more}
    assert json.loads(resource["contents"][0]["text"]) == {"uri": "raw://menu", **more}
    assert person.tokens == ["p", "r"]
    causes = [(asked.cause.tool, asked.cause.arguments, asked.cause.certainty) for asked in person.asked]
    assert causes == [("greet", '{"how": "warmly"}', "caused"), ("raw://menu", "{}", "caused")]


@on_a_loop
async def test_a_decline_is_an_answer_there_too() -> None:
    async with connected(spec_of("raw", "modern"), Person(Decline())) as connection:
        resource = await connection.read_resource("raw://menu")
    assert json.loads(resource["contents"][0]["text"])["inputResponses"] == {"k": {"action": "decline"}}


@pytest.mark.parametrize("era", ["legacy", "modern"])
@on_a_loop
async def test_prompts_and_resources_are_listed_in_every_era(era: str) -> None:
    async with connected(spec_of("raw", era)) as connection:
        assert await connection.list_prompts() == [{"name": "greet"}]
        assert await connection.list_resources() == [{"name": "menu", "uri": "raw://menu"}]


@on_a_loop
async def test_where_nothing_is_asked_they_come_at_once() -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        prompt = await connection.get_prompt("greet")
        assert json.loads(prompt["messages"][0]["content"]["text"]) == {"name": "greet", "arguments": {}}
        assert (await connection.read_resource("raw://menu"))["contents"][0]["uri"] == "raw://menu"
