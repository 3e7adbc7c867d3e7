"""Connections that live in the kernel, to a URL, a command or a server object, ask like any other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

import psutil
import pytest
from jupyter_process import DEMO, JupyterProcess, wait_until
from kernel_client import KernelClient

from .words import says

#: A server object as somebody writes it in a notebook: it asks what the bistro asks.
OWN_SERVER = """
import asyncio, json, sys
from jupyter_mcp_elicit import *
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel, Field

class Order(BaseModel):
    size: str = Field(json_schema_extra={"enum": ["small", "medium", "large"]})

own = MCPServer("own")

@own.tool()
async def order_coffee(milk: str, ctx: Context) -> str:
    answer = await ctx.elicit("Which size?", Order)
    return f"{answer.action} {answer.data.size if answer.action == 'accept' else ''}"
"""

KINDS = ["url", "command", "thing"]
WAYS = ["await {}.call_tool('order_coffee', {{'milk': 'oat'}})", "{}.call('order_coffee', {{'milk': 'oat'}})"]
each_kind = pytest.mark.parametrize("kind", KINDS)
each_way = pytest.mark.parametrize("way", WAYS, ids=["awaiting", "blocking"])


@pytest.fixture(scope="module")
def bistro_url() -> Iterator[str]:
    """The demo bistro over HTTP."""
    process = subprocess.Popen([*DEMO, "--http"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    yield process.stderr.readline().split()[-1]
    process.kill()
    process.wait(10)
    process.stderr.close()


def connect_all(kernel: KernelClient, url: str, more: str = "") -> None:
    """In the kernel: ``url``, ``command`` and ``thing``, one connection of each kind."""
    code = (
        f"{OWN_SERVER}\n"
        f"url = await connect({url!r}{more})\n"
        f"command = await connect({DEMO!r}{more})\n"
        f"thing = await connect(own{more})\n"
    )
    cell = kernel.run(code, 60)
    assert cell.reply is not None
    assert cell.reply["status"] == "ok", cell.text


@pytest.fixture(scope="module")
def kernel(jupyter: JupyterProcess, bistro_url: str) -> Iterator[KernelClient]:
    """One kernel with the three connections, and a person at its page."""
    client = KernelClient(jupyter)
    connect_all(client, bistro_url)
    yield client
    client.close()


@pytest.fixture(scope="module")
def unattended(jupyter: JupyterProcess, bistro_url: str) -> Iterator[KernelClient]:
    """The same, as programs run notebooks."""
    client = KernelClient(jupyter, interactive=False)
    connect_all(client, bistro_url)
    yield client
    client.close()


def size(card: dict[str, object], label: str) -> list[list[object]]:
    [field] = card["fields"]  # type: ignore[misc]
    [key] = [option["key"] for option in field["options"] if option["label"].lower() == label]
    return [["size", key]]


@each_way
@each_kind
def test_a_person_answers_under_the_cell(
    jupyter: JupyterProcess, kernel: KernelClient, kind: str, way: str
) -> None:
    cell = kernel.start(f"print({way.format(kind)})")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    assert card["asker"]["kind"] == "server"
    assert card["asker"]["transport"].startswith("connected in the kernel, ")
    assert card["cause"]["tool"] == "order_coffee"
    status, shape = jupyter.answer(card["id"], "accept", draft=size(card, "large"))
    assert status == 200, shape
    says(cell.wait(), "large")
    assert jupyter.card(card["id"])["state"] == "accepted"
    assert "accepted" in cell.text
    assert cell.question_ids == []


@each_way
@each_kind
def test_what_is_declined_is_declined_for_the_server(
    jupyter: JupyterProcess, kernel: KernelClient, kind: str, way: str
) -> None:
    cell = kernel.start(f"print({way.format(kind)})")
    [card] = jupyter.wait_for_cards()
    assert jupyter.answer(card["id"], "decline")[0] == 200
    cell.wait()
    says(cell, "asked during order_coffee · declined")
    if kind == "thing":
        says(cell, "\ndecline ")


@each_way
@each_kind
def test_an_interrupt_withdraws_the_question_and_leaves_the_connection_usable(
    jupyter: JupyterProcess, kernel: KernelClient, kind: str, way: str
) -> None:
    cell = kernel.start(way.format(kind))
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    kernel.interrupt()
    cell.wait()
    wait_until(lambda: jupyter.card(card["id"])["state"] == "withdrawn", "withdrawn question")
    says(cell, "taken back")
    assert cell.reply is not None
    assert cell.reply["status"] == "error"
    cell = kernel.run(f"print([tool.name for tool in await {kind}.list_tools()])")
    says(cell, "order_coffee")


@each_kind
def test_a_script_answers_in_order_and_is_recorded_as_a_script(
    kernel: KernelClient, kind: str, bistro_url: str
) -> None:
    target = {"url": repr(bistro_url), "command": repr(DEMO), "thing": "own"}[kind]
    awaiting, blocking = (way.format("scripted") for way in WAYS)
    cell = kernel.run(
        f"scripted = await connect({target}, answers=[Accept({{'size': 'medium'}}), Decline()])\n"
        f"print({awaiting}); print({blocking})",
        60,
    )
    assert "accepted by script" in says(cell, "declined by script")
    says(cell, "medium")


@each_way
def test_a_script_may_be_a_function_that_leaves_some_questions_to_the_person(
    jupyter: JupyterProcess, kernel: KernelClient, way: str
) -> None:
    kernel.run(
        "seen = []\n"
        "def script(question):\n"
        "    seen.append((question.message, question.server, question.tool, question.fields))\n"
        "    return Accept({'size': 'small'}) if len(seen) == 1 else None\n"
        "scripted = await connect(own, answers=script, name='The corner shop')"
    )
    says(kernel.run(f"print({way.format('scripted')})"), "accept small")
    cell = kernel.start(f"print({way.format('scripted')})")
    [card] = jupyter.wait_for_cards()
    assert card["asker"]["name"] == "The corner shop"
    assert jupyter.answer(card["id"], "decline")[0] == 200
    says(cell.wait(), "decline ")
    says(kernel.run("print(seen[1])"), "('Which size?', 'The corner shop', 'order_coffee', ('size',))")


@each_way
@each_kind
def test_where_nobody_is_there_the_question_is_cancelled_at_once_with_the_reason(
    unattended: KernelClient, kind: str, way: str
) -> None:
    cell = unattended.run(f"print({way.format(kind)})")
    says(cell, "nobody is there to answer")
    assert cell.question_ids == []
    if kind == "thing":
        says(cell, "\ncancel ")


@each_way
def test_where_nobody_is_there_a_script_still_answers(unattended: KernelClient, way: str) -> None:
    connecting = "scripted = await connect(own, answers=[Accept({'size': 'small'})])"
    cell = unattended.run(f"{connecting}\nprint({way.format('scripted')})")
    says(cell, "accept small")


@each_way
def test_where_nobody_is_there_a_script_may_leave_no_question_to_a_person(
    jupyter: JupyterProcess, unattended: KernelClient, way: str
) -> None:
    cell = unattended.run(
        f"scripted = await connect(own, answers=lambda question: None)\n{way.format('scripted')}"
    )
    text = says(cell, "The script leaves the question 'Which size?' to a person, and nobody is there")
    assert "Traceback" not in text
    wait_until(lambda: not jupyter.open_cards() or None, "end of the question")


def test_more_calls_at_once_than_a_pool_has_threads_all_ask(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from jupyter_mcp_elicit.kernel.background import Background\n"
        "for loop in (asyncio.get_running_loop(), Background.loop()):\n"
        "    loop.set_default_executor(ThreadPoolExecutor(1))\n"
        "bistro = await connect('bistro')"
    )
    for server in ("thing", "bistro"):
        calls = ", ".join([WAYS[0].removeprefix("await ").format(server)] * 3)
        cell = kernel.start(f"len(await asyncio.gather({calls}))")
        for card in jupyter.wait_for_cards(3):
            assert jupyter.answer(card["id"], "decline")[0] == 200
        says(cell.wait(), "\n3")


def test_a_connection_that_nobody_holds_any_more_ends_with_its_process(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    pid = int(kernel.run("import os, gc; print(os.getpid())").text)
    before = {each.pid for each in psutil.Process(pid).children()}
    kernel.run(f"again = await connect({DEMO!r})", 60)
    [started] = [each for each in psutil.Process(pid).children() if each.pid not in before]
    kernel.run("del again; _ = gc.collect()")
    wait_until(lambda: not started.is_running() or None, "end of the process")


def test_a_closed_connection_ends_its_process_and_opens_again_at_the_next_call(kernel: KernelClient) -> None:
    cell = kernel.run(
        f"short = await connect({DEMO!r}, answers=[Decline()])\n"
        "short.close()\n"
        "_ = await short.call_tool('order_coffee', {'milk': 'oat'})",
        60,
    )
    says(cell, "declined by script")


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("'http://127.0.0.1:1/mcp'", 'The server "127.0.0.1:1" cannot be reached'),
        ("['no-such-program-here']", 'There is no command "no-such-program-here"'),
        ([sys.executable, "-c", "raise SystemExit('no coffee today')"], "no coffee today"),
        ("[]", "A command must be a list of text"),
        ("object()", "An object of the type object is no MCP server."),
        ("'bistro', era='legacy'", "name=, era= and elicitation= are for servers that are not configured"),
        ("own, era='modern'", "The era must be one of"),
    ],
)
def test_what_cannot_be_connected_to_is_told_in_one_sentence(
    kernel: KernelClient, target: object, words: str
) -> None:
    cell = kernel.run(f"await connect({target})")
    assert "Traceback" not in says(cell, words)


def test_a_question_that_the_jupyter_server_refuses_is_refused_to_the_mcp_server_with_the_reason(
    start_jupyter: Callable[..., JupyterProcess],
) -> None:
    strict = start_jupyter({}, options=("--ElicitApp.schema_policy=strict",))
    client = KernelClient(strict)
    cell = client.run(
        f"{OWN_SERVER}\n"
        "@own.tool()\n"
        "async def ask_loosely(ctx: Context) -> str:\n"
        "    schema = {'type': 'object', 'properties': {'a': {'type': ['string', 'null']}}}\n"
        "    try:\n"
        "        return str(await ctx.session.elicit_form('Well?', schema))\n"
        "    except Exception as error:\n"
        "        return f'told: {error.error.code} {error}'\n"
        "print(await (await connect(own)).call_tool('ask_loosely'))",
        60,
    )
    says(cell, "told: -32602 ")
    client.close()


def test_a_secret_in_a_url_is_shown_nowhere(kernel: KernelClient) -> None:
    cell = kernel.run("await connect('http://ada:hunter2@127.0.0.1:1/mcp?token=hunter3')")
    assert "hunter" not in says(cell, "cannot be reached")
