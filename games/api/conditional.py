"""ETags: responses that the caller has already get 304."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response

from games import api, kernel, matches
from games.kernel.contract import Seat
from games.matches import pauses
from games.matches.play.offers import agreed_by
from games.matches.selectors import MatchSnapshot

DIGITS = 32
"""Hexadecimal digits of an ETag."""


@cache
def _release() -> str:
    """Return a digest of the code that makes responses, without games, whose versions are added."""
    digest = hashlib.sha256()
    for package in (api, kernel, matches):
        for file in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def tag_of(snapshot: MatchSnapshot, viewer: Seat | None, *asked: str) -> str:
    """Return the ETag of a response about a match for one viewer; ``asked`` are the parameters."""
    match = snapshot.match
    stands = (match.pk, match.version, match.clock_epoch, match.status, match.rules_version)
    now = timezone.now()
    players = [
        (p.user.username, agreed_by(p), pauses.shown_deadline(p, now), pauses.reasons(p, now))
        for p in snapshot.players
    ]
    return _tag((stands, players, viewer, asked))


def tag_of_numbers(numbers: Any) -> str:
    """Return the ETag of a response that is the same for everybody, from its content."""
    return _tag(numbers)


def _tag(said: Any) -> str:
    text = repr((_release(), said))
    return f'"{hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:DIGITS]}"'


def unless_seen(request: Request, tag: str, answer: Callable[[], Any]) -> Response:
    """Return the result of ``answer``, or an empty 304 if the caller has it already."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    seen = "*" in known or tag in (each.removeprefix("W/") for each in known)
    response = Response(status=304) if seen else Response(answer())
    response.headers["ETag"] = tag
    return response
