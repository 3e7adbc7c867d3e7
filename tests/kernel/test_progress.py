"""A tool's progress in the cell's output, at a pace that no server can drive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from jupyter_mcp_elicit.kernel.progress import PACE, ProgressBar


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[dict[str, Any]]]:
    """What reaches the front end of an IPython."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = InteractiveShell.instance()
    shell.display_pub = CapturingDisplayPublisher()
    yield shell.display_pub.outputs
    InteractiveShell.clear_instance()


def steps(bar: ProgressBar, clock: Clock, *given: tuple[Any, Any, Any]) -> None:
    for each in given:
        bar.update(*each)
        clock.now += PACE


def test_it_is_drawn_once_and_then_redrawn_in_place(drawn: list[dict[str, Any]]) -> None:
    clock = Clock()
    steps(ProgressBar(clock), clock, (0, 4, "Boiling"), (1, 4, "Boiling"), (4, 4, "Done"))
    assert [each["update"] for each in drawn] == [False, True, True]
    assert [each["data"]["text/plain"] for each in drawn] == [
        "[                    ] 0 of 4 Boiling",
        "[#####               ] 1 of 4 Boiling",
        "[####################] 4 of 4 Done",
    ]
    assert 'max="1" value="0.250"' in drawn[1]["data"]["text/html"]
    assert "1 of 4 Boiling" in drawn[1]["data"]["text/html"]


@pytest.mark.parametrize("total", [None, 0, -1, float("nan"), float("inf"), 10**400, "4", True, [4]])
def test_without_a_total_it_is_a_bar_without_an_end(drawn: list[dict[str, Any]], total: Any) -> None:
    ProgressBar(Clock()).update(3, total, None)
    bundle = drawn[0]["data"]
    assert bundle["text/plain"] == "3"
    assert "<progress  style" in bundle["text/html"]


def test_words_without_a_number_stand_beside_the_bar_as_it_was(drawn: list[dict[str, Any]]) -> None:
    clock = Clock()
    steps(
        ProgressBar(clock), clock, (None, None, "Waiting"), (1, 4, "Boiling"), (None, None, "Still boiling")
    )
    assert [each["data"]["text/plain"] for each in drawn] == [
        "Waiting",
        "[#####               ] 1 of 4 Boiling",
        "[#####               ] 1 of 4 Still boiling",
    ]
    assert "<progress  style" in drawn[0]["data"]["text/html"]


def test_neither_a_number_nor_words_draw_nothing(drawn: list[dict[str, Any]]) -> None:
    for message in (None, "", 7):
        ProgressBar(Clock()).update(None, 4, message)
    assert drawn == []


@pytest.mark.parametrize("progress", ["3", True, float("nan"), float("-inf"), 10**400, {}])
def test_numbers_that_are_none_draw_nothing(drawn: list[dict[str, Any]], progress: Any) -> None:
    ProgressBar(Clock()).update(progress, 4, "words")
    assert drawn == []


@pytest.mark.parametrize(("progress", "bar"), [(-5, " " * 20), (99, "#" * 20)])
def test_a_bar_never_leaves_its_frame(drawn: list[dict[str, Any]], progress: int, bar: str) -> None:
    ProgressBar(Clock()).update(progress, 4, None)
    assert drawn[0]["data"]["text/plain"] == f"[{bar}] {progress} of 4"


def test_a_flood_is_drawn_at_our_pace_and_its_end_at_once(drawn: list[dict[str, Any]]) -> None:
    clock = Clock()
    bar = ProgressBar(clock)
    for step in range(10_000):
        bar.update(step, 10_000, None)
        clock.now += 0.0001
    assert len(drawn) <= 1 / PACE + 1
    for _ in range(100):
        bar.update(10_000, 10_000, "done")
    assert drawn[-1]["data"]["text/plain"].endswith("10000 of 10000 done")
    assert len(drawn) <= 1 / PACE + 2


def test_words_of_the_server_are_text(drawn: list[dict[str, Any]]) -> None:
    ProgressBar(Clock()).update(1, 2, "<script>alert(1)</script>\x1b[2J\u202e $x$")
    bundle = drawn[0]["data"]
    assert "<script" not in bundle["text/html"]
    assert "mathjax_ignore" in bundle["text/html"]
    for kind in ("text/plain", "text/html"):
        assert not {"\x1b", "\u202e"} & set(bundle[kind])


@pytest.mark.parametrize("message", [None, 7, ["x"], {"a": 1}])
def test_words_that_are_none_are_left_out(drawn: list[dict[str, Any]], message: Any) -> None:
    ProgressBar(Clock()).update(1, 2, message)
    assert drawn[0]["data"]["text/plain"].endswith("1 of 2")
