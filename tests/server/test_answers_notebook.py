"""The notebook about the three answers, by script and with nobody there, through a running Jupyter server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import notebook_cells
import pytest
from jupyter_process import JupyterProcess
from kernel_client import Cell, KernelClient

from .conftest import ALONE

pytestmark = pytest.mark.timeout(120)

NAME = "02_three_answers.ipynb"

SCRIPT = """
from jupyter_mcp_elicit import Accept, Cancel, Decline
answers = [Accept({'size': 'large'}), Decline(), Cancel(), Cancel(), Accept({}), Decline()]
my_answer = [Decline()]
"""


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    process = JupyterProcess(tmp_path_factory.mktemp("answers"), options=ALONE)
    yield process
    process.stop()


def run(jupyter: JupyterProcess, era: str = "auto", **instead: str) -> tuple[dict[str, Cell], list[str]]:
    """Its cells by their ids once they have run, and the actions that the bistro received, in order."""
    jupyter.configure({"bistro": jupyter.bistro(era=era)})
    before = len(jupyter.journalled())
    done = {}
    with closing(KernelClient(jupyter, interactive=False)) as kernel:
        for cell_id, source in notebook_cells.code(notebook_cells.read(NAME, **instead)).items():
            cell = done[cell_id] = kernel.run(source, 60)
            assert cell.reply is not None
            assert cell.reply["status"] == "ok", cell.text
    return done, [line["action"] for line in jupyter.journalled()[before:]]


def picture(cell: Cell) -> str:
    return str(cell.outputs[-1]["data"]["text/html"])


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_each_of_the_three_answers_is_seen_on_the_wire(jupyter: JupyterProcess, era: str) -> None:
    cells, received = run(jupyter, era, parameters=SCRIPT)
    three = ["accept", "decline", "cancel", "cancel"]
    assert received == [*three, "accept", "decline", *three]
    assert cells["accept-answers"].text == "[{'action': 'accept', 'content': '(hidden: 1 member)'}]"
    assert cells["decline-answers"].text == "[{'action': 'decline'}]"
    assert cells["cancel-answers"].text == "[{'action': 'cancel'}, {'action': 'cancel'}]"
    assert cells["sure-answers"].text == "[{'action': 'accept', 'content': '(hidden: 0 members)'}]"
    assert cells["late"].text.endswith("Decline()")
    assert [cells["script-answers"].text.count(f"'{action}'") for action in three] == [1, 1, 2, 2]
    shown = picture(cells["accept-trace"])
    assert shown.count("<svg") == 1
    assert shown.count(">asks<") == shown.count(">accept<") == 1
    assert "&quot;size&quot;: &quot;large&quot;" not in shown
    assert picture(cells["stop-trace"]).count(">decline<") == 1
    # The words that the text has of them.
    assert "A glass of water is on the house" in cells["decline"].text
    assert "No answer came" in cells["cancel"].text
    assert "is cancelled" in cells["sure"].text


def test_with_nobody_there_every_question_is_cancelled_and_the_reason_is_told(
    jupyter: JupyterProcess,
) -> None:
    cells, received = run(jupyter)
    by_script = ["accept", "decline", "cancel", "cancel"]
    assert received[-4:] == by_script
    assert set(received[:-4]) == {"cancel"}
    for cell_id in ("accept", "decline", "cancel", "sure", "stop"):
        assert "nobody is there to answer" in cells[cell_id].text
        assert "by script" not in cells[cell_id].text
    assert cells["late"].text.endswith("Cancel(reason='not shown')")
    assert picture(cells["stop-trace"]).count(">cancel<") == 2


@pytest.mark.parametrize(
    ("place", "said"),
    [(0, "We can cook for you at home"), (1, "No answer came, so nothing is planned")],
)
def test_the_solutions_solve_the_exercise(jupyter: JupyterProcess, place: int, said: str) -> None:
    notebook = notebook_cells.read(NAME)
    exercise = notebook_cells.code(notebook)["exercise"]
    [assigned] = [line for line in exercise.splitlines() if line.startswith("script =")]
    solution = notebook_cells.solutions(notebook)[place]
    with closing(KernelClient(jupyter, interactive=False)) as kernel:
        kernel.run("from jupyter_mcp_elicit import Accept, Cancel, Decline, connect")
        assert kernel.run(exercise).text == ""
        assert said in kernel.run(exercise.replace(assigned, f"script = {solution}")).text
