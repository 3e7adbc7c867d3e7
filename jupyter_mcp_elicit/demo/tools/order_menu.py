"""Order something to take away: the form that has nearly every kind of field."""

from __future__ import annotations

from datetime import date
from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..form import Form
from ..house import House
from ..tool import BistroTool, Reply
from .todays_menu import DISHES


def order_form(tomorrow: date) -> Form:
    """The form; its default for the pick-up is tomorrow evening."""
    return Form(
        {
            "dishes": {
                "type": "array",
                "title": "Dishes",
                "description": "One to three.",
                "items": {"anyOf": [{"const": key, "title": name} for key, (name, _) in DISHES.items()]},
                "minItems": 1,
                "maxItems": 3,
            },
            "portions": {
                "type": "integer",
                "title": "Portions of each",
                "minimum": 1,
                "maximum": 10,
                "default": 1,
            },
            "tip": {
                "type": "number",
                "title": "Tip in euros",
                "description": "Goes to the kitchen.",
                "minimum": 0,
                "maximum": 50,
            },
            "gift_wrap": {"type": "boolean", "title": "Wrap it as a gift", "default": False},
            "spice": {
                "type": "string",
                "title": "How hot",
                "enum": ["0", "1", "2"],
                "enumNames": ["Mild", "Warm", "Hot"],
            },
            "website": {
                "type": "string",
                "title": "Where you found us",
                "description": "The page's address, if it was a page.",
                "format": "uri",
            },
            "pickup": {
                "type": "string",
                "title": "Pick-up",
                "format": "date-time",
                "default": f"{tomorrow}T18:30:00Z",
            },
        },
        required=("dishes", "portions", "pickup"),
    )


async def order_menu(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    order = dict(arguments)
    missing = order_form(house.tomorrow).without(order)
    if missing is not None:
        match await visit.ask_twice("order", "What shall we cook for you?", missing):
            case Accept(content=content):
                order |= content or {}
            case Decline():
                return Reply(
                    "Nothing to take away then. Would you rather eat here? Call book_table.",
                    "declined",
                    {"alternative": "book_table"},
                )
            case Cancel():
                return Reply.not_answered("order_menu", "nothing is cooked")
    total = sum(DISHES[key][1] for key in order["dishes"]) * order["portions"] + order.get("tip", 0)
    code = house.order(order)
    names = " and ".join(DISHES[key][0] for key in order["dishes"])
    return Reply(
        f"Ordered: {order['portions']} x {names}, ready at {order['pickup']}, {total:g} euros."
        f" Your code is {code}.",
        "ordered",
        {"code": code, "total": total, **order},
    )


ORDER_MENU = BistroTool(
    "order_menu",
    "Order from the menu",
    "Orders dishes to take away. Asks for whatever is not among the arguments.",
    order_menu,
    order_form(date.today()).arguments,
)
