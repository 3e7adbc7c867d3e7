"""Fetches the JSON-Schema-Test-Suite into ``.cache/json-schema-test-suite/``.

``python tests/core/fetch_suite.py`` takes the copy that the source distribution of jsonschema
carries; ``python tests/core/fetch_suite.py CHECKOUT`` takes the folder of a checkout of the
suite's own repository at the pinned commit, which is newer.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

#: Pinned, so that the counts that tests assert stay what they are.
COMMIT = "44401e0c046704b476ec9d2e2fccdaee618f259d"
SDIST = "jsonschema==4.26.0"

SUITE = Path(__file__).parents[2] / ".cache" / "json-schema-test-suite"
DRAFT = "tests/draft2020-12/"


def fetch(target: Path = SUITE) -> Path:
    """The folder with the suite; its file ``edition`` says which one it is."""
    if not (target / "edition").is_file():
        extract(sdist(), f"json/{DRAFT}", target)
        (target / "edition").write_text(SDIST)
    return target


def sdist() -> bytes:
    """The source distribution, as pip downloads it."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        options = ["--no-deps", "--no-binary", "jsonschema", "--dest", folder, SDIST]
        subprocess.run([*pip, *options], check=True)
        (archive,) = Path(folder).glob("jsonschema-*.tar.gz")
        return archive.read_bytes()


def extract(archive: bytes, folder: str, target: Path) -> None:
    """The files of one folder of the archive's only top folder."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            inner = member.name.partition("/")[2]
            file = tar.extractfile(member) if inner.startswith(folder) and ".." not in inner else None
            if file is not None:
                path = target / inner.removeprefix(folder)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.read())


def copy(checkout: Path, target: Path = SUITE) -> Path:
    """The suite from a checkout of the pinned commit."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(checkout / DRAFT, target)
    (target / "edition").write_text(COMMIT)
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{copy(Path(sys.argv[1])) if len(sys.argv) > 1 else fetch()}\n")
