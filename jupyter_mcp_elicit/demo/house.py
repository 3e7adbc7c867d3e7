"""What the bistro remembers: who sits when, for as long as the process lives."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from .till import Till


class House:
    """Bookings and orders by code. ``today`` fixes the calendar, for tests."""

    def __init__(self, today: date | None = None) -> None:
        self._today = today
        self._count = 0
        self.till = Till()
        self.bookings: dict[str, dict[str, Any]] = {}
        self.orders: dict[str, dict[str, Any]] = {}
        # One guest is always expected: cancel_booking("T1") works in a house that has just opened.
        self.book(
            {"party": 2, "name": "Ada", "date": str(self.tomorrow), "time": "19:30", "seating": "terrace"}
        )

    @property
    def tomorrow(self) -> date:
        return (self._today or date.today()) + timedelta(days=1)

    def book(self, booking: Mapping[str, Any]) -> str:
        """Keep a booking; its code is ``T`` and a number."""
        code = self._next("T")
        self.bookings[code] = dict(booking)
        return code

    def order(self, order: Mapping[str, Any]) -> str:
        """Keep an order; its code is ``K`` (for kitchen) and a number."""
        code = self._next("K")
        self.orders[code] = dict(order)
        return code

    def _next(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"
