from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from jupyter_mcp_elicit.client.spec import ServerSpec
from jupyter_mcp_elicit.client.trust import TrustStore

SPEC = ServerSpec(
    name="bistro",
    command="python",
    args=("-m", "bistro", "--token", "s3cret"),
    env={"KEY": "s3cret", "TOWN": "Paris"},
)


def changed(**parts: object) -> ServerSpec:
    whole = {"command": SPEC.command, "args": SPEC.args, "env": SPEC.env, **parts}
    return ServerSpec(name="bistro", **whole)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(tmp_path / "data" / "started.json")


def test_a_server_is_new_once_and_then_the_same(store: TrustStore, tmp_path: Path) -> None:
    assert store.state(SPEC) == "new"
    assert store.changes(SPEC) == []
    store.record(SPEC)
    assert store.state(SPEC) == "same"
    assert TrustStore(tmp_path / "data" / "started.json").state(SPEC) == "same"


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        (changed(command="/opt/evil"), ["command: python → /opt/evil"]),
        (changed(args=("-m", "x", "--token", "s3cret")), ["args: -m bistro --token *** → -m x --token ***"]),
        (changed(args=("-m", "bistro", "--token", "0ther")), ["args: a hidden value changed"]),
        (changed(env={"KEY": "s3cret"}), ["env: TOWN removed"]),
        (changed(env={**SPEC.env, "LD_PRELOAD": "s3cret2"}), ["env: LD_PRELOAD added"]),
        (changed(env={**SPEC.env, "KEY": "0ther"}), ["env: KEY changed"]),
        (changed(cwd="/srv"), ["cwd: (none) → /srv"]),
    ],
)
def test_what_changed_is_told_and_no_secret(store: TrustStore, spec: ServerSpec, lines: list[str]) -> None:
    store.record(SPEC)
    assert store.state(spec) == "changed"
    assert store.changes(spec) == lines
    store.record(spec)
    assert store.state(spec) == "same"
    assert store.changes(spec) == []


def test_from_a_command_to_a_url_and_back(store: TrustStore) -> None:
    web = ServerSpec(
        name="bistro", url="https://u:s3cret@a.example/mcp?k=s3cret", headers={"X-Key": "s3cret"}
    )
    store.record(SPEC)
    told = "\n".join(store.changes(web))
    assert "command: python → (none)" in told
    assert "url: (none) → https://a.example/mcp?***" in told
    assert "headers: X-Key added" in told
    assert "s3cret" not in told
    store.record(web)
    other = ServerSpec(name="bistro", url="https://a.example/mcp?k=0ther", headers={"X-Key": "s3cret"})
    assert store.changes(other) == ["url: a hidden value changed"]


def test_the_file_is_ours_alone_and_holds_no_secret(store: TrustStore, tmp_path: Path) -> None:
    store.record(SPEC)
    path = tmp_path / "data" / "started.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "s3cret" not in path.read_text()
    assert [each.name for each in path.parent.iterdir()] == ["started.json"]


def test_two_stores_on_one_file_do_not_lose_each_others_servers(tmp_path: Path) -> None:
    first, second = (TrustStore(tmp_path / "started.json") for _ in range(2))
    other = ServerSpec(name="other", command="x")
    first.record(SPEC)
    second.record(other)
    third = TrustStore(tmp_path / "started.json")
    assert (third.state(SPEC), third.state(other)) == ("same", "same")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": 99, "servers": {}}', '{"format": 1, "servers": {"bistro": 1}}']
)
def test_a_broken_file_counts_as_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "started.json"
    path.write_text(text)
    path.chmod(0o600)
    store = TrustStore(path)
    assert store.state(SPEC) == "new"
    store.record(SPEC)
    assert json.loads(path.read_text())["servers"]["bistro"]["digest"] == SPEC.digest


def test_a_file_that_others_can_write_vouches_for_nothing(store: TrustStore, tmp_path: Path) -> None:
    store.record(SPEC)
    (tmp_path / "data" / "started.json").chmod(0o666)
    assert TrustStore(tmp_path / "data" / "started.json").state(SPEC) == "new"


def test_a_home_that_cannot_be_written_is_only_forgetful(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = TrustStore(tmp_path / "file" / "started.json")
    store.record(SPEC)
    assert store.state(SPEC) == "same"


def test_a_forgotten_server_is_new_again(store: TrustStore, tmp_path: Path) -> None:
    store.record(SPEC)
    store.forget("bistro")
    assert store.state(SPEC) == "new"
    assert TrustStore(tmp_path / "data" / "started.json").state(SPEC) == "new"
