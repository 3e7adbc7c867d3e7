"""A page to open, in a cell's output: the question, the waiting card, and the record afterwards."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from .sight import bring_into_sight


class UrlCard:
    """``node`` is the element that holds it, ``output`` the cell's; ``live`` what can still be pressed."""

    def __init__(self, node: Locator, output: Locator) -> None:
        self.node = node
        self.output = output
        self.live = node.locator("section.jme-live")
        self.link = node.locator("a")

    def wait(self) -> UrlCard:
        self.live.wait_for()
        return self

    def wait_armed(self) -> UrlCard:
        """Until the link has an address, which it gets in sight only."""
        bring_into_sight(self.link)
        self.node.locator("a[href]").wait_for()
        return self

    def button(self, name: str) -> Locator:
        return self.live.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        """Click a button of ours once it takes clicks."""
        button = self.button(name)
        bring_into_sight(button)
        self.live.locator(".jme-button:not([aria-disabled])", has_text=name).wait_for()
        button.click()

    def open(self, **how: object) -> Page:
        """Click the link once it can be clicked; gives the page that opened."""
        self.wait_armed()
        with self.link.page.context.expect_page() as opened:
            self.link.click(**how)  # type: ignore[arg-type]
        return opened.value

    def expect_status(self, words: str) -> None:
        expect(self.live.locator(".jme-status")).to_contain_text(words)

    def expect_record(self, *words: str) -> None:
        """Wait until it is over, and the line that stays (the page's, then the kernel's) says so."""
        for each in words:
            expect(self.output).to_contain_text(each)
        expect(self.live).to_have_count(0)
        expect(self.link).to_have_count(0)
