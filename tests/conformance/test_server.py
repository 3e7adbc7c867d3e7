"""The official server scenarios on elicitation, against the demo server with the suite's tools."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from .harness import Harness, Outcome

pytestmark = pytest.mark.interop

#: How many there were at the release that the harness is pinned to: a revision's list is frozen.
COUNTS = {"2025-11-25": 3, "2026-07-28": 14}

#: Scenarios that call no tool by name, so that any server can pass them. The list of a revision has some.
ANY_SERVER = {
    "2025-11-25": {
        *("server-initialize", "logging-set-level", "ping", "tools-list"),
        *("server-sse-multiple-streams", "dns-rebinding-protection"),
    },
    "2026-07-28": {
        *("tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"),
        "input-required-result-unsupported-methods",
    },
}


@pytest.mark.parametrize("revision", COUNTS)
def test_every_required_scenario_on_elicitation_passes(
    harness: Harness, demo_url: str, revision: str
) -> None:
    required = [
        each
        for each in harness.required("server", revision)
        if "elicitation" in each or each.startswith("input-required-")
    ]
    assert len(required) == COUNTS[revision]

    assert _troubles(harness, demo_url, revision, required) == {}


@pytest.mark.parametrize("revision", ANY_SERVER)
def test_the_bistro_passes_what_any_server_can_pass(harness: Harness, bistro_url: str, revision: str) -> None:
    assert set(harness.required("server", revision)) >= ANY_SERVER[revision]
    assert _troubles(harness, bistro_url, revision, sorted(ANY_SERVER[revision])) == {}


def _troubles(harness: Harness, url: str, revision: str, scenarios: list[str]) -> dict[str, str]:
    """What did not pass, and which checks were skipped, by scenario."""

    def run(scenario: str) -> Outcome:
        return harness.server(scenario, revision, url)

    with ThreadPoolExecutor(2) as two:
        outcomes = list(two.map(run, scenarios))
    found = {each.scenario: each.trouble or f"skipped: {each.named('SKIPPED')}" for each in outcomes}
    return {name: what for name, what in found.items() if what != "skipped: []"}
