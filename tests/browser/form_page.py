"""A form in a cell's output, met as a person meets it: by the words on the screen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from .sight import bring_into_sight


class FormPage:
    """A live form. ``node`` is the element that holds it, and its record afterwards."""

    def __init__(self, node: Locator) -> None:
        self.node = node
        self.live = node.locator("form")

    def wait(self) -> FormPage:
        """Until it is there to be answered."""
        self.live.wait_for()
        return self

    def box(self, label: str) -> Locator:
        """The one control of a field: text, number, date, select; by its name to a screen reader."""
        return self.live.get_by_role("textbox", name=label, exact=True).or_(
            self.live.get_by_role("combobox", name=label, exact=True)
        )

    def group(self, label: str) -> Locator:
        """The fieldset of a field with several controls."""
        found = self.live.get_by_role("radiogroup", name=label, exact=True)
        # A group of tick boxes cannot bear aria-required, so its name says it.
        for name in (label, f"{label} required"):
            found = found.or_(self.live.get_by_role("group", name=name, exact=True))
        return found

    def fill(self, **texts: str) -> FormPage:
        """Type into boxes; underscores in names stand for blanks."""
        for label, text in texts.items():
            self.box(label.replace("_", " ")).fill(text)
        return self

    def choose(self, label: str, option: str) -> FormPage:
        """Press a radio button or a tick box by its words."""
        group = self.group(label)
        group.get_by_role("radio", name=option, exact=True).or_(
            group.get_by_role("checkbox", name=option, exact=True)
        ).check()
        return self

    def button(self, name: str) -> Locator:
        return self.live.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        """Click a button of ours, once it takes clicks: after half a second without moving."""
        button = self.button(name)
        bring_into_sight(button)
        self.wait_armed()
        button.click()

    def wait_armed(self) -> FormPage:
        """Until the buttons take clicks, and the form keys."""
        self.live.locator(".jme-cancel:not([aria-disabled])").wait_for()
        return self

    def problem(self, label: str) -> str:
        """What the field's ``aria-describedby`` says of it, when it is marked invalid; else ``""``."""
        bearer = self.group(label).or_(self.box(label)).first
        return str(
            bearer.evaluate(
                """node => node.getAttribute('aria-invalid') !== 'true' ? '' :
                (node.getAttribute('aria-describedby') ?? '').split(' ')
                .map(id => document.getElementById(id)).filter(line => line?.getAttribute('role') === 'alert')
                .map(line => line.textContent).join(' ')"""
            )
        )

    def expect_record(self, *words: str) -> None:
        """Wait until the page has made a record of it, with these words."""
        record = self.node.locator(".jme-record")
        for each in words:
            expect(record).to_contain_text(each)
        expect(self.live).to_have_count(0)

    def focused(self) -> Any:
        """What has focus: the label that names it, or ``None`` when it is outside the form."""
        return self.node.evaluate(
            """node => { const at = document.activeElement; if (!node.contains(at)) return null;
            return at.labels?.[0]?.textContent ?? at.textContent; }"""
        )
