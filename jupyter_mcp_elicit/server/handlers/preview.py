"""``elicitations/{id}/preview``: what an answer would send; it answers nothing and nothing is kept."""

from __future__ import annotations

from jupyter_server.auth.decorator import allow_unauthenticated

from ...broker import AlreadySettled
from ...core.elicitation import FormElicitation
from ...core.errors import LocalError
from ...core.preview import preview
from .access import ElicitHandler, admits


class PreviewHandler(ElicitHandler):
    """For the person at the form; a kernel knows what it asked, and need not know what is being typed."""

    @allow_unauthenticated
    @admits(page="write", kernel=False)
    async def post(self, question_id: str) -> None:
        body = self.body()
        _, question = self.registry.find(question_id, owner_id=self.owner_id)
        if not question.is_open:
            raise AlreadySettled(question)
        if not isinstance(question.elicitation, FormElicitation):
            raise LocalError("An address sends nothing but the consent to open it.")
        self.reply({"content": preview(question.elicitation.schema, body.get("draft"))})
