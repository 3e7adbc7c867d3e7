"""Asking from inside a tool, written once for every revision of the protocol.

Up to 2025-11-25 a server pushes ``elicitation/create`` and the call waits for the answer.
From 2026-07-28 it may not: it answers the call with the question (``InputRequiredResult``),
and the client makes the same call again with the answer. Here both are ``await visit.ask(...)``:

- *pushed*: the request goes out on the call's own stream, and the tool waits.
- *rounds*: the tool runs again from its first line in every round. A question that is answered
  already returns at once; the first one that is not ends the round. What is known travels in
  ``requestState``, which the SDK seals, so the server itself remembers nothing between rounds.

Hence the one rule for tools: change nothing before the last question. Work that comes earlier
and must happen once goes through ``visit.once``.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias, TypeVar

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError, UrlElicitationRequiredError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import is_version_at_least
from pydantic import ConfigDict, ValidationError

from jupyter_mcp_elicit.core.elicitation import Accept, Answer, Cancel, Decline

from .completion import Completions
from .form import Form, mismatch
from .journal import Journal
from .slip import Slip

T = TypeVar("T")

#: The first revision that asks in rounds.
ROUNDS = "2026-07-28"

#: The first revision that can ask to open a page.
PAGES = "2025-11-25"

_Params: TypeAlias = types.ElicitRequestFormParams | types.ElicitRequestURLParams


class CannotAsk(Exception):
    """The client declared no form mode: name the arguments that would do instead."""

    def __init__(self, form: Form) -> None:
        super().__init__("This client cannot show a form.")
        self.form = form


class NotAnswered(Exception):
    """The client answered with an error, or with content that is not what was asked for.

    ``form`` is the form that was asked for, ``None`` for a page.
    """

    def __init__(self, message: str, form: Form | None) -> None:
        super().__init__(message)
        self.form = form


class NextRound(Exception):
    """Ends a round: ``result`` carries the question and the state."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__("The question goes out with this round's result.")
        self.result = result


class _Raw(types.Result):
    """An elicitation result with every key the client sent, for the journal."""

    model_config = ConfigDict(extra="allow")


class Visit:
    """One call of one tool, over all its rounds.

    ``early_answers``: whether an answer counts that comes with the first round, before its question.
    """

    def __init__(
        self,
        ctx: ServerRequestContext[Any, Any],
        params: types.CallToolRequestParams | types.GetPromptRequestParams,
        journal: Journal,
        completions: Completions,
        *,
        early_answers: bool = False,
    ) -> None:
        self._ctx = ctx
        self._completions = completions
        self._tool = params.name
        self._journal = journal
        self._responses = params.input_responses or {}
        state: dict[str, Any] = json.loads(params.request_state) if params.request_state else {}
        self._answers: dict[str, dict[str, Any]] = state.get("answers", {})
        self._done: dict[str, Any] = state.get("done", {})
        self._asked: str | None = state.get("asked")
        self._early = early_answers and self._asked is None

    @property
    def can_ask(self) -> bool:
        """Whether the client declared form mode (``{}`` means form) and can be reached."""
        declared = self._ctx.session.client_capabilities
        modes = declared.elicitation if declared is not None else None
        if modes is None or (modes.form is None and modes.url is not None):
            return False
        return self._in_rounds or self._ctx.session.can_send_request

    async def ask(self, question: str, message: str, form: Form) -> Answer:
        """Ask, and return the answer; ``question`` names it within this tool.

        Raises ``CannotAsk``, ``NotAnswered`` or, to end a round, ``NextRound``.
        """
        if not self.can_ask:
            raise CannotAsk(form)
        params = types.ElicitRequestFormParams(message=message, requested_schema=form.schema)
        return _read(await self._received(question, params, form), form)

    async def ask_twice(self, question: str, message: str, form: Form) -> Answer:
        """Ask, and when no answer came (cancel), once more. The second word is final."""
        answer = await self.ask(question, message, form)
        if not isinstance(answer, Cancel):
            return answer
        return await self.ask(
            f"{question}, once more", f"No answer came, so I ask once more. {message}", form
        )

    @property
    def can_open(self) -> bool:
        """Whether the client declared URL mode, in a revision that has it, and can be reached."""
        declared = self._ctx.session.client_capabilities
        modes = declared.elicitation if declared is not None else None
        if modes is None or modes.url is None or not is_version_at_least(self._ctx.protocol_version, PAGES):
            return False
        return self._in_rounds or self._ctx.session.can_send_request

    @property
    def is_new(self) -> bool:
        """Whether this is the call's first round."""
        return self._asked is None

    @property
    def can_require(self) -> bool:
        """Whether error -32042 can name pages to open: 2025-11-25 has it, and no revision after it."""
        return self.can_open and not self._in_rounds

    async def open(self, question: str, message: str, slip: Slip) -> Answer:
        """Ask to open the slip's page; ``Accept()`` is the consent, and says nothing of the page itself.

        Raises ``NotAnswered`` or, to end a round, ``NextRound``.
        """
        self._watch(question, slip)
        params = types.ElicitRequestURLParams(message=message, url=slip.url)
        if not self._in_rounds:
            params.elicitation_id = slip.ask()
        received = await self._received(question, params, None)
        if received.get("action") == "accept":
            return Accept()
        return Decline() if received.get("action") == "decline" else Cancel()

    def required(self, question: str, message: str, slip: Slip) -> UrlElicitationRequiredError:
        """Error -32042 with the slip's page, for the tool to raise; completion will be told."""
        self._watch(question, slip)
        elicitation_id = slip.ask()
        self._completions.tell_later(self._ctx.session, slip, elicitation_id)
        return UrlElicitationRequiredError(
            [types.ElicitRequestURLParams(message=message, url=slip.url, elicitation_id=elicitation_id)],
            message,
        )

    async def over(self, slip: Slip, seconds: float) -> bool:
        """Wait for a slip that the person agreed to open: is it completed? The client is told when it is."""
        if self._in_rounds:
            return await slip.over(seconds)
        completed = False
        try:
            completed = await slip.over(seconds)
        finally:
            if not completed:
                self._completions.tell_later(self._ctx.session, slip, slip.ids[-1])
        if completed:
            # On the call's own stream, so that it comes before the result.
            await self._ctx.session.send_elicit_complete(slip.ids[-1], self._ctx.request_id)
        return completed

    async def once(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """The result of ``work``, done in one round only. The result must be a JSON value."""
        if name not in self._done:
            self._done[name] = await work()
        result: T = self._done[name]
        return result

    async def progress(self, done: float, total: float, message: str) -> None:
        await self._ctx.session.report_progress(done, total, message)

    async def log(self, text: str) -> None:
        """One log line at level info. On 2026-07-28 only clients that asked for logs get it."""
        with warnings.catch_warnings():
            # Deprecated by 2026-07-28, yet clients must cope with it: the demo shows it on purpose.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            sending = self._ctx.session.send_log_message(
                "info", text, logger="bistro", related_request_id=self._ctx.request_id
            )
        await sending

    @property
    def _in_rounds(self) -> bool:
        return is_version_at_least(self._ctx.protocol_version, ROUNDS)

    def _write(self, question: str, what: Mapping[str, Any]) -> None:
        self._journal.write(self._tool, question, self._ctx.protocol_version, what)

    def _watch(self, question: str, slip: Slip) -> None:
        slip.tell = lambda what: self._write(question, {"page": what})

    async def _received(self, question: str, params: _Params, form: Form | None) -> dict[str, Any]:
        if self._in_rounds:
            return self._answered_before(question, params)
        return await self._push(question, params, form)

    async def _push(self, question: str, params: _Params, form: Form | None) -> dict[str, Any]:
        try:
            result = await self._ctx.session.send_request(
                types.ElicitRequest(params=params),
                _Raw,
                # Keeps the question on this call's stream, so that clients can tell what it belongs to.
                metadata=ServerMessageMetadata(related_request_id=self._ctx.request_id),
            )
        except MCPError as error:
            self._write(question, {"error": error.error.model_dump(mode="json", exclude_none=True)})
            raise NotAnswered(
                f"The client answered with an error: {error.message} ({error.code}).", form
            ) from None
        except ValidationError as error:
            self._write(question, {"error": {"message": str(error)}})
            raise NotAnswered("The client's answer is not an elicitation result.", form) from None
        except asyncio.CancelledError:
            self._write(question, {"withdrawn": True})
            raise
        received = _plain(result)
        self._write(question, received)
        return received

    def _answered_before(self, question: str, params: _Params) -> dict[str, Any]:
        if question in self._answers:
            return self._answers[question]
        # Only a question that the last round really asked may be answered in this one.
        if (question == self._asked or self._early) and question in self._responses:
            response = self._responses[question]
            if not isinstance(response, types.ElicitResult):
                raise MCPError(
                    types.INVALID_PARAMS, f"The response to {question!r} is not an elicitation result."
                )
            received = dict((self._ctx.params or {})["inputResponses"][question])
            self._write(question, received)
            self._answers[question] = received
            return received
        request = types.ElicitRequest(params=params)
        state = json.dumps({"answers": self._answers, "done": self._done, "asked": question})
        raise NextRound(types.InputRequiredResult(input_requests={question: request}, request_state=state))


def _plain(result: _Raw) -> dict[str, Any]:
    return result.model_dump(by_alias=True, mode="json", exclude_unset=True)


def _read(received: Mapping[str, Any], form: Form) -> Answer:
    if received.get("action") == "decline":
        return Decline()
    if received.get("action") == "cancel":
        return Cancel()
    content = received.get("content")
    if content is None:
        raise NotAnswered("The client accepted without any content.", form)
    if problem := mismatch(form.schema, content):
        raise NotAnswered(f"The answer does not fit the form: {problem}.", form)
    return Accept(content)
