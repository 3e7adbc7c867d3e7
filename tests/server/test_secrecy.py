"""What a person answered goes to the one who asked, and is written down nowhere else."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import DEMO, JupyterProcess
from kernel_client import Cell, KernelClient

from .conftest import ALONE, form, raw

pytestmark = pytest.mark.timeout(120)

#: Every logger of the process, and all that they have to say.
TALKATIVE = """
c.ServerApp.log_level = 10
c.ServerApp.logging_config = {"loggers": {"": {"level": "DEBUG", "handlers": ["console"]}}}
"""


BOOKING = {"email": "ada@example.org", "date": "2026-12-24", "time": "19:30", "seating": "bar"}


def planted(what: str) -> str:
    """A value that nobody would write by chance, of a shape that no mask knows."""
    return f"Planted {what} Zq7"


def reversed_code(what: str) -> str:
    """Code that makes the value without holding it."""
    return f"{planted(what)[::-1]!r}[::-1]"


def save(jupyter: JupyterProcess, cells: list[Cell]) -> None:
    """Save a notebook with these outputs, as a front end does."""
    outputs = [
        {"output_type": "display_data", "data": each["data"], "metadata": {}}
        for cell in cells
        for each in cell.outputs
        if "data" in each
    ]
    cell = {
        "cell_type": "code",
        "id": "a",
        "source": "",
        "metadata": {},
        "execution_count": 1,
        "outputs": outputs,
    }
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    status, shape = jupyter.request(
        "PUT", "api/contents/answered.ipynb", {"type": "notebook", "format": "json", "content": content}
    )
    assert status == 201, shape


def holding(root: Path, text: str) -> list[str]:
    """The files below ``root`` that hold the text, but for the demo server's own journal."""
    wanted = text.encode()
    files = (each for each in root.rglob("*") if each.is_file() and each.name != "journal.jsonl")
    return [str(each.relative_to(root)) for each in files if wanted in each.read_bytes()]


def test_an_answer_is_found_nowhere_but_at_the_one_who_asked(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "jupyter_server_config.py").write_text(TALKATIVE)
    with bistro_over_http(tmp_path / "journal.jsonl") as url:
        servers = {"raw": raw(), "modern": raw("modern"), "bistro": {"url": url, "era": "2025-11-25"}}
        jupyter = JupyterProcess(tmp_path, servers, options=ALONE)
        try:
            told = answer_in_every_way(jupyter)
        finally:
            jupyter.stop()
    # All of it was written down, only not the answers.
    assert told.count('"delivery": "done"') >= 6
    assert "mcp-elicit/elicitations/" in jupyter.log()
    assert "httpcore" in jupyter.log() or "HTTP Request: POST" in jupyter.log()
    assert planted("over http") in (tmp_path / "journal.jsonl").read_text("utf-8")
    for what in ("draft", "content", "rounds", "blocking", "asked", "scripted", "over http", "refused"):
        assert planted(what) not in told, what
        assert holding(tmp_path, planted(what)) == [], what


@contextmanager
def bistro_over_http(journal: Path) -> Iterator[str]:
    """The demo server on a free port; gives its URL."""
    command = [*DEMO, "--http", "--journal", str(journal)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().split()[-1]
        finally:
            process.terminate()


def answer_in_every_way(jupyter: JupyterProcess) -> str:
    """Answers in every way there is; gives what pages and notebooks were told, as text."""
    push = {"params": form("Name?", name={"type": "string", "maxLength": 30})}
    rounds = {"rounds": 1, "requests": {"q": {"method": "elicitation/create", **push}}}
    schema = push["params"]["requestedSchema"]
    cells = []
    with closing(KernelClient(jupyter)) as kernel, closing(jupyter.websocket("mcp-elicit/events")) as page:
        kernel.run("from jupyter_mcp_elicit import *")
        kernel.run("raw, modern = await connect('raw'), await connect('modern')", 60)
        kernel.run("bistro = await connect('bistro')", 60)
        for what, call, said in (
            ("draft", f"(await raw.call_tool('push', {push})).text", "draft"),
            ("content", f"(await raw.call_tool('push', {push})).text", "content"),
            ("rounds", f"(await modern.call_tool('rounds', {rounds})).text", "draft"),
            ("blocking", f"raw.call('push', {push}).text", "draft"),
            ("over http", "(await bistro.call_tool('book_table', {'party': 2})).text", "booking"),
            ("asked", f"(given := await ask('Name?', {schema})).content['name']", "draft"),
        ):
            # The cell knows the answer, and shows what it was given to show.
            cells.append(kernel.start(f"answer = {call}\nassert {reversed_code(what)} in answer\nanswer[:0]"))
            [card] = jupyter.wait_for_cards()
            refused = [["name", planted("refused") * 5]]
            assert jupyter.answer(card["id"], "accept", draft=refused)[0] == 422
            content = {**BOOKING, "name": planted(what)} if said == "booking" else {"name": planted(what)}
            value: Any = [["name", planted(what)]] if said == "draft" else content
            key = "draft" if said == "draft" else "content"
            assert jupyter.answer(card["id"], "accept", **{key: value})[0] == 200
            assert cells[-1].wait().reply["status"] == "ok", cells[-1].text
        answers = f"[Accept({{'name': {reversed_code('scripted')}}})]"
        cells.append(kernel.run(f"script = await connect('raw', answers={answers})"))
        cells.append(kernel.run(f"answer = (await script.call_tool('push', {push})).text"))
        cells.append(kernel.run(f"assert {reversed_code('scripted')} in answer\ngiven"))
        assert cells[-1].reply["status"] == "ok", cells[-1].text
        save(jupyter, cells)
        events = [json.loads(page.recv())]
        while '"done"' not in json.dumps(events[-1]) or "policy" not in json.dumps(events[-1]):
            events.append(json.loads(page.recv()))
    return json.dumps([cell.outputs for cell in cells]) + json.dumps(events)
