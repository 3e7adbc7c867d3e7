"""The demo server, seen by plain SDK clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest

from .conftest import accept, fields, text

Visiting = Callable[..., Any]

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
WAYS = ("memory", "stdio", "http")
DECLINE = types.ElicitResult(action="decline")
CANCEL = types.ElicitResult(action="cancel")
TABLE = {
    "name": "Grace",
    "email": "grace@example.org",
    "date": "2026-12-24",
    "time": "18:00",
    "seating": "bar",
}
ORDER = {"dishes": ["soup", "tart"], "portions": 2, "pickup": "2026-12-02T18:30:00Z"}

#: Per tool: arguments, what to accept with (one per question), and the status of accept and decline.
ASKING = {
    "book_table": ({"party": 4}, [TABLE], "booked"),
    "cancel_booking": ({"code": "T1"}, [{}], "cancelled"),
    "order_menu": ({}, [ORDER], "ordered"),
    "order_coffee": ({"size": "small"}, [{"milk": "oat"}], "ordered"),
    "plan_party": (
        {},
        [{"guests": 20, "occasion": "birthday"}, {"place": "cellar", "cake_for": "Ada"}],
        "planned",
    ),
    "slow_brew": ({"steps": 2, "pace": 0}, [{"cups": 2, "sugar": True}], "poured"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("era", ERAS)
def test_each_action_ends_differently_on_every_transport_in_every_revision(
    visiting: Visiting, way: str, era: str
) -> None:
    async def scenario() -> None:
        async with visiting([accept(TABLE), DECLINE, CANCEL, CANCEL], era=era, way=way) as guest:
            booked = await guest.call("book_table", party=4)
            declined = await guest.call("book_table", party=4)
            unanswered = await guest.call("book_table", party=4)

            assert booked.structured_content == {**TABLE, "status": "booked", "party": 4} | {
                "code": booked.structured_content["code"]
            }
            assert "Grace" in text(booked)
            assert declined.structured_content == {"status": "declined", "alternative": "order_menu"}
            assert unanswered.structured_content == {"status": "not answered", "retry": "book_table"}
            assert not any(result.is_error for result in (booked, declined, unanswered))
            assert [params.message for _, params in guest.asked][-1].startswith("No answer came")
            # The server's own view: nothing but the action where nothing else was sent.
            assert [
                {k: v for k, v in line.items() if k not in ("tool", "era")} for line in guest.journal()
            ] == [
                {"question": "table", "action": "accept", "content": TABLE},
                {"question": "table", "action": "decline"},
                {"question": "table", "action": "cancel"},
                {"question": "table, once more", "action": "cancel"},
            ]
            assert {(line["tool"], line["era"]) for line in guest.journal()} == {("book_table", era)}

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", ASKING)
def test_accepting_does_the_work(visiting: Visiting, tool: str, era: str) -> None:
    arguments, contents, status = ASKING[tool]

    async def scenario() -> None:
        async with visiting([accept(content) for content in contents], era=era) as guest:
            result = await guest.call(tool, **arguments)
            assert not result.is_error, text(result)
            assert result.structured_content["status"] == status
            for content in contents:
                assert content.items() <= result.structured_content.items()
            assert len(guest.asked) == len(contents)

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", ASKING)
def test_declining_offers_something_else_and_is_not_asked_again(
    visiting: Visiting, tool: str, era: str
) -> None:
    async def scenario() -> None:
        async with visiting([DECLINE], era=era) as guest:
            result = await guest.call(tool, **ASKING[tool][0])
            assert not result.is_error
            assert result.structured_content["status"] == "declined"
            assert result.structured_content["alternative"]
            assert len(guest.asked) == 1

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", ASKING)
def test_cancelling_is_asked_once_more_and_then_left_alone(visiting: Visiting, tool: str, era: str) -> None:
    async def scenario() -> None:
        async with visiting([CANCEL, CANCEL], era=era) as guest:
            result = await guest.call(tool, **ASKING[tool][0])
            assert not result.is_error
            assert result.structured_content["status"] == "not answered"
            assert result.structured_content["retry"] == tool
            assert len(guest.asked) == 2

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("modes", [None, {"url": {}}], ids=["no elicitation", "url only"])
@pytest.mark.parametrize("tool", ASKING)
def test_a_client_without_form_mode_is_told_which_arguments_to_pass(
    visiting: Visiting, tool: str, modes: dict[str, Any] | None, era: str
) -> None:
    arguments, contents, status = ASKING[tool]

    async def scenario() -> None:
        async with visiting(None if modes is None else [], modes=modes, era=era) as guest:
            known = dict(arguments)
            for _ in contents:
                told = await guest.call(tool, **known)
                assert not told.is_error
                assert told.structured_content["status"] == "needs arguments"
                missing = told.structured_content["missing"]
                assert all(name in text(told) for name in missing)
                offered: dict[str, Any] = {"confirm": True}
                for content in contents:
                    offered |= content
                known |= {name: offered[name] for name in missing}
            done = await guest.call(tool, **known)
            assert done.structured_content["status"] == status
            assert guest.asked == []

    anyio.run(scenario)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("todays_menu", {}),
        ("book_table", {"party": 3, **TABLE}),
        ("order_menu", ORDER),
        ("order_coffee", {"size": "large", "milk": "none"}),
        ("plan_party", {"guests": 2, "occasion": "none", "place": "round table"}),
        ("slow_brew", {"steps": 1, "pace": 0, "cups": 1}),
    ],
)
def test_nothing_is_asked_when_nothing_is_missing(
    visiting: Visiting, tool: str, arguments: dict[str, Any]
) -> None:
    async def scenario() -> None:
        async with visiting([]) as guest:
            result = await guest.call(tool, **arguments)
            assert not result.is_error, text(result)
            assert guest.asked == []

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("first", "places", "second_fields"),
    [
        ({"guests": 6, "occasion": "none"}, ["round table", "long table"], ["place"]),
        ({"guests": 30, "occasion": "birthday"}, ["cellar", "garden"], ["place", "cake_for"]),
    ],
)
def test_the_second_question_depends_on_the_first_answer(
    visiting: Visiting, era: str, first: dict[str, Any], places: list[str], second_fields: list[str]
) -> None:
    async def scenario() -> None:
        async with visiting([accept(first), DECLINE], era=era) as guest:
            result = await guest.call("plan_party")
            second = guest.asked[1][1]
            assert fields(second) == second_fields
            assert second.requested_schema["properties"]["place"]["enum"] == places
            assert result.structured_content == {"status": "declined", "alternative": "order_menu"}

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("way", ["memory", "http"])
def test_a_slow_tool_reports_each_step_once_and_then_asks(visiting: Visiting, way: str, era: str) -> None:
    async def scenario() -> None:
        async with visiting([CANCEL, accept({"cups": 1})], era=era, way=way) as guest:
            result = await guest.call("slow_brew", steps=3, pace=0)
            assert result.structured_content == {"status": "poured", "steps": 3, "cups": 1}
            # Notifications are handled beside the result: the last ones may still be on their way.
            while len(guest.progress) < 3 or len(guest.logs) < 3:
                await anyio.lowlevel.checkpoint()
            assert sorted(guest.progress) == [(step, 3, f"Brewing, step {step}") for step in (1, 2, 3)]
            assert sorted(guest.logs) == [f"Step {step} of 3 is done." for step in (1, 2, 3)]

    anyio.run(scenario)


def test_a_booking_is_remembered_and_can_be_cancelled_once(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([accept(TABLE), accept({})]) as guest:
            code = (await guest.call("book_table", party=4)).structured_content["code"]
            cancelled = await guest.call("cancel_booking", code=code)
            again = await guest.call("cancel_booking", code=code)
            assert guest.asked[1][1].requested_schema == {"type": "object", "properties": {}}
            assert "Grace" in guest.asked[1][1].message
            assert cancelled.structured_content == {"status": "cancelled", "code": code}
            assert again.is_error
            assert len(guest.asked) == 2

    anyio.run(scenario)


def test_confirm_does_not_replace_the_question_where_it_can_be_asked(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([DECLINE]) as guest:
            result = await guest.call("cancel_booking", code="T1", confirm=True)
            assert result.structured_content["status"] == "declined"

    anyio.run(scenario)
