"""Every trick of the badly behaved twin, through a running Jupyter server: it ends, rightly, and soon."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from door import JSON, Door
from jupyter_process import DEMO, JupyterProcess, wait_until

from jupyter_mcp_elicit.demo.hostile.trick import HTTP, LEGACY, MODERN, STDIO
from jupyter_mcp_elicit.demo.hostile.tricks import TRICKS

pytestmark = pytest.mark.timeout(60)

ALONE = (
    "--ServerApp.jpserver_extensions="
    + repr(
        dict.fromkeys(("jupyter_lsp", "jupyter_server_terminals", "jupyterlab", "notebook"), False)
        | {"jupyter_mcp_elicit": True, "notebook_shim": False}
    ),
)
OLDEST = "oldest"
ERAS = {OLDEST: "2025-06-18", LEGACY: "2025-11-25", MODERN: "2026-07-28"}
DECLINED = {"action": "decline"}


@dataclass
class Played:
    """What one trick came to: the questions that were shown, what the person was told, and the end."""

    cards: list[dict[str, Any]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)

    @property
    def said(self) -> Any:
        """The result's text, read as JSON where it is some; ``None`` when the call failed."""
        if self.last["type"] != "result":
            return None
        text = self.last["result"]["content"][0]["text"]
        try:
            return json.loads(text)
        except ValueError:
            return text

    @property
    def why(self) -> str:
        return str(self.last.get("error", {}).get("message", ""))


class Theatre:
    """A Jupyter server with the twin in each revision and over each transport."""

    def __init__(self, jupyter: JupyterProcess) -> None:
        self.jupyter = jupyter
        self.door = Door(jupyter.url, jupyter.token, jupyter.root / "runtime")

    def play(self, stage: str, trick: str, **arguments: Any) -> Played:
        """Whoever is asked declines, each question as soon as it is shown."""
        played = Played()
        body = {"server": stage, "tool": trick, "arguments": arguments}
        with closing(self.door.stream("mcp-elicit/calls", body)) as stream:
            for line in stream:
                if line["type"] == "elicit":
                    played.cards.append(line["card"])
                    self.answer(line["card"], {"action": "decline"})
                elif line["type"] == "notice":
                    played.notices.append(line["text"])
                played.last = line
        return played

    def answer(self, card: dict[str, Any], body: dict[str, Any]) -> int:
        headers = {**self.door.token, **JSON, "Sec-Fetch-Site": "same-origin"}
        return self.door.request("POST", f"mcp-elicit/elicitations/{card['id']}/answer", body, headers).status


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    web = subprocess.Popen([*DEMO, "--hostile", "--http"], stderr=subprocess.PIPE, text=True)
    jupyter = JupyterProcess(tmp_path_factory.mktemp("theatre"), {}, options=ALONE)
    try:
        assert web.stderr is not None
        url = web.stderr.readline().split()[-1]
        entry = {STDIO: {"command": sys.executable, "args": [*DEMO[1:], "--hostile"]}, HTTP: {"url": url}}
        jupyter.configure(
            {
                f"{loud}{era}-{way}": {**entry[way], "era": version}
                for loud in ("", "flood-")
                for era, version in ERAS.items()
                for way in (STDIO, HTTP)
            }
        )
        yield Theatre(jupyter)
    finally:
        jupyter.stop()
        web.kill()
        web.communicate(timeout=10)


#: The reason that is given where a question is refused unasked, by trick.
REFUSED = {
    "nested_schema": "nested objects are not allowed",
    "deep_schema": "",
    "recursive_schema": "refers to itself",
    "fetched_schema": "is never followed",
    "huge_form": "more than 1000 fields",
    "huge_choice": "more than 20000 options",
    "impossible_form": "it cannot be answered",
    "unknown_mode": 'must be "form" or "url"',
    "no_params": "needs a message",
    "script_address": "does not start with https://",
    "file_address": "does not start with https://",
    "user_info_address": "a user name before its host",
    "ambiguous_address": "a backslash",
}

#: What a shown question must say, by trick: keys of its card, its address or its first field, with values.
SHOWN: dict[str, dict[str, Any]] = {
    "foreign_default": {"draft": [["size", None]]},
    "slow_pattern": {},
    "invisible_text": {},
    "markup": {},
    "false_sender": {"asker.kind": "server"},
    "false_buttons": {"field.options": ["erase-all", "send-all", "x"]},
    "secret": {"field.sensitive": True},
    "reserved_names": {"draft": [["__proto__", "p"], ["constructor", None]]},
    "lookalike_address": {"url.level": "danger", "url.host": "xn--pple-43d.example.com"},
    "numeric_address": {"url.level": "danger", "url.host": "127.0.0.1"},
    "open_address": {"url.level": "danger"},
}

#: Why a call fails that nothing can be made of.
FAILED = {
    "mixed_required": "were not opened to the end",
    "empty_required": "Open these first.",
    "endless_required": "were not opened to the end",
    "endless_rounds": "still asks after 10 rounds",
    "spinning_rounds": "still asks after 10 rounds",
    "huge_state": "longer than 256 KiB",
    "undeclared_request": "which was not offered",
    "no_result": "could not be read",
    "oversized_message": {STDIO: "more than 4096 KiB", HTTP: "exceeded the 4194304 byte limit"},
    "oversized_question": {STDIO: "more than 4096 KiB", HTTP: "exceeded the 4194304 byte limit"},
}


#: Those that ask to open an address, which 2025-06-18 does not know.
PAGES = {name for name in TRICKS if name.endswith(("_address", "_required", "_completion"))}


def stages(*names: str, ways: tuple[str, ...] = (STDIO, HTTP)) -> Any:
    """A trick in every revision and over every transport in which it can be played."""
    return pytest.mark.parametrize(
        ("name", "stage"),
        [
            (name, f"{era}-{way}")
            for name in names
            for era in ERAS
            for way in ways
            if TRICKS[name].fits(LEGACY if era == OLDEST else era, way)
            if era != OLDEST or name not in PAGES
        ],
    )


def test_every_trick_is_played_here_and_says_what_it_is() -> None:
    alone = {"own_address", "early_completion", "repeated_completion", "unasked_question", "flood"}
    alone |= {"twin_ids", "withdrawn_question", "impatient", "garbage"}
    assert {*REFUSED, *SHOWN, *FAILED, *alone} == set(TRICKS)
    for trick in TRICKS.values():
        assert trick.wrong.endswith(".")
        assert trick.must.endswith(".")


@stages(*REFUSED)
def test_what_cannot_be_shown_rightly_is_refused_with_the_reason(
    theatre: Theatre, name: str, stage: str
) -> None:
    played = theatre.play(stage, name)
    assert played.cards == []
    if played.said is None:
        # In a round there is no way to refuse one question: the call fails here.
        assert REFUSED[name] in played.why
        assert played.last["error"]["kind"] == "remote"
    else:
        [answer] = played.said
        assert answer["code"] == -32602
        assert REFUSED[name] in answer["message"]


@stages(*SHOWN)
def test_what_can_be_shown_safely_is_shown_and_the_servers_text_decides_nothing(
    theatre: Theatre, name: str, stage: str
) -> None:
    played = theatre.play(stage, name)
    [card] = played.cards
    assert card["asker"]["name"] == stage
    seen = {
        **card,
        **{f"asker.{key}": value for key, value in card["asker"].items()},
        **{f"url.{key}": value for key, value in card.get("url", {}).items()},
        **{f"field.{key}": value for key, value in (card["fields"] or [{}])[0].items()},
    }
    if "field.options" in seen:
        seen["field.options"] = [each["value"] for each in seen["field.options"]]
    assert {key: seen[key] for key in SHOWN[name]} == SHOWN[name]
    assert played.said == [DECLINED]


@pytest.mark.parametrize("way", [STDIO, HTTP])
@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_revision_without_addresses_opens_none(theatre: Theatre, name: str, way: str) -> None:
    played = theatre.play(f"{OLDEST}-{way}", name, origin=theatre.jupyter.url)
    assert played.cards == []
    if played.said is None:
        assert name.endswith("_required")
        assert played.last["error"]["kind"] == "remote"
    else:
        assert {answer["code"] for answer in played.said} == {-32602}
        assert {answer["message"] for answer in played.said} == {
            "This client did not declare the elicitation mode 'url'."
        }


@stages("slow_pattern")
def test_a_slow_pattern_costs_nothing(theatre: Theatre, name: str, stage: str) -> None:
    body = {"server": stage, "tool": name, "arguments": {}}
    with closing(theatre.door.stream("mcp-elicit/calls", body)) as stream:
        card = stream.next("elicit")["card"]
        start = time.monotonic()
        draft = [["word", "a" * 40 + "!"]]
        assert theatre.answer(card, {"action": "accept", "draft": draft}) == 422
        assert time.monotonic() - start < 5
        assert theatre.answer(card, DECLINED) == 200
        stream.end()


@stages("own_address")
def test_an_address_in_the_notebooks_own_server_is_refused(theatre: Theatre, name: str, stage: str) -> None:
    played = theatre.play(stage, name, origin=theatre.jupyter.url)
    assert played.cards == []
    assert "own server, where it could act with your login" in f"{played.said}{played.why}"


@stages(*FAILED)
def test_a_call_that_nothing_can_be_made_of_fails_with_the_reason(
    theatre: Theatre, name: str, stage: str
) -> None:
    played = theatre.play(stage, name)
    why = FAILED[name]
    assert played.said is None
    assert (why if isinstance(why, str) else why[stage.rpartition("-")[2]]) in played.why
    assert len(played.why) < 300
    # The next call works: the server was not lost for good.
    assert theatre.play(stage, "false_sender").said == [DECLINED]


@stages("mixed_required")
def test_of_a_mixed_list_the_addresses_are_asked_for_and_the_rest_is_named(
    theatre: Theatre, name: str, stage: str
) -> None:
    played = theatre.play(stage, name)
    assert sorted(card["url"]["host"] for card in played.cards) == ["first.example", "second.example"]
    assert [each.split(" of ")[0] for each in played.notices] == [
        f"Entry {number}" for number in (2, 3, 4, 5)
    ]


@stages("endless_required")
def test_an_address_without_end_is_opened_once_and_then_only_reminded_of(
    theatre: Theatre, name: str, stage: str
) -> None:
    kinds: list[str] = []
    body = {"server": stage, "tool": name, "arguments": {}}
    with closing(theatre.door.stream("mcp-elicit/calls", body)) as stream:
        for line in stream:
            if line["type"] != "elicit":
                continue
            card = line["card"]
            kinds.append(card["mode"])
            if card["mode"] == "url":
                assert theatre.answer(card, {"action": "accept"}) == 200
                path = f"mcp-elicit/elicitations/{card['id']}/flow"
                headers = {**theatre.door.token, **JSON, "Sec-Fetch-Site": "same-origin"}
                assert theatre.door.request("POST", path, {"action": "finish"}, headers).status == 200
            else:
                assert theatre.answer(card, {"action": "accept", "draft": []}) == 200
    assert kinds == ["url", "form", "form", "form", "form"]
    assert stream.lines[-1]["error"]["message"] == "The server asked 5 times for an address to be opened."


@stages("early_completion", "repeated_completion")
def test_a_completion_is_no_consent_and_is_heard_once(theatre: Theatre, name: str, stage: str) -> None:
    body = {"server": stage, "tool": name, "arguments": {}}
    with closing(theatre.door.stream("mcp-elicit/calls", body)) as stream:
        card = stream.next("elicit")["card"]
        assert theatre.jupyter.card(card["id"])["state"] == "pending"
        assert theatre.answer(card, {"action": "accept"}) == 200
        assert json.loads(stream.end()["result"]["content"][0]["text"]) == [{"action": "accept"}]
    flow = theatre.jupyter.card(card["id"])["flow"]
    # What was said too early is not kept for later.
    assert flow == ("opened" if name == "early_completion" else "completed")


@stages("unasked_question")
def test_a_question_that_no_call_caused_says_so(theatre: Theatre, name: str, stage: str) -> None:
    played = theatre.play(stage, name)
    assert played.said == "Thank you, that was all."
    [card] = played.cards or theatre.jupyter.wait_for_cards()
    assert card["cause"]["certainty"] == "none"
    theatre.answer(card, DECLINED)
    wait_until(lambda: theatre.jupyter.open_cards() == [], "end of the question")


@stages("withdrawn_question", "impatient")
def test_a_question_whose_asker_stopped_waiting_is_taken_back_and_answered_by_nobody(
    theatre: Theatre, name: str, stage: str
) -> None:
    body = {"server": stage, "tool": name, "arguments": {}}
    with closing(theatre.door.stream("mcp-elicit/calls", body)) as stream:
        card = stream.next("elicit")["card"]
        last = stream.end()
    over = wait_until(
        lambda: found if (found := theatre.jupyter.card(card["id"]))["outcome"] else None, "end of it"
    )
    assert (over["state"], over["outcome"]["action"]) == ("withdrawn", "cancel")
    assert over["outcome"]["withdrawnBy"] == {"withdrawn_question": "asker", "impatient": "call"}[name]
    assert theatre.answer(card, {"action": "accept", "draft": [["name", "Ada"]]}) == 410
    assert "accept" not in json.dumps(last)


@stages("garbage", ways=(STDIO,))
def test_lines_that_are_no_messages_are_skipped_and_the_call_survives(
    theatre: Theatre, name: str, stage: str
) -> None:
    assert theatre.play(stage, name).said == "Did you hear me?"


@stages("garbage", ways=(HTTP,))
def test_events_that_are_no_messages_end_the_call_and_no_other(
    theatre: Theatre, name: str, stage: str
) -> None:
    assert theatre.play(stage, name).why == "A message of the server could not be read."
    assert theatre.play(stage, "false_sender").said == [DECLINED]


@stages("twin_ids")
def test_of_two_questions_with_one_id_each_gets_the_answer_that_was_given_to_it(
    theatre: Theatre, name: str, stage: str
) -> None:
    played = theatre.play(stage, name)
    assert len(played.cards) == 2
    assert played.said == [DECLINED, DECLINED]


# The last one: after it the server is muted for a minute.
@stages("flood")
def test_of_a_flood_a_few_are_shown_the_rest_is_refused_and_others_go_on(
    theatre: Theatre, name: str, stage: str
) -> None:
    played = theatre.play(f"flood-{stage}", name)
    assert 16 <= len(played.cards) <= 21
    codes = [answer.get("code") for answer in played.said]
    assert codes.count(-32600) == 500 - len(played.cards)
    assert codes.count(None) == len(played.cards)
    assert len(played.notices) <= 2
    assert theatre.play(stage, "false_sender").said == [DECLINED]


def test_the_page_about_the_twin_names_every_trick_as_it_is() -> None:
    text = (Path(__file__).parents[2] / "docs" / "hostile.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", text, re.MULTILINE))
    assert rows == {name: trick.wrong for name, trick in TRICKS.items()}
