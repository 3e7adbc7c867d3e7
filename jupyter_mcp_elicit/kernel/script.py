"""The form's JavaScript, as the widget hands it to pages that have no extension of ours."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..core.errors import LocalError

_PATH = Path(__file__).parent.parent / "static" / "widget.js"


@lru_cache(maxsize=1)
def widget_script() -> str:
    """The module's text. Raises ``LocalError`` in a source folder where it has not been built."""
    # As text, for anywidget keeps every widget alive that was made from a path.
    try:
        return _PATH.read_text("utf-8")
    except FileNotFoundError:
        raise LocalError(
            f"This installation of jupyter_mcp_elicit has no form: static/{_PATH.name} is missing.",
            hint='Run "pip install ." in the source folder, which builds it, and restart the kernel.',
        ) from None
