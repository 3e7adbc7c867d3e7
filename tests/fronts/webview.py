"""A page as VS Code and Colab have it, played by JupyterLab: a kernel and our widget, no more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from browser.notebook_page import NotebookPage
from browser.tabs import Tabs
from jupyter_process import JupyterProcess
from playwright.sync_api import BrowserContext, Route

LABEXTENSION = "jupyter-mcp-elicit"
OPTIONS = ("--LabApp.expose_app_in_browser=True",)
WIDGETS = "@jupyter-widgets/jupyterlab-manager"
ANNOUNCEMENTS = "@jupyterlab/apputils-extension:announcements"


def start(root: Path, *, server_extension: bool = False, widgets: bool = True) -> JupyterProcess:
    """JupyterLab without our labextension, and without our server extension unless told so.

    ``widgets``: whether it shows any at all.
    """
    config = root / "config"
    (config / "labconfig").mkdir(parents=True)
    disabled = dict.fromkeys((ANNOUNCEMENTS, LABEXTENSION, *(() if widgets else (WIDGETS,))), True)
    (config / "labconfig" / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}))
    extensions = {"jpserver_extensions": {"jupyter_mcp_elicit": server_extension}}
    (config / "jupyter_server_config.json").write_text(json.dumps({"ServerApp": extensions}))
    return JupyterProcess(root, {}, app="lab", options=OPTIONS)


class Webview:
    """One tab for one notebook after the other, in one kernel.

    ``ours``: what the page asked for below ``mcp-elicit/``, where every request fails.
    """

    def __init__(self, browser: BrowserContext, jupyter: JupyterProcess) -> None:
        self._jupyter = jupyter
        self._tabs = Tabs(browser, lasting=True)
        self.ours: list[str] = []
        status, shape = jupyter.request("POST", "api/kernels", {"name": "python3"})
        assert status == 201, shape
        self._kernel_id = str(shape["id"])

    def open(self, cells: Sequence[str]) -> NotebookPage:
        """Give it back before the next one."""
        tab = self._tabs.take()
        tab.route("**/mcp-elicit/**", self._fail)
        page = NotebookPage.create(tab, self._jupyter, "lab", cells, kernel_id=self._kernel_id)
        # JupyterLab has read it by now. A webview has none, so the widget may not find one either.
        tab.evaluate("document.getElementById('jupyter-config-data')?.remove()")
        return page

    def give_back(self, page: NotebookPage) -> None:
        tab = page.leave()
        tab.unroute_all()
        self._tabs.give_back(tab)

    def _fail(self, route: Route) -> None:
        self.ours.append(route.request.url)
        route.abort()
