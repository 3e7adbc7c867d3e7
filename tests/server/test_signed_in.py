"""What a sign-in is good for afterwards: kept, renewed, forgotten, and never given to another."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from authorization_server import AuthorizationServer, authorization_server

from jupyter_mcp_elicit.command import main

from .signing_in import error_of, sign_in, signed_in

pytestmark = pytest.mark.timeout(60)


async def test_a_sign_in_outlives_the_jupyter_server(
    open_library: Any, library: AuthorizationServer, jp_data_dir: Path
) -> None:
    room = await open_library()
    await signed_in(room)
    await room.extension.registry.close()
    # As a new process would: nothing of the old one's is in its memory.
    again = await open_library()
    stream = await again.call("library", "shelf")
    assert await again.result(stream) == "Moby-Dick"
    assert library.seen == {"register": 1, "authorize": 1, "code": 1}
    [file] = (jp_data_dir / "mcp-elicit" / "sign-ins").glob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_a_token_whose_time_is_up_is_renewed_without_a_person(
    open_library: Any, library: AuthorizationServer
) -> None:
    library.set(lifetime=1)
    room = await open_library()
    await signed_in(room)
    library.set(lifetime=3600)

    async def renewed() -> bool:
        stream = await room.call("library", "shelf")
        assert await room.result(stream) == "Moby-Dick"
        return library.seen["refresh"] > 0

    await room.until(renewed, "renewal")
    assert library.seen["authorize"] == 1


async def test_a_token_that_is_no_longer_taken_is_renewed_after_a_restart_too(
    open_library: Any, library: AuthorizationServer
) -> None:
    room = await open_library()
    await signed_in(room)
    await room.extension.registry.close()
    library.set(forget=True)
    again = await open_library()
    assert await again.result(await again.call("library", "shelf")) == "Moby-Dick"
    assert library.seen["refresh"] == 1
    assert library.seen["authorize"] == 1


async def test_a_person_is_asked_again_when_nothing_can_be_renewed(
    open_library: Any, library: AuthorizationServer
) -> None:
    room = await open_library()
    await signed_in(room)
    library.set(forget=True, refuse_refresh=True)
    stream = await room.call("library", "shelf")
    assert (await sign_in(room, await room.asked(stream)))[0] == 200
    assert await room.result(stream) == "Moby-Dick"


async def test_declining_in_the_middle_of_a_session_fails_the_call_alone(
    open_library: Any, library: AuthorizationServer
) -> None:
    room = await open_library()
    await signed_in(room)
    library.set(forget=True, refuse_refresh=True)
    stream = await room.call("library", "shelf")
    await room.answer(await room.asked(stream), "decline")
    assert "you declined" in await error_of(room, stream)
    _, shape = await room.request("GET", "servers")
    owner = room.extension.registry.known("agent:api")
    assert owner.connection_state("library") == "ready", shape


async def test_logout_is_heard_by_a_running_server(
    open_library: Any, library: AuthorizationServer, capsys: pytest.CaptureFixture[str]
) -> None:
    room = await open_library()
    await signed_in(room)
    assert main(["logout", "library"]) == 0
    assert 'The sign-in to "library" is forgotten' in capsys.readouterr().out
    assert main(["logout", "library"]) == 1
    stream = await room.call("library", "shelf")
    assert (await room.asked(stream))["mode"] == "url"


async def test_another_address_gets_no_old_token(open_library: Any, library: AuthorizationServer) -> None:
    room = await open_library()
    await signed_in(room)
    with authorization_server() as other:
        room = await open_library({"url": other.url})
        stream = await room.call("library", "shelf")
        # The changed entry is agreed to first.
        changed = await room.asked(stream)
        await room.answer(changed, "accept", draft=[])
        card = await room.asked(stream)
        assert card["url"]["href"].startswith(other.base)
        assert library.seen["code"] == 1


async def test_a_program_with_a_secret_of_its_own_needs_no_person(
    open_library: Any, library: AuthorizationServer
) -> None:
    library.set(machine=True)
    own = {"grant": "client_credentials", "clientId": "jupyter", "clientSecret": "s", "issuer": library.base}
    room = await open_library({"oauth": own})
    stream = await room.call("library", "shelf", asks="nobody")
    assert await room.result(stream) == "Moby-Dick"
    assert library.seen == {"client_credentials": 1}


async def test_a_secret_goes_to_its_issuer_and_to_nobody_else(
    open_library: Any, library: AuthorizationServer
) -> None:
    own = {"clientId": "jupyter", "clientSecret": "s", "issuer": "https://auth.example.org"}
    room = await open_library({"oauth": own})
    stream = await room.call("library", "shelf")
    assert 'another authorization server than the "issuer" of its entry' in await error_of(room, stream)
    assert library.seen == {}
