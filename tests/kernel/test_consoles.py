"""Questions at real prompts: plain Python in a terminal, and jupyter console."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect", reason="there are no pseudo-terminals here")

ASK = """
import asyncio, sys
from jupyter_mcp_elicit import ask
schema = {"type": "object", "properties": {"town": {"type": "string"}}}
print("GOT", asyncio.run(ask("Where?", schema, deadline=%s)))
print("NEXT", input("next: "))
"""
CALL = """
import asyncio, sys
from jupyter_mcp_elicit import connect
async def main():
    bistro = await connect([sys.executable, "-m", "jupyter_mcp_elicit.demo"], name="bistro")
    %s
    print("DONE")
asyncio.run(main())
"""
Start = Callable[..., Any]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a program in a terminal of its own; ends it."""
    started: list[Any] = []

    def start(*args: str) -> Any:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
        env = {**kept, "JUPYTER_CONFIG_DIR": str(tmp_path / "config"), "PYTHONUNBUFFERED": "1"}
        started.append(
            pexpect.spawn(
                sys.executable, list(args), encoding="utf-8", timeout=40, env=env, dimensions=(50, 160)
            )
        )
        return started[-1]

    yield start
    for each in started:
        each.close(force=True)


def test_a_terminal_asks_line_by_line_and_gives_the_answer(start: Start) -> None:
    screen = start("-c", ASK % "None")
    screen.expect("This notebook asks")
    screen.expect("town: ")
    screen.sendline("Bergen")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect("accepted at the prompt")
    screen.expect(r"GOT Accept\(town\)")


def test_when_the_time_is_up_the_line_is_called_off_and_what_was_half_typed_goes_nowhere(
    start: Start,
) -> None:
    screen = start("-c", ASK % "1.5")
    screen.expect("town: ")
    screen.send("half a l")
    screen.expect("cancelled: the time was up")
    screen.expect(r"GOT Cancel\(reason='expired'\)")
    screen.expect("next: ")
    screen.sendline("whole")
    screen.expect("NEXT whole")


def test_an_interrupt_at_the_prompt_ends_the_call(start: Start) -> None:
    screen = start("-c", ASK % "None")
    screen.expect("town: ")
    screen.sendintr()
    screen.expect("KeyboardInterrupt")
    screen.expect(pexpect.EOF)


@pytest.mark.parametrize(
    "how",
    [
        "await bistro.call_tool('order_coffee', {'milk': 'oat'})",
        "bistro.call('order_coffee', {'milk': 'oat'})",
    ],
)
def test_a_servers_question_is_asked_at_the_prompt_awaiting_and_blocking(start: Start, how: str) -> None:
    screen = start("-c", CALL % f"print('RESULT', {how})")
    screen.expect("bistro asks during order_coffee")
    screen.expect("Large")
    screen.expect(r"\]: ")
    screen.sendline("Large")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect("RESULT.*large")
    screen.expect("DONE")


def test_jupyter_console_asks_at_its_own_prompt(start: Start) -> None:
    screen = start("-m", "jupyter", "console", "--simple-prompt")
    screen.expect(r"In \[1\]: ")
    screen.sendline("from jupyter_mcp_elicit import *")
    screen.expect(r"In \[2\]: ")
    screen.sendline(
        "'GOT', await ask('Delete?', {'type': 'object', 'properties': {'name': {'type': 'string'}}})"
    )
    screen.expect("becomes part of this output")
    screen.expect("name: ")
    screen.sendline("Ada")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect("accepted at the prompt")
    screen.expect(r"\('GOT', Accept\(name\)\)")
    screen.expect(r"In \[3\]: ")
    screen.sendline("exit")
    screen.expect(pexpect.EOF)


def test_piped_programs_have_nobody_to_ask(start: Start) -> None:
    program = ASK.replace('print("NEXT", input("next: "))', "") % "None"
    screen = start(
        "-c",
        f"from subprocess import DEVNULL, run; run([{sys.executable!r}, '-c', {program!r}], stdin=DEVNULL)",
    )
    screen.expect(r"GOT Cancel\(reason='not shown'\)")
