"""Calls from a real kernel through a real Jupyter server to the demo bistro."""

from __future__ import annotations

from jupyter_process import JupyterProcess, wait_until
from kernel_client import MIME, KernelClient

CONNECT = "from jupyter_mcp_elicit import *\nbistro = await connect('bistro')"
BOOKING = [
    ["name", "Ada"],
    ["email", "ada@example.org"],
    ["date", "2026-12-24"],
    ["time", "1"],
    ["seating", "0"],
    ["notes", None],
    ["newsletter", None],
]


def test_an_awaiting_call_shows_a_form_and_returns_what_the_server_made_of_the_answer(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("print(await bistro.call_tool('book_table', {'party': 4}))")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    assert card["asker"]["name"] == "bistro"
    assert card["cause"]["tool"] == "book_table"
    status, shape = jupyter.answer(card["id"], "accept", draft=BOOKING)
    assert status == 200, shape
    assert "Ada" in cell.wait().text
    assert jupyter.journalled()[-1]["content"] == {
        "name": "Ada",
        "email": "ada@example.org",
        "date": "2026-12-24",
        "time": "19:30",
        "seating": "inside",
    }


def test_a_blocking_call_is_answered_while_the_kernel_is_busy(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("print(bistro.call('book_table', {'party': 2}))")
    [card] = jupyter.wait_for_cards()
    assert jupyter.answer(card["id"], "decline")[0] == 200
    assert "take something away" in cell.wait().text
    assert jupyter.journalled()[-1]["action"] == "decline"


def test_after_the_answer_the_output_is_a_record_without_the_content(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("_ = bistro.call('book_table', {'party': 2})")
    [card] = jupyter.wait_for_cards()
    jupyter.answer(card["id"], "accept", draft=[["name", "Planted Value"], *BOOKING[1:]])
    cell.wait()
    [record] = [output["data"] for output in cell.outputs]
    assert set(record) == {"text/plain", "text/html"}
    assert record["text/plain"].startswith("bistro asked during book_table · accepted")
    assert "Planted Value" not in str(record)


def test_interrupting_the_cell_withdraws_the_question_and_leaves_the_connection_usable(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    for call in (
        "bistro.call('book_table', {'party': 2})",
        "await bistro.call_tool('book_table', {'party': 2})",
    ):
        cell = kernel.start(call)
        [card] = jupyter.wait_for_cards()
        wait_until(lambda cell=cell, card=card: cell.question_ids == [card["id"]], "form in the output")
        kernel.interrupt()
        assert "KeyboardInterrupt" in cell.wait().text or "CancelledError" in cell.text
        wait_until(lambda card=card: jupyter.card(card["id"])["state"] == "withdrawn", "withdrawn question")
        status, shape = jupyter.answer(card["id"], "accept", draft=BOOKING)
        assert status == 410, shape
        assert "taken back: the call was interrupted" in cell.text
    assert "Onion soup" in kernel.run("print(await bistro.call_tool('todays_menu'))").text


def test_restarting_the_kernel_withdraws_its_question(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    kernel.run(CONNECT)
    kernel.start("bistro.call('book_table', {'party': 2})")
    [card] = jupyter.wait_for_cards()
    kernel.restart()
    wait_until(lambda: jupyter.card(card["id"])["state"] == "withdrawn", "withdrawn question")


def test_an_answer_that_does_not_fit_changes_nothing_and_names_the_fields(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("print(bistro.call('book_table', {'party': 2}))")
    [card] = jupyter.wait_for_cards()
    status, shape = jupyter.answer(
        card["id"], "accept", draft=[["name", "A"], ["email", "nowhere"], *BOOKING[2:]]
    )
    assert status == 422
    assert [name for name, _ in shape["problems"]] == ["name", "email"]
    assert jupyter.card(card["id"])["state"] in ("pending", "shown")
    assert jupyter.answer(card["id"], "accept", draft=BOOKING)[0] == 200
    assert "Ada" in cell.wait().text


def test_the_first_answer_wins_and_a_later_one_is_told_so(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("bistro.call('book_table', {'party': 2})")
    [card] = jupyter.wait_for_cards()
    assert jupyter.answer(card["id"], "decline", answerId="first")[0] == 200
    assert jupyter.answer(card["id"], "decline", answerId="first")[0] == 200
    status, shape = jupyter.answer(card["id"], "accept", draft=BOOKING, answerId="second")
    assert status == 409
    assert "was declined" in shape["message"]
    assert shape["card"]["outcome"]["action"] == "decline"
    cell.wait()


def test_where_nobody_can_be_asked_a_question_is_cancelled_at_once_with_the_reason(
    jupyter: JupyterProcess,
) -> None:
    kernel = KernelClient(jupyter, interactive=False)
    try:
        kernel.run(CONNECT)
        cell = kernel.run("print(await bistro.call_tool('book_table', {'party': 2}))")
        assert "nobody is there to answer" in cell.text
        assert jupyter.journalled()[-1]["action"] == "cancel"
        assert not any(MIME in (output.get("data") or {}) for output in cell.outputs)
    finally:
        kernel.close()


def test_scripted_answers_are_read_like_a_persons_and_recorded_as_scripted(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(
        "from jupyter_mcp_elicit import *\n"
        "bistro = await connect('bistro', answers=[Accept({'size': 'large'}), Decline()])"
    )
    cell = kernel.run("print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))")
    assert "large" in cell.text
    assert "accepted by script" in cell.text
    cell = kernel.run("print(await bistro.call_tool('order_coffee'))")
    assert "declined by script" in cell.text


def test_a_scripted_answer_that_does_not_fit_names_the_field_and_leaves_nothing_waiting(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(
        "from jupyter_mcp_elicit import *\n"
        "bistro = await connect('bistro', answers=[Accept({'size': 'huge'})])"
    )
    cell = kernel.run("await bistro.call_tool('order_coffee', {'milk': 'oat'})")
    assert "LocalError: The scripted answer" in cell.text
    assert "size:" in cell.text
    wait_until(lambda: not jupyter.open_cards() or None, "end of the question")


def test_an_unknown_server_is_named_together_with_those_there_are(kernel: KernelClient) -> None:
    cell = kernel.run("from jupyter_mcp_elicit import connect\nawait connect('bistrot')")
    assert 'There is no MCP server "bistrot" in the configuration (configured: bistro).' in cell.text
    assert "Traceback" not in cell.text


def test_progress_is_a_bar_that_is_redrawn_and_log_messages_are_lines(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("_ = bistro.call('slow_brew', {'steps': 3, 'pace': 0.01})")
    [card] = jupyter.wait_for_cards()
    jupyter.answer(card["id"], "decline")
    cell.wait()
    bars = [output["data"] for output in cell.outputs if "<progress" in str(output.get("data"))]
    assert len(bars) == 1
    assert "3 of 3" in bars[0]["text/plain"]
    lines = [output["text"] for output in cell.outputs if output["type"] == "stream"]
    assert any(line.startswith("[info") for line in "".join(lines).splitlines())


def test_two_calls_at_once_ask_side_by_side_and_each_gets_its_own_answer(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start(
        "import asyncio\n"
        "calls = [bistro.call_tool('order_coffee', {'milk': milk}) for milk in ('oat', 'cow')]\n"
        "for result in await asyncio.gather(*calls):\n    print(result)"
    )
    cards = jupyter.wait_for_cards(2)
    by_milk = {"oat" in card["cause"]["arguments"]: card for card in cards}
    assert jupyter.answer(by_milk[False]["id"], "accept", draft=[["size", "2"]])[0] == 200
    assert jupyter.answer(by_milk[True]["id"], "accept", draft=[["size", "0"]])[0] == 200
    first, second = [line for line in cell.wait().text.splitlines() if "coffee" in line.lower()][-2:]
    assert "small" in first
    assert "large" in second


def test_a_blocking_call_in_a_cell_that_also_awaits_can_be_interrupted(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run(CONNECT)
    cell = kernel.start("await bistro.list_tools()\nbistro.call('book_table', {'party': 2})")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    kernel.interrupt()
    assert "KeyboardInterrupt" in cell.wait().text
    assert jupyter.card(card["id"])["state"] == "withdrawn"
    assert cell.question_ids == [card["id"]], "the page keeps what was typed"
