"""Signing in to an MCP server, with a real authorization server, through the running extension."""

from __future__ import annotations

import asyncio
import html
import json
import logging
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from authorization_server import AuthorizationServer

from .signing_in import agree, browse, error_of, sign_in, visit

pytestmark = pytest.mark.timeout(60)


async def test_a_person_signs_in_and_the_call_goes_on(
    open_library: Any, library: AuthorizationServer
) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    assert card["mode"] == "url"
    assert card["asker"] == {"name": "Jupyter", "kind": "jupyter", "transport": "", "callsItself": ""}
    assert "“library”" in card["message"] or '"library"' in card["message"]
    assert card["url"]["href"].startswith(f"{library.base}/authorize?")
    status, page, headers = await sign_in(room, card)
    assert status == 200, page
    assert "goes on" in page
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert headers["Referrer-Policy"] == "no-referrer"
    assert await room.result(stream) == "Moby-Dick"
    assert (await room.card(card))["flow"] == "completed"


async def test_the_redirect_leads_below_the_base_url_of_the_page(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    asked = parse_qs(urlsplit((await room.asked(stream))["url"]["href"]).query)
    assert room.door.base == "/a%40b/"
    host, port = room.door.address
    assert asked["redirect_uri"] == [f"http://{host}:{port}/a%40b/mcp-elicit/oauth/callback"]
    assert asked["code_challenge_method"] == ["S256"]


async def test_the_redirect_can_be_configured(open_library: Any) -> None:
    there = "https://hub.example.org/user/ada/mcp-elicit/oauth/callback"
    room = await open_library(oauth_redirect_url=there)
    stream = await room.call("library", "shelf")
    asked = parse_qs(urlsplit((await room.asked(stream))["url"]["href"]).query)
    assert asked["redirect_uri"] == [there]


@pytest.mark.parametrize(("action", "why"), [("decline", "you declined"), ("cancel", "you cancelled")])
async def test_whoever_does_not_sign_in_is_told_so_and_can_call_again(
    open_library: Any, library: AuthorizationServer, action: str, why: str
) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    await room.answer(await room.asked(stream), action)
    said = await error_of(room, stream)
    assert said == f'The server "library" wants you to sign in: {why}. Call again to be asked once more. '
    assert library.seen["authorize"] == 0
    again = await room.call("library", "shelf")
    assert (await sign_in(room, await room.asked(again)))[0] == 200
    assert await room.result(again) == "Moby-Dick"


async def test_a_page_that_was_opened_can_be_given_up(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    await agree(room, card)
    await room.request("POST", f"elicitations/{card['id']}/flow", {"action": "cancel"})
    assert "you cancelled" in await error_of(room, stream)


async def test_i_am_done_without_coming_back_says_what_is_missing(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    await agree(room, card)
    await room.request("POST", f"elicitations/{card['id']}/flow", {"action": "finish"})
    assert "never came back to this Jupyter server" in await error_of(room, stream)


async def test_a_sign_in_has_the_deadline_of_a_question_and_not_that_of_connecting(open_library: Any) -> None:
    room = await open_library({"deadline": 1.5}, open_timeout=0.8)
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    assert "nobody answered in time" in await error_of(room, stream)
    assert (await room.card(card))["state"] == "expired"


async def test_a_person_may_take_longer_than_connecting_may(open_library: Any) -> None:
    room = await open_library({"deadline": 30}, open_timeout=1.0)
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)

    async def late() -> bool:
        return bool((await room.card(card))["secondsLeft"] < 28.5)

    await room.until(late, "time gone by")
    assert (await sign_in(room, card))[0] == 200
    assert await room.result(stream) == "Moby-Dick"


async def test_a_refusal_of_the_authorization_server_is_told_as_text(
    open_library: Any, library: AuthorizationServer
) -> None:
    library.set(deny="<b>not you</b>")
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    status, page, headers = await sign_in(room, card)
    assert status == 400
    assert html.escape("<b>not you</b>") in page
    assert "<b>" not in page
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "refused: access_denied (<b>not you</b>)" in await error_of(room, stream)


async def test_an_unknown_state_changes_nothing(open_library: Any, library: AuthorizationServer) -> None:
    library.set(fake_state=True)
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    status, page, _ = await sign_in(room, card)
    assert status == 400
    assert "No sign-in waits for this page" in page
    assert (await room.card(card))["flow"] == "opened"
    library.set(fake_state=False)
    assert (await browse(room, card["url"]["href"]))[0] == 200
    assert await room.result(stream) == "Moby-Dick"


async def test_a_state_is_good_once(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    state = parse_qs(urlsplit(card["url"]["href"]).query)["state"][0]
    assert (await sign_in(room, card))[0] == 200
    again = f"{room.door.path('mcp-elicit/oauth/callback')}?code=other&state={quote(state)}"
    assert (await browse(room, "http://{}:{}".format(*room.door.address) + again))[0] == 400
    assert await room.result(stream) == "Moby-Dick"


async def test_a_browser_that_is_not_logged_in_here_ends_no_sign_in(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    await agree(room, card)
    status, page, _ = await asyncio.to_thread(visit, room, card["url"]["href"])
    assert status == 403
    assert "not logged in to Jupyter" in page
    assert (await room.card(card))["flow"] == "opened"
    # It logs in and loads the page anew.
    assert (await browse(room, card["url"]["href"]))[0] == 200
    assert await room.result(stream) == "Moby-Dick"


async def test_two_kernels_share_one_sign_in(open_library: Any, library: AuthorizationServer) -> None:
    room = await open_library()
    first = await room.call("library", "shelf", agent="a")
    card = await room.asked(first)
    second = await room.call("library", "shelf", agent="b")
    notice = await room.next(second, "notice")
    assert "asked for already" in notice["text"]
    status, shape = await room.request("GET", "elicitations")
    assert [each["id"] for each in shape["elicitations"]] == [card["id"]]
    assert (await sign_in(room, card))[0] == 200
    assert await room.result(first) == await room.result(second) == "Moby-Dick"
    assert library.seen == {"register": 1, "authorize": 1, "code": 1}


async def test_when_whoever_was_asked_goes_away_the_other_one_is_asked(open_library: Any) -> None:
    room = await open_library()
    first = await room.call("library", "shelf", agent="a")
    card = await room.asked(first)
    second = await room.call("library", "shelf", agent="b")
    await room.next(second, "notice")
    first.close()
    other = await room.asked(second)
    assert other["id"] != card["id"]
    assert (await room.card(card))["state"] == "withdrawn"
    assert (await sign_in(room, other))[0] == 200
    assert await room.result(second) == "Moby-Dick"


async def test_an_interrupt_withdraws_the_card(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    stream.close()

    async def withdrawn() -> bool:
        return bool((await room.card(card))["state"] == "withdrawn")

    await room.until(withdrawn, "withdrawn card")


@pytest.mark.parametrize("asks", ["script", "nobody"])
async def test_where_nobody_is_there_the_call_says_so(open_library: Any, asks: str) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf", asks=asks)
    assert "nobody is there to do it" in await error_of(room, stream)


async def test_a_kernel_cannot_sign_in_for_its_person(open_library: Any) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    status, _ = await room.request("POST", f"elicitations/{card['id']}/answer", {"action": "accept"})
    # Without a browser's mark.
    assert status == 422
    assert (await room.card(card))["state"] == "pending"


async def test_a_question_of_the_server_comes_after_the_sign_in(open_library: Any) -> None:
    room = await open_library({"era": "legacy"})
    stream = await room.call("library", "lend", {"book": "Emma"})
    assert (await sign_in(room, await room.asked(stream)))[0] == 200
    question = await room.asked(stream)
    assert question["asker"]["kind"] == "server"
    await room.answer(question, "accept", draft=[["name", "Ada"]])
    assert await room.result(stream) == "Ada"


@pytest.mark.parametrize(
    ("entry", "way_out"),
    [
        ({"oauth": False}, 'switched off for it ("oauth": false in mcp.json)'),
        ({"headers": {"authorization": "Bearer old"}}, 'did not take the "Authorization"'),
    ],
)
async def test_without_a_sign_in_a_401_says_why(
    open_library: Any, entry: dict[str, Any], way_out: str
) -> None:
    room = await open_library(entry)
    said = await error_of(room, await room.call("library", "shelf"))
    assert "HTTP 401, which means that it wants a login" in said
    assert way_out in said


async def test_no_token_is_in_logs_traces_cards_or_errors(
    open_library: Any, library: AuthorizationServer, caplog: pytest.LogCaptureFixture, jp_data_dir: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    room = await open_library(trace_contents=True)
    seen: list[Any] = []
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    seen.append((await sign_in(room, card))[1])
    await room.result(stream)
    library.set(forget=True, refuse_refresh=True)
    stream = await room.call("library", "shelf")
    await room.answer(await room.asked(stream), "decline")
    seen += [await room.end(stream), stream.lines]
    seen += [await room.request("GET", f"trace/library?agent={each}") for each in ("api",)]
    seen += [await room.request("GET", "elicitations"), await room.card(card)]
    state = parse_qs(urlsplit(card["url"]["href"]).query)["state"][0]
    given = library.secrets
    assert len(given) >= 4
    for each in given:
        assert each not in json.dumps(seen)
        assert each not in caplog.text
    assert state not in caplog.text


async def test_an_address_that_no_link_may_have_is_refused_with_the_reason(
    open_library: Any, library: AuthorizationServer
) -> None:
    library.set(authorization_endpoint="http://ada@127.0.0.1:9/authorize")
    room = await open_library()
    said = await error_of(room, await room.call("library", "shelf"))
    assert "its sign-in is not offered. The address cannot be opened from here" in said
    assert library.seen["authorize"] == 0
