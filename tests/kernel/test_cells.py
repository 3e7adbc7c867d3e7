"""Widgets in a real kernel, while a cell runs and after: no Jupyter server, only the widgets' own comms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bare_kernel import BareKernel

MAKE = """
import asyncio
from jupyter_mcp_elicit import *
schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
form = ElicitationForm("Book?", schema)
"""
GATE = """
import ipywidgets
gate = asyncio.Event()
opener = ipywidgets.Button(description="Open")
opener.on_click(lambda _: gate.set())
await gate.wait()
"""
WAITS = "A cell is running. This can be filled in and answered when it has ended."


@pytest.fixture
def kernel() -> Iterator[BareKernel]:
    kernel = BareKernel()
    yield kernel
    kernel.close()


def test_a_form_is_answered_by_its_page_while_its_cell_waits(kernel: BareKernel) -> None:
    kernel.start(
        f"{MAKE}\ndisplay(form)\nanswer = await form.wait()\nprint(dict(answer.content), form.state)"
    )
    form, state = kernel.model(_model_name="AnyModel")
    assert state["card"]["message"] == "Book?"
    kernel.say(form, type="hello")
    kernel.until(lambda: kernel.told.get(form), "reply to hello")
    kernel.say(form, type="answer", action="accept", draft=[["name", ""]], answerId="a1")
    kernel.until(lambda: len(kernel.told[form]) == 2, "reply to the answer")
    kernel.say(form, type="answer", action="accept", draft=[["name", "Ada"]], answerId="a2")
    kernel.until(lambda: "accepted" in kernel.printed, "end of the wait")
    assert "{'name': 'Ada'} accepted" in kernel.printed
    assert [each.get("status") for each in kernel.told[form]] == [None, 422, 200]


def test_a_question_without_a_server_is_asked_by_the_widget_and_answered_by_it(kernel: BareKernel) -> None:
    kernel.start("from jupyter_mcp_elicit import *\nanswer = await ask('Sure?')\nprint(answer)")
    form, _ = kernel.model(_model_name="AnyModel")
    kernel.say(form, type="answer", action="decline", answerId="a1")
    kernel.until(lambda: "Decline()" in kernel.printed, "answer")
    kernel.until(lambda: form not in kernel.models, "end of the widget")


def test_standard_controls_are_locked_and_say_why_while_any_cell_runs(kernel: BareKernel) -> None:
    kernel.run(f"{MAKE}\ncontrols = form.controls()")
    box, state = kernel.model(description="name (required)")
    submit, button = kernel.model(description="Submit")
    kernel.until(lambda: not state["disabled"] and not button["disabled"], "unlocked controls")
    kernel.start(GATE)
    kernel.until(lambda: state["disabled"] and button["disabled"], "locked controls")
    kernel.model(value=WAITS)
    kernel.say(kernel.model(description="Open")[0], event="click")
    kernel.until(lambda: not state["disabled"] and not button["disabled"], "unlocked controls")
    kernel.until(
        lambda: WAITS not in [each.get("value") for each in kernel.models.values()], "end of the words"
    )
    kernel.set(box, value="Ada")
    kernel.say(submit, event="click")
    send, _ = kernel.model(description="Send")
    kernel.say(send, event="click")
    kernel.until(lambda: state["disabled"] and state["value"] == "", "empty and locked controls")
    assert "{'name': 'Ada'}" in kernel.run("print(dict(form.answer.content))")


def test_controls_unlock_after_a_cell_that_failed_or_was_no_python(kernel: BareKernel) -> None:
    kernel.run(f"{MAKE}\ncontrols = form.controls()\n")
    _, state = kernel.model(description="name (required)")
    for code in ("1 / 0", "await asyncio.sleep(0)\n1 / 0", "def", ""):
        kernel.run(code)
        kernel.until(lambda: not state["disabled"], f"unlocked controls after {code!r}")
