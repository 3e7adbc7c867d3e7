"""The options of a choice, less those that nobody could send."""

from __future__ import annotations

from .check import fault
from .field import Field, Kind, Option
from .flat import Flat, admits_type, flatten
from .notes import Notes
from .patterns import Allowance
from .refs import Scope
from .rules import rules_of
from .scalar import json_text
from .words import UNCHECKABLE, Refused

NO_CHOICE = "a list of free values is not allowed in an elicitation."


def options_of(name: str, flat: Flat, notes: Notes, allowance: Allowance) -> list[Option]:
    """The options of a single choice, in the order of the schema."""
    if "anyOf" in flat.unions:
        flat.odd.append('"anyOf" is read as a list of options.')
    return _offered(name, flat, notes, allowance)


def items_of(name: str, flat: Flat, scope: Scope, notes: Notes, allowance: Allowance) -> list[Option]:
    """The options of a multiple choice. Raises :class:`~.words.Refused` for any other list."""
    for word in UNCHECKABLE["array"]:
        if word in flat.words:
            raise Refused(f'"{word}" is not allowed in an elicitation.')
    if not isinstance(flat.words.get("items"), dict):
        raise Refused(NO_CHOICE)
    items = flatten(flat.words["items"], scope)
    if items.options is None:
        raise Refused(NO_CHOICE)
    if "oneOf" in items.unions:
        items.odd.append('"oneOf" is read as a list of options.')
    elif not items.unions and items.types is None:
        items.odd.append('"type" is missing from its items, and is told from the rest.')
    flat.odd += items.odd
    flat.faults += items.faults
    options = _offered(name, items, notes, allowance)
    if not all(isinstance(option.value, str) for option in options):
        raise Refused("a multiple choice among values that are not text cannot be sent.")
    return options


def _offered(name: str, flat: Flat, notes: Notes, allowance: Allowance) -> list[Option]:
    text_rules = Field(name=name, kind=Kind.STRING, label="", **rules_of(flat.words, Kind.STRING))
    number_rules = Field(name=name, kind=Kind.NUMBER, label="", **rules_of(flat.words, Kind.NUMBER))

    def is_sendable(option: Option) -> bool:
        if not admits_type(flat.types, option.value):
            return False
        rules = text_rules if isinstance(option.value, str) else number_rules
        return isinstance(option.value, bool) or not fault(rules, option.value, allowance)

    options = [option for option in flat.options or () if is_sendable(option)]
    if len(options) < len(flat.options or ()):
        notes.remark("Options that break its other rules are left out.", name)
    if not options:
        raise Refused("it cannot be answered: it has no option.")
    if not all(isinstance(option.value, str) for option in options):
        notes.tolerate("Some options are not text, and are sent as the values that they are.", name)
    if all(isinstance(option.value, bool) and option.label == json_text(option.value) for option in options):
        return [Option(option.value, "Yes" if option.value else "No") for option in options]
    return options
