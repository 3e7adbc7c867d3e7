"""Whether the kernels of this Jupyter run elsewhere, behind a Kernel or Enterprise Gateway."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

from .finding import Finding

VARIABLE = "JUPYTER_GATEWAY_URL"


def check() -> Iterator[Finding]:
    url = os.environ.get(VARIABLE) or _configured()
    if not url:
        return
    # As Jupyter has it, but for what a URL may hold of secrets.
    where = urlsplit(url).netloc.rpartition("@")[2] or "it"
    yield Finding(
        "warn",
        "gateway",
        f"kernels run behind {where}: there a form is a widget, and only an awaited call can ask; "
        "MCP servers that are configured here are out of their reach",
        "install jupyter_mcp_elicit where the kernels run, and give connect() a URL or a command, "
        "or have mcp.json there",
    )


def _configured() -> str:
    from jupyter_server.serverapp import ServerApp

    app = ServerApp()
    app.load_config_file()
    return str(app.config.GatewayClient.get("url") or "")
