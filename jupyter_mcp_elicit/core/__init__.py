"""The pure part: schemas into fields, drafts into content, addresses into links.

No I/O, no clock, no Jupyter, no MCP SDK. Names resolve on first use, so importing
this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .elicitation import Accept as Accept
    from .elicitation import Asker as Asker
    from .elicitation import Cancel as Cancel
    from .elicitation import Cause as Cause
    from .elicitation import Decline as Decline
    from .elicitation import FormElicitation as FormElicitation
    from .elicitation import UrlElicitation as UrlElicitation
    from .errors import LocalError as LocalError
    from .errors import RemoteError as RemoteError
    from .field import Field as Field
    from .field import Option as Option
    from .reading import Reading as Reading
    from .schema import RequestedSchema as RequestedSchema
    from .urls import UrlReport as UrlReport
    from .urls import examine as examine

#: Public name -> the module that defines it.
_HOMES = {
    "Accept": "elicitation",
    "Asker": "elicitation",
    "Cancel": "elicitation",
    "Cause": "elicitation",
    "Decline": "elicitation",
    "FormElicitation": "elicitation",
    "UrlElicitation": "elicitation",
    "LocalError": "errors",
    "RemoteError": "errors",
    "Field": "field",
    "Option": "field",
    "Reading": "reading",
    "RequestedSchema": "schema",
    "UrlReport": "urls",
    "examine": "urls",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
