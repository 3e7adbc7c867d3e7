"""The questions inside one call's results (2026-07-28): a conversation with memory of what was opened."""

from __future__ import annotations

from mcp_types import ElicitRequest, ElicitResult

from ..core.elicitation import Cause, Elicitation, UrlElicitation
from .calls import Call
from .questions import Questions
from .required import reminder


class CallDesk:
    """Where the questions of all rounds of one call go."""

    def __init__(self, questions: Questions, call: Call) -> None:
        self._questions = questions
        self._call = call
        self._opened: set[str] = set()

    def read(self, request: ElicitRequest, round: int, number: int, of: int) -> Elicitation:
        """The question, not yet asked. ``RemoteError`` when it must not be asked."""
        cause = Cause(self._call.tool, self._call.arguments, "caused", round, number, of)
        return self._questions.embedded(request.params, cause)

    async def answer(self, asked: Elicitation) -> ElicitResult:
        """The person's answer. An address that they opened in this call already is no new consent."""
        if not isinstance(asked, UrlElicitation):
            return await self._questions.answer(asked, self._call)
        href = asked.report.href
        if href in self._opened:
            again = await self._questions.answer(reminder(asked), self._call)
            return ElicitResult(action=again.action)
        result = await self._questions.answer(asked, self._call)
        if result.action == "accept":
            self._opened.add(href)
        return result

    def called_again(self) -> None:
        """The server asked nothing and wants to be called again."""
        if self._call.on_notice is not None:
            self._call.on_notice("The server asked to be called again.")
