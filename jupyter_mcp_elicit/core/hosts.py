"""Where a host is, told from its name or number alone: nothing is looked up, ever."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, Literal, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Place: TypeAlias = Literal["loopback", "inside", "outside"]

#: Endings that no public name has.
_PRIVATE_ENDINGS: Final = (
    *(".local", ".localdomain", ".internal", ".intranet", ".home.arpa"),
    *(".corp", ".home", ".lan", ".private"),
)
_NAT64: Final = IPv6Network("64:ff9b::/96")


def without_dot(host: str) -> str:
    """The host without the one dot that may end it: both names are the same machine."""
    return host.removesuffix(".")


def address(host: str) -> Address | None:
    """The number that the host is, an IPv4 one also where IPv6 wraps it; ``None`` for a name."""
    try:
        number = ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    if isinstance(number, IPv4Address):
        return number
    if number in _NAT64:
        return IPv4Address(int(number) & 0xFFFF_FFFF)
    return number.ipv4_mapped or number.sixtofour or number


def place(host: str) -> Place:
    """This machine, a private network or (for all that can be told) the internet."""
    number = address(host)
    if number is not None:
        if number.is_loopback or number.is_unspecified:
            return "loopback"
        return "outside" if number.is_global else "inside"
    name = without_dot(host)
    if name == "localhost" or name.endswith(".localhost"):
        return "loopback"
    return "inside" if "." not in name or name.endswith(_PRIVATE_ENDINGS) else "outside"


def machine(host: str) -> str:
    """One text for all the ways to write a host, and one for all the names of this machine."""
    if place(host) == "loopback":
        return "loopback"
    return str(address(host) or without_dot(host))
