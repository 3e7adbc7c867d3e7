"""Headless Chromium as the machine has it: found, never downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, sync_playwright

#: Containers have neither a sandbox nor a graphics card, and nothing may call home.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)

#: For one action of a person; generous, since it is only ever waited out by a failure.
PATIENCE_MS = 45_000


def chromium() -> str | None:
    """The executable: ``CHROMIUM`` in the environment, else what the path has."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser, closed at the end. No other event loop can run in this thread meanwhile."""
    executable = chromium()
    assert executable is not None, "There is no chromium on the path; name one in CHROMIUM."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=list(OPTIONS),
            # The order of day and month in date controls follows the machine, not the profile.
            env={**os.environ, "LANGUAGE": "en_US", "LANG": "en_US.UTF-8"},
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_profile(
    browser: Browser, *, width: int = 1200, height: int = 1000, scale: float = 1
) -> Iterator[BrowserContext]:
    """Cookies, storage and cache of its own; a person in Berlin."""
    profile = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        timezone_id="Europe/Berlin",
        locale="en-GB",
    )
    profile.set_default_timeout(PATIENCE_MS)
    try:
        yield profile
    finally:
        profile.close()
