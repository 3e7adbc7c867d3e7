"""(h) 1 000 questions of 50 owners that wait at once: the work of an answer, and what each question holds."""

from __future__ import annotations

import asyncio
import gc
import logging
import statistics
import time
import tracemalloc
from typing import Any

from measure import Row, at_most
from schemas import schema_of

OWNERS = 50
EACH = 20
TIMES = 1000


def rows() -> list[Row]:
    one, many = asyncio.run(_times())
    held = asyncio.run(_held())
    late, alone = (statistics.quantiles(each, n=100)[98] for each in (many, one))
    what = f"(h) work of an answer, p99, {OWNERS * EACH} questions wait"
    return [
        at_most(what, late, alone, "one that waits alone, p99", 2),
        at_most(what, late, statistics.median(one), "one that waits alone, median", 2),
        Row("(h) memory of a waiting question", f"{held:.1f} KiB", "20 KiB", held / 20, "≤ 1 ×", held <= 20),
    ]


def _registry() -> Any:
    from jupyter_mcp_elicit.broker import Limits
    from jupyter_mcp_elicit.server.registry import Registry
    from jupyter_mcp_elicit.server.rules import Rules

    def unused(*_: object) -> Any:
        raise AssertionError("No server is started here.")

    registry = Registry(unused, Rules(Limits()), dict, dict, logging.getLogger("benchmark"))
    # A page listens, so that each change makes a card, as it does in use.
    registry.listen(lambda card: None)
    return registry


def _elicitation() -> Any:
    from jupyter_mcp_elicit.core import Asker, Cause, FormElicitation, RequestedSchema

    schema = RequestedSchema.parse(schema_of(3))
    return FormElicitation(message="Which table?", schema=schema, asker=Asker("bistro"), cause=Cause())


async def _ask(registry: Any, owner: int) -> tuple[Any, str]:
    elicitation = _elicitation()
    task = asyncio.create_task(registry.owner(f"kernel-{owner}").broker.ask(elicitation))
    await asyncio.sleep(0)
    return task, elicitation.id


async def _answered(registry: Any, asked: tuple[Any, str]) -> float:
    """Milliseconds of this thread's work, from the answer's arrival until whoever asked has it.

    Not of the clock on the wall: a busy machine's pauses are 100 times as long as one answer.
    """
    from jupyter_mcp_elicit.core.submission import Submission

    task, question_id = asked
    start = time.thread_time()
    owner, _ = registry.find(question_id)
    owner.broker.submit(question_id, Submission("decline", channel="page"))
    await task
    return (time.thread_time() - start) * 1000


async def _times() -> tuple[list[float], list[float]]:
    """By turns, so that a busy moment of the machine falls on both alike."""
    lone, full = _registry(), _registry()
    waiting = [await _ask(full, each % OWNERS) for each in range(OWNERS * EACH)]
    one, many = [], []
    for turn in range(TIMES):
        # As many wait after each answer as before it; the one answered is anybody's.
        many.append(await _answered(full, waiting.pop((turn * 379) % len(waiting))))
        waiting.append(await _ask(full, turn % OWNERS))
        one.append(await _answered(lone, await _ask(lone, turn % OWNERS)))
    for task, _ in waiting:
        task.cancel()
    await asyncio.gather(*(task for task, _ in waiting), return_exceptions=True)
    return one, many


async def _held() -> float:
    """KiB that each waiting question holds, with its schema and its timer."""
    registry = _registry()
    for owner in range(OWNERS):
        await _answered(registry, await _ask(registry, owner))
    gc.collect()
    tracemalloc.start()
    waiting = [await _ask(registry, each % OWNERS) for each in range(OWNERS * EACH)]
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] / len(waiting) / 1024
    tracemalloc.stop()
    for task, _ in waiting:
        task.cancel()
    await asyncio.gather(*(task for task, _ in waiting), return_exceptions=True)
    return held
