"""Fixtures that every room's tests share: real processes, ended by their id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import JupyterProcess
from kernel_client import KernelClient

pytest_plugins = ["pytest_jupyter.jupyter_server"]


@pytest.fixture
def start_jupyter(tmp_path: Path) -> Iterator[Callable[..., JupyterProcess]]:
    """Starts Jupyter servers with the configuration that a test needs, and stops them."""
    started: list[JupyterProcess] = []

    def start(servers: dict[str, Any] | None = None, **options: Any) -> JupyterProcess:
        started.append(JupyterProcess(tmp_path / f"jupyter{len(started)}", servers, **options))
        return started[-1]

    yield start
    for process in started:
        process.stop()


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    """One Jupyter server with the demo bistro, for the tests of a module that leave it clean."""
    process = JupyterProcess(tmp_path_factory.mktemp("jupyter"))
    yield process
    process.stop()


@pytest.fixture
def kernel(jupyter: JupyterProcess) -> Iterator[KernelClient]:
    """A fresh kernel of the module's Jupyter server."""
    client = KernelClient(jupyter)
    yield client
    client.close()
