"""A question that lives in one widget: the first valid answer counts, whichever thread it comes from."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from typing import Any

import pytest

from jupyter_mcp_elicit import Accept, Cancel, Decline, LocalError, RemoteError
from jupyter_mcp_elicit.core.submission import NotValid
from jupyter_mcp_elicit.kernel.link import Refused
from jupyter_mcp_elicit.kernel.standalone import Standalone

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 2}},
    "required": ["name"],
}


def ask() -> Standalone:
    return Standalone("Who?", SCHEMA, "This notebook")


def test_its_card_says_that_this_notebook_asks() -> None:
    card = ask().card
    assert (card["message"], card["state"]) == ("Who?", "pending")
    assert card["asker"] == {"name": "This notebook", "kind": "notebook", "transport": "", "callsItself": ""}
    assert card["cause"]["certainty"] == "none"
    assert card["secondsLeft"] is None


def test_without_a_schema_it_asks_for_a_plain_confirmation() -> None:
    question = Standalone("Sure?", None, "This notebook")
    question.answer({"action": "accept", "content": {}})
    assert question.given == Accept({})


def test_a_schema_that_is_none_is_refused() -> None:
    with pytest.raises(RemoteError):
        Standalone("Who?", {"type": "array"}, "This notebook")


@pytest.mark.parametrize(
    ("shape", "channel"),
    [
        ({"action": "accept", "draft": [["name", "Ada"]]}, "page"),
        ({"action": "decline", "answerId": "a1"}, "page"),
        ({"action": "accept", "content": {"name": "Ada"}}, "kernel"),
        ({"action": "decline"}, "kernel"),
    ],
)
def test_how_the_answer_came_is_recorded_and_what_it_was_is_not(shape: dict[str, Any], channel: str) -> None:
    card = ask().answer(shape)
    assert card["outcome"]["action"] == shape["action"]
    assert card["outcome"]["channel"] == channel
    assert "Ada" not in str(card)


def test_what_does_not_fit_changes_nothing() -> None:
    question = ask()
    with pytest.raises(NotValid) as caught:
        question.answer({"action": "accept", "content": {"name": "A"}})
    assert set(caught.value.problems) == {"name"}
    assert question.given is None
    assert question.card["state"] == "pending"


def test_a_second_answer_is_refused_with_the_first_ones_record() -> None:
    question = ask()
    question.answer({"action": "decline", "answerId": "a1"})
    with pytest.raises(Refused) as caught:
        question.answer({"action": "accept", "content": {"name": "Ada"}, "answerId": "a2"})
    assert caught.value.status == 409
    assert caught.value.shape["card"] == question.card
    assert question.given == Decline()


def test_the_same_answer_again_gets_the_same_card_and_no_id_is_never_the_same() -> None:
    question = ask()
    first = question.answer({"action": "decline", "answerId": "a1"})
    assert question.answer({"action": "decline", "answerId": "a1"}) == first
    other = ask()
    other.answer({"action": "decline"})
    with pytest.raises(Refused):
        other.answer({"action": "decline"})


def test_of_many_threads_exactly_one_answers() -> None:
    question = ask()
    start = threading.Barrier(8)
    taken: list[str] = []
    refused: list[int] = []

    def answer(name: str) -> None:
        start.wait()
        try:
            question.answer({"action": "accept", "content": {"name": name}})
            taken.append(name)
        except Refused as error:
            refused.append(error.status)

    threads = [threading.Thread(target=answer, args=(f"person {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == [409] * 7
    assert question.given == Accept({"name": taken[0]})


def test_a_page_that_paints_it_late_changes_nothing() -> None:
    question = ask()
    assert question.shown()["state"] == "shown"
    question.answer({"action": "cancel"})
    assert question.shown()["state"] == "dismissed"


def test_withdrawing_ends_it_once_and_takes_no_answer_away() -> None:
    question = ask()
    assert question.withdraw()["outcome"]["reason"] == "withdrawn"
    assert question.given == Cancel("withdrawn")
    with pytest.raises(LocalError, match="over"):
        question.answer({"action": "accept", "content": {"name": "Ada"}})
    answered = ask()
    answered.answer({"action": "decline"})
    assert answered.withdraw()["state"] == "declined"
    assert answered.given == Decline()


def test_one_whose_loop_is_gone_does_not_hinder_the_answer(caplog: pytest.LogCaptureFixture) -> None:
    question = ask()

    async def give_up() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(question.wait(), 0.01)

    asyncio.run(give_up())
    question.answer({"action": "decline"})
    gc.collect()
    assert asyncio.run(question.wait()) == Decline()
    assert caplog.records == []


def test_what_reading_an_answer_needs_is_imported_while_the_person_reads() -> None:
    code = (
        "import sys, threading\n"
        "from jupyter_mcp_elicit.kernel.standalone import Standalone\n"
        "assert 'jsonschema' not in sys.modules\n"
        "Standalone('Sure?', None, 'me')\n"
        "[t.join() for t in threading.enumerate() if t.name == 'mcp-elicit-import']\n"
        "assert 'jsonschema' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
