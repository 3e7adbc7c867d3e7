"""The notebook about pages runs from its first cell to its last with nobody there, in every revision."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import nbformat
import pytest
from jupyter_process import JupyterProcess
from kernel_client import KernelClient
from nbclient import NotebookClient

from .conftest import ALONE

pytestmark = pytest.mark.timeout(120)

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "03_url_mode.ipynb"

DECLINING = """
from jupyter_mcp_elicit import Decline
answers = [Decline()] * 3
"""

ERAS = ["2025-11-25", "2026-07-28"]


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    process = JupyterProcess(tmp_path_factory.mktemp("pages"), options=ALONE)
    yield process
    process.stop()


def run(jupyter: JupyterProcess, era: str, script: str | None = None) -> tuple[str, list[tuple[str, str]]]:
    """What its cells say, and the answers that the bistro got: tool and action. As programs run it."""
    jupyter.configure({"bistro": jupyter.bistro(era=era)})
    before = len(jupyter.journalled())
    said = []
    with closing(KernelClient(jupyter, interactive=False)) as kernel:
        for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
            if cell.cell_type == "code":
                is_parameters = "parameters" in cell.metadata.get("tags", ())
                done = kernel.run(script if script and is_parameters else cell.source, 60)
                assert done.reply is not None
                assert done.reply["status"] == "ok", done.text
                said.append(done.text)
    lines = jupyter.journalled()[before:]
    return "\n".join(said), [(line["tool"], line["action"]) for line in lines if "action" in line]


@pytest.mark.parametrize("era", ERAS)
def test_with_nobody_there_nothing_is_opened_and_nothing_is_waited_for(
    jupyter: JupyterProcess, era: str
) -> None:
    said, answers = run(jupyter, era)
    assert answers[:2] == [("pay_deposit", "cancel")] * 2
    assert ("pay_deposit", "decline") in answers
    assert "accept" not in {action for _, action in answers}
    assert "nobody is there to answer" in said
    assert "Only a person can agree to open an address" in said
    assert ("No menu today:" in said) == (era == "2025-11-25")
    assert "refuse | javascript:alert(1)" in said


@pytest.mark.parametrize("era", ERAS)
def test_a_script_declines_for_its_person(jupyter: JupyterProcess, era: str) -> None:
    said, answers = run(jupyter, era, DECLINING)
    assert answers[:2] == [("pay_deposit", "decline")] * 2
    assert "You can pay at the counter." in said
    assert "declined by script" in said


def test_without_a_jupyter_server_it_still_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("config", "data", "runtime"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"JUPYTER_{name.upper()}_DIR", str(tmp_path / name))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    journal = tmp_path / "journal.jsonl"
    entry = {"command": sys.executable, "args": ["-m", "jupyter_mcp_elicit.demo", "--journal", str(journal)]}
    config = tmp_path / "config" / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"bistro": entry}}), "utf-8")
    config.chmod(0o600)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    said = json.dumps([cell.get("outputs") for cell in notebook.cells], ensure_ascii=False)
    assert "Please pay at the counter." in said
    assert "Please ask the waiter" in said
    assert not journal.exists()
