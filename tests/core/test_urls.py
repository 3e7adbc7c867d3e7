"""What a person is told about an address, and which addresses never become a link."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core import UrlReport, examine
from jupyter_mcp_elicit.core.location import Reader, ada, plain
from jupyter_mcp_elicit.core.urls import examine_by

LOCAL = "http://127.0.0.1:8888"
HUB = "https://hub.example.org"

ENCRYPTED = "not encrypted"
NUMBER = "number without a name"
PRIVATE = "private network"
BROWSER_SIDE = "computer that your browser runs on"
NOTEBOOK = "machine that this notebook comes from"
UNUSUAL = "written in an unusual way"


def told(url: str, *own: str) -> str:
    """All that the person is told, after the level."""
    report = examine(url, own)
    assert report.allowed, report.reason
    return f"{report.level}: {' '.join(report.warnings)}"


def refused(url: object, *own: str) -> str:
    report = examine(url, own)
    assert report == UrlReport("refuse", report.reason), "a refused address has a reason, and nothing else"
    assert not report.allowed
    return report.reason


def test_a_plain_https_address_is_shown_as_it_opens_and_nothing_is_claimed_about_it() -> None:
    assert examine("HTTPS://GitHub.com:443/login?redirect_uri=https://other.example/#x") == UrlReport(
        level="ok",
        reason="",
        href="https://github.com/login?redirect_uri=https://other.example/#x",
        scheme="https",
        host="github.com",
        unicode_host="",
        domain="github.com",
        warnings=(),
    )


def test_a_report_does_not_change() -> None:
    report = examine("https://github.com/")
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.level = "refuse"  # type: ignore[misc]


def test_the_link_is_in_canonical_form() -> None:
    assert examine("https://good.example").href == "https://good.example/"
    assert examine("https://good.example/a/../é?é#é").href == "https://good.example/%C3%A9?%C3%A9#%C3%A9"


def test_characters_that_browsers_escape_differently_are_escaped_for_all_of_them() -> None:
    assert examine("https://good.example/|^?|^#|^").href == "https://good.example/%7C%5E?|^#|^"


@pytest.mark.parametrize("url", [None, 1, b"https://good.example/", ["https://good.example/"], object(), {}])
def test_what_is_not_text_is_refused(url: object) -> None:
    assert refused(url) == "It is not text."


# This notebook's own server


def test_the_notebooks_own_origin_is_refused() -> None:
    for url in (f"{LOCAL}/lab", "http://127.1:8888/", "http://[::ffff:127.0.0.1]:8888/"):
        assert "this notebook's own server" in refused(url, LOCAL)
    assert "own server" in refused(f"{HUB}/user/mallory/x", HUB)
    assert "own server" in refused("https://hub.example.org./user/mallory/x", HUB)


def test_the_notebooks_own_server_is_refused_under_the_other_names_of_this_machine() -> None:
    for host in [
        "localhost",
        "localhost.",
        "x.localhost",
        "[::1]",
        "127.0.0.2",
        "0.0.0.0",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ]:
        assert "own server" in refused(f"http://{host}:8888/", LOCAL)
        assert "own server" in refused(f"https://{host}:8888/", LOCAL)


def test_plain_http_to_the_host_of_an_https_notebook_is_refused_since_it_goes_on_to_https() -> None:
    assert "own server" in refused("http://hub.example.org/user/mallory/x", HUB)


def test_another_port_of_the_notebooks_host_needs_a_second_confirmation_since_cookies_ignore_ports() -> None:
    assert told("http://127.0.0.1:9999/x", LOCAL).startswith("danger")
    assert NOTEBOOK in told("http://127.0.0.1:9999/x", LOCAL)
    assert NOTEBOOK in told("http://localhost:9999/x", LOCAL)
    assert NOTEBOOK in told("https://hub.example.org:8443/", HUB)
    assert NOTEBOOK in told("https://[::ffff:192.0.2.7]:1/", "https://192.0.2.7")
    assert told("https://other.example.org/", HUB) == "ok: "


def test_own_origins_may_be_whole_addresses_and_what_is_none_of_a_page_is_ignored() -> None:
    own: Any = ["", "null", "no address", "file:///x", "ftp://a", "http://\ud800", "http+unix://x", None, 7]
    assert examine("https://good.example/", own).level == "ok"
    assert "own server" in refused(f"{LOCAL}/x", *own, f"{LOCAL}/lab/tree/a.ipynb?token=x")
    assert examine(f"{LOCAL}/x", LOCAL).level == "refuse", "one address is not its letters"


# Where it leads


def test_plain_http_to_another_machine_needs_a_second_confirmation() -> None:
    assert told("http://good.example/").startswith("danger")
    assert ENCRYPTED in told("http://good.example/")
    assert ENCRYPTED in told("http://192.168.0.1/")


def test_plain_http_to_this_machine_is_told_and_needs_none() -> None:
    assert told("http://localhost:8080/cb").startswith("warn")
    assert BROWSER_SIDE in told("http://localhost:8080/cb")
    assert ENCRYPTED not in told("http://localhost:8080/cb")


@pytest.mark.parametrize(
    "host",
    ["10.0.0.1", "192.168.0.1", "100.64.0.1", "169.254.1.1", "[fd00::1]", "[fe80::1]", "[::ffff:a00:1]"],
)
def test_an_address_of_a_private_network_is_told(host: str) -> None:
    assert told(f"https://{host}/").startswith("warn: It leads into a private network")


@pytest.mark.parametrize("host", ["printer", "nas.local", "router.lan", "x.internal", "x.home.arpa"])
def test_a_name_of_a_private_network_is_told(host: str) -> None:
    assert PRIVATE in told(f"https://{host}./")


def test_a_bare_number_is_told() -> None:
    for host in ("1.1.1.1", "[2606:4700:4700::1111]"):
        assert told(f"https://{host}/").startswith("warn")
        assert NUMBER in told(f"https://{host}/")
        assert examine(f"https://{host}/").domain == host


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1", "①②⑦.0.0.1"])
def test_a_number_in_disguise_is_shown_as_what_it_is(host: str) -> None:
    report = examine(f"https://{host}/")
    assert (report.href, report.host) == ("https://127.0.0.1/", "127.0.0.1")
    assert BROWSER_SIDE in told(f"https://{host}/")
    assert UNUSUAL in told(f"https://{host}/")


def test_a_name_that_stands_for_a_number_is_not_looked_up() -> None:
    assert told("https://127.0.0.1.nip.io/") == "ok: "
    assert examine("https://127.0.0.1.nip.io/").domain == "nip.io"


def test_an_unusual_port_is_told_and_port_0_is_refused() -> None:
    assert told("https://good.example:8443/") == "warn: It uses the port 8443, not the usual one."
    assert told("https://good.example:443/") == "ok: "
    assert told("https://good.example:80/") == "warn: It uses the port 80, not the usual one."
    assert refused("https://good.example:0/") == "Its port does not exist."


def test_a_final_dot_is_told_and_is_no_part_of_the_domain() -> None:
    report = examine("https://www.good.example./")
    assert (report.level, report.host, report.domain) == ("warn", "www.good.example.", "good.example")
    assert report.warnings == ("The name of its host ends in a dot.",)


def test_a_credential_in_the_address_is_told_by_its_name_only() -> None:
    for tail in [
        "?access_token=ghp_1",
        "#id_token=ghp_1",
        "?a=1&Api-Key=ghp_1",
        "?a;pass%77ord=ghp_1",
        "#/?token=ghp_1",
    ]:
        assert "looks like a credential" in told(f"https://good.example/{tail}")
        assert "ghp_1" not in told(f"https://good.example/{tail}")
    assert told("https://good.example/?token=&response_type=id_token&tokens=1&state=token") == "ok: "


def test_what_a_shell_would_run_is_a_path_like_any_other() -> None:
    for tail in ("$(calc)", "?a=1&calc.exe", "%USERPROFILE%", "`id`"):
        assert told(f"https://good.example/{tail}") == "ok: "


# For any input


STARTS = ("https://", "http://", "HTTP:", "//", "/", "\\", "javascript:", "data:,", "ftp://", "file:///")
HOSTS = ("good.example", "evil.example", "a", ".", "-", "_", "localhost", "127.1", "0x7f", "[::1]", "[", "]")
LETTERS = ("xn--", "xn--pple-43d", "xn--zz", "é", "а", "ß", "א", "١", "ー", "💩", "。", "\u0301", "\u0338")
TAILS = ("@", ":", ":0", ":443", ":8888", "%", "%2e", "?", "#", "&token=x", "'", '"', "|", "<", "^", "/../")
HIDDEN = (" ", "\t", "\n", "\x00", "\u200d", "\u202e", "\ud800", "\ufe0f", "\U000e0100")
FRAGMENTS = [*STARTS, *HOSTS, *LETTERS, *TAILS, *HIDDEN]
PIECES = st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join)
TEXTS = PIECES | st.text() | PIECES.map("https://{}".format) | st.text().map("https://a.example/{}".format)
ANYTHING = TEXTS | st.none() | st.integers() | st.binary() | st.lists(TEXTS) | st.dictionaries(TEXTS, TEXTS)
READERS = st.sampled_from([ada, plain])


@given(READERS, ANYTHING, st.lists(TEXTS, max_size=2))
@example(ada, "https://\u0338<.example/", [])
@example(ada, "https://é.xn--zz/", [])
def test_any_object_gets_a_report_whose_parts_fit_together(read: Reader, url: object, own: list[str]) -> None:
    report = examine_by(read, url, own)
    assert report.allowed == (report.level != "refuse")
    if not report.allowed:
        assert report == UrlReport("refuse", report.reason)
        assert report.reason.endswith(".")
        return
    assert isinstance(url, str)
    assert url[:5].lower() == "http:" or url[:6].lower() == "https:"
    assert report.href.isascii()
    assert report.href.isprintable()
    assert report.href.startswith(f"{report.scheme}://{report.host}")
    assert report.scheme in ("http", "https")
    assert "@" not in report.href.split("/")[2]
    assert report.host.removesuffix(".").endswith(report.domain)
    assert (report.level == "ok") == (report.warnings == ())
    assert report.reason == ""


@given(READERS, TEXTS)
def test_the_link_is_read_again_as_the_same_link(read: Reader, url: str) -> None:
    report = examine_by(read, url)
    if report.allowed:
        again = examine_by(read, report.href)
        assert (again.href, again.host, again.domain) == (report.href, report.host, report.domain)


@given(TEXTS | TEXTS.map("https://a.example/?{}".format))
@example("https://a.example/%2e%2e/x")
@example("https://a.example/?'a'#'b'")
@example("https://1.2.3/")
def test_without_the_browsers_parser_less_is_taken_and_nothing_else(url: str) -> None:
    report = examine_by(plain, url)
    if report.allowed:
        assert report == examine_by(ada, url)


# What it costs


def in_a_new_process(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_nothing_is_fetched_looked_up_or_started() -> None:
    watched = """
import sys
seen = []
sys.addaudithook(lambda event, _: seen.append(event))
from jupyter_mcp_elicit.core import examine
levels = {
    "https://good.example/": "ok",
    "http://localhost:1/": "danger",
    "https://b\\u00fccher.example/": "warn",
    "https://1.1.1.1/": "warn",
    "javascript:": "refuse",
}
assert {url: examine(url, ["http://localhost:8888"]).level for url in levels} == levels
names = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "webbrowser.", "urllib.")
print([event for event in seen if event.startswith(names)])
"""
    assert in_a_new_process(watched) == "[]"


def test_the_parsers_are_loaded_on_first_need() -> None:
    heavy = "('ada_url', 'idna', 'publicsuffixlist')"
    code = f"import sys, jupyter_mcp_elicit.core.urls; print([m for m in {heavy} if m in sys.modules])"
    assert in_a_new_process(code) == "[]"


def test_where_the_browsers_parser_is_not_installed_the_plain_one_reads() -> None:
    code = """
import sys
sys.modules["ada_url"] = None  # as if it were not installed
from jupyter_mcp_elicit.core import examine
print(examine("https://good.example").href, examine("https://127.1/").level)
"""
    assert in_a_new_process(code) == "https://good.example/ refuse"
