"""Book a table: the form holds only what the caller did not say already."""

from __future__ import annotations

from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..form import Form
from ..house import House
from ..tool import BistroTool, Reply

FORM = Form(
    {
        "name": {
            "type": "string",
            "title": "Your name",
            "description": "The booking is kept under it.",
            "minLength": 2,
            "maxLength": 60,
        },
        "email": {
            "type": "string",
            "title": "Email",
            "description": "For the confirmation only.",
            "format": "email",
        },
        "date": {"type": "string", "title": "Day", "format": "date"},
        "time": {
            "type": "string",
            "title": "Time",
            "oneOf": [
                {"const": "18:00", "title": "Early, at six"},
                {"const": "19:30", "title": "Half past seven"},
                {"const": "21:00", "title": "Late, at nine"},
            ],
        },
        "seating": {"type": "string", "title": "Where", "enum": ["inside", "terrace", "bar"]},
        "notes": {
            "type": "string",
            "title": "Notes for the kitchen",
            "description": "Allergies, a birthday, a pram. Several lines are fine.",
            "maxLength": 500,
        },
        "newsletter": {"type": "boolean", "title": "Send me the monthly menu"},
    },
    required=("name", "email", "date", "time", "seating"),
)


async def book_table(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    booking = dict(arguments)
    missing = FORM.without(booking)
    if missing is not None:
        answer = await visit.ask_twice(
            "table", f"A table for {booking['party']}: please tell us the rest.", missing
        )
        match answer:
            case Accept(content=content):
                booking |= content or {}
            case Decline():
                return Reply(
                    "No table then. Would you rather take something away? Call order_menu.",
                    "declined",
                    {"alternative": "order_menu"},
                )
            case Cancel():
                return Reply.not_answered("book_table", "nothing is booked")
    code = house.book(booking)
    return Reply(
        f"Booked: a table for {booking['party']} on {booking['date']} at {booking['time']}"
        f" ({booking['seating']}), under the name {booking['name']}. Your code is {code}.",
        "booked",
        {"code": code, **booking},
    )


BOOK_TABLE = BistroTool(
    "book_table",
    "Book a table",
    "Books a table for a party of 1 to 12. Asks for whatever is not among the arguments.",
    book_table,
    {
        "party": {"type": "integer", "description": "How many people come.", "minimum": 1, "maximum": 12},
        **FORM.arguments,
    },
    required=("party",),
)
