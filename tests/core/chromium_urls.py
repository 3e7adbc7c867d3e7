"""Writes what Chromium makes of each sample address: ``python tests/core/chromium_urls.py [FILE]``.

The file, ``chromium_urls.json`` beside this one when none is named, has the browser and one row
for an address: ``[url, href, protocol, host]`` as ``new URL(url)`` tells them, or ``[url, null]``
where it raises. A row of a link that leads elsewhere, as it does where an address is taken as
relative to a page, has that link's ``href`` at its end. Nothing is loaded.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("chromium_urls.json")

#: Escapes all but plain ASCII, so that the page's text is the JSON text.
PAGE = """<!doctype html><meta charset="utf-8"><base href="https://notebook.example/lab/tree/"><pre></pre>
<script>
const link = document.createElement('a');
const rows = URLS.map(url => {
  link.href = url;
  try {
    const read = new URL(url);
    const row = [read.href, read.protocol, read.host];
    return link.href === read.href ? row : [...row, link.href];
  } catch {
    return [null];
  }
});
const text = JSON.stringify([navigator.userAgent, rows]);
document.querySelector('pre').textContent = text.replace(
  /[^ -~]|[<>&]/g, unit => '\\\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
</script>
"""
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")


def ask(urls: Sequence[str]) -> tuple[str, list[list[Any]]]:
    """Chromium's name, and its row for each address. Raises ``OSError`` where there is no Chromium."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise FileNotFoundError("There is no chromium on the path; name one in CHROMIUM.")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder, "page.html")
        page.write_text(PAGE.replace("URLS", json.dumps([*urls]).replace("<", "\\u003c")), "utf-8")
        profile = f"--user-data-dir={folder}/profile"
        command = [chromium, *OPTIONS, profile, "--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    found = re.search(r"<pre>(.+?)</pre>", done.stdout)
    assert found is not None, done.stderr
    agent, rows = json.loads(found[1])
    browser = re.search(r"Chrome/[0-9]+", agent)
    assert browser is not None, agent
    return browser[0], [[url, *row] for url, row in zip(urls, rows, strict=True)]


def main(target: Path) -> None:
    from honest_urls import HONEST
    from hostile_urls import HOSTILE

    browser, rows = ask([*HONEST, *HOSTILE])
    lines = ",\n".join(json.dumps(row) for row in rows)
    target.write_text(f'{{"browser": {json.dumps(browser)}, "rows": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TABLE)
