"""The harness, one Jupyter server for all its client scenarios, and one demo server for all the others."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_process import DEMO, JupyterProcess

from .harness import Harness

RUNTIME = Path(__file__).resolve().parents[1] / "interop" / "peers" / "runtime.py"
SCRIPT = Path("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")


@pytest.fixture(scope="session")
def harness() -> Harness:
    """Skips where it is not installed, but not in CI."""
    spec = importlib.util.spec_from_file_location("conformance_runtime", RUNTIME)
    assert spec is not None
    assert spec.loader is not None
    runtime = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runtime)
    script = runtime.CACHE / SCRIPT
    if not script.is_file() and not os.environ.get("CI"):
        pytest.skip("python tests/interop/peers/install.py was not run")
    # Without loopback.cjs: the suite reads its ports before a server with a host name would have one.
    return Harness((runtime.node()[0], str(script)))


@pytest.fixture(scope="session")
def where(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment that tells ``client.py`` of a running Jupyter server."""
    # A scenario ends once its connection has: kernels that have gone are looked for often.
    root = tmp_path_factory.mktemp("conformance")
    jupyter = JupyterProcess(root, {}, options=("--ElicitApp.reap_every=0.1",))
    try:
        told = {
            "url": jupyter.url,
            "token": jupyter.token,
            "config": str(root / "config" / "mcp.json"),
            "runtime": str(root / "runtime"),
        }
        yield {"MCP_ELICIT_CONFORMANCE": json.dumps(told)}
    finally:
        jupyter.stop()


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    """The demo server with the suite's tools, over HTTP."""
    with _demo("--conformance") as url:
        yield url


@pytest.fixture(scope="session")
def bistro_url() -> Iterator[str]:
    """The demo server as a student meets it, over HTTP."""
    with _demo() as url:
        yield url


@contextlib.contextmanager
def _demo(*options: str) -> Iterator[str]:
    command = [sys.executable, *DEMO[1:], *options, "--http"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            assert "http://" in said, said
            yield said.split()[-1]
        finally:
            process.terminate()
