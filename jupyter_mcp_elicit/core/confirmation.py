"""A yes or no that Jupyter itself asks for, with no server behind it."""

from __future__ import annotations

from .elicitation import Asker, Cause, FormElicitation
from .schema import RequestedSchema


def confirmation(message: str, cause: Cause) -> FormElicitation:
    """A form without fields: ``Accept({})`` agrees. No kernel may answer it, only a person."""
    return FormElicitation(
        message=message,
        schema=RequestedSchema.parse({"type": "object", "properties": {}}),
        asker=Asker("Jupyter", kind="jupyter"),
        cause=cause,
    )
