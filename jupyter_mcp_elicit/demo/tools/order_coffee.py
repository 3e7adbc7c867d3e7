"""A coffee: asks only about the arguments that were left out."""

from __future__ import annotations

from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..form import Form
from ..house import House
from ..tool import BistroTool, Reply

FORM = Form(
    {
        "size": {
            "type": "string",
            "title": "Size",
            "oneOf": [
                {"const": "small", "title": "Small"},
                {"const": "medium", "title": "Medium"},
                {"const": "large", "title": "Large"},
            ],
            "default": "medium",
        },
        "milk": {"type": "string", "title": "Milk", "enum": ["none", "cow", "oat"]},
    },
    required=("size", "milk"),
)


async def order_coffee(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    coffee = dict(arguments)
    missing = FORM.without(coffee)
    if missing is not None:
        match await visit.ask_twice("coffee", "How do you take your coffee?", missing):
            case Accept(content=content):
                coffee |= content or {}
            case Decline():
                return Reply(
                    "No coffee then. A glass of water is on the house.", "declined", {"alternative": "water"}
                )
            case Cancel():
                return Reply.not_answered("order_coffee", "the machine stays off")
    code = house.order(coffee)
    milk = "no milk" if coffee["milk"] == "none" else f"{coffee['milk']} milk"
    return Reply(f"One {coffee['size']} coffee with {milk}.", "ordered", {"code": code, **coffee})


ORDER_COFFEE = BistroTool(
    "order_coffee",
    "Order a coffee",
    "Makes a coffee. Asks about size and milk when they are not given.",
    order_coffee,
    FORM.arguments,
)
