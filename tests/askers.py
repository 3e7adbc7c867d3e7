"""Askers that wait in a task of their own, and policies that play what a test gives them."""

from __future__ import annotations

import asyncio
from typing import Any

from asked import form
from own_clock import moment

from jupyter_mcp_elicit.broker import Broker
from jupyter_mcp_elicit.core.elicitation import Answer, Elicitation
from jupyter_mcp_elicit.core.lifecycle import State
from jupyter_mcp_elicit.core.question import Question
from jupyter_mcp_elicit.core.submission import Submission

NAME = {"name": {"type": "string"}}


def yes(name: str = "Ada", **more: Any) -> Submission:
    return Submission("accept", draft=[["name", name]], **more)


def asked_name() -> Elicitation:
    return form(NAME, "name")


class Asked:
    """A question of ``broker`` that waits for its answer in a task of its own."""

    def __init__(self, broker: Broker, elicitation: Elicitation | None = None, **how: Any) -> None:
        self.elicitation = elicitation or asked_name()
        self.id = self.elicitation.id
        self.task = asyncio.ensure_future(broker.ask(self.elicitation, **how))
        self._broker = broker

    @property
    def question(self) -> Question:
        return self._broker.find(self.id)

    @property
    def state(self) -> State:
        return self.question.state

    @property
    def trouble(self) -> str:
        assert self.question.outcome is not None
        return self.question.outcome.trouble


async def ask(broker: Broker, elicitation: Elicitation | None = None, **how: Any) -> Asked:
    asked = Asked(broker, elicitation, **how)
    await moment()
    return asked


class Played:
    """A policy that plays what it is given, and remembers what it was asked."""

    name = "played"

    def __init__(self, *answers: Any) -> None:
        self._answers = iter(answers)
        self.asked: list[Elicitation] = []

    def answer(self, elicitation: Elicitation) -> Answer | None:
        self.asked.append(elicitation)
        given = next(self._answers)
        if isinstance(given, Exception):
            raise given
        return given  # type: ignore[no-any-return]
