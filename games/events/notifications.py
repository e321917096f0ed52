"""Notifications about tournaments: rounds, results, cancellations and free places."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.formats import date_format

from accounts import notification_emails, notifications
from accounts.models import User
from accounts.notification_emails import Link, Payload, WordedKind
from games.events import acts
from games.events.models import Entry, OrganiserAct, Round, TableSeat, Tournament
from games.matches import formatting
from games.matches.models import Match, Player

Kind = OrganiserAct.Kind

ROUND_BEGUN = "round-begun"
ROUND_ENDING = "round-ending"
TOURNAMENT_OVER = "tournament-over"
TOURNAMENT_CANCELLED = "tournament-cancelled"
MOVED_UP = "moved-up"
ASKED = "tournament-asked"
NEWS = "tournament-news"

TOO_FEW = "Too few players had entered when entry closed."
ORGANISER = "The organiser cancelled it before it began."
MODERATOR = "A moderator cancelled it before it began."

INVITING = (Kind.INVITE, Kind.INVITE_CLUB)

MAX_OPPONENTS = 30
"""How many matches or winners a mail names."""

PAGE = "event:"
"""Prefix of the key of a tournament's page."""


def page_key(tournament_id: int) -> str:
    """Return the key of a tournament's page, under which presence is stored."""
    return f"{PAGE}{tournament_id}"


def round_begun(made: Round, now: datetime) -> None:
    """Notify the players of a round, and those who have a bye, that it has begun."""
    seats = TableSeat.objects.filter(table__round=made).select_related("entry__user", "table")
    tables: defaultdict[int, list[TableSeat]] = defaultdict(list)
    for seat in seats:
        tables[seat.table_id].append(seat)
    played: defaultdict[User, list[tuple[str, int]]] = defaultdict(list)
    asked = set()
    for at_table in tables.values():
        for seat in at_table:
            played[seat.entry.user] += _opponents(seat, at_table)
            if seat.table.asked_for:
                asked.add(seat.entry.user)
    for user, opponents in played.items():
        text = {
            "round": made.number,
            "name": made.tournament.name,
            "matches": len(opponents),
            "opponents": opponents[:MAX_OPPONENTS],
            "asked_for": user in asked,
            "deadline": made.deadline.isoformat(),
        }
        _notify(ROUND_BEGUN, made.tournament, [user], text, now)


def _opponents(own: TableSeat, at_table: Sequence[TableSeat]) -> list[tuple[str, int]]:
    """Return the names of the others at a table with the match. Empty for a bye."""
    if own.table.match_id is None:
        return []
    others = [seat.entry.user.shown_name for seat in at_table if seat is not own]
    return [(formatting.names(others), own.table.match_id)]


def round_ending(made: Round, now: datetime) -> None:
    """Remind the players to move in a round that its deadline is near."""
    to_move = _to_move().filter(match__tournament_table__round=made, is_bot=False)
    matches = Counter(player.user for player in to_move.select_related("user"))
    for user, count in matches.items():
        text = {
            "round": made.number,
            "name": made.tournament.name,
            "matches": count,
            "deadline": made.deadline.isoformat(),
        }
        _notify(ROUND_ENDING, made.tournament, [user], text, now)


def _to_move() -> QuerySet[Player]:
    return Player.objects.filter(to_move=True, match__status=Match.Status.RUNNING)


def finished(tournament: Tournament, entries: Sequence[Entry], now: datetime) -> None:
    """Notify everybody who played to the end of their place."""
    placed = [entry for entry in entries if entry.place is not None]
    winners = [entry.user.shown_name for entry in placed if entry.place == 1]
    for entry in placed:
        if entry.place is not None:
            text = {
                "place": entry.place,
                "name": tournament.name,
                "winners": winners[:MAX_OPPONENTS],
                "players": len(entries),
            }
            _notify(TOURNAMENT_OVER, tournament, [entry.user], text, now)


def cancelled(tournament: Tournament, why: str, now: datetime) -> None:
    """Notify everybody who had entered or waited; ``why`` is a sentence."""
    rows = (tournament.entries, tournament.waiting)
    players = [one.user for queryset in rows for one in queryset.select_related("user")]
    _notify(TOURNAMENT_CANCELLED, tournament, players, {"name": tournament.name, "why": why}, now)


def moved_up(entry: Entry, now: datetime, *, matches: int) -> None:
    """Notify a user of a place in a tournament, and of ``matches`` that they take over."""
    tournament = entry.tournament
    # Until the first round is drawn, they play in all rounds, and hear of it then.
    is_open = not tournament.played_rounds.exists()
    text: dict[str, object] = {"name": tournament.name, "is_open": is_open, "matches": matches}
    if tournament.is_for_teams:
        text["is_for_teams"] = True
    key = f"{MOVED_UP}:{entry.pk}:{entry.user_id}:{now.isoformat()}"
    _notify(MOVED_UP, tournament, [entry.user], text, now, key=key)


def news(act: OrganiserAct, users: Sequence[User], now: datetime) -> None:
    """Notify the users whom an act of an organiser concerns, apart from who has done it."""
    text = {
        "name": act.tournament.name,
        "kind": act.kind,
        "who": acts.actor(act),
        "did": acts.sentence(act),
        "changes": act.details.get("changes", []),
        "reason": act.reason,
    }
    kind = ASKED if act.kind in (*INVITING, Kind.SHARE) else NEWS
    pk = act.tournament_id
    notifications.notify_all(
        recipients={user.pk for user in users if user.pk != act.actor_id and not user.is_bot},
        kind=kind,
        payload={"tournament": pk, "place": page_key(pk), "text": text},
        now=now,
        key=f"{kind}:{act.pk}",
    )


def _of_news(text: Payload) -> str:
    if text["kind"] == Kind.MESSAGE:
        return f"{text['who']} writes to the players of {text['name']}"
    return f"{text['name']}: {text['who']} {text['did']}"


def _news_in_full(text: Payload, _reader: User) -> str:
    changes = [f"{label}: {before} → {after}." for label, before, after in text["changes"]]
    if text["kind"] == Kind.MESSAGE:
        return str(text["reason"])
    reason = [f"Reason: {text['reason']}"] if text["reason"] else []
    return " ".join([*changes, *reason]) or "Everything is on the page of the tournament."


def _of_asking(text: Payload) -> str:
    if text["kind"] in INVITING:
        return f"{text['who']} invites you to {text['name']}"
    return f"{text['who']} asks you to organise {text['name']} together"


def _asked_in_full(text: Payload, _reader: User) -> str:
    what = "enter" if text["kind"] in INVITING else "accept"
    answer = f"You can {what} or decline on the page of the tournament."
    return f"{text['reason']} {answer}".strip()


def _notify(
    kind: str,
    tournament: Tournament,
    players: Sequence[User],
    text: Mapping[str, object],
    now: datetime,
    *,
    key: str = "",
) -> None:
    for user in players:
        notifications.notify(
            recipient=user,
            kind=kind,
            payload={"tournament": tournament.pk, "place": page_key(tournament.pk), "text": text},
            key=key or f"{kind}:{tournament.pk}:{text.get('round', '')}:{user.pk}",
            now=now,
        )


def _begun(text: Payload) -> str:
    if text["round"] == 1:
        return f"{text['name']} has begun"
    return f"Round {text['round']} of {text['name']} has begun"


def _of_round(text: Payload, reader: User) -> str:
    if "deadline" not in text:
        # One of an earlier release.
        return "Your matches of the round are among your matches."
    if not text["matches"]:
        points = "½ point" if text.get("asked_for") else "1 point"
        return f"You have a bye: you play no match in this round and get {points}."
    return (
        f"You play {formatting.counted(text['matches'], 'match', 'matches')} in this round."
        f" It ends on {_end(text, reader)}: matches that still run then are ended,"
        " also during vacations and pauses."
    )


def _to_play(text: Payload) -> list[Link]:
    """Return the matches of a round with the opponents and addresses."""
    return [
        (f"Against {names}", reverse("match", args=[match]))
        for names, match in text.get("opponents", ())
    ]


def _of_result(text: Payload, _reader: User) -> str:
    standings = "The final standings are on the page of the tournament."
    winners = text.get("winners")
    if not winners:
        # One of an earlier release.
        return standings
    if text["place"] == 1:
        shared = f" Place 1 is shared by {formatting.names(winners)}." if len(winners) > 1 else ""
        return f"You have won, of {text['players']} players.{shared} {standings}"
    verb = "has" if len(winners) == 1 else "have"
    won = f"{formatting.names(winners)} {verb} won."
    return f"{won} You finished in place {text['place']} of {text['players']}. {standings}"


def _of_end(text: Payload, reader: User) -> str:
    return (
        f"It is your turn in {formatting.counted(text['matches'], 'match', 'matches')}."
        f" Round {text['round']} ends on {_end(text, reader)}. Matches that still run then are"
        " ended, also during vacations and pauses. The player who has taken more time loses."
    )


def _end(text: Payload, reader: User) -> str:
    return date_format(_deadline(text).astimezone(reader.zone), "j F Y, H:i")


def _deadline(text: Payload) -> datetime:
    return datetime.fromisoformat(text["deadline"])


def _of_place(text: Payload, _reader: User) -> str:
    """Return how a user has moved up, and what they have to do."""
    became_free = "A place became free, and you were next on the waiting list."
    if text.get("is_for_teams"):
        became_free = "You step in for a player of your club."
    if text["is_open"]:
        return f"{became_free} We’ll let you know when it begins."
    if not text["matches"]:
        return f"{became_free} You play from the next round on and start with 0 points."
    matches = formatting.counted(text["matches"], "match", "matches")
    return f"{became_free} You take over {matches}."


def _why(text: Payload, _reader: User) -> str:
    # Those of earlier releases don't say which of the two it was.
    return str(text.get("why", "Too few players entered, or the organiser cancelled it."))


def _url(payload: Payload) -> str:
    return reverse("event", args=[payload["tournament"]])


def _waiting(user: User) -> QuerySet[Any, str]:
    """Return the keys of the pages of tournaments in which it is a user's turn."""
    mine = _to_move().filter(user=user, match__tournament_table__isnull=False)
    pk = Cast("match__tournament_table__round__tournament", CharField())
    return mine.order_by().values_list(Concat(Value(PAGE), pk), flat=True).distinct()


KINDS = {
    ROUND_BEGUN: WordedKind(
        "A round of your tournament, or a team match of yours, begins", _begun, _of_round, _to_play
    ),
    ROUND_ENDING: WordedKind(
        "A round of your tournament ends soon, and it is your turn",
        lambda text: f"A round of {text['name']} ends soon: it is your turn",
        _of_end,
        more={
            "is_urgent": True,
            "current": _waiting,
            "group": ROUND_ENDING,
            "use_until": lambda notification: _deadline(notification.payload["text"]),
        },
    ),
    TOURNAMENT_OVER: WordedKind(
        "A tournament of yours is over",
        lambda text: f"{text['name']} is over: you finished in place {text['place']}",
        _of_result,
        more={"is_outcome": True},
    ),
    TOURNAMENT_CANCELLED: WordedKind(
        "A tournament of yours is cancelled",
        lambda text: f"{text['name']} is cancelled",
        _why,
        more={"is_outcome": True},
    ),
    ASKED: WordedKind(
        "You are invited to a tournament, or asked to organise one",
        _of_asking,
        _asked_in_full,
    ),
    NEWS: WordedKind(
        "The organiser of your tournament writes to you or changes something",
        _of_news,
        _news_in_full,
    ),
    MOVED_UP: WordedKind(
        "You move up from the waiting list of a tournament",
        lambda text: f"You are in {text['name']}",
        _of_place,
        more={"is_urgent": True, "is_outcome": True},
    ),
}
"""The kinds about tournaments, in the order of the preferences."""


def register() -> None:
    notification_emails.register(KINDS, _url, lambda payload: payload["text"])
