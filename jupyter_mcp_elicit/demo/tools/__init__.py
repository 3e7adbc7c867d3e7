"""The tools of the bistro, one a file; the order is the order of ``tools/list``."""

from __future__ import annotations

from ..tool import BistroTool
from .book_table import BOOK_TABLE
from .cancel_booking import CANCEL_BOOKING
from .members_menu import MEMBERS_MENU
from .order_coffee import ORDER_COFFEE
from .order_menu import ORDER_MENU
from .pay_deposit import PAY_DEPOSIT
from .plan_party import PLAN_PARTY
from .slow_brew import SLOW_BREW
from .todays_menu import TODAYS_MENU

TOOLS: dict[str, BistroTool] = {
    tool.name: tool
    for tool in (
        TODAYS_MENU,
        BOOK_TABLE,
        CANCEL_BOOKING,
        ORDER_MENU,
        ORDER_COFFEE,
        PLAN_PARTY,
        SLOW_BREW,
        PAY_DEPOSIT,
        MEMBERS_MENU,
    )
}
