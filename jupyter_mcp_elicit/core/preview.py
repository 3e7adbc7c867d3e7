"""What an answer would be on the wire, for the person who is about to send it."""

from __future__ import annotations

import json

from . import wire
from .schema import RequestedSchema
from .submission import NotValid

#: In place of a secret: the text is for the screen, where others may look.
COVER = "••••••••"


def preview(schema: RequestedSchema, draft: object) -> str:
    """The content as JSON text, read from a page's draft as an answer is; what asks for a secret is covered.

    Raises :class:`NotValid` with a sentence per field, ``LocalError`` when it is no draft.
    """
    reading = schema.read(wire.draft_from_page(schema, draft))
    if reading.content is None:
        raise NotValid(reading.problems)
    secret = {field.name for field in schema.fields if field.sensitive}
    shown = {name: COVER if name in secret else value for name, value in reading.content.items()}
    return json.dumps(shown, ensure_ascii=False, indent=2, allow_nan=False)
