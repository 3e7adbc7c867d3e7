"""Who may do what: every route and verb, against every way to come in without being let in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import psutil
import pytest
from door import JSON, UPGRADE, Cookies, Door, Kernel, Reply
from jupyter_process import JupyterProcess
from jupyter_server.auth import AllowAllAuthorizer
from tornado.web import RequestHandler

from jupyter_mcp_elicit.server.handlers import ROUTES

from .conftest import Room, form

pytestmark = pytest.mark.timeout(60)

ROOT = "mcp-elicit/"
NOBODY = "A" * 22
QUESTION = {**form(), "deadline": None}

#: What each verb of each route is sent, and what somebody who may gets: with the token, and as the kernel
#: whose question it is.
USES: dict[tuple[str, str], tuple[Any, int, int]] = {
    ("GET", "servers"): (None, 200, 200),
    ("GET", "servers/raw/tools"): (None, 409, 409),
    ("POST", "servers/raw/tools"): ({}, 200, 200),
    ("POST", "calls"): ({"server": "raw", "tool": "answers"}, 200, 200),
    ("GET", "elicitations"): (None, 200, 200),
    ("POST", "elicitations"): (QUESTION, 200, 200),
    ("GET", "elicitations/{id}"): (None, 200, 200),
    ("POST", "elicitations/{id}/answer"): ({"action": "accept", "draft": [["name", 1]]}, 422, 422),
    ("POST", "elicitations/{id}/flow"): ({"action": "finish"}, 409, 409),
    ("POST", "elicitations/{id}/preview"): ({"draft": [["name", 1]]}, 422, 403),
    ("POST", "elicitations/{id}/more"): ({}, 409, 409),
    ("POST", "elicitations/{id}/shown"): ({}, 200, 200),
    ("POST", "elicitations/{id}/typing"): ({}, 200, 403),
    ("GET", "events"): (None, 101, 403),
    ("GET", "oauth/callback"): (None, 400, 403),
    ("GET", "trace/raw"): (None, 409, 409),
}


def routes() -> set[tuple[str, str]]:
    """Every verb of every route that the server has, with a name or an id filled in."""
    found = set()
    for pattern, handler in ROUTES:
        path = pattern.removeprefix("/mcp-elicit/").replace("([^/]+)", "raw")
        path = path.replace("([A-Za-z0-9_-]{22})", "{id}")
        for verb in ("get", "post", "put", "patch", "delete"):
            if getattr(handler, verb) is not getattr(RequestHandler, verb):
                found.add((verb.upper(), path))
    return found


every_route = pytest.mark.parametrize(("verb", "path"), sorted(USES))
every_post = pytest.mark.parametrize(("verb", "path"), sorted(each for each in USES if each[0] == "POST"))


@pytest.fixture(scope="module")
def cookies(door: Door) -> Cookies:
    return door.login()


@pytest.fixture(scope="module")
def question(kernels: tuple[Kernel, Kernel]) -> Iterator[str]:
    """A question that the first kernel asked, and that nothing in this module may end."""
    asked = kernels[0].stream(f"{ROOT}elicitations", QUESTION)
    with closing(asked):
        yield asked.next("elicit")["card"]["id"]


@pytest.fixture
def knock(door: Door, question: str) -> Iterator[Callable[..., Reply]]:
    """Sends a use of a route with the headers given, and sees that refusals left the question as it was."""

    def state() -> Any:
        card = door.request("GET", f"{ROOT}elicitations/{question}", None, door.token).json
        return card["state"], card["outcome"]

    def send(verb: str, path: str, headers: dict[str, str], query: str = "", body: Any = None) -> Reply:
        given = {**UPGRADE, **headers} if path == "events" else headers
        sent = body if body is not None else USES[verb, path][0]
        replies.append(door.request(verb, ROOT + path.format(id=question) + query, sent, given))
        return replies[-1]

    replies: list[Reply] = []
    before = state()
    yield send
    if all(each.status >= 400 for each in replies):
        assert state() == before
    else:
        assert state()[1] is None


def test_every_route_and_verb_is_tried() -> None:
    assert set(USES) == routes()


@every_route
def test_the_token_opens_every_route(verb: str, path: str, door: Door, knock: Callable[..., Reply]) -> None:
    reply = knock(verb, path, {**door.token, **JSON})
    assert reply.status in (USES[verb, path][1], 200)
    if reply.status != 101:
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]


@every_route
def test_cookies_with_the_xsrf_header_open_every_route(
    verb: str, path: str, cookies: Cookies, knock: Callable[..., Reply]
) -> None:
    page = {"Cookie": cookies.header, "X-XSRFToken": cookies.xsrf, **JSON}
    assert knock(verb, path, page).status in (USES[verb, path][1], 200)


@every_route
def test_without_a_credential_nothing_opens(verb: str, path: str, knock: Callable[..., Reply]) -> None:
    for headers in (
        {},
        JSON,
        {"Authorization": "token "},
        {"Authorization": "token " + "0" * 32},
        {"Authorization": "Bearer " + "0" * 32},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "MCP-Elicit-Kernel"},
        {"Authorization": "MCP-Elicit-Kernel a:b:c"},
        {"Authorization": "MCP-Elicit-Kernel :::"},
        {"Authorization": "MCP-Elicit-Kernelx a:b:c:d"},
        {"Cookie": "_xsrf=a", "X-XSRFToken": "a"},
        {"Cookie": 'username-127-0-0-1="2|1:0|10:1|8:username|4:YWRh|0"'},
    ):
        reply = knock(verb, path, {**JSON, **headers})
        # Who says to be a kernel, but not of which release, is told that first.
        assert reply.status == 403 or (reply.status == 426 and "MCP" in headers["Authorization"]), headers
    assert knock(verb, path, JSON, "?token=" + "0" * 32).status == 403


@every_route
def test_a_cookie_alone_reads_and_does_no_more(
    verb: str, path: str, cookies: Cookies, knock: Callable[..., Reply]
) -> None:
    xsrf = cookies.xsrf
    form_body = f"_xsrf={xsrf}".encode()
    form_type = {"Content-Type": "application/x-www-form-urlencoded"}
    cookie = {"Cookie": cookies.header}
    replies = [
        knock(verb, path, {**cookie, **JSON}),
        knock(verb, path, {**cookie, **JSON, "X-XSRFToken": "a" + xsrf[1:]}),
        knock(verb, path, {**cookie, **JSON}, f"?_xsrf={xsrf}"),
    ]
    if verb == "POST":
        replies += [
            knock(verb, path, {**cookie, **form_type}, body=form_body),
            knock(verb, path, {**cookie, **form_type}, f"?_xsrf={xsrf}", form_body),
        ]
        assert {each.status for each in replies} == {403}
    else:
        assert {each.status for each in replies} <= {USES[verb, path][1], 200}


@every_route
def test_pages_of_other_origins_stay_outside(
    verb: str, path: str, cookies: Cookies, kernels: tuple[Kernel, Kernel], knock: Callable[..., Reply]
) -> None:
    refused = 403 if path == "events" else 404
    page = {"Cookie": cookies.header, "X-XSRFToken": cookies.xsrf, **JSON}
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.example"):
        assert knock(verb, path, {**page, "Origin": origin}).status == refused, origin
        reply = knock(verb, path, {**JSON, "Origin": origin})
        assert reply.status in (403, 404)
        assert "Access-Control-Allow-Origin" not in reply.headers


@every_route
def test_other_names_for_this_machine_stay_outside(
    verb: str, path: str, door: Door, cookies: Cookies, kernels: tuple[Kernel, Kernel], question: str
) -> None:
    # A name that somebody else's DNS points here.
    sent = ROOT + path.format(id=question)
    body = USES[verb, path][0]
    page = {"Cookie": cookies.header, "X-XSRFToken": cookies.xsrf}
    upgrade = UPGRADE if path == "events" else {}
    for headers in ({**door.token, **JSON}, {**page, **JSON}, kernels[0].signed(verb, sent, body)):
        reply = door.request(verb, sent, body, {**upgrade, **headers, "Host": "evil.example"})
        assert reply.status == 403


@every_post
def test_what_is_not_said_to_be_json_is_refused(
    verb: str, path: str, door: Door, cookies: Cookies, kernels: tuple[Kernel, Kernel], question: str
) -> None:
    sent = ROOT + path.format(id=question)
    page = {"Cookie": cookies.header, "X-XSRFToken": cookies.xsrf}
    proof = kernels[0].signed(verb, sent, b"{}")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""):
        given = b"--a--\r\n" if "boundary" in kind else b"{}"
        for headers in (door.token, page):
            assert door.request(verb, sent, given, {**headers, "Content-Type": kind}).status == 415
    refused = 403 if USES[verb, path][2] == 403 else 415
    assert door.request(verb, sent, b"{}", {**proof, "Content-Type": "text/plain"}).status == refused
    kind = {"Content-Type": "application/json; charset=utf-8"}
    assert door.request(verb, sent, b"[]", {**door.token, **kind}).status == 400


@every_route
def test_other_verbs_do_nothing(verb: str, path: str, door: Door, knock: Callable[..., Reply]) -> None:
    there = {one for one, where in USES if where == path}
    for other in {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"} - there:
        sent = ROOT + path.format(id=NOBODY)
        assert door.request(other, sent, None, {**door.token, **JSON}).status == 405
        assert door.request(other, sent, None, {}).status in (403, 405)
    asked = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": verb,
        "Access-Control-Request-Headers": "authorization",
    }
    preflight = door.request("OPTIONS", ROOT + path.format(id=NOBODY), None, asked)
    assert "Access-Control-Allow-Origin" not in preflight.headers


@every_route
def test_a_kernels_proof_opens_what_is_its_own(
    verb: str, path: str, kernels: tuple[Kernel, Kernel], knock: Callable[..., Reply], question: str
) -> None:
    sent = ROOT + path.format(id=question)
    headers = kernels[0].signed(verb, sent, USES[verb, path][0])
    assert knock(verb, path, headers).status in (USES[verb, path][2], 200)
    assert knock(verb, path, headers).status == 403


@every_route
def test_a_kernels_proof_is_good_for_one_request_only(
    verb: str, path: str, kernels: tuple[Kernel, Kernel], knock: Callable[..., Reply], question: str
) -> None:
    ada, bob = kernels
    sent, body = ROOT + path.format(id=question), USES[verb, path][0]
    for wrong in (
        {"key": b"not the key"},
        {"key": b""},
        {"key": bob.key},
        {"kernel_id": bob.id},
        {"kernel_id": "00000000-0000-0000-0000-000000000000"},
        {"path": ada.door.path(f"{ROOT}elsewhere")},
        {"path": "/" + sent if ada.door.base != "/" else "/base/" + sent},
        {"method": "PUT"},
        {"body": b"something else"},
        {"timestamp": f"{time.time() - 61:.3f}"},
        {"timestamp": f"{time.time() + 62:.3f}"},
        {"timestamp": "nan"},
        {"timestamp": "inf"},
        {"timestamp": "yesterday"},
        {"nonce": "a:b"},
        {"nonce": "n" * 200},
    ):
        reply = knock(verb, path, ada.signed(verb, sent, body, **wrong))
        assert reply.status == 403, wrong
    proof = ada.signed(verb, sent, body)
    assert knock(verb, path, {**proof, "Authorization": proof["Authorization"].lower()}).status == 403
    assert knock(verb, path, {**proof, "Authorization": proof["Authorization"] + "0"}).status == 403
    del proof["X-MCP-Elicit-Wire"]
    reply = knock(verb, path, proof)
    assert reply.status == (403 if USES[verb, path][2] == 403 else 426)


def test_what_is_wrong_with_a_proof_is_said_in_a_sentence(kernels: tuple[Kernel, Kernel]) -> None:
    kernel, path = kernels[0], f"{ROOT}servers"

    def told(**instead: Any) -> str:
        reply = kernel.door.request("GET", path, None, kernel.signed("GET", path, **instead))
        return str(reply.json.get("message"))

    assert "not one that this Jupyter server started" in told(kernel_id="gone")
    assert "clock" in told(timestamp="1")
    nonce = "the-same-one"
    assert told(nonce=nonce) == "None"
    assert "sent before" in told(nonce=nonce)
    headers = {**kernel.signed("GET", path), "X-MCP-Elicit-Wire": "99"}
    told_version = kernel.door.request("GET", path, None, headers).json["message"]
    assert "Upgrade jupyter_mcp_elicit in the server's environment" in told_version
    headers = {**kernel.signed("GET", path), "X-MCP-Elicit-Wire": "0"}
    told_version = kernel.door.request("GET", path, None, headers).json["message"]
    assert "Upgrade jupyter_mcp_elicit in the kernel's environment" in told_version


def test_a_kernel_sees_and_touches_only_what_it_asked_itself(
    kernels: tuple[Kernel, Kernel], door: Door, question: str
) -> None:
    ada, bob = kernels
    assert [each["id"] for each in ada.request("GET", f"{ROOT}elicitations").json["elicitations"]] == [
        question
    ]
    assert bob.request("GET", f"{ROOT}elicitations").json == {"elicitations": []}
    everybodys = door.request("GET", f"{ROOT}elicitations", None, door.token).json["elicitations"]
    assert question in [each["id"] for each in everybodys]
    for verb, path in (each for each in sorted(USES) if "{id}" in each[1] and USES[each][2] != 403):
        body = USES[verb, path][0]
        foreign = bob.request(verb, ROOT + path.format(id=question), body)
        unknown = bob.request(verb, ROOT + path.format(id=NOBODY), body)
        nobodys = door.request(verb, ROOT + path.format(id=NOBODY), body, {**door.token, **JSON})
        assert foreign.status == unknown.status == nobodys.status == 404
        assert foreign.text == unknown.text == nobodys.text


@pytest.mark.parametrize(
    "odd",
    [
        "..%2f..%2fetc%2fpasswd",
        "A" * 21,
        "A" * 23,
        "A" * 10_000,
        "%00" * 22,
        "A" * 21 + "%0a",
        "A" * 21 + "=",
    ],
)
def test_an_id_that_can_be_none_is_not_found(odd: str, door: Door) -> None:
    for verb, path in (each for each in sorted(USES) if "{id}" in each[1]):
        headers = {**door.token, **JSON}
        reply = door.request(verb, ROOT + path.format(id=odd), USES[verb, path][0], headers)
        assert reply.status == 404
        assert door.request(verb, ROOT + path.format(id=odd), None, {}).status in (302, 403, 404)


def test_a_get_changes_nothing(
    house: JupyterProcess, door: Door, kernels: tuple[Kernel, Kernel], question: str
) -> None:
    def everything() -> Any:
        processes = {each.pid for each in psutil.Process(house.process.pid).children(recursive=True)}
        card = door.request("GET", f"{ROOT}elicitations/{question}", None, door.token).json
        return processes, {**card, "secondsLeft": None}

    gets = [path for verb, path in sorted(USES) if verb == "GET" and path != "events"]
    before = everything()
    for path in [*gets, "servers/modern/tools"]:
        sent = ROOT + path.format(id=question)
        for headers in (door.token, kernels[1].signed("GET", sent), kernels[0].signed("GET", sent)):
            door.request("GET", sent, None, headers)
    assert everything() == before


async def test_the_authorizer_is_asked_for_the_least_that_a_route_needs_on_one_resource(
    open_room: Any,
) -> None:
    asked: list[tuple[str, str]] = []
    allowed: set[str] = set()

    class Careful(AllowAllAuthorizer):
        def is_authorized(self, handler: Any, user: Any, action: str, resource: str) -> bool:
            asked.append((action, resource))
            return action in allowed

    room: Room = await open_room(server_app={"authorizer_class": Careful})
    wanted = {}
    for verb, path in sorted(USES):
        del asked[:]
        headers = UPGRADE if path == "events" else {}
        status, _ = await room.request(verb, path.format(id=NOBODY), USES[verb, path][0] or None, **headers)
        assert status == 403
        [(wanted[verb, path], resource)] = asked
        assert resource == "mcp-elicit"
    # The one address that a browser is sent to, and that ends something.
    assert wanted.pop(("GET", "oauth/callback")) == "write"
    assert {action for (verb, _), action in wanted.items() if verb == "GET"} == {"read"}
    assert {path: action for (verb, path), action in wanted.items() if verb == "POST"} == {
        "servers/raw/tools": "execute",
        "calls": "execute",
        "elicitations": "execute",
        "elicitations/{id}/answer": "write",
        "elicitations/{id}/flow": "write",
        "elicitations/{id}/preview": "write",
        "elicitations/{id}/more": "write",
        "elicitations/{id}/typing": "write",
        "elicitations/{id}/shown": "write",
    }
    allowed.update({"read", "execute"})
    stream = await room.stream("elicitations", QUESTION)
    card = await room.asked(stream)
    assert (await room.answer(card, "decline"))[0] == 403
    assert (await room.request("POST", f"elicitations/{card['id']}/shown", {}))[0] == 403
    assert (await room.card(card))["state"] == "pending"
    assert (await room.request("GET", "elicitations"))[0] == 200


async def test_strangers_stay_outside_where_jupyter_does_not_ask_every_handler(open_room: Any) -> None:
    # Jupyter's own default, under which each handler has to guard itself.
    room: Room = await open_room(server_app={"allow_unauthenticated_access": True})
    for verb, path in sorted(USES):
        headers = {**(UPGRADE if path == "events" else JSON), "Authorization": "token nonsense"}
        status, _ = await room.request(verb, path.format(id=NOBODY), USES[verb, path][0], **headers)
        assert status == 403


async def test_the_trait_kernel_answers_keeps_kernels_from_answering_at_all(open_room: Any) -> None:
    room: Room = await open_room(kernel_answers=False)
    kernel = room.door.kernel(await room.app.kernel_manager.start_kernel())
    stream = await room.stream("elicitations", QUESTION, kernel)
    card = await room.asked(stream)
    path = f"elicitations/{card['id']}/answer"
    reply = await room.as_kernel(kernel, "POST", path, {"action": "decline"})
    assert reply.status == 403
    assert "kernel_answers" in reply.json["message"]
    assert (await room.card(card))["state"] == "pending"
    assert (await room.answer(card, "decline"))[0] == 200
    assert (await room.end(stream))["answer"] == {"action": "decline"}
