"""Cancel a booking: a pure confirmation, a form without fields."""

from __future__ import annotations

from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..form import Form
from ..house import House
from ..tool import BistroTool, Reply

CONFIRM = Form(
    {},
    instead={
        "confirm": {
            "type": "boolean",
            "description": "true cancels at once. Counts only where the client cannot show a form.",
        }
    },
)


async def cancel_booking(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    code: str = arguments["code"]
    booking = house.bookings.get(code)
    if booking is None:
        return Reply(f"There is no booking {code}.", "unknown code", {"code": code}, failed=True)
    table = f"{booking['name']}'s table for {booking['party']} on {booking['date']}"
    if visit.can_ask or not arguments.get("confirm"):
        match await visit.ask_twice("sure", f"Cancel {table}? This cannot be undone.", CONFIRM):
            case Accept():
                pass
            case Decline():
                return Reply(
                    f"{table} is kept. To move it instead, call book_table and then cancel {code}.",
                    "declined",
                    {"code": code, "alternative": "book_table"},
                )
            case Cancel():
                return Reply.not_answered("cancel_booking", f"{table} is kept", code=code)
    # Somebody else may have cancelled it while the question was open.
    if house.bookings.pop(code, None) is None:
        return Reply(f"Booking {code} is gone already.", "unknown code", {"code": code}, failed=True)
    return Reply(f"{table} is cancelled.", "cancelled", {"code": code})


CANCEL_BOOKING = BistroTool(
    "cancel_booking",
    "Cancel a booking",
    "Cancels the booking with this code, after a question. The code T1 exists from the start.",
    cancel_booking,
    {"code": {"type": "string", "description": "As book_table told it."}, **CONFIRM.arguments},
    required=("code",),
)
