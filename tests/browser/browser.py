"""Headless Chromium as the machine has it: found, never downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, expect, sync_playwright

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

#: For one action or expectation; generous, since only a failure waits it out.
PATIENCE_MS = 45_000


def chromium() -> str | None:
    """The executable: ``CHROMIUM`` in the environment, else what the path has."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


@contextmanager
def open_browser(
    folder: Path,
    *,
    width: int = 1200,
    height: int = 1000,
    scale: float = 1,
    places: Mapping[str, str] | None = None,
) -> Iterator[BrowserContext]:
    """A browser of a person in Berlin, closed at the end; ``folder`` keeps what it learnt for the next one.

    Its pop-up blocker is on. ``places``: host names and the ``address:port`` that each leads to,
    whatever certificate is there. While it is open, no event loop of anybody else can run in this thread.
    """
    names = [f"MAP {name} {place}" for name, place in (places or {}).items()]
    options = list(OPTIONS)
    if names:
        # By switches: what the driver sets comes too late for a tab that a click opens.
        options += [f"--host-resolver-rules={','.join(names)}", "--ignore-certificate-errors"]
    executable = chromium()
    assert executable is not None, "There is no chromium on the path; name one in CHROMIUM."
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=executable,
            args=options,
            # The driver switches it off, and then a page that opens itself would go unnoticed.
            ignore_default_args=["--disable-popup-blocking"],
            # The order of day and month in date controls follows the machine, not the profile.
            env={**os.environ, "LANGUAGE": "en_US", "LANG": "en_US.UTF-8"},
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
