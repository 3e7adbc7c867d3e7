from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

import pytest
from asked import EVERY_KIND, contents, form, url
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core import Accept, Cancel, Decline, FormElicitation, LocalError, wire
from jupyter_mcp_elicit.core.question import Channel
from jupyter_mcp_elicit.core.submission import UNTOLD, NotValid, Submission, read

NAME = {"name": {"type": "string"}, "party": {"type": "integer", "minimum": 1, "maximum": 12}}


def problems(asked: Any, submission: Submission) -> dict[str, str]:
    with pytest.raises(NotValid) as caught:
        read(asked, submission)
    return caught.value.problems


def accepted(asked: FormElicitation, **how: Any) -> Mapping[str, Any]:
    answer = read(asked, Submission("accept", **how))
    assert isinstance(answer, Accept)
    assert answer.content is not None
    return answer.content


@pytest.mark.parametrize("stale", [None, [["name", "Ada"]], "rubbish", [["party", "99"]]])
def test_decline_and_cancel_leave_at_once_without_content(stale: Any) -> None:
    asked = form(NAME, "name", "party")
    assert read(asked, Submission("decline", draft=stale, content={"name": "Ada"})) == Decline()
    assert read(asked, Submission("cancel", draft=stale, content={"name": "Ada"})) == Cancel("dismissed")


def test_a_page_accepts_with_its_draft() -> None:
    asked = form(NAME, "name")
    assert accepted(asked, draft=[["name", "Ada"], ["party", "4"]]) == {"name": "Ada", "party": 4}


def test_code_accepts_with_content() -> None:
    assert accepted(form(NAME, "name"), content={"name": "Ada", "party": 4}) == {"name": "Ada", "party": 4}


def test_a_name_that_a_page_leaves_out_is_not_answered_and_one_that_code_leaves_out_is_untouched() -> None:
    asked = form({"a": {"type": "integer", "default": 5}})
    assert accepted(asked, draft=[]) == {}
    assert accepted(asked, content={}) == {"a": 5}
    assert accepted(asked, content={"a": None}) == {}


def test_a_confirmation_is_accepted_with_an_empty_object() -> None:
    assert accepted(form(), draft=[]) == {}
    assert accepted(form(), content={}) == {}


def test_an_accept_with_no_content_at_all_is_refused() -> None:
    with pytest.raises(LocalError, match="pairs"):
        read(form(), Submission("accept"))


def test_what_does_not_fit_is_told_by_field_and_in_one_line() -> None:
    found = problems(form(NAME, "name"), Submission("accept", draft=[["party", "99"], ["ghost", "x"]]))
    assert found == {
        "name": "This needs an answer.",
        "party": "Enter a whole number from 1 to 12.",
        "ghost": "This form has no such field.",
    }
    error = NotValid({"party": "Too many.", "": "Not now."})
    assert str(error) == "The answer does not fit the form. party: Too many.; Not now."


@pytest.mark.parametrize("action", ["", "ACCEPT", "yes", "accept ", "None", "__class__"])
def test_another_action_is_none(action: str) -> None:
    assert list(problems(form(), Submission(action, draft=[]))) == [""]


def test_opening_an_address_takes_a_person_at_a_page() -> None:
    assert read(url(), Submission("accept", channel="page")) == Accept()
    for channel in ("kernel", "policy", "api"):
        told = problems(url(), Submission("accept", channel=cast("Channel", channel)))
        assert "Only a person" in told[""]


def test_a_dangerous_address_needs_a_second_confirmation() -> None:
    dangerous = url("http://bank.example/pay")
    assert "second confirmation" in problems(dangerous, Submission("accept"))[""]
    assert read(dangerous, Submission("accept", confirmed=True)) == Accept()


def test_an_address_can_be_declined_and_cancelled_like_a_form() -> None:
    assert read(url(), Submission("decline")) == Decline()
    assert read(url(), Submission("cancel")) == Cancel("dismissed")


@pytest.mark.parametrize("draft", [None, 5, "name", {"name": "Ada"}, ["name"], [["name"]], [[1, "Ada"]]])
def test_a_draft_that_is_not_pairs_is_no_submission(draft: Any) -> None:
    with pytest.raises(LocalError) as caught:
        read(form(NAME), Submission("accept", draft=draft))
    assert not isinstance(caught.value, NotValid)


@pytest.mark.parametrize("content", ["Ada", 5, [], [["name", "Ada"]], True])
def test_content_that_is_no_object_is_no_submission(content: Any) -> None:
    with pytest.raises(LocalError) as caught:
        read(form(NAME), Submission("accept", content=content))
    assert not isinstance(caught.value, NotValid)


def test_whole_numbers_of_any_size_arrive_as_typed() -> None:
    asked = form({"order": {"type": "integer"}})
    for text in ("90071992547409931", "-" + "9" * 400):
        assert accepted(asked, draft=[["order", text]]) == {"order": int(text)}


@pytest.mark.parametrize("text", ["1e999", "abc", "NaN", "Infinity", "-", "1e", "0x10", "1_000", "٣"])
def test_what_is_no_number_is_never_sent(text: str) -> None:
    for kind in ("number", "integer"):
        assert list(problems(form({"n": {"type": kind}}), Submission("accept", draft=[["n", text]]))) == ["n"]


def test_names_that_mean_something_to_javascript_are_names() -> None:
    names = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "__class__", "self"]
    asked = form({name: {"type": "string"} for name in names}, *names)
    pairs = json.loads(json.dumps([[name, f"to {name}"] for name in names]))
    assert accepted(asked, draft=pairs) == {name: f"to {name}" for name in names}


@given(contents())
def test_a_form_that_is_filled_in_by_code_reads_as_one_filled_in_by_hand(content: dict[str, Any]) -> None:
    asked = form(EVERY_KIND)
    by_hand = wire.draft_to_page(asked.schema, asked.schema.fill(content))
    sent = json.loads(json.dumps(by_hand))
    assert accepted(asked, draft=sent) == accepted(asked, content=content) == content


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.sampled_from(sorted(EVERY_KIND)), _JSON).map(list), max_size=4) | _JSON)
def test_whatever_a_page_sends_is_an_answer_or_refused(draft: Any) -> None:
    asked = form(EVERY_KIND)
    try:
        answer = read(asked, Submission("accept", draft=draft))
    except LocalError:
        return
    assert isinstance(answer, Accept)
    json.dumps(dict(answer.content or {}), allow_nan=False)


@given(contents())
def test_a_submission_does_not_tell_what_is_in_it(content: dict[str, Any]) -> None:
    text = repr(Submission("accept", draft=list(content.items()), content=content))
    assert "planted" not in text
    assert "accept" not in text


SECRET = {"password": {"type": "string"}, "name": {"type": "string"}}


def test_a_typed_secret_needs_the_persons_word_and_every_other_problem_is_told_with_it() -> None:
    asked = form({**SECRET, "party": {"type": "integer"}})
    draft = [["password", "hunter2"], ["name", "Ada"], ["party", "no"]]
    assert problems(asked, Submission("accept", draft=draft)).keys() == {"password", "party"}
    for channel in ("page", "terminal"):
        given = cast("Channel", channel)
        assert problems(asked, Submission("accept", draft=draft[:2], channel=given)) == {"password": UNTOLD}
    assert accepted(asked, draft=draft[:2], secrets=True) == {"password": "hunter2", "name": "Ada"}


def test_no_word_is_needed_for_a_secret_that_nobody_typed() -> None:
    asked = form(SECRET)
    for nothing in (None, ""):
        assert accepted(asked, draft=[["password", nothing], ["name", "Ada"]]) == {"name": "Ada"}
    # What the server wrote there itself is no secret of the person's.
    asked = form({"token": {"type": "string", "default": "page-1"}})
    assert accepted(asked, draft=[["token", "page-1"]]) == {"token": "page-1"}


def test_code_that_sends_content_has_said_it_by_writing_it() -> None:
    assert accepted(form(SECRET), content={"password": "hunter2"}) == {"password": "hunter2"}
