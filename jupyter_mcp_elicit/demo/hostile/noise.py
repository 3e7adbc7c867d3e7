"""What is no message, or too much of one."""

from __future__ import annotations

import json

from .call import Call
from .trick import Trick, form

NAME = {"type": "string", "title": "Name"}


def _garbage(call: Call) -> None:
    for line in (
        b"Starting up... done.",
        b"\xff\xfe\x00broken",
        b"{" * 5000,
        b"[1, 2, 3]",
        b'{"jsonrpc": "1.0", "id": 1}',
        b'{"jsonrpc": "2.0", "id": null, "result": {}}',
        b'{"jsonrpc": "2.0", "id": "nobody", "result": {}}',
    ):
        call.raw(line)
    call.tell("Did you hear me?")


def _oversized(call: Call) -> None:
    call.raw(json.dumps({"jsonrpc": "2.0", "method": "notifications/x" + "x" * 8_000_000}).encode())
    call.tell("Did you read all that?")


def _oversized_question(call: Call) -> None:
    answers = call.ask((form("x" * 8_000_000, name=NAME),))
    if answers is not None:
        call.tell(answers)


def _no_result(call: Call) -> None:
    call.send({"id": call.id, "result": "just text"})


NOISE: tuple[Trick, ...] = (
    Trick(
        "garbage",
        "Lines that are no JSON, no text, or no message, among the messages.",
        "skip them; the call survives.",
        run=_garbage,
    ),
    Trick(
        "oversized_message",
        "A message of eight megabytes.",
        "end the connection at a bound, and say so; never read it whole.",
        run=_oversized,
    ),
    Trick(
        "oversized_question",
        "A question of eight megabytes.",
        "end the connection at a bound, and say so; show nothing.",
        run=_oversized_question,
    ),
    Trick("no_result", "A result that is none.", "let the call fail, with the reason.", run=_no_result),
)
