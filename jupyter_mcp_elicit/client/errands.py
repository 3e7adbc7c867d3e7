"""The requests of a sign-in itself (discovery, registration, tokens): only where they may go."""

from __future__ import annotations

import asyncio
import socket
import urllib.request
from ipaddress import ip_address
from typing import Any

import httpx2

from ..core.errors import LocalError
from ..core.hosts import Address, address, place

SECONDS = 30.0
MAX_BYTES = 1024 * 1024

# An MCP server names these addresses, so it must not lead us to what it cannot reach itself.
_OUTSIDE, _INSIDE, _LOOPBACK = range(3)


class Errands:
    """For the sign-in at the server with ``server_url``.

    https only, except on this machine. A server on the internet leads to the internet only; one in
    a private network there too; one on this machine anywhere but to link-local addresses, where
    clouds keep their secrets. Names are looked up once, and what was checked is what is connected to.
    """

    def __init__(self, server_url: str) -> None:
        self._server = httpx2.URL(server_url)
        self._reach: int | None = None

    async def send(self, request: httpx2.Request) -> httpx2.Response:
        """The answer, read whole. ``LocalError`` when it may not be sent, or is larger than 1 MiB."""
        self._check_scheme(request.url)
        request.headers["Accept-Encoding"] = "identity"
        async with self._client(request.url) as client:
            response = await client.send(request, stream=True, follow_redirects=False)
            try:
                body = bytearray()
                async for chunk in response.aiter_raw():
                    body += chunk
                    if len(body) > MAX_BYTES:
                        raise LocalError(f"{request.url.host} answered with more than 1 MiB.")
            finally:
                await response.aclose()
        headers = [
            # Compression was not asked for, and would grow past the limit.
            (name, value)
            for name, value in response.headers.multi_items()
            if name.lower() not in ("content-encoding", "transfer-encoding", "content-length")
        ]
        answer = httpx2.Response(
            response.status_code, headers=headers, content=bytes(body), request=response.request
        )
        answer.next_request = response.next_request
        return answer

    def _client(self, url: httpx2.URL) -> httpx2.AsyncClient:
        if _by_proxy(url):
            # The proxy looks names up, and decides what it reaches.
            return httpx2.AsyncClient(timeout=SECONDS)
        return httpx2.AsyncClient(timeout=SECONDS, transport=_Checked(self))

    def _check_scheme(self, url: httpx2.URL) -> None:
        if url.scheme == "https" or (url.scheme == "http" and place(url.host) == "loopback"):
            return
        raise LocalError(f"{url.scheme}://{url.host} is not encrypted (https), and was not called.")

    async def addresses(self, url: httpx2.URL) -> list[str]:
        """Where to connect to; ``LocalError`` when the MCP server must not lead there."""
        if self._reach is None:
            self._reach = await _reach(self._server)
        found = await _look_up(url)
        for text in found:
            number = _number(text)
            if url.host != self._server.host and (number.is_link_local or _distance(number) > self._reach):
                raise LocalError(
                    f"It leads to {url.host} ({text}), which is not on the internet, and was not called."
                )
        return found


class _Checked(httpx2.AsyncHTTPTransport):
    def __init__(self, errands: Errands) -> None:
        super().__init__()
        self._errands = errands

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        *others, last = await self._errands.addresses(request.url)
        for each in others:
            try:
                return await super().handle_async_request(_moved(request, each))
            except httpx2.ConnectError:
                continue
        return await super().handle_async_request(_moved(request, last))


def _moved(request: httpx2.Request, where: str) -> httpx2.Request:
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=where),
        # The Host header stands already; the certificate is checked against the name.
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


async def _reach(server: httpx2.URL) -> int:
    try:
        return max(_distance(_number(text)) for text in await _look_up(server))
    except LocalError:
        # By a proxy, maybe.
        return _OUTSIDE


async def _look_up(url: httpx2.URL) -> list[str]:
    loop = asyncio.get_running_loop()
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        found: list[Any] = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise LocalError(f"{url.host} cannot be found ({error.strerror or error}).") from None
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def _number(text: str) -> Address:
    return address(text) or ip_address(text.partition("%")[0])


def _distance(found: Address) -> int:
    if found.is_loopback or found.is_unspecified:
        return _LOOPBACK
    return _OUTSIDE if found.is_global else _INSIDE


def _by_proxy(url: httpx2.URL) -> bool:
    proxies = urllib.request.getproxies()
    if url.scheme not in proxies and "all" not in proxies:
        return False
    return not urllib.request.proxy_bypass(url.host) and place(url.host) == "outside"
