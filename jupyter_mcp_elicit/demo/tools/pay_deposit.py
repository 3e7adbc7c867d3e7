"""Pay a deposit: a card number is nothing for a form, so it is asked for on a page of the bistro's own."""

from __future__ import annotations

from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..house import House
from ..slip import Words
from ..tool import BistroTool, Reply

#: In euros.
DEPOSIT = 20

#: Seconds that the call waits for the page.
WAIT = 300.0

COUNTER = "pay at the counter"


async def pay_deposit(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    code: str = arguments["code"]
    booking = house.bookings.get(code)
    if booking is None:
        return Reply(f"There is no booking {code}.", "unknown code", {"code": code}, failed=True)
    table = f"{booking['name']}'s table on {booking['date']}"
    facts: dict[str, Any] = {"code": code, "deposit": DEPOSIT}
    if not visit.can_open:
        text = f"{table} needs a deposit of {DEPOSIT} euros. Please pay at the counter."
        return Reply(text, COUNTER, facts)
    words = Words(
        title=f"Deposit for {table}",
        text=f"Code {code}. The deposit is {DEPOSIT} euros.",
        label="Card number",
        button=f"Pay {DEPOSIT} euros",
        thanks="Thank you, the deposit is paid.",
    )
    slip = house.till.slip("pay_deposit", code, words)
    if slip.completed and visit.is_new:
        return Reply(f"The deposit for {table} is paid already.", "paid", facts)
    match await visit.open("deposit", f"Please pay the deposit of {DEPOSIT} euros for {table}.", slip):
        case Accept():
            pass
        case Decline():
            text = f"No deposit then: {table} is kept until six o'clock. You can pay at the counter."
            return Reply(text, "declined", {**facts, "alternative": COUNTER})
        case Cancel():
            return Reply.not_answered("pay_deposit", f"{table} has no deposit yet", **facts)
    if await visit.over(slip, arguments.get("wait", WAIT)):
        return Reply(f"Thank you, the deposit for {table} is paid.", "paid", facts)
    if slip.client_said == "cancel":
        text = f"You left the page, so {table} has no deposit yet. Call pay_deposit again whenever you like."
        return Reply(text, "given up", {**facts, "retry": "pay_deposit"})
    text = f"We wait for you: the page for {table} stays open. Call pay_deposit again when you have paid."
    return Reply(text, "waiting", {**facts, "retry": "pay_deposit"})


PAY_DEPOSIT = BistroTool(
    "pay_deposit",
    "Pay a deposit",
    "Takes the deposit for a booking, on a page of the bistro's own. The code T1 exists from the start.",
    pay_deposit,
    {
        "code": {"type": "string", "description": "As book_table told it."},
        "wait": {
            "type": "number",
            "description": "Seconds that the call waits for the page; 300 unless given.",
            "minimum": 0,
            "maximum": 3600,
        },
    },
    required=("code",),
)
