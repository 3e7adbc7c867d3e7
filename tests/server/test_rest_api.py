"""The server does what rest-api.yml says, and rest-api.yml says all that the server does."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import websocket
import yaml
from authorization_server import authorization_server
from door import JSON, UPGRADE, Door, Kernel, Reply, Stream
from jsonschema import Draft202012Validator
from jupyter_process import JupyterProcess
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from tornado.web import RequestHandler

from jupyter_mcp_elicit.server.handlers import ROUTES, stream

from .conftest import Room, form, raw

pytestmark = pytest.mark.timeout(60)

API: dict[str, Any] = yaml.safe_load((files("jupyter_mcp_elicit.server") / "rest-api.yml").read_text("utf-8"))
VERBS = ("get", "post", "put", "patch", "delete")
SCHEMAS = Registry().with_resource("urn:api", Resource.from_contents(API, default_specification=DRAFT202012))
NOBODY = "A" * 22


def operations() -> set[tuple[str, str]]:
    return {(path, verb) for path, item in API["paths"].items() for verb in item if verb in VERBS}


def check(shape: Any, name: str) -> None:
    """Raises unless ``shape`` is what ``components/schemas/name`` says."""
    reference = {"$ref": f"urn:api#/components/schemas/{name}"}
    Draft202012Validator(reference, registry=SCHEMAS).validate(shape)


def described(path: str, verb: str, status: int) -> dict[str, Any]:
    """The response object for that status; KeyError when there is none."""
    response: dict[str, Any] = API["paths"][path][verb]["responses"][str(status)]
    if "$ref" in response:
        response = API["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return response


class Witness:
    """Sends requests, and holds every reply to its schema."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.seen: set[tuple[str, str, int]] = set()

    def request(
        self, verb: str, path: str, body: Any = None, headers: dict[str, str] | None = None, **parts: str
    ) -> Reply:
        given = {**self.door.token, **JSON} if headers is None else headers
        reply = self.door.request(verb.upper(), path.format(**parts).lstrip("/"), body, given)
        path = path.partition("?")[0]
        self.seen.add((path, verb, reply.status))
        content = described(path, verb, reply.status).get("content", {})
        if "application/json" in content and reply.status != 101:
            assert reply.headers["Content-Type"].startswith("application/json")
            check(reply.json, content["application/json"]["schema"]["$ref"].rpartition("/")[2])
        return reply

    def stream(self, path: str, body: Any, kernel: Kernel | None = None, **parts: str) -> Stream:
        opened = (kernel or self.door).stream(path.format(**parts).lstrip("/"), body)
        self.seen.add((path, "post", opened.status))
        assert opened.headers["Content-Type"] == "application/x-ndjson"
        return opened

    def ended(self, stream: Stream) -> dict[str, Any]:
        with closing(stream):
            last = stream.end()
        for line in stream.lines:
            check(line, "Line")
        return last


@pytest.fixture(scope="module")
def witness(door: Door) -> Witness:
    return Witness(door)


SERVERS, TOOLS, CALLS = "/mcp-elicit/servers", "/mcp-elicit/servers/{name}/tools", "/mcp-elicit/calls"
ALL, ONE = "/mcp-elicit/elicitations", "/mcp-elicit/elicitations/{id}"
MORE, TYPING = f"{ONE}/more", f"{ONE}/typing"
ANSWER, SHOWN, FLOW, EVENTS = f"{ONE}/answer", f"{ONE}/shown", f"{ONE}/flow", "/mcp-elicit/events"
PREVIEW, TRACE, CALLBACK = f"{ONE}/preview", "/mcp-elicit/trace/{name}", "/mcp-elicit/oauth/callback"
QUESTION = {**form(), "deadline": None}

#: Every kind of field there is.
KINDS: dict[str, Any] = {
    "text": {"type": "string", "title": "T", "description": "D", "minLength": 1, "maxLength": 500},
    "secret": {"type": "string", "title": "Password"},
    "mail": {"type": "string", "format": "email"},
    "link": {"type": "string", "format": "uri"},
    "day": {"type": "string", "format": "date", "default": "2026-12-24"},
    "when": {"type": "string", "format": "date-time"},
    "whole": {"type": "integer", "minimum": 1, "default": 3},
    "part": {"type": "number"},
    "sure": {"type": "boolean", "default": True},
    "one": {"type": "string", "enum": ["low", "high"], "default": "low"},
    "yes": {"type": "string", "oneOf": [{"const": "y", "title": "Accept"}]},
    "some": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["b"]},
}


def test_every_verb_of_every_route_is_described_and_no_other() -> None:
    handled = set()
    for pattern, handler in ROUTES:
        path = re.sub(r"\(.*?\)", lambda found: "{name}" if "/" in found[0] else "{id}", pattern)
        for verb in VERBS:
            if getattr(handler, verb) is not getattr(RequestHandler, verb):
                handled.add((path, verb))
    assert operations() == handled


def test_every_reference_leads_somewhere_and_nothing_is_described_in_vain() -> None:
    def references(shape: Any) -> Iterator[str]:
        if isinstance(shape, dict):
            yield from (value for key, value in shape.items() if key == "$ref")
        for each in shape.values() if isinstance(shape, dict) else shape if isinstance(shape, list) else ():
            yield from references(each)

    used = {reference.removeprefix("#/components/") for reference in references(API)}
    there = {
        f"{kind}/{name}"
        for kind, named in API["components"].items()
        if kind != "securitySchemes"
        for name in named
    }
    assert used == there
    for name, schema in API["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert name[0].isupper()


def test_every_operation_says_what_strangers_and_kernels_of_another_release_get(door: Door) -> None:
    for path, verb in operations():
        sent = path.format(name="raw", id=NOBODY).lstrip("/")
        assert door.request(verb.upper(), sent, None, UPGRADE if path == EVENTS else {}).status == 403
        described(path, verb, 403)
        if {"kernel": []} in API["paths"][path][verb].get("security", API["security"]):
            reply = door.request(verb.upper(), sent, None, {"Authorization": "MCP-Elicit-Kernel"})
            assert reply.status == 426
            check(reply.json, "Error")
            described(path, verb, 426)


def test_servers_and_their_tools(witness: Witness) -> None:
    reply = witness.request("get", SERVERS)
    assert [each["name"] for each in reply.json["servers"]] == ["raw", "modern"]
    witness.request("get", TOOLS, name="nobody")
    witness.request("post", TOOLS, {}, name="nobody")
    assert witness.request("post", TOOLS, {"asks": "the cat"}, name="raw").status == 400
    witness.request("post", TOOLS, b"{}", {**witness.door.token, "Content-Type": "text/plain"}, name="raw")
    assert witness.request("get", TOOLS, name="modern").status == 409
    last = witness.ended(witness.stream(TOOLS, {}, name="modern"))
    assert witness.request("get", TOOLS, name="modern").json == last["result"]


def test_a_call_with_a_question(witness: Witness) -> None:
    witness.request("post", CALLS, {"server": "nobody", "tool": "push"})
    for wrong in ({"tool": 1}, {"tool": "push", "arguments": []}, {"tool": "push", "asks": "the cat"}):
        assert witness.request("post", CALLS, {"server": "raw", **wrong}).status == 400
    witness.request("post", CALLS, b"", {**witness.door.token, "Content-Type": "text/plain"})
    call = witness.stream(CALLS, {"server": "raw", "tool": "push", "arguments": {"params": QUESTION}})
    card = call.next("elicit")["card"]
    witness.request("get", ALL)
    witness.request("get", ONE, id=card["id"])
    witness.request("post", SHOWN, {}, id=card["id"])
    witness.request("post", ANSWER, {"action": "accept", "draft": [["name", "Ada"]]}, id=card["id"])
    assert witness.ended(call)["type"] == "result"
    assert {line["type"] for line in call.lines} == {"elicit", "update", "result"}


def test_questions_of_every_kind_of_field(witness: Witness) -> None:
    call = witness.stream(ALL, form("Everything?", **KINDS))
    card = call.next("elicit")["card"]
    assert {each["kind"] for each in card["fields"]} == set(
        API["components"]["schemas"]["Field"]["properties"]["kind"]["enum"]
    )
    check(card, "Card")
    witness.request("post", ANSWER, {"action": "decline"}, id=card["id"])
    witness.ended(call)


def test_questions_and_their_ends(witness: Witness) -> None:
    for wrong in (
        {"message": "?"},
        {**form(), "deadline": "soon"},
        {**form(), "agent": ""},
        {**form(), "asks": "me"},
    ):
        assert witness.request("post", ALL, wrong).status == 400
    witness.request("post", ALL, b"{}", {**witness.door.token, "Content-Type": "text/plain"})
    for action, more in (
        ("accept", {"draft": [["name", "Ada"]]}),
        ("decline", {}),
        ("cancel", {}),
    ):
        call = witness.stream(ALL, {**QUESTION, "asker": {"name": "A notebook"}, "cause": {"tool": "t"}})
        card = call.next("elicit")["card"]
        assert witness.request("post", ANSWER, {"action": action, **more}, id=card["id"]).status == 200
        last = witness.ended(call)
        assert last["answer"]["action"] == action
        assert witness.request("post", ANSWER, {"action": action, **more}, id=card["id"]).status == 409
        assert witness.request("post", PREVIEW, {"draft": []}, id=card["id"]).status == 409
        assert witness.request("post", MORE, {}, id=card["id"]).status == 409
    call = witness.stream(ALL, {**QUESTION, "deadline": 0.01})
    card = call.next("elicit")["card"]
    assert witness.ended(call)["answer"] == {"action": "cancel", "reason": "expired"}
    assert witness.request("post", ANSWER, {"action": "decline"}, id=card["id"]).status == 410
    assert witness.request("post", PREVIEW, {"draft": []}, id=card["id"]).status == 410
    assert witness.request("post", MORE, {}, id=card["id"]).status == 410
    assert witness.request("post", SHOWN, {}, id=card["id"]).json["card"]["state"] == "expired"
    last = witness.ended(witness.stream(ALL, {**QUESTION, "asks": "nobody"}))
    assert last["answer"] == {"action": "cancel", "reason": "not shown"}


def test_a_preview_is_what_an_answer_sends_and_ends_nothing(witness: Witness) -> None:
    wanted = {name: KINDS[name] for name in ("secret", "when", "whole", "part", "sure", "some")}
    call = witness.stream(ALL, {**form("Sure?", **wanted), "deadline": None})
    card = call.next("elicit")["card"]
    draft = [
        ["secret", "Zq7"],
        ["when", "2026-12-01T09:30:00+02:00"],
        ["whole", "9007199254740993"],
        ["part", "3e0"],
    ]
    draft += [["sure", None], ["some", ["1", "0"]]]
    shown = witness.request("post", PREVIEW, {"draft": draft}, id=card["id"]).json["content"]
    assert "9007199254740993" in shown
    assert "Zq7" not in shown
    wrong = witness.request("post", PREVIEW, {"draft": [["part", "1,5"]]}, id=card["id"])
    assert (wrong.status, wrong.json["problems"][0][0]) == (422, "part")
    assert "1.5" in wrong.json["problems"][0][1]
    assert witness.request("get", ONE, id=card["id"]).json["state"] == "pending"
    answer = {"action": "accept", "draft": draft}
    assert witness.request("post", ANSWER, answer, id=card["id"]).json["problems"][0][0] == "secret"
    witness.request("post", ANSWER, {**answer, "secrets": True}, id=card["id"])
    sent = witness.ended(call)["answer"]["content"]
    assert json.loads(shown) == {**sent, "secret": "\u2022" * 8}


def test_a_person_has_more_time_for_the_asking(witness: Witness) -> None:
    call = witness.stream(ALL, {**QUESTION, "deadline": 60})
    card = call.next("elicit")["card"]
    more = witness.request("post", MORE, {}, id=card["id"]).json["card"]
    assert 300 < more["secondsLeft"] <= 360
    typing = witness.request("post", TYPING, {}, id=card["id"]).json["card"]
    assert 300 < typing["secondsLeft"] - typing["secondsStill"] <= 360
    assert 0 < typing["secondsStill"] <= 15
    call.close()
    call = witness.stream(ALL, QUESTION)
    card = call.next("elicit")["card"]
    assert "no deadline" in witness.request("post", MORE, {}, id=card["id"]).json["message"]
    call.close()


def test_answers_that_are_none(witness: Witness) -> None:
    call = witness.stream(ALL, QUESTION)
    card = call.next("elicit")["card"]
    plain = {**witness.door.token, "Content-Type": "text/plain"}
    for path in (ANSWER, SHOWN, FLOW, PREVIEW, MORE, TYPING):
        assert witness.request("post", path, {"action": "finish"}, id=NOBODY).status == 404
        assert witness.request("post", path, b"{}", plain, id=card["id"]).status == 415
        assert witness.request("post", path, b"[", id=card["id"]).status == 400
    assert witness.request("get", ONE, id=NOBODY).status == 404
    for answer in (
        {"action": "accept", "draft": "Ada"},
        {"action": "accept", "draft": [["name", "Ada", 1]]},
        {"action": "accept", "content": []},
    ):
        assert witness.request("post", ANSWER, answer, id=card["id"]).status == 400
    for answer in (
        {},
        {"action": "yes"},
        {"action": "accept", "draft": [["name", 1]]},
        {"action": "accept", "content": {"name": 1}},
        {"action": "accept", "draft": [["no field", "Ada"]]},
    ):
        assert witness.request("post", ANSWER, answer, id=card["id"]).status == 422
    assert witness.request("get", ONE, id=card["id"]).json["state"] == "pending"
    call.close()


def test_whatever_is_typed_or_sent_is_read_or_refused_and_never_fails(witness: Witness) -> None:
    fields = {**KINDS, "never": {"type": "string"}}
    question = {**form("Odd?", **fields), "deadline": None}
    question["requestedSchema"]["required"] = ["never"]
    call = witness.stream(ALL, question)
    card = call.next("elicit")["card"]
    nested: Any = "deep"
    for _ in range(500):
        nested = [nested]
    odd = [
        None,
        True,
        0,
        -1,
        1.5,
        10**400,
        "",
        " ",
        "x" * 100_000,
        "\ud800",
        "\x00",
        "0",
        "99",
        "NaN",
        "1e999",
    ]
    odd += [
        "9" * 5000,
        "2026-02-30",
        "javascript:alert(1)",
        [],
        ["0"],
        ["0", "0"],
        [["0"]],
        {},
        {"a": 1},
        nested,
    ]
    bodies: list[Any] = [b'{"action": "accept", "draft": [["text", NaN]]}', b"[" * 100_000, b"\xff"]
    for value in odd:
        bodies.append({"action": "accept", "draft": [[name, value] for name in KINDS]})
        bodies.append({"action": "accept", "content": dict.fromkeys(KINDS, value)})
        bodies += [{"action": "accept", "draft": [[name, value]]} for name in ("no field", "__proto__", "")]
        bodies.append({"action": "accept", "draft": value})
    for body in bodies:
        assert witness.request("post", ANSWER, body, id=card["id"]).status in (400, 422), body
        assert witness.request("post", PREVIEW, body, id=card["id"]).status in (400, 422), body
    assert witness.request("get", ONE, id=card["id"]).json["state"] == "pending"
    call.close()


def test_an_address_and_its_end(witness: Witness) -> None:
    address = {"mode": "url", "message": "Sign in", "url": "https://bank.example/", "elicitationId": "e"}
    call = witness.stream(CALLS, {"server": "raw", "tool": "push", "arguments": {"params": address}})
    card = call.next("elicit")["card"]
    assert witness.request("post", FLOW, {"action": "finish"}, id=card["id"]).status == 409
    assert witness.request("post", PREVIEW, {"draft": []}, id=card["id"]).status == 400
    assert witness.request("post", ANSWER, {"action": "accept"}, id=card["id"]).status == 422
    page = {**witness.door.token, **JSON, "Sec-Fetch-Site": "same-origin"}
    assert witness.request("post", ANSWER, {"action": "accept"}, page, id=card["id"]).status == 200
    assert witness.ended(call)["type"] == "result"
    assert witness.request("post", FLOW, {"action": "leave"}, id=card["id"]).status == 400
    assert witness.request("post", FLOW, {"action": "finish"}, id=card["id"]).status == 200
    assert witness.request("get", ONE, id=card["id"]).json["flow"] == "finished"


def test_the_frames_of_a_connection(witness: Witness) -> None:
    assert witness.request("get", TRACE, name="nobody").status == 404
    assert witness.request("get", TRACE + "?agent=never", name="raw").status == 409
    assert witness.request("get", TRACE + "?agent=a&kernel=b", name="raw").status == 400
    witness.ended(witness.stream(CALLS, {"server": "raw", "tool": "nothing", "agent": "traced"}))
    reply = witness.request("get", TRACE + "?agent=traced", name="raw").json
    assert {"initialize", "tools/call"} <= {each["name"] for each in reply["frames"]}
    assert reply["seen"] == len(reply["frames"])


def test_a_browser_that_comes_back_from_a_sign_in(house: JupyterProcess, witness: Witness) -> None:
    assert witness.request("get", CALLBACK + "?state=unknown&code=1").status == 400
    with authorization_server() as library:
        house.configure({"raw": raw(), "modern": raw("modern"), "library": {"url": library.url}})
        call = witness.stream(CALLS, {"server": "library", "tool": "shelf"})
        card = call.next("elicit")["card"]
        check(card, "Card")
        state = parse_qs(urlsplit(card["url"]["href"]).query)["state"][0]
        assert witness.request("get", CALLBACK + f"?state={state}&code=1").status == 200
        assert witness.ended(call)["error"]["kind"] == "local"
        house.configure({"raw": raw(), "modern": raw("modern")})


def test_errors_of_a_call_say_whose_fault_it_is(witness: Witness) -> None:
    error = {"code": -32001, "message": "No soup", "data": {"soup": [1, None]}}
    last = witness.ended(
        witness.stream(CALLS, {"server": "raw", "tool": "error", "arguments": {"error": error}})
    )
    assert last["error"]["kind"] == "remote"
    assert last["error"]["data"] == error["data"]
    call = witness.stream(CALLS, {"server": "raw", "tool": "endless", "agent": "overrun"})
    last = witness.ended(call)
    assert last["error"]["kind"] == "local"


def test_events_are_as_described(house: JupyterProcess, witness: Witness) -> None:
    assert witness.request("get", EVENTS).status == 400
    assert witness.request("get", EVENTS, None, {**witness.door.token, **UPGRADE}).status == 101
    listening = websocket.create_connection(
        house.url.replace("http", "ws", 1) + EVENTS.lstrip("/"),
        header=[f"Authorization: token {house.token}"],
        timeout=20,
    )
    with closing(listening), closing(witness.stream(ALL, QUESTION)):
        for kind in ("snapshot", "card"):
            event = json.loads(listening.recv())
            assert event["type"] == kind
            check(event, "Event")


def test_a_body_of_more_than_four_mebibytes_is_refused(witness: Witness) -> None:
    for path, verb in operations():
        if verb == "post":
            body = b"{" + b" " * 4 * 1024 * 1024 + b"}"
            assert witness.request(verb, path, body, name="raw", id=NOBODY).status == 413
            body = b"{" + b" " * (4 * 1024 * 1024 - 2) + b"}"
            assert witness.request(verb, path, body, name="nobody", id=NOBODY).status in (400, 404)


def test_every_status_that_is_described_was_seen(witness: Witness) -> None:
    if not witness.seen:
        pytest.skip("It looks back on the tests above, and none of them ran.")
    promised = {
        (path, verb, int(status))
        for path, verb in operations()
        for status in API["paths"][path][verb]["responses"]
        # Strangers and other releases have their own test.
        if status not in ("403", "426")
    }
    assert promised <= witness.seen, sorted(promised - witness.seen)


async def test_a_long_silence_and_progress_have_their_lines(
    open_room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    asker = {**raw(), "args": [raw()["args"][0].replace("raw.py", "asker.py")]}
    room: Room = await open_room({"asker": asker, "raw": raw()})
    told = await room.call("asker", "tell")
    await room.end(told)
    silent = await room.call("raw", "hang")
    assert await room.next(silent, "alive") == {"type": "alive"}
    assert {"progress", "log"} <= {line["type"] for line in told.lines}
    for line in told.lines + silent.lines:
        check(line, "Line")


async def test_an_internal_failure_is_the_last_line_and_in_the_log_only_once(
    open_room: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room: Room = await open_room()
    # As when mcp is not installed whole.
    monkeypatch.setitem(sys.modules, "jupyter_mcp_elicit.client.connection", None)
    last = await room.end(await room.call("raw", "push"))
    check(last, "Line")
    assert "The Jupyter server failed to do this (ModuleNotFoundError)" in last["error"]["message"]
    assert caplog.text.count("Traceback") == 1


def test_an_address_that_a_kernel_puts_itself(witness: Witness, kernels: tuple[Kernel, Kernel]) -> None:
    kernel, other = kernels
    asked = {"mode": "url", "message": "Sign in.", "url": "https://example.org/"}
    stream = witness.stream(ALL, asked, kernel)
    card = stream.next("elicit")["card"]
    flow = FLOW.format(id=card["id"]).lstrip("/")
    page = {**witness.door.token, **JSON, "Sec-Fetch-Site": "same-origin"}
    assert witness.request("post", ANSWER, {"action": "accept"}, page, id=card["id"]).status == 200
    assert stream.next("answer") == {"type": "answer", "answer": {"action": "accept"}}
    assert kernel.request("POST", flow, {"action": "finish"}).status == 403
    assert other.request("POST", flow, {"action": "complete"}).status == 404
    assert witness.request("post", FLOW, {"action": "complete"}, page, id=card["id"]).status == 400
    assert kernel.request("POST", flow, {"action": "complete"}).status == 200
    assert witness.ended(stream) == {"type": "flow", "flow": "completed"}
    assert kernel.request("POST", ALL.lstrip("/"), {**asked, "url": "javascript:alert(1)"}).status == 400
