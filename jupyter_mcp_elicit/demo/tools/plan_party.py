"""Plan a party: two questions in a row, and the second depends on the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..form import Form
from ..house import House
from ..tool import BistroTool, Reply

FIRST = Form(
    {
        "guests": {"type": "integer", "title": "Guests", "minimum": 2, "maximum": 40, "default": 8},
        "occasion": {
            "type": "string",
            "title": "Occasion",
            "oneOf": [
                {"const": "birthday", "title": "A birthday"},
                {"const": "farewell", "title": "A farewell"},
                {"const": "none", "title": "No occasion at all"},
            ],
        },
    },
    required=("guests", "occasion"),
)

#: More guests than this do not fit at one table.
ONE_TABLE = 12


def second_form(party: Mapping[str, Any]) -> Form:
    """What is left to ask once guests and occasion are known."""
    places = ["round table", "long table"] if party["guests"] <= ONE_TABLE else ["cellar", "garden"]
    fields: dict[str, dict[str, Any]] = {"place": {"type": "string", "title": "Place", "enum": places}}
    if party["occasion"] == "birthday":
        fields["cake_for"] = {
            "type": "string",
            "title": "Name on the cake",
            "minLength": 1,
            "maxLength": 30,
        }
    return Form(fields, required=tuple(fields))


async def plan_party(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    party = dict(arguments)
    if (first := FIRST.without(party)) is not None:
        match await visit.ask_twice("guests", "A party! How many, and what for?", first):
            case Accept(content=content):
                party |= content or {}
            case Decline():
                return Reply(
                    "No party then. A quiet table instead? Call book_table.",
                    "declined",
                    {"alternative": "book_table"},
                )
            case Cancel():
                return Reply.not_answered("plan_party", "nothing is planned")
    places = second_form(party).fields["place"]["enum"]
    if party.get("place", places[0]) not in places:
        text = f"{party['guests']} guests can have the {places[0]} or the {places[1]}."
        return Reply(text, "bad arguments", {"places": places}, failed=True)
    if (second := second_form(party).without(party)) is not None:
        match await visit.ask_twice("place", f"{party['guests']} guests: where shall they be?", second):
            case Accept(content=content):
                party |= content or {}
            case Decline():
                return Reply(
                    "Nothing is planned then. We can cook for you at home: call order_menu.",
                    "declined",
                    {"alternative": "order_menu"},
                )
            case Cancel():
                return Reply.not_answered("plan_party", "nothing is planned")
    code = house.book({"party": party["guests"], "name": "the party", "date": str(house.tomorrow), **party})
    cake = f" The cake is for {party['cake_for']}." if "cake_for" in party else ""
    return Reply(
        f"Planned: {party['guests']} guests, {party['place']}.{cake} Your code is {code}.",
        "planned",
        {"code": code, **party},
    )


PLAN_PARTY = BistroTool(
    "plan_party",
    "Plan a party",
    "Plans a party for 2 to 40 guests tomorrow. Asks twice: how many and why, then where.",
    plan_party,
    {
        **FIRST.arguments,
        "place": {"type": "string", "enum": ["round table", "long table", "cellar", "garden"]},
        "cake_for": {"type": "string", "description": "For a birthday.", "minLength": 1, "maxLength": 30},
    },
)
