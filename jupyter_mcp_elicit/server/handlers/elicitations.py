"""``elicitations``: what is asked, the answers, and questions that a kernel asks itself."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado import web

from ...broker import AlreadySettled
from ...core.elicitation import Answer
from ...core.errors import LocalError
from ...core.lifecycle import Turn
from ...core.submission import Submission
from ...core.wire import Json, answer
from .access import ElicitHandler, admits
from .calls import asks_of, owner_of
from .putting import read_deadline, read_question
from .stream import StreamHandler

_TURNS = {"finish": Turn.FINISH, "cancel": Turn.ABANDON}


class ElicitationsHandler(StreamHandler):
    """``GET``: the open questions. ``POST``: a kernel or an agent asks one, and waits for the answer."""

    @allow_unauthenticated
    @admits(page="read", kernel=True)
    async def get(self) -> None:
        self.reply({"elicitations": self.registry.cards(owner_id=self.owner_id)})

    @allow_unauthenticated
    @admits(page="execute", kernel=True)
    async def post(self) -> None:
        body = self.body()
        owner, asks = owner_of(self, body), asks_of(body)
        elicitation = read_question(body, self.extension.schema_policy, self.extension.own_origins)
        deadline = read_deadline(body)
        if elicitation.asker.kind == "server":
            # Of a connection of the kernel's own: its server may have taken it back, and nobody tells.
            self.left = None

        async def work(emit: Callable[[Json], None]) -> Json:
            def tell(given: Answer) -> None:
                emit({"type": "answer", "answer": answer(given)})

            call = self.extension.new_call(emit, asks)
            given, flow = await owner.ask(elicitation, call, deadline=deadline, opened=tell)
            if flow is not None:
                return {"type": "flow", "flow": flow.value}
            return {"type": "answer", "answer": answer(given)}

        await self.stream(work)


class ElicitationHandler(ElicitHandler):
    """One question, open or over."""

    @allow_unauthenticated
    @admits(page="read", kernel=True)
    async def get(self, question_id: str) -> None:
        owner, question = self.registry.find(question_id, owner_id=self.owner_id)
        self.reply(owner.broker.card(question))


class AnswerHandler(ElicitHandler):
    """An answer: the first valid one wins."""

    @allow_unauthenticated
    @admits(page="write", kernel=True)
    async def post(self, question_id: str) -> None:
        body = self.body()
        if self.kernel_id is not None and not self.extension.kernel_answers:
            raise web.HTTPError(403, "Kernels may not answer questions here (trait kernel_answers).")
        owner, asked = self.registry.find(question_id, owner_id=self.owner_id)
        if self.kernel_id is not None and asked.elicitation.asker.kind == "jupyter":
            # Whether a changed server may start is not for the code to say that wants to call it.
            raise web.HTTPError(403, "Only a person can answer this, on a page of JupyterLab or Notebook.")
        content = body.get("content")
        if content is not None and not isinstance(content, dict):
            raise web.HTTPError(400, '"content" must be a JSON object.')
        question = owner.broker.submit(
            question_id,
            Submission(
                action=str(body.get("action")),
                draft=body.get("draft"),
                content=content,
                channel="policy" if self.kernel_id and body.get("scripted") else self.channel,
                by=self.sender,
                answer_id=str(body.get("answerId") or ""),
                confirmed=body.get("confirmed") is True,
                secrets=body.get("secrets") is True,
            ),
        )
        self.reply({"card": owner.broker.card(question)})


class FlowHandler(ElicitHandler):
    """The person comes back from a page that they opened: ``finish`` or ``cancel``.

    A kernel says of its own connections what their server says: ``complete``.
    """

    @allow_unauthenticated
    @admits(page="write", kernel=True)
    async def post(self, question_id: str) -> None:
        action = str(self.body().get("action"))
        owner, question = self.registry.find(question_id, owner_id=self.owner_id)
        if not question.is_flowing:
            told = "No page is open for this question; nothing was changed."
            self.reply({"message": told, "card": owner.broker.card(question)}, 409)
            return
        if self.kernel_id is not None and action != "complete":
            raise web.HTTPError(403, "Only a person can say that they are back.")
        event = Turn.COMPLETE if self.kernel_id is not None else _TURNS.get(action)
        if event is None:
            raise web.HTTPError(400, '"action" must be finish or cancel.')
        self.reply({"card": owner.broker.card(owner.broker.turn(question_id, event))})


class ShownHandler(ElicitHandler):
    """A front end says that it has painted the question."""

    @allow_unauthenticated
    @admits(page="write", kernel=True)
    async def post(self, question_id: str) -> None:
        self.body()
        owner, _ = self.registry.find(question_id, owner_id=self.owner_id)
        self.reply({"card": owner.broker.card(owner.broker.shown(question_id))})


class MoreHandler(ElicitHandler):
    """The person wants more time."""

    @allow_unauthenticated
    @admits(page="write", kernel=True)
    async def post(self, question_id: str) -> None:
        self.body()
        owner, _ = self.registry.find(question_id, owner_id=self.owner_id)
        try:
            question = owner.broker.more(question_id)
        except AlreadySettled:
            raise
        except LocalError as error:
            self.reply(
                {"message": str(error), "card": owner.broker.card(owner.broker.find(question_id))}, 409
            )
            return
        self.reply({"card": owner.broker.card(question)})


class TypingHandler(ElicitHandler):
    """The person types: the clock stands still for a moment."""

    @allow_unauthenticated
    @admits(page="write", kernel=False)
    async def post(self, question_id: str) -> None:
        self.body()
        owner, _ = self.registry.find(question_id, owner_id=self.owner_id)
        self.reply({"card": owner.broker.card(owner.broker.typed(question_id))})
