"""Who sends a request, a page or a kernel, and what both may do."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from jupyter_core.utils import ensure_async
from jupyter_server.base.handlers import APIHandler
from tornado import web

from ...broker import AlreadySettled, NoSuchQuestion
from ...core import lifecycle
from ...core.errors import LocalError, RemoteError
from ...core.lifecycle import State
from ...core.proof import SCHEME
from ...core.question import Channel
from ...core.submission import NotValid
from ...core.wire import WIRE_VERSION
from ..identity import NotProven
from ..registry import NoSuchServer

if TYPE_CHECKING:
    from ..app import ElicitApp
    from ..registry import Registry

#: The resource that authorizers are asked about.
RESOURCE = "mcp-elicit"

#: Largest request body, in bytes.
MAX_BODY = 4 * 1024 * 1024


class DoesNotFit(LocalError):
    """Kernel and server speak different versions of our JSON."""


_Method = TypeVar("_Method", bound=Callable[..., Awaitable[None]])


class ElicitHandler(APIHandler):
    """What all our handlers share: the registry, JSON bodies, and who is asking."""

    auth_resource = RESOURCE
    kernel_id: str | None = None

    @property
    def extension(self) -> ElicitApp:
        return cast("ElicitApp", self.settings["jupyter_mcp_elicit"])

    @property
    def registry(self) -> Registry:
        return self.extension.registry

    @property
    def owner_id(self) -> str | None:
        """The owner that a kernel is limited to; ``None`` for a page, which sees its user's owners."""
        return None if self.kernel_id is None else f"kernel:{self.kernel_id}"

    @property
    def claims_kernel(self) -> bool:
        return self.request.headers.get("Authorization", "").startswith(SCHEME)

    def check_xsrf_cookie(self) -> None:
        """A kernel has no cookies; a page's XSRF proof must be the header, never a form field."""
        if self.claims_kernel:
            return
        if self.request.method not in ("GET", "HEAD", "OPTIONS"):
            self.request.arguments.pop("_xsrf", None)
            self.request.query_arguments.pop("_xsrf", None)
            self.request.body_arguments.pop("_xsrf", None)
        super().check_xsrf_cookie()

    @property
    def channel(self) -> Channel:
        """How the sender came in. Browsers, and only they, say ``Sec-Fetch-Site``."""
        if self.kernel_id is not None:
            return "kernel"
        return "page" if "Sec-Fetch-Site" in self.request.headers else "api"

    @property
    def sender(self) -> str:
        """The user's name for the record, ``""`` for a kernel."""
        user = self.current_user
        if self.kernel_id is not None or user is None:
            return ""
        return str(getattr(user, "display_name", None) or getattr(user, "name", None) or "")

    def body(self) -> dict[str, Any]:
        """The JSON object that was sent; 415 and 400 otherwise."""
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise web.HTTPError(415, "Send JSON (Content-Type: application/json).")
        try:
            parsed = json.loads(self.request.body)
        except (ValueError, RecursionError):
            raise web.HTTPError(400, "The request body is not JSON.") from None
        if not isinstance(parsed, dict):
            raise web.HTTPError(400, "The request body must be a JSON object.")
        return parsed

    def reply(self, shape: dict[str, Any], status: int = 200) -> None:
        self.set_status(status)
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(json.dumps(shape))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Our own errors as ``{"message": …}``, with what the sender needs to go on."""
        error = (kwargs.get("exc_info") or (None, None, None))[1]
        if isinstance(error, LocalError | RemoteError):
            status, shape = self._translate(error)
            self.reply(shape, status)
        else:
            super().write_error(status_code, **kwargs)

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        """What a caller did wrong is no fault of the server's: no traceback for it."""
        if not isinstance(value, LocalError | RemoteError):
            super().log_exception(kind, value, trace)

    def _translate(self, error: LocalError | RemoteError) -> tuple[int, dict[str, Any]]:
        shape: dict[str, Any] = {"message": str(error)}
        if isinstance(error, NotValid):
            return 422, shape | {"problems": [list(pair) for pair in error.problems.items()]}
        if isinstance(error, AlreadySettled):
            owner, question = self.registry.find(error.question.id, owner_id=self.owner_id)
            by_someone = lifecycle.ACTIONS[question.state] != "cancel" or question.state is State.DISMISSED
            return (409 if by_someone else 410), shape | {"card": owner.broker.card(question)}
        if isinstance(error, NotProven):
            return 403, shape
        if isinstance(error, DoesNotFit):
            return 426, shape
        if isinstance(error, RemoteError):
            return 400, shape | {"code": error.code}
        return (404 if isinstance(error, NoSuchQuestion | NoSuchServer) else 400), shape


def admits(*, page: Literal["read", "write", "execute"] | None, kernel: bool) -> Callable[[_Method], _Method]:
    """Let in pages whose user may do ``page`` on our resource, and kernels that prove themselves.

    Stands on every verb, under ``allow_unauthenticated`` where a kernel may come in,
    since a kernel has no Jupyter login.
    """

    def wrap(method: _Method) -> _Method:
        @functools.wraps(method)
        async def guarded(self: ElicitHandler, *args: Any, **kwargs: Any) -> None:
            # Before anything is worked out over it, a signature included.
            if len(self.request.body) > MAX_BODY:
                raise web.HTTPError(413, f"The request is larger than {MAX_BODY} bytes.")
            if self.claims_kernel:
                if not kernel:
                    raise web.HTTPError(403, "Kernels may not do this.")
                _check_version(self)
                self.kernel_id = self.extension.identity.check(
                    self.request.headers["Authorization"],
                    method=self.request.method or "",
                    path=self.request.path,
                    body=self.request.body,
                )
            else:
                user = self.current_user
                if page is None or not user:
                    raise web.HTTPError(403, "Log in to this Jupyter server first.")
                if not await ensure_async(self.authorizer.is_authorized(self, user, page, RESOURCE)):
                    raise web.HTTPError(403, f"This user may not {page} {RESOURCE}.")
            await method(self, *args, **kwargs)

        return cast("_Method", guarded)

    return wrap


def _check_version(handler: ElicitHandler) -> None:
    theirs = handler.request.headers.get("X-MCP-Elicit-Wire", "")
    if theirs == str(WIRE_VERSION):
        return
    older = "server" if theirs.isdigit() and int(theirs) > WIRE_VERSION else "kernel"
    raise DoesNotFit(
        "jupyter_mcp_elicit in this kernel and in the Jupyter server do not fit together "
        f"(kernel speaks {theirs or 'nothing'}, server speaks {WIRE_VERSION}).",
        hint=f"Upgrade jupyter_mcp_elicit in the {older}'s environment and restart it.",
    )
