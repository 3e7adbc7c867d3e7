"""An address that an MCP server wants opened: the person's own consent, and what becomes of the page."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from door import JSON, Door, Reply, Stream
from jupyter_process import JupyterProcess, wait_until
from kernel_client import Cell, KernelClient
from till_page import ask, use

from .conftest import ALONE

pytestmark = pytest.mark.timeout(90)

DOORMAN = {"command": sys.executable, "args": [str(Path(__file__).parent / "servers" / "doorman.py")]}
DIGITS = "27182818284590"
CONSENT = {"action": "accept", "confirmed": True}
ADDRESS = "https://shop.example/pay?id=1"

SETUP = """
from jupyter_mcp_elicit import Accept, Decline, RemoteError, connect
names = ["bistro", "silent", "modern", "hasty"]
servers = {name: await connect(name) for name in names}

def table(name):
    rest = {"name": "Grace", "email": "g@example.org", "date": "2026-12-24", "time": "18:00"}
    return servers[name].call("book_table", {"party": 2, "seating": "bar", **rest}).structured_content["code"]

def pay(name):
    print(servers[name].call("pay_deposit", {"code": table(name)}).structured_content["status"])

def menu(name, member):
    try:
        print(servers[name].call("members_menu", {"member": member}).structured_content["status"])
    except RemoteError as error:
        print(error)
"""

_numbers = itertools.count()


class House:
    """A Jupyter server, one kernel of it with connections to every server, and what a page there can do."""

    def __init__(self, jupyter: JupyterProcess) -> None:
        self.jupyter = jupyter
        self.door = Door(jupyter.url, jupyter.token, jupyter.root / "runtime")
        self.kernel = KernelClient(jupyter)
        started = self.kernel.run(SETUP, 60)
        assert started.reply is not None
        assert started.reply["status"] == "ok", started.text

    def start(self, code: str) -> tuple[Cell, dict[str, Any]]:
        """A cell that runs, and the card of what it asks."""
        cell = self.kernel.start(code)
        [card] = self.jupyter.wait_for_cards()
        return cell, card

    def post(self, card: dict[str, Any], what: str, body: Any, *, page: bool = True) -> Reply:
        headers = {**self.door.token, **JSON, **({"Sec-Fetch-Site": "same-origin"} if page else {})}
        return self.door.request("POST", f"mcp-elicit/elicitations/{card['id']}/{what}", body, headers)

    def agree(self, card: dict[str, Any]) -> str:
        """The person's consent on a page; gives the address."""
        reply = self.post(card, "answer", CONSENT)
        assert reply.status == 200, reply
        assert reply.json["card"]["flow"] == "opened"
        return str(card["url"]["href"])

    def flow(self, card: dict[str, Any]) -> str | None:
        return self.jupyter.card(card["id"])["flow"]  # type: ignore[no-any-return]

    def until_flow(self, card: dict[str, Any], flow: str) -> None:
        wait_until(lambda: self.flow(card) == flow, f"flow that is {flow}")

    def since(self, lines: int) -> list[dict[str, Any]]:
        """What the bistro journalled after so many lines, without the place."""
        place = ("tool", "question", "era")
        return [
            {key: value for key, value in line.items() if key not in place}
            for line in self.jupyter.journalled()[lines:]
        ]

    def call(self, server: str, tool: str, arguments: dict[str, Any], **more: Any) -> Stream:
        body = {"server": server, "tool": tool, "arguments": arguments, **more}
        return self.door.stream("mcp-elicit/calls", body)

    def told(self, server: str, tool: str, arguments: dict[str, Any]) -> Any:
        """What a tool of the doorman tells."""
        with closing(self.call(server, tool, arguments)) as stream:
            return json.loads(stream.end()["result"]["content"][0]["text"])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    root = tmp_path_factory.mktemp("addresses")
    jupyter = JupyterProcess(root, {}, options=ALONE)
    try:
        jupyter.configure(
            {
                "bistro": jupyter.bistro(era="legacy"),
                "silent": jupyter.bistro(era="legacy", clientCompletion=False),
                "modern": jupyter.bistro(era="2026-07-28"),
                "hasty": jupyter.bistro(era="legacy", deadline=6),
                "doorman": {**DOORMAN, "era": "legacy"},
                "formal": {**DOORMAN, "era": "legacy", "elicitation": ["form"]},
            }
        )
        yield House(jupyter)
    finally:
        jupyter.stop()


@pytest.fixture
def lines(house: House) -> int:
    """How much the bistro had journalled before the test."""
    return len(house.jupyter.journalled())


@pytest.fixture
def fresh() -> str:
    """A name that no other test has used."""
    return f"name{next(_numbers)}"


def test_only_a_person_on_a_page_opens_an_address_and_what_is_typed_there_stays_there(
    house: House, lines: int
) -> None:
    cell, card = house.start("pay('bistro')")
    assert card["mode"] == "url"
    # The till listens on the machine that the notebook is open on: cookies do not know ports.
    assert card["url"]["level"] == "danger"
    assert card["url"]["warnings"]
    assert (card["fields"], card["flow"]) == ([], None)
    wait_until(lambda: cell.question_ids == [card["id"]], "card under the cell")

    signed = house.door.kernel(house.kernel.id)
    path = f"mcp-elicit/elicitations/{card['id']}/answer"
    refusals = [
        house.post(card, "answer", CONSENT, page=False),
        signed.request("POST", path, CONSENT),
        signed.request("POST", path, {**CONSENT, "scripted": True}),
    ]
    assert [each.status for each in refusals] == [422] * 3
    assert {each.json["problems"][0][1] for each in refusals} == {
        "Only a person can agree to open an address, by their own click."
    }
    for unsure in ({"action": "accept"}, {"action": "accept", "confirmed": "yes"}):
        reply = house.post(card, "answer", unsure)
        assert reply.status == 422
        assert reply.json["problems"] == [["", "This address needs a second confirmation."]]
    assert house.jupyter.card(card["id"])["state"] == "pending"
    assert house.since(lines) == []

    url = house.agree(card)
    wait_until(lambda: house.since(lines) == [{"action": "accept"}], "consent at the server")
    assert cell.reply is None
    assert use(url, DIGITS).status == 200
    assert cell.wait().text.splitlines()[-1] == "paid"
    card = house.jupyter.card(card["id"])
    assert (card["state"], card["flow"]) == ("accepted", "completed")
    outcome = card["outcome"]
    assert (outcome["action"], outcome["channel"], outcome["delivery"]) == ("accept", "page", "done")
    assert "opened and completed" in cell.text

    *journal, last = wait_until(
        lambda: house.since(lines) if len(house.since(lines)) == 4 else None, "word of the end"
    )
    assert journal == [{"action": "accept"}, {"page": "visited"}, {"page": "completed"}]
    assert last["completion"]["action"] == "accept"
    for text in (house.jupyter.journal.read_text("utf-8"), house.jupyter.log(), json.dumps(cell.outputs)):
        assert DIGITS not in text
        assert url.rpartition("/")[2] not in text


@pytest.mark.parametrize(
    ("action", "flow", "told", "status"),
    [("finish", "finished", "accept", "waiting"), ("cancel", "abandoned", "cancel", "given up")],
)
def test_a_person_who_comes_back_says_how_it_went_and_the_server_hears_it(
    house: House, lines: int, action: str, flow: str, told: str, status: str
) -> None:
    cell, card = house.start("pay('bistro')")
    assert house.post(card, "flow", {"action": action}).status == 409
    house.agree(card)
    reply = house.post(card, "flow", {"action": action})
    assert (reply.status, reply.json["card"]["flow"]) == (200, flow)
    assert cell.wait().text.splitlines()[-1] == status
    assert [each["completion"]["action"] for each in house.since(lines) if "completion" in each] == [told]
    assert house.post(card, "flow", {"action": action}).status == 409
    # The page is used all the same: the server's word comes late, and nothing happens twice.
    assert use(card["url"]["href"]).status == 200
    assert house.flow(card) == flow


@pytest.mark.parametrize("server", ["silent", "modern"])
def test_a_server_that_must_not_or_cannot_hear_of_the_end_does_not(
    house: House, lines: int, server: str
) -> None:
    cell, card = house.start(f"pay({server!r})")
    url = house.agree(card)
    assert house.post(card, "flow", {"action": "cancel"}).json["card"]["flow"] == "abandoned"
    wait_until(lambda: {"action": "accept"} in house.since(lines), "consent at the server")
    assert use(url).status == 200
    assert cell.wait().text.splitlines()[-1] == "paid"
    assert not any("completion" in each for each in house.since(lines))


def test_a_server_of_2026_tells_of_the_end_by_its_result_alone(house: House, lines: int) -> None:
    cell, card = house.start("pay('modern')")
    assert use(house.agree(card)).status == 200
    assert cell.wait().text.splitlines()[-1] == "paid"
    # No completion exists there: what the call gave is the end of the page too.
    house.until_flow(card, "completed")
    assert not any("completion" in each for each in house.since(lines))


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_an_address_that_is_not_opened_is_over_and_the_answer_comes_before_the_word_of_the_end(
    house: House, action: str, fresh: str
) -> None:
    stream = house.call("doorman", "push", {"url": ADDRESS, "elicitationId": fresh})
    with closing(stream):
        card = stream.next("elicit")["card"]
        assert house.post(card, "answer", {"action": action}, page=False).status == 200
        assert json.loads(stream.end()["result"]["content"][0]["text"]) == {"action": action}
    heard = wait_until(
        lambda: found if len(found := house.told("doorman", "heard", {"id": fresh})) == 2 else None,
        "word of the end",
    )
    assert heard == [
        {"answer": {"action": action}, "to": fresh},
        {"completion": {"elicitationId": fresh, "action": action}},
    ]
    assert house.flow(card) is None


def test_a_page_that_nobody_comes_back_from_lapses_by_its_own_deadline(house: House, lines: int) -> None:
    cell, card = house.start("pay('hasty')")
    house.agree(card)
    assert 0 < house.jupyter.card(card["id"])["secondsLeft"] <= 6
    assert cell.wait().text.splitlines()[-1] == "given up"
    assert house.flow(card) == "lapsed"
    assert [each["completion"]["action"] for each in house.since(lines) if "completion" in each] == ["cancel"]


def test_a_call_that_needs_an_address_first_is_sent_again_when_the_page_was_used(
    house: House, lines: int, fresh: str
) -> None:
    cell, card = house.start(f"menu('bistro', {fresh!r})")
    assert card["mode"] == "url"
    assert card["cause"]["tool"] == "members_menu"
    assert card["cause"]["certainty"] == "caused"
    url = house.agree(card)
    assert ask(url).status == 200
    assert cell.reply is None
    assert use(url).status == 200
    assert cell.wait().text.splitlines()[-1] == "listed"
    assert house.flow(card) == "completed"
    [completion] = wait_until(
        lambda: [each["completion"] for each in house.since(lines) if "completion" in each], "word of the end"
    )
    assert completion["action"] == "accept"


def test_the_same_address_again_is_a_reminder_and_a_no_to_it_ends_the_call(house: House, fresh: str) -> None:
    cell, card = house.start(f"menu('bistro', {fresh!r})")
    url = house.agree(card)
    assert house.post(card, "flow", {"action": "finish"}).status == 200
    # The person was not quite done: no second consent is asked for, only whether to try again.
    [reminder] = house.jupyter.wait_for_cards()
    assert (reminder["mode"], reminder["asker"]["kind"]) == ("form", "jupyter")
    assert '"bistro" still waits for what you opened at 127.0.0.1' in reminder["message"]
    assert house.post(reminder, "answer", {"action": "accept", "draft": []}).status == 200
    again = wait_until(
        lambda: [each for each in house.jupyter.open_cards() if each["id"] != reminder["id"]],
        "second reminder",
    )[0]
    assert house.post(again, "answer", {"action": "decline"}).status == 200
    assert cell.wait().text.splitlines()[-1] == '"bistro" is still waiting for 127.0.0.1. (-32042)'
    assert use(url).status == 200
    assert house.kernel.run(f"menu('bistro', {fresh!r})").text.splitlines()[-1] == "listed"


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_call_whose_address_is_not_opened_ends_with_the_servers_code(
    house: House, lines: int, fresh: str, action: str
) -> None:
    cell, card = house.start(f"menu('bistro', {fresh!r})")
    assert house.post(card, "answer", {"action": action}).status == 200
    assert cell.wait().text.splitlines()[-1].endswith("(-32042)")
    [completion] = wait_until(
        lambda: [each["completion"] for each in house.since(lines) if "completion" in each], "word of the end"
    )
    assert completion["action"] == action


def test_several_addresses_are_asked_at_once_and_a_refused_one_is_told(house: House, fresh: str) -> None:
    listed = [f"https://{fresh}.example/{n}" for n in range(2)]
    entries = [{"url": url, "elicitationId": url} for url in listed]
    entries.append({"url": "javascript:alert(1)", "elicitationId": "x"})
    with closing(house.call("doorman", "require", {"elicitations": entries})) as stream:
        cards = [stream.next("elicit")["card"] for _ in listed]
        assert [card["url"]["href"] for card in cards] == listed
        for card in cards:
            house.agree(card)
        house.told("doorman", "complete", {"elicitationId": listed[0]})
        house.until_flow(cards[0], "completed")
        assert house.post(cards[1], "flow", {"action": "finish"}).status == 200
        assert json.loads(stream.end()["result"]["content"][0]["text"]) == "open"
        [notice] = [line["text"] for line in stream.lines if line["type"] == "notice"]
        assert notice.startswith("Entry 3 of the addresses that the server lists was left out.")


def test_the_end_is_heard_once_and_only_for_what_was_opened(house: House, fresh: str) -> None:
    with closing(house.call("doorman", "push", {"url": ADDRESS, "elicitationId": fresh})) as stream:
        card = stream.next("elicit")["card"]
        for elicitation_id in (fresh, "nobody"):
            house.told("doorman", "complete", {"elicitationId": elicitation_id})
        assert house.jupyter.card(card["id"])["state"] == "pending"
        house.agree(card)
        stream.end()
    # The call is over, and its page is not.
    assert house.flow(card) == "opened"
    for _ in range(2):
        house.told("doorman", "complete", {"elicitationId": fresh})
    house.until_flow(card, "completed")
    heard = house.told("doorman", "heard", {"id": fresh})
    assert [each["completion"]["action"] for each in heard if "completion" in each] == ["accept"]


def test_what_is_open_when_the_server_dies_is_cut(house: House, fresh: str) -> None:
    with closing(house.call("doorman", "push", {"url": ADDRESS, "elicitationId": fresh})) as stream:
        card = stream.next("elicit")["card"]
        house.agree(card)
        stream.end()
    with closing(house.call("doorman", "leave", {})) as stream:
        assert stream.end()["type"] == "error"
    house.until_flow(card, "cut")
    assert house.post(card, "flow", {"action": "finish"}).status == 409


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("javascript:alert(1)", "https://"),
        ("https://you@bank.example/", "user"),
        ("{own}lab", "notebook"),
        ("http://localhost:{port}/files/x", "notebook"),
    ],
)
def test_an_address_that_must_not_be_opened_is_refused_with_the_reason_and_never_shown(
    house: House, fresh: str, address: str, reason: str
) -> None:
    url = address.format(own=house.jupyter.url, port=urlsplit(house.jupyter.url).port)
    with closing(house.call("doorman", "push", {"url": url, "elicitationId": fresh})) as stream:
        answer = json.loads(stream.end()["result"]["content"][0]["text"])
        assert answer["code"] == -32602
        assert answer["message"].startswith("The address cannot be opened from here: ")
        assert reason in answer["message"].lower()
        assert [line["type"] for line in stream.lines] == ["notice", "result"]


def test_a_server_that_was_not_offered_addresses_gets_none_opened(house: House, fresh: str) -> None:
    entries = [{"url": f"https://{fresh}.example/", "elicitationId": fresh}]
    with closing(house.call("formal", "require", {"elicitations": entries})) as stream:
        assert stream.end()["error"]["code"] == -32042
        assert [line["type"] for line in stream.lines] == ["notice", "error"]
    answer = house.told("formal", "push", {"url": ADDRESS, "elicitationId": fresh})
    assert answer["code"] == -32602


def test_where_nobody_is_there_no_address_waits(house: House, fresh: str) -> None:
    with closing(house.call("doorman", "push", {"url": ADDRESS, "elicitationId": fresh}, asks="nobody")) as s:
        assert json.loads(s.end()["result"]["content"][0]["text"]) == {"action": "cancel"}
    entries = [{"url": f"https://{fresh}.example/", "elicitationId": fresh}]
    with closing(house.call("doorman", "require", {"elicitations": entries}, asks="nobody")) as stream:
        assert stream.end()["error"]["code"] == -32042


def test_a_script_may_decline_an_address_and_never_agree_to_it(house: House, lines: int) -> None:
    code = (
        "scripted = await connect('bistro', answers=[{}])\n"
        "print(scripted.call('pay_deposit', {{'code': table('bistro')}}).structured_content['status'])"
    )
    cell = house.kernel.run(code.format("Decline()"))
    assert cell.text.splitlines()[-1] == "declined"
    assert {"action": "decline"} in house.since(lines)
    agreeing = house.kernel.run(code.format("Accept()"))
    assert "Only a person can agree to open an address, by their own click." in agreeing.text
    assert not any(each.get("action") == "accept" for each in house.since(lines))
    assert house.jupyter.open_cards() == []
