from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from typing import Any

import pytest
from asked import BISTRO, contents, form, schema, url
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core import (
    Accept,
    Cancel,
    Cause,
    Decline,
    FormElicitation,
    LocalError,
    RemoteError,
    UrlElicitation,
)
from jupyter_mcp_elicit.core.elicitation import mint
from jupyter_mcp_elicit.core.lifecycle import REASONS


def test_ids_are_long_random_and_safe_in_urls_and_on_command_lines() -> None:
    ids = [mint() for _ in range(2000)]
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]{21}", each) for each in ids)
    assert len(set(ids)) == 2000


def test_two_questions_with_the_same_words_are_two_questions() -> None:
    assert form().id != form().id
    assert url().id != url().id


def test_the_id_is_ours_although_the_server_has_one_of_its_own() -> None:
    asked = UrlElicitation(message="Pay", url="https://a.example", asker=BISTRO, elicitation_id="theirs")
    assert asked.id != "theirs"
    assert asked.elicitation_id == "theirs"


@pytest.mark.parametrize(
    ("other", "beside"),
    [
        (Cause("book", "{}", "caused", 1, 2, 2), True),
        (Cause("book", "{}", "caused", 1, 1, 2), False),
        (Cause("book", "{}", "caused", 2, 2, 2), False),
        (Cause("book", "{}", "caused", 1, 2, 3), False),
        (Cause("book", '{"party": 4}', "caused", 1, 2, 2), False),
        (Cause("book", "{}", "caused"), False),
    ],
)
def test_questions_of_one_round_stand_beside_each_other(other: Cause, beside: bool) -> None:
    cause = Cause("book", "{}", "caused", 1, 1, 2)
    assert cause.is_beside(other) == other.is_beside(cause) == beside
    assert not Cause("book", "{}", "during").is_beside(Cause("book", "{}", "during"))


def test_the_mode_follows_from_the_question() -> None:
    assert form().mode == "form"
    assert url().mode == "url"
    with pytest.raises(TypeError):
        FormElicitation(message="x", schema=schema(), asker=BISTRO, mode="url")  # type: ignore[call-arg]


@pytest.mark.parametrize("message", [None, 5, ["Which table?"], b"Which table?"])
def test_a_question_without_a_text_is_the_servers_fault(message: Any) -> None:
    for make in (
        lambda: FormElicitation(message=message, schema=schema(), asker=BISTRO),
        lambda: UrlElicitation(message=message, url="https://a.example", asker=BISTRO),
    ):
        with pytest.raises(RemoteError) as caught:
            make()
        assert caught.value.code == -32602


def test_a_question_cannot_be_changed() -> None:
    asked = form()
    with pytest.raises(dataclasses.FrozenInstanceError):
        asked.message = "Which bank account?"  # type: ignore[misc]


@given(contents())
def test_an_accepted_content_is_the_content_and_a_copy(content: dict[str, Any]) -> None:
    given_content = copy.deepcopy(content)
    answer = Accept(content)
    content["later"] = "x"
    assert answer.content == given_content
    assert answer == Accept(given_content)


def test_an_accepted_content_cannot_be_changed() -> None:
    answer = Accept({"name": "Ada"})
    with pytest.raises(TypeError):
        answer.content["name"] = "Bob"  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.content = {}  # type: ignore[misc]


@given(contents())
def test_a_repr_names_the_fields_and_never_what_was_answered(content: dict[str, Any]) -> None:
    text = repr(Accept(content))
    assert text == f"Accept({', '.join(content)})"
    assert repr(Accept()) == "Accept(no content)"


def test_a_repr_hides_nothing_that_a_server_put_into_a_name() -> None:
    text = repr(Accept({"\u202egnp.exe\n": 1, "x" * 1000: 2}))
    assert "[U+202E]" in text
    assert "\n" not in text
    assert len(text) < 250


@given(contents())
def test_an_accepted_answer_survives_copying_and_pickling(content: dict[str, Any]) -> None:
    answer = Accept(content)
    for other in (copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
        assert other == answer
        assert repr(other) == repr(answer)
    assert pickle.loads(pickle.dumps(Accept())) == Accept()


@pytest.mark.parametrize("content", ["Ada", 5, ["name", "Ada"], [("name", "Ada")], {1: "Ada"}, {None: 1}])
def test_accept_takes_names_with_values_only(content: Any) -> None:
    with pytest.raises(LocalError, match=r'Accept\(\{"name": "Ada"\}\)'):
        Accept(content)


@given(st.text())
def test_a_cancel_has_one_of_the_known_reasons(reason: str) -> None:
    if reason in REASONS:
        return
    with pytest.raises(LocalError, match="dismissed, expired, withdrawn, not shown"):
        Cancel(reason)


def test_each_known_reason_makes_a_cancel() -> None:
    assert [Cancel(reason).reason for reason in REASONS] == list(REASONS)
    assert Cancel() == Cancel("dismissed")


def test_the_three_answers_can_be_told_apart_by_matching() -> None:
    def told(answer: object) -> str:
        match answer:
            case Accept(content={"name": name}):
                return f"yes, {name}"
            case Accept():
                return "yes"
            case Decline():
                return "no"
            case Cancel(reason=reason):
                return reason
            case _:
                return "?"

    assert [told(each) for each in (Accept({"name": "Ada"}), Accept(), Decline(), Cancel("expired"))] == [
        "yes, Ada",
        "yes",
        "no",
        "expired",
    ]


def test_the_action_is_what_the_protocol_calls_it() -> None:
    assert [each.action for each in (Accept(), Decline(), Cancel())] == ["accept", "decline", "cancel"]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "https://a@evil.example/", "http://localhost:8888/lab", "", "/lab"]
)
def test_an_address_that_must_not_be_opened_never_becomes_a_question(address: str) -> None:
    with pytest.raises(RemoteError) as caught:
        UrlElicitation(message="Pay", url=address, asker=BISTRO, own_origins=("http://localhost:8888",))
    assert caught.value.code == -32602
    assert caught.value.message.startswith("The address cannot be opened from here: ")
