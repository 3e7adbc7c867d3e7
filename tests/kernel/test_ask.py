"""``ask``: a question of the notebook's own, answered on the page, by a script, or by nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_process import JupyterProcess, wait_until
from kernel_client import KernelClient

from .words import says

SETUP = """
import asyncio
from jupyter_mcp_elicit import *
schema = {
    "type": "object",
    "properties": {
        "table": {"type": "string", "minLength": 3},
        "rows": {"type": "integer", "default": 10},
        "note": {"type": "string"},
    },
    "required": ["table"],
}
def told(answer):
    print(answer.action, dict(getattr(answer, "content", None) or {}), getattr(answer, "reason", ""))
"""


@pytest.fixture(scope="module")
def kernel(jupyter: JupyterProcess) -> Iterator[KernelClient]:
    client = KernelClient(jupyter)
    client.run(SETUP)
    yield client
    client.close()


@pytest.fixture(scope="module")
def unattended(jupyter: JupyterProcess) -> Iterator[KernelClient]:
    client = KernelClient(jupyter, interactive=False)
    client.run(SETUP)
    yield client
    client.close()


def test_a_person_answers_a_form_of_the_notebooks_own(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell = kernel.start("told(await ask('Delete which table?', schema))")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    assert card["asker"] == {"name": "This notebook", "kind": "notebook", "transport": "", "callsItself": ""}
    assert card["message"] == "Delete which table?"
    assert card["draft"] == [["table", None], ["rows", "10"], ["note", None]]
    draft = [["table", "ab"], ["rows", "x"], ["note", None]]
    status, shape = jupyter.answer(card["id"], "accept", draft=draft)
    assert (status, [name for name, _ in shape["problems"]]) == (422, ["table", "rows"])
    draft = [["table", "guests"], ["rows", "10"], ["note", None]]
    assert jupyter.answer(card["id"], "accept", draft=draft)[0] == 200
    says(cell.wait(), "accept {'table': 'guests', 'rows': 10} ")
    says(cell, "This notebook asked · accepted")


def test_a_prompt_has_more_time_from_the_jupyter_server_or_hears_why_not(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run("from jupyter_mcp_elicit.kernel.desk import find_desk")
    for deadline, words in (("60", "left: 6 min"), ("None", "no deadline that could be put off")):
        kernel.run(f"asking = asyncio.create_task(ask('Enough time?', deadline={deadline}))")
        [card] = jupyter.wait_for_cards()
        more = f"round(find_desk().more({card['id']!r})['secondsLeft'] / 60)"
        told = f"print('left:', {more}, 'min')"
        cell = kernel.run(f"try: {told}\nexcept LocalError as error: print(error.message)")
        says(cell, words)
        assert jupyter.answer(card["id"], "cancel")[0] == 200
        says(kernel.run("told(await asking)"), "cancel {} dismissed")


@pytest.mark.parametrize(("action", "words"), [("decline", "decline {} "), ("cancel", "cancel {} dismissed")])
def test_a_no_and_a_closed_form_are_two_things(
    jupyter: JupyterProcess, kernel: KernelClient, action: str, words: str
) -> None:
    cell = kernel.start("told(await ask('Delete 3 tables?'))")
    [card] = jupyter.wait_for_cards()
    assert card["fields"] == []
    assert jupyter.answer(card["id"], action)[0] == 200
    says(cell.wait(), words)


def test_a_confirmation_is_accepted_with_empty_content(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell = kernel.start("answer = await ask('Delete 3 tables?', name='Housekeeping')\nprint(answer.content)")
    [card] = jupyter.wait_for_cards()
    assert card["asker"]["name"] == "Housekeeping"
    assert jupyter.answer(card["id"], "accept", draft=[])[0] == 200
    says(cell.wait(), "{}")


def test_an_interrupt_withdraws_the_question(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell = kernel.start("told(await ask('Delete 3 tables?'))")
    [card] = jupyter.wait_for_cards()
    wait_until(lambda: cell.question_ids == [card["id"]], "form in the cell's output")
    kernel.interrupt()
    cell.wait()
    wait_until(lambda: jupyter.card(card["id"])["state"] == "withdrawn", "withdrawn question")
    says(cell, "taken back")


def test_a_cancelled_task_withdraws_its_question_alone(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell = kernel.start(
        "first, second = (asyncio.ensure_future(ask(each)) for each in ('First?', 'Second?'))\n"
        "told(await second)\n"
        "first.cancel()\n"
        "print(await asyncio.gather(first, return_exceptions=True))"
    )
    cards = {card["message"]: card for card in jupyter.wait_for_cards(2)}
    assert jupyter.answer(cards["Second?"]["id"], "decline")[0] == 200
    says(cell.wait(), "CancelledError")
    wait_until(lambda: jupyter.card(cards["First?"]["id"])["state"] == "withdrawn", "withdrawn question")
    assert jupyter.card(cards["Second?"]["id"])["state"] == "declined"


def test_a_deadline_cancels_and_says_so(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell = kernel.run("told(await ask('Quick?', deadline=0.2))")
    says(cell, "cancel {} expired")
    says(cell, "the time was up")


def test_a_script_answers_by_the_same_rules(kernel: KernelClient) -> None:
    cell = kernel.run("told(await ask('Which?', schema, answers=[Accept({'table': 'guests'})]))")
    says(cell, "accept {'table': 'guests', 'rows': 10} ")
    says(cell, "accepted by script")
    cell = kernel.run("told(await ask('Which?', schema, answers=lambda asked: Cancel()))")
    says(cell, "cancel {} dismissed")
    cell = kernel.run("await ask('Which?', schema, answers=[Accept({'table': 'ab'})])")
    assert "Traceback" not in says(cell, "LocalError: The scripted answer to 'Which?' does not fit. table: ")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("ask('  ')", "LocalError: ask() needs the question as text."),
        ("ask(None)", "LocalError: ask() needs the question as text."),
        (
            "ask('?', {'type': 'object', 'properties': {'a': {'type': 'object'}}, 'required': ['a']})",
            'RemoteError: Field "a"',
        ),
        ("ask('Which?', ['table'])", "RemoteError: The requested schema must be an object."),
        ("ask('Which?', deadline=-1)", '"deadline" must be a number of seconds above 0'),
        ("ask('Which?', answers=Accept())", "LocalError: answers= takes a list or a function"),
    ],
)
def test_a_call_that_makes_no_sense_is_told_in_one_sentence(
    jupyter: JupyterProcess, kernel: KernelClient, call: str, words: str
) -> None:
    cell = kernel.run(f"await {call}")
    assert "Traceback" not in says(cell, words)
    assert jupyter.open_cards() == []


def test_where_nobody_is_there_it_is_cancelled_at_once(unattended: KernelClient) -> None:
    cell = unattended.run("told(await ask('Delete 3 tables?'))")
    says(cell, "cancel {} not shown")
    says(cell, "nobody is there to answer")
    says(unattended.run("told(await ask('Sure?', answers=[Accept()]))"), "accept {} ")
