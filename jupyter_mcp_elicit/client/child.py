"""The process of a stdio server: started in its own group, ended in order, its last words kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..core.errors import LocalError

KEPT_STDERR = 64 * 1024
GRACE = 2.0
LAST_READ = 0.2
_POLL = 0.01


class Child:
    """One server process. ``code`` is its exit code (negative: the signal), ``None`` while it runs."""

    def __init__(self, process: asyncio.subprocess.Process, on_stderr: Callable[[str], None] | None) -> None:
        self._process = process
        self._on_stderr = on_stderr
        self._kept = bytearray()
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        if stdin is None or stdout is None or stderr is None:
            raise AssertionError("a server process has three pipes")
        self.stdin = stdin
        self.stdout = stdout
        self._listening = asyncio.ensure_future(self._listen(stderr))

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | None,
        limit: int,
        on_stderr: Callable[[str], None] | None = None,
    ) -> Child:
        """Start ``argv``, never through a shell. ``LocalError`` when it cannot be started."""
        if not hasattr(os, "killpg"):
            raise LocalError(
                "Servers with a command need Linux or macOS.", hint="Start it yourself and give its url."
            )
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=dict(env),
                cwd=cwd or None,
                limit=limit,
                start_new_session=True,
            )
        except FileNotFoundError:
            if cwd and not await asyncio.to_thread(Path(cwd).is_dir):
                raise LocalError(f'There is no directory "{cwd}" to start "{argv[0]}" in.') from None
            raise LocalError(
                f'There is no command "{argv[0]}".',
                hint="Install it, or give its absolute path in the configuration.",
            ) from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise LocalError(f'The command "{argv[0]}" cannot be started: {why}.') from error
        return cls(process, on_stderr)

    @property
    def code(self) -> int | None:
        return self._process.returncode

    @property
    def stderr(self) -> str:
        """The last 64 kB that it wrote to stderr, as written."""
        return self._kept.decode("utf-8", "replace")

    async def exits(self, seconds: float) -> bool:
        """Wait for its end, at most ``seconds``; whether it came."""
        # Not wait(): on Python 3.11+ that also waits for pipes which a grandchild may hold open.
        for _ in range(int(seconds / _POLL)):
            if self.code is not None:
                break
            await asyncio.sleep(_POLL)
        return self.code is not None

    async def end(self, grace: float = GRACE) -> None:
        """Close its stdin, after ``grace`` seconds SIGTERM, then SIGKILL, to its whole group."""
        draining = asyncio.ensure_future(self._drain())
        try:
            with contextlib.suppress(OSError, RuntimeError):
                self.stdin.close()
            await self.exits(grace)
            for number in (signal.SIGTERM, signal.SIGKILL):
                if not self._lives():
                    break
                self._signal(number)
                await self._all_end(GRACE)
            # What it wrote last is worth reading; a grandchild outside the group must not hold us up.
            await asyncio.wait({self._listening}, timeout=LAST_READ)
        finally:
            if self._lives():
                self._signal(signal.SIGKILL)
            draining.cancel()
            self._listening.cancel()
            await asyncio.gather(draining, self._listening, return_exceptions=True)
            transport = getattr(self._process, "_transport", None)
            if transport is not None:
                with contextlib.suppress(PermissionError, ProcessLookupError):
                    transport.close()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(65536):
            self._kept += chunk
            del self._kept[:-KEPT_STDERR]
            if self._on_stderr is not None:
                self._on_stderr(chunk.decode("utf-8", "replace"))

    async def _drain(self) -> None:
        # A server that is still writing cannot notice that its stdin has ended.
        while await self.stdout.read(65536):
            pass

    async def _all_end(self, seconds: float) -> None:
        for _ in range(int(seconds / _POLL)):
            if not self._lives():
                return
            await asyncio.sleep(_POLL)

    def _lives(self) -> bool:
        return self.code is None or self._signal(0)

    def _signal(self, number: int) -> bool:
        """Send it to the group; whether anybody is there."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True
