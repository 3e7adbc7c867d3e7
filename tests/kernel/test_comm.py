"""Front ends that have a kernel but no Jupyter server of ours: the form answers over its own comm."""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Iterator
from typing import Any

import pytest
from bare_kernel import run_as_page
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

WIDGET = "application/vnd.jupyter.widget-view+json"

SETUP = """
from jupyter_mcp_elicit import *
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

class Order(BaseModel):
    pieces: int

bakery = MCPServer("bakery")

@bakery.tool()
async def order(ctx: Context) -> str:
    answer = await ctx.elicit("How many?", Order)
    return f"{answer.action} {answer.data if answer.action == 'accept' else ''}"

@bakery.tool()
async def pay(ctx: Context, url: str) -> str:
    answer = await ctx.elicit_url("Pay there?", url, "till-1")
    if answer.action == "accept":
        await ctx.session.send_elicit_complete("till-1")
    return f"pay: {answer.action}"

bakery = await connect(bakery)
"""


class FrontEnd:
    """Runs one cell at a time and hears what the kernel says, as VS Code does."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client
        self.outputs: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []
        self._cell = ""

    def start(self, code: str) -> None:
        self.outputs, self.heard = [], []
        self._cell = run_as_page(self._client, code)

    def finish(self) -> str:
        """All that the cell says, when it is over."""
        self._listen(
            lambda message: message["msg_type"] == "status" and self._ends(message), "end of the cell"
        )
        return "\n".join(
            str(each.get("text") or each.get("data", {}).get("text/plain") or each.get("traceback"))
            for each in self.outputs
        )

    def form(self) -> str:
        """The comm of the form that appears."""
        self._listen(lambda _: any(WIDGET in each.get("data", {}) for each in self.outputs), "form")
        data = next(each["data"] for each in self.outputs if WIDGET in each.get("data", {}))
        # No renderer by the question's id: only a Jupyter server would know it.
        assert set(data) == {WIDGET, "text/plain", "text/html"}
        return str(data[WIDGET]["model_id"])

    def send(self, comm: str, said: dict[str, Any]) -> dict[str, Any]:
        """What the form's page says; gives what the kernel says to it."""
        self.heard.clear()
        self.tell(comm, {"type": "answer", "answerId": "1", **said})
        self._listen(lambda _: any(each.get("type") == "result" for each in self.heard), "reply to the page")
        return next(each for each in self.heard if each.get("type") == "result")

    def tell(self, comm: str, said: dict[str, Any]) -> None:
        """What the form's page says without a reply."""
        data = {"method": "custom", "content": said}
        message = self._client.session.msg("comm_msg", {"comm_id": comm, "data": data})
        self._client.shell_channel.send(message)

    def _ends(self, message: dict[str, Any]) -> bool:
        return bool(
            message["content"].get("execution_state") == "idle"
            and message["parent_header"].get("msg_id") == self._cell
        )

    def _listen(self, done: Any, what: str) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                message = self._client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            self._take(message)
            if done(message):
                return
        raise AssertionError(f"There is still no {what}: {self.outputs}")

    def _take(self, message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] in ("display_data", "execute_result", "stream", "error"):
            self.outputs.append(content)
        elif message["msg_type"] == "update_display_data":
            for each in self.outputs:
                if each.get("transient") == content["transient"]:
                    each["data"] = content["data"]
        elif message["msg_type"] == "comm_msg" and content["data"].get("method") == "custom":
            self.heard.append(content["data"]["content"])


@pytest.fixture(scope="module")
def front_end() -> Iterator[FrontEnd]:
    manager, client = start_new_kernel(kernel_name="python3")
    front_end = FrontEnd(client)
    front_end.start(SETUP)
    front_end.finish()
    yield front_end
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_a_form_under_an_awaiting_cell_is_corrected_and_answered(front_end: FrontEnd) -> None:
    front_end.start("print(await bakery.call_tool('order'))")
    comm = front_end.form()
    reply = front_end.send(comm, {"action": "accept", "draft": [["pieces", "many"]]})
    assert (reply["status"], [name for name, _ in reply["problems"]]) == (422, ["pieces"])
    reply = front_end.send(comm, {"action": "accept", "draft": [["pieces", "12"]], "answerId": "2"})
    assert (reply["status"], reply["card"]["state"]) == (200, "accepted")
    said = front_end.finish()
    assert "accept pieces=12" in said
    assert "bakery asked during order · accepted" in said


def test_what_would_be_sent_is_shown_before_anything_is(front_end: FrontEnd) -> None:
    front_end.start("print(await bakery.call_tool('order'))")
    comm = front_end.form()
    reply = front_end.send(comm, {"type": "preview", "draft": [["pieces", "12"]]})
    assert (reply["status"], json.loads(reply["content"])) == (200, {"pieces": 12})
    reply = front_end.send(comm, {"type": "preview", "draft": [["pieces", "many"]]})
    assert (reply["status"], [name for name, _ in reply["problems"]]) == (422, ["pieces"])
    assert front_end.send(comm, {"action": "decline"})["status"] == 200
    assert "\ndecline " in front_end.finish()


def test_the_persons_clock_is_theirs_over_the_comm_too(front_end: FrontEnd) -> None:
    front_end.start("print((await ask('Delete 3 tables?', deadline=60)).action)")
    comm = front_end.form()
    reply = front_end.send(comm, {"type": "more"})
    assert reply["status"] == 200
    assert 300 < reply["card"]["secondsLeft"] <= 360
    front_end.tell(comm, {"type": "typing"})
    reply = front_end.send(comm, {"type": "more"})
    assert reply["card"]["secondsStill"] > 0
    assert 600 < reply["card"]["secondsLeft"] <= 675
    front_end.send(comm, {"action": "accept", "draft": []})
    assert "\naccept" in front_end.finish()


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_no_and_a_closed_form_are_told_apart(front_end: FrontEnd, action: str) -> None:
    front_end.start("print(await bakery.call_tool('order'))")
    assert front_end.send(front_end.form(), {"action": action})["status"] == 200
    assert f"\n{action} " in front_end.finish()


def test_a_question_of_the_notebooks_own_is_asked_the_same_way(front_end: FrontEnd) -> None:
    front_end.start("print((await ask('Delete 3 tables?')).action)")
    assert front_end.send(front_end.form(), {"action": "accept", "draft": []})["status"] == 200
    assert "\naccept" in front_end.finish()


def test_a_blocking_cell_could_hear_no_answer_so_it_asks_nobody_and_says_what_to_do(
    front_end: FrontEnd,
) -> None:
    front_end.start("print(bakery.call('order'))")
    said = front_end.finish()
    assert "\ncancel " in said
    assert "could not be shown" in said
    assert "await call_tool(…) can" in said


def test_an_address_is_agreed_to_in_the_widget_and_its_page_waited_for(front_end: FrontEnd) -> None:
    front_end.start("print(await bakery.call_tool('pay', {'url': 'https://till.example/pay'}))")
    reply = front_end.send(front_end.form(), {"action": "accept"})
    assert reply["status"] == 200
    assert (reply["card"]["state"], reply["card"]["url"]["href"]) == ("accepted", "https://till.example/pay")
    said = front_end.finish()
    assert "pay: accept" in said
    assert "bakery asked during pay to open till.example · opened and completed" in said


def test_a_dangerous_address_takes_a_second_word_in_the_widget_too(front_end: FrontEnd) -> None:
    front_end.start("print(await bakery.call_tool('pay', {'url': 'http://till.example/pay'}))")
    comm = front_end.form()
    assert front_end.send(comm, {"action": "accept"})["status"] == 422
    assert front_end.send(comm, {"action": "accept", "confirmed": True, "answerId": "2"})["status"] == 200
    assert "pay: accept" in front_end.finish()


def test_a_blocking_cell_asks_nobody_for_an_address_and_says_what_to_do(front_end: FrontEnd) -> None:
    front_end.start("print(bakery.call('pay', {'url': 'https://till.example/pay'}))")
    said = front_end.finish()
    assert "pay: cancel" in said
    assert "await call_tool(…) can" in said


def test_a_page_that_has_shown_a_form_is_never_asked_at_a_prompt(front_end: FrontEnd) -> None:
    call = "print(await bakery.call_tool('order'))"
    front_end.start(call)
    front_end.send(front_end.form(), {"action": "decline", "answerId": "first"})
    front_end.finish()
    # No time at all to be seen: were the first form forgotten, this one would wait at a prompt.
    front_end.start(f"from jupyter_mcp_elicit.kernel import sighting\nsighting.FIRST = 0.0\n{call}")
    front_end.send(front_end.form(), {"action": "decline", "answerId": "second"})
    said = front_end.finish()
    assert "bakery asked during order · declined" in said
    assert "line by line" not in said
