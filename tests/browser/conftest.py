"""A real front end in a real browser, shared as far as tests leave it as it was."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import DEMO, JupyterProcess
from playwright.sync_api import BrowserContext

from .browser import open_browser
from .journal import Journal
from .notebook_page import NotebookPage
from .shop import NAME, Shop, open_shop
from .tabs import Tabs
from .warm_kernel import WarmKernel

SERVERS = Path(__file__).parent / "servers"
DOORMAN = Path(__file__).parents[1] / "server" / "servers" / "doorman.py"
SCRIBE = DOORMAN.with_name("scribe.py")

#: What a test may ask the page itself; and no toast about news over the form.
OPTIONS = ("--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True")
ANNOUNCEMENTS = "@jupyterlab/apputils-extension:announcements"

#: Notebook 7.6 throws this by itself, without any extension of ours.
NOT_OURS = "reading 'schema'"

#: Questions inside results, and the last revision in which servers push them.
ROUNDS, PUSHED = "2026-07-28", "2025-11-25"

OpenNotebook = Callable[..., NotebookPage]


def start(root: Path, app: str) -> JupyterProcess:
    """JupyterLab or Notebook 7 with the bistro, also in an older revision, and servers for every purpose."""
    disable(root)
    process = JupyterProcess(root, {}, app=app, options=OPTIONS)
    asker = {"command": sys.executable, "args": [str(SERVERS / "asker.py")], "era": PUSHED}
    doorman = {"command": sys.executable, "args": [str(DOORMAN)], "era": PUSHED}
    twin = {"command": sys.executable, "args": [*DEMO[1:], "--hostile"]}
    process.configure(
        {
            "bistro": process.bistro(),
            "pushing": process.bistro(era=PUSHED),
            "hasty": process.bistro(era=PUSHED, deadline=8),
            "asker": asker,
            "doorman": doorman,
            "scribe": {"command": sys.executable, "args": [str(SCRIBE)], "era": ROUNDS},
            "twin": {**twin, "era": ROUNDS},
            "pushing_twin": {**twin, "era": PUSHED},
        }
    )
    return process


def disable(root: Path, *extensions: str) -> None:
    """Pages that load from now on are without these extensions of the front end."""
    config = root / "config" / "labconfig" / "page_config.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(json.dumps({"disabledExtensions": dict.fromkeys((ANNOUNCEMENTS, *extensions), True)}))


@pytest.fixture
def jp_asyncio_loop() -> None:
    """Instead of pytest-jupyter's for every test: the browser's driver runs the loop of this thread."""


@pytest.fixture
def jp_server_cleanup() -> None:
    """As above; no Jupyter server runs in this process."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Of a test that failed, what the person would have seen."""
    report = yield
    opened: list[NotebookPage] = getattr(item, "funcargs", {}).get("opened", [])
    if report.when == "call" and report.failed:
        for page in opened:
            path = item.funcargs["tmp_path"] / f"{page.name}.png"  # type: ignore[attr-defined]
            page.page.screenshot(path=path)
            report.sections.append(("The page", str(path)))
    return report


@pytest.fixture(scope="session", params=["lab", "notebook"])
def app(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def jupyter(app: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    process = start(tmp_path_factory.mktemp(app), app)
    yield process
    process.stop()


@pytest.fixture(scope="session")
def warm_kernel(jupyter: JupyterProcess) -> WarmKernel:
    return WarmKernel(jupyter)


@pytest.fixture(scope="session")
def browser_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browser has compiled of JupyterLab: half of a page's loading time."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """A site on the web, where addresses of questions lead to."""
    with open_shop(tmp_path_factory.mktemp("shop")) as opened:
        yield opened


@pytest.fixture(scope="module")
def profile(browser_folder: Path, shop: Shop) -> Iterator[BrowserContext]:
    # Not for the session: while it is open, no other test of this thread could run an event loop.
    with open_browser(browser_folder, places={NAME: shop.place}) as opened:
        yield opened


@pytest.fixture(scope="module")
def tabs(app: str, profile: BrowserContext) -> Tabs:
    return Tabs(profile, lasting=app == "lab")


@pytest.fixture
def opened(tmp_path: Path) -> list[NotebookPage]:
    """The notebooks of this test, each in a tab."""
    return []


@pytest.fixture
def open_notebook(
    app: str,
    jupyter: JupyterProcess,
    tabs: Tabs,
    warm_kernel: WarmKernel,
    opened: list[NotebookPage],
) -> Iterator[OpenNotebook]:
    """Opens notebooks with the cells that a test needs; the first cell, which connects, has run.

    ``fresh``: in a page that nobody has used, for tests that reload it, or load it with less.
    At the end no script of a page has failed, and no page asked anybody else for anything.
    """
    kernel_id = warm_kernel.take()

    def open_it(*cells: str | dict[str, Any], server: str = "bistro", fresh: bool = False) -> NotebookPage:
        first = f"from jupyter_mcp_elicit import *\n{server} = await connect({server!r})"
        tab = tabs.take(fresh=fresh)
        page = NotebookPage.create(tab, jupyter, app, [first, *cells], kernel_id=kernel_id)
        opened.append(page)
        page.fresh = fresh
        page.run_to_end(0)
        assert page.output(0).inner_text() == ""
        return page

    yield open_it
    for page in opened:
        tabs.give_back(page.leave(), fresh=page.fresh)
    warm_kernel.give_back(kernel_id)
    assert [error for page in opened for error in page.errors if NOT_OURS not in error] == []
    assert [url for page in opened for url in page.strangers] == []


@pytest.fixture
def journal(jupyter: JupyterProcess) -> Journal:
    """What the bistro hears during this test."""
    return Journal(jupyter)
