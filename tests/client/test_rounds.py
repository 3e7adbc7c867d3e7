"""2026-07-28: questions inside a call's result."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Cause, Decline
from jupyter_mcp_elicit.core.errors import RemoteError

from .conftest import Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(30)

FORM = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}

GHOST = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}


def asks(params: Any, method: str = "elicitation/create") -> dict[str, Any]:
    return {"method": method, "params": params}


@on_a_loop
async def test_every_question_of_a_round_is_answered_under_its_key_and_the_state_goes_back_unchanged() -> (
    None
):
    big = 90071992547409931
    person = Person(Accept({"name": "Ada", "n": big}), Decline(), Cancel())
    state = 'é"\\ \u2028 {"a": 1.50}'
    requests = {"b": asks(FORM), "a": asks(FORM), "c": asks({"message": "Sure?", "requestedSchema": {}})}
    async with connected(spec_of("raw", "modern"), person) as connection:
        arguments = {"rounds": 1, "requests": requests, "state": state}
        told = json.loads(text_of(await connection.call_tool("rounds", arguments, token="t")))
        assert connection.protocol_version == "2026-07-28"
    assert told["state"] == f"1:{state}"
    assert told["responses"] == {
        "b": {"action": "accept", "content": {"name": "Ada", "n": big}},
        "a": {"action": "decline"},
        "c": {"action": "cancel"},
    }
    assert {asked.cause.certainty for asked in person.asked} == {"caused"}
    assert person.tokens == ["t"] * 3


@on_a_loop
async def test_a_round_may_follow_a_round_and_the_same_key_is_a_new_question() -> None:
    person = Person(*[Accept({"name": "Ada"})] * 9)
    async with connected(spec_of("raw", "modern"), person) as connection:
        told = json.loads(
            text_of(await connection.call_tool("rounds", {"rounds": 9, "requests": {"k": asks(FORM)}}))
        )
    assert told["state"] == "9:"
    assert len({asked.id for asked in person.asked}) == 9
    assert [asked.cause.round for asked in person.asked] == list(range(1, 10))
    assert {(asked.cause.number, asked.cause.of) for asked in person.asked} == {(1, 1)}


@on_a_loop
async def test_the_questions_of_one_round_are_numbered_in_the_order_of_the_server() -> None:
    person = Person(*[Decline()] * 3)
    async with connected(spec_of("raw", "modern"), person) as connection:
        requests = {key: asks({**FORM, "message": key}) for key in ("z", "a", "m")}
        await connection.call_tool("rounds", {"rounds": 1, "requests": requests})
    places = {
        asked.message: (asked.cause.round, asked.cause.number, asked.cause.of) for asked in person.asked
    }
    assert places == {"z": (1, 1, 3), "a": (1, 2, 3), "m": (1, 3, 3)}


@pytest.mark.parametrize(
    ("second", "action"), [(Accept({}), "accept"), (Decline(), "decline"), (Cancel(), "cancel")]
)
@on_a_loop
async def test_an_address_that_was_opened_in_this_call_is_a_reminder_when_asked_again(
    second: Any, action: str
) -> None:
    url = asks({"mode": "url", "message": "Sign in", "url": "https://example.org/a"})
    person = Person(Accept(), second, Accept())
    async with connected(spec_of("raw", "modern"), person) as connection:
        told = json.loads(
            text_of(await connection.call_tool("rounds", {"rounds": 2, "requests": {"k": url}}))
        )
        # In a call of its own it is a consent of its own.
        await connection.call_tool("rounds", {"rounds": 1, "requests": {"k": url}})
    # An address is answered without content, and so is its reminder.
    assert told["responses"] == {"k": {"action": action}}
    first, reminder, anew = person.asked
    assert [each.mode for each in person.asked] == ["url", "form", "url"]
    assert (reminder.asker.kind, reminder.cause.round) == ("jupyter", 2)
    assert reminder.message.startswith('"asker" still waits for what you opened at example.org.')
    assert first.cause.round == anew.cause.round == 1


@on_a_loop
async def test_an_address_that_was_not_opened_is_a_new_question_when_asked_again() -> None:
    url = asks({"mode": "url", "message": "Sign in", "url": "https://example.org/a"})
    person = Person(Decline(), Accept())
    async with connected(spec_of("raw", "modern"), person) as connection:
        await connection.call_tool("rounds", {"rounds": 2, "requests": {"k": url}})
    assert [each.mode for each in person.asked] == ["url", "url"]


@on_a_loop
async def test_a_server_that_never_stops_asking_is_stopped() -> None:
    person = Person(*[Decline()] * 20)
    async with connected(spec_of("raw", "modern"), person) as connection:
        with pytest.raises(RemoteError, match="still asks after 10 rounds"):
            await connection.call_tool("rounds", {"rounds": 99, "requests": {"k": asks(FORM)}})
        assert len(person.asked) == 10
        assert await connection.list_tools() == []


@on_a_loop
async def test_a_round_without_questions_is_a_pause() -> None:
    async with connected(spec_of("raw", "modern")) as connection:
        started = asyncio.get_running_loop().time()
        notices: list[str] = []
        arguments = {"rounds": 2, "requests": None}
        result = await connection.call_tool("rounds", arguments, on_notice=notices.append)
        assert json.loads(text_of(result)) == {"responses": None, "state": "2:"}
        # The second pause is twice the first.
        assert asyncio.get_running_loop().time() - started >= 0.74
        assert notices == ["The server asked to be called again."] * 2


@pytest.mark.parametrize(
    ("request_", "reason", "code"),
    [
        (asks({"message": "m"}), "requestedSchema", -32602),
        (asks({**FORM, "mode": "telepathy"}), "telepathy", -32602),
        (asks({"mode": "url", "message": "m", "url": "https://example.org"}), "'url'", -32602),
        (asks({"message": "m", "requestedSchema": GHOST}), '"b"', -32602),
        (asks({"messages": [], "maxTokens": 1}, "sampling/createMessage"), "sampling/createMessage", -32601),
    ],
)  # fmt: skip
@on_a_loop
async def test_a_question_that_is_refused_ends_the_call_here_and_sends_nothing(
    request_: Any, reason: str, code: int
) -> None:
    sent: list[str] = []
    person = Person()

    def look(direction: str, frame: Any) -> None:
        if direction == "send" and getattr(frame, "method", "") == "tools/call":
            sent.append(frame.params["name"])

    spec = spec_of("raw", "modern", capabilities=("form",))
    async with connected(spec, person, on_frame=look) as connection:
        requests = {"first": asks(FORM), "second": request_}
        with pytest.raises(RemoteError) as raised:
            await connection.call_tool("rounds", {"rounds": 1, "requests": requests})
        assert raised.value.code == code
        assert reason in raised.value.message
        assert sent == ["rounds"]
        assert await connection.list_tools() == []
    # The sibling was never shown.
    assert person.asked == []


@on_a_loop
async def test_a_question_to_a_client_that_declared_nothing_ends_the_call() -> None:
    person = Person()
    async with connected(spec_of("raw", "modern", capabilities=()), person) as connection:
        with pytest.raises(RemoteError) as raised:
            await connection.call_tool("rounds", {"rounds": 1, "requests": {"k": asks(FORM)}})
        assert raised.value.code == -32601
    assert person.asked == []


@on_a_loop
async def test_a_full_house_means_waiting_here_since_a_refusal_would_end_the_call() -> None:
    gate = asyncio.Event()
    most = 0
    open_now = 0

    async def ask(question: object, token: object) -> Decline:
        nonlocal most, open_now
        open_now += 1
        most = max(most, open_now)
        if open_now == 2:
            gate.set()
        await gate.wait()
        open_now -= 1
        return Decline()

    async with connected(spec_of("raw", "modern"), ask, max_pending=2) as connection:
        requests = {str(number): asks(FORM) for number in range(7)}
        told = json.loads(text_of(await connection.call_tool("rounds", {"rounds": 1, "requests": requests})))
    assert len(told["responses"]) == 7
    assert most == 2


@on_a_loop
async def test_a_failure_of_ours_is_a_cancel_here_too() -> None:
    async with connected(spec_of("raw", "modern"), Person(ValueError("ours"))) as connection:
        told = json.loads(
            text_of(await connection.call_tool("rounds", {"rounds": 1, "requests": {"k": asks(FORM)}}))
        )
    assert told["responses"] == {"k": {"action": "cancel"}}


@on_a_loop
async def test_concurrent_calls_with_the_same_key_do_not_mix() -> None:
    causes: list[Cause] = []

    async def ask(question: Any, token: object) -> Accept:
        causes.append(question.cause)
        await asyncio.sleep(0)
        return Accept({"name": str(token)})

    async with connected(spec_of("asker", era="2026-07-28"), ask, max_per_minute=100) as connection:
        calls = [connection.call_tool("ask_any", {"who_hint": str(n)}, token=n) for n in range(8)]
        results = await asyncio.gather(*calls)
    assert [text_of(result) for result in results] == [f"accept {n}" for n in range(8)]
    assert sorted(json.loads(cause.arguments)["who_hint"] for cause in causes) == [str(n) for n in range(8)]


@on_a_loop
async def test_a_state_that_is_too_long_ends_the_call() -> None:
    arguments = {"rounds": 1, "requests": {"k": asks(FORM)}, "state": "x" * 300_000}
    async with connected(spec_of("raw", "modern"), Person(Decline())) as connection:
        with pytest.raises(RemoteError, match="requestState is longer than 256 KiB"):
            await connection.call_tool("rounds", arguments)


@on_a_loop
async def test_an_answer_that_is_no_mcp_is_told_with_the_place() -> None:
    async with connected(spec_of("raw", "modern")) as connection:
        with pytest.raises(RemoteError, match=r"The answer to result is no valid MCP: .*content"):
            await connection.call_tool("result", {"result": {"content": "text"}})
