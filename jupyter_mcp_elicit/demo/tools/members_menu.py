"""The members' menu: on 2025-11-25 a call that fails until a page was used, and then works."""

from __future__ import annotations

from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..house import House
from ..slip import Words
from ..tool import BistroTool, Reply
from .pay_deposit import WAIT

DISHES = {"truffle": ("Truffle omelette", 16), "oysters": ("Six oysters", 18)}

MESSAGE = "The members' menu is for members. Please sign in at the bistro's door."


async def members_menu(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    member: str = arguments.get("member", "a guest")
    if not visit.can_open:
        return Reply("Please ask the waiter for the members' menu.", "ask the waiter")
    words = Words(
        title="Members' door",
        text=f"Sign in as {member} to see the members' menu.",
        label="Member number",
        button="Sign in",
        thanks="Welcome, you are signed in.",
    )
    slip = house.till.slip("members_menu", member, words)
    if visit.can_require and not slip.completed:
        raise visit.required("door", MESSAGE, slip)
    if not slip.completed or not visit.is_new:
        match await visit.open("door", MESSAGE, slip):
            case Accept():
                pass
            case Decline():
                text = "Then not. Everybody can see today's menu: call todays_menu."
                return Reply(text, "declined", {"alternative": "todays_menu"})
            case Cancel():
                return Reply.not_answered("members_menu", "the members' menu stays closed")
        if not await visit.over(slip, arguments.get("wait", WAIT)):
            text = "We wait for you at the door. Call members_menu again when you have signed in."
            return Reply(text, "waiting", {"retry": "members_menu"})
    lines = [f"{name}, {price} euros" for name, price in DISHES.values()]
    dishes = [{"dish": key, "name": name, "price": price} for key, (name, price) in DISHES.items()]
    return Reply("For members: " + "; ".join(lines) + ".", "listed", {"dishes": dishes})


MEMBERS_MENU = BistroTool(
    "members_menu",
    "Members' menu",
    "What the kitchen has for members, who sign in on a page of the bistro's own first.",
    members_menu,
    {
        "member": {"type": "string", "description": "Who signs in.", "minLength": 1, "maxLength": 60},
        "wait": {
            "type": "number",
            "description": "Seconds that the call waits for the page; 300 unless given.",
            "minimum": 0,
            "maximum": 3600,
        },
    },
)
