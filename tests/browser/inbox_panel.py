"""The inbox of a page, met by its words on the screen."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from .form_page import FormPage


class InboxPanel:
    """The Questions panel of one page, with the count and the toast that lead to it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.node = page.get_by_role("region", name="Questions", exact=True)
        self.waiting = self.node.get_by_role("list", name="Questions", exact=True)
        self.entries = self.waiting.locator("> li")
        self.earlier = self.node.locator(".jme-inbox-earlier li")
        #: The words that there is none; hidden while there is one.
        self.empty = self.node.locator(".jme-inbox-empty", has_text="Nobody is asking.")
        self.toast = page.locator(".Toastify__toast", has_text="ask you something").or_(
            page.locator(".Toastify__toast", has_text="asks you something")
        )
        self.count = page.locator(".jme-count-button")

    def show(self) -> InboxPanel:
        """By its menu entry, in sight afterwards."""
        self.page.locator(".lm-MenuBar").get_by_text("View", exact=True).click()
        self.page.locator(".lm-Menu").get_by_text("Questions from MCP Servers").click()
        self.node.wait_for()
        return self

    def hide(self) -> None:
        if self.node.is_visible():
            self.page.evaluate("window.jupyterapp.commands.execute('jupyter-mcp-elicit:toggle-inbox')")
            self.node.wait_for(state="hidden")

    def form(self, about: str) -> FormPage:
        """The question whose text has ``about``."""
        return FormPage(self.entry(about).locator(".jme"))

    def entry(self, about: str) -> Locator:
        return self.node.locator("li", has_text=about)

    def expect_count(self, number: int) -> None:
        """In the status bar (or the menu bar), and on the panel's own tab where there is one."""
        if number == 0:
            expect(self.count).to_be_hidden()
        else:
            expect(self.count).to_have_text(f"{number} question{'s' if number > 1 else ''}")
