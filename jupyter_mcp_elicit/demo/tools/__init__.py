"""The tools of the bistro, one a file; the order is the order of ``tools/list``."""

from __future__ import annotations

from ..tool import BistroTool
from .book_table import BOOK_TABLE
from .cancel_booking import CANCEL_BOOKING
from .todays_menu import TODAYS_MENU

TOOLS: dict[str, BistroTool] = {tool.name: tool for tool in (TODAYS_MENU, BOOK_TABLE, CANCEL_BOOKING)}
