"""marimo: a runtime of its own, whose page is heard between cells only."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.form_page import FormPage
from browser.url_card import UrlCard
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import Bistro, environment, serving

pytestmark = pytest.mark.browser

CELLS = [
    """
    import sys
    import marimo as mo
    from jupyter_mcp_elicit import ElicitationForm, connect
    %s
    schema = {"type": "object", "properties": {"town": {"type": "string", "title": "Town"}}}
    """,
    "awaited = await bistro.call_tool('order_coffee', {'milk': 'oat'})",
    "awaited; blocked = bistro.call('order_coffee', {'milk': 'cow'})",
    "blocked; form = ElicitationForm('Where?', schema); form",
    "own = await form.wait()",
    "own; address = await bistro.call_tool('pay_deposit', {'code': 'T1'})",
    """
    text = f"AWAITED {awaited} {awaited.note} BLOCKED {blocked} {blocked.note} OWN {own.content} {address}"
    """,
    "mo.plain_text(text)",
]


def written(folder: Path, connect: str, *cells: str) -> Path:
    """A notebook of these cells, which the editor runs as soon as it is open."""
    first, *rest = cells
    parts = ["import marimo\napp = marimo.App()\n"]
    for each in (first % connect, *rest):
        lines = "\n".join(f"    {line.strip()}" for line in each.strip().splitlines())
        parts.append(f"@app.cell\nasync def _():\n{lines}\n    return\n")
    parts.append('if __name__ == "__main__":\n    app.run()\n')
    path = folder / "app.py"
    path.write_text("\n\n".join(parts), "utf-8")
    (folder / "pyproject.toml").write_text("[tool.marimo.runtime]\nauto_instantiate = true\n", "utf-8")
    return path


@pytest.fixture(params=["run", "edit"])
def page(
    request: pytest.FixtureRequest, tmp_path: Path, browser: BrowserContext, bistro: Bistro
) -> Iterator[Page]:
    """The notebook as an application, and in its editor; its cells run."""
    path = written(tmp_path, bistro.connect, *CELLS)
    options = ["--headless", "--no-token", "-p", "{port}"]
    with serving(tmp_path, "marimo", request.param, *options, str(path), home="/health") as address:
        page = browser.new_page()
        page.goto(address)
        yield page
        page.close()


def test_forms_are_answered_while_a_cell_awaits_and_while_one_blocks(page: Page, bistro: Bistro) -> None:
    form = FormPage(page.locator("body"))
    form.wait().choose("Size", "Large")
    form.press("Submit")
    expect(page.locator("body")).to_contain_text("bistro asked during order_coffee · accepted")
    form.wait().choose("Size", "Small")
    form.press("Submit")
    form.fill(Town="Bergen")
    form.press("Submit")
    # An address comes the same way; the bistro takes a no.
    address = UrlCard(page.locator("body"), page.locator("body"))
    expect(address.live).to_contain_text("Please pay the deposit")
    address.press("Decline")
    expect(page.locator("body")).to_contain_text("AWAITED One large coffee with oat milk.")
    expect(page.locator("body")).to_contain_text("BLOCKED One small coffee with cow milk.")
    expect(page.locator("body")).to_contain_text("OWN {'town': 'Bergen'}")
    expect(page.locator("body")).to_contain_text("No deposit then")
    expect(form.live).to_have_count(0)
    heard = bistro.take()
    assert [each["content"]["size"] for each in heard[:2]] == ["large", "small"]
    assert [each["action"] for each in heard] == ["accept", "accept", "decline"]


@pytest.mark.parametrize("how", ["export", "script"])
def test_what_runs_for_nobody_is_cancelled_at_once(how: str, tmp_path: Path, bistro: Bistro) -> None:
    asks = [*CELLS[:3], "print('NOTE', awaited.note, blocked.note)"]
    path = written(tmp_path, bistro.connect, *asks)
    export = ["-m", "marimo", "export", "html", str(path), "-o", "out.html"]
    done = subprocess.run(
        [sys.executable, *(export if how == "export" else [str(path)])],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "nobody was there to answer: run it in Jupyter, or give answers=[…]." in said
    assert [each["action"] for each in bistro.take()] == ["cancel"] * 4
