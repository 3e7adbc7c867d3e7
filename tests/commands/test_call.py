"""``jupyter mcp-elicit call`` in real terminals and in pipes, with the bistro."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_process import wait_until
from till_page import use

pexpect = pytest.importorskip("pexpect", reason="there are no pseudo-terminals here")

BISTRO = [sys.executable, "-m", "jupyter_mcp_elicit.demo"]
Start = Callable[..., Any]
Pipe = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A configuration that knows the bistro, and a memory of its own of what was started."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
    configure(tmp_path)
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA")}
    return {**kept, **folders, "PYTHONUNBUFFERED": "1"}


def configure(folder: Path, **entry: Any) -> None:
    path = folder / "config" / "mcp.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    entries = {"bistro": {"command": BISTRO[0], "args": BISTRO[1:], **entry}}
    path.write_text(json.dumps({"mcpServers": entries}), "utf-8")
    path.chmod(0o600)


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Start]:
    """Calls in a terminal of its own; ends it."""
    started: list[Any] = []

    def start(*arguments: str) -> Any:
        command = ["-m", "jupyter_mcp_elicit.command", "call", *arguments]
        screen = pexpect.spawn(
            sys.executable, command, encoding="utf-8", timeout=40, env=environment, dimensions=(50, 160)
        )
        started.append(screen)
        return screen

    yield start
    for each in started:
        each.close(force=True)


@pytest.fixture
def pipe(environment: dict[str, str]) -> Pipe:
    """Calls where nobody types."""

    def pipe(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "jupyter_mcp_elicit.command", "call", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return pipe


def ended(screen: Any) -> int:
    screen.expect(pexpect.EOF)
    screen.close()
    return int(screen.exitstatus)


def test_a_question_is_asked_at_the_prompt_and_the_result_printed(start: Start) -> None:
    screen = start("bistro", "order_coffee", "--arg", "milk=oat")
    screen.expect("bistro asks during order_coffee")
    screen.expect("Time to answer: 10 min")
    screen.expect(r"\]: ")
    screen.sendline("!more")
    screen.expect("Time to answer: 15 min")
    screen.expect(r"\]: ")
    screen.sendline("Large")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect("accepted at the prompt")
    screen.expect("large")
    assert ended(screen) == 0


def test_what_is_typed_is_read_by_the_same_rules_and_asked_again(start: Start) -> None:
    screen = start("--arg", "steps=1", "bistro", "--arg", "pace=0", "slow_brew")
    screen.expect("Cups.*: ")
    screen.sendline("many")
    screen.expect("Sugar.*: ")
    screen.sendline("n")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect("! .*number")
    screen.expect("Cups.*: ")
    screen.sendline("!decline")
    screen.expect("declined at the prompt")
    assert ended(screen) == 0


def test_the_deadline_of_the_configuration_holds(start: Start, tmp_path: Path) -> None:
    configure(tmp_path, deadline=2)
    screen = start("bistro", "order_coffee", "--arg", "milk=oat")
    screen.expect("Time to answer: 2 s")
    screen.expect("the time was up")
    screen.expect("Time to answer: 2 s")
    screen.expect("the time was up")
    assert ended(screen) == 0


def test_an_interrupt_at_the_prompt_ends_the_call_and_the_server(start: Start) -> None:
    screen = start("bistro", "order_coffee", "--arg", "milk=oat")
    screen.expect(r"Size.*\]: ")
    [server] = psutil.Process(screen.pid).children()
    screen.sendintr()
    screen.expect("Interrupted: the call was cancelled.")
    assert "Traceback" not in screen.before
    assert ended(screen) == 130
    wait_until(lambda: not server.is_running() or None, "end of the server", 10)


def test_an_interrupt_of_a_running_call_ends_it_and_the_server(start: Start) -> None:
    screen = start("bistro", "slow_brew", "--arg", "steps=20", "--arg", "pace=1")
    screen.expect("1 of 20")
    [server] = psutil.Process(screen.pid).children()
    screen.sendintr()
    screen.expect("Interrupted")
    assert ended(screen) == 130
    wait_until(lambda: not server.is_running() or None, "end of the server", 10)


def test_an_address_is_opened_by_the_person_and_the_call_goes_on(start: Start) -> None:
    screen = start("bistro", "pay_deposit", "--arg", "code=T1")
    screen.expect(r"(http://127\.0\.0\.1:\d+/\S+)\r\n")
    address = screen.match[1]
    screen.expect("Type open")
    screen.sendline("open")
    screen.expect("Type done")
    use(address)
    screen.expect("is paid")
    assert ended(screen) == 0


def test_a_changed_entry_is_asked_about_once(start: Start, tmp_path: Path) -> None:
    assert ended(start("bistro", "todays_menu")) == 0
    configure(tmp_path, env={"PLACE": "Bergen"})
    screen = start("bistro", "todays_menu")
    screen.expect('The entry "bistro" has changed since it last started')
    screen.expect("PLACE")
    screen.expect("Type yes to agree")
    screen.sendline("no")
    screen.expect('"bistro" was not started')
    assert ended(screen) == 1
    screen = start("bistro", "todays_menu")
    screen.expect("Type yes to agree")
    screen.sendline("yes")
    screen.expect("Onion soup")
    assert ended(screen) == 0
    screen = start("bistro", "todays_menu")
    screen.expect("Onion soup")
    assert "Type yes" not in screen.before
    assert ended(screen) == 0


def test_a_piped_result_is_the_result_alone(pipe: Pipe) -> None:
    done = pipe("todays_menu", "--", *BISTRO)
    assert done.returncode == 0
    assert done.stdout.startswith("Today: Onion soup")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_where_nobody_types_a_question_is_cancelled_at_once_and_stderr_says_so(pipe: Pipe) -> None:
    done = pipe("bistro", "order_coffee", "--arg", "milk=oat")
    assert done.returncode == 0
    assert (
        done.stdout
        == "No answer came, so the machine stays off. Call order_coffee again whenever you like.\n"
    )
    assert '"bistro" asked "How do you take your coffee?" during order_coffee' in done.stderr
    assert "nobody was there to answer: call it from a terminal, or give --answers FILE." in done.stderr


def test_a_script_answers_from_a_file(pipe: Pipe, tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps([{"action": "accept", "content": {"size": "large"}}]), "utf-8")
    done = pipe("bistro", "order_coffee", "--arg", "milk=oat", "--answers", str(answers), "--output", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["structuredContent"]["size"] == "large"
    assert "accepted by script" in done.stderr


def test_arguments_are_read_by_the_types_of_the_tool(pipe: Pipe) -> None:
    done = pipe("bistro", "slow_brew", "--arg", "steps=two")
    assert (done.returncode, done.stderr) == (
        1,
        "--arg steps=two is no JSON, and the tool wants integer there.\n",
    )
    done = pipe("bistro", "cancel_booking", "--arg", "code=007")
    assert "There is no booking 007." in done.stdout


def test_a_tool_that_fails_has_an_exit_code_of_its_own(pipe: Pipe) -> None:
    done = pipe("bistro", "cancel_booking", "--json", '{"code": "XX"}')
    assert (done.returncode, done.stdout) == (3, "There is no booking XX.\n")
    assert "The tool failed." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["bistrot", "todays_menu"],
            'There is no MCP server "bistrot" in the configuration (configured: bistro).',
        ),
        (["bistro", "todays_special"], '"bistro" has no tool "todays_special" (it has: book_table'),
        (["bistro", "todays_menu", "--arg", "x"], "--arg takes NAME=VALUE, not 'x'."),
        (["bistro", "todays_menu", "--json", "[]"], "--json must be a JSON object."),
        (["bistro", "todays_menu", "--answers", "nowhere.json"], "nowhere.json cannot be read"),
        (["http://127.0.0.1:1/mcp", "todays_menu"], "127.0.0.1:1"),
        (
            ["todays_menu", "--", "there-is-no-such-command"],
            'There is no command "there-is-no-such-command".',
        ),
    ],
)
def test_an_error_is_one_sentence_on_stderr(pipe: Pipe, arguments: list[str], words: str) -> None:
    done = pipe(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_command_line_is_told_with_the_usage(pipe: Pipe) -> None:
    for arguments in (["bistro"], ["a", "b", "--", "c"], ["tool", "--"]):
        done = pipe(*arguments)
        assert done.returncode == 2
        assert "SERVER TOOL" in done.stderr
