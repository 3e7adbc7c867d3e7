"""``elicitation_callback``: hand it to anyone's own ``mcp.Client``, and its questions come here."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from ..core import wire
from ..core.elicitation import Asker, Cancel, Cause, FormElicitation
from ..core.errors import LocalError, RemoteError
from ..policy import Answers, Script
from .ask import put

log = logging.getLogger(__name__)


def elicitation_callback(
    name: str = "MCP server", *, answers: Answers | None = None, deadline: float | None = 600.0
) -> Callable[[Any, Any], Awaitable[Any]]:
    """A callback for ``mcp.Client(..., elicitation_callback=…)`` that asks in this notebook.

    ``name`` is what the form says asks; ``answers`` answers by script; ``deadline`` is in
    seconds. It never raises to the SDK: what cannot be shown is refused with its reason.
    """
    from ..client import convert

    script = None if answers is None else Script(answers)

    asker = Asker(name, transport="a client in this notebook")

    async def callback(context: Any, params: Any) -> Any:
        try:
            question = convert.question(params, asker, Cause())
            if not isinstance(question, FormElicitation):
                raise RemoteError("This client shows questions in form mode only.")
            answer = await put(
                {
                    "message": question.message,
                    "requestedSchema": question.schema.source,
                    "asker": wire.asker(asker),
                    "deadline": deadline,
                },
                script,
            )
        except RemoteError as error:
            return convert.error_data(error)
        except LocalError as error:
            log.warning("The question was not shown: %s", error)
            answer = Cancel("not shown")
        return convert.result("form", answer)

    return callback
