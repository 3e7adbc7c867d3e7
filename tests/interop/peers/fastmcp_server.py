"""A server on fastmcp, with each kind of ``response_type`` that it turns into a form.

``fastmcp_server.py`` serves stdio, ``fastmcp_server.py --http --port N`` streamable HTTP on 127.0.0.1.
Each tool says the outcome as JSON: ``{"action": ..., "data": ...}``.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Literal

from fastmcp import Context, FastMCP

app = FastMCP("fastmcp")


@dataclass
class Trip:
    city: str
    days: int
    hotel: bool = True
    season: Literal["summer", "winter"] = "summer"


def outcome(result: Any) -> str:
    data = getattr(result, "data", None)
    plain = asdict(data) if is_dataclass(data) and not isinstance(data, type) else data
    return json.dumps({"action": result.action, "data": plain})


@app.tool
async def ask_text(ctx: Context) -> str:
    """One string, wrapped in ``value``."""
    return outcome(await ctx.elicit("Your city?", response_type=str))


@app.tool
async def ask_number(ctx: Context) -> str:
    """One integer, wrapped in ``value``."""
    return outcome(await ctx.elicit("How many?", response_type=int))


@app.tool
async def ask_choice(ctx: Context) -> str:
    """One of a list: ``enum``."""
    return outcome(await ctx.elicit("Which size?", response_type=["small", "large"]))


@app.tool
async def ask_titled(ctx: Context) -> str:
    """One of a mapping: ``oneOf`` with titles."""
    sizes = {"s": {"title": "Small"}, "l": {"title": "Large"}}
    return outcome(await ctx.elicit("Which size?", response_type=sizes))


@app.tool
async def ask_several(ctx: Context) -> str:
    """Several of a list: an array of ``enum``."""
    return outcome(await ctx.elicit("Which toppings?", response_type=[["cheese", "olives", "basil"]]))


@app.tool
async def ask_trip(ctx: Context) -> str:
    """A dataclass: four fields, two with defaults."""
    return outcome(await ctx.elicit("Plan a trip", response_type=Trip))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if options.http:
        app.run(transport="http", host="127.0.0.1", port=options.port, show_banner=False)
    else:
        app.run(show_banner=False)
