"""Whether Jupyter servers of this environment load the extension."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from .._version import __version__
from .finding import Finding

PACKAGE = "jupyter_mcp_elicit"
ABOUT = "server extension"


def check() -> Iterator[Finding]:
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager

    try:
        importlib.import_module(f"{PACKAGE}.server.app")
    except Exception as error:
        yield Finding(
            "problem",
            ABOUT,
            f"it cannot be loaded ({type(error).__name__}: {error})",
            "install jupyter_mcp_elicit again in this environment",
        )
        return
    manager = ExtensionConfigManager(read_config_path=jupyter_config_path())
    found = manager.get_jpserver_extensions()  # type: ignore[no-untyped-call]
    if found.get(PACKAGE):
        yield Finding("ok", ABOUT, f"{__version__}, enabled, and it loads")
    elif PACKAGE in found:
        yield Finding("problem", ABOUT, "it is disabled", f"run: jupyter server extension enable {PACKAGE}")
    else:
        yield Finding(
            "problem",
            ABOUT,
            "no configuration of Jupyter enables it",
            f"run: jupyter server extension enable {PACKAGE}",
        )
