"""A server's requested schema, read into fields."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import Any, get_args

from .compile import flat_schema
from .defaults import Draft, initial
from .errors import LocalError, RemoteError
from .evaluator import Evaluator
from .field import Field
from .flat import Flat, flatten
from .kinds import field_of
from .limits import MAX_FIELDS, MAX_OPTIONS, copied
from .notes import UNCHECKED, Notes, Policy
from .patterns import MAX_TESTS, Allowance
from .reading import Reading, read
from .refs import Scope
from .root import Root, root_of
from .text import quoted
from .words import Refused


@dataclass(frozen=True, eq=False, repr=False)
class RequestedSchema:
    """What a server asks for. Made by :meth:`parse`; immutable.

    ``fields`` are in the order of the schema, ``notes`` say what was tolerated or
    ignored, one sentence each. ``title`` and ``description`` are the server's texts
    for the whole form, or "".
    """

    fields: tuple[Field, ...]
    notes: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    _source: dict[str, Any] = dataclass_field(default_factory=dict)

    @classmethod
    def parse(cls, schema: object, *, policy: Policy = "lenient") -> RequestedSchema:
        """Reads a requested schema, and keeps nothing of ``schema`` itself.

        Raises :class:`RemoteError` (``code`` -32602), whose message names the field and
        the reason, for anything that no flat form can ask or no answer can satisfy.
        ``"strict"`` also refuses all that lies outside the specification's subset.
        """
        if policy not in get_args(Policy):
            raise LocalError(f"There is no policy {policy!r}.", hint='Use "lenient" or "strict".')
        notes = Notes(policy)
        source = copied(schema)
        root = root_of(source, notes)
        return cls(_fields(root, notes), notes.sentences(), root.title, root.description, source)

    @property
    def initial(self) -> dict[str, Draft]:
        """The draft of the untouched form: defaults, numbers as text; ``None`` for not answered."""
        return {field.name: initial(field) for field in self.fields}

    def fill(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """The untouched draft with the values of ``content`` in it; ``None`` clears a field."""
        return {**self.initial, **content}

    def read(self, draft: Mapping[str, Any]) -> Reading:
        """The content to send, or a problem for each field that has one. Never raises."""
        return read(self.fields, draft, self._evaluator)

    @property
    def source(self) -> dict[str, Any]:
        """The requested schema as it was sent, for another process to parse again."""
        return deepcopy(self._source)

    @property
    def compiled(self) -> dict[str, Any]:
        """The flat JSON Schema that answers are checked against, of known keywords only."""
        return deepcopy(flat_schema(self.fields))

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(flat_schema(self.fields))

    def __repr__(self) -> str:
        return f"RequestedSchema({', '.join(quoted(field.name) for field in self.fields)})"


def _fields(root: Root, notes: Notes) -> tuple[Field, ...]:
    if len(root.properties) > MAX_FIELDS:
        raise RemoteError(f"The requested schema has more than {MAX_FIELDS} fields.")
    scope, allowance = Scope(root.document), Allowance()
    fields: list[Field] = []
    options = patterns = 0
    for name, schema in root.properties.items():
        required = name in root.required
        try:
            flat: Flat = flatten(schema, scope)
            field = field_of(name, flat, scope, required, notes, allowance)
        except Refused as refusal:
            # Also where it is optional: a form without it would ask less than the server wants to know.
            raise RemoteError(f"Field {quoted(name)}: {refusal.reason}") from None
        options += len(field.options)
        if options > MAX_OPTIONS:
            raise RemoteError(f"The requested schema has more than {MAX_OPTIONS} options.")
        if field.pattern:
            patterns += 1
            if patterns > MAX_TESTS:
                notes.remark(f"Its pattern is not checked here, for {MAX_TESTS} are enough.", name)
                field = replace(field, pattern="", note=f"{field.note} {UNCHECKED}".strip())
        fields.append(field)
    return tuple(fields)
