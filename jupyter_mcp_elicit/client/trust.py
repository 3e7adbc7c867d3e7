"""What each server's entry looked like when it last started, and in which era it can ask."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .spec import ServerSpec
from .words import mask, shown_url

log = logging.getLogger(__name__)

State: TypeAlias = Literal["new", "same", "changed"]

_FORMAT = 1

#: What may be remembered of a server that cannot ask in the newest era.
ERAS = ("legacy",)


class TrustStore:
    """A JSON file (0600, in a directory 0700) with digests, names and masked words; no secret's value.

    A file that is missing, broken or not ours counts as empty: every server is then ``new``.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(path)
        self._entries = self._read()

    @classmethod
    def of_user(cls) -> TrustStore:
        """The one in this user's Jupyter data directory, which all programs of theirs share."""
        from jupyter_core.paths import jupyter_data_dir

        return cls(Path(jupyter_data_dir()) / "mcp-elicit" / "started.json")

    def state(self, spec: ServerSpec) -> State:
        """``new``: never started; ``changed``: started as something else."""
        entry = self._entries.get(spec.name)
        if entry is None:
            return "new"
        return "same" if entry.get("digest") == spec.digest else "changed"

    def changes(self, spec: ServerSpec) -> list[str]:
        """What differs from its last start, one line each; ``[]`` when nothing does or it is new."""
        entry = self._entries.get(spec.name)
        if entry is None or entry.get("digest") == spec.digest:
            return []
        old, new = entry.get("shown", {}), _shown(spec)
        lines = [
            f"{part}: {old.get(part) or '(none)'} → {new[part] or '(none)'}"
            for part in ("command", "args", "cwd", "url")
            if old.get(part, "") != new[part]
        ]
        before, now = entry.get("hashes", {}), _hashes(spec)
        for part in ("env", "headers"):
            lines += _named_changes(part, before.get(part, {}), now[part])
        for part in ("args", "url"):
            # Masked alike, yet not the same: say so without the value.
            if old.get(part, "") == new[part] and before.get(part) != now[part]:
                lines.append(f"{part}: a hidden value changed")
        return lines or ["The entry changed."]

    def record(self, spec: ServerSpec) -> None:
        """``spec`` starts now, and was agreed to. Never raises: at worst it is asked again."""
        entry = {"digest": spec.digest, "shown": _shown(spec), "hashes": _hashes(spec)}
        if era := self._era(spec):
            entry["era"] = era
        self._keep(spec, entry)

    def in_era(self, spec: ServerSpec) -> ServerSpec:
        """``spec`` in the era that a person agreed to for this very entry, where it leaves that open."""
        era = self._era(spec) if spec.era == "auto" else ""
        return replace(spec, era=era) if era else spec

    def record_era(self, spec: ServerSpec, era: str) -> None:
        """From now on :meth:`in_era` gives ``spec`` in ``era``, until its entry changes."""
        self._keep(spec, {**self._entries.get(spec.name, {}), "digest": spec.digest, "era": era})

    def _era(self, spec: ServerSpec) -> str:
        entry = self._entries.get(spec.name, {})
        era = entry.get("era") if entry.get("digest") == spec.digest else ""
        return era if era in ERAS else ""

    def _keep(self, spec: ServerSpec, entry: dict[str, Any]) -> None:
        if self._entries.get(spec.name) == entry:
            return
        # Another Jupyter server may have written since.
        self._entries = {**self._read(), spec.name: entry}
        try:
            self._write()
        except OSError:
            log.warning("What MCP servers were started cannot be remembered in %s", self._path, exc_info=True)

    def forget(self, name: str) -> None:
        """The next start of ``name`` is its first."""
        self._entries = {key: value for key, value in self._read().items() if key != name}
        self._write()

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            with self._path.open("rb") as file:
                found = os.fstat(file.fileno())
                if os.name == "posix" and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
                    log.warning("%s is ignored: others can write it", self._path)
                    return {}
                data = json.loads(file.read())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            log.warning("%s cannot be read and is ignored", self._path)
            return {}
        servers = data.get("servers") if isinstance(data, dict) and data.get("format") == _FORMAT else None
        if not isinstance(servers, dict):
            return {}
        return {name: entry for name, entry in servers.items() if isinstance(entry, dict)}

    def _write(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps({"format": _FORMAT, "servers": self._entries}, indent=1, ensure_ascii=False)
        # mkstemp makes it 0600; replacing is atomic, so a reader never sees half of it.
        descriptor, name = tempfile.mkstemp(dir=self._path.parent, prefix=".started-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise


def _shown(spec: ServerSpec) -> dict[str, str]:
    return {
        "command": spec.command,
        "args": " ".join(mask(spec.args)),
        "cwd": spec.cwd,
        "url": shown_url(spec.url) if spec.url else "",
    }


def _hashes(spec: ServerSpec) -> dict[str, Any]:
    return {
        "args": _hash(json.dumps(spec.args)),
        "url": _hash(spec.url),
        "env": {name: _hash(value) for name, value in spec.env.items()},
        "headers": {name: _hash(value) for name, value in spec.headers.items()},
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _named_changes(part: str, before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    lines = [f"{part}: {name} added" for name in now if name not in before]
    lines += [f"{part}: {name} removed" for name in before if name not in now]
    return lines + [f"{part}: {name} changed" for name in now if before.get(name, now[name]) != now[name]]
