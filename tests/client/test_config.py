from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcp_elicit.client.config import load_servers, parse_servers, read_file
from jupyter_mcp_elicit.client.spec import ServerSpec
from jupyter_mcp_elicit.core.errors import LocalError

GOOD = {"command": "uvx", "args": ["bistro"]}


def parse(servers: Any, **environ: str) -> tuple[dict[str, ServerSpec], list[str]]:
    return parse_servers({"mcpServers": servers}, environ=environ)


def test_the_json_of_other_clients_is_read_as_it_is() -> None:
    specs, problems = parse(
        {
            "everything": {
                "command": "npx",
                "args": ["-y", "@modelcontextprotocol/server-everything"],
                "env": {"A": "1"},
                "cwd": "/srv",
            },
            "typed": {"type": "stdio", "command": "uvx"},
            "web": {"type": "http", "url": "https://mcp.example.org/mcp", "headers": {"X-Key": "k"}},
        }
    )
    assert problems == []
    assert list(specs) == ["everything", "typed", "web"]
    everything, web = specs["everything"], specs["web"]
    assert everything.args == ("-y", "@modelcontextprotocol/server-everything")
    assert (everything.env, everything.cwd) == ({"A": "1"}, "/srv")
    assert (web.url, web.headers) == ("https://mcp.example.org/mcp", {"X-Key": "k"})
    assert (web.era, web.capabilities, web.deadline, web.client_completion) == (
        "auto",
        ("form", "url"),
        None,
        True,
    )


def test_our_keys_stand_beside_theirs() -> None:
    entry = {
        **GOOD,
        "era": "legacy",
        "elicitation": ["form", "url"],
        "deadline": 90,
        "clientCompletion": False,
    }
    specs, problems = parse({"a": entry, "b": {**GOOD, "elicitation": []}})
    assert problems == []
    assert (specs["a"].era, specs["a"].capabilities, specs["a"].deadline) == ("legacy", ("form", "url"), 90.0)
    assert not specs["a"].client_completion
    assert specs["b"].capabilities == ()


def test_an_unknown_key_is_noted_and_its_server_still_loads() -> None:
    specs, problems = parse({"a": {**GOOD, "autoApprove": ["x"]}})
    assert list(specs) == ["a"]
    assert problems == ['The server "a" has the key "autoApprove", which is not known and was ignored.']


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ([], "must be an object"),
        ({}, "neither a command nor a url"),
        ({**GOOD, "url": "http://localhost/mcp"}, "both a command and a url"),
        ({"command": 7}, '"command" of the wrong kind'),
        ({**GOOD, "args": "x"}, '"args" of the wrong kind'),
        ({**GOOD, "args": [1]}, 'something else than text in "args"'),
        ({**GOOD, "env": {"A": 1}}, 'something else than text in "env"'),
        ({**GOOD, "env": {"A=B": "1"}}, '"env"'),
        ({**GOOD, "env": {"A": "a\0b"}}, '"env"'),
        ({**GOOD, "args": ["a\0b"]}, "NUL"),
        ({**GOOD, "headers": {}, "era": "2024-11-05"}, '"era": "2024-11-05"'),
        ({**GOOD, "elicitation": ["telepathy"]}, '"telepathy"'),
        ({**GOOD, "deadline": 0}, '"deadline"'),
        ({**GOOD, "deadline": True}, '"deadline"'),
        ({**GOOD, "deadline": float("inf")}, '"deadline"'),
        ({**GOOD, "disabled": "no"}, '"disabled"'),
        ({"command": "./server"}, 'relative command "./server"'),
        ({"command": "bin/server"}, "relative command"),
        ({"command": "..\\server"}, "relative command"),
        ({"url": "ftp://example.org"}, "http://"),
        ({"url": "javascript:alert(1)"}, "http://"),
        ({"url": "/mcp"}, "http://"),
        ({"url": "http://"}, "no URL"),
        ({"url": "http://a b/"}, "no URL"),
        ({"url": "http://a:99999/"}, "http://"),
        ({"url": "https://a/mcp", "headers": {"X": "a\r\nY: b"}}, '"headers"'),
        ({"url": "https://a/mcp", "headers": {"X Y": "a"}}, '"headers"'),
        ({"url": "https://a/mcp", "args": ["x"]}, '"args"'),
        ({"url": "https://a/mcp", "type": "sse"}, '"sse"'),
        ({"url": "https://a/mcp", "type": "stdio"}, '"type"'),
        ({**GOOD, "type": "http"}, '"type"'),
    ],
)
def test_a_wrong_entry_is_named_and_the_others_still_load(entry: Any, why: str) -> None:
    specs, problems = parse({"bad": entry, "good": GOOD})
    assert list(specs) == ["good"]
    [problem] = problems
    assert '"bad"' in problem
    assert why in problem


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "a/b",
        "..",
        "../../x",
        "a\\b",
        "x" * 101,
        "a\0",
        "a\nb",
        "a\u202eb",
        "\u200b",
        " a",
        "__proto__",
    ],
)
def test_a_bad_name_is_a_problem_of_that_name_only(name: str) -> None:
    specs, problems = parse({name: GOOD, "good": GOOD})
    assert list(specs) == ["good"]
    [problem] = problems
    assert problem.startswith(json.dumps(name if len(name) < 40 else name[:40] + "…"))
    assert "cannot be the name of a server" in problem


@pytest.mark.parametrize("name", ["bistro", "My Server", "@scope:thing", "日本", "con", "x" * 100])
def test_ordinary_names_are_fine(name: str) -> None:
    assert list(parse({name: GOOD})[0]) == [name]


def test_a_spec_made_by_hand_may_be_named_by_its_url() -> None:
    assert (
        ServerSpec(name="http://127.0.0.1:9000/mcp", url="http://127.0.0.1:9000/mcp").transport
        == "http: 127.0.0.1:9000"
    )
    with pytest.raises(LocalError, match="cannot be the name"):
        ServerSpec(name="a\nb", command="x")


def test_variables_are_expanded_at_the_start_and_never_kept() -> None:
    entry = {"command": "uvx", "args": ["--town=${env:TOWN}"], "env": {"KEY": "a-${env:KEY}-${env:TOWN}"}}
    specs, problems = parse({"a": entry}, TOWN="Paris", KEY="k")
    assert problems == []
    assert "Paris" not in repr(specs["a"])
    expanded = specs["a"].expand({"TOWN": "Paris", "KEY": "k"})
    assert expanded.args == ("--town=Paris",)
    assert expanded.env == {"KEY": "a-k-Paris"}
    # What was expanded is not expanded again.
    assert specs["a"].expand({"TOWN": "${env:KEY}", "KEY": "k"}).args == ("--town=${env:KEY}",)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({**GOOD, "env": {"A": "${env:MISSING}"}}, "MISSING"),
        ({"url": "https://${env:MISSING}/mcp"}, "MISSING"),
        ({"url": "https://a/mcp", "headers": {"X": "${env:MISSING}"}}, "MISSING"),
        ({**GOOD, "env": {"A": "${env:JUPYTER_TOKEN}"}}, "JUPYTER_TOKEN"),
        ({**GOOD, "args": ["${env:JPY_API_TOKEN}"]}, "JPY_API_TOKEN"),
        ({**GOOD, "args": ["${env:a-b}"]}, "odd variable"),
    ],
)
def test_a_variable_that_cannot_be_given_is_named(entry: Any, why: str) -> None:
    specs, problems = parse({"a": entry}, JUPYTER_TOKEN="secret", JPY_API_TOKEN="secret")
    assert specs == {}
    assert why in problems[0]
    assert "secret" not in problems[0]


def test_only_env_variables_expand_and_a_command_never_does() -> None:
    spec = parse({"a": {"command": "run", "args": ["$HOME", "${HOME}", "~", "`id`"]}})[0]["a"]
    assert spec.expand({"HOME": "/root"}).args == ("$HOME", "${HOME}", "~", "`id`")
    assert parse({"a": {"command": "${env:X}"}}, X="sh")[0]["a"].expand({"X": "sh"}).command == "${env:X}"


def test_a_disabled_server_is_known_and_needs_no_variables() -> None:
    specs, problems = parse({"a": {**GOOD, "disabled": True, "env": {"A": "${env:MISSING}"}}})
    assert specs["a"].disabled
    assert problems == []


@pytest.mark.parametrize("servers", [[], "x", None])
def test_servers_that_are_no_object_are_one_problem(servers: Any) -> None:
    assert parse(servers) == ({}, ['"mcpServers" must be an object.'])


@pytest.fixture
def config(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"a": GOOD}}))
    path.chmod(0o600)
    return path


def test_a_file_of_ours_is_read(config: Path) -> None:
    assert read_file(config) == {"mcpServers": {"a": GOOD}}
    config.write_bytes(b"\xef\xbb\xbf" + config.read_bytes())
    assert read_file(config) == {"mcpServers": {"a": GOOD}}


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_refused_with_the_way_out(config: Path, mode: int) -> None:
    config.chmod(mode)
    with pytest.raises(LocalError, match=r"others can write it\. Run: chmod go-w .*mcp\.json"):
        read_file(config)


def test_a_file_in_a_directory_that_others_can_write_is_refused(config: Path) -> None:
    config.parent.chmod(0o777)
    with pytest.raises(LocalError, match="others can write its directory"):
        read_file(config)


def test_a_link_is_followed_to_a_file_that_is_checked_like_any_other(config: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    link = home / "mcp.json"
    link.symlink_to(config)
    assert read_file(link) == {"mcpServers": {"a": GOOD}}
    config.parent.chmod(0o1777)
    with pytest.raises(LocalError, match="others can write its directory"):
        read_file(link)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_is_refused(config: Path) -> None:
    os.chown(config, 12345, -1)
    with pytest.raises(LocalError, match="belongs to somebody else"):
        read_file(config)


def test_what_is_no_regular_file_is_refused_without_waiting(config: Path) -> None:
    config.unlink()
    os.mkfifo(config)
    with pytest.raises(LocalError, match="not a regular file"):
        read_file(config)
    config.unlink()
    config.mkdir()
    with pytest.raises(LocalError, match="regular file|directory"):
        read_file(config)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "line 1 is not JSON"),
        (b'{"a": 1}\n// no', "line 2 is not JSON"),
        (b"[]", "does not hold a JSON object"),
        (b"\xff", "not UTF-8"),
        (b'{"a": 1, "a": 2}', 'the key "a" appears twice'),
        (b" " * (1024 * 1024 + 1), "larger than 1024 KiB"),
        (b"[" * 100_000, "was not read"),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(config: Path, text: bytes, why: str) -> None:
    config.write_bytes(text)
    with pytest.raises(LocalError, match=why) as raised:
        read_file(config)
    assert str(config) in str(raised.value)


def test_the_first_directory_that_names_a_server_wins_and_a_missing_file_is_no_problem(
    tmp_path: Path,
) -> None:
    for number, servers in enumerate([{"a": GOOD}, {"a": {"command": "other"}, "b": GOOD}]):
        directory = tmp_path / str(number)
        directory.mkdir(mode=0o700)
        (directory / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
        (directory / "mcp.json").chmod(0o600)
    specs, problems = load_servers([tmp_path / "0", tmp_path / "none", tmp_path / "1"], environ={})
    assert problems == []
    assert (specs["a"].command, specs["b"].command) == ("uvx", "uvx")
    extra = {"a": {"command": "mine"}}
    assert load_servers([tmp_path / "0"], extra, environ={})[0]["a"].command == "mine"
    assert load_servers([tmp_path / "0"], {"mcpServers": extra}, environ={})[0]["a"].command == "mine"


def test_a_file_that_cannot_be_trusted_starts_nothing_and_is_told(config: Path) -> None:
    config.chmod(0o666)
    specs, problems = load_servers([config.parent])
    assert specs == {}
    assert "chmod go-w" in problems[0]


def test_a_problem_of_a_file_names_the_file(config: Path) -> None:
    config.write_text('{"mcpServers": {"a": {}}}')
    assert str(config) in load_servers([config.parent])[1][0]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"command": "/usr/bin/python", "args": ["-m", "bistro"]}, "stdio: python -m bistro"),
        ({"command": "x", "args": ["--token", "abc", "-v"]}, "stdio: x --token *** -v"),
        ({"command": "x", "args": ["--api-key=abc", "--port=1"]}, "stdio: x --api-key=*** --port=1"),
        ({"command": "x", "args": ["ghp_0123456789abcdef"]}, "stdio: x ***"),
        ({"command": "x", "args": ["postgres://u:pw@db/x?sslkey=1"]}, "stdio: x postgres://db/x?***"),
        ({"command": "x", "args": ["a\nb\x1b"]}, "stdio: x a b "),
        ({"url": "https://u:pw@mcp.example.org:8443/mcp?k=v"}, "http: mcp.example.org:8443"),
    ],
)
def test_our_words_for_a_transport_hold_no_secret(entry: Any, words: str) -> None:
    assert parse({"a": entry})[0]["a"].transport == words


def test_our_words_for_a_transport_are_short() -> None:
    assert len(ServerSpec(name="a", command="x", args=("y " * 500,)).transport) == 60


def test_two_readings_of_one_entry_are_equal_and_hash_alike() -> None:
    entry = {**GOOD, "env": {"A": "1"}, "era": "legacy"}
    first, second = parse({"a": entry})[0]["a"], parse({"a": entry})[0]["a"]
    assert first == second
    assert hash(first) == hash(second)
    assert first != parse({"a": {**entry, "era": "auto"}})[0]["a"]


def test_the_digest_covers_what_is_started_and_nothing_else() -> None:
    spec = ServerSpec(name="a", command="x", args=("1",), env={"A": "1"}, cwd="/srv")
    same = ServerSpec(
        name="b", command="x", args=("1",), env={"A": "1"}, cwd="/srv", era="legacy", deadline=9
    )
    assert spec.digest == same.digest
    for change in ({"command": "y"}, {"args": ("1", "2")}, {"env": {"A": "2"}}, {"cwd": "/"}):
        parts = {"command": "x", "args": ("1",), "env": {"A": "1"}, "cwd": "/srv", **change}
        assert ServerSpec(name="a", **parts).digest != spec.digest


def test_reading_the_configuration_does_not_load_the_sdk() -> None:
    code = (
        "import sys, jupyter_mcp_elicit.client.config, jupyter_mcp_elicit.client.trust;"
        "print([name for name in ('mcp', 'mcp_types', 'pydantic', 'httpx2', 'anyio') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
