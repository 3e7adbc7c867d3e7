"""Our own words by JupyterLab's translator, from a language pack that is installed beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_process import JupyterProcess
from playwright.sync_api import BrowserContext, expect

from .conftest import OPTIONS, disable
from .inbox_panel import InboxPanel
from .notebook_page import NotebookPage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

TEXTS = {
    "": {"domain": "jupyter_mcp_elicit", "language": "de-DE", "plural_forms": "nplurals=2; plural=(n != 1);"},
    "Submit": ["Senden"],
    "%1 asks": ["Es fragt %1"],
    "Text from server %1": ["Text des Servers %1"],
    "One answer needs another look: %2.": [
        "Eine Antwort noch einmal ansehen: %2.",
        "%1 Antworten noch einmal ansehen: %2.",
    ],
    "Questions": ["Fragen"],
    "%1 asked during %2": ["%1 fragte bei %2"],
}


def language_pack(folder: Path) -> Path:
    """What ``pip install jupyterlab-language-pack-de-DE`` would lay down, with a few words of ours."""
    messages = folder / "jupyterlab_language_pack_de_DE" / "locale" / "de_DE" / "LC_MESSAGES"
    messages.mkdir(parents=True)
    (folder / "jupyterlab_language_pack_de_DE" / "__init__.py").touch()
    (messages / "jupyter_mcp_elicit.json").write_text(json.dumps(TEXTS), "utf-8")
    about = folder / "jupyterlab_language_pack_de_DE-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: jupyterlab-language-pack-de-DE\nVersion: 1\n"
    )
    entry = "[jupyterlab.languagepack]\nde_DE = jupyterlab_language_pack_de_DE\n"
    (about / "entry_points.txt").write_text(entry)
    return folder


@pytest.fixture
def german(app: str, tmp_path: Path) -> Iterator[JupyterProcess]:
    """A Jupyter whose person set its language to German."""
    pack = language_pack(tmp_path / "packs")
    disable(tmp_path)
    chosen = tmp_path / "config" / "lab" / "user-settings" / "@jupyterlab" / "translation-extension"
    chosen.mkdir(parents=True)
    (chosen / "plugin.jupyterlab-settings").write_text('{"locale": "de_DE"}', "utf-8")
    process = JupyterProcess(tmp_path, app=app, options=OPTIONS, environment={"PYTHONPATH": str(pack)})
    yield process
    process.stop()


def test_form_record_and_inbox_speak_the_language_of_the_page(
    app: str, german: JupyterProcess, profile: BrowserContext
) -> None:
    given = {"guests": 4, "occasion": "birthday", "place": "long table"}
    call = f"_ = await bistro.call_tool('plan_party', {given})"
    cells = ["from jupyter_mcp_elicit import *\nbistro = await connect('bistro')", call]
    page = NotebookPage.create(profile.new_page(), german, app, cells)
    try:
        page.run_to_end(0)
        form = page.run_cell(1).form(1).wait().wait_armed()
        expect(form.live.locator(".jme-heading")).to_have_text("Es fragt bistro")
        expect(form.live.locator(".jme-caption")).to_have_text("Text des Servers bistro")
        # Not translated in this pack: as it is written.
        expect(form.button("Decline")).to_be_visible()
        form.button("Senden").click()
        expect(form.live.locator(".jme-summary")).to_have_text(
            "Eine Antwort noch einmal ansehen: Name on the cake."
        )
        page.page.evaluate("jupyterapp.commands.execute('jupyter-mcp-elicit:toggle-inbox')")
        inbox = InboxPanel(page.page)
        expect(page.page.get_by_role("region", name="Fragen", exact=True)).to_be_visible()
        form.press("Decline")
        expect(page.page.locator(".jme-inbox-earlier")).to_contain_text("bistro fragte bei plan_party")
        assert inbox.node.count() == 0
        page.wait_end(1)
    finally:
        page.page.close()
