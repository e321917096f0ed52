"""The access log: who asked for what and under which id, without query strings and tokens."""

from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any

from daphne.access import AccessLogGenerator
from structlog.contextvars import bound_contextvars, get_contextvars

from config.redaction import safe_path


def named(protocol: Any) -> AbstractContextManager[None]:
    """Bind the id of a request or a socket, if it has one, for what is logged in the block."""
    request_id = getattr(protocol, "request_id", None)
    return bound_contextvars(request_id=request_id) if request_id else nullcontext()


class AccessLog(AccessLogGenerator):  # type: ignore[misc]  # daphne has no types
    """Daphne's access log, a line a request, which ends with the id that is bound meanwhile."""

    def __call__(self, protocol: str, action: str, details: dict[str, Any]) -> None:
        """Write down what happened; the client's port is left out."""
        client = (details["client"] or "-").rpartition(":")[0] or "-"
        path = safe_path(details["path"])
        super().__call__(protocol, action, {**details, "client": client, "path": path})

    def write_entry(
        self,
        host: str,
        date: datetime,
        request: str,
        status: int | None = None,
        length: int | None = None,
    ) -> None:
        """Write a line; what was answered without asking the site has no id."""
        request_id = get_contextvars().get("request_id", "-")
        self.stream.write(
            f'{host} - - [{date:%d/%b/%Y:%H:%M:%S}] "{request}"'
            f" {status or '-'} {length or '-'} {request_id}\n"
        )
