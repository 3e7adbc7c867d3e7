"""The four formats of MCP, checked by the RFCs behind them and nothing but the standard library.

Each takes text and tells whether the whole of it has the format; surrounding blanks
and a final line break are never part of one.
"""

from __future__ import annotations

import datetime
import ipaddress
import re
from collections.abc import Callable
from typing import Final

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DATE_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL_PART = re.compile(rf"(?:{_ATOM}(?:\.{_ATOM})*|\"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*\")")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")

_ESCAPED = r"%[0-9A-Fa-f]{2}"
_UNRESERVED = r"A-Za-z0-9\-._~"
_DELIMITERS = r"!$&'()*+,;="
_PATH_CHAR = rf"(?:[{_UNRESERVED}{_DELIMITERS}:@]|{_ESCAPED})"
_USER = rf"(?:(?:[{_UNRESERVED}{_DELIMITERS}:]|{_ESCAPED})*@)?"
_HOST = rf"(?:\[(?P<literal>[^\]]*)\]|(?:[{_UNRESERVED}{_DELIMITERS}]|{_ESCAPED})*)"
_URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.\-]*:"
    rf"(?://{_USER}{_HOST}(?::[0-9]*)?(?:/{_PATH_CHAR}*)*"
    rf"|/(?:{_PATH_CHAR}+(?:/{_PATH_CHAR}*)*)?"
    rf"|{_PATH_CHAR}+(?:/{_PATH_CHAR}*)*"
    r"|)"
    rf"(?:\?(?:{_PATH_CHAR}|[/?])*)?"
    rf"(?:\#(?:{_PATH_CHAR}|[/?])*)?"
)
_FUTURE_ADDRESS = re.compile(rf"[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_DELIMITERS}:]+")


def is_date(text: str) -> bool:
    """RFC 3339 ``full-date``: four digits of year, a day that exists."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    try:
        datetime.date(*map(int, match.groups()))
    except ValueError:
        return False
    return True


def is_date_time(text: str) -> bool:
    """RFC 3339 ``date-time``: seconds and an offset are needed; a leap second only where one can be."""
    match = _DATE_TIME.fullmatch(text)
    if match is None or not is_date(match[1]):
        return False
    hour, minute, second = int(match[2]), int(match[3]), int(match[4])
    offset = 0
    if match[5]:
        offset_hour, offset_minute = int(match[6]), int(match[7])
        if offset_hour > 23 or offset_minute > 59:
            return False
        offset = (offset_hour * 60 + offset_minute) * (1 if match[5] == "+" else -1)
    if hour > 23 or minute > 59 or second > 60:
        return False
    # A leap second is the last one of a day in UTC.
    return second < 60 or (hour * 60 + minute - offset) % 1440 == 1439


def is_email(text: str) -> bool:
    """RFC 5321 ``Mailbox``: no display name, no blanks; the domain may be an address in brackets."""
    local, at, domain = text.rpartition("@")
    if not at or len(local) > 64 or not _LOCAL_PART.fullmatch(local):
        return False
    if domain.startswith("[") and domain.endswith("]"):
        address = domain[1:-1]
        if address[:5].lower() == "ipv6:":
            return _is_address(ipaddress.IPv6Address, address[5:])
        return _is_address(ipaddress.IPv4Address, address)
    return len(domain) <= 255 and _DOMAIN.fullmatch(domain) is not None


def is_uri(text: str) -> bool:
    """RFC 3986 ``URI``: with a scheme, ASCII only; whether it is wise to open it is not asked here."""
    match = _URI.fullmatch(text)
    if match is None:
        return False
    literal = match["literal"]
    if literal is None or _FUTURE_ADDRESS.fullmatch(literal):
        return True
    return "%" not in literal and _is_address(ipaddress.IPv6Address, literal)


def _is_address(kind: type[ipaddress.IPv4Address] | type[ipaddress.IPv6Address], text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


#: Format name -> checker.
FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    "email": is_email,
    "uri": is_uri,
    "date": is_date,
    "date-time": is_date_time,
}
