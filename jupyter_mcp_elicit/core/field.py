"""One field of a form: what it is called, what it may hold and what it starts with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

from .errors import LocalError
from .scalar import Scalar, is_scalar, key


class Kind(str, Enum):
    """What a field holds, and so which control shows it."""

    STRING = "string"
    EMAIL = "email"
    URI = "uri"
    DATE = "date"
    DATE_TIME = "date-time"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"  # one of the options
    CHOICES = "choices"  # any number of the options

    def __str__(self) -> str:
        return self.value


TEXT_KINDS: Final = frozenset({Kind.STRING, Kind.EMAIL, Kind.URI, Kind.DATE, Kind.DATE_TIME})
NUMBER_KINDS: Final = frozenset({Kind.INTEGER, Kind.NUMBER})
CHOICE_KINDS: Final = frozenset({Kind.CHOICE, Kind.CHOICES})


class Missing(Enum):
    """The type of :data:`MISSING`, which no JSON value equals."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING

#: A value of an answer: a scalar, or the values ticked in a multiple choice.
Value: TypeAlias = Scalar | tuple[Scalar, ...]
Default: TypeAlias = Value | Literal[Missing.MISSING]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice. ``value`` keeps its JSON type; ``label`` is the server's text."""

    value: Scalar
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One property of a requested schema. All texts but ``hint`` and ``note`` are the server's, verbatim.

    ``label`` has no line breaks. ``hint`` puts the limits into a few words ("1 to 12"),
    ``note`` says in a sentence what was wrong or special in the schema; both may be "".
    Lengths count code points. A bound is ``None`` where there is none. ``default`` is
    :data:`MISSING` where there is none, or none that is valid; of a multiple choice it
    is a tuple. ``pattern`` is an ECMA-262 expression, or "".
    """

    name: str
    kind: Kind
    label: str
    help: str = ""
    required: bool = False
    options: tuple[Option, ...] = ()
    default: Default = MISSING
    sensitive: bool = False
    placeholder: str = ""
    hint: str = ""
    multiline: bool = False
    nullable: bool = False
    note: str = ""
    min_length: int = 0
    max_length: int | None = None
    pattern: str = ""
    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None
    multiple_of: int | float | None = None
    min_items: int = 0
    max_items: int | None = None

    def __post_init__(self) -> None:
        if (self.kind in CHOICE_KINDS) != bool(self.options):
            raise LocalError(f"A field of kind {self.kind} and {len(self.options)} options cannot exist.")
        if len({key(option.value) for option in self.options}) != len(self.options):
            raise LocalError("Two options of a field cannot have the same value.")
        if self.default is not MISSING and not self._can_start_with(self.default):
            given = type(self.default).__name__
            raise LocalError(f"A field of kind {self.kind} cannot start with a {given}.")

    def _can_start_with(self, value: Value) -> bool:
        if self.kind is Kind.CHOICES:
            return isinstance(value, tuple) and all(is_scalar(item) for item in value)
        if not is_scalar(value):
            return False
        if self.kind in TEXT_KINDS:
            return isinstance(value, str)
        if self.kind in NUMBER_KINDS:
            return not isinstance(value, (str, bool))
        return self.kind is Kind.CHOICE or isinstance(value, bool)
