"""Notifications about matches: rows written in the transaction of the change.

A row has the kind and its subject. Its text is rendered when it is shown or sent
(:mod:`games.matches.notify.notification_emails`).
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat

from accounts import notifications
from accounts.models import Notification, User
from games.kernel.contract import Seat
from games.kernel.views import Json
from games.matches.clock import Reminder, ReminderReason
from games.matches.models import LogEntry, Match, Player, Vacation
from games.matches.selectors import MatchSnapshot

YOUR_TURN = "your-turn"
TIME_SHORT = "time-short"
MATCH_STARTED = "match-started"
MATCH_ENDED = "match-ended"
WATCHED_ENDED = "watched-ended"
DROPPED_OUT = "dropped-out"
PLAYER_LEFT = "player-left"
OFFER_MADE = "offer-made"
QUEUE_STOPPED = "queue-stopped"
MOVE_ANSWERED = "move-answered"
OFFER_ANSWERED = "offer-answered"
TIME_GIVEN = "time-given"
PAUSE_ENDS = "pause-ends"
VACATION_BEGUN = "vacation-begun"
VACATION_ENDING = "vacation-ending"

PAGE = "match:"
"""Prefix of the key of a match's page."""

AGAINST_A_PLAYER = {LogEntry.Kind.TIMEOUT, LogEntry.Kind.REMOVE}
"""Kinds of entries that have a seat, but weren't made by its player."""

ANSWERS = {LogEntry.Kind.ACCEPT, LogEntry.Kind.DECLINE, LogEntry.Kind.PAUSE}
"""Kinds of entries that answer an offer, if they have a seat."""

DROPS = {LogEntry.Kind.RESIGN, *AGAINST_A_PLAYER}
"""Kinds of entries by which a player drops out."""


def page_key(match_id: int) -> str:
    return f"{PAGE}{match_id}"


def page_keys(rows: QuerySet[Any]) -> QuerySet[Any, str]:
    """Return a subquery for the keys of the pages of the matches of these rows."""
    match_id = Cast("match_id", CharField())
    return rows.order_by().values_list(Concat(Value(PAGE), match_id), flat=True).distinct()


def payload(match_id: int, version: int) -> dict[str, Json]:
    return {"match": match_id, "version": version, "place": page_key(match_id)}


def of_change(
    snapshot: MatchSnapshot,
    entries: Sequence[LogEntry],
    now: datetime,
    *,
    called: Collection[Seat] = (),
    run_on: Collection[Seat] = (),
    agreed: Collection[int] = (),
    watchers: Collection[int] = (),
) -> list[Notification]:
    """Return the notifications of a change to the players concerned, except its maker.

    :param called: the seats that are to move now and weren't before.
    :param run_on: the seats whose clocks resume after a pause.
    :param agreed: the seats that had made or accepted an offer before.
    :param watchers: the ids of users to notify of the end.
    """
    # The later entries of a take-back by agreement have the seats whose moves are undone.
    acted = {entry.seat for entry in entries[:1] if entry.kind not in AGAINST_A_PLAYER}
    others = [player for player in snapshot.players if player.seat not in acted]
    if not snapshot.match.is_running:
        notifications = _to_watchers(snapshot, watchers, now)
        return [*_made(snapshot.match, others, MATCH_ENDED, now), *notifications]
    if gifts := [entry for entry in entries if entry.time_given]:
        return _of_gift(snapshot, gifts[-1], now)
    if any(entry.kind == LogEntry.Kind.OFFER for entry in entries):
        kind = OFFER_MADE
        players = [p for p in snapshot.seats_still_in() if p in others]
    else:
        kind = YOUR_TURN
        players = [player for player in others if player.seat in called]
    left = [notification for entry in entries for notification in _of_leaver(snapshot, entry, now)]
    resumed = (player for player in others if player.seat in run_on)
    return [
        *left,
        *_of_answer(snapshot, entries, agreed, now),
        *_made(snapshot.match, resumed, PAUSE_ENDS, now),
        *_made(snapshot.match, players, kind, now),
    ]


def _of_leaver(snapshot: MatchSnapshot, entry: LogEntry, now: datetime) -> list[Notification]:
    """Return the notifications when a player drops out of a match that continues, or is replaced.

    The player hears why, unless it was their own decision. The others hear who.
    """
    is_replaced = entry.kind == LogEntry.Kind.SUBSTITUTE
    if entry.kind not in DROPS and not is_replaced:
        return []
    match = snapshot.match
    leaver = snapshot.players[entry.seat or 0]
    others = [player for player in snapshot.seats_still_in() if player != leaver]
    about = {"seat": leaver.seat, "entry": entry.number, "is_replaced": is_replaced}
    notifications = _made(match, others, PLAYER_LEFT, now, **about)
    if entry.kind in AGAINST_A_PLAYER:
        notifications += _made(match, [leaver], DROPPED_OUT, now, **about)
    return notifications


def _of_answer(
    snapshot: MatchSnapshot, entries: Sequence[LogEntry], agreed: Collection[int], now: datetime
) -> list[Notification]:
    """Return the notifications to the makers of an offer that is accepted or declined.

    For an offer that ends the match they get the notification of the end, and for a withdrawn one
    nothing.
    """
    answers = (entry for entry in entries if entry.kind in ANSWERS and entry.seat is not None)
    answer = next(answers, None)
    is_open = any(player.agrees_to_close or player.agrees_to for player in snapshot.players)
    if answer is None or is_open or answer.seat in agreed:
        return []
    offer = "pause" if answer.kind == LogEntry.Kind.PAUSE else answer.text
    is_accepted = answer.kind != LogEntry.Kind.DECLINE
    about = {"by": answer.seat, "offer": offer, "is_accepted": is_accepted}
    players = [player for player in snapshot.seats_still_in() if player.seat in agreed]
    return _made(snapshot.match, players, OFFER_ANSWERED, now, **about)


def _to_watchers(
    snapshot: MatchSnapshot, watchers: Collection[int], now: datetime
) -> list[Notification]:
    """Return the notifications of the end to watchers who want them."""
    match = snapshot.match
    playing = {player.user_id for player in snapshot.players}
    return notifications.made(
        recipients=[pk for pk in watchers if pk not in playing],
        kind=WATCHED_ENDED,
        payload=payload(match.pk, match.version),
        key=f"{WATCHED_ENDED}:{match.pk}",
        now=now,
    )


def _of_gift(snapshot: MatchSnapshot, entry: LogEntry, now: datetime) -> list[Notification]:
    """Return the notification to the player who was given time."""
    if entry.time_given is None:
        return []
    seat, gift = entry.time_given
    about = {"giver": entry.seat, "seconds": int(gift.total_seconds())}
    return _made(snapshot.match, [snapshot.players[seat]], TIME_GIVEN, now, **about)


def _made(
    match: Match, players: Iterable[Player], kind: str, now: datetime, **about: Json
) -> list[Notification]:
    version = about.get("entry", match.version)
    return notifications.made(
        recipients=[player.user_id for player in players if not player.is_bot],
        kind=kind,
        payload={**payload(match.pk, match.version), **about},
        key=f"{kind}:{match.pk}:{version}",
        now=now,
    )


def match_started(
    match: Match, players: Sequence[Player], last_joiner: User, now: datetime
) -> None:
    """Notify all players that their match has begun, except the one who took the last seat."""
    others = (player for player in players if player.user_id != last_joiner.pk)
    notifications.keep(_made(match, others, MATCH_STARTED, now))


def remind(match: Match, player: Player, reminder: Reminder, now: datetime) -> None:
    """Remind a player once that time runs short or a pause ends.

    A clock that was given more time counts as a new one.
    """
    about = payload(match.pk, match.version)
    kind = (
        TIME_SHORT
        if reminder.stage in (ReminderReason.SHORT, ReminderReason.LAST_DAY)
        else PAUSE_ENDS
    )
    if reminder.stage == ReminderReason.PAUSE_ENDING:
        about["until"] = reminder.since.isoformat()
    left = int(player.time_left.total_seconds()) if player.time_left else 0
    run = f"{match.pk}:{player.seat}:{reminder.since.isoformat()}:{left}"
    notifications.notify(
        recipient=player.user,
        kind=kind,
        payload=about,
        key=f"{kind}:{run}:{reminder.stage}",
        now=now,
    )


def clocks_run_on(match: Match, players: Iterable[Player], now: datetime) -> None:
    """Notify players whose clocks resume without a change of the match."""
    notifications.notify_all(
        recipients=[player.user_id for player in players],
        kind=PAUSE_ENDS,
        payload=payload(match.pk, match.version),
        key=f"{PAUSE_ENDS}:{match.pk}:{now.isoformat()}",
        now=now,
    )


def queue_stopped(player: Player, step: UUID, now: datetime) -> None:
    """Notify a player once that the queue has stopped at the step with this id."""
    match = Match.objects.get(pk=player.match_id)
    notifications.notify(
        recipient=player.user,
        kind=QUEUE_STOPPED,
        payload=payload(match.pk, match.version),
        key=f"{QUEUE_STOPPED}:{step}",
        now=now,
    )


def move_answered(
    user: User, match_id: int, version: int, *, text: str, refusal: str, key: str, now: datetime
) -> None:
    """Report the outcome of a move sent by mail, once for each ``key``, by mail and not by push.

    ``refusal`` is empty if it was played.
    """
    (notification,) = notifications.made(
        recipients=[user.pk],
        kind=MOVE_ANSWERED,
        payload={**payload(match_id, version), "text": text, "refusal": refusal},
        key=f"{MOVE_ANSWERED}:{key}",
        now=now,
    )
    notification.push_due = False
    notifications.keep([notification])


def vacation(kind: str, vacation: Vacation, now: datetime, match_id: int | None = None) -> None:
    """Notify a player of a vacation: of the start of an automatic one, or of its end.

    ``match_id`` is the match in which the player's time was about to run out.
    """
    about = {"until": vacation.end.isoformat(), "match": match_id}
    key = f"{kind}:{vacation.pk}"
    notifications.notify(recipient=vacation.user, kind=kind, payload=about, key=key, now=now)
