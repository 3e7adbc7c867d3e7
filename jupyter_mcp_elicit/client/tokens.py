"""Where sign-ins are kept: in the system's keyring, or in files that only their user may read."""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import json
import logging
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_data_dir

from ..core.errors import LocalError
from .keyring import Keyring, system_keyring

log = logging.getLogger(__name__)

Record = dict[str, Any]

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Key:
    """Whose sign-in: of this user, at this server, under this address."""

    server: str
    url: str

    @property
    def digest(self) -> str:
        """64 hex digits: another user, name or address never finds it."""
        return hashlib.sha256(json.dumps([_user(), self.server, self.url]).encode()).hexdigest()


class Tokens:
    """One file (0600, in a directory 0700) for each sign-in; with a keyring, the file only says that
    it is there. So the file's age tells whether another program has signed in or out.

    ``keyring``: ``None`` where there is none to be trusted; ``"system"`` looks for one on first use.
    """

    def __init__(self, directory: Path, keyring: Keyring | None | str = "system") -> None:
        self._directory = Path(directory)
        self._keyring = keyring

    @classmethod
    def of_user(cls) -> Tokens:
        """The one that every Jupyter server of this user keeps."""
        return cls(Path(jupyter_data_dir()) / "mcp-elicit" / "sign-ins")

    def stamp(self, key: Key) -> int:
        """Changes whenever the record does; 0 when there is none."""
        try:
            return self._path(key).stat().st_mtime_ns
        except OSError:
            return 0

    def read(self, key: Key) -> Record:
        """What was written; ``{}`` when nothing, or nothing that can be used.

        ``LocalError`` when others could have read it.
        """
        shape = self._file(self._path(key))
        if shape.get("in") == "keyring":
            ring = self._ring()
            text = "" if ring is None else ring.read(key.digest)
            try:
                record = json.loads(text or "{}")
            except ValueError:
                record = {}
        else:
            record = shape.get("record")
        return record if isinstance(record, dict) else {}

    def write(self, key: Key, record: Record) -> None:
        """Keep ``record``. Never raises: at worst a person signs in again."""
        shape: Record = {"format": _FORMAT, "server": key.server, "in": "keyring"}
        ring = self._ring()
        if ring is None or not ring.write(key.digest, json.dumps(record)):
            shape |= {"in": "file", "record": record}
        try:
            self._replace(self._path(key), shape)
        except OSError:
            log.warning("The sign-in to an MCP server cannot be kept in %s", self._directory, exc_info=True)

    def forget(self, server: str) -> int:
        """Forget all sign-ins at ``server``, whatever its address was; how many there were."""
        found = 0
        for path in self._directory.glob("*.json") if self._directory.is_dir() else ():
            try:
                shape = self._file(path)
            except LocalError:
                # Others can read it: all the more reason.
                shape = _parsed(path.read_bytes())
            if shape.get("server") == server:
                if shape.get("in") == "keyring" and (ring := self._ring()) is not None:
                    ring.forget(path.stem)
                path.unlink()
                found += 1
        return found

    def _path(self, key: Key) -> Path:
        return self._directory / f"{key.digest}.json"

    def _ring(self) -> Keyring | None:
        if isinstance(self._keyring, str):
            self._keyring = system_keyring()
        return self._keyring

    def _file(self, path: Path) -> Record:
        try:
            with path.open("rb") as file:
                _check_private(path, os.fstat(file.fileno()))
                return _parsed(file.read())
        except FileNotFoundError:
            return {}
        except OSError:
            log.warning("%s cannot be read and is ignored", path)
            return {}

    def _replace(self, path: Path, shape: Record) -> None:
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp makes it 0600; replacing is atomic, so a reader never sees half of it.
        descriptor, name = tempfile.mkstemp(dir=self._directory, prefix=".new-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(shape, file)
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise


def _parsed(text: bytes) -> Record:
    try:
        shape = json.loads(text)
    except ValueError:
        return {}
    return shape if isinstance(shape, dict) and shape.get("format") == _FORMAT else {}


def _check_private(path: Path, found: os.stat_result) -> None:
    if os.name != "posix":
        return
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise LocalError(
            f"{path} holds a sign-in that others can read, and is not used.",
            hint=f"Delete it (rm {path}) and sign in again.",
        )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
