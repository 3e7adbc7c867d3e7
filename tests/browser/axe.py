"""axe-core over what is ours on a page, in the themes of JupyterLab."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")

#: WCAG 2.0 to 2.2, A and AA, and what axe calls good practice.
_RUN = """async selector => {
  const found = await axe.run(
    { include: [selector] },
    {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations', 'incomplete']
    }
  );
  const told = kind => found[kind].flatMap(rule =>
    rule.nodes.map(node => `${kind}: ${rule.id}: ${node.target.join(' ')}: ${node.html.slice(0, 160)} ${
      [...node.any, ...node.all, ...node.none].map(check => check.message).join('; ')}`));
  return [...told('violations'), ...told('incomplete')];
}"""

#: Shades at the edges of what scrolls; axe measures no contrast on a gradient, and would leave the text out.
_FLAT = ".jme *, .jme { background-image: none !important; transition: none !important; }"


def faults(page: Page, selector: str, themes: Sequence[str] = THEMES) -> list[str]:
    """What axe finds, and what it cannot decide, in everything that the selector names; in each theme."""
    page.add_style_tag(content=_FLAT)
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = []
    for theme in themes:
        wear(page, theme)
        found += [f"{theme}: {each}" for each in page.evaluate(_RUN, selector)]
    wear(page, THEMES[0])
    return found


def wear(page: Page, theme: str) -> None:
    """The theme, and its colours painted."""
    page.evaluate("theme => { jupyterapp.commands.execute('apputils:change-theme', { theme }); }", theme)
    page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
    # JupyterLab's curtain falls over the page while it changes, and stumbles when it is called again at once.
    page.locator("#jupyterlab-splash").wait_for(state="detached")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
