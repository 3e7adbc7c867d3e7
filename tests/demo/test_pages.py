"""Tools that send a person to a page, seen by plain SDK clients; the page is used by real requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import urlsplit

import anyio
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from pydantic import ConfigDict
from till_page import ask, use

Visiting = Callable[..., Any]

NEW = ("2025-11-25", "2026-07-28")
WAYS = ("memory", "stdio", "http")
ACCEPT = types.ElicitResult(action="accept")
DECLINE = types.ElicitResult(action="decline")
CANCEL = types.ElicitResult(action="cancel")
PLANTED = "31415926535897"


class _Params(types.NotificationParams):
    model_config = ConfigDict(extra="allow")


class Completion(types.Notification[_Params, Literal["notifications/elicitation/complete"]]):
    method: Literal["notifications/elicitation/complete"] = "notifications/elicitation/complete"
    params: _Params


async def page_used(params: types.ElicitRequestURLParams) -> types.ElicitResult:
    """Consents, after the page was used."""
    assert (await anyio.to_thread.run_sync(use, params.url, PLANTED)).status == 200
    return ACCEPT


async def booked(guest: Any) -> str:
    """The code of a booking that is this test's own."""
    table = {"name": "Grace", "email": "g@example.org", "date": "2026-12-24", "time": "18:00"}
    result = await guest.call("book_table", party=2, seating="bar", **table)
    return str(result.structured_content["code"])


def status(result: types.CallToolResult) -> str:
    return str((result.structured_content or {})["status"])


async def until(look: Callable[[], Any]) -> None:
    for _ in range(3000):
        if look():
            return
        await anyio.sleep(0.01)
    raise AssertionError("It did not come.")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("era", NEW)
def test_a_deposit_is_paid_on_the_page_and_nothing_of_it_comes_back(
    visiting: Visiting, era: str, way: str
) -> None:
    async def scenario() -> None:
        async with visiting([page_used], era=era, way=way) as guest:
            code = await booked(guest)
            result = await guest.call("pay_deposit", code=code)
            assert result.structured_content == {"status": "paid", "code": code, "deposit": 20}
            [(_, asked)] = guest.asked
            assert isinstance(asked, types.ElicitRequestURLParams)
            assert urlsplit(asked.url).hostname == "127.0.0.1"
            expected = [{"page": "visited"}, {"page": "completed"}, {"action": "accept"}]
            place = {"tool": "pay_deposit", "question": "deposit", "era": era}
            assert guest.journal() == [{**place, **each} for each in expected]
            assert PLANTED not in json.dumps(guest.journal()) + result.model_dump_json()
            if era == "2025-11-25":
                assert asked.elicitation_id
                await until(lambda: guest.completed)
                assert guest.completed == [asked.elicitation_id]
            else:
                assert asked.elicitation_id is None
                assert guest.completed == []
            again = await guest.call("pay_deposit", code=code)
            assert status(again) == "paid"
            assert len(guest.asked) == 1

    anyio.run(scenario)


@pytest.mark.parametrize("era", NEW)
def test_the_call_waits_for_the_page_after_the_consent(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([ACCEPT], era=era) as guest, anyio.create_task_group() as tasks:
            results: list[types.CallToolResult] = []

            async def pay() -> None:
                results.append(await guest.call("pay_deposit", code="T1"))

            tasks.start_soon(pay)
            await until(lambda: {"accept"} & {each.get("action") for each in guest.journal()})
            url = guest.asked[0][1].url
            await anyio.to_thread.run_sync(ask, url)
            assert results == []
            await anyio.to_thread.run_sync(use, url)
            await until(lambda: results)
            assert status(results[0]) == "paid"

    anyio.run(scenario)


@pytest.mark.parametrize(("answer", "ends"), [(DECLINE, "declined"), (CANCEL, "not answered")])
@pytest.mark.parametrize(("tool", "era"), [*(("pay_deposit", era) for era in NEW), ("members_menu", NEW[1])])
def test_without_consent_nothing_is_waited_for(
    visiting: Visiting, tool: str, answer: types.ElicitResult, ends: str, era: str
) -> None:
    async def scenario() -> None:
        async with visiting([answer], era=era) as guest:
            result = await guest.call(tool, **({"code": "T1"} if tool == "pay_deposit" else {}))
            assert not result.is_error
            assert status(result) == ends
            assert result.structured_content.get("alternative" if ends == "declined" else "retry")
            assert [each["action"] for each in guest.journal()] == [answer.action]

    anyio.run(scenario)


@pytest.mark.parametrize("era", NEW)
def test_a_page_that_takes_longer_is_not_forgotten(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([ACCEPT], era=era) as guest:
            first = await guest.call("pay_deposit", code="T1", wait=0)
            assert status(first) == "waiting"
            asked = guest.asked[0][1]
            await anyio.to_thread.run_sync(use, asked.url)
            if era == "2025-11-25":
                await until(lambda: guest.completed)
                assert guest.completed == [asked.elicitation_id]
            assert status(await guest.call("pay_deposit", code="T1")) == "paid"

    anyio.run(scenario)


@pytest.mark.parametrize(
    ("era", "modes"),
    [
        ("2025-06-18", {"form": {}, "url": {}}),
        ("2025-11-25", {"form": {}}),
        ("2025-11-25", {}),
        ("2026-07-28", {"form": {}}),
    ],
)
def test_where_no_page_can_be_asked_for_there_is_another_way(
    visiting: Visiting, era: str, modes: dict[str, Any]
) -> None:
    async def scenario() -> None:
        async with visiting([], era=era, modes=modes) as guest:
            assert status(await guest.call("pay_deposit", code="T1")) == "pay at the counter"
            assert status(await guest.call("members_menu")) == "ask the waiter"
            assert guest.asked == []

    anyio.run(scenario)


def test_a_booking_that_does_not_exist_needs_no_deposit(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([]) as guest:
            assert (await guest.call("pay_deposit", code="T404")).is_error
            assert guest.asked == []

    anyio.run(scenario)


@pytest.mark.parametrize("way", WAYS)
def test_the_members_menu_needs_a_page_and_then_works(visiting: Visiting, way: str) -> None:
    async def scenario() -> None:
        async with visiting([], way=way) as guest:
            ids = []
            for _ in range(2):
                with pytest.raises(MCPError) as caught:
                    await guest.call("members_menu", member=f"Grace over {way}")
                assert caught.value.code == -32042
                [entry] = caught.value.error.data["elicitations"]
                assert entry["mode"] == "url"
                assert entry["message"]
                ids.append(entry["elicitationId"])
            assert len(set(ids)) == 2
            await anyio.to_thread.run_sync(use, entry["url"], PLANTED)
            await until(lambda: len(guest.completed) == 2)
            assert set(guest.completed) == set(ids)
            assert status(await guest.call("members_menu", member=f"Grace over {way}")) == "listed"
            assert [each["page"] for each in guest.journal()] == ["visited", "completed"]

    anyio.run(scenario)


def test_in_rounds_the_members_menu_asks_instead_of_failing(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([page_used, ACCEPT], era="2026-07-28") as guest:
            assert status(await guest.call("members_menu")) == "listed"
            assert status(await guest.call("members_menu")) == "listed"
            assert len(guest.asked) == 1
            assert status(await guest.call("members_menu", member="Ada", wait=0)) == "waiting"

    anyio.run(scenario)


@pytest.mark.parametrize(("action", "ends"), [("cancel", "given up"), ("accept", "waiting")])
def test_a_client_may_say_that_its_person_came_back(visiting: Visiting, action: str, ends: str) -> None:
    async def scenario() -> None:
        async with visiting([ACCEPT]) as guest, anyio.create_task_group() as tasks:
            results: list[types.CallToolResult] = []

            async def pay() -> None:
                results.append(await guest.call("pay_deposit", code="T1"))

            tasks.start_soon(pay)
            await until(lambda: {"accept"} & {each.get("action") for each in guest.journal()})
            told = {"elicitationId": guest.asked[0][1].elicitation_id, "action": action, "more": [1]}
            await guest.client.session.send_notification(Completion(params=_Params(**told)))
            await until(lambda: results)
            assert status(results[0]) == ends
            assert guest.journal()[-1] == {
                "tool": "pay_deposit",
                "question": "",
                "era": "2025-11-25",
                "completion": told,
            }

    anyio.run(scenario)


@pytest.mark.parametrize("way", WAYS)
def test_a_completion_that_nobody_asked_for_is_journalled_and_changes_nothing(
    visiting: Visiting, way: str
) -> None:
    async def scenario() -> None:
        async with visiting([ACCEPT], way=way) as guest:
            for told in ({"elicitationId": "nobody", "action": "accept"}, {"elicitationId": [1]}):
                await guest.client.session.send_notification(Completion(params=_Params(**told)))
                await until(
                    lambda told=told: guest.journal()[-1:] and guest.journal()[-1]["completion"] == told
                )
            assert status(await guest.call("todays_menu")) == "listed"

    anyio.run(scenario)


def test_an_error_for_an_answer_ends_the_call_with_the_reason(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([types.ErrorData(code=-32602, message="No such address")]) as guest:
            result = await guest.call("pay_deposit", code="T1")
            assert result.is_error
            assert "No such address (-32602)" in str(result.content)
            assert guest.journal()[0]["error"]["code"] == -32602

    anyio.run(scenario)
