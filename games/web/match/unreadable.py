"""The page of a match that can't be read, instead of whatever page was requested."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.http.errors import status_of
from games.kernel import registry
from games.matches import selectors
from games.matches.errors import RULES, Unreadable
from games.matches.log import log_entries
from games.matches.models import Match
from games.matches.play import unreadable
from games.matches.play.unreadable import TextEntry
from games.matches.selectors import MatchSnapshot


@dataclass(frozen=True)
class UnreadablePage:
    """The readable part of a match without its rules, and its players' possible actions."""

    snapshot: MatchSnapshot
    error: Unreadable
    user: Any

    @property
    def match(self) -> Match:
        return self.snapshot.match

    @property
    def game(self) -> str:
        """The name of the game. Its slug if it isn't installed."""
        title = registry.titles().get(self.match.title)
        return title.meta.name if title else self.match.title

    @property
    def needs_rules(self) -> bool:
        """Whether the rules are missing rather than unable to read the stored data."""
        return self.error.part == RULES

    @property
    def log(self) -> list[TextEntry]:
        """The log as text, without secrets."""
        return unreadable.text_log(self.snapshot)

    @property
    def may_cancel(self) -> bool:
        """Whether the reader plays in the match and it can still be cancelled."""
        log = [row.entry for row in self.log]
        plays = self.snapshot.seat_of(self.user) is not None
        return plays and log_entries.may_cancel(self.snapshot.table, log)

    @property
    def new_submission(self) -> UUID:
        """A new id for the form that cancels the match."""
        return uuid4()


class UnreadableMiddleware:
    """Answers with the page of an unreadable match if a view raised :exc:`Unreadable`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page. ``None`` for any other error."""
        if not isinstance(error, Unreadable):
            return None
        page = UnreadablePage(selectors.snapshot(error.match.pk), error, request.user)
        template = (
            "match/unreadable_part.html" if "part" in request.GET else "match/unreadable.html"
        )
        return render(request, template, {"page": page}, status=status_of(error))
