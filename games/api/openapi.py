"""The description of the API in OpenAPI 3.1, made from its views."""

import json
import re
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.permissions import SAFE_METHODS

from games.api.errors import MEDIA_TYPE
from games.api.serializers import ProblemSerializer

ALWAYS = {
    400: "The request cannot be read.",
    401: "Not signed in, or by a token that does not sign in.",
    403: "Not the caller’s to see or to do.",
    404: "There is none.",
    406: "Answers are JSON.",
    429: "Too often: Retry-After says how long to wait.",
}
OF_CHANGES = {
    409: "Not possible now.",
    415: "Bodies are JSON.",
    422: "Not a move, or one that the rules forbid.",
}

ID = {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}

SUBMISSION = "A UUID of your choice: the same one again changes nothing more."
SEEN = OpenApiParameter("If-None-Match", str, "header", description="The ETag of what you have.")


class Schema(AutoSchema):
    """The description of one address and method; every one names the problems it may answer."""

    def get_tags(self) -> list[str]:
        """Return the first part of the address."""
        return [self.path.removeprefix("/api/v1/").partition("/")[0]]

    def get_summary(self) -> str:
        """Return the first line of what the method is documented with."""
        handler = getattr(self.view, self.method.lower())
        return str(handler.__doc__ or self.view.__doc__).partition("\n")[0]

    def get_operation_id(self) -> str:
        """Return the address without what is variable in it, and the method."""
        parts = self.path.removeprefix("/api/v1/").strip("/").split("/")
        kept = (part if not part.startswith("{") else "one" for part in parts)
        return "_".join((self.method.lower(), *kept)).replace("-", "_").replace(".", "_")

    def get_override_parameters(self) -> list[Any]:
        """Return the ids in the address; the generator does not know their converter."""
        names = re.findall(r"\{(\w+_id)\}", self.path)
        return [OpenApiParameter(name, ID, "path") for name in names]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status, why in self._problems().items():
            problem = OpenApiResponse(ProblemSerializer, description=why)
            bodies.setdefault(
                str(status),
                self._described(problem, str(status), direction),
            )
        return bodies

    def _described(self, problem: OpenApiResponse, status: str, direction: Any) -> Any:
        describe: Any = self._get_response_for_code
        return describe(problem, status, [MEDIA_TYPE], direction)

    def _problems(self) -> dict[int, str]:
        changes = {} if self.method in SAFE_METHODS else OF_CHANGES
        unreadable = {409: "The match cannot be read now."} if "{" in self.path else {}
        return {**ALWAYS, **unreadable, **changes, 422: OF_CHANGES[422]}


@cache
def document() -> dict[str, Any]:
    """Return the description of the whole API."""
    generator: Any = SchemaGenerator
    found: dict[str, Any] = generator().get_schema(request=None, public=True)
    return found


@cache
def text() -> str:
    """Return the same as it is served."""
    return json.dumps(document(), ensure_ascii=False)
