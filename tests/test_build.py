"""The build: JavaScript is made where it is missing, and a wheel without it is an error."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import STAMP, TARGETS, JavaScriptHook  # noqa: E402


def hook_of(root: Path) -> JavaScriptHook:
    unused: Any = None
    return JavaScriptHook(str(root), {}, unused, unused, str(root), "wheel")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose JavaScript builds at once: its script copies what stands in ``made``."""
    (tmp_path / "js" / "src").mkdir(parents=True)
    (tmp_path / "js" / "src" / "index.ts").write_text("export {};\n")
    for name in ("bundle.mjs", "tsconfig.json"):
        (tmp_path / "js" / name).write_text("{}")
    script = "node -e \"require('fs').cpSync('made', '..', {recursive: true})\""
    package = {"name": "x", "version": "1.0.0", "scripts": {"build": script}}
    (tmp_path / "js" / "package.json").write_text(json.dumps(package))
    lock = {
        "name": "x",
        "version": "1.0.0",
        "lockfileVersion": 3,
        "packages": {"": {"name": "x", "version": "1.0.0"}},
    }
    (tmp_path / "js" / "package-lock.json").write_text(json.dumps(lock))
    for target in (*TARGETS, "jupyter_mcp_elicit/labextension/static/remoteEntry.abc.js"):
        path = tmp_path / "js" / "made" / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("made")
    return tmp_path


def test_the_javascript_is_built_once_and_again_when_its_source_changes(project: Path) -> None:
    hook = hook_of(project)
    hook.initialize("standard", {})
    widget = project / TARGETS[0]
    assert widget.read_text() == "made"
    widget.write_text("kept")
    hook.initialize("standard", {})
    assert widget.read_text() == "kept"
    (project / "js" / "src" / "index.ts").write_text("export const more = 1;\n")
    hook.initialize("standard", {})
    assert widget.read_text() == "made"


@pytest.mark.parametrize("missing", [*TARGETS, "jupyter_mcp_elicit/labextension/static/remoteEntry.abc.js"])
def test_a_build_that_does_not_make_its_javascript_fails_and_names_it(project: Path, missing: str) -> None:
    (project / "js" / "made" / missing).unlink()
    (project / "jupyter_mcp_elicit" / "static").mkdir(parents=True)
    with pytest.raises(RuntimeError, match="did not make"):
        hook_of(project).initialize("standard", {})


def test_a_stamp_alone_does_not_pass_for_a_build(project: Path) -> None:
    hook = hook_of(project)
    hook.initialize("standard", {})
    assert (project / STAMP).is_file()
    shutil.rmtree(project / "jupyter_mcp_elicit" / "labextension")
    hook.initialize("standard", {})
    assert (project / TARGETS[1]).is_file()
