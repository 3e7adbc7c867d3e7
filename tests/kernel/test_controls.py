"""The form as standard ipywidgets controls: what they show, hold, send, and leave behind."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator
from typing import Any

import ipywidgets
import pytest
from ipywidgets import Widget
from widget_page import WidgetPage, open_widgets

from jupyter_mcp_elicit import Accept, Cancel, Decline, ElicitationForm, LocalError
from jupyter_mcp_elicit.core.secrecy import agreement
from jupyter_mcp_elicit.core.submission import UNTOLD
from jupyter_mcp_elicit.kernel.controls import Controls

PROPERTIES: dict[str, Any] = {
    "name": {"type": "string", "title": "Your name", "description": "As on the card.\nNo titles."},
    "notes": {"type": "string", "maxLength": 500},
    "mail": {"type": "string", "format": "email", "default": "ada@example.org"},
    "day": {"type": "string", "format": "date"},
    "at": {"type": "string", "format": "date-time"},
    "party": {"type": "integer", "minimum": 1, "maximum": 12},
    "share": {"type": "number", "default": 0.5},
    "terrace": {"type": "boolean"},
    "seat": {"type": "string", "enum": ["window", "bar"], "enumNames": ["By the window", "At the bar"]},
    "extras": {"type": "array", "items": {"type": "string", "enum": ["cake", "candles", "wine"]}},
    "password": {"type": "string"},
}
PLANTED = "planted-4711"


@pytest.fixture
def form(page: WidgetPage) -> ElicitationForm:
    return ElicitationForm(
        "Book a table?", {"type": "object", "properties": PROPERTIES, "required": ["name"]}
    )


@pytest.fixture
def controls(form: ElicitationForm) -> Controls:
    return form.controls()


def every(widget: Any) -> Iterator[Any]:
    """A widget and all that stand in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every(child)


def texts(controls: Controls) -> list[str]:
    """The texts to read, from top to bottom."""
    inputs = [controls[field.name] for field in controls._form.fields]
    return [
        each.value for each in every(controls) if isinstance(each, ipywidgets.Textarea) and each not in inputs
    ]


def button(controls: Controls, words: str) -> Any:
    [found] = [
        each for each in every(controls) if isinstance(each, ipywidgets.Button) and each.description == words
    ]
    return found


def tick(controls: Controls) -> Any:
    """The box whose tick lets a secret go."""
    [found] = [each for each in every(controls) if getattr(each, "description", "") == agreement("notebook")]
    return found


def buttons(controls: Controls) -> list[str]:
    return [each.description for each in every(controls) if isinstance(each, ipywidgets.Button)]


# Which control


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("name", ipywidgets.Text, ""),
        ("notes", ipywidgets.Textarea, ""),
        ("mail", ipywidgets.Text, "ada@example.org"),
        ("day", ipywidgets.Text, ""),
        ("at", ipywidgets.Text, ""),
        ("party", ipywidgets.Text, ""),
        ("share", ipywidgets.Text, "0.5"),
        ("terrace", ipywidgets.Dropdown, None),
        ("seat", ipywidgets.Dropdown, None),
        ("password", ipywidgets.Password, ""),
    ],
)
def test_each_kind_of_field_has_its_control_which_invents_no_answer(
    controls: Controls, name: str, kind: type, value: Any
) -> None:
    assert isinstance(controls[name], kind)
    assert controls[name].value == value


def test_a_choice_starts_with_a_blank_that_can_be_gone_back_to(
    form: ElicitationForm, page: WidgetPage
) -> None:
    controls = form.controls()
    assert page.shows(controls["seat"], "_options_labels") == [
        "",
        "By the window",
        "At the bar",
    ]
    page.set(controls["seat"], index=2)
    assert form.draft["seat"] == "bar"
    page.set(controls["seat"], index=0)
    assert form.draft["seat"] is None


def test_yes_no_and_not_answered_are_three(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    assert page.shows(controls["terrace"], "_options_labels") == ["", "Yes", "No"]
    held = []
    for index in (2, 1, 0):
        page.set(controls["terrace"], index=index)
        held.append(form.draft["terrace"])
    assert held == [False, True, None]


def test_options_are_told_apart_by_their_json_type(page: WidgetPage) -> None:
    form = ElicitationForm(
        "?", {"type": "object", "properties": {"x": {"enum": [1, True, "1", "", 0, False]}}}
    )
    controls = form.controls()
    for index, value in enumerate([1, True, "1", "", 0, False], start=1):
        page.set(controls["x"], index=index)
        assert (form.draft["x"], type(form.draft["x"])) == (value, type(value))


@pytest.mark.parametrize(("value", "index"), [(1, 1), (True, 2), ("1", 3), ("", 4), (0, 5), (False, 6)])
def test_the_option_that_the_form_holds_is_shown_by_its_json_type(
    page: WidgetPage, value: Any, index: int
) -> None:
    form = ElicitationForm(
        "?", {"type": "object", "properties": {"x": {"enum": [1, True, "1", "", 0, False]}}}
    )
    controls = form.controls()
    form.fill(x=value)
    assert page.shows(controls["x"], "index") == index
    assert type(form.draft["x"]) is type(value)


def test_several_of_many_have_a_box_each_and_their_order_is_the_schemas(
    form: ElicitationForm, page: WidgetPage
) -> None:
    boxes = form.controls()["extras"].children
    assert [box.description for box in boxes] == ["cake", "candles", "wine"]
    page.set(boxes[2], value=True)
    page.set(boxes[0], value=True)
    assert form.draft["extras"] == ["cake", "wine"]


def test_unticking_everything_is_an_answer_and_code_can_take_it_back(
    form: ElicitationForm, page: WidgetPage
) -> None:
    box = form.controls()["extras"].children[0]
    assert form.draft["extras"] is None
    page.set(box, value=True)
    page.set(box, value=False)
    assert form.draft["extras"] == []
    form.fill(extras=None)
    assert form.draft["extras"] is None


def test_a_field_that_does_not_exist_is_refused_by_name(controls: Controls) -> None:
    with pytest.raises(LocalError, match='no field "nobody"'):
        controls["nobody"]


# Both ways


def test_what_is_typed_is_held_as_text_by_the_form(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    for name, text in [("name", "Ada"), ("party", "9007199254740993"), ("share", "1e-1"), ("day", "soon")]:
        page.set(controls[name], value=text)
        assert form.draft[name] == text


def test_what_is_set_by_code_on_a_control_is_held_by_the_form(form: ElicitationForm) -> None:
    controls = form.controls()
    controls["name"].value = "Ada"
    controls["seat"].value = "bar"
    controls["terrace"].value = False
    controls["extras"].children[1].value = True
    held = {name: form.draft[name] for name in ("name", "seat", "terrace", "extras")}
    assert held == {"name": "Ada", "seat": "bar", "terrace": False, "extras": ["candles"]}


def test_what_the_form_holds_is_shown_by_every_set_of_controls(
    form: ElicitationForm, page: WidgetPage
) -> None:
    both = form.controls(), form.controls()
    page.say(form, type="draft", draft=[["name", "Ada"], ["seat", "1"]])
    form.fill(party=4, terrace=True, extras=["wine"])
    for controls in both:
        assert page.shows(controls["name"], "value") == "Ada"
        assert page.shows(controls["seat"], "index") == 2
        assert page.shows(controls["party"], "value") == "4"
        assert page.shows(controls["terrace"], "index") == 1
        assert [page.shows(box, "value") for box in controls["extras"].children] == [False, False, True]
    page.set(both[0]["name"], value="Grace")
    assert page.shows(both[1]["name"], "value") == "Grace"
    assert page.heard(form)[-1] == {"type": "fill", "draft": [["name", "Grace"]]}


def test_a_page_is_not_told_what_it_just_said(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    page.told.clear()
    page.set(controls["name"], value="Ada")
    told = [each["data"] for each in page.told if each["id"] == controls["name"].model_id]
    assert all(each["method"] == "echo_update" for each in told)


def test_text_taken_back_to_what_it_was_is_untouched_again(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    page.set(controls["name"], value="A")
    page.set(controls["name"], value="")
    assert form.draft["name"] is None
    page.set(controls["mail"], value="")
    assert form.draft["mail"] == ""
    page.set(controls["mail"], value="ada@example.org")
    assert form.draft["mail"] == "ada@example.org"


def test_what_code_clears_is_not_answered_and_what_a_person_clears_is_empty(
    form: ElicitationForm, page: WidgetPage
) -> None:
    controls = form.controls()
    form.fill(mail=None)
    assert page.shows(controls["mail"], "value") == ""
    assert form.draft["mail"] is None
    form.fill(mail="ada@example.org")
    page.set(controls["mail"], value="")
    assert form.draft["mail"] == ""


def test_a_default_that_no_text_box_can_show_is_sent_byte_for_byte_unless_edited(page: WidgetPage) -> None:
    text = "one\r\ntwo"
    form = ElicitationForm("?", {"type": "object", "properties": {"x": {"type": "string", "default": text}}})
    form.controls()
    assert form.check() == {"x": text}


# What stands there to read


def test_who_asks_stands_above_and_apart_from_what_is_asked(page: WidgetPage) -> None:
    controls = ElicitationForm("Book\na table?", None).controls()
    assert texts(controls) == ["This notebook asks", "Book\na table?"]


def test_help_limits_and_the_warning_about_secrets_stand_with_their_fields(controls: Controls) -> None:
    read = texts(controls)
    assert "As on the card.\nNo titles." in read
    assert "1 to 12" in read
    [warning] = [text for text in read if "looks like a secret" in text]
    # No server asks here, and only servers are forbidden to.
    assert "MCP" not in warning


def test_a_field_that_must_be_answered_says_so_in_its_label(controls: Controls) -> None:
    assert controls["name"].description == "Your name (required)"
    assert controls["party"].description == "party"


HOSTILE = [
    r"<img src=x onerror=alert(1)>",
    r"$\href{javascript:alert(1)}{ok}$ and $$\style{position:fixed}{x}$$",
    r"\(a\) \[b\] \begin{align}c\end{align} \ref{d}",
    "Transfer to \u202eecila\u202c",
    "[Approve](javascript:alert(1)) https://evil.example/",
    "x" * 300,
]

#: What MathJax and KaTeX look for in a label, once only backslashes without a letter or bracket are left.
FORMULAS = [r"\(", r"\[", r"\begin", r"\ref", r"\eqref", r"\$"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_neither_markup_nor_formula_wherever_it_stands(page: WidgetPage, text: str) -> None:
    form = ElicitationForm(
        text,
        {
            "type": "object",
            "properties": {
                text: {"type": "string"},
                "a": {"type": "string", "title": text, "description": text},
                "b": {"oneOf": [{"const": text, "title": text}, {"const": "y"}]},
                "c": {"type": "array", "items": {"type": "string", "enum": [text, "z"]}},
                "d": {"type": "boolean", "title": text},
            },
        },
        name=text,
    )
    form.controls()
    for state in list(page.state.values()):
        assert state.get("_view_name") not in ("HTMLView", "HTMLMathView", "LabelView")
        assert not state.get("description_allow_html")
        label = state.get("description") or ""
        assert label.count("$") < 2
        assert not [start for start in FORMULAS if start in label]
        assert "card" in state or "\u202e" not in json.dumps(state, ensure_ascii=False)


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_text_to_read_is_verbatim(page: WidgetPage, text: str) -> None:
    form = ElicitationForm(
        text, {"type": "object", "properties": {"a": {"type": "string", "description": text}}}
    )
    assert texts(form.controls())[1:] == [text, text]


def test_a_label_that_cannot_stand_beside_its_control_stands_above_it_and_still_names_it(
    page: WidgetPage,
) -> None:
    title = "Between $5 and $9?"
    form = ElicitationForm("?", {"type": "object", "properties": {"a": {"type": "string", "title": title}}})
    controls = form.controls()
    assert title in texts(controls)
    assert (controls["a"].description, controls["a"].tooltip) == ("", title)


# Answering


def test_submit_shows_what_would_be_sent_and_send_sends_it(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    page.set(controls["name"], value="Ada")
    page.set(controls["seat"], index=1)
    page.set(controls["terrace"], index=2)
    page.set(controls["extras"].children[2], value=True)
    page.set(controls["password"], value=PLANTED)
    page.press(button(controls, "Submit"))
    assert form.is_open
    assert texts(controls)[-1].split("\n") == [
        "This will be sent:",
        "Your name: Ada",
        "notes: (not answered)",
        "mail: ada@example.org",
        "day: (not answered)",
        "at: (not answered)",
        "party: (not answered)",
        "share: 0.5",
        "terrace: No",
        "seat: By the window (window)",
        "extras: wine",
        "password: (hidden)",
    ]
    assert buttons(controls) == ["Send", "Back", "Decline", "Cancel"]
    # A secret in a form leaves only with the person's word on it.
    page.press(button(controls, "Send"))
    assert form.is_open
    assert UNTOLD in " ".join(texts(controls))
    page.set(tick(controls), value=True)
    page.press(button(controls, "Send"))
    assert form.answer == Accept(
        {
            "name": "Ada",
            "mail": "ada@example.org",
            "share": 0.5,
            "terrace": False,
            "seat": "window",
            "extras": ["wine"],
            "password": PLANTED,
        }
    )


def test_a_change_after_submit_takes_send_away_so_nothing_unseen_is_sent(
    form: ElicitationForm, page: WidgetPage
) -> None:
    controls = form.controls()
    page.set(controls["name"], value="Ada")
    page.press(button(controls, "Submit"))
    send = button(controls, "Send").model_id
    # It was held back by the page, and comes after the click.
    page.set(controls["name"], value="Adalbert")
    assert buttons(controls) == ["Submit", "Decline", "Cancel"]
    page.say(send, event="click")
    assert form.is_open


def test_back_takes_the_review_away(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    page.set(controls["name"], value="Ada")
    page.press(button(controls, "Submit"))
    page.press(button(controls, "Back"))
    assert buttons(controls) == ["Submit", "Decline", "Cancel"]
    assert not any(text.startswith("This will be sent") for text in texts(controls))


def test_a_plain_confirmation_is_sent_at_once(page: WidgetPage) -> None:
    form = ElicitationForm("Delete 3 tables?")
    page.press(button(form.controls(), "Submit"))
    assert form.answer == Accept({})


def test_what_does_not_fit_is_said_at_its_field_until_it_changes(
    form: ElicitationForm, page: WidgetPage
) -> None:
    controls = form.controls()
    before = texts(controls)
    page.set(controls["party"], value="13")
    page.press(button(controls, "Submit"))
    assert form.is_open
    assert [text for text in texts(controls) if text not in before] == list(form.problems.values())
    assert set(form.problems) == {"name", "party"}
    page.set(controls["party"], value="12")
    page.set(controls["name"], value="Ada")
    assert texts(controls) == before


def test_problems_that_code_or_the_page_met_are_shown_too(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    page.say(form, type="answer", action="accept", draft=[["name", "Ada"], ["day", "soon"]], answerId="a")
    assert form.problems["day"] in texts(controls)


def test_a_sentence_that_comes_or_goes_moves_no_text_box_in_the_page(
    form: ElicitationForm, page: WidgetPage
) -> None:
    controls = form.controls()
    outer = page.shows(controls, "children")
    page.press(button(controls, "Submit"))
    page.set(controls["name"], value="Ada")
    assert page.shows(controls, "children") == outer
    for field in form.fields:
        # The control stays first of what can change in its box.
        [box] = [each for each in controls.children if controls[field.name] in getattr(each, "children", ())]
        after = box.children[box.children.index(controls[field.name]) + 1 :]
        assert all(each.disabled for each in after)


@pytest.mark.parametrize(
    ("words", "answer", "end"),
    [("Decline", Decline(), "declined"), ("Cancel", Cancel("dismissed"), "cancelled")],
)
def test_the_other_buttons_answer_at_once(
    form: ElicitationForm, page: WidgetPage, words: str, answer: Any, end: str
) -> None:
    controls = form.controls()
    page.press(button(controls, words))
    assert form.answer == answer
    assert texts(controls)[-1].startswith(f"This notebook asked · {end}")


def test_when_the_question_is_over_everything_is_empty_and_locked(
    form: ElicitationForm, page: WidgetPage
) -> None:
    controls = form.controls()
    page.set(controls["name"], value=PLANTED)
    page.set(controls["password"], value=PLANTED)
    page.set(controls["seat"], index=1)
    page.set(controls["extras"].children[0], value=True)
    page.press(button(controls, "Submit"))
    page.set(tick(controls), value=True)
    page.press(button(controls, "Send"))
    assert buttons(controls) == ["Submit", "Decline", "Cancel"]
    assert all(each.disabled for each in every(controls) if hasattr(each, "disabled"))
    assert PLANTED not in json.dumps(Widget.get_manager_state())
    assert PLANTED not in json.dumps(page.state)
    # It was on its way.
    page.set(controls["name"], value=PLANTED)
    assert PLANTED not in json.dumps(page.state)
    assert PLANTED not in json.dumps(Widget.get_manager_state())


def test_a_question_that_waits_its_turn_cannot_be_answered_yet(page: WidgetPage) -> None:
    form = ElicitationForm("Sure?")
    form.take({**form.card, "state": "queued"})
    controls = form.controls()
    assert button(controls, "Submit").disabled
    form.take({**form.card, "state": "pending"})
    assert not button(controls, "Submit").disabled


def test_why_an_answer_could_not_be_sent_is_said_above_the_buttons(page: WidgetPage) -> None:
    class Broken:
        """A desk that cannot be reached."""

        def ask(self, question: Any) -> Any:
            raise NotImplementedError

        def answer(self, question_id: str, shape: Any) -> Any:
            raise LocalError("This kernel cannot reach its Jupyter server.", hint="Try again.")

    form = ElicitationForm.of_card(ElicitationForm("Sure?").card, None, Broken())
    controls = form.controls()
    page.press(button(controls, "Decline"))
    assert texts(controls)[-1] == "This kernel cannot reach its Jupyter server. Try again."
    assert not button(controls, "Decline").disabled


# What is left behind


def test_reprs_do_not_say_what_was_typed(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    page.set(controls["name"], value=PLANTED)
    page.set(controls["password"], value=PLANTED)
    for widget in every(controls):
        assert PLANTED not in repr(widget)
        assert PLANTED not in json.dumps(widget._repr_mimebundle_())


def test_controls_share_their_layout_and_styles(form: ElicitationForm) -> None:
    before = open_widgets()
    controls = form.controls()
    rows = list(every(controls))
    assert len({id(each.layout) for each in rows if each is not controls}) == 1
    # One Layout of its own, one shared, and a Style for each of: texts, choices, boxes to tick, buttons.
    assert open_widgets() - before - len(rows) == 6


def test_closed_controls_leave_nothing_behind_and_the_form_goes_on(
    form: ElicitationForm, page: WidgetPage
) -> None:
    before = open_widgets()
    controls = form.controls()
    page.press(button(controls, "Submit"))
    page.set(controls["name"], value="Ada")
    page.press(button(controls, "Submit"))
    controls.close()
    controls.close()
    assert open_widgets() == before
    form.fill(name="Grace")
    form.submit()
    assert form.answer is not None
    gone = weakref.ref(controls)
    form.close()
    del controls
    gc.collect()
    assert gone() is None


def test_closing_the_form_closes_its_controls(form: ElicitationForm) -> None:
    form.controls()
    form.controls()
    form.close()
    assert open_widgets() == 0


def test_a_control_can_stand_in_a_layout_of_ones_own(form: ElicitationForm, page: WidgetPage) -> None:
    controls = form.controls()
    box = ipywidgets.HBox([controls["name"], controls["party"]])
    assert page.shows(box, "children") == [
        f"IPY_MODEL_{controls[name].model_id}" for name in ("name", "party")
    ]
