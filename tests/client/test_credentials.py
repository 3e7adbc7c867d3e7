"""What mcp.json can say about signing in."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcp_elicit.client.config import parse_servers
from jupyter_mcp_elicit.client.credentials import Credentials
from jupyter_mcp_elicit.client.spec import ServerSpec


def test_how_to_sign_in_is_read_and_its_variables_are_filled_in() -> None:
    entry = {
        "url": "https://library.example/mcp",
        "oauth": {"clientId": "jupyter", "clientSecret": "${env:LIBRARY_SECRET}", "scope": "read"},
    }
    environ = {"LIBRARY_SECRET": "planted"}
    specs, problems = parse_servers({"mcpServers": {"library": entry}}, environ=environ)
    assert problems == []
    assert "planted" not in repr(specs["library"].expand(environ))
    assert specs["library"].expand(environ).oauth == Credentials(
        client_id="jupyter", client_secret="planted", scope="read"
    )
    _, problems = parse_servers({"mcpServers": {"library": entry}}, environ={})
    assert "LIBRARY_SECRET" in problems[0]


def test_signing_in_can_be_switched_off() -> None:
    specs, problems = parse_servers({"mcpServers": {"a": {"url": "https://a.example/", "oauth": False}}})
    assert problems == []
    assert specs["a"].oauth is None


@pytest.mark.parametrize(
    ("oauth", "said"),
    [
        ({"clientId": 1}, '"clientId" must be text'),
        ({"clientSecret": "s"}, 'needs a "clientId"'),
        ({"grant": "password"}, '"grant" must be authorization_code or client_credentials'),
        ({"grant": "client_credentials"}, 'needs "clientId", "clientSecret" and "issuer"'),
        ({"clientMetadataUrl": "http://a.example/c.json"}, "https:// address with a path"),
        ({"clientMetadataUrl": "https://a.example/"}, "https:// address with a path"),
        ({"issuer": "a.example"}, '"issuer" must be an https:// address'),
        ("yes", 'has a "oauth" of the wrong kind'),
    ],
)
def test_what_does_not_fit_in_oauth_is_named(oauth: Any, said: str) -> None:
    specs, problems = parse_servers({"mcpServers": {"a": {"url": "https://a.example/", "oauth": oauth}}})
    assert specs == {}
    assert said in problems[0]
    assert '"a"' in problems[0]


def test_an_unknown_key_in_oauth_is_named_and_ignored() -> None:
    entry = {"url": "https://a.example/", "oauth": {"clientID": "x"}}
    specs, problems = parse_servers({"mcpServers": {"a": entry}})
    assert specs["a"].oauth == Credentials()
    assert '"clientID" in "oauth"' in problems[0]


def test_oauth_is_for_addresses_only() -> None:
    _, problems = parse_servers({"mcpServers": {"a": {"command": "a", "oauth": {"clientId": "x"}}}})
    assert 'has "oauth", which only a server with a url can have' in problems[0]


def test_other_credentials_are_another_entry_and_none_are_the_old_one() -> None:
    plain = ServerSpec(name="a", url="https://a.example/")
    assert "oauth" not in plain.parts
    arranged = ServerSpec(name="a", url="https://a.example/", oauth=Credentials(client_id="x"))
    never = ServerSpec(name="a", url="https://a.example/", oauth=None)
    assert len({plain.digest, arranged.digest, never.digest}) == 3
