"""Fixtures of the core's tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

_SUITE = Path(__file__).parents[2] / ".cache" / "json-schema-test-suite"

# A slow machine is no fault of a value.
settings.register_profile("core", deadline=None)
settings.load_profile("core")


@pytest.fixture(scope="session")
def suite() -> Path:
    """The folder of the JSON-Schema-Test-Suite, fetched when it is not there."""
    if not (_SUITE / "edition").is_file():
        subprocess.run([sys.executable, str(Path(__file__).with_name("fetch_suite.py"))], check=True)
    return _SUITE
