"""The ``mcpServers`` JSON that the ecosystem already uses, plus our keys; read from trusted files only."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..core.errors import LocalError
from .credentials import Credentials
from .spec import ServerSpec, check_key

__all__ = ["FILE_NAME", "ServerSpec", "load_servers", "parse_servers", "read_file"]

FILE_NAME = "mcp.json"
MAX_BYTES = 1024 * 1024

Servers = tuple[dict[str, ServerSpec], list[str]]

_STDIO_TYPES = ("stdio", "local")
_HTTP_TYPES = ("http", "streamable-http", "streamableHttp", "streamable_http", "remote")
_KEYS: dict[str, tuple[type, ...]] = {
    "command": (str,),
    "args": (list,),
    "env": (dict,),
    "cwd": (str,),
    "url": (str,),
    "headers": (dict,),
    "oauth": (dict, bool),
    "type": (str,),
    "era": (str,),
    "elicitation": (list,),
    "deadline": (int, float),
    "clientCompletion": (bool,),
    "disabled": (bool,),
}


def parse_servers(data: Mapping[str, Any], *, environ: Mapping[str, str] | None = None) -> Servers:
    """Specs by name, and one sentence for each thing that is wrong or ignored.

    ``data`` is ``{"mcpServers": {name: {command, args, env, cwd} | {url, headers, type}}}``
    with our keys beside them: ``oauth`` (an object, or false), ``era``, ``elicitation`` (list of
    modes), ``deadline`` (seconds), ``clientCompletion``, ``disabled``. A server that is wrong is
    left out and the others still load. Each ``${env:NAME}`` must be set in ``environ``.
    """
    environ = os.environ if environ is None else environ
    specs: dict[str, ServerSpec] = {}
    problems = [f'The key "{key}" is not known and was ignored.' for key in data if key != "mcpServers"]
    servers = data.get("mcpServers", {})
    if not isinstance(servers, Mapping):
        return {}, [*problems, '"mcpServers" must be an object.']
    for name, entry in servers.items():
        spec, wrong = _server_or_why(name, entry, environ)
        problems += wrong
        if spec is not None:
            specs[name] = spec
    return specs, problems


def read_file(path: Path) -> dict[str, Any]:
    """The JSON object in ``path``; ``LocalError`` with the path, the reason and the way out.

    Like ssh: a regular file of at most 1 MiB that we or root own and nobody else can
    write, in a directory that nobody else can write.
    """
    path = Path(path)
    try:
        # Path.open knows no opener.
        with open(_resolve(path), "rb", opener=_open_no_link) as file:
            _check_trust(path, os.fstat(file.fileno()))
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _refuse(path, (error.strerror or "it cannot be opened").lower()) from error
    if len(text) > MAX_BYTES:
        raise _refuse(path, f"it is larger than {MAX_BYTES // 1024} KiB")
    try:
        data = json.loads(text.decode("utf-8-sig"), object_pairs_hook=_no_repeats)
    except UnicodeDecodeError as error:
        raise _refuse(path, f"it is not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise _refuse(
            path, f"line {error.lineno} is not JSON: {error.msg}", "Comments are not JSON."
        ) from error
    except (ValueError, RecursionError) as error:
        raise _refuse(path, str(error) or "it is not JSON") from error
    if not isinstance(data, dict):
        raise _refuse(path, "it does not hold a JSON object")
    return data


def load_servers(
    config_dirs: Iterable[Path],
    extra: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
) -> Servers:
    """The servers of each directory's ``mcp.json``; the first that names a server wins.

    ``extra`` (same shape, or only the inner ``{name: entry}``) goes before the files.
    A file that is not there is no problem; one that cannot be trusted is, and is not read.
    """
    specs: dict[str, ServerSpec] = {}
    problems: list[str] = []
    sources: list[tuple[str, Mapping[str, Any]]] = []
    if extra:
        sources.append(("", extra if "mcpServers" in extra else {"mcpServers": extra}))
    for path in dict.fromkeys(Path(each) / FILE_NAME for each in config_dirs):
        if not os.path.lexists(path):
            continue
        try:
            sources.append((f" ({path})", read_file(path)))
        except LocalError as error:
            problems.append(str(error))
    for where, data in sources:
        found, wrong = parse_servers(data, environ=environ)
        problems += [problem + where for problem in wrong]
        specs = found | specs
    return specs, problems


def _server_or_why(
    name: str, entry: object, environ: Mapping[str, str]
) -> tuple[ServerSpec | None, list[str]]:
    try:
        check_key(name)
        spec, notes = _parse_server(name, entry)
        if not spec.disabled:
            spec.expand(environ)
    except LocalError as error:
        return None, [str(error)]
    return spec, notes


def _parse_server(name: str, entry: object) -> tuple[ServerSpec, list[str]]:
    def wrong(what: str, hint: str = "") -> LocalError:
        return LocalError(f'The server "{name}" {what}.', hint=hint)

    if not isinstance(entry, Mapping):
        raise wrong("must be an object")
    notes: list[str] = []
    given: dict[str, Any] = {}
    for key, value in entry.items():
        if key not in _KEYS:
            notes.append(f'The server "{name}" has the key "{key}", which is not known and was ignored.')
            continue
        allowed = _KEYS[key]
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            raise wrong(f'has a "{key}" of the wrong kind')
        given[key] = value
    for key in ("args", "elicitation"):
        if not all(isinstance(each, str) for each in given.get(key, ())):
            raise wrong(f'has something else than text in "{key}"')
    for key in ("env", "headers"):
        if not all(isinstance(each, str) for each in given.get(key, {}).values()):
            raise wrong(f'has something else than text in "{key}"')
    oauth: Credentials | None = Credentials()
    if given.get("oauth") is False:
        oauth = None
    elif isinstance(given.get("oauth"), Mapping):
        try:
            oauth, unknown = Credentials.read(given["oauth"])
        except LocalError as error:
            raise wrong(f'has an "oauth" that does not fit: {error}') from None
        notes += [
            f'The server "{name}" has "{key}" in "oauth", which is not known and was ignored.'
            for key in unknown
        ]
    kind = given.pop("type", None)
    if kind == "sse":
        raise wrong(
            'has "type": "sse", the HTTP transport of 2024, which is not supported', "Use its /mcp address."
        )
    expected = _STDIO_TYPES if "command" in given else _HTTP_TYPES
    if kind is not None and kind not in expected:
        raise wrong(f'has "type": {json.dumps(kind)}, which does not fit its other keys')
    spec = ServerSpec(
        name=name,
        command=given.get("command", ""),
        args=tuple(given.get("args", ())),
        env=given.get("env", {}),
        cwd=given.get("cwd", ""),
        url=given.get("url", ""),
        headers=given.get("headers", {}),
        oauth=oauth,
        era=given.get("era", "auto"),
        capabilities=tuple(dict.fromkeys(given.get("elicitation", ("form", "url")))),
        deadline=float(given["deadline"]) if "deadline" in given else None,
        client_completion=given.get("clientCompletion", True),
        disabled=given.get("disabled", False),
    )
    return spec, notes


def _open_no_link(path: str, flags: int) -> int:
    # O_NONBLOCK: a FIFO would make us wait for its writer.
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _resolve(path: Path) -> Path:
    # A link is followed, for configurations kept elsewhere; what it leads to is checked like any file.
    if not path.is_symlink():
        return path
    if path.lstat().st_uid not in _owners():
        raise _refuse(path, "it is a link that somebody else made")
    return path.resolve()


def _check_trust(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise _refuse(path, "it is not a regular file")
    if os.name != "posix":
        return
    if found.st_uid not in _owners():
        raise _refuse(path, "it belongs to somebody else", f'Make it yours: chown "$USER" {path}')
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _refuse(path, "others can write it", f"Run: chmod go-w {path}")
    for directory in {path.parent.absolute(), path.resolve().parent}:
        mode = directory.stat().st_mode
        # In a sticky directory (/tmp) others cannot replace this file, but a link into one is a trap.
        if mode & (stat.S_IWGRP | stat.S_IWOTH) and (path.is_symlink() or not mode & stat.S_ISVTX):
            raise _refuse(path, f"others can write its directory {directory}", f"Run: chmod go-w {directory}")


def _owners() -> tuple[int, ...]:
    return (os.geteuid(), 0) if hasattr(os, "geteuid") else (0,)


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f'the key "{key}" appears twice in one object')
        found[key] = value
    return found


def _refuse(path: Path, why: str, hint: str = "") -> LocalError:
    return LocalError(f"{path} was not read: {why}.", hint=hint)
