"""The documentation says what the code does: nothing is left out, and every example is run."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

import jupyter_mcp_elicit
from jupyter_mcp_elicit import command, core
from jupyter_mcp_elicit.broker import WhenBusy
from jupyter_mcp_elicit.client import config
from jupyter_mcp_elicit.client.spec import ERAS, MODES, ServerSpec
from jupyter_mcp_elicit.core.lifecycle import Delivery, Event, State
from jupyter_mcp_elicit.kernel.toolbox import McpServer
from jupyter_mcp_elicit.server.app import ElicitApp

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
API: dict[str, Any] = yaml.safe_load((files("jupyter_mcp_elicit.server") / "rest-api.yml").read_text("utf-8"))


@cache
def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


@cache
def rows(name: str) -> dict[str, list[str]]:
    """The rows of a page's tables by their first cell."""
    found = [line.strip("| ").split(" | ") for line in page(name).splitlines() if line.startswith("| ")]
    return {cells[0]: cells[1:] for cells in found}


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_diagrams_are_those_of_the_tables_in_the_code() -> None:
    make_states = load(DOCS / "make_states.py")
    assert make_states.filled(page("states.md")) == page("states.md"), "run: python docs/make_states.py"


def test_a_page_without_a_place_for_a_diagram_is_not_filled_in_silence() -> None:
    make_states = load(DOCS / "make_states.py")
    with pytest.raises(ValueError, match="one place for question"):
        make_states.filled("# The life of a question\n")


def test_every_state_and_every_event_is_explained() -> None:
    for state in (*State, *Delivery):
        assert re.search(rf"^- .*\*\*{state.value}\*\*", page("states.md"), re.MULTILINE), state
    makers = ", ".join(first for first in rows("states.md"))
    for event in Event:
        assert re.search(rf"\b{event.value}\b", makers), event


def test_the_examples_of_drafts_come_out_as_written() -> None:
    outcome = doctest.testfile(
        str(DOCS / "drafts.md"),
        module_relative=False,
        optionflags=doctest.NORMALIZE_WHITESPACE,
        encoding="utf-8",
    )
    assert outcome.attempted > 30
    assert outcome.failed == 0


def test_every_kind_of_field_has_its_draft() -> None:
    table = " ".join(rows("drafts.md"))
    for kind in core.field.Kind:
        assert f"`{kind.value}`" in table, kind


OWN_TRAITS = ElicitApp.class_own_traits(config=True)


@pytest.mark.parametrize("name", OWN_TRAITS)
def test_every_trait_has_its_default_and_its_help(name: str) -> None:
    default, help_text = rows("configuration.md")[f"`ElicitApp.{name}`"]
    trait = OWN_TRAITS[name]
    assert default == f"`{trait.default()!r}`"
    assert help_text == " ".join(trait.help.split())


def test_no_trait_is_explained_that_does_not_exist() -> None:
    named = set(re.findall(r"ElicitApp\.(\w+)", "".join(page(each.name) for each in PAGES)))
    assert named == OWN_TRAITS.keys()


def test_the_ways_to_be_busy_are_those_of_the_broker() -> None:
    assert sorted(get_args(WhenBusy)) == sorted(ElicitApp.when_busy.values or ())


@pytest.mark.parametrize("key", config._KEYS)
def test_every_key_of_an_entry_is_explained(key: str) -> None:
    assert f"`{key}`" in rows("configuration.md")


def test_the_keys_that_are_ours_have_the_defaults_of_the_code() -> None:
    spec = ServerSpec(name="x", command="x")
    table = rows("configuration.md")
    for key, value in {
        "era": spec.era,
        "elicitation": list(spec.capabilities),
        "deadline": spec.deadline,
        "clientCompletion": spec.client_completion,
        "disabled": spec.disabled,
        "args": list(spec.args),
        "env": dict(spec.env),
        "headers": dict(spec.headers),
        "cwd": spec.cwd,
    }.items():
        assert table[f"`{key}`"][0] == f"`{json.dumps(value)}`", key


def test_every_era_and_every_mode_is_named() -> None:
    table = rows("configuration.md")
    assert [era for era in ERAS if f"`{era}`" not in table["`era`"][1]] == []
    assert [mode for mode in MODES if f"`{mode}`" not in table["`elicitation`"][1]] == []


def test_the_example_of_a_configuration_is_read_without_a_problem() -> None:
    [example] = re.findall(r"```json\n(.*?)```", page("configuration.md"), re.DOTALL)
    specs, problems = config.parse_servers(json.loads(example), environ={"LIBRARY_TOKEN": "t"})
    assert list(specs) == ["bistro", "library"]
    assert problems == []
    assert specs["library"].deadline == 120


def test_every_command_is_explained_in_the_words_of_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--help"])
    told = re.findall(r"^    (\w[\w-]*)", capsys.readouterr().out, re.MULTILINE)
    assert told
    for name in told:
        assert f"`jupyter mcp-elicit {name}`" in rows("configuration.md"), name


@pytest.mark.parametrize("module", [jupyter_mcp_elicit, core])
def test_every_public_name_is_explained(module: Any) -> None:
    section = page("api.md").split("\n## ")[1 if module is jupyter_mcp_elicit else 2]
    named = {name for line in section.splitlines() for name in re.findall(r"`(\w+)`", line.split(" | ")[0])}
    assert named - {"jupyter_mcp_elicit"} == set(module.__all__)


def test_everything_that_a_connected_server_does_is_explained() -> None:
    section = page("api.md").split("\n## ")[4]
    assert section.startswith("A connected server")
    named = {name for line in section.splitlines() for name in re.findall(r"`(\w+)`", line.split(" | ")[0])}
    public = {name for name in vars(McpServer("bistro", None)) | vars(McpServer) if not name.startswith("_")}  # type: ignore[arg-type]
    assert named - {"connect"} == public


def test_every_route_is_explained() -> None:
    routes = {
        f"`{verb.upper()} {path}`"
        for path, item in API["paths"].items()
        for verb in item
        if verb in ("get", "post", "put", "patch", "delete")
    }
    assert {first for first in rows("api.md") if "/mcp-elicit/" in first} == routes


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_between_our_pages_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?://)([^)#]+)", page(path.name))
    assert [link for link in links if not (path.parent / link).exists()] == []
