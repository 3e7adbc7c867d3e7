"""Pages of the front end, used again while tests leave them well: JupyterLab takes seconds to load."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page

#: Closes every notebook, and says whether nothing is left of them.
_CLEAR = """() => {
  const { shell } = window.jupyterapp ?? {};
  if (shell === undefined || document.querySelector('.jp-Dialog') !== null) return false;
  for (const panel of [...shell.widgets('main')]) panel.dispose();
  return document.querySelector('.jp-Notebook') === null;
}"""


class Tabs:
    """The tabs of one browser. ``lasting``: the front end can show another notebook in the same page."""

    def __init__(self, profile: BrowserContext, *, lasting: bool) -> None:
        self._profile = profile
        self._lasting = lasting
        self._idle: Page | None = None

    def take(self, *, fresh: bool = False) -> Page:
        """A page, blank or with the front end in it and no notebook."""
        if fresh or self._idle is None:
            return self._profile.new_page()
        page, self._idle = self._idle, None
        return page

    def give_back(self, page: Page, *, fresh: bool = False) -> None:
        """Kept when it can be used again, else closed."""
        if fresh or not self._lasting or self._idle is not None or not page.evaluate(_CLEAR):
            page.close()
        else:
            self._idle = page
