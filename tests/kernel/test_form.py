"""The form as a widget: what code does with it, what pages say to it, and what it never tells."""

from __future__ import annotations

import asyncio
import gc
import json
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
import traitlets
from ipywidgets import embed
from widget_page import WidgetPage, open_widgets

import jupyter_mcp_elicit
from jupyter_mcp_elicit import Accept, Cancel, Decline, ElicitationForm, LocalError, RemoteError
from jupyter_mcp_elicit.core.submission import NotValid
from jupyter_mcp_elicit.kernel.desk import KernelDesk

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "party": {"type": "integer", "minimum": 1, "maximum": 12, "default": 2},
        "terrace": {"type": "boolean"},
        "seat": {"enum": ["window", "bar"], "type": "string"},
        "extras": {"type": "array", "items": {"type": "string", "enum": ["cake", "candles", "wine"]}},
        "password": {"type": "string"},
    },
    "required": ["name"],
}

EMPTY = dict.fromkeys(SCHEMA["properties"])
UNTOUCHED = {
    **EMPTY,
    "party": "2",
}

PLANTED = "planted-4711"


def book() -> ElicitationForm:
    return ElicitationForm("Book a table?", SCHEMA)


# Traits


def test_it_tells_the_question_and_starts_with_the_servers_defaults(page: WidgetPage) -> None:
    form = book()
    assert form.message == "Book a table?"
    assert [field.name for field in form.fields] == list(SCHEMA["properties"])
    assert form.draft == UNTOUCHED
    assert form.problems == {}
    assert (form.state, form.is_open, form.answer) == ("pending", True, None)


def test_without_a_schema_it_is_a_plain_confirmation(page: WidgetPage) -> None:
    form = ElicitationForm("Delete 3 tables?")
    form.submit()
    assert form.answer == Accept({})


def test_a_schema_that_no_form_can_show_is_refused_and_leaves_nothing_behind(page: WidgetPage) -> None:
    with pytest.raises(RemoteError, match='Field "deep"'):
        ElicitationForm(
            "?", {"type": "object", "properties": {"deep": {"type": "object"}}, "required": ["deep"]}
        )
    gc.collect()
    assert open_widgets() == 0


@pytest.mark.parametrize("name", ["message", "fields", "problems", "state"])
def test_what_the_question_is_cannot_be_overwritten_by_mistake(page: WidgetPage, name: str) -> None:
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(book(), name, "accepted")


def test_its_layout_can_be_set_and_it_can_stand_in_other_widgets(page: WidgetPage) -> None:
    form = book()
    form.layout.width = "30em"
    assert page.shows(form.layout, "width") == "30em"
    box = ipywidgets.VBox([form])
    assert page.shows(box, "children") == [f"IPY_MODEL_{form.model_id}"]


# Filling in by code


def test_fill_takes_python_values_and_holds_drafts(page: WidgetPage) -> None:
    form = book()
    form.fill({"name": "Ada"}, party=4, terrace=True, seat="bar", extras=("wine", "cake"))
    assert form.draft == {
        **UNTOUCHED,
        "name": "Ada",
        "party": "4",
        "terrace": True,
        "seat": "bar",
        "extras": ["cake", "wine"],
    }
    form.fill(terrace=None, extras=[])
    assert (form.draft["terrace"], form.draft["extras"]) == (None, [])


def test_a_draft_can_be_set_as_a_whole_and_missing_names_are_not_answered(page: WidgetPage) -> None:
    form = book()
    form.draft = {"name": "Ada"}
    assert form.draft == {**EMPTY, "name": "Ada"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"nam": "Ada"}, 'no field "nam". It has: name, party, terrace, seat, extras, password.'),
        ({"name": 7}, 'The field "name" holds text, not a value of type int.'),
        ({"party": True}, 'The field "party" holds a number, or text, not a value of type bool.'),
        ({"party": [4]}, 'The field "party" holds a number, or text, not a value of type list.'),
        ({"terrace": "yes"}, 'The field "terrace" holds True, False or None, not a value of type str.'),
        ({"seat": "floor"}, "The field \"seat\" has no such option. Its options are: 'window', 'bar'."),
        ({"extras": "wine"}, 'The field "extras" holds a list of its options\' values, not a value of type'),
        ({"extras": ["wine", "song"]}, 'The field "extras" has no such option.'),
    ],
)
def test_a_value_that_the_form_cannot_hold_is_refused_by_name_and_changes_nothing(
    page: WidgetPage, values: dict[str, Any], words: str
) -> None:
    form = book()
    with pytest.raises(LocalError) as caught:
        form.fill(values)
    assert words in str(caught.value)
    assert form.draft == UNTOUCHED
    with pytest.raises(LocalError):
        form.draft = values
    assert form.draft == UNTOUCHED


def test_a_refused_option_is_not_repeated_for_it_may_be_a_secret(page: WidgetPage) -> None:
    with pytest.raises(LocalError) as caught:
        book().fill(seat=PLANTED)
    assert PLANTED not in str(caught.value)


def test_text_is_held_as_typed_even_when_it_is_no_answer_yet(page: WidgetPage) -> None:
    form = book()
    form.fill(name="A", party="a few")
    assert (form.draft["name"], form.draft["party"]) == ("A", "a few")


def test_what_code_fills_in_is_shown_in_the_page_and_only_that(page: WidgetPage) -> None:
    form = book()
    form.fill(name="Ada", seat="bar", extras=["wine"])
    assert page.heard(form) == [
        {"type": "fill", "draft": [["name", "Ada"], ["seat", "1"], ["extras", ["2"]]]}
    ]


def test_what_did_not_change_is_not_sent_again(page: WidgetPage) -> None:
    form = book()
    form.fill(party=2)
    assert page.heard(form) == []


# Answering by code


def test_submit_answers_with_what_the_form_holds_read_as_a_persons(page: WidgetPage) -> None:
    form = book()
    form.fill(name="Ada", party="03", extras=[])
    form.submit()
    assert isinstance(form.answer, Accept)
    assert dict(form.answer.content or {}) == {"name": "Ada", "party": 3, "extras": []}
    assert form.state == "accepted"
    assert form.card["outcome"]["channel"] == "kernel"


def test_a_cleared_default_is_not_refilled(page: WidgetPage) -> None:
    form = book()
    form.fill(name="Ada", party=None)
    form.submit()
    assert form.answer == Accept({"name": "Ada"})


def test_an_answer_that_does_not_fit_is_not_sent_and_each_field_says_why(page: WidgetPage) -> None:
    form = book()
    seen: list[dict[str, str]] = []
    form.observe(lambda change: seen.append(change["new"]), "problems")
    form.fill(party="14")
    for attempt in (form.check, form.submit):
        with pytest.raises(NotValid) as caught:
            attempt()
        assert caught.value.problems == form.problems
        assert set(form.problems) == {"name", "party"}
    assert form.is_open
    assert seen
    form.fill(party=12)
    assert set(form.problems) == {"name"}
    form.fill(name="Ada")
    assert form.problems == {}
    assert form.check() == {"name": "Ada", "party": 12}
    assert form.is_open


@pytest.mark.parametrize(
    ("act", "answer", "state"),
    [("decline", Decline(), "declined"), ("cancel", Cancel("dismissed"), "dismissed")],
)
def test_decline_and_cancel_need_nothing_filled_in(
    page: WidgetPage, act: str, answer: Any, state: str
) -> None:
    form = book()
    getattr(form, act)()
    assert (form.answer, form.state) == (answer, state)


def test_after_the_answer_the_form_is_empty_and_takes_no_more(page: WidgetPage) -> None:
    form = book()
    form.fill(name="Ada")
    form.decline()
    assert form.draft == EMPTY
    for act in (form.submit, form.decline, form.cancel, lambda: form.fill(name="Eve")):
        with pytest.raises(LocalError, match="over"):
            act()
    assert form.answer == Decline()


def test_observers_of_the_state_find_the_answer_there(page: WidgetPage) -> None:
    form = book()
    seen: list[Any] = []
    form.observe(lambda change: seen.append((change["new"], form.answer, form.draft)), "state")
    form.decline()
    assert seen == [("declined", Decline(), EMPTY)]


# Waiting


def test_wait_gives_the_answer_to_all_who_wait_and_one_who_gives_up_stops_nobody(page: WidgetPage) -> None:
    form = book()

    async def scene() -> list[Any]:
        waiting = [asyncio.ensure_future(form.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        threading.Thread(target=form.decline).start()
        return await asyncio.gather(*waiting, return_exceptions=True)

    gone, *answers = asyncio.run(scene())
    assert isinstance(gone, asyncio.CancelledError)
    assert answers == [Decline(), Decline()]
    assert asyncio.run(form.wait()) == Decline()


def test_closing_a_question_that_is_open_takes_it_back_and_ends_the_wait(page: WidgetPage) -> None:
    form = book()

    async def scene() -> Any:
        waiting = asyncio.ensure_future(form.wait())
        await asyncio.sleep(0)
        form.close()
        return await waiting

    assert asyncio.run(scene()) == Cancel("withdrawn")
    assert form.state == "withdrawn"


# The page


def test_a_page_that_says_hello_is_told_what_the_form_holds(page: WidgetPage) -> None:
    form = book()
    form.fill(name="Ada", terrace=False)
    page.told.clear()
    page.say(form, type="hello")
    assert page.heard(form) == [
        {
            "type": "welcome",
            "draft": [
                ["name", "Ada"],
                ["party", "2"],
                ["terrace", False],
                ["seat", None],
                ["extras", None],
                ["password", None],
            ],
        }
    ]


def test_a_page_that_has_painted_the_question_makes_it_shown(page: WidgetPage) -> None:
    form = book()
    page.say(form, type="shown")
    page.say(form, type="shown")
    assert form.state == "shown"
    assert page.shows(form, "card")["state"] == "shown"


def test_what_is_typed_in_the_page_is_seen_by_code_and_not_sent_back(page: WidgetPage) -> None:
    form = book()
    seen: list[Any] = []
    form.observe(lambda change: seen.append(change["new"]["name"]), "draft")
    page.say(form, type="draft", draft=[["name", "Ad"], ["seat", "0"], ["extras", ["2", "0"]]])
    assert seen == ["Ad"]
    assert (form.draft["seat"], form.draft["extras"]) == ("window", ["cake", "wine"])
    assert page.heard(form) == []


def test_a_pages_draft_leaves_alone_what_it_does_not_name(page: WidgetPage) -> None:
    form = book()
    form.fill(password=PLANTED)
    page.say(form, type="draft", draft=[["name", "Ada"]])
    assert form.draft["password"] == PLANTED


@pytest.mark.parametrize(
    "draft",
    [
        None,
        "name",
        [["name"]],
        [["name", 7], ["nobody", "x"], ["seat", "9"], ["extras", "0"], ["terrace", "yes"]],
        [["__class__", "x"], [7, "x"]],
    ],
)
def test_a_draft_that_cannot_be_changes_nothing(page: WidgetPage, draft: Any) -> None:
    form = book()
    page.say(form, type="draft", draft=draft)
    assert form.draft == UNTOUCHED


@pytest.mark.parametrize("content", [{}, {"type": "sing"}, {"type": None}, {"type": ["answer"]}])
def test_what_pages_do_not_say_is_not_heard(page: WidgetPage, content: dict[str, Any]) -> None:
    form = book()
    page.say(form, **content)
    assert page.heard(form) == []
    assert form.is_open


def test_a_page_answers_once_and_is_told_that_it_is_taken(page: WidgetPage) -> None:
    form = book()
    page.say(form, type="answer", action="accept", draft=[["name", "Ada"], ["party", "4"]], answerId="a1")
    assert form.answer == Accept({"name": "Ada", "party": 4})
    [result] = page.heard(form)
    assert (result["type"], result["answerId"], result["status"]) == ("result", "a1", 200)
    assert result["card"]["outcome"]["channel"] == "page"
    assert page.shows(form, "card") == result["card"]


def test_the_same_answer_sent_again_is_no_second_answer(page: WidgetPage) -> None:
    form = book()
    for _ in range(2):
        page.say(form, type="answer", action="decline", answerId="a1")
    assert [each["status"] for each in page.heard(form)] == [200, 200]


def test_a_second_answer_is_told_who_was_first(page: WidgetPage) -> None:
    form = book()
    form.decline()
    page.say(form, type="answer", action="accept", draft=[["name", "Eve"]], answerId="b2")
    [result] = page.heard(form)
    assert (result["status"], result["card"]["outcome"]["action"]) == (409, "decline")
    assert "over already" in result["message"]
    assert form.answer == Decline()


def test_an_answer_that_does_not_fit_is_told_field_by_field_to_page_and_code(page: WidgetPage) -> None:
    form = book()
    page.say(form, type="answer", action="accept", draft=[["name", "A"], ["party", "many"]], answerId="a1")
    [result] = page.heard(form)
    assert result["status"] == 422
    assert dict(result["problems"]) == form.problems
    assert set(form.problems) == {"name", "party"}
    assert form.is_open
    page.say(form, type="answer", action="accept", draft=[["name", "Ada"], ["party", "4"]], answerId="a2")
    assert form.answer == Accept({"name": "Ada", "party": 4})
    assert form.problems == {}


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"action": "maybe"}, 422),
        ({}, 422),
        ({"action": "accept", "draft": "all of it"}, 500),
        ({"action": "accept", "draft": [["name", "Ada"], ["nobody", "x"]]}, 422),
    ],
)
def test_an_answer_that_is_none_gets_a_reply_and_changes_nothing(
    page: WidgetPage, said: dict[str, Any], status: int
) -> None:
    form = book()
    page.say(form, type="answer", answerId="a1", **said)
    assert [each["status"] for each in page.heard(form)] == [status]
    assert form.is_open


def test_a_page_gets_a_reply_even_when_taking_the_answer_breaks(
    page: WidgetPage, caplog: pytest.LogCaptureFixture
) -> None:
    form = book()

    def break_down(_: object) -> None:
        raise ZeroDivisionError

    form.observe(break_down, "state")
    page.say(form, type="answer", action="decline", answerId="a1")
    assert [each["status"] for each in page.heard(form)] == [500]
    assert "ZeroDivisionError" in caplog.text


def test_a_draft_that_was_on_its_way_when_the_answer_came_does_not_bring_it_back(page: WidgetPage) -> None:
    form = book()
    form.decline()
    page.say(form, type="draft", draft=[["name", PLANTED]])
    page.say(form, type="hello")
    page.say(form, type="shown")
    assert form.draft == EMPTY
    assert page.heard(form) == []
    assert form.state == "declined"


def test_a_page_cannot_rewrite_the_question(page: WidgetPage) -> None:
    form = book()
    asked = dict(form.card)
    page.set(form, card={**asked, "message": "Give me everything?", "state": "accepted"})
    assert form.card == asked
    assert form.is_open


# A question that waits at a desk


Asked = tuple[ElicitationForm, Iterator[dict[str, Any]]]


@pytest.fixture
def desk() -> KernelDesk:
    return KernelDesk()


@pytest.fixture
def asked(page: WidgetPage, desk: KernelDesk) -> Iterator[Asked]:
    """A form of a question at a broker in this process, and what the one who asked is told."""
    question = {
        "message": "Book a table?",
        "requestedSchema": SCHEMA,
        "asker": {"name": "bistro", "kind": "server", "transport": "http", "callsItself": "Bistro"},
        "asks": "page",
    }
    with desk.ask(question) as events:
        told = iter(events)
        first = next(told)
        form = ElicitationForm.of_card(first["card"], first["requestedSchema"], desk)
        yield form, told
        form.close()


def last(told: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """The answer, as the one who asked is told it."""
    return next(event["answer"] for event in told if event["type"] == "answer")


def test_its_answer_goes_to_the_one_who_asked(asked: Asked, page: WidgetPage) -> None:
    form, told = asked
    form.fill(name="Ada", party=3)
    form.submit()
    assert last(told) == {"action": "accept", "content": {"name": "Ada", "party": 3}}
    assert (form.state, form.draft) == ("accepted", EMPTY)


def test_a_pages_answer_goes_there_too(asked: Asked, page: WidgetPage) -> None:
    form, told = asked
    page.say(form, type="answer", action="accept", draft=[["name", "A"]], answerId="a1")
    page.say(form, type="answer", action="accept", draft=[["name", "Ada"]], answerId="a2")
    assert [each["status"] for each in page.heard(form)] == [422, 200]
    assert last(told) == {"action": "accept", "content": {"name": "Ada"}}


def test_when_somebody_else_was_first_the_form_shows_it_and_says_so(asked: Asked, desk: KernelDesk) -> None:
    form, told = asked
    other = ElicitationForm.of_card(form.card, SCHEMA, desk)
    other.decline()
    form.fill(name="Ada")
    with pytest.raises(LocalError, match="was declined"):
        form.submit()
    assert (form.state, form.draft) == ("declined", EMPTY)
    assert last(told) == {"action": "decline"}


def test_only_the_call_that_asked_is_given_the_answer(asked: Asked) -> None:
    form, _ = asked
    form.decline()
    assert form.answer is None
    with pytest.raises(LocalError, match="Await the call instead"):
        asyncio.run(form.wait())


def test_closing_the_form_of_a_call_answers_nothing(asked: Asked) -> None:
    form, told = asked
    form.fill(name="Ada")
    form.close()
    assert form.draft == EMPTY
    assert form.is_open


# What it never tells


def saved(*widgets: Any) -> str:
    """All that a notebook file and a saved widget state could hold of them."""
    bundles = [widget._repr_mimebundle_() for widget in widgets]
    state = ipywidgets.Widget.get_manager_state()
    html = embed.embed_data(views=list(widgets))
    return json.dumps([[repr(each) for each in widgets], bundles, state, html], default=str)


def test_neither_the_repr_nor_saved_state_holds_what_was_typed_or_answered(page: WidgetPage) -> None:
    form = book()
    form.fill(name=PLANTED, password=f"{PLANTED}-secret")
    assert PLANTED not in saved(form)
    page.say(form, type="draft", draft=[["name", f"{PLANTED}!"]])
    assert PLANTED not in saved(form)
    form.submit()
    assert PLANTED not in saved(form)
    assert PLANTED not in repr(form.answer)
    assert PLANTED in str(dict(form.answer.content))


def test_the_card_of_an_answered_form_holds_no_answer(page: WidgetPage) -> None:
    form = book()
    page.say(form, type="answer", action="accept", draft=[["name", PLANTED]], answerId="a1")
    assert PLANTED not in json.dumps(page.told)


def test_shown_without_widgets_it_says_in_words_where_the_question_stands(page: WidgetPage) -> None:
    form = book()
    bundle, _ = form._repr_mimebundle_()
    assert bundle["text/plain"] == "This notebook asked · waiting for your answer"
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == form.model_id
    assert repr(form) == "<ElicitationForm 'Book a table?': This notebook asked · waiting for your answer>"
    form.decline()
    bundle, _ = form._repr_mimebundle_()
    assert bundle["text/plain"].startswith("This notebook asked · declined by code in this kernel")


def test_hostile_words_do_nothing_in_the_repr_and_the_output(page: WidgetPage) -> None:
    form = ElicitationForm("\x1b[2J\u202e<script>", SCHEMA, name="<img src=x onerror=alert(1)>\x1b]8;;x\x07")
    bundle, _ = form._repr_mimebundle_()
    for words in (repr(form), bundle["text/plain"], bundle["text/html"]):
        assert "\x1b" not in words
        assert "\u202e" not in words
    assert "<img" not in bundle["text/html"]


# Closing


def test_a_closed_form_leaves_nothing_behind(page: WidgetPage) -> None:
    form = book()
    form.fill(name="Ada")
    page.say(form, type="draft", draft=[["name", "Ada L"]])
    controls = form.controls()
    controls.layout.width = "20em"
    form.close()
    form.close()
    assert open_widgets() == 0
    assert page.state == {}
    gone = weakref.ref(form), weakref.ref(controls)
    del form, controls
    gc.collect()
    assert [each() for each in gone] == [None, None]


def test_closing_every_widget_at_once_works_too(page: WidgetPage) -> None:
    forms = [book(), book()]
    forms[0].controls()
    ipywidgets.Widget.close_all()
    assert open_widgets() == 0
    assert [form.answer for form in forms] == [Cancel("withdrawn")] * 2


def test_python_can_end_while_a_form_is_open() -> None:
    code = (
        "from jupyter_mcp_elicit import ElicitationForm\n"
        "form = ElicitationForm('Sure?')\ncontrols = form.controls()\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_installation_without_the_pages_script_says_so_and_how_to_get_it(tmp_path: Path) -> None:
    package = Path(jupyter_mcp_elicit.__file__).parent
    skip = shutil.ignore_patterns("static", "labextension", "__pycache__")
    shutil.copytree(package, tmp_path / "jupyter_mcp_elicit", ignore=skip)
    code = (
        "from jupyter_mcp_elicit import ElicitationForm, LocalError\n"
        "try:\n    ElicitationForm('Sure?')\nexcept LocalError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert "static/widget.js is missing" in done.stdout
    assert "pip install ." in done.stdout
