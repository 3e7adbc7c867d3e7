"""Where the requests of a sign-in may go: a server on the internet leads nowhere inside."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from jupyter_mcp_elicit.client.errands import MAX_BYTES, Errands
from jupyter_mcp_elicit.core.errors import LocalError

from .web import response, web

# Numbers, so that nothing is looked up anywhere.
INTERNET = "https://8.8.8.8/mcp"
INSIDE = "https://10.0.0.5/mcp"
HERE = "https://127.0.0.1:9/mcp"


@pytest.mark.parametrize(
    ("server", "url"),
    [
        *((INTERNET, f"https://{host}/") for host in ("10.0.0.1", "192.168.1.1", "172.16.0.1")),
        *((INTERNET, f"https://{host}/") for host in ("127.0.0.1", "[::1]", "0.0.0.0", "localhost")),
        *((INTERNET, f"https://{host}/") for host in ("169.254.169.254", "[fe80::1]", "[fd00::1]")),
        (INTERNET, "https://[::ffff:10.0.0.1]/"),
        (INTERNET, "https://[64:ff9b::a9fe:a9fe]/"),
        (INSIDE, "https://127.0.0.1/"),
        (INSIDE, "https://169.254.169.254/"),
        (HERE, "https://169.254.169.254/"),
    ],
)
async def test_nothing_is_sent_further_inside_than_the_server_is(server: str, url: str) -> None:
    with pytest.raises(LocalError, match="is not on the internet, and was not called"):
        await Errands(server).send(httpx2.Request("GET", url))


@pytest.mark.parametrize(
    ("server", "url"),
    [
        (INTERNET, "https://8.8.4.4/"),
        (INSIDE, "https://10.0.0.5/"),
        (INSIDE, "https://192.168.1.1/"),
        (HERE, "https://127.0.0.1/"),
        (HERE, "https://10.0.0.1/"),
        ("https://169.254.1.1/mcp", "https://169.254.1.1/"),
    ],
)
async def test_what_the_server_could_reach_itself_may_be_reached(server: str, url: str) -> None:
    assert await Errands(server).addresses(httpx2.URL(url)) == [httpx2.URL(url).host]


@pytest.mark.parametrize("url", ["http://8.8.4.4/", "http://auth.example/", "ftp://8.8.4.4/"])
async def test_only_this_machine_is_called_without_encryption(url: str) -> None:
    with pytest.raises(LocalError, match="not encrypted"):
        await Errands(INTERNET).send(httpx2.Request("GET", url))


async def test_an_answer_comes_whole_and_a_redirect_is_not_followed() -> None:
    async def script(method: str, message: Any, write: Any) -> None:
        await write(response(b'{"a": 1}', "location: http://127.0.0.1:9/", status="302 Found"))

    async with web(script) as url:
        answer = await Errands(url).send(httpx2.Request("GET", url))
    assert answer.status_code == 302
    assert answer.json() == {"a": 1}
    # The SDK looks where it leads, and asks for that anew.
    assert answer.next_request is not None


async def test_an_answer_without_end_is_not_read_to_its_end() -> None:
    async def script(method: str, message: Any, write: Any) -> None:
        await write(response(json.dumps("x" * MAX_BYTES).encode()))

    async with web(script) as url:
        with pytest.raises(LocalError, match="more than 1 MiB"):
            await Errands(url).send(httpx2.Request("GET", url))


async def test_a_name_that_leads_to_this_machine_is_called_by_its_name() -> None:
    heard: list[str] = []

    async def script(method: str, message: Any, write: Any) -> None:
        heard.append(method)
        await write(response(b"{}"))

    async with web(script) as url:
        named = url.replace("127.0.0.1", "localhost")
        answer = await Errands(named).send(httpx2.Request("GET", named))
    assert answer.status_code == 200
    assert heard == ["GET"]
