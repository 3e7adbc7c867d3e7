"""What is asked, and what of it is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest

from .conftest import accept, fields, text

Visiting = Callable[..., Any]

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
DECLINE = types.ElicitResult(action="decline")
TABLE = {
    "name": "Grace",
    "email": "grace@example.org",
    "date": "2026-12-24",
    "time": "18:00",
    "seating": "bar",
}
ORDER = {"dishes": ["soup", "tart"], "portions": 2, "pickup": "2026-12-02T18:30:00Z"}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "change",
    [
        {"email": "nobody"},
        {"date": "24.12.2026"},
        {"time": "20:00"},
        {"seating": "roof"},
        {"name": "G"},
        {"notes": "x" * 501},
        {"newsletter": "yes"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_content_that_does_not_fit_the_form_is_refused(
    visiting: Visiting, change: dict[str, Any], era: str
) -> None:
    async def scenario() -> None:
        async with visiting([accept({**TABLE, **change})], era=era) as guest:
            result = await guest.call("book_table", party=4)
            assert result.is_error
            assert result.structured_content["status"] == "bad answer"
            assert next(iter(change)) in text(result)

    anyio.run(scenario)


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({"pickup": "2026-12-02T18:30:00.5+01:00"}, True),
        ({"pickup": "2026-12-02T18:30:00"}, False),
        ({"pickup": "2026-12-02"}, False),
        ({"pickup": "2026-13-02T18:30:00Z"}, False),
        ({"website": "https://example.org/a?b=c"}, True),
        ({"website": "example.org"}, False),
        ({"website": "https://example.org/a b"}, False),
        ({"dishes": []}, False),
        ({"dishes": ["soup", "tart", "quiche", "risotto"]}, False),
        ({"portions": 11}, False),
        ({"tip": 0.5}, True),
        ({"tip": -1}, False),
        ({"spice": "Hot"}, False),
    ],
)
def test_an_order_is_checked_against_its_form(visiting: Visiting, change: dict[str, Any], fits: bool) -> None:
    async def scenario() -> None:
        async with visiting([accept({**ORDER, **change})]) as guest:
            result = await guest.call("order_menu")
            assert result.is_error is not fits, text(result)

    anyio.run(scenario)


def test_only_what_is_missing_is_asked(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([accept({"time": "21:00"})]) as guest:
            known = {name: value for name, value in TABLE.items() if name != "time"}
            result = await guest.call("book_table", party=3, **known)
            assert fields(guest.asked[0][1]) == ["time", "notes", "newsletter"]
            assert result.structured_content["time"] == "21:00"

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
def test_the_schema_arrives_as_it_was_written(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([DECLINE], era=era) as guest:
            await guest.call("order_menu")
            schema = guest.asked[0][1].requested_schema
            assert list(schema["properties"]) == [
                "dishes",
                "portions",
                "tip",
                "gift_wrap",
                "spice",
                "website",
                "pickup",
            ]
            assert schema["properties"]["dishes"]["items"]["anyOf"][0] == {
                "const": "soup",
                "title": "Onion soup",
            }
            assert schema["properties"]["spice"]["enumNames"] == ["Mild", "Warm", "Hot"]
            assert schema["properties"]["gift_wrap"]["default"] is False
            assert schema["properties"]["pickup"]["default"] == "2026-12-02T18:30:00Z"
            assert schema["required"] == ["dishes", "portions", "pickup"]

    anyio.run(scenario)


@pytest.mark.parametrize("arguments", [{}, {"party": 0}, {"party": 2.5}, {"party": 4, "date": "tomorrow"}])
def test_arguments_that_do_not_fit_are_an_error_and_nothing_is_asked(
    visiting: Visiting, arguments: dict[str, Any]
) -> None:
    async def scenario() -> None:
        async with visiting([]) as guest:
            result = await guest.call("book_table", **arguments)
            assert result.is_error
            assert result.structured_content["status"] == "bad arguments"
            assert guest.asked == []

    anyio.run(scenario)


def test_an_argument_that_is_null_counts_as_left_out(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([accept({"size": "large"})]) as guest:
            result = await guest.call("order_coffee", size=None, milk="oat")
            assert fields(guest.asked[0][1]) == ["size"]
            assert result.structured_content["size"] == "large"

    anyio.run(scenario)
