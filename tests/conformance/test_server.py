"""The official server scenarios on elicitation, against the demo server with the suite's tools."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from .harness import Harness, Outcome

pytestmark = pytest.mark.interop

#: How many there were at the release that the harness is pinned to: a revision's list is frozen.
COUNTS = {"2025-11-25": 3, "2026-07-28": 14}


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

    def run(scenario: str) -> Outcome:
        return harness.server(scenario, revision, demo_url)

    with ThreadPoolExecutor(2) as two:
        outcomes = list(two.map(run, required))
    assert {each.scenario: each.trouble for each in outcomes if each.trouble} == {}
    assert {each.scenario: each.named("SKIPPED") for each in outcomes if each.named("SKIPPED")} == {}
