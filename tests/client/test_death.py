"""Servers that die, break off, never start, or say too much."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.client.spec import ServerSpec
from jupyter_mcp_elicit.core.elicitation import Accept, Decline
from jupyter_mcp_elicit.core.errors import LocalError, RemoteError
from jupyter_mcp_elicit.core.withdrawal import Withdrawal

from .conftest import PEERS, HttpPeer, Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(40)


async def until(condition: Callable[[], bool]) -> None:
    async def wait() -> None:
        while not condition():  # noqa: ASYNC110 - nothing here tells when another process changes
            await asyncio.sleep(0.01)

    await asyncio.wait_for(wait(), 20)


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@on_a_loop
async def test_a_server_that_exits_during_a_call_is_told_with_its_code_and_last_words_and_starts_again(
    era: str,
) -> None:
    async with connected(spec_of("asker", era=era)) as connection:
        with pytest.raises(LocalError) as raised:
            await connection.call_tool("die")
        message = str(raised.value)
        assert 'The server "asker" exited with code 3, during die.' in message
        assert "the kitchen is on fire [U+001B][31m" in message
        assert "next call" in message
        assert connection.state == "failed: exited with code 3"
        assert connection.generation == 1
        assert text_of(await connection.call_tool("echo", {"text": "again"})) == "again"
        assert connection.generation == 2
        assert connection.state == "ready"
    assert connection.state == "closed"


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@on_a_loop
async def test_a_server_killed_while_a_person_is_asked_takes_its_question_with_it(era: str) -> None:
    person = Person()
    async with connected(spec_of("asker", era=era), person) as connection:
        pid = int(text_of(await connection.call_tool("pid")))
        call = asyncio.ensure_future(connection.call_tool("ask_any", {"who_hint": "there"}))
        await person.until(lambda: bool(person.asked))
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(LocalError, match="was killed by signal 9, during ask_any"):
            await call
        await person.until(lambda: person.withdrawn == person.asked)
        assert person.why == [Withdrawal.CONNECTION]


@on_a_loop
async def test_a_server_that_dies_between_calls_is_started_again_by_the_next() -> None:
    async with connected(spec_of("asker")) as connection:
        pid = int(text_of(await connection.call_tool("pid")))
        os.kill(pid, signal.SIGKILL)
        await until(lambda: connection.state == "failed: was killed by signal 9")
        assert int(text_of(await connection.call_tool("pid"))) != pid


@on_a_loop
async def test_a_missing_command_is_named() -> None:
    connection = Connection(ServerSpec(name="lost", command="no-such-command-anywhere"), Person())
    with pytest.raises(
        LocalError, match=r'"lost" cannot be started\. There is no command "no-such-command-anywhere"'
    ):
        await connection.open()
    assert connection.state.startswith("failed: cannot be started")
    await connection.close()


@on_a_loop
async def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    spec = ServerSpec(name="lost", command=sys.executable, cwd=str(tmp_path / "gone"))
    with pytest.raises(LocalError, match="There is no directory"):
        await Connection(spec, Person()).open()


@on_a_loop
async def test_a_file_that_is_no_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(LocalError, match=r"notes\.txt\" cannot be started: Permission denied"):
        await Connection(ServerSpec(name="lost", command=str(tmp_path / "notes.txt")), Person()).open()


@on_a_loop
async def test_a_server_that_exits_at_once_is_told_with_its_code_and_its_reason() -> None:
    code = "import sys; print('no config', file=sys.stderr); sys.exit(7)"
    connection = Connection(ServerSpec(name="quick", command=sys.executable, args=("-c", code)), Person())
    with pytest.raises(LocalError, match=r'(?s)"quick" exited with code 7\..*no config'):
        await connection.call_tool("echo")


@on_a_loop
async def test_a_server_that_never_answers_is_given_up_and_its_process_ended(tmp_path: Path) -> None:
    code = "import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); sys.stdin.read()"
    spec = ServerSpec(
        name="mute", command=sys.executable, args=("-c", code, str(tmp_path / "pid")), era="legacy"
    )
    connection = Connection(spec, Person(), open_timeout=1.5)
    waiting = asyncio.ensure_future(connection.open())
    await until(lambda: connection.state == "connecting")
    with pytest.raises(LocalError, match=r"did not finish connecting within 1\.5 seconds"):
        await waiting
    assert not is_running(int((tmp_path / "pid").read_text()))


@on_a_loop
async def test_a_waiter_may_be_cancelled_without_harm_to_the_others() -> None:
    async with connected(spec_of("asker")) as connection:
        first, second, third = (asyncio.ensure_future(connection.open()) for _ in range(3))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(second, third)
        assert first.cancelled()
        assert connection.generation == 1


@on_a_loop
async def test_closing_while_connecting_ends_the_process_and_tells_the_waiter(tmp_path: Path) -> None:
    code = "import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); sys.stdin.read()"
    spec = ServerSpec(
        name="mute", command=sys.executable, args=("-c", code, str(tmp_path / "pid")), era="legacy"
    )
    connection = Connection(spec, Person())
    waiting = asyncio.ensure_future(connection.open())
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    await connection.close()
    with pytest.raises(LocalError, match="was closed"):
        await waiting
    assert not is_running(int((tmp_path / "pid").read_text()))
    assert connection.state == "closed"


@on_a_loop
async def test_closing_withdraws_questions_and_fails_running_calls() -> None:
    person = Person()
    connection = Connection(spec_of("asker"), person)
    call = asyncio.ensure_future(connection.call_tool("ask_any", {"who_hint": "there"}))
    await person.until(lambda: bool(person.asked))
    pid = int(text_of(await connection.call_tool("pid")))
    await connection.close()
    with pytest.raises(LocalError, match=r"was closed during ask_any"):
        await call
    await person.until(lambda: person.withdrawn == person.asked)
    assert not is_running(pid)


@on_a_loop
async def test_a_server_that_ignores_its_end_is_killed_with_its_children() -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        pids = json.loads(text_of(await connection.call_tool("stubborn")))
        assert all(is_running(pid) for pid in pids)
    assert not any(is_running(pid) for pid in pids)


def test_a_process_that_never_closes_its_connection_leaves_no_server_behind() -> None:
    code = f"""
import asyncio, sys
from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.client.spec import ServerSpec
async def main():
    spec = ServerSpec(name="a", command=sys.executable, args=({str(PEERS / "asker.py")!r},))
    connection = Connection(spec, None)
    print((await connection.call_tool("pid"))["content"][0]["text"])
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert not is_running(int(done.stdout))


@pytest.mark.parametrize("size", [5_000_000])
@on_a_loop
async def test_a_message_over_the_limit_ends_the_connection_and_says_so(size: int) -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        with pytest.raises(
            LocalError, match=r"sent a message of more than 4096 KiB and was disconnected, during big"
        ):
            await connection.call_tool("big", {"size": size})
        assert len(text_of(await connection.call_tool("big", {"size": 4_000_000}))) == 4_000_000


@on_a_loop
async def test_a_line_without_end_costs_neither_time_nor_memory() -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        await connection.open()
        started = asyncio.get_running_loop().time()
        with pytest.raises(LocalError, match="disconnected"):
            await connection.call_tool("endless")
        # What takes long is the server's grace to end by itself, which one busy writing has no use for.
        assert asyncio.get_running_loop().time() - started < 10


@pytest.mark.parametrize(
    ("rubbish", "skipped"),
    [
        (b"\xff\xfe\n", 1),
        (b'"\xed\xa0\x80"\n', 1),
        (b"\n\n", 0),
        (b"Listening on port 8000\nReady\n", 2),
        (b"[1, 2]\n", 1),
        (b'{"jsonrpc": "1.0"}\n', 1),
        (b"[" * 100_000 + b"\n", 1),
        (b'{"jsonrpc": "2.0", "id": 1.5, "result": {}}\n', 1),
        (b'{"jsonrpc": "2.0", "id": null, "result": {}}\n', 1),
        (b'{"jsonrpc": "2.0", "id": 999, "result": {}}\n', 0),
        (b'{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{}}\n', 0),
        (b"null\n", 1),
    ],
)
@on_a_loop
async def test_rubbish_on_stdout_is_skipped_and_the_call_survives(
    rubbish: bytes, skipped: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        assert text_of(await connection.call_tool("write", {"bytes": list(rubbish)})) == "written"
        assert connection.skipped == skipped
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (rb'"cut \ud83d here"', "cut \ufffd here"),
        (b'"caf\xe9"', "caf\ufffd"),
        ('"caf\u00e9 \U0001f600"'.encode(), "caf\u00e9 \U0001f600"),
    ],
)
@on_a_loop
async def test_an_answer_with_broken_text_still_arrives(value: bytes, read: str) -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        assert text_of(await connection.call_tool("answer", {"text": list(value)})) == read


@on_a_loop
async def test_an_answer_that_cannot_be_read_fails_its_call_instead_of_leaving_it_to_wait() -> None:
    async with connected(spec_of("raw", "legacy", era="legacy")) as connection:
        with pytest.raises(RemoteError, match="could not be read") as raised:
            await connection.call_tool("error", {"error": "not an object"})
        assert raised.value.code == -32700
        long = await connection.call_tool("answer", {"text": list(b'"x"'), "also": "9" * 5000})
        assert long["structuredContent"] == {"n": "9" * 5000}


@on_a_loop
async def test_many_words_on_stderr_neither_block_nor_pile_up() -> None:
    heard: list[str] = []
    code = "import sys; [print('x' * 1000, file=sys.stderr) for _ in range(5000)]; sys.exit(1)"
    spec = ServerSpec(name="chatty", command=sys.executable, args=("-c", code))
    with pytest.raises(LocalError, match="exited with code 1") as raised:
        await Connection(spec, Person(), on_stderr=heard.append).open()
    assert len(str(raised.value)) < 2500
    assert sum(map(len, heard)) == 5000 * 1001


@on_a_loop
async def test_the_child_inherits_a_handful_of_variables_and_none_of_jupyters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUPYTER_TOKEN", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("CITY", "Paris")
    async with connected(spec_of("asker", env={"TOWN": "${env:CITY}"})) as connection:
        names = {each["text"] for each in (await connection.call_tool("environment"))["content"]}
    assert "TOWN" in names
    assert not names & {"JUPYTER_TOKEN", "AWS_SECRET_ACCESS_KEY", "CITY"}


@on_a_loop
async def test_a_variable_that_is_not_set_is_named_at_the_start() -> None:
    spec = spec_of("asker", env={"TOWN": "${env:NOT_SET_ANYWHERE}"})
    with pytest.raises(LocalError, match="NOT_SET_ANYWHERE"):
        await Connection(spec, Person()).open()


@on_a_loop
async def test_a_disabled_server_is_not_started() -> None:
    with pytest.raises(LocalError, match="is disabled"):
        await Connection(spec_of("asker", disabled=True), Person()).open()


@on_a_loop
async def test_a_refused_port_is_a_clear_sentence() -> None:
    connection = Connection(ServerSpec(name="web", url="http://127.0.0.1:9/mcp"), Person())
    with pytest.raises(LocalError, match=r'"web" cannot be reached: nothing answers there'):
        await connection.open()
    assert connection.state.startswith("failed: cannot be reached")


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@on_a_loop
async def test_an_http_server_that_is_restarted_between_calls_is_no_trouble(
    era: str, mortal_asker: HttpPeer
) -> None:
    async with connected(mortal_asker.spec(era=era)) as connection:
        assert text_of(await connection.call_tool("echo", {"text": "a"})) == "a"
        mortal_asker.kill()
        mortal_asker.start()
        assert text_of(await connection.call_tool("ask_any", {"who_hint": "x"})) == "accept Ada"


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@on_a_loop
async def test_an_http_server_killed_while_a_person_is_asked(era: str, mortal_asker: HttpPeer) -> None:
    person = Person()
    async with connected(mortal_asker.spec(era=era), person) as connection:
        call = asyncio.ensure_future(connection.call_tool("ask_any", {"who_hint": "there"}))
        await person.until(lambda: bool(person.asked))
        mortal_asker.kill()
        if era == "legacy":
            with pytest.raises(LocalError, match="during ask_any"):
                await call
            await person.until(lambda: person.withdrawn == person.asked)
        else:
            # Nothing is open meanwhile: with the server back, the answer still arrives.
            mortal_asker.start()
            assert not call.done()
            call.cancel()
            await asyncio.wait({call})
        if era == "legacy":
            mortal_asker.start()
        person._answers = [Accept({"name": "Bob"}), Decline()]
        assert text_of(await connection.call_tool("ask_any", {"who_hint": "x"})) == "accept Bob"
