"""A slow coffee: progress and log lines first, then one question."""

from __future__ import annotations

import asyncio
from typing import Any

from jupyter_mcp_elicit.core.elicitation import Accept, Cancel, Decline

from ..asking import Visit
from ..form import Form
from ..house import House
from ..tool import BistroTool, Reply

FORM = Form(
    {
        "cups": {"type": "integer", "title": "Cups", "minimum": 1, "maximum": 4, "default": 1},
        "sugar": {"type": "boolean", "title": "Sugar"},
    },
    required=("cups",),
)


async def slow_brew(visit: Visit, house: House, arguments: dict[str, Any]) -> Reply:
    steps: int = arguments.get("steps", 3)
    pace: float = arguments.get("pace", 0.3)

    async def brew() -> int:
        for step in range(1, steps + 1):
            await asyncio.sleep(pace)
            await visit.log(f"Step {step} of {steps} is done.")
            await visit.progress(step, steps, f"Brewing, step {step}")
        return steps

    # Once: in a revision that asks in rounds, the answer must not set the kettle on again.
    brewed = await visit.once("brew", brew)
    pour = dict(arguments)
    if (missing := FORM.without(pour)) is not None:
        match await visit.ask_twice("pour", "The pot is ready. How shall I pour?", missing):
            case Accept(content=content):
                pour |= content or {}
            case Decline():
                return Reply(
                    "Not now? Then it goes into a flask, to take away.",
                    "declined",
                    {"steps": brewed, "alternative": "flask"},
                )
            case Cancel():
                return Reply.not_answered("slow_brew", "the pot goes cold", steps=brewed)
    sugar = "with sugar" if pour.get("sugar") else "without sugar"
    facts = {"steps": brewed} | {name: pour[name] for name in FORM.fields if name in pour}
    return Reply(f"Poured {pour['cups']} after {brewed} steps, {sugar}.", "poured", facts)


SLOW_BREW = BistroTool(
    "slow_brew",
    "Brew slowly",
    "Brews in steps, with progress and log lines, then asks how to pour.",
    slow_brew,
    {
        "steps": {"type": "integer", "description": "3 unless given.", "minimum": 1, "maximum": 20},
        "pace": {
            "type": "number",
            "description": "Seconds a step takes; 0.3 unless given.",
            "minimum": 0,
            "maximum": 5,
        },
        **FORM.arguments,
    },
)
