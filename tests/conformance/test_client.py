"""The official client scenarios, through the running extension: what a revision requires is passed."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .harness import Harness, Outcome

pytestmark = pytest.mark.interop

CLIENT = [sys.executable, str(Path(__file__).with_name("client.py"))]

#: Written after both revisions, so required by neither; passed all the same.
LATER = ["json-schema-2020-12-preservation"]

#: Checks about what we never do: there is nothing of it that could be wrong.
NOT_OURS = {
    "request-metadata": {"ClientDeclaresRootsCapability", "ClientDeclaresSamplingCapability"},
    "http-standard-headers": {
        *("ClientMcpMethodHeader_initialize", "ClientMcpMethodHeader_notifications_initialized"),
        *(f"ClientMcpMethodHeader_{kind}_list" for kind in ("resources", "prompts")),
        *(f"Client{header}Header_resources_read" for header in ("McpMethod", "McpName")),
        *(f"Client{header}Header_prompts_get" for header in ("McpMethod", "McpName")),
    },
}


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_every_required_scenario_passes(harness: Harness, where: dict[str, str], revision: str) -> None:
    required = harness.required("client", revision)

    def run(scenario: str) -> Outcome:
        return harness.client(scenario, revision, CLIENT, where)

    with ThreadPoolExecutor(2) as two:
        outcomes = list(two.map(run, [*required, *LATER]))
    assert {each.scenario: each.trouble for each in outcomes if each.trouble} == {}
    skipped = {each.scenario: set(each.named("SKIPPED")) for each in outcomes if each.named("SKIPPED")}
    assert skipped == {scenario: names for scenario, names in NOT_OURS.items() if scenario in required}


def test_a_client_that_says_nothing_passes_no_scenario(harness: Harness) -> None:
    for scenario in ("elicitation-sep1034-client-defaults", "tools_call"):
        assert harness.client(scenario, "2025-11-25", [sys.executable, "-c", "pass"], {}).trouble


def test_a_scenario_that_the_harness_skips_has_not_passed(harness: Harness, where: dict[str, str]) -> None:
    # The harness itself ends with 0 here: the handshake is not part of this revision.
    outcome = harness.client("initialize", "2026-07-28", CLIENT, where)
    assert "no check succeeded" in outcome.trouble
