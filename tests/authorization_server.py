"""An MCP server that wants a login, with its own authorization server: ``python authorization_server.py``.

Prints its port. Whoever opens ``/authorize`` is logged in at once and sent back. ``POST /knobs``
with JSON changes how it behaves from now on; ``GET /knobs`` tells that, and what has happened.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

PATH = Path(__file__)

#: Seconds that a token is taken longer than it says: a slow reader of its answer is no liar.
_LEEWAY = 60


class AuthorizationServer:
    """The one that runs at ``url``."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.url = f"{self.base}/mcp"

    def set(self, **knobs: Any) -> None:
        """``deny``, ``fake_state``, ``lifetime`` (seconds), ``refuse_refresh``, ``forget``
        (all access tokens), ``authorization_endpoint``, ``machine`` (another grant); ``reset``:
        all as at its start.
        """
        self._send(knobs)

    @property
    def seen(self) -> Counter[str]:
        """How often: register, authorize, code (exchanged), refresh."""
        return Counter(self._send()["seen"])

    @property
    def secrets(self) -> list[str]:
        """Every token, code and secret that it has given out."""
        return list(self._send()["secrets"])

    def _send(self, knobs: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if knobs is None else json.dumps(knobs).encode()
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.base}/knobs", data, timeout=20) as response:
            return dict(json.load(response))


@contextlib.contextmanager
def authorization_server() -> Iterator[AuthorizationServer]:
    """A running one, in a process of its own."""
    process = subprocess.Popen([sys.executable, str(PATH)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield AuthorizationServer(int(process.stdout.readline()))
    finally:
        process.kill()
        process.wait(timeout=10)
        process.stdout.close()


class Name(BaseModel):
    name: str


class Book:
    """The SDK's provider protocol, in memory."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.knobs: dict[str, Any] = {"lifetime": 3600}
        self.seen: Counter[str] = Counter()
        self.given: list[str] = []
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.refreshers: dict[str, RefreshToken] = {}

    def mint(self) -> str:
        self.given.append(secrets.token_hex(16))
        return self.given[-1]

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        self.seen["register"] += 1
        self.clients[client_info.client_id] = client_info
        if client_info.client_secret:
            self.given.append(client_info.client_secret)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.seen["authorize"] += 1
        state = self.mint() if self.knobs.get("fake_state") else params.state
        if deny := self.knobs.get("deny"):
            return construct_redirect_uri(
                str(params.redirect_uri), error="access_denied", error_description=deny, state=state
            )
        code = AuthorizationCode(
            code=self.mint(),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        self.seen["code"] += 1
        del self.codes[authorization_code.code]
        return self.issue(client.client_id, authorization_code.scopes)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        self.seen["refresh"] += 1
        return None if self.knobs.get("refuse_refresh") else self.refreshers.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        del self.refreshers[refresh_token.token]
        return self.issue(client.client_id, scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = self.tokens.get(token)
        return found if found is not None and (found.expires_at or 0) + _LEEWAY > time.time() else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        raise NotImplementedError

    def issue(self, client_id: str, scopes: list[str]) -> OAuthToken:
        access, again = self.mint(), self.mint()
        lifetime = int(self.knobs["lifetime"])
        self.tokens[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=int(time.time()) + lifetime
        )
        self.refreshers[again] = RefreshToken(token=again, client_id=client_id, scopes=scopes)
        return OAuthToken(
            access_token=access, refresh_token=again, expires_in=lifetime, scope=" ".join(scopes)
        )


def main() -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    port = listening.getsockname()[1]
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    config = uvicorn.Config(_app(f"http://127.0.0.1:{port}"), log_level="error")
    uvicorn.Server(config).run(sockets=[listening])


def _app(base: str) -> Any:
    book = Book()
    server = MCPServer(
        "library",
        auth_server_provider=book,
        auth=AuthSettings(
            issuer_url=base,
            resource_server_url=f"{base}/mcp",
            required_scopes=["read"],
            client_registration_options=ClientRegistrationOptions(
                enabled=True, valid_scopes=["read"], default_scopes=["read"]
            ),
            validate_token_resource=False,
        ),
    )

    @server.tool()
    async def lend(ctx: Context, book: str) -> str:
        """Lend a book, to somebody who has to say their name."""
        answer = await ctx.elicit(f"Who borrows {book}?", Name)
        return answer.data.name if answer.action == "accept" else answer.action

    @server.tool()
    async def shelf() -> str:
        """What stands there."""
        return "Moby-Dick"

    @server.custom_route("/knobs", methods=["GET", "POST"])
    async def knobs(request: Request) -> Response:
        if request.method == "POST":
            given = await request.json()
            if given.pop("reset", False):
                book.reset()
            book.knobs |= given
            if book.knobs.pop("forget", False):
                book.tokens.clear()
        return JSONResponse({"knobs": book.knobs, "seen": book.seen, "secrets": book.given})

    app = server.streamable_http_app()

    async def outer(scope: Any, receive: Any, send: Any) -> None:
        if book.knobs.get("machine") and scope["path"] == "/token":
            # The SDK's own endpoint knows no such grant.
            form = dict(await Request(scope, receive).form())
            book.seen[str(form["grant_type"])] += 1
            tokens = book.issue("machine", ["read"])
            await JSONResponse(tokens.model_dump(exclude_none=True))(scope, receive, send)
            return
        endpoint = book.knobs.get("authorization_endpoint")
        if not endpoint or scope["type"] != "http" or "oauth-authorization-server" not in scope["path"]:
            await app(scope, receive, send)
            return
        metadata = {
            "issuer": base,
            "authorization_endpoint": endpoint,
            "token_endpoint": f"{base}/token",
            "registration_endpoint": f"{base}/register",
        }
        await JSONResponse(metadata)(scope, receive, send)

    return outer


if __name__ == "__main__":
    main()
