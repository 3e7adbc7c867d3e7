"""To bring something into sight, as a person scrolls."""

from __future__ import annotations

from playwright.sync_api import Locator

_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def bring_into_sight(node: Locator) -> None:
    """Until the page has noticed: one frame tells it of scrolling, the next of what came into sight."""
    node.scroll_into_view_if_needed()
    node.evaluate(_TWO_FRAMES)
