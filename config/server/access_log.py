"""The access log: who asked for what, without query strings and tokens."""

from typing import Any

from daphne.access import AccessLogGenerator

from config.redaction import safe_path


class AccessLog(AccessLogGenerator):  # type: ignore[misc]  # daphne has no types
    """Daphne's access log, a line a request."""

    def __call__(self, protocol: str, action: str, details: dict[str, Any]) -> None:
        """Write down what happened; the client's port is left out."""
        client = (details["client"] or "-").rpartition(":")[0] or "-"
        path = safe_path(details["path"])
        super().__call__(protocol, action, {**details, "client": client, "path": path})
