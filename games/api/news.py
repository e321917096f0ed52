"""The events of streams. Each is complete, so that a program needs no further request."""

from collections.abc import Collection, Iterator
from copy import copy
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts import sessions
from accounts.models import ApiToken, User
from accounts.sanctions import standing
from games.api import serializers as answers
from games.api.challenge_serializers import ChallengeSerializer
from games.kernel.views import Json
from games.lobby import selectors as lobby
from games.lobby.models import Challenge, Invitation
from games.matches import selectors
from games.matches.errors import Unreadable
from games.matches.log import log_entries
from games.matches.models import Match
from games.matches.notify import push
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView

Event = dict[str, Json]

MAX_LISTED_MOVES = 200
"""Maximum number of legal moves in an event."""


class SignIn:
    """The credentials of a stream: a token, a session, or nothing."""

    def __init__(self, user: Any, token: Any, session_key: str | None) -> None:
        self.user: User | None = user if user.is_authenticated else None
        self._token_id = token.pk if isinstance(token, ApiToken) else None
        self._session_key = session_key

    def is_valid(self) -> bool:
        """Whether the credentials are still valid, and the user isn't suspended or banned."""
        if self.user is None:
            return True
        now = timezone.now()
        user = User.objects.filter(pk=self.user.pk, is_active=True).first()
        if user is None or (user.is_restricted and standing.stops(user, now)):
            return False
        if self._token_id is not None:
            return ApiToken.objects.filter(pk=self._token_id).exists()
        return bool(sessions.signed_in(str(self._session_key)).pk == self.user.pk)


class News:
    """The new events of a stream since the last call of ``take``.

    A message to one of the channel ``groups`` means that there may be some. With a ``seed``, events
    in which the caller is to move hold a random legal move.
    """

    groups: tuple[str, ...]

    def __init__(self, sign_in: SignIn, seed: str | None = None) -> None:
        self.sign_in = sign_in
        self._seed = seed
        self.is_over = False

    def take(self) -> Iterator[Event]:
        """Yield the events since the last call. The first call yields the whole state.

        Each is computed on demand.
        """
        if self.sign_in.is_valid():
            yield from self._events()
        else:
            self.is_over = True
            yield {"type": "signed-out"}

    def _events(self) -> Iterator[Event]:
        raise NotImplementedError

    def _state(self, snapshot: MatchSnapshot) -> Event:
        """Return an event with the match as the caller sees it, and legal moves on their turn."""
        user = self.sign_in.user
        seat = None if user is None else snapshot.seat_of(user)
        data = answers.MatchSerializer(MatchView(snapshot.table, seat, ())).data
        state: Event = {"match": data}
        if seat is not None and seat in snapshot.actors:
            moves, more = move_input.all_moves(snapshot.table, seat, (), most=MAX_LISTED_MOVES)
            state |= {"moves": moves, "more": more}
            if self._seed is not None:
                state["random_move"] = move_input.draw_move(snapshot.table, seat, self._seed)
        return state


class OwnNews(News):
    """Events of a user's challenges and running matches.

    The first events hold the current state of both, and ``ready`` follows them.
    """

    def __init__(self, sign_in: SignIn, user: User, seed: str | None = None) -> None:
        super().__init__(sign_in, seed)
        self._user = user
        self.groups = (push.user_group(user.pk),)
        self._is_first = True
        self._matches: dict[int, int] = {}
        self._challenges: dict[int, Challenge] = {}

    def _events(self) -> Iterator[Event]:
        pending = {challenge.pk: challenge for challenge in lobby.pending_of(self._user)}
        closed = self._closed(pending.keys())
        before = self._challenges
        self._challenges = pending
        for pk, challenge in sorted({**pending, **closed}.items()):
            old = before.get(pk)
            if old and pk in pending and old.version == challenge.version:
                # the invitations are read after the version, so they may be newer
                pending[pk] = old
            else:
                yield from self._challenge_events(old, challenge)
        yield from self._match_events([c.match_id for c in closed.values() if c.match_id])
        if self._is_first:
            self._is_first = False
            yield {"type": "ready"}

    # --- Challenges -----------------------------------------------------------------------------

    def _closed(self, pending: Collection[int]) -> dict[int, Challenge]:
        """Return the challenges that were pending at the last call and aren't now."""
        gone = self._challenges.keys() - pending
        if not gone:
            return {}
        closed = {challenge.pk: challenge for challenge in lobby.of_ids(gone)}
        # the challenges of a guest who left were withdrawn, and then deleted
        for pk in gone - closed.keys():
            closed[pk] = copy(self._challenges[pk])
            closed[pk].status = Challenge.Status.WITHDRAWN
            closed[pk].version += 1
        return closed

    def _challenge_events(self, old: Challenge | None, challenge: Challenge) -> Iterator[Event]:
        """Yield the changes since ``old``, which is ``None`` for a new challenge."""
        data = self._dump(challenge)
        if challenge.is_open and lobby.is_invited(challenge, self._user):
            yield {"type": "challenge", "challenge": data}
            return
        answered = _answered_since(old, challenge) if old else []
        for one in answered:
            kind = "challenge-accepted" if one.is_taken else "challenge-declined"
            yield {"type": kind, "challenge": data, "by": one.user.username}
        is_same = old is not None and old.status == challenge.status
        if answered and (is_same or challenge.status == Challenge.Status.DECLINED):
            return
        # the event of a started match covers its challenge
        if challenge.status != Challenge.Status.STARTED:
            yield {"type": f"challenge-{challenge.status}", "challenge": data}

    def _dump(self, challenge: Challenge) -> Json:
        return answers.dump_all(ChallengeSerializer, [challenge], caller=self._user.pk)[0]

    # --- Matches --------------------------------------------------------------------------------

    def _match_events(self, begun: Collection[int]) -> Iterator[Event]:
        """Yield the changes in running matches, and in those that have just ``begun``.

        The latter may have ended since.
        """
        before = self._matches
        now = dict[int, int]()
        known = Q(status=Match.Status.RUNNING) | Q(pk__in=[*before, *begun])
        mine = Match.objects.filter(known, players__user=self._user).order_by("pk")
        rows = list(mine.values_list("pk", "version", "status", "players__to_move"))
        new = [pk for pk, *_ in rows if pk not in before]
        challenges = {one.match_id: one for one in lobby.of_matches(new)} if new else {}
        for pk, version, status, to_move in rows:
            challenge = challenges.get(pk)
            if challenge and challenge.pk in self._challenges:
                # it has just started: the next call first reports the change of its challenge
                continue
            is_new = pk not in before
            is_running = status == Match.Status.RUNNING
            if is_running:
                now[pk] = version
            kinds = self._kinds(
                is_new=is_new,
                is_running=is_running,
                is_changed=before.get(pk) != version,
                to_move=to_move,
            )
            for number, kind in enumerate(kinds):
                event = self._about(kind, pk)
                if is_new and number == 0:
                    event["challenge"] = self._dump(challenge) if challenge else None
                yield event
        self._matches = now

    def _kinds(
        self, *, is_new: bool, is_running: bool, is_changed: bool, to_move: bool
    ) -> Iterator[str]:
        """Yield the types of events for the changes in a match."""
        if self._is_first:
            yield "turn" if to_move else "match"
            return
        if is_new:
            yield "started"
        if not is_running:
            yield "ended"
        elif to_move and is_changed:
            yield "turn"
        elif is_changed and not is_new:
            yield "changed"

    def _about(self, kind: str, match_id: int) -> Event:
        try:
            snapshot = selectors.snapshot(match_id)
            return {"type": kind, **self._state(snapshot)}
        except Unreadable:
            return {"type": "unreadable", "id": match_id}


def _answered_since(old: Challenge, new: Challenge) -> list[Invitation]:
    """Return the invitations that were answered between two states of a challenge."""
    before = {invitation.user_id: invitation.state for invitation in old.invitations.all()}
    return [
        invitation
        for invitation in new.invitations.all()
        if invitation.state not in (Invitation.State.INVITED, before.get(invitation.user_id))
    ]


class MatchNews(News):
    """Events of a match, for one viewer.

    The first event holds the log after entry ``since``; 0 means all of it.
    """

    def __init__(self, sign_in: SignIn, match_id: int, since: int, seed: str | None = None) -> None:
        super().__init__(sign_in, seed)
        self._match_id = match_id
        self._since = since
        self.groups = (push.match_group(match_id),)
        self._told: tuple[int, int, str] | None = None

    def _events(self) -> Iterator[Event]:
        standing = Match.objects.filter(pk=self._match_id)
        current = standing.values_list("version", "clock_epoch", "status").get()
        if current == self._told:
            return
        snapshot = selectors.snapshot(self._match_id)
        match = snapshot.match
        yield {
            "type": "match",
            **self._state(snapshot),
            "log": _lines(snapshot, self.sign_in.user, self._since),
        }
        self._told = match.version, match.clock_epoch, match.status
        self._since = match.version
        self.is_over = not match.is_running


def _lines(snapshot: MatchSnapshot, user: User | None, since: int) -> Json:
    """Return the log after an entry as a viewer may read it."""
    seat = None if user is None else snapshot.seat_of(user)
    # Earlier entries decide what is hidden.
    recent = since > snapshot.match.version - log_entries.MIN_RECENT
    log = log_entries.recent(snapshot.match) if recent else selectors.log(snapshot.match)
    new = [entry for entry in log if entry.number > since]
    lines = MatchView(snapshot.table, seat, log).lines_of(new)
    return answers.dump_all(answers.LineSerializer, lines)
