"""What a stream tells: each event is complete, so that a program needs no second request."""

from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.sanctions import standing
from games.api import serializers as answers
from games.api.challenge_serializers import ChallengeSerializer
from games.kernel.views import Json
from games.live.readers import SignedOut, reader
from games.lobby import selectors as lobby
from games.matches import listing, log_entries, move_input, push, selectors
from games.matches.errors import Unreadable
from games.matches.models import LogEntry, Match
from games.matches.presentation import MatchPresentation
from games.matches.selectors import MatchSnapshot

Event = dict[str, Json]

LISTED = 200
"""The most moves in an event."""


class SignIn:
    """What a stream was opened with: a token, a session, or nothing."""

    def __init__(self, user: Any, token: Any, session_key: str | None) -> None:
        self.user: User | None = user if user.is_authenticated else None
        self._token_id = token.pk if isinstance(token, ApiToken) else None
        self._session_key = session_key

    def is_valid(self) -> bool:
        """Whether it still signs in, and nothing keeps its user out."""
        if self.user is None:
            return True
        now = timezone.now()
        found = User.objects.filter(pk=self.user.pk, is_active=True).first()
        if found is None or (found.is_restricted and standing.stops(found, now)):
            return False
        if self._token_id is not None:
            return ApiToken.objects.filter(pk=self._token_id).exists()
        try:
            return reader(str(self._session_key)).pk == self.user.pk
        except SignedOut:
            return False


class News:
    """What is new to one stream since it was asked last; ``groups`` are woken by."""

    groups: tuple[str, ...]

    def __init__(self, sign_in: SignIn) -> None:
        self.sign_in = sign_in
        self.is_over = False

    def take(self) -> list[Event]:
        """Return the events since the last call, the whole state at the first."""
        if not self.sign_in.is_valid():
            self.is_over = True
            return [{"type": "signed-out"}]
        return list(self._events())

    def _events(self) -> Iterator[Event]:
        raise NotImplementedError


class OwnNews(News):
    """What happens to a user: challenges received, and all of the user's running matches."""

    def __init__(self, sign_in: SignIn, user: User) -> None:
        super().__init__(sign_in)
        self._user = user
        self.groups = (push.user_group(user.pk),)
        self._matches: dict[int, int] | None = None
        self._challenges: dict[int, int] = {}

    def _events(self) -> Iterator[Event]:
        yield from self._from_challenges()
        mine = Match.objects.filter(players__user=self._user, status=Match.Status.RUNNING)
        rows = mine.order_by("pk").values_list("pk", "version", "players__to_move")
        before = self._matches
        now = {pk: (version, to_move) for pk, version, to_move in rows}
        self._matches = {pk: version for pk, (version, _) in now.items()}
        for pk, (version, to_move) in now.items():
            if before is not None and pk not in before:
                yield from self._about("started", pk)
            if to_move and (before is None or before.get(pk) != version):
                yield from self._about("turn", pk)
            elif before is not None and before.get(pk, version) != version:
                yield from self._about("changed", pk)
        for pk in sorted((before or {}).keys() - now.keys()):
            yield from self._about("ended", pk)

    def _from_challenges(self) -> Iterator[Event]:
        found = {challenge.pk: challenge for challenge in lobby.received(self._user)}
        new = [pk for pk, one in found.items() if self._challenges.get(pk) != one.version]
        self._challenges = {pk: challenge.version for pk, challenge in found.items()}
        received = [found[pk] for pk in sorted(new)]
        for shown in answers.dump_all(ChallengeSerializer, received, caller=self._user.pk):
            yield {"type": "challenge", "challenge": shown}

    def _about(self, kind: str, match_id: int) -> Iterator[Event]:
        try:
            snapshot = listing.read_snapshot(match_id)
            yield {"type": kind, **_state(snapshot, self._user)}
        except Unreadable:
            yield {"type": "unreadable", "id": match_id}


class MatchNews(News):
    """What happens in a match, for one viewer.

    The first event holds the log after entry ``since``, 0 for all of it.
    """

    def __init__(self, sign_in: SignIn, match_id: int, since: int) -> None:
        super().__init__(sign_in)
        self._match_id, self._since = match_id, since
        self.groups = (push.match_group(match_id),)
        self._told: tuple[int, int, str] | None = None

    def _events(self) -> Iterator[Event]:
        standing = Match.objects.filter(pk=self._match_id)
        found = standing.values_list("version", "clock_epoch", "status").get()
        if found == self._told:
            return
        snapshot = listing.read_snapshot(self._match_id)
        match = snapshot.match
        yield {
            "type": "match",
            **_state(snapshot, self.sign_in.user),
            "log": _lines(snapshot, self.sign_in.user, self._since),
        }
        self._told = match.version, match.clock_epoch, match.status
        self._since = match.version
        self.is_over = not match.is_running


def _state(snapshot: MatchSnapshot, user: User | None) -> Event:
    """Return a match for a viewer; where the viewer is to move, with the moves, or many of them."""
    seat = None if user is None else snapshot.seat_of(user)
    shown = answers.MatchSerializer(MatchPresentation(snapshot, seat, ())).data
    state: Event = {"match": shown}
    if seat is not None and seat in snapshot.actors:
        moves, more = move_input.all_moves(snapshot, seat, (), most=LISTED)
        state |= {"moves": moves, "more": more}
    return state


def _lines(snapshot: MatchSnapshot, user: User | None, since: int) -> Json:
    """Return the log after an entry as a viewer may read it."""
    seat = None if user is None else snapshot.seat_of(user)
    log = _log_after(snapshot.match, since)
    new = [entry for entry in log if entry.number > since]
    shown = MatchPresentation(snapshot, seat, log).lines_of(new)
    return answers.dump_all(answers.LineSerializer, shown)


def _log_after(match: Match, since: int) -> list[LogEntry]:
    """Return a log from entry ``since`` on at least, and what decides what of it is hidden."""
    recent = since > match.version - log_entries.LATEST
    return log_entries.recent(match) if recent else selectors.log(match)
