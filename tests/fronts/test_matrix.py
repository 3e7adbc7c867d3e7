"""Every front end, run for real with the demo bistro: a form and an address, of a configured server and of a
connection of the kernel's own. VS Code and Colab are simulated, in ``test_webview.py``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import nbformat
import pytest
from browser.form_page import FormPage
from browser.notebook_page import NotebookPage
from browser.url_card import UrlCard
from jupyter_process import DEMO, JupyterProcess
from playwright.sync_api import BrowserContext, expect
from till_page import use

from .conftest import environment, serving
from .test_marimo import written
from .test_voila import LABEXTENSION

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

Kind = Literal["form", "address"]
#: A person answers; each question is cancelled at once, with the reason; or the server is told that nothing
#: can be opened, and finds another way.
Outcome = Literal["answered", "cancelled", "not asked"]

#: Front end, and what becomes of a form and of an address; the names are those of docs/frontends.md.
MATRIX: dict[str, tuple[Outcome, Outcome]] = {
    "JupyterLab": ("answered", "answered"),
    "Notebook 7": ("answered", "answered"),
    "Voila": ("answered", "not asked"),
    "marimo": ("answered", "answered"),
    "jupyter console": ("answered", "answered"),
    "nbclient": ("cancelled", "not asked"),
    "nbconvert": ("cancelled", "not asked"),
    "papermill": ("cancelled", "not asked"),
}

#: What the bistro hears; after a form that was only closed it asks once more.
HEARD: dict[Outcome, list[str]] = {"answered": ["accept"], "cancelled": ["cancel"] * 2, "not asked": []}

#: Where the connection is: a server of the configuration, and one of the kernel's own.
PLACES = ("configured", "own")
CALLS: dict[Kind, str] = {
    "form": "{place}.call_tool('order_coffee', {{'milk': 'oat'}})",
    "address": "{place}.call_tool('pay_deposit', {{'code': 'T1'}})",
}
#: In the order in which they are made.
STEPS = [(place, kind, CALLS[kind].format(place=place)) for place in PLACES for kind in CALLS]

IMPORTS = "import asyncio, sys\nimport ipywidgets\nfrom jupyter_mcp_elicit import *"


@dataclass
class Kitchen:
    """Two bistros: one of the configuration in ``folder``, and one that a notebook starts itself."""

    folder: Path

    def entry(self, place: str) -> dict[str, Any]:
        command, *args = DEMO
        return {"command": command, "args": [*args, "--journal", str(self.folder / f"{place}.jsonl")]}

    def start(self, place: str) -> str:
        """The code that starts it in the kernel."""
        entry = self.entry(place)
        return f"await connect({[entry['command'], *entry['args']]!r}, name='bistro')"

    @property
    def connect(self) -> str:
        return f"configured = await connect('bistro'); own = {self.start('own')}"

    def configure(self) -> None:
        """For kernels that have no Jupyter server of ours."""
        path = self.folder / "config" / "mcp.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"mcpServers": {"bistro": self.entry("configured")}}), "utf-8")
        path.chmod(0o600)

    def heard(self, place: str, kind: Kind) -> list[str]:
        """The actions that came for it."""
        path = self.folder / f"{place}.jsonl"
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
        tool = CALLS[kind].split("'")[1]
        return [each["action"] for each in lines if each["tool"] == tool and "action" in each]


Front = Callable[[Kitchen, BrowserContext], None]


def answer(kind: Kind, form: FormPage, card: UrlCard) -> None:
    """As a person who says yes."""
    if kind == "form":
        form.wait().choose("Size", "Large")
        form.press("Submit")
        return
    card.wait()
    tick = card.live.get_by_role("checkbox", name="Open it all the same")
    if tick.count():
        tick.check()
    till = card.open()
    url = till.url
    till.close()
    card.expect_status("waiting")
    use(url)


def in_jupyter(app: str) -> Front:
    def run(kitchen: Kitchen, browser: BrowserContext) -> None:
        options = [f"--{name}.expose_app_in_browser=True" for name in ("LabApp", "JupyterNotebookApp")]
        root = kitchen.folder / "jupyter"
        process = JupyterProcess(
            root, {"bistro": kitchen.entry("configured")}, app=app, options=tuple(options)
        )
        try:
            cells = [f"{IMPORTS}\n{kitchen.connect}", *(f"print(await {call})" for *_, call in STEPS)]
            with closing(browser.new_page()) as tab:
                page = NotebookPage.create(tab, process, app, cells).run_to_end(0)
                for number, (_, kind, _) in enumerate(STEPS, 1):
                    page.run_cell(number)
                    answer(kind, page.form(number), page.url(number))
                    page.wait_end(number)
        finally:
            process.stop()

    return run


def in_voila(kitchen: Kitchen, browser: BrowserContext) -> None:
    kitchen.configure()
    shutil.copytree(LABEXTENSION, kitchen.folder / "data" / "labextensions" / "jupyter-mcp-elicit")
    button = (
        "def button(number, ask):\n"
        "    output, made = ipywidgets.Output(), ipywidgets.Button(description=f'step {number}')\n"
        "    async def go():\n"
        "        with output:\n"
        "            result = await ask()\n"
        "        output.append_stdout(f'GOT {result}')\n"
        "    made.on_click(lambda _: tasks.append(asyncio.ensure_future(go())))\n"
        "    display(ipywidgets.VBox([made, output]).add_class(f'step-{number}'))\n"
        "tasks = []\n"
    )
    buttons = "\n".join(f"button({n}, lambda: {call})" for n, (*_, call) in enumerate(STEPS))
    write_notebook(kitchen.folder / "app.ipynb", [f"{IMPORTS}\n{kitchen.connect}", button + buttons])
    options = ["--no-browser", "--port={port}", "--Voila.ip=127.0.0.1"]
    home = "/voila/static/voila.js"
    with (
        serving(kitchen.folder, "voila", "app.ipynb", *options, home=home) as address,
        closing(browser.new_page()) as page,
    ):
        page.goto(address)
        for number, (_, kind, _) in enumerate(STEPS):
            page.get_by_role("button", name=f"step {number}", exact=True).click()
            place = page.locator(f".step-{number}")
            if kind == "form":
                answer(kind, FormPage(place), UrlCard(place, place))
            expect(place).to_contain_text("GOT")


def in_marimo(kitchen: Kitchen, browser: BrowserContext) -> None:
    kitchen.configure()
    steps = [f"{f'step{n - 1}; ' if n else ''}step{n} = await {call}" for n, (*_, call) in enumerate(STEPS)]
    last = f"mo.plain_text(f'END {{step{len(STEPS) - 1}}}')"
    first = "import sys\nimport marimo as mo\nfrom jupyter_mcp_elicit import connect\n%s"
    path = written(kitchen.folder, kitchen.connect, first, *steps, last)
    options = ["--headless", "--no-token", "-p", "{port}", str(path)]
    with (
        serving(kitchen.folder, "marimo", "run", *options, home="/health") as address,
        closing(browser.new_page()) as page,
    ):
        page.goto(address)
        body = page.locator("body")
        for _, kind, _ in STEPS:
            answer(kind, FormPage(body), UrlCard(body, body))
        expect(body).to_contain_text("END Thank you")


def in_console(kitchen: Kitchen, _: BrowserContext) -> None:
    pexpect = pytest.importorskip("pexpect", reason="there are no pseudo-terminals here")
    kitchen.configure()
    command = ["-m", "jupyter", "console", "--simple-prompt"]
    env = environment(kitchen.folder) | {"PYTHONUNBUFFERED": "1"}
    screen = pexpect.spawn(
        sys.executable, command, encoding="utf-8", timeout=40, env=env, dimensions=(50, 400)
    )
    try:
        screen.expect(r"In \[1\]: ")
        screen.sendline("from jupyter_mcp_elicit import *")
        screen.expect(r"In \[2\]: ")
        screen.sendline(kitchen.connect)
        for number, (_, kind, call) in enumerate(STEPS, 3):
            screen.expect(rf"In \[{number}\]: ")
            screen.sendline(f"print('RESULT', await {call})")
            if kind == "form":
                screen.expect("Large")
                screen.expect(r"\]: ")
                screen.sendline("Large")
                screen.expect("Send it")
                screen.sendline("yes")
            else:
                screen.expect(r"(http://127\.0\.0\.1:\d+/\S+)\r\n")
                address = screen.match[1]
                screen.expect("Type open")
                screen.sendline("open")
                screen.expect("A console shows that when you press Enter")
                screen.expect("Type done")
                use(address)
                screen.sendline("done")
            screen.expect("RESULT")
        screen.expect(rf"In \[{number + 1}\]: ")
    finally:
        screen.close(force=True)


def write_notebook(path: Path, cells: list[str]) -> None:
    made = [nbformat.v4.new_code_cell(each) for each in cells]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel}), path)


def by_program(*command: str) -> Front:
    def run(kitchen: Kitchen, _: BrowserContext) -> None:
        kitchen.configure()
        blocking = f"other = {kitchen.start('blocking')}\nother.call('order_coffee', {{'milk': 'oat'}})"
        calls = [f"await {call}" for *_, call in STEPS]
        write_notebook(kitchen.folder / "in.ipynb", [f"{IMPORTS}\n{kitchen.connect}", *calls, blocking])
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=kitchen.folder,
            env=environment(kitchen.folder),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said = [
            "\n".join(str(each.get("text") or each.data.get("text/plain")) for each in cell.outputs)
            for cell in nbformat.read(kitchen.folder / "out.ipynb", as_version=4).cells
        ]
        kinds = [kind for _, kind, _ in STEPS]
        for kind, words in zip([*kinds, "form"], said[1:], strict=True):
            if kind == "address":
                assert "Please pay at the counter" in words
            else:
                assert words.count("cancelled: it could not be shown") == 2
                assert "nobody was there to answer: run it in Jupyter, or give answers=[…]." in words
        assert kitchen.heard("blocking", "form") == HEARD["cancelled"]

    return run


EXECUTE = ("nbconvert", "--execute", "--to", "notebook")
FRONTS: dict[str, Front] = {
    "JupyterLab": in_jupyter("lab"),
    "Notebook 7": in_jupyter("notebook"),
    "Voila": in_voila,
    "marimo": in_marimo,
    "jupyter console": in_console,
    "nbclient": by_program("jupyter", "execute", "--output", "out.ipynb", "in.ipynb"),
    "nbconvert": by_program("jupyter", *EXECUTE, "--output", "out.ipynb", "in.ipynb"),
    "papermill": by_program("papermill", "--no-progress-bar", "in.ipynb", "out.ipynb"),
}


@pytest.mark.parametrize("front", MATRIX)
def test_a_form_and_an_address_are_answered_or_cancelled_with_a_reason_and_nothing_hangs(
    front: str, tmp_path: Path, browser: BrowserContext
) -> None:
    kitchen = Kitchen(tmp_path)
    FRONTS[front](kitchen, browser)
    form, address = MATRIX[front]
    expected = {(place, kind): HEARD[form if kind == "form" else address] for place, kind, _ in STEPS}
    assert {(place, kind): kitchen.heard(place, kind) for place, kind, _ in STEPS} == expected


@pytest.mark.parametrize("front", MATRIX)
def test_the_documentation_says_the_same(front: str) -> None:
    docs = Path(__file__).parents[2] / "docs" / "frontends.md"
    rows = [line.strip("| ").split(" | ") for line in docs.read_text("utf-8").splitlines() if front in line]
    names, form, address, sure = rows[0]
    told = form == "cancelled at once, with the reason", "the server is told" in address
    assert told == tuple(outcome != "answered" for outcome in MATRIX[front]), names
    assert sure.startswith("tested")
