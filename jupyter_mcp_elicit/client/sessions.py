"""The sessions of one connection, one after the other: opened when needed, anew after the server died."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import pydantic
from mcp import MCPError

from ..core.errors import LocalError, RemoteError
from . import convert, eras, failures
from .calls import Calls
from .endpoint import OwnServer, endpoint
from .generation import Generation, Options
from .http import CURRENT_ATTEMPT, Attempt
from .login import Login
from .questions import Gone, Questions
from .spec import ServerSpec

# How long a dying server may take to be gone, so that its exit code is known.
LAST_WORDS = 8.0

_T = TypeVar("_T")


class _Forgotten(Exception):
    """The server no longer knows our session. ``told`` is what to say when that is the end of it."""

    def __init__(self, told: LocalError) -> None:
        super().__init__(str(told))
        self.told = told


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How the server of every session is reached. ``max_frame`` in bytes; ``login``: how to sign in."""

    environ: Mapping[str, str]
    max_frame: int
    on_stderr: Callable[[str], None] | None
    login: Login | None = None


class Sessions:
    """Of one connection. ``questions`` makes the desk where a new session's questions go."""

    def __init__(
        self,
        spec: ServerSpec | OwnServer,
        reach: Reach,
        options: Options,
        calls: Calls,
        questions: Callable[[], Questions],
    ) -> None:
        self._spec = spec
        self._reach = reach
        self._options = options
        self._calls = calls
        self._questions = questions
        #: The newest one, open or over; ``None`` before the first and after :meth:`close`.
        self.now: Generation | None = None
        #: How many there were.
        self.count = 0
        self._closings = 0
        self._openers = 0

    @property
    def state(self) -> str:
        """``closed``, ``connecting``, ``ready`` or ``failed: why``."""
        now = self.now
        if now is None:
            return "closed"
        if now.link.is_ready:
            return "ready"
        if not now.link.over.is_set() and not now.link.was_ready:
            return "connecting"
        return f"failed: {now.why()[0]}"

    async def open(self) -> Generation:
        """The open session. ``LocalError`` says why there is none."""
        closings = self._closings
        while True:
            now = self.now
            if now is None or now.link.over.is_set():
                now = self._start()
            await self._opened(now)
            if self._closings != closings:
                raise LocalError(f'The connection to "{self._spec.name}" was closed.')
            if now.link.is_ready:
                return now
            await now.link.over.wait()
            if not now.link.was_ready:
                how, more = now.why()
                raise LocalError(failures.with_more(f'The server "{self._spec.name}" {how}.', more))

    async def _opened(self, now: Generation) -> None:
        self._openers += 1
        try:
            await now.link.opened()
        except asyncio.CancelledError:
            if self._openers == 1 and now.link.is_paused and not now.link.was_ready:
                # Nobody wants the connection any more that a person is asked to sign in for.
                await now.link.close()
            raise
        finally:
            self._openers -= 1

    async def close(self) -> None:
        """End the newest session and its process."""
        self._closings += 1
        now, self.now = self.now, None
        if now is not None:
            now.questions.end()
            await now.link.close()

    async def run(self, send: Callable[[Generation], Awaitable[_T]], doing: str) -> _T:
        """What ``send`` gives, in the open session; its errors as ``RemoteError`` or ``LocalError``.

        A request that a server threw away unread, with its session, is sent once more in a new one.
        """
        try:
            return await self._once(send, doing)
        except _Forgotten:
            # The server threw the request away unread, so sending it once more does nothing twice.
            pass
        try:
            return await self._once(send, doing)
        except _Forgotten as again:
            raise again.told from again

    async def _once(self, send: Callable[[Generation], Awaitable[_T]], doing: str) -> _T:
        now = await self.open()
        attempt = Attempt()
        before = CURRENT_ATTEMPT.set(attempt)
        try:
            return await send(now)
        except Exception as error:
            if attempt.sign_in:
                raise LocalError(
                    f'The server "{self._spec.name}" wants you to sign in: {attempt.sign_in}.'
                ) from error
            if isinstance(error, MCPError) and attempt.was_forgotten(error.message):
                now.give_up("no longer knows this session")
                raise _Forgotten(await self._lost(error, now, doing)) from error
            raise await self._translated(error, now, doing) from error
        finally:
            CURRENT_ATTEMPT.reset(before)

    def _start(self) -> Generation:
        spec, reach = self._spec, self._reach
        if spec.disabled:
            raise LocalError(f'The server "{spec.name}" is disabled.', hint='Remove "disabled" in mcp.json.')
        reached = endpoint(
            spec, reach.environ, limit=reach.max_frame, on_stderr=reach.on_stderr, login=reach.login
        )
        questions = self._questions()
        self.count += 1
        self.now = Generation(spec, reached, questions, self._options)
        return self.now

    async def _translated(self, error: Exception, now: Generation, doing: str) -> Exception:
        """``error`` as theirs or ours; waits a moment for a dying server's exit code."""
        if isinstance(error, RemoteError):
            return error
        if isinstance(error, Gone) or failures.is_loss(error) or not now.link.is_ready:
            return await self._lost(error, now, doing)
        if isinstance(error, MCPError):
            return convert.remote_error(
                error,
                instead=now.endpoint.refusal(error.message),
                hint=eras.hint_for(error.message, self._spec.name),
            )
        if isinstance(error, pydantic.ValidationError):
            reason, now.manners.malformed = now.manners.malformed, ""
            return RemoteError(reason or f"The answer to {doing} is no valid MCP: {failures.where(error)}.")
        if isinstance(error, LocalError):
            return error
        return LocalError(f"{doing} failed: {failures.why(error)}.")

    async def _lost(self, error: Exception, now: Generation, doing: str) -> LocalError:
        broke = f"broke off ({failures.why(error)})"
        # Over HTTP one call can be lost while others still run: those keep their session.
        if not self._calls and now.link.is_ready:
            now.give_up(broke)
        if not now.link.is_ready:
            await now.link.ends(LAST_WORDS)
        if self.now is None:
            return LocalError(f'The connection to "{self._spec.name}" was closed during {doing}.')
        how, more = (broke, "") if now.link.is_ready else now.why()
        process = isinstance(self._spec, ServerSpec) and self._spec.command
        again = "starts it again" if process else "connects anew"
        told = f'The server "{self._spec.name}" {how}, during {doing}. The next call {again}.'
        return LocalError(failures.with_more(told, more))
