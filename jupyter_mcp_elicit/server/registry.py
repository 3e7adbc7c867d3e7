"""Owner -> broker and connections, for all owners of this Jupyter server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..broker import NoSuchQuestion
from ..core import wire
from ..core.errors import LocalError
from ..core.question import Question
from .entrance import Entrance
from .owner import Owner
from .rules import Rules

if TYPE_CHECKING:
    from ..client.config import ServerSpec
    from ..client.trust import TrustStore


class NoSuchServer(LocalError):
    """No server of that name is configured, or its entry cannot be used."""


Listener = Callable[[wire.Json], None]
Servers = tuple[dict[str, "ServerSpec"], list[str]]


class Registry:
    """Who owns what. ``load`` reads the configured servers anew: specs by name, and what is wrong."""

    def __init__(
        self,
        load: Callable[[], Servers],
        rules: Rules,
        trust: Callable[[], TrustStore],
        entrance: Entrance,
        log: logging.Logger,
    ) -> None:
        self._load = load
        self._rules = rules
        self._make_trust = trust
        self._trust: TrustStore | None = None
        self._entrance = entrance
        self._log = log
        self._owners: dict[str, Owner] = {}
        self._listeners: list[Listener] = []
        self._closed = False

    def servers(self) -> Servers:
        """The configured servers as the files say now."""
        return self._load()

    def spec(self, name: str) -> ServerSpec:
        """The configured server of that name; raises :class:`NoSuchServer` that names those there are."""
        specs, problems = self._load()
        if name in specs:
            return specs[name]
        wrong = [problem for problem in problems if f'"{name}"' in problem]
        if wrong:
            raise NoSuchServer(f'The server "{name}" cannot be used. {" ".join(wrong)}')
        known = ", ".join(sorted(specs)) or "none"
        raise NoSuchServer(
            f'There is no MCP server "{name}" in the configuration (configured: {known}).',
            hint=" ".join(problems) or "Add it to mcp.json in a Jupyter config directory.",
        )

    def owner(self, owner_id: str) -> Owner:
        """The owner, made on first need; ``LocalError`` once the registry is closed."""
        if owner_id not in self._owners:
            if self._closed:
                raise LocalError("The Jupyter server is stopping.")
            if self._trust is None:
                self._trust = self._make_trust()
            owner = Owner(owner_id, self._rules, self._trust, self._entrance, self._log)
            owner.broker.present_with(lambda question: self._tell(owner, question))
            self._owners[owner_id] = owner
        return self._owners[owner_id]

    def known(self, owner_id: str) -> Owner | None:
        """The owner, if it has done anything yet."""
        return self._owners.get(owner_id)

    def owner_ids(self) -> list[str]:
        return list(self._owners)

    def find(self, question_id: str, *, owner_id: str | None = None) -> tuple[Owner, Question]:
        """The question and its owner; only among those of ``owner_id`` when given.

        Raises :class:`NoSuchQuestion`, in the same words for an unknown and for a foreign id.
        """
        for owner in self._of(owner_id):
            if (question := owner.broker.get(question_id)) is not None:
                return owner, question
        raise NoSuchQuestion

    def cards(self, *, owner_id: str | None = None) -> list[wire.Json]:
        """The open questions of everybody, or of one owner; oldest first within an owner."""
        return [owner.broker.card(q) for owner in self._of(owner_id) for q in owner.broker.open_questions()]

    def living_cards(self) -> list[wire.Json]:
        """The open questions of everybody, and those whose page is open: all that may still change."""
        flowing = [owner.broker.card(q) for owner in self._of(None) for q in owner.broker.flowing()]
        return [*self.cards(), *flowing]

    def listen(self, listener: Listener) -> Callable[[], None]:
        """``listener`` gets the card at each change of any question; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def close_owner(self, owner_id: str) -> None:
        """The owner is gone: its questions are withdrawn and its connections ended."""
        owner = self._owners.pop(owner_id, None)
        if owner is not None:
            await owner.close()

    async def close(self) -> None:
        """End everything; no owner is made any more."""
        self._closed = True
        await asyncio.gather(*(self.close_owner(owner_id) for owner_id in self.owner_ids()))

    def _of(self, owner_id: str | None) -> Iterator[Owner]:
        if owner_id is None:
            yield from self._owners.values()
        elif owner_id in self._owners:
            yield self._owners[owner_id]

    def _tell(self, owner: Owner, question: Question) -> None:
        card = owner.broker.card(question)
        for listener in list(self._listeners):
            listener(card)
