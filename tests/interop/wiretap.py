"""Stands between a client and a stdio server, and keeps every line that the server is sent.

``python wiretap.py FILE COMMAND ARGUMENT…``. Standard library only, so that it starts at once.
"""

from __future__ import annotations

import subprocess
import sys


def main(file: str, command: list[str]) -> int:
    server = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert server.stdin is not None
    with server.stdin, open(file, "ab", buffering=0) as kept:  # noqa: PTH123 - pathlib would double the start
        for line in sys.stdin.buffer:
            kept.write(line)
            try:
                server.stdin.write(line)
                server.stdin.flush()
            except BrokenPipeError:
                break
    return server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
