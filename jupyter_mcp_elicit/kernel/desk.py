"""Where this kernel's questions are put: at its Jupyter server, or at a broker in the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..broker import AlreadySettled, Broker
from ..core import wire
from ..core.elicitation import Answer, Asker, Cause, Elicitation, FormElicitation
from ..core.lifecycle import Flow, Turn
from ..core.question import Channel, Question
from ..core.schema import RequestedSchema
from ..core.submission import NotValid, Submission
from ..core.wire import Json
from ..core.withdrawal import Withdrawal
from ..policy import Nobody
from . import marimo
from .background import Background, Emit, QueueStream
from .link import Link, Refused
from .presence import front_end
from .screen import is_unseen
from .ticket import Ticket

if TYPE_CHECKING:
    from ..pages import OnEnd


class Events(Protocol):
    """Events as JSON objects; leaving it, or closing it from any thread, ends what makes them."""

    def __enter__(self) -> Events: ...
    def __exit__(self, *_: object) -> None: ...
    def __iter__(self) -> Iterator[Json]: ...
    def close(self, why: Withdrawal = ...) -> None: ...


class Desk(Protocol):
    """Takes questions and answers. All methods may be called from any thread."""

    def ask(self, question: Json) -> Events:
        """Ask: ``elicit`` and ``update`` events, then ``answer`` or ``error``."""
        ...

    def answer(self, question_id: str, shape: Json) -> Json:
        """Answer; gives the card. Raises ``NotValid`` (does not fit) or ``Refused`` (too late)."""
        ...

    def more(self, question_id: str) -> Json:
        """Five minutes more, for its person; gives the card. Raises ``LocalError``: there are none."""
        ...


class ServerDesk:
    """The Jupyter server's broker: its pages can answer while this kernel is busy."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def ask(self, question: Json) -> Events:
        return self._link.stream("elicitations", question)

    def answer(self, question_id: str, shape: Json) -> Json:
        try:
            reply: Json = self._link.request("POST", f"elicitations/{question_id}/answer", shape)
        except Refused as error:
            if error.status == 422:
                raise NotValid(dict(error.shape.get("problems", []))) from None
            raise
        card: Json = reply["card"]
        return card

    def more(self, question_id: str) -> Json:
        card: Json = self._link.request("POST", f"elicitations/{question_id}/more", {})["card"]
        return card

    def complete(self, question_id: str) -> None:
        """A connection of this kernel says that the page is done that was opened for its question."""
        self._link.request("POST", f"elicitations/{question_id}/flow", {"action": "complete"})


#: Why a question cannot be answered, by whom it reaches.
UNHEARD = {
    "nobody": Nobody.why,
    "blocked": "a blocking call cannot hear a form here, but await call_tool(…) can",
    "deaf": "this marimo lets no cell hear its page",
    "unseen": "this page shows of a callback only what is inside of “with output:”, an ipywidgets.Output",
    "unshown": "the cell that it belongs to is over, and marimo shows nothing of what it left behind",
}


class KernelDesk:
    """A broker in this kernel, where there is no Jupyter server of ours: the form's own comm answers."""

    def __init__(self) -> None:
        self._broker = Broker()

    def ask(self, question: Json) -> Events:
        return QueueStream(lambda emit: self._ask(question, emit))

    def answer(self, question_id: str, shape: Json) -> Json:
        return Background.run(self._answer(question_id, shape))

    def more(self, question_id: str) -> Json:
        return self.ticket(question_id).more()

    async def put(
        self,
        asked: Elicitation,
        asks: str,
        emit: Emit,
        *,
        deadline: float | None | Literal["default"] = "default",
        on_end: OnEnd | None = None,
    ) -> Answer:
        """Ask, on the background loop. ``emit`` hears of every change until the question is over for good:
        where a page was opened, when that is.
        """
        known: list[str] = []

        def present(changed: Question) -> None:
            if changed.id == asked.id:
                kind = "update" if known else "elicit"
                known.append(changed.id)
                schema = asked.schema.source if isinstance(asked, FormElicitation) else {}
                emit({"type": kind, "card": self._broker.card(changed), "requestedSchema": schema})

        def ended(question: Question, action: str) -> None:
            if question.flow is not None:
                stop()
            if on_end is not None:
                on_end(question, action)

        stop = self._broker.present_with(present)
        policy = Nobody(UNHEARD[asks]) if asks in UNHEARD else None
        try:
            return await self._broker.ask(asked, policy=policy, deadline=deadline, on_end=ended)
        finally:
            question = self._broker.get(asked.id)
            if question is None or not question.is_flowing:
                stop()

    async def flow_over(self, question_id: str) -> Flow:
        """Wait until the page that was opened for the question is over, and how it ended."""
        return await self._broker.flow_over(question_id)

    def turn(self, question_id: str, event: Turn) -> None:
        """On the background loop: the opened page goes on. Of one that is over that is nothing new."""
        question = self._broker.get(question_id)
        if question is not None and question.is_flowing:
            self._broker.turn(question_id, event)

    def ticket(self, question_id: str) -> Ticket:
        """For the pages that show the question."""
        return Ticket(self._broker, question_id)

    async def _ask(self, question: Json, emit: Emit) -> Json:
        elicitation = FormElicitation(
            message=question["message"],
            schema=RequestedSchema.parse(question["requestedSchema"]),
            asker=Asker(**_snake(question["asker"])),
            cause=Cause(**question.get("cause") or {}),
        )
        deadline = question.get("deadline", "default")
        answer = await self.put(elicitation, question["asks"], emit, deadline=deadline)
        return {"type": "answer", "answer": wire.answer(answer)}

    async def _answer(self, question_id: str, shape: Json) -> Json:
        channel = _channel(shape)
        submission = Submission(
            action=str(shape.get("action")),
            draft=shape.get("draft"),
            content=shape.get("content"),
            channel=channel,
            answer_id=str(shape.get("answerId") or ""),
            confirmed=shape.get("confirmed") is True,
            secrets=shape.get("secrets") is True,
        )
        try:
            return self._broker.card(self._broker.submit(question_id, submission))
        except AlreadySettled as error:
            raise Refused(409, {"message": str(error), "card": self._broker.card(error.question)}) from None


def _channel(shape: Json) -> Channel:
    if shape.get("scripted"):
        return "policy"
    if shape.get("typed"):
        return "terminal"
    return "page" if "answerId" in shape else "kernel"


def _snake(asker: Json) -> dict[str, Any]:
    return {"calls_itself" if key == "callsItself" else key: value for key, value in asker.items()}


def reached(desk: Desk, *, blocking: bool = False) -> str:
    """Whom a question at ``desk`` reaches now: ``page``, ``nobody``, or why it reaches none."""
    there = front_end()
    if there != "page":
        # At a prompt the conversation itself asks, and no form has to be heard.
        return "page" if there == "text" else "nobody"
    if not isinstance(desk, KernelDesk):
        return "page"
    if marimo.runtime() is not None:
        if not marimo.can_hear():
            return "deaf"
        return "page" if marimo.runs_a_cell() else "unshown"
    # Without a server of ours only this kernel's comm could answer, and a blocking cell hears none.
    if blocking:
        return "blocked"
    return "unseen" if is_unseen() else "page"


_kernel_desk: list[KernelDesk] = []


def find_desk() -> Desk:
    """The Jupyter server's desk when there is one to reach, else this kernel's own."""
    link = Link.find()
    if link is not None:
        return ServerDesk(link)
    if not _kernel_desk:
        _kernel_desk.append(KernelDesk())
    return _kernel_desk[0]
