"""Notifications about tournaments: rounds, results, cancellations and free places."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from accounts import dates, notification_emails, notifications
from accounts.models import User
from accounts.notification_emails import Link, Payload, WordedKind
from games.events import acts, titles
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

TOO_FEW = "too-few"
ORGANISER = "organiser"
MODERATOR = "moderator"

REASONS: Mapping[str, StrOrPromise] = {
    TOO_FEW: gettext_lazy("Too few players had entered when entry closed."),
    ORGANISER: gettext_lazy("The organiser cancelled it before it began."),
    MODERATOR: gettext_lazy("A moderator cancelled it before it began."),
}
"""Why a tournament was cancelled, by the code."""

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
    played: defaultdict[User, list[tuple[list[str], int]]] = defaultdict(list)
    asked = set()
    for at_table in tables.values():
        for seat in at_table:
            played[seat.entry.user] += _opponents(seat, at_table)
            if seat.table.asked_for:
                asked.add(seat.entry.user)
    for user, opponents in played.items():
        text = {
            "round": made.number,
            **_named(made.tournament),
            "matches": len(opponents),
            "opponents": opponents[:MAX_OPPONENTS],
            "asked_for": user in asked,
            "deadline": made.deadline.isoformat(),
        }
        _notify(ROUND_BEGUN, made.tournament, [user], text, now)


def _opponents(own: TableSeat, at_table: Sequence[TableSeat]) -> list[tuple[list[str], int]]:
    """Return the names of the others at a table with the match. Empty for a bye."""
    if own.table.match_id is None:
        return []
    others = [seat.entry.user.shown_name for seat in at_table if seat is not own]
    return [(others, own.table.match_id)]


def round_ending(made: Round, now: datetime) -> None:
    """Remind the players to move in a round that its deadline is near."""
    to_move = _to_move().filter(match__tournament_table__round=made, is_bot=False)
    matches = Counter(player.user for player in to_move.select_related("user"))
    for user, count in matches.items():
        text = {
            "round": made.number,
            **_named(made.tournament),
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
                **_named(tournament),
                "winners": winners[:MAX_OPPONENTS],
                "players": len(entries),
            }
            _notify(TOURNAMENT_OVER, tournament, [entry.user], text, now)


def cancelled(tournament: Tournament, why: str, now: datetime) -> None:
    """Notify everybody who had entered or waited; ``why`` is a code of ``REASONS``."""
    rows = (tournament.entries, tournament.waiting)
    players = [one.user for queryset in rows for one in queryset.select_related("user")]
    text = {**_named(tournament), "why": why}
    _notify(TOURNAMENT_CANCELLED, tournament, players, text, now)


def moved_up(entry: Entry, now: datetime, *, matches: int) -> None:
    """Notify a user of a place in a tournament, and of ``matches`` that they take over."""
    tournament = entry.tournament
    # Until the first round is drawn, they play in all rounds, and hear of it then.
    is_open = not tournament.played_rounds.exists()
    text = {**_named(tournament), "is_open": is_open, "matches": matches}
    if tournament.is_for_teams:
        text["is_for_teams"] = True
    key = f"{MOVED_UP}:{entry.pk}:{entry.user_id}:{now.isoformat()}"
    _notify(MOVED_UP, tournament, [entry.user], text, now, key=key)


def news(act: OrganiserAct, users: Sequence[User], now: datetime) -> None:
    """Notify the users whom an act of an organiser concerns, apart from who has done it."""
    text = {
        **_named(act.tournament),
        "kind": act.kind,
        "act": acts.stored(act),
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


def _named(tournament: Tournament) -> dict[str, Any]:
    """Return the name of a tournament. If the site has named it, what its title consists of."""
    if tournament.own_name:
        return {"name": tournament.own_name}
    return {"titled": [tournament.title, tournament.series, tournament.number]}


def _with_name(payload: Payload) -> Payload:
    """Return the text of a notification with the name of its tournament."""
    text: Payload = payload["text"]
    return {**text, "name": titles.title(*text["titled"])} if "titled" in text else text


def _who(text: Payload) -> str:
    # Earlier releases stored the name of the organiser.
    return acts.who(text["act"]) if "act" in text else str(text["who"])


def _of_news(text: Payload) -> str:
    if text["kind"] == Kind.MESSAGE:
        subject = _("{name} writes to the players of {tournament}")
        return subject.format(name=_who(text), tournament=text["name"])
    news = acts.sentence(text["act"]) if "act" in text else f"{text['who']} {text['did']}"
    # Translators: {news} is a sentence about what somebody did.
    return _("{tournament}: {news}").format(tournament=text["name"], news=news)


def _news_in_full(text: Payload, _reader: User) -> str:
    if text["kind"] == Kind.MESSAGE:
        return str(text["reason"])
    changed = acts.changes(text["act"]) if "act" in text else text["changes"]
    # Translators: a changed term of a tournament, with its values before and after.
    change = _("{term}: {before} → {after}.")
    parts = [change.format(term=term, before=old, after=new) for term, old, new in changed]
    if text["reason"]:
        parts.append(_("Reason: {reason}").format(reason=text["reason"]))
    return " ".join(parts) or _("Everything is on the page of the tournament.")


def _of_asking(text: Payload) -> str:
    if text["kind"] in INVITING:
        subject = _("{name} invites you to {tournament}")
    else:
        subject = _("{name} asks you to organise {tournament} together")
    return subject.format(name=_who(text), tournament=text["name"])


def _asked_in_full(text: Payload, _reader: User) -> str:
    if text["kind"] in INVITING:
        answer = _("You can enter or decline on the page of the tournament.")
    else:
        answer = _("You can accept or decline on the page of the tournament.")
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
        return _("{tournament} has begun").format(tournament=text["name"])
    subject = _("Round {round} of {tournament} has begun")
    return subject.format(round=text["round"], tournament=text["name"])


def _of_round(text: Payload, reader: User) -> str:
    if "deadline" not in text:
        # One of an earlier release.
        return _("Your matches of the round are among your matches.")
    if not text["matches"]:
        if text.get("asked_for"):
            return _("You have a bye: you play no match in this round and get ½ point.")
        return _("You have a bye: you play no match in this round and get 1 point.")
    words = ngettext(
        "You play {count} match in this round. It ends on {time}: matches that still run then are"
        " ended, also during vacations and pauses.",
        "You play {count} matches in this round. It ends on {time}: matches that still run then are"
        " ended, also during vacations and pauses.",
        text["matches"],
    )
    return words.format(count=text["matches"], time=_end(text))


def _to_play(text: Payload) -> list[Link]:
    """Return the matches of a round with the opponents and addresses."""
    return [
        (
            # Translators: a link to a match; {names} are the opponents.
            _("Against {names}").format(names=_listed(names)),
            reverse("match", args=[match]),
        )
        for names, match in text.get("opponents", ())
    ]


def _listed(names: str | Sequence[str]) -> str:
    # Earlier releases stored the list as text.
    return names if isinstance(names, str) else formatting.names(names)


def _of_result(text: Payload, _reader: User) -> str:
    standings = _("The final standings are on the page of the tournament.")
    winners = text.get("winners")
    if not winners:
        # One of an earlier release.
        return standings
    if text["place"] == 1:
        # Translators: {count} is always more than 1.
        parts = [_("You have won, of {count} players.").format(count=text["players"])]
        if len(winners) > 1:
            shared = _("Place 1 is shared by {names}.")
            parts.append(shared.format(names=formatting.names(winners)))
        return " ".join([*parts, standings])
    won = ngettext("{names} has won.", "{names} have won.", len(winners))
    finished = _("You finished in place {place} of {count}.")
    parts = [
        won.format(names=formatting.names(winners)),
        finished.format(place=text["place"], count=text["players"]),
    ]
    return " ".join([*parts, standings])


def _of_end(text: Payload, reader: User) -> str:
    turn = ngettext(
        "It is your turn in {count} match.", "It is your turn in {count} matches.", text["matches"]
    )
    end = _(
        "Round {round} ends on {time}. Matches that still run then are ended, also during vacations"
        " and pauses. The player who has taken more time loses."
    )
    ends = end.format(round=text["round"], time=_end(text))
    return f"{turn.format(count=text['matches'])} {ends}"


def _end(text: Payload) -> str:
    return dates.exactly(_deadline(text))


def _deadline(text: Payload) -> datetime:
    return datetime.fromisoformat(text["deadline"])


def _of_place(text: Payload, _reader: User) -> str:
    """Return how a user has moved up, and what they have to do."""
    became_free = _("A place became free, and you were next on the waiting list.")
    if text.get("is_for_teams"):
        became_free = _("You step in for a player of your club.")
    if text["is_open"]:
        return " ".join([became_free, _("We’ll let you know when it begins.")])
    if not text["matches"]:
        late = _("You play from the next round on and start with 0 points.")
        return f"{became_free} {late}"
    count = text["matches"]
    taken = ngettext("You take over {count} match.", "You take over {count} matches.", count)
    return " ".join([became_free, taken.format(count=count)])


def _why(text: Payload, _reader: User) -> str:
    # Earlier releases didn't store the reason.
    if "why" not in text:
        return _("Too few players entered, or the organiser cancelled it.")
    return str(REASONS.get(text["why"], text["why"]))


def _url(payload: Payload) -> str:
    return reverse("event", args=[payload["tournament"]])


def _waiting(user: User) -> QuerySet[Any, str]:
    """Return the keys of the pages of tournaments in which it is a user's turn."""
    mine = _to_move().filter(user=user, match__tournament_table__isnull=False)
    pk = Cast("match__tournament_table__round__tournament", CharField())
    return mine.order_by().values_list(Concat(Value(PAGE), pk), flat=True).distinct()


KINDS = {
    ROUND_BEGUN: WordedKind(
        gettext_lazy("A round of your tournament, or a team match of yours, begins"),
        _begun,
        _of_round,
        _to_play,
    ),
    ROUND_ENDING: WordedKind(
        gettext_lazy("A round of your tournament ends soon, and it is your turn"),
        lambda text: _("A round of {tournament} ends soon: it is your turn").format(
            tournament=text["name"]
        ),
        _of_end,
        more={
            "is_urgent": True,
            "current": _waiting,
            "group": ROUND_ENDING,
            "use_until": lambda notification: _deadline(notification.payload["text"]),
        },
    ),
    TOURNAMENT_OVER: WordedKind(
        gettext_lazy("A tournament of yours is over"),
        lambda text: _("{tournament} is over: you finished in place {place}").format(
            tournament=text["name"], place=text["place"]
        ),
        _of_result,
        more={"is_outcome": True},
    ),
    TOURNAMENT_CANCELLED: WordedKind(
        gettext_lazy("A tournament of yours is cancelled"),
        lambda text: _("{tournament} is cancelled").format(tournament=text["name"]),
        _why,
        more={"is_outcome": True},
    ),
    ASKED: WordedKind(
        gettext_lazy("You are invited to a tournament, or asked to organise one"),
        _of_asking,
        _asked_in_full,
    ),
    NEWS: WordedKind(
        gettext_lazy("The organiser of your tournament writes to you or changes something"),
        _of_news,
        _news_in_full,
    ),
    MOVED_UP: WordedKind(
        gettext_lazy("You move up from the waiting list of a tournament"),
        lambda text: _("You are in {tournament}").format(tournament=text["name"]),
        _of_place,
        more={"is_urgent": True, "is_outcome": True},
    ),
}
"""The kinds about tournaments, in the order of the preferences."""


def register() -> None:
    notification_emails.register(KINDS, _url, _with_name)
