"""The tools by name: each says what it received."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext

from jupyter_mcp_elicit.core.elicitation import Accept, Answer

from ..asking import NextRound, Visit
from ..form import Form
from .forms import COLOR, CONFIRM, DEFAULTS, ENUMS, NAME, USER


@dataclass(frozen=True)
class Round:
    """What one request brings: ``answered`` are the keys of its input responses."""

    arguments: Mapping[str, Any]
    answered: Collection[str]
    declared: types.ClientCapabilities

    @classmethod
    def of(cls, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> Round:
        declared = ctx.session.client_capabilities or types.ClientCapabilities()
        return cls(params.arguments or {}, set(params.input_responses or ()), declared)

    def may_ask(self, request: types.InputRequest) -> bool:
        """Whether the client declared what ``request`` needs."""
        needs = {
            "elicitation/create": "elicitation",
            "sampling/createMessage": "sampling",
            "roots/list": "roots",
        }
        return getattr(self.declared, needs[request.method]) is not None


Tool: TypeAlias = Callable[[Visit, Round], Awaitable[str]]


def input_schema(tool: str) -> dict[str, Any]:
    """What the tool of that name takes."""
    if tool != "test_elicitation":
        return {"type": "object", "properties": {}}
    return {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}


def said(answer: Answer) -> str:
    """An answer as the text of a result."""
    content = dict(answer.content or {}) if isinstance(answer, Accept) else None
    return f"action={type(answer).__name__.lower()}, content={json.dumps(content)}"


def _asks(question: str, message: str, form: Form) -> Tool:
    async def run(visit: Visit, now: Round) -> str:
        return said(await visit.ask(question, str(now.arguments.get("message", message)), form))

    return run


async def _request_state(visit: Visit, now: Round) -> str:
    # Done in the first round alone: its result can only have come back in the state.
    kept = await visit.once("kept", _state_ok)
    return f"{kept}: {said(await visit.ask('confirm', 'Please confirm', CONFIRM))}"


async def _state_ok() -> str:
    return "state-ok"


async def _multi_round(visit: Visit, now: Round) -> str:
    first = await visit.ask("step1", "Step 1: What is your name?", NAME)
    second = await visit.ask("step2", "Step 2: What is your favorite color?", COLOR)
    return f"{said(first)} {said(second)}"


def _together(*keys: str) -> Tool:
    """All of ``keys`` in one round, as far as the client declared what each needs."""

    async def run(visit: Visit, now: Round) -> str:
        wanted = {key: _REQUESTS[key] for key in keys if now.may_ask(_REQUESTS[key])}
        missing = {key: request for key, request in wanted.items() if key not in now.answered}
        if missing:
            raise NextRound(types.InputRequiredResult(input_requests=missing, request_state="{}"))
        return "Received: " + ", ".join(wanted)

    return run


def _sampling(text: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=text))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=100)
    )


_REQUESTS: dict[str, types.InputRequest] = {
    "user_name": types.ElicitRequest(
        params=types.ElicitRequestFormParams(message="What is your name?", requested_schema=NAME.schema)
    ),
    "capital_question": _sampling("What is the capital of France?"),
    "greeting": _sampling("Generate a greeting"),
    "client_roots": types.ListRootsRequest(),
}

TOOLS: dict[str, Tool] = {
    "test_elicitation": _asks("user", "Please tell us.", USER),
    "test_elicitation_sep1034_defaults": _asks("defaults", "Please check these.", DEFAULTS),
    "test_elicitation_sep1330_enums": _asks("enums", "Please choose.", ENUMS),
    "test_input_required_result_elicitation": _asks("user_name", "What is your name?", NAME),
    "test_input_required_result_request_state": _request_state,
    "test_input_required_result_tampered_state": _asks("confirm", "Please confirm", CONFIRM),
    "test_input_required_result_multi_round": _multi_round,
    "test_input_required_result_sampling": _together("capital_question"),
    "test_input_required_result_list_roots": _together("client_roots"),
    "test_input_required_result_multiple_inputs": _together("user_name", "greeting", "client_roots"),
    "test_input_required_result_capabilities": _together("user_name", "greeting"),
}
