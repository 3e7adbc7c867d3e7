"""International names: read out, and their faults told."""

from __future__ import annotations

import pytest

from jupyter_mcp_elicit.core import examine
from jupyter_mcp_elicit.core.international import international


@pytest.mark.parametrize("url", ["https://xn--pple-43d.com/", "https://аpple.com/"])
def test_a_name_in_mixed_scripts_needs_a_second_confirmation(url: str) -> None:
    report = examine(url)
    assert report.level == "danger"
    assert (report.host, report.unicode_host) == ("xn--pple-43d.com", "аpple.com")
    assert report.domain == "xn--pple-43d.com", "what is emphasised is what opens, in ASCII"
    assert "mixes Cyrillic and Latin letters" in report.warnings[0]
    assert 'reads "аpple.com"' in report.warnings[1]


def test_a_name_all_in_look_alike_letters_is_shown_in_ascii_with_what_it_reads_as() -> None:
    report = examine("https://аррӏе.com/")
    assert (report.level, report.href) == ("warn", "https://xn--80ak6aa92e.com/")
    assert report.warnings == (
        'Its name is international and reads "аррӏе.com": other letters may look the same.',
    )


@pytest.mark.parametrize("name", ["faß.de", "ς.example", "bücher.test.", "BÜCHER.example", "cafe\u0301.la"])
def test_an_honest_international_name_is_read_out_and_not_called_unusual(name: str) -> None:
    report = examine(f"https://{name}/")
    assert report.level == "warn"
    assert report.host.startswith("xn--")
    assert report.unicode_host != ""
    assert not any("unusual" in warning for warning in report.warnings)


@pytest.mark.parametrize("name", ["ラーメン.jp", "日本ラーメン", "人々", "東京tower", "한국語", "ㄅ中"])
def test_japanese_chinese_and_korean_names_mix_their_scripts_honestly(name: str) -> None:
    assert examine(f"https://{name}.example/").level == "warn"


@pytest.mark.parametrize("name", ["gοοgle", "日本а", "aբ", "wwwʼs", "цa日"])
def test_other_mixtures_are_dangerous(name: str) -> None:
    assert examine(f"https://{name}.example/").level == "danger"


def test_parts_in_different_scripts_are_no_mixture() -> None:
    assert examine("https://почта.münchen.example/").level == "warn"


@pytest.mark.parametrize("name", ["💩.la", "☃.example", "good.example⁄evil", "xn--ls8h.la"])
def test_a_name_that_is_no_valid_international_one_is_dangerous(name: str) -> None:
    report = examine(f"https://{name}/")
    assert report.level == "danger"
    assert report.unicode_host == ""
    assert "A part of its name is no valid international name." in report.warnings


@pytest.mark.parametrize("name", ["xn--a.example", "xn--.example"])
def test_a_name_that_stands_for_no_letters_is_dangerous_where_it_can_be_opened(name: str) -> None:
    # Chromium opens these, older releases of ada-url do not.
    assert examine(f"https://{name}/").level in ("danger", "refuse")


@pytest.mark.parametrize("name", ["1。ا", "a\u0870b", "\u0898\u0898", "א.1b", "\u0301good"])
def test_a_name_that_breaks_the_rules_of_its_letters_is_refused_as_browsers_do(name: str) -> None:
    assert examine(f"https://{name}/").level == "refuse"


@pytest.mark.parametrize("name", ["ｇood", "ⓖood", "𝐠ood", "good。test", "good．test", "good｡test"])
def test_letters_that_turn_into_plain_ones_are_told(name: str) -> None:
    report = examine(f"https://{name}.example/")
    assert (report.level, report.unicode_host) == ("warn", "")
    assert report.warnings == (f"Its host was written in an unusual way; what opens is {report.host}.",)
    assert report.host in ("good.example", "good.test.example")


def test_a_joiner_that_the_name_is_allowed_is_shown_as_a_box() -> None:
    name = international("xn--mgba3gch31f060k.example")
    assert name is not None
    assert name.reads == "نامه[U+200C]ای.example"
    assert name.faults == ()


def test_a_name_in_ascii_is_not_international() -> None:
    assert international("good.example") is None
    assert examine("https://good.example/").unicode_host == ""
