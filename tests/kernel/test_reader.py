"""Reading a blocking stream from an event loop: in order, to its end, no longer than somebody wants."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from jupyter_mcp_elicit.core.errors import LocalError
from jupyter_mcp_elicit.core.withdrawal import Withdrawal
from jupyter_mcp_elicit.kernel.reader import Reader


class Stream:
    """Gives ``events``; after them it raises ``error``, or waits until it is closed."""

    def __init__(
        self, *events: dict[str, Any], error: Exception | None = None, endless: bool = False
    ) -> None:
        self._events = events
        self._error = error
        self._endless = endless
        self.closed = threading.Event()
        self.read = 0

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for event in self._events:
            self.read += 1
            yield event
        if self._error is not None:
            raise self._error
        if self._endless:
            self.closed.wait(20)

    def close(self, why: Withdrawal = Withdrawal.CALLER) -> None:
        self.closed.set()


def test_events_arrive_in_order_and_then_none() -> None:
    async def scenario() -> list[Any]:
        async with Reader(lambda: Stream({"n": 1}, {"n": 2})) as reader:
            return [await reader.next() for _ in range(3)]

    assert asyncio.run(scenario()) == [{"n": 1}, {"n": 2}, None]


def test_what_the_stream_raises_is_raised_after_the_events_before_it() -> None:
    async def scenario() -> None:
        async with Reader(lambda: Stream({"n": 1}, error=LocalError("gone"))) as reader:
            assert await reader.next() == {"n": 1}
            with pytest.raises(LocalError, match="gone"):
                await reader.next()

    asyncio.run(scenario())


def test_a_stream_that_cannot_be_opened_says_why() -> None:
    def fail() -> Stream:
        raise LocalError("nobody there")

    async def scenario() -> None:
        async with Reader(fail) as reader:
            await reader.next()

    with pytest.raises(LocalError, match="nobody there"):
        asyncio.run(scenario())


def test_leaving_closes_a_stream_that_still_waits() -> None:
    stream = Stream({"n": 1}, endless=True)

    async def scenario() -> None:
        async with Reader(lambda: stream) as reader:
            assert await reader.next() == {"n": 1}
            assert not stream.closed.is_set()

    asyncio.run(scenario())
    assert stream.closed.is_set()


def test_a_stream_that_opens_only_after_it_was_left_is_closed_unread() -> None:
    stream, opening, left = Stream({"n": 1}), threading.Event(), threading.Event()

    def open_late() -> Stream:
        opening.set()
        left.wait(20)
        return stream

    async def scenario() -> None:
        async with Reader(open_late):
            await asyncio.to_thread(opening.wait, 20)
        left.set()
        assert await asyncio.to_thread(stream.closed.wait, 20)

    asyncio.run(scenario())
    assert stream.read == 0


def test_a_wait_that_is_cancelled_loses_no_event() -> None:
    go_on = threading.Event()

    class Slow(Stream):
        def __iter__(self) -> Iterator[dict[str, Any]]:
            go_on.wait(20)
            yield {"n": 1}

    async def scenario() -> None:
        async with Reader(Slow) as reader:
            waiting = asyncio.ensure_future(reader.next())
            done, _ = await asyncio.wait({waiting}, timeout=0)
            assert not done
            waiting.cancel()
            go_on.set()
            assert await reader.next() == {"n": 1}

    asyncio.run(scenario())
