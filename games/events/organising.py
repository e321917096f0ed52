"""What organisers do, and moderators in their place: each act is checked, logged and announced.

Every act locks the row of its tournament, so two at once follow each other, and none happens while
a round is paired. Matches are changed afterwards, by :func:`games.events.services.advance`.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import blocks, texts
from accounts.models import User
from games.events import conditions, notifications, results, selectors, services, terms, waiting
from games.events.errors import EntryClosed
from games.events.models import (
    MAX_WORD,
    ByeRequest,
    CoOrganiser,
    Entry,
    EntryInvitation,
    OrganiserAct,
    Table,
    TableSeat,
    Tournament,
)
from games.events.rounds import planned, planned_for
from games.events.signals import organiser_acted
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.two_players import PAIR
from games.kernel.views import Json
from games.matches.clock import DAY, Clock
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.talk import writing

Kind = OrganiserAct.Kind
Status = Tournament.Status
Format = Tournament.Format

POWER = "moderation.end_matches"
"""The permission of moderators who act in the place of organisers."""

MAX_INVITED = 100
"""How many players may be invited to a tournament by name."""

MAX_OF_CLUB = 500
"""How many members of a club are invited at once, those who joined first."""

MAX_CO_ORGANISERS = 4
MAX_MESSAGES = 4
"""How often in a day organisers of a tournament may write to all players."""

MAX_ACTS = 500
"""How many acts the log of a tournament may have, without those of moderators."""

MAX_REASON = 500
MAX_MESSAGE = 1000
MAX_EXTENSION = 60
"""Days by which a round may be extended at once."""

MAX_ROUND = 2 * services.ROUND_DAYS[1]
"""Days that a round may last with all extensions."""

MAX_PAUSE = 30 * DAY
"""How long a tournament stays paused at most."""

DRAW, NOBODY = "draw", "nobody"
"""How a pairing may be settled besides the name of a winner."""

# Translators: {count} is always more than 1.
TOO_LONG = gettext_lazy("That is too long: at most {count} characters.")
NOT_YOURS = gettext_lazy("Only the organisers of this tournament and moderators can do this.")
ONLY_THE_ORGANISER = gettext_lazy("Only the organiser can do this, not those who share the job.")


@dataclass(frozen=True)
class Doing:
    """An act on its way: who does it to which tournament, when and why."""

    tournament: Tournament
    user: User
    now: datetime
    reason: str
    by_moderator: bool


@dataclass(frozen=True)
class Done:
    """What an act has done: whom it was about, who is notified, and what its sentence needs."""

    about: User | None = None
    details: Mapping[str, Json] = field(default_factory=dict)
    told: Sequence[User] = ()
    undoes: OrganiserAct | None = None


@dataclass(frozen=True)
class ActKind:
    """An act: when it is possible, what it does, and which values it takes besides the reason."""

    statuses: Sequence[Status]
    run: Callable[..., Done]
    values: Sequence[str] = ()
    needs_reason: bool = False
    only_organiser: bool = False
    only_moderator: bool = False


def may_moderate(user: User | AnonymousUser) -> bool:
    return user.is_authenticated and user.has_perm(POWER)


def act(
    *,
    tournament_id: int,
    user: User,
    kind: Kind,
    now: datetime,
    reason: str = "",
    moderates: bool = False,
    **values: Any,
) -> Tournament:
    """Do what an organiser may do, and log it.

    ``moderates`` says that the user may act as a moderator here, and has shown a second factor.

    :raises EntryClosed: the tournament has begun, or is over.
    :raises Refused: the user may not do this, or it is impossible now.
    :raises BadParams: the game doesn't offer these parameters.
    """
    with transaction.atomic():
        tournament = services.locked(tournament_id)
        doing = _allowed(tournament, user, kind, reason, moderates=moderates, now=now)
        done = ACTS[kind].run(doing, **values)
        written = OrganiserAct.objects.create(
            tournament=tournament,
            at=now,
            actor=user,
            by_moderator=doing.by_moderator,
            kind=kind,
            about=done.about,
            details=dict(done.details),
            reason=doing.reason,
            undoes=done.undoes,
        )
        notifications.news(written, done.told, now)
        organiser_acted.send(OrganiserAct, act=written)
        services.tell(tournament)
        if kind == Kind.EDIT:
            services.begin_if_full(tournament, now)
    if kind in CHANGING_MATCHES:
        services.advance(tournament_id, now=now)
    return selectors.get(tournament_id)


def _allowed(
    tournament: Tournament, user: User, kind: Kind, reason: str, *, moderates: bool, now: datetime
) -> Doing:
    organises = _check_may(tournament, user, kind, moderates=moderates)
    if tournament.status not in ACTS[kind].statuses:
        raise EntryClosed(_too_late(tournament, ACTS[kind].statuses))
    if organises and tournament.acts.filter(by_moderator=False).count() >= MAX_ACTS:
        # Translators: {count} is always more than 1.
        words = _("This tournament has {count} acts in its log already.")
        raise Refused(words.format(count=MAX_ACTS))
    reason = texts.lines(reason)
    longest = MAX_MESSAGE if kind == Kind.MESSAGE else MAX_REASON
    if len(reason) > longest:
        raise Refused(TOO_LONG.format(count=longest))
    if not reason and kind == Kind.MESSAGE:
        raise Refused(_("Write a message first."))
    if not reason and (ACTS[kind].needs_reason or not organises):
        raise Refused(_("A reason is needed: everybody reads it on the page."))
    writing.check_may_write(user, reason, now)
    return Doing(tournament, user, now, reason, by_moderator=not organises)


def _check_may(tournament: Tournament, user: User, kind: Kind, *, moderates: bool) -> bool:
    """Check that a user may do an act. Return whether they organise the tournament."""
    asked = ACTS[kind]
    organises = selectors.organises(tournament, user)
    if not organises and not (moderates and may_moderate(user)):
        raise Refused(str(NOT_YOURS))
    if asked.only_moderator and (organises or not moderates):
        raise Refused(_("Only moderators can do this, in tournaments that they don’t organise."))
    if asked.only_organiser and organises and tournament.organiser_id != user.pk:
        raise Refused(str(ONLY_THE_ORGANISER))
    if not organises and tournament.entries.filter(user=user, left=None).exists():
        raise Refused(_("You play in this tournament. Leave it to another moderator."))
    return organises


def _too_late(tournament: Tournament, statuses: Sequence[Status]) -> str:
    if tournament.is_open:
        return _("This tournament hasn’t begun yet.")
    if tournament.is_running and Status.OPEN in statuses:
        return _("This tournament has begun, so this can’t be changed any more.")
    return services.closed(tournament)


def _players(tournament: Tournament, *, waiting_too: bool = False) -> list[User]:
    rows = [tournament.entries.filter(left=None)]
    found = [one.user for queryset in rows for one in queryset.select_related("user")]
    if waiting_too:
        found += [one.user for one in selectors.waiting_of(tournament)]
    return found


def _named(name: str) -> User:
    user = User.objects.named(texts.one_line(name))
    if user is None:
        raise Refused(_("There is no member of this name."))
    return user


# --- Until the start ----------------------------------------------------------------------------


def _edit(doing: Doing, **new: Any) -> Done:
    """Change the terms. Entrants hear what was changed, and stay whatever the conditions are."""
    tournament = doing.tournament
    before = terms.stored(tournament)
    clock: Clock = new.pop("clock")
    params = parameters.for_match(registry.get(tournament.title), new["seats"], new.pop("params"))
    if (new["name"], new["about"]) != (tournament.name, before["about"]):
        writing.check_may_write(doing.user, f"{new['name']} {new['about']}", doing.now)
    _check_edit(doing, new)
    if new["name"] == tournament.name:
        # A title of the site stays one.
        new["name"] = before["name"]
    for name, value in {**new, "clock": clock.dump(), "params": params}.items():
        setattr(tournament, name, value)
    after = terms.stored(tournament)
    changed = terms.changes(before, after)
    if not changed:
        raise Refused(_("Nothing was changed."))
    tournament.save(update_fields=terms.columns(terms.LABELS))
    kept = {name: value for name, value in before.items() if after[name] != value}
    details = {"changed": changed, "before": kept}
    return Done(details=details, told=_players(tournament, waiting_too=True))


def _check_edit(doing: Doing, new: Mapping[str, Any]) -> None:
    if not texts.one_line(new["name"]):
        raise Refused(_("A tournament needs a name."))
    tournament = doing.tournament
    sizes = {name: new[name] for name in ("seats", "least", "most", "rounds")}
    services.check_terms(new["format"], **sizes)
    ranges = ("rating_low", "rating_high", "least_matches", "least_reliability")
    more = ("by_invitation", "club_id", "late_until", "tie_breaks")
    services.check_conditions(new["format"], **{name: new[name] for name in (*ranges, *more)})
    services.check_dates(new["starts"], new["round_days"], doing.now)
    if new["club_id"] != tournament.club_id:
        services.check_club(doing.user, new["club_id"])
    entered = tournament.entries.count()
    if new["most"] < entered:
        words = ngettext(
            "{count} player has entered already, so there is no room for fewer.",
            "{count} players have entered already, so there is no room for fewer.",
            entered,
        )
        raise Refused(words.format(count=entered))


def _start(doing: Doing) -> Done:
    tournament = doing.tournament
    services.drop_gone(tournament, doing.now)
    waiting.fill(tournament, doing.now)
    fewest = services.fewest_players(Format(tournament.format), tournament.seats)
    entered = tournament.entries.count()
    if entered < fewest:
        words = _("This tournament can’t begin with {count} of at least {least} players.")
        raise Refused(words.format(count=entered, least=fewest))
    services.begin(tournament, doing.now)
    return Done(details={"players": entered})


def _cancel(doing: Doing) -> Done:
    why = notifications.MODERATOR if doing.by_moderator else notifications.ORGANISER
    services.cancel_open(doing.tournament, why, doing.now)
    return Done()


def _invite(doing: Doing, name: str) -> Done:
    tournament, other = doing.tournament, _named(name)
    if other.is_bot or other.is_program:
        raise Refused(_("Accounts of bots can’t enter tournaments."))
    if other == doing.user:
        raise Refused(_("You can’t invite yourself."))
    if blocks.apart(doing.user, [other.pk]):
        raise Refused(_("You can’t invite this player: one of you has blocked the other."))
    if tournament.entries.filter(user=other).exists():
        raise Refused(_("This player has entered already."))
    if selectors.is_removed(tournament, other):
        raise Refused(_("This player was removed from the tournament."))
    earlier = tournament.invitations.filter(user=other).first()
    if earlier is not None:
        if earlier.declined:
            raise Refused(_("This player has declined an invitation."))
        raise Refused(_("This player is invited already."))
    if tournament.invitations.count() >= MAX_INVITED:
        # Translators: {count} is always more than 1.
        words = _("You have invited {count} players. Use a link for others.")
        raise Refused(words.format(count=MAX_INVITED))
    EntryInvitation.objects.create(tournament=tournament, user=other, created=doing.now)
    return Done(about=other, told=[other])


def _invite_club(doing: Doing, club: int) -> Done:
    """Invite all members of a club that the organiser leads, once."""
    tournament = doing.tournament
    if not conditions.leads(doing.user, club):
        raise Refused(_("You can invite clubs that you lead."))
    if tournament.acts.filter(kind=Kind.INVITE_CLUB, details__club=club, undone_by=None).exists():
        raise Refused(_("This club is invited already."))
    members = User.objects.filter(club_memberships__club=club, is_active=True, is_guest=False)
    members = members.filter(is_bot=False, is_program=False).exclude(pk=doing.user.pk)
    members = members.exclude(pk__in=tournament.entries.values("user"))
    members = members.exclude(pk__in=tournament.invitations.values("user"))
    found = list(members.order_by("club_memberships__joined")[:MAX_OF_CLUB])
    apart = blocks.apart(doing.user, [user.pk for user in found])
    told = [
        user
        for user in found
        if user.pk not in apart and not selectors.is_removed(tournament, user)
    ]
    if not told:
        raise Refused(_("No member of this club is left to invite."))
    EntryInvitation.objects.bulk_create(
        EntryInvitation(tournament=tournament, user=user, created=doing.now) for user in told
    )
    name = doing.user.club_memberships.get(club=club).club.name
    return Done(details={"club": club, "name": name, "players": len(told)}, told=told)


def _link(doing: Doing) -> Done:
    """Make a new link. An earlier one doesn't work any more."""
    doing.tournament.link = secrets.token_urlsafe(12)
    doing.tournament.save(update_fields=["link"])
    return Done()


def _unlink(doing: Doing) -> Done:
    if not doing.tournament.link:
        raise Refused(_("There is no link."))
    doing.tournament.link = ""
    doing.tournament.save(update_fields=["link"])
    return Done()


# --- While it runs ------------------------------------------------------------------------------


def _message(doing: Doing) -> Done:
    since = doing.now - DAY
    sent = doing.tournament.acts.filter(kind=Kind.MESSAGE, at__gt=since, by_moderator=False)
    if not doing.by_moderator and sent.count() >= MAX_MESSAGES:
        # Translators: {count} is always more than 1.
        words = _("You can write to all players {count} times in a day.")
        raise Refused(words.format(count=MAX_MESSAGES))
    players = [user for user in _players(doing.tournament) if user != doing.user]
    # Those apart by a block can read it on the page.
    apart = blocks.apart(doing.user, [user.pk for user in players])
    told = [user for user in players if user.pk not in apart]
    return Done(details={"players": len(players)}, told=told)


def _entry_of(tournament: Tournament, name: str) -> Entry:
    entries = tournament.entries.filter(left=None).select_related("user")
    entry = entries.filter(user=_named(name)).first()
    if entry is None:
        raise Refused(_("This player is not in the tournament."))
    return entry


def _remove(doing: Doing, name: str) -> Done:
    """Remove a player. Opponents win the running pairings, which don't count for ratings."""
    tournament, entry = doing.tournament, _entry_of(doing.tournament, name)
    user = entry.user
    if user == doing.user:
        raise Refused(_("You can leave the tournament on its page."))
    if tournament.is_open:
        entry.delete()
        waiting.fill(tournament, doing.now)
        return Done(about=user, told=[user])
    services.take_out(tournament, entry, Entry.Why.REMOVED, doing.now)
    if entry.left is not None:
        _settle_all_of(doing, entry)
    return Done(about=user, told=[user])


def _settle_all_of(doing: Doing, entry: Entry) -> None:
    """Let the opponents of a removed player win, apart from who has removed them."""
    for table in selectors.tables_of(doing.tournament):
        seats = list(table.table_seats.all())
        own = [seat for seat in seats if seat.entry_id == entry.pk]
        if not own or table.ended is not None or len(seats) != PAIR:
            # At larger tables the others play on.
            continue
        [other] = [seat for seat in seats if seat.entry_id != entry.pk]
        profits = other.entry.user_id == doing.user.pk
        ranks: list[int | None] = [None, None]
        if not profits:
            ranks[other.seat], ranks[own[0].seat] = 1, 2
        results.settle(table, ranks, doing.reason, doing.now)


def _extend(doing: Doing, days: int) -> Done:
    if not 1 <= days <= MAX_EXTENSION:
        # Translators: {count} is always more than 1.
        words = _("A round can be extended by 1 to {count} days at once.")
        raise Refused(words.format(count=MAX_EXTENSION))
    current = doing.tournament.played_rounds.filter(ended=None).order_by("-number").first()
    if current is None:
        raise Refused(_("No round is running."))
    current.deadline += timedelta(days=days)
    if current.deadline > current.began + timedelta(days=MAX_ROUND):
        # Translators: {count} is always more than 1.
        words = _("A round lasts at most {count} days with all extensions.")
        raise Refused(words.format(count=MAX_ROUND))
    current.reminded = None
    current.save(update_fields=["deadline", "reminded"])
    details = {"round": current.number, "days": days, "deadline": current.deadline.isoformat()}
    return Done(details=details, told=_players(doing.tournament))


def _pause(doing: Doing) -> Done:
    tournament = doing.tournament
    if tournament.paused:
        raise Refused(_("The tournament is paused already."))
    tournament.paused = doing.now
    tournament.save(update_fields=["paused"])
    return Done(told=_players(tournament))


def _resume(doing: Doing) -> Done:
    seconds = resume(doing.tournament, doing.now)
    return Done(details={"seconds": seconds}, told=_players(doing.tournament))


def resume(tournament: Tournament, now: datetime) -> int:
    """End a pause, and add it to the time of the running round. Return its seconds."""
    if tournament.paused is None:
        raise Refused(_("The tournament isn’t paused."))
    length = now - tournament.paused
    for current in tournament.played_rounds.filter(ended=None):
        current.deadline += length
        if current.reminder > now:
            current.reminded = None
        current.save(update_fields=["deadline", "reminded"])
    tournament.paused = None
    tournament.save(update_fields=["paused"])
    return int(length.total_seconds())


def _table_of(tournament: Tournament, pk: int) -> Table:
    tables = Table.objects.filter(round__tournament=tournament, match__isnull=False)
    table = tables.filter(pk=pk).select_related("round__tournament", "match").first()
    if table is None:
        raise Refused(_("There is no such pairing in this tournament."))
    if table.round.ended is not None:
        raise Refused(_("The round of this pairing is over."))
    return table


def _settle(doing: Doing, table: int, outcome: str) -> Done:
    """Decide the result of a pairing. A running match is annulled, and counts for no rating."""
    found = _table_of(doing.tournament, table)
    seats = list(found.table_seats.select_related("entry__user"))
    if any(seat.entry.user_id == doing.user.pk for seat in seats):
        raise Refused(_("You play in this pairing. Leave it to another organiser or a moderator."))
    ranks = _ranks(doing.tournament, seats, outcome, number=found.round.number)
    details = {
        "table": found.pk,
        "round": found.round.number,
        "players": [seat.entry.user.username for seat in seats],
        "outcome": outcome,
        "ranks": [seat.rank for seat in seats],
        "ended": found.ended.isoformat() if found.ended else None,
    }
    results.settle(found, ranks, doing.reason, doing.now)
    return Done(details=details, told=[seat.entry.user for seat in seats])


def _ranks(
    tournament: Tournament, seats: Sequence[TableSeat], outcome: str, *, number: int
) -> list[int | None]:
    if outcome == NOBODY:
        return [None] * len(seats)
    if outcome == DRAW:
        if results.is_knock_out(tournament, number):
            raise Refused(_("In a knock-out somebody must go on, so this can’t be a draw."))
        return [1] * len(seats)
    names = [seat.entry.user.username for seat in seats]
    if outcome not in names:
        raise Refused(_("Name a player of this pairing, a draw or nobody."))
    return [1 if name == outcome else 2 for name in names]


def last_late_round(tournament: Tournament) -> int:
    """Return the last round until which entry can be late, if it fills up."""
    if tournament.is_running:
        return planned(tournament, selectors.entries_of(tournament))
    return planned_for(tournament, tournament.most)


def _late(doing: Doing, round: int) -> Done:  # noqa: A002 - the word that players know
    tournament = doing.tournament
    services.check_conditions(Format(tournament.format), late_until=round)
    begun = tournament.played_rounds.count()
    last = last_late_round(tournament)
    if round and not begun < round <= last:
        words = _("Late entry is possible until a round from {first} to {last}.")
        raise Refused(words.format(first=begun + 1, last=last))
    if round == tournament.late_until:
        raise Refused(_("Nothing was changed."))
    before = tournament.late_until
    tournament.late_until = round
    tournament.save(update_fields=["late_until"])
    return Done(details={"round": round, "before": before})


def _bye(doing: Doing, request: int) -> Done:
    """Grant a bye that a player has asked for before the round was paired."""
    asked = ByeRequest.objects.filter(pk=request, entry__tournament=doing.tournament)
    found = asked.select_related("entry__user").first()
    if found is None or found.entry.left is not None:
        raise Refused(_("There is no such request."))
    if found.granted:
        raise Refused(_("This bye is granted already."))
    if found.round <= doing.tournament.played_rounds.count():
        raise Refused(_("This round has begun."))
    if found.entry.user_id == doing.user.pk:
        raise Refused(_("Leave your own bye to another organiser or a moderator."))
    found.granted = doing.now
    found.save(update_fields=["granted"])
    user = found.entry.user
    return Done(about=user, details={"round": found.round, "request": found.pk}, told=[user])


# --- The job ------------------------------------------------------------------------------------


def _share(doing: Doing, name: str) -> Done:
    """Ask somebody to share the job. They organise once they have accepted."""
    tournament, other = doing.tournament, _named(name)
    if other.is_bot or other.is_program:
        raise Refused(_("Bots can’t organise tournaments."))
    if selectors.organises(tournament, other):
        raise Refused(_("This player organises the tournament already."))
    if blocks.apart(doing.user, [other.pk]):
        raise Refused(_("You can’t ask this player: one of you has blocked the other."))
    if tournament.co_organisers.filter(user=other).exists():
        raise Refused(_("This player was asked already."))
    if tournament.co_organisers.count() >= MAX_CO_ORGANISERS:
        # Translators: {count} is always more than 1.
        words = _("At most {count} others can share the job.")
        raise Refused(words.format(count=MAX_CO_ORGANISERS))
    CoOrganiser.objects.create(tournament=tournament, user=other, asked=doing.now)
    return Done(about=other, told=[other])


def _unshare(doing: Doing, name: str) -> Done:
    other = _named(name)
    deleted = doing.tournament.co_organisers.filter(user=other).delete()[0]
    if not deleted:
        raise Refused(_("This player doesn’t share the job."))
    return Done(about=other, told=[other])


def _hand_over(doing: Doing, name: str) -> Done:
    """Make somebody who shares the job the organiser. The former one shares it from now on."""
    other = _named(name)
    hand_over(doing.tournament, other, doing.now)
    return Done(about=other, told=[other])


def hand_over(tournament: Tournament, other: User, now: datetime) -> None:
    """:raises Refused: they don't share the job, or organise too many tournaments."""
    shared = tournament.co_organisers.filter(user=other, accepted__isnull=False)
    if not shared.exists():
        raise Refused(_("You can hand it over to somebody who shares the job already."))
    services.check_organiser(other, "", now)
    former = tournament.organiser
    shared.delete()
    tournament.organiser = other
    tournament.save(update_fields=["organiser"])
    if former is not None:
        CoOrganiser.objects.create(tournament=tournament, user=former, asked=now, accepted=now)


def hand_over_all(user: User, now: datetime) -> None:
    """Hand a leaving organiser's tournaments over to the first who shares the job of each."""
    own = Tournament.objects.filter(organiser=user, status__in=Tournament.CURRENT)
    for pk in own.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            tournament = services.locked(pk)
            shared = tournament.co_organisers.filter(accepted__isnull=False, user__is_active=True)
            first = shared.exclude(user=user).select_related("user").first()
            if first is None:
                continue
            other = first.user
            first.delete()
            tournament.organiser = other
            tournament.save(update_fields=["organiser"])
            written = OrganiserAct.objects.create(
                tournament=tournament, at=now, actor=user, kind=Kind.HAND_OVER, about=other
            )
            notifications.news(written, [other], now)
            services.tell(tournament)


def _word(doing: Doing, name: str, word: str) -> Done:
    """Say something about a placed player, such as "best newcomer". Nothing takes it back."""
    word = texts.one_line(word)
    if len(word) > MAX_WORD:
        raise Refused(TOO_LONG.format(count=MAX_WORD))
    writing.check_may_write(doing.user, word, doing.now)
    placed = doing.tournament.entries.filter(place__isnull=False, user=_named(name))
    entry = placed.select_related("user").first()
    if entry is None:
        raise Refused(_("This player has no place in this tournament."))
    if entry.word == word:
        raise Refused(_("Nothing was changed."))
    before, entry.word = entry.word, word
    entry.save(update_fields=["word"])
    return Done(about=entry.user, details={"word": word, "before": before})


# --- Undoing ------------------------------------------------------------------------------------


def _undo(doing: Doing, act: int) -> Done:
    found = doing.tournament.acts.filter(pk=act).select_related("about", "actor").first()
    if found is None:
        raise Refused(_("There is no such act in this tournament."))
    if OrganiserAct.objects.filter(undoes=found).exists():
        raise Refused(_("This act is undone already."))
    undo = UNDOING.get(Kind(found.kind))
    if undo is None:
        raise Refused(_("This act can’t be undone."))
    undo(doing, found)
    told = [found.about, found.actor]
    if found.kind in (Kind.EDIT, Kind.EXTEND, Kind.PAUSE, Kind.RESUME):
        told += _players(doing.tournament)
    known = {user.pk: user for user in told if user is not None}
    return Done(
        about=found.about, details={"act": found.pk}, told=list(known.values()), undoes=found
    )


def _undo_edit(doing: Doing, done: OrganiserAct) -> None:
    tournament = doing.tournament
    if not tournament.is_open:
        raise Refused(_("The tournament has begun, so its terms can’t be changed any more."))
    before = dict(done.details["before"])
    if "starts" in before:
        before["starts"] = max(datetime.fromisoformat(before["starts"]), doing.now + DAY)
    if before.get("most", tournament.most) < tournament.entries.count():
        raise Refused(_("More players have entered than there was room for before."))
    for name, value in before.items():
        setattr(tournament, name, value)
    fields = {name: getattr(tournament, name) for name in ("seats", "least", "most", "rounds")}
    services.check_terms(Format(tournament.format), **fields)
    tournament.save(update_fields=terms.columns(before))


def _undo_invite(doing: Doing, done: OrganiserAct) -> None:
    doing.tournament.invitations.filter(user=done.about).delete()


def _undo_invite_club(doing: Doing, done: OrganiserAct) -> None:
    doing.tournament.invitations.filter(created=done.at).delete()


def _undo_link(doing: Doing, _done: OrganiserAct) -> None:
    _unlink(doing)


def _undo_message(_doing: Doing, _done: OrganiserAct) -> None:
    """The page hides what was written."""


def _undo_remove(doing: Doing, done: OrganiserAct) -> None:
    """Let a removed player come back, from the next round on. Settled pairings stay."""
    tournament = doing.tournament
    if done.about is None:
        raise Refused(_("The account of this player is closed."))
    if tournament.is_open:
        # They may enter again.
        return
    entry = tournament.entries.filter(user=done.about).first()
    if not tournament.is_running or entry is None or hasattr(entry, "substitute"):
        raise Refused(_("Somebody has taken the place of this player, or it is over."))
    entry.left, entry.why = None, ""
    entry.save(update_fields=["left", "why"])


def _undo_extend(doing: Doing, done: OrganiserAct) -> None:
    current = doing.tournament.played_rounds.filter(number=done.details["round"], ended=None)
    found = current.first()
    if found is None:
        raise Refused(_("This round is over."))
    found.deadline -= timedelta(days=done.details["days"])
    if found.deadline <= doing.now + DAY:
        raise Refused(_("The round would end within a day."))
    found.save(update_fields=["deadline"])


def _undo_pause(doing: Doing, _done: OrganiserAct) -> None:
    resume(doing.tournament, doing.now)


def _undo_resume(doing: Doing, _done: OrganiserAct) -> None:
    _pause(doing)


def _undo_settle(doing: Doing, done: OrganiserAct) -> None:
    """Give a pairing the result that it had. An annulled match has none."""
    found = _table_of(doing.tournament, done.details["table"])
    if found.settled is None:
        raise Refused(_("This pairing isn’t settled any more."))
    results.unsettle(found, done.details["ranks"], doing.now)


def _undo_late(doing: Doing, done: OrganiserAct) -> None:
    doing.tournament.late_until = done.details["before"]
    doing.tournament.save(update_fields=["late_until"])


def _undo_bye(doing: Doing, done: OrganiserAct) -> None:
    if done.details["round"] <= doing.tournament.played_rounds.count():
        raise Refused(_("This round has begun."))
    ByeRequest.objects.filter(pk=done.details["request"]).update(granted=None)


def _undo_share(doing: Doing, done: OrganiserAct) -> None:
    doing.tournament.co_organisers.filter(user=done.about).delete()


def _undo_hand_over(doing: Doing, done: OrganiserAct) -> None:
    if done.actor is None or doing.tournament.organiser_id != done.about_id:
        raise Refused(_("Somebody else organises the tournament by now."))
    hand_over(doing.tournament, done.actor, doing.now)


def _undo_word(doing: Doing, done: OrganiserAct) -> None:
    doing.tournament.entries.filter(user=done.about).update(word=done.details["before"])


# --- All acts -----------------------------------------------------------------------------------

CURRENT = Tournament.CURRENT
OPEN = (Status.OPEN,)
RUNNING = (Status.RUNNING,)
ALL = tuple(Status)

ACTS: Mapping[Kind, ActKind] = {
    Kind.EDIT: ActKind(OPEN, _edit, tuple(terms.LABELS)),
    Kind.START: ActKind(OPEN, _start),
    Kind.CANCEL: ActKind(OPEN, _cancel, only_organiser=True),
    Kind.INVITE: ActKind(CURRENT, _invite, ("name",)),
    Kind.INVITE_CLUB: ActKind(CURRENT, _invite_club, ("club",)),
    Kind.LINK: ActKind(CURRENT, _link),
    Kind.UNLINK: ActKind(CURRENT, _unlink),
    Kind.MESSAGE: ActKind(CURRENT, _message),
    Kind.REMOVE: ActKind(CURRENT, _remove, ("name",), needs_reason=True),
    Kind.EXTEND: ActKind(RUNNING, _extend, ("days",)),
    Kind.PAUSE: ActKind(RUNNING, _pause, needs_reason=True),
    Kind.RESUME: ActKind(RUNNING, _resume),
    Kind.SETTLE: ActKind(RUNNING, _settle, ("table", "outcome"), needs_reason=True),
    Kind.LATE: ActKind(CURRENT, _late, ("round",)),
    Kind.BYE: ActKind(CURRENT, _bye, ("request",)),
    Kind.SHARE: ActKind(CURRENT, _share, ("name",), only_organiser=True),
    Kind.UNSHARE: ActKind(ALL, _unshare, ("name",), only_organiser=True),
    Kind.HAND_OVER: ActKind(CURRENT, _hand_over, ("name",), only_organiser=True),
    Kind.WORD: ActKind((Status.FINISHED,), _word, ("name", "word")),
    Kind.UNDO: ActKind(ALL, _undo, ("act",), needs_reason=True, only_moderator=True),
}
"""The acts, in the order of the page."""

CHANGING_MATCHES = frozenset({Kind.REMOVE, Kind.SETTLE, Kind.PAUSE, Kind.RESUME, Kind.UNDO})
"""The acts after which matches have to be changed."""

LIMITS: Mapping[Kind, str] = {
    Kind.MESSAGE: "write-to-players",
    Kind.INVITE: "invite-to-event",
    Kind.INVITE_CLUB: "invite-to-event",
    Kind.SHARE: "invite-to-event",
}
"""The rate limits of acts that write to others, in ``FORM_LIMITS``. The others share one."""

UNDOING: Mapping[Kind, Callable[[Doing, OrganiserAct], None]] = {
    Kind.EDIT: _undo_edit,
    Kind.INVITE: _undo_invite,
    Kind.INVITE_CLUB: _undo_invite_club,
    Kind.LINK: _undo_link,
    Kind.MESSAGE: _undo_message,
    Kind.REMOVE: _undo_remove,
    Kind.EXTEND: _undo_extend,
    Kind.PAUSE: _undo_pause,
    Kind.RESUME: _undo_resume,
    Kind.SETTLE: _undo_settle,
    Kind.LATE: _undo_late,
    Kind.BYE: _undo_bye,
    Kind.SHARE: _undo_share,
    Kind.HAND_OVER: _undo_hand_over,
    Kind.WORD: _undo_word,
}
"""How moderators undo acts. A start, a cancellation and an undoing stay."""


# --- Those who were asked -----------------------------------------------------------------------


@transaction.atomic
def answer(*, tournament_id: int, user: User, accepts: bool, now: datetime) -> Tournament:
    """Answer the request to share the job, decline an invitation, or give the job back.

    :raises Refused: the user was asked nothing.
    """
    tournament = services.locked(tournament_id)
    asked = tournament.co_organisers.filter(user=user)
    pending = asked.filter(accepted=None)
    if accepts:
        if not pending.exists():
            raise Refused(_("You were not asked to share the job."))
        services.check_organiser(user, "", now)
        pending.update(accepted=now)
    elif not asked.delete()[0]:
        open_ones = tournament.invitations.filter(user=user, declined=None)
        if not open_ones.update(declined=now):
            raise Refused(_("You were not invited."))
    services.tell(tournament)
    return tournament


def open_requests(tournament: Tournament) -> list[ByeRequest]:
    """Return the requests for byes that may still be granted."""
    number = waiting.next_round(tournament)
    asked = ByeRequest.objects.filter(entry__tournament=tournament, granted=None, round=number)
    return list(asked.filter(entry__left=None).select_related("entry__user"))


@transaction.atomic
def ask_for_bye(*, tournament_id: int, user: User, now: datetime) -> Tournament:
    """Ask for a bye in the next round, or take the request back.

    :raises Refused: the user isn't in it, or there is no next round to be paired.
    """
    tournament = services.locked(tournament_id)
    entry = tournament.entries.filter(user=user, left=None).first()
    if entry is None:
        raise Refused(_("You are not in this tournament."))
    number = waiting.next_round(tournament)
    if not number:
        raise Refused(_("There is no round in which you could have a bye."))
    earlier = entry.bye_requests.filter(round=number).first()
    if earlier is None:
        ByeRequest.objects.create(entry=entry, round=number, asked=now)
    elif earlier.granted:
        raise Refused(_("Your bye is granted already."))
    else:
        earlier.delete()
    services.tell(tournament)
    return tournament


def end_long_pauses(*, now: datetime) -> None:
    """Resume all tournaments that have been paused for too long."""
    paused = Tournament.objects.filter(status=Status.RUNNING, paused__lte=now - MAX_PAUSE)
    for pk in list(paused.values_list("pk", flat=True)):
        with IsolatedErrors(f"Tournament {pk}"):
            _end_long_pause(pk, now=now)


@transaction.atomic
def _end_long_pause(pk: int, *, now: datetime) -> None:
    """Resume a tournament that has been paused for too long."""
    tournament = services.locked(pk)
    if tournament.paused is None or now < tournament.paused + MAX_PAUSE:
        return
    seconds = resume(tournament, now)
    written = OrganiserAct.objects.create(
        tournament=tournament, at=now, kind=Kind.RESUME, details={"seconds": seconds}
    )
    notifications.news(written, _players(tournament), now)
    services.tell(tournament)
