"""The OpenAPI 3.1 document of the API, generated from its views."""

import json
import re
import threading
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.permissions import SAFE_METHODS

from games.api.errors import MEDIA_TYPE
from games.api.serializers import ProblemSerializer
from games.records import record

ALWAYS = {
    400: "The request cannot be read.",
    401: "Not signed in, or by a token that does not sign in.",
    403: "Not the caller’s to see or to do.",
    404: "There is none.",
    406: "Answers are JSON.",
    429: "Too often: Retry-After says how long to wait.",
    500: "The site failed.",
    503: "The site is too busy: Retry-After says how long to wait.",
}
OF_CHANGES = {
    409: "Not possible now.",
    415: "Bodies are JSON.",
    422: "Not a move, or one that the rules forbid.",
}

ID = {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}

RECORD = {"$ref": "#/components/schemas/Record"}
"""The schema of a record, which is also published separately."""

SUBMISSION = "A UUID of your choice: the same one again changes nothing more."
SEEN = OpenApiParameter(
    "If-None-Match",
    str,
    "header",
    description="The `ETag` of an earlier answer. The answer is 304 if nothing has changed since.",
)

IN_ADDRESSES: dict[str, tuple[Any, str]] = {
    "match_id": (ID, "The id of the match."),
    "challenge_id": (ID, "The id of the challenge."),
    "club_id": (ID, "The id of the club."),
    "event_id": (ID, "The id of the tournament."),
    "team_match_id": (ID, "The id of the team match."),
    "case_id": (ID, "The id of the case."),
    "post_id": (ID, "The id of the post."),
    "topic_id": (ID, "The id of the topic."),
    "slug": (str, "The slug of the game."),
    "number": (int, "The number of the puzzle."),
    "run_id": (ID, "The id of the run."),
    "key": (str, "The key of the board."),
    "name": (str, "The name of the player."),
    "other": (str, "The name of the other player."),
}
"""Types and descriptions of path parameters."""


TAGS = {
    "achievements": "The achievements of the site in all games.",
    "activity": "What happens on the site.",
    "boards": "Boards that the caller has saved: make them, try moves, delete them.",
    "bots": "The bots that the site itself runs.",
    "challenges": "Make, accept, decline and withdraw challenges.",
    "clubs": "Clubs: read them, who is in them, and their ladders.",
    "desk": "What moderators do about clubs, tournaments, team matches and posts.",
    "events": "Tournaments: announce, read, organise, enter and leave them.",
    "games": "The games of the site, their statistics, ratings, achievements and puzzles.",
    "matches": "Read matches, play in them, and follow them.",
    "me": "The account that a token belongs to.",
    "notices": "The notifications of the caller.",
    "players": "Profiles, statistics, ratings, achievements and records of players.",
    "puzzles": "The puzzle of the day. All puzzles are under their games.",
    "stream": "Everything that happens to the caller, as it happens.",
    "team-matches": "Team matches: challenge a club, sign up, set line-ups, read them.",
    "topics": "Topics of noticeboards, and their posts.",
    "waiting": "How many matches wait for the caller to move.",
}
"""Descriptions of the parts of the API, by the first path segment."""


class Schema(AutoSchema):
    """Describes an address and method, with all problems that it may return."""

    def get_tags(self) -> list[str]:
        """Return the first path segment."""
        return [self.path.removeprefix("/api/v1/").partition("/")[0]]

    def get_summary(self) -> str:
        """Return the first line of the method's docstring."""
        handler = getattr(self.view, self.method.lower())
        return str(handler.__doc__ or self.view.__doc__).partition("\n")[0]

    def get_operation_id(self) -> str:
        """Return the constant parts of the address, and the method."""
        parts = self.path.removeprefix("/api/v1/").strip("/").split("/")
        kept = (part if not part.startswith("{") else "one" for part in parts)
        return "_".join((self.method.lower(), *kept)).replace("-", "_").replace(".", "_")

    def get_auth(self) -> list[dict[str, Any]]:
        """Return the security requirements. ``{}`` stands for anonymous access."""
        schemes: list[dict[str, Any]] = super().get_auth()
        if getattr(self.view, "is_public", False) and self.method in SAFE_METHODS:
            schemes.append({})
        return schemes

    def get_override_parameters(self) -> list[Any]:
        """Return the path parameters, as the generator doesn't know our converters."""
        return [
            OpenApiParameter(name, kind, "path", description=text)
            for name in re.findall(r"\{(\w+)\}", self.path)
            for kind, text in (IN_ADDRESSES[name],)
        ]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status, why in self._problems().items():
            problem = OpenApiResponse(ProblemSerializer, description=why)
            describe: Any = self._get_response_for_code
            bodies.setdefault(
                str(status),
                describe(problem, str(status), [MEDIA_TYPE], direction),
            )
        return bodies

    def _problems(self) -> dict[int, str]:
        changes = {} if self.method in SAFE_METHODS else OF_CHANGES
        unreadable = {409: "The match cannot be read now."} if "{" in self.path else {}
        return {**ALWAYS, **unreadable, **changes, 422: OF_CHANGES[422]}


_generating = threading.Lock()


def document() -> dict[str, Any]:
    """Return the whole document. The generator fails if two threads use it at once."""
    with _generating:
        return generated()


@cache
def generated() -> dict[str, Any]:
    generator: Any = SchemaGenerator
    # The reference is English for all readers.
    with translation.override(settings.LANGUAGE_CODE):
        schema: dict[str, Any] = generator().get_schema(request=None, public=True)
    schema["servers"] = [{"url": settings.SITE_URL}]
    schema["info"]["contact"] = {"url": f"{settings.SITE_URL}{reverse('contact')}"}
    used = {
        operation["tags"][0] for path in schema["paths"].values() for operation in path.values()
    }
    schema["tags"] = [{"name": name, "description": TAGS[name]} for name in sorted(used)]
    schema["components"]["schemas"]["Record"] = _record()
    return schema


def _record() -> dict[str, Any]:
    """Embed the published schema of a record in this document."""
    schema: dict[str, Any] = json.loads(record.SCHEMA.read_text(encoding="utf-8"))
    return {key: value for key, value in schema.items() if not key.startswith("$")}


@cache
def text() -> str:
    return json.dumps(document(), ensure_ascii=False)
