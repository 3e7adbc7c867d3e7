"""``trace/{server}``: the frames of one connection."""

from __future__ import annotations

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado import web

from .access import ElicitHandler, admits
from .calls import API


class TraceHandler(ElicitHandler):
    """A kernel sees its own connections; a page says which kernel's, or which agent's, it means."""

    @allow_unauthenticated
    @admits(page="read", kernel=True)
    async def get(self, name: str) -> None:
        self.registry.spec(name)
        owner = self.registry.known(self.owner_id or self._asked_for())
        trace = None if owner is None else owner.trace(name)
        if owner is None or trace is None:
            self.reply({"message": f'"{name}" has not been connected to yet.'}, 409)
            return
        self.reply(
            {
                "server": name,
                "state": owner.connection_state(name),
                "contents": trace.contents,
                "seen": trace.seen,
                "frames": [each.as_json() for each in trace.entries],
            }
        )

    def _asked_for(self) -> str:
        kernel, agent = self.get_query_argument("kernel", ""), self.get_query_argument("agent", "")
        if kernel and agent:
            raise web.HTTPError(400, 'Ask for a "kernel" or for an "agent", not for both.')
        return f"kernel:{kernel}" if kernel else f"agent:{agent}" if agent else API
