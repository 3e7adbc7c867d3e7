"""The badly behaved twin, connected to from a kernel itself: each trick ends, and none is agreed to."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from jupyter_mcp_elicit import Decline, LocalError, RemoteError, connect
from jupyter_mcp_elicit.demo.hostile.trick import LEGACY, MODERN, STDIO
from jupyter_mcp_elicit.demo.hostile.tricks import TRICKS
from jupyter_mcp_elicit.kernel.toolbox import McpServer

pytestmark = pytest.mark.timeout(120)

TWIN = [sys.executable, "-m", "jupyter_mcp_elicit.demo", "--hostile"]
#: Not played: it takes half a minute until it is given up, and is played through a Jupyter server.
SLOW = {"spinning_rounds"}


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25", "2026-07-28"])
async def test_each_trick_ends_and_the_connection_is_as_good_as_before(era: str) -> None:
    asked: list[str] = []

    def say_no(question: Any) -> Decline:
        asked.append(question.tool)
        return Decline()

    twin = await connect(TWIN, name="twin", era=era, answers=say_no)
    kind = MODERN if era == "2026-07-28" else LEGACY
    names = [name for name, trick in TRICKS.items() if trick.fits(kind, STDIO) and name not in SLOW]
    # The last one, since a server that floods is muted for a minute.
    for name in sorted(names, key=lambda name: name == "flood"):
        for answer in await _heard(twin, name):
            assert answer in ({"action": "decline"}, {"action": "cancel"}) or "code" in answer, name
        if name != "flood":
            # None of them leaves anything behind: an honest question is asked and answered.
            assert (await twin.call_tool("false_sender")).text == '[{"action": "decline"}]', name
    assert {"markup", "secret", "invisible_text", "false_buttons"} <= set(asked)
    # Only forms are asked from here, and only those that can be shown rightly.
    assert not {name for name in asked if name.endswith("_address")}
    assert not {"nested_schema", "deep_schema", "huge_form", "unknown_mode", "no_params"} & set(asked)
    twin.close()


async def _heard(twin: McpServer, trick: str) -> list[Any]:
    """What the twin was answered, as far as it says so; nothing where its call failed, as it may."""
    try:
        said = (await asyncio.wait_for(twin.call_tool(trick), 20)).text
        told = json.loads(said)
    except (LocalError, RemoteError, ValueError):
        return []
    assert "accept" not in said, trick
    return [each for each in told if isinstance(each, dict)] if isinstance(told, list) else []
