"""Questions at real prompts: plain Python in a terminal, and jupyter console."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from till_page import use

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
        env = {**kept, "PYTHONUNBUFFERED": "1"}
        env |= {f"JUPYTER_{name}_DIR": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA")}
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


def test_more_time_is_had_at_a_real_prompt(start: Start) -> None:
    screen = start("-c", ASK % "120")
    screen.expect(r"Time to answer: 2 min \(!more gives five minutes more\)")
    screen.expect("town: ")
    screen.sendline("!more")
    screen.expect("Time to answer: 7 min")
    screen.expect("town: ")
    screen.sendline("Bergen")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect(r"GOT Accept\(town\)")


def test_an_interrupt_at_the_prompt_ends_the_call(start: Start) -> None:
    screen = start("-c", ASK % "None")
    screen.expect("town: ")
    screen.sendintr()
    # Python loses one that comes between the prompt and the read; who sees nothing happen presses again.
    if screen.expect(["KeyboardInterrupt", pexpect.TIMEOUT], timeout=10):
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


VISIT = CALL.replace('name="bistro"', 'name="bistro", era={era!r}')


@pytest.mark.parametrize("tool", ["'pay_deposit', {'code': 'T1'}", "'members_menu'"])
@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
def test_an_address_is_text_to_copy_and_the_call_goes_on_when_the_server_says_that_it_is_done(
    start: Start, era: str, tool: str
) -> None:
    program = VISIT.replace("{era!r}", repr(era)) % f"print('RESULT', await bistro.call_tool({tool}))"
    screen = start("-c", program)
    screen.expect("in your own browser:")
    screen.expect(r"(http://127\.0\.0\.1:\d+/\S+)\r\n")
    address = screen.match[1]
    screen.expect("It leads to the site 127.0.0.1.")
    screen.expect("! It leads to the computer that your browser runs on")
    screen.expect("Type open to agree, decline to say no, cancel to dismiss: ")
    screen.sendline("yes")
    screen.expect("Type open to agree")
    screen.sendline("open")
    screen.expect("Type done")
    screen.sendline("retry")
    screen.expect_exact(address)
    screen.expect("Type done")
    use(address)
    if "members" in tool and era == "2026-07-28":
        screen.expect("opened and completed at the prompt")
    screen.expect("RESULT (Thank you|For members)")
    assert "not finished" not in screen.before
    screen.expect("DONE")


def test_done_at_the_prompt_sends_the_call_that_needed_the_page_again(start: Start) -> None:
    program = (
        VISIT.replace("{era!r}", "'2025-11-25'") % "print('RESULT', await bistro.call_tool('members_menu'))"
    )
    screen = start("-c", program)
    screen.expect(r"(http://127\.0\.0\.1:\d+/\S+)\r\n")
    screen.expect("Type open")
    screen.sendline("open")
    screen.expect("Type done")
    screen.sendline("done")
    # It was not used, so the server asks for the same again, and that is a reminder only.
    screen.expect("still waits for what you opened at 127.0.0.1. Call it again now?")
    screen.expect("Type yes")
    screen.sendline("cancel")
    screen.expect('RemoteError: "bistro" is still waiting for 127.0.0.1')


@pytest.mark.parametrize("word", ["decline", "cancel"])
def test_an_address_can_be_declined_and_dismissed(start: Start, word: str) -> None:
    call = "print('RESULT', (await bistro.call_tool('pay_deposit', {'code': 'T1'})).structured_content)"
    screen = start("-c", VISIT.replace("{era!r}", "'2025-11-25'") % call)
    screen.expect("Type open")
    screen.sendline(word)
    screen.expect({"decline": "RESULT.*pay at the counter", "cancel": "RESULT.*retry"}[word])
    screen.expect("DONE")


def test_giving_up_an_opened_page_tells_the_server(start: Start) -> None:
    call = "print('RESULT', await bistro.call_tool('pay_deposit', {'code': 'T1'}))"
    screen = start("-c", VISIT.replace("{era!r}", "'2025-11-25'") % call)
    screen.expect("Type open")
    screen.sendline("open")
    screen.expect("Type done")
    screen.sendline("cancel")
    screen.expect("opened, then given up at the prompt")
    screen.expect("RESULT You left the page")


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


QUEUED = """
import asyncio
from jupyter_mcp_elicit import ask
from jupyter_mcp_elicit.broker import Broker, Limits
from jupyter_mcp_elicit.core.confirmation import confirmation
from jupyter_mcp_elicit.core.elicitation import Cause
from jupyter_mcp_elicit.kernel.background import Background
from jupyter_mcp_elicit.kernel.desk import find_desk

desk = find_desk()
desk._broker = Broker(Limits(when_busy="queue"))
first = confirmation("Somebody else's question", Cause())

async def main():
    elsewhere = asyncio.run_coroutine_threadsafe(desk.put(first, "page", lambda _: None), Background.loop())
    schema = {"type": "object", "properties": {"town": {"type": "string"}}}
    second = asyncio.create_task(ask("Where?", schema))
    await asyncio.sleep(2)
    print("NOW")
    await asyncio.to_thread(desk.answer, first.id, {"action": "cancel"})
    print("GOT", await second)

asyncio.run(main())
"""


def test_a_question_that_waits_for_its_turn_is_asked_when_that_comes(start: Start) -> None:
    screen = start("-c", QUEUED)
    screen.expect("waits for its turn")
    screen.expect("NOW")
    assert "town" not in screen.before
    screen.expect("town: ")
    screen.sendline("Bergen")
    screen.expect("Send it")
    screen.sendline("yes")
    screen.expect(r"GOT Accept\(town\)")
