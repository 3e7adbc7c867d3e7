"""The one tool that asks nothing."""

from __future__ import annotations

from typing import Any

from ..asking import Visit
from ..house import House
from ..tool import BistroTool, Reply

#: Dish by the value that travels: what it is called, and its price in euros.
DISHES = {
    "soup": ("Onion soup", 7),
    "quiche": ("Leek quiche", 11),
    "risotto": ("Mushroom risotto", 14),
    "tart": ("Lemon tart", 6),
}


async def todays_menu(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    lines = [f"{name}, {price} euros" for name, price in DISHES.values()]
    dishes = [{"dish": key, "name": name, "price": price} for key, (name, price) in DISHES.items()]
    return Reply("Today: " + "; ".join(lines) + ".", "listed", {"dishes": dishes})


TODAYS_MENU = BistroTool(
    "todays_menu", "Today's menu", "What the kitchen has today. Asks nothing.", todays_menu
)
