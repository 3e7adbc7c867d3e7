"""Where sign-ins are kept, and that nobody else can read them there."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null

from jupyter_mcp_elicit.client.keyring import SystemKeyring, system_keyring
from jupyter_mcp_elicit.client.tokens import Key, Tokens
from jupyter_mcp_elicit.core.errors import LocalError

KEY = Key("library", "https://library.example/mcp")
RECORD = {"tokens": {"access_token": "planted-token"}}


class InMemory(KeyringBackend):
    """A keyring that is none of a real system's."""

    priority = 5  # type: ignore[assignment]

    def __init__(self, room: int = 10_000) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}
        self.room = room

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if len(password) > self.room:
            raise ValueError(f"too long: {password}")
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


class Plain(InMemory):
    __module__ = "keyrings.alt.file"


@pytest.fixture
def chosen() -> Any:
    """Puts a keyring in the place of the system's."""
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


def test_without_a_keyring_a_file_keeps_it_that_only_its_user_may_read(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "sign-ins", None)
    tokens.write(KEY, RECORD)
    assert tokens.read(KEY) == RECORD
    [file] = (tmp_path / "sign-ins").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_refused_with_the_way_out(tmp_path: Path, mode: int) -> None:
    tokens = Tokens(tmp_path, None)
    tokens.write(KEY, RECORD)
    [file] = tmp_path.iterdir()
    file.chmod(mode)
    with pytest.raises(LocalError, match="others can read") as error:
        tokens.read(KEY)
    assert f"rm {file}" in error.value.hint
    assert "planted-token" not in str(error.value)


@pytest.mark.parametrize("other", [Key("archive", KEY.url), Key(KEY.server, "https://library.example/other")])
def test_another_name_or_address_finds_nothing(tmp_path: Path, other: Key) -> None:
    tokens = Tokens(tmp_path, None)
    tokens.write(KEY, RECORD)
    assert tokens.read(other) == {}
    assert tokens.stamp(other) == 0


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": 99, "record": {}}', '{"format": 1, "record": 3}']
)
def test_a_broken_file_counts_as_none(tmp_path: Path, text: str) -> None:
    tokens = Tokens(tmp_path, None)
    tokens.write(KEY, RECORD)
    next(tmp_path.iterdir()).write_text(text, "utf-8")
    assert tokens.read(KEY) == {}
    assert tokens.forget("library") in (0, 1)


def test_with_a_keyring_no_token_is_in_the_file(tmp_path: Path, chosen: Any) -> None:
    ring = InMemory()
    chosen(ring)
    tokens = Tokens(tmp_path)
    tokens.write(KEY, RECORD)
    assert tokens.read(KEY) == RECORD
    assert [text for text in ring.held.values() if "planted-token" in text]
    assert "planted-token" not in next(tmp_path.iterdir()).read_text("utf-8")
    assert tokens.forget("library") == 1
    assert ring.held == {}
    assert tokens.read(KEY) == {}


def test_what_a_keyring_does_not_take_goes_to_the_file_and_into_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = Tokens(tmp_path, SystemKeyring(InMemory(room=1)))
    tokens.write(KEY, RECORD)
    assert Tokens(tmp_path, None).read(KEY) == RECORD
    assert "planted-token" not in caplog.text


@pytest.mark.parametrize("unfit", [fail.Keyring, null.Keyring, Plain])
def test_a_keyring_that_keeps_nothing_or_tells_everybody_is_not_used(chosen: Any, unfit: Any) -> None:
    chosen(unfit())
    assert system_keyring() is None


def test_forgetting_takes_every_address_that_a_server_had(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path, None)
    for key in (KEY, Key("library", "https://old.example/mcp"), Key("archive", KEY.url)):
        tokens.write(key, RECORD)
    assert tokens.forget("library") == 2
    assert tokens.read(Key("archive", KEY.url)) == RECORD
    assert tokens.forget("library") == 0


def test_a_change_can_be_told_from_the_stamp(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path, None)
    assert tokens.stamp(KEY) == 0
    tokens.write(KEY, RECORD)
    first = tokens.stamp(KEY)
    assert first
    tokens.forget("library")
    assert tokens.stamp(KEY) == 0
