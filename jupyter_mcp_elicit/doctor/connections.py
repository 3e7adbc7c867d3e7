"""Whether each configured MCP server really starts, and what it speaks. It may ask nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from ..client.spec import ServerSpec
from ..client.trust import TrustStore
from ..core.elicitation import Answer, Cancel, Elicitation
from ..core.errors import LocalError, RemoteError
from ..core.text import shown
from .finding import Finding
from .servers import configured

#: Seconds that one server may take, from its start to its list of tools.
PATIENCE = 30.0


def check() -> Iterator[Finding]:
    trust = TrustStore.of_user()
    for spec in configured()[0].values():
        about = f"connection to {spec.name}"
        if spec.disabled:
            continue
        if trust.state(spec) == "changed":
            yield Finding("warn", about, "not tried: its entry changed, and nobody agreed to that yet")
            continue
        try:
            yield asyncio.run(_listed(trust.in_era(spec), about))
        except (LocalError, RemoteError) as error:
            yield Finding("problem", about, shown(str(error), 2000))
        except asyncio.TimeoutError:
            yield Finding("problem", about, f"it has not answered within {PATIENCE:g} seconds")


async def _listed(spec: ServerSpec, about: str) -> Finding:
    from ..client.connection import Connection

    # It may not ask here: this looks, and takes no part.
    connection = Connection(replace(spec, capabilities=()), _nobody, open_timeout=PATIENCE)
    try:
        # list_tools() opens it.
        tools = await asyncio.wait_for(connection.list_tools(), PATIENCE)
    finally:
        await connection.close()
    return Finding("ok", about, f"speaks {connection.protocol_version}, {len(tools)} tools")


async def _nobody(asked: Elicitation, token: object) -> Answer:
    return Cancel("not shown")
