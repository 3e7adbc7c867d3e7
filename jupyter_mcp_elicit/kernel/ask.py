"""``ask``: the same form without any MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.elicitation import Answer
from ..core.errors import LocalError
from ..core.schema import RequestedSchema
from ..core.wire import Json, read_answer
from ..policy import Answers, Script
from .conversation import Conversation
from .desk import find_desk, reached


async def ask(
    message: str,
    schema: Mapping[str, Any] | None = None,
    *,
    name: str = "This notebook",
    answers: Answers | None = None,
    deadline: float | None = 600.0,
) -> Answer:
    """Ask the person who reads this notebook: ``Accept(content)``, ``Decline()`` or ``Cancel(reason)``.

    ``schema`` is a flat JSON Schema as in MCP elicitation; without one the question is a
    plain confirmation. ``answers`` answers by script; ``deadline`` is in seconds, ``None``
    waits for ever. Where nobody can be asked the answer is ``Cancel("not shown")`` at once.
    Raises ``RemoteError`` when the schema is not one that a form can show.
    """
    wanted: Any = {"type": "object", "properties": {}} if schema is None else schema
    wanted = dict(wanted) if isinstance(wanted, Mapping) else wanted
    RequestedSchema.parse(wanted)
    if _is_blank(message):
        raise LocalError(
            "ask() needs the question as text.", hint='For example: await ask("Delete 3 tables?")'
        )
    question: Json = {
        "message": message,
        "requestedSchema": wanted,
        "asker": {"name": name, "kind": "notebook"},
        "deadline": deadline,
    }
    return await put(question, None if answers is None else Script(answers))


def _is_blank(message: object) -> bool:
    return not isinstance(message, str) or not message.strip()


async def put(question: Json, script: Script | None) -> Answer:
    """Put a question where this kernel's questions go, show it here, and wait for the answer."""
    desk = find_desk()
    question = {**question, "asks": asks(script)}
    talk = Conversation(desk, script=script)
    last = await talk.arun(lambda: desk.ask(question))
    return read_answer(last["answer"])


def asks(script: Script | None, *, blocking: bool = False) -> str:
    """Who is asked now: ``script``, or whom a question reaches."""
    return "script" if script is not None else reached(find_desk(), blocking=blocking)
