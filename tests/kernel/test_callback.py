"""``elicitation_callback``: the questions of somebody's own ``mcp.Client`` appear in the notebook."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_process import JupyterProcess, wait_until
from kernel_client import KernelClient

from .words import says

SETUP = """
import asyncio
from jupyter_mcp_elicit import *
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

class Order(BaseModel):
    pieces: int
    note: str | None = None

bakery = MCPServer("bakery")

@bakery.tool()
async def order(ctx: Context) -> str:
    answer = await ctx.elicit("How many?", Order)
    return f"{answer.action} {answer.data if answer.action == 'accept' else ''}"

@bakery.tool()
async def pay(ctx: Context) -> str:
    return str(await ctx.elicit_url("Please pay.", "https://example.com/pay", "1"))

def client(**options):
    callback = elicitation_callback("bakery", **options)
    return Client(bakery, mode="legacy", elicitation_callback=callback)

async def call(tool="order", **options):
    async with client(**options) as connected:
        result = await connected.call_tool(tool, {})
        print(result.content[0].text)
"""


@pytest.fixture(scope="module")
def kernel(jupyter: JupyterProcess) -> Iterator[KernelClient]:
    client = KernelClient(jupyter)
    client.run(SETUP)
    yield client
    client.close()


def test_a_person_answers_a_question_of_their_own_client(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    cell = kernel.start("await call()")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    assert card["asker"]["name"] == "bakery"
    assert card["asker"]["transport"] == "connected in the kernel, a client in this notebook"
    assert jupyter.answer(card["id"], "accept", draft=[["pieces", "12"], ["note", None]])[0] == 200
    says(cell.wait(), "accept pieces=12 note=None")


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_no_and_a_closed_form_are_told_apart(
    jupyter: JupyterProcess, kernel: KernelClient, action: str
) -> None:
    cell = kernel.start("await call()")
    [card] = jupyter.wait_for_cards()
    assert jupyter.answer(card["id"], action)[0] == 200
    says(cell.wait(), f"\n{action} ")


def test_the_form_stands_under_the_cell_that_calls_not_under_the_one_that_connected(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    opening = kernel.run("connected = client()\n_ = await connected.__aenter__()")
    cell = kernel.start("print((await connected.call_tool('order', {})).content[0].text)")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids or opening.question_ids, "form somewhere")
    assert jupyter.answer(card["id"], "decline")[0] == 200
    says(cell.wait(), "decline ")
    assert "bakery asked" in cell.text
    assert opening.outputs == []


def test_an_interrupt_withdraws_the_question(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell = kernel.start("await call()")
    [card] = jupyter.wait_for_cards()
    kernel.interrupt()
    cell.wait()
    wait_until(lambda: jupyter.card(card["id"])["state"] == "withdrawn", "withdrawn question")


def test_a_script_answers_in_order(kernel: KernelClient) -> None:
    cell = kernel.run(
        "async with client(answers=[Accept({'pieces': 3}), Decline()]) as connected:\n"
        "    for _ in range(2):\n"
        "        print((await connected.call_tool('order', {})).content[0].text)"
    )
    assert "accept pieces=3 note=None" in says(cell, "\ndecline ")


def test_a_script_that_does_not_fit_is_a_cancel_for_the_server_and_said_in_the_notebook(
    kernel: KernelClient,
) -> None:
    cell = kernel.run("await call(answers=[Accept({'pieces': 'many'})])")
    says(cell, "\ncancel ")
    # Whoever logs may break the line.
    assert "pieces: Enter a whole number." in " ".join(says(cell, "was not shown").split())


def test_what_cannot_be_shown_is_refused_with_its_reason(kernel: KernelClient) -> None:
    cell = kernel.run("await call('pay')")
    says(cell, "This client shows questions in form mode only.")


def test_where_nobody_is_there_the_server_hears_cancel(jupyter: JupyterProcess) -> None:
    unattended = KernelClient(jupyter, interactive=False)
    try:
        unattended.run(SETUP)
        cell = unattended.run("await call()")
        says(cell, "\ncancel ")
        says(cell, "nobody is there to answer")
    finally:
        unattended.close()
