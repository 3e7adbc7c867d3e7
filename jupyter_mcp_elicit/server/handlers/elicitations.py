"""``elicitations``: what is asked, the answers, and questions that a kernel asks itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, cast

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado import web

from ...core.elicitation import Asker, Cause, FormElicitation
from ...core.errors import LocalError
from ...core.lifecycle import Turn
from ...core.schema import RequestedSchema
from ...core.submission import Submission
from ...core.wire import Json, answer
from ..call import Call
from .access import ElicitHandler, admits
from .calls import asks_of, owner_of
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
        elicitation = FormElicitation(
            message=body.get("message"),  # type: ignore[arg-type]  # checked by the constructor
            schema=RequestedSchema.parse(
                cast("dict[str, Any]", body.get("requestedSchema")), policy=self.extension.schema_policy
            ),
            asker=_asker(body.get("asker")),
            cause=_cause(body.get("cause")),
        )
        deadline = _deadline(body)

        async def work(emit: Callable[[Json], None]) -> Json:
            given = await owner.ask(elicitation, Call(emit, asks=asks), deadline=deadline)
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
            ),
        )
        self.reply({"card": owner.broker.card(question)})


class FlowHandler(ElicitHandler):
    """The person comes back from a page that they opened: ``finish`` or ``cancel``."""

    @allow_unauthenticated
    @admits(page="write", kernel=False)
    async def post(self, question_id: str) -> None:
        event = _TURNS.get(str(self.body().get("action")))
        if event is None:
            raise web.HTTPError(400, '"action" must be finish or cancel.')
        owner, question = self.registry.find(question_id, owner_id=self.owner_id)
        if not question.is_flowing:
            told = "No page is open for this question; nothing was changed."
            self.reply({"message": told, "card": owner.broker.card(question)}, 409)
            return
        self.reply({"card": owner.broker.card(owner.broker.turn(question_id, event))})


class ShownHandler(ElicitHandler):
    """A front end says that it has painted the question."""

    @allow_unauthenticated
    @admits(page="write", kernel=True)
    async def post(self, question_id: str) -> None:
        self.body()
        owner, _ = self.registry.find(question_id, owner_id=self.owner_id)
        self.reply({"card": owner.broker.card(owner.broker.shown(question_id))})


def _asker(shape: Any) -> Asker:
    """Who asks, by the kernel's word: the transport says that it is only that."""
    given = shape if isinstance(shape, dict) else {}
    name = str(given.get("name") or "This notebook")[:100]
    if given.get("kind") != "server":
        return Asker(name, kind="notebook")
    transport = str(given.get("transport") or "")[:200]
    return Asker(
        name,
        kind="server",
        transport=f"connected in the kernel, {transport}" if transport else "connected in the kernel",
        calls_itself=str(given.get("callsItself") or "")[:100],
    )


def _cause(shape: Any) -> Cause:
    given = shape if isinstance(shape, dict) else {}
    certainty: Literal["caused", "during", "none"] = (
        given["certainty"] if given.get("certainty") in ("caused", "during") else "none"
    )
    places = [given.get(each) for each in ("round", "number", "of")]
    return Cause(
        str(given.get("tool") or "")[:200],
        str(given.get("arguments") or "")[:100_000],
        certainty,
        *(each if type(each) is int and 0 <= each < 10_000 else 0 for each in places),
    )


def _deadline(body: dict[str, Any]) -> float | None | Literal["default"]:
    if "deadline" not in body:
        return "default"
    seconds = body["deadline"]
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 10**9:
        raise LocalError('"deadline" must be a number of seconds above 0, or null for never.')
    return float(seconds)
