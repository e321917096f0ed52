"""The texts of notifications about matches and vacations, in one line and as mails.

A mail is rendered when it is sent, from the current match as its recipient may see it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from accounts import notifications
from accounts.delivery import muting
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.language import labelled
from games.matches import formatting, pauses, selectors
from games.matches.errors import Unreadable
from games.matches.log import log_entries
from games.matches.models import Match, Player
from games.matches.notify import reply_addresses
from games.matches.notify.notifications import (
    DROPPED_OUT,
    MATCH_ENDED,
    MATCH_STARTED,
    MOVE_ANSWERED,
    OFFER_ANSWERED,
    OFFER_MADE,
    PAUSE_ENDS,
    PLAYER_LEFT,
    QUEUE_STOPPED,
    TIME_GIVEN,
    TIME_SHORT,
    VACATION_BEGUN,
    VACATION_ENDING,
    WATCHED_ENDED,
    YOUR_TURN,
    page_keys,
)
from games.matches.plans.conditional import plan_of
from games.matches.play.offers import agreed_by
from games.matches.view import pictures
from games.matches.view.match_view import MatchView

BOARD = "board"
"""Name of the picture in a mail."""

BOARD_WIDTH = 640
"""Width of the picture in pixels. It is shown at half its size, to be sharp on every screen."""

MAX_LINES = 12
"""Maximum number of log entries in a mail. The latest are kept."""


@dataclass(frozen=True)
class NotifiedMatch:
    """A match as the recipient of a notification of some ``kind`` may see it."""

    view: MatchView
    kind: str
    recipient: Player
    payload: Mapping[str, Any]

    @classmethod
    def of(cls, notification: Notification, *, with_log: bool) -> "NotifiedMatch":
        """Read the match of a notification.

        :raises NotAPlayer: its recipient doesn't play in it.
        """
        snapshot = selectors.snapshot(notification.payload["match"])
        log = log_entries.recent(snapshot.match) if with_log else []
        seat = snapshot.seat_for(notification.recipient)
        return cls(
            MatchView(snapshot.table, seat, log),
            notification.kind,
            snapshot.players[seat],
            notification.payload,
        )

    @property
    def colour(self) -> str:
        return self.view.meta.colours[self.recipient.seat].shown_name

    @property
    def against(self) -> str:
        """The name of the game, then ``against bruno``."""
        others = [player.user.shown_name for player in self.view.others]
        # Translators: after a colon, as in "You won: Chess against bruno".
        text = _("{game} against {players}")
        return text.format(game=self.view.meta.name, players=formatting.names(others))

    @property
    def offerer(self) -> str:
        """The name of a player who has made or accepted the open offer."""
        names = [player.user.shown_name for player in self.view.others if agreed_by(player)]
        return formatting.names(names) if names else _("Somebody")

    @property
    def offered(self) -> str:
        """The open offer, without a full stop: ``bruno offers a draw``."""
        offer = next(filter(None, map(agreed_by, self.view.others)), "")
        if offer == "pause":
            text = _("{player} offers a pause")
        elif offer == "cancel":
            text = _("{player} offers to cancel the match")
        elif offer == "take-back":
            text = _("{player} asks to take back a move")
        elif self.view.of_two:
            text = _("{player} offers a draw")
        else:
            text = _("{player} offers to end the match here")
        return text.format(player=self.offerer)

    @property
    def gift(self) -> str:
        return formatting.span(timedelta(seconds=self.payload["seconds"]))

    @property
    def giver(self) -> str:
        giver: User = self.view.players[self.payload["giver"]].user
        return giver.shown_name

    @property
    def subject(self) -> str:
        """The notification in one line."""
        return KINDS[self.kind].subject(self)

    @property
    def opening(self) -> str:
        """The first one or two sentences of the mail."""
        return KINDS[self.kind].opening(self)

    @property
    def own_outcome(self) -> str:
        """The recipient's own outcome: ``You won``."""
        status = self.view.match.status
        if status != Match.Status.OVER:
            is_annulled = status == Match.Status.ANNULLED
            return _("The match was annulled") if is_annulled else _("The match was cancelled")
        own, players = self.recipient, self.view.players
        outcome, _shared = formatting.placed(own, players)
        if outcome is formatting.Place.DRAW:
            return _("A draw")
        return formatting.verdict(own, players)

    @property
    def removed(self) -> str:
        """The removed player, if that ended the match. Otherwise empty."""
        if self.view.match.ending != Player.Dropped.REMOVED:
            return ""
        if self.recipient.dropped == Player.Dropped.REMOVED:
            return _("You were removed")
        gone = [one for one in self.view.others if one.dropped == Player.Dropped.REMOVED]
        names = formatting.names([player.user.shown_name for player in gone])
        text = ngettext("{players} was removed", "{players} were removed", len(gone))
        return text.format(players=names)

    @property
    def stopped(self) -> str:
        """Why the recipient's plan has stopped. Empty if it is gone by now."""
        plan = plan_of(self.view.table, Seat(self.recipient.seat))
        return plan.why_stopped if plan else ""

    @property
    def until(self) -> str:
        """By when the recipient has to move, in a sentence. Empty without a clock."""
        now = timezone.now()
        end = self.recipient.deadline
        left = pauses.left(self.recipient, now)
        if not self.view.waits or left is None:
            return ""
        if end is None:
            still = formatting.stands_still(pauses.reasons(self.recipient, now), None)
            text = _("You have {time} left. {clock_stands_still}.")
            return text.format(time=formatting.left(left), clock_stands_still=still)
        text = _("You have {time} left, until {end}.")
        return text.format(time=formatting.left(left), end=formatting.exact(end))

    @property
    def example(self) -> str:
        """A possible move of the recipient."""
        snapshot = self.view.table
        moves = snapshot.title.moves(snapshot.state, Seat(self.recipient.seat))
        return str(next(iter(moves), ""))

    @cached_property
    def news(self) -> list[str]:
        """The entries since the recipient's own last one, in a line for each."""
        since = [entry for entry in self.view.log if entry.number > self.recipient.version]
        lines = self.view.lines_of(since)[-MAX_LINES:]
        return [" ".join((f"{line.entry.number}.", *line.sentences)) for line in lines]


def _answered(shown: NotifiedMatch) -> str:
    sent = shown.payload["text"]
    if not shown.payload["refusal"]:
        return _("You played {move}").format(move=sent)
    return _("“{move}” was not played").format(move=sent) if sent else _("No move was found")


def _started(shown: NotifiedMatch) -> str:
    view = shown.view
    if view.params:
        text = _("The match has begun: {players} play {game}, {parameters}.")
    else:
        text = _("The match has begun: {players} play {game}.")
    return text.format(players=view.heading, game=view.meta.name, parameters=view.params)


def _ended(shown: NotifiedMatch) -> str:
    view = shown.view
    is_plain = shown.removed or view.match.status != Match.Status.OVER
    own = shown.own_outcome if is_plain else view.result_heading
    return " ".join(f"{part}." for part in (shown.removed, own, view.ranking) if part)


def _ended_subject(shown: NotifiedMatch) -> str:
    subject = labelled(shown.own_outcome, shown.against)
    return f"{shown.removed}. {subject}" if shown.removed else subject


def _left(shown: NotifiedMatch) -> str:
    leaver = shown.view.players[shown.payload["seat"]]
    if shown.payload.get("is_replaced"):
        text = _("{player} plays on as a substitute")
    elif leaver.dropped == Player.Dropped.RESIGNED:
        text = _("{player} resigned")
    elif leaver.dropped == Player.Dropped.TIMEOUT:
        text = _("{player} ran out of time")
    else:
        text = _("A moderator removed {player}")
    return text.format(player=leaver.user.shown_name)


def _goes_on(shown: NotifiedMatch) -> str:
    if not shown.view.match.is_running:
        return _("The match has ended since.")
    count = len(shown.view.table.seats_still_in())
    text = ngettext(
        "The match goes on with {count} player.", "The match goes on with {count} players.", count
    )
    return text.format(count=count)


def _dropped_out(shown: NotifiedMatch) -> str:
    is_late = shown.recipient.dropped == Player.Dropped.TIMEOUT
    if not shown.view.match.is_running:
        if is_late:
            return _("You ran out of time, so you were out of this match.")
        return _("A moderator removed you, so you were out of this match.")
    if is_late:
        return _(
            "You ran out of time, so you are out of this match. The others play on, and you can "
            "watch them."
        )
    return _(
        "A moderator removed you, so you are out of this match. The others play on, and you can "
        "watch them."
    )


def _offered(shown: NotifiedMatch) -> str:
    if shown.view.of_two:
        answer = _("You can accept or decline it on the match page; a move of yours declines it.")
    else:
        answer = _("It takes effect once all remaining players agree.")
    return f"{shown.offered}. {answer}"


ACCEPTED = {
    "": gettext_lazy("{player} accepts to end the match here"),
    "draw": gettext_lazy("{player} accepts the draw"),
    "pause": gettext_lazy("{player} accepts the pause"),
    "cancel": gettext_lazy("{player} accepts to cancel the match"),
    "take-back": gettext_lazy("{player} accepts the take-back"),
}
"""How an offer was accepted. An offer to end a match of two has an empty code, and is a draw."""

DECLINED = {
    "": gettext_lazy("{player} declines to end the match here"),
    "draw": gettext_lazy("{player} declines the draw"),
    "pause": gettext_lazy("{player} declines the pause"),
    "cancel": gettext_lazy("{player} declines to cancel the match"),
    "take-back": gettext_lazy("{player} declines the take-back"),
}


def _offer_answered(shown: NotifiedMatch) -> str:
    offer = shown.payload["offer"]
    kind = "draw" if not offer and shown.view.of_two else offer
    text = (ACCEPTED if shown.payload["is_accepted"] else DECLINED)[kind]
    name = shown.view.players[shown.payload["by"]].user.shown_name
    return str(text).format(player=name)


def _and_your_turn(opening: str, shown: NotifiedMatch) -> str:
    """Return the beginning of a mail, and the question if it is the recipient's turn."""
    return f"{opening}. {_your_turn(shown)}" if shown.view.waits else f"{opening}."


def _pause_ends(shown: NotifiedMatch) -> str:
    if "until" in shown.payload:
        end = formatting.exact(datetime.fromisoformat(shown.payload["until"]))
        return _and_your_turn(_("The pause ends on {time}").format(time=end), shown)
    return _and_your_turn(_("The pause is over"), shown)


def _pause_ends_subject(shown: NotifiedMatch) -> str:
    if "until" in shown.payload:
        text = _("A pause ends soon: {match}")
    else:
        text = _("The pause is over: {match}")
    return text.format(match=shown.against)


def _your_turn_subject(shown: NotifiedMatch) -> str:
    if question := shown.view.pending_question:
        return f"{question} {shown.against}"
    return _("Your turn: {match}").format(match=shown.against)


def _your_turn(shown: NotifiedMatch) -> str:
    if shown.view.waits:
        return shown.view.pending_question or _("It is your turn.")
    return _("It was your turn; the match has gone on since.")


def _stopped(shown: NotifiedMatch) -> str:
    opening = _("The moves that you wanted to follow have stopped at one that cannot be made")
    return f"{opening}. {shown.stopped}" if shown.stopped else f"{opening}."


def _answer(shown: NotifiedMatch) -> str:
    """Report the outcome of a move that was sent by mail, and what comes next."""
    refusal = shown.payload["refusal"]
    parts = [f"{_answered(shown)}."]
    if refusal:
        parts.append(refusal if refusal.endswith((".", "!", "?")) else f"{refusal}.")
    if shown.view.waits:
        parts.append(_your_turn(shown))
    elif not shown.view.match.is_running:
        parts.append(_ended(shown))
    return " ".join(parts)


def waiting_pages(user: User) -> QuerySet[Any, str]:
    """Return the keys of the pages of the matches that wait for a user."""
    return page_keys(Player.objects.filter(user=user, to_move=True))


def _offered_to(user: User) -> QuerySet[Any, str]:
    """Return the keys of the pages of matches in which others offer a user something."""
    mine = Match.objects.filter(players__user=user, status=Match.Status.RUNNING)
    offers = Player.objects.filter(Q(agrees_to_close=True) | ~Q(agrees_to=""), match__in=mine)
    return page_keys(offers.exclude(user=user))


def _deadline(notification: Notification) -> datetime | None:
    mine = Player.objects.filter(
        match_id=notification.payload["match"], user_id=notification.recipient_id, to_move=True
    )
    return mine.values_list("deadline", flat=True).first()


@dataclass(frozen=True)
class MatchKind:
    """A kind of notification about a match.

    ``title`` is its name in the preferences, ``subject`` its line, and ``opening`` the beginning of
    its mail. If it is ``is_answerable``, the mail can be answered with a move. ``more`` are other
    fields of :class:`accounts.notifications.NotificationKind`.
    """

    title: StrOrPromise
    subject: Callable[[NotifiedMatch], str]
    opening: Callable[[NotifiedMatch], str]
    is_answerable: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


KINDS = {
    YOUR_TURN: MatchKind(
        gettext_lazy("It is your turn"),
        _your_turn_subject,
        _your_turn,
        is_answerable=True,
        more={
            "many": lambda count: ngettext(
                "It is your turn in {count} match", "It is your turn in {count} matches", count
            ),
            "current": waiting_pages,
            "group": "match",
            # Its mail lists what has happened since the last turn.
            "covers": (PLAYER_LEFT,),
            "is_urgent": True,
        },
    ),
    TIME_SHORT: MatchKind(
        gettext_lazy("Your time runs short"),
        lambda shown: _("Your time runs short: {match}").format(match=shown.against),
        lambda _shown: _("Your time in this match runs short."),
        is_answerable=True,
        more={
            "many": lambda count: ngettext(
                "Your time runs short in {count} match",
                "Your time runs short in {count} matches",
                count,
            ),
            "current": waiting_pages,
            "group": "match",
            "use_until": _deadline,
            "is_urgent": True,
        },
    ),
    PAUSE_ENDS: MatchKind(
        gettext_lazy("A pause ends and your clock runs on"),
        _pause_ends_subject,
        _pause_ends,
        is_answerable=True,
        more={
            "current": waiting_pages,
            "group": PAUSE_ENDS,
            "use_until": _deadline,
            "is_urgent": True,
        },
    ),
    MATCH_STARTED: MatchKind(
        gettext_lazy("A match of yours has begun"),
        lambda shown: _("Match started: {match}").format(match=shown.against),
        _started,
        is_answerable=True,
        more={"group": "match"},
    ),
    MATCH_ENDED: MatchKind(
        gettext_lazy("A match of yours has ended"),
        _ended_subject,
        _ended,
        more={"group": "match", "is_outcome": True},
    ),
    DROPPED_OUT: MatchKind(
        gettext_lazy("You are out of a match that goes on"),
        lambda shown: _("You are out of the match: {match}").format(match=shown.against),
        _dropped_out,
        more={"group": "match", "is_outcome": True},
    ),
    PLAYER_LEFT: MatchKind(
        gettext_lazy("Another player drops out of your match, or a substitute plays on"),
        lambda shown: labelled(_left(shown), shown.against),
        lambda shown: f"{_left(shown)}. {_goes_on(shown)}",
    ),
    OFFER_MADE: MatchKind(
        gettext_lazy("You are offered a draw, a pause, or to end a match"),
        lambda shown: labelled(shown.offered, shown.against),
        _offered,
        more={"current": _offered_to, "group": OFFER_MADE},
    ),
    OFFER_ANSWERED: MatchKind(
        gettext_lazy("Your offer is accepted or declined"),
        lambda shown: labelled(_offer_answered(shown), shown.against),
        lambda shown: _and_your_turn(_offer_answered(shown), shown),
        is_answerable=True,
        more={"group": OFFER_ANSWERED, "covers": (YOUR_TURN,), "is_outcome": True},
    ),
    QUEUE_STOPPED: MatchKind(
        gettext_lazy("A plan of yours has stopped"),
        lambda shown: _("Your plan has stopped: {match}").format(match=shown.against),
        _stopped,
        more={"group": QUEUE_STOPPED},
    ),
    TIME_GIVEN: MatchKind(
        gettext_lazy("An opponent gives you more time"),
        lambda shown: _("You have {time} more: {match}").format(
            time=shown.gift, match=shown.against
        ),
        lambda shown: _("{player} has given you {time} more.").format(
            player=shown.giver, time=shown.gift
        ),
        is_answerable=True,
        more={"current": waiting_pages, "group": TIME_GIVEN},
    ),
    MOVE_ANSWERED: MatchKind(
        gettext_lazy("A move that you sent by email"),
        lambda shown: labelled(_answered(shown), shown.against),
        _answer,
        is_answerable=True,
        more={"is_asked_for": True, "covers": (YOUR_TURN,)},
    ),
}
"""The kinds about a match, in the order of the preferences."""


def match_email(notification: Notification) -> NotificationEmail:
    """Return the mail about a match, with its board. A plain one if the match can't be read."""
    try:
        return _email_with_board(NotifiedMatch.of(notification, with_log=True))
    except Unreadable as error:
        return _plain_email(notification, error)


def _email_with_board(shown: NotifiedMatch) -> NotificationEmail:
    context = {"shown": shown, "drawing": shown.view.drawing, "cid": BOARD}
    address = _reply_address(shown)
    return NotificationEmail(
        subject=shown.subject,
        text=render_to_string("notification_emails/match.txt", context),
        html=render_to_string("notification_emails/match.html", context),
        url=shown.view.match.get_absolute_url(),
        images=[(BOARD, pictures.png(shown.view.drawing, "light", width=BOARD_WIDTH))],
        reply_to=address,
        reply_hint=_hint(shown) if address else "",
    )


def _hint(shown: NotifiedMatch) -> str:
    text = _("To move by email, answer with your move in the first line, such as {move}.")
    return text.format(move=shown.example)


def _reply_address(shown: NotifiedMatch) -> str:
    """Return the address for a reply with a move. Empty if there is no move to make."""
    if not KINDS[shown.kind].is_answerable or not shown.view.waits:
        return ""
    return reply_addresses.make(shown.recipient, shown.view.match.version, now=timezone.now())


def _plain_email(notification: Notification, error: Unreadable) -> NotificationEmail:
    context = {"title": _title(notification), "match": error.match}
    return NotificationEmail(
        subject=_plain_subject(notification, error),
        text=render_to_string("notification_emails/unreadable.txt", context),
        html=render_to_string("notification_emails/unreadable.html", context),
        url=error.match.get_absolute_url(),
    )


def _plain_subject(notification: Notification, error: Unreadable) -> str:
    text = _("{event}: match {number}")
    return text.format(event=_title(notification), number=error.match.pk)


def _title(notification: Notification) -> str:
    return notifications.kinds()[notification.kind].title


def match_summary(notification: Notification) -> Summary:
    """Return in one line what happened in a match. Its number replaces unreadable parts."""
    try:
        notified = NotifiedMatch.of(notification, with_log=False)
        return Summary(notified.subject, notified.view.match.get_absolute_url())
    except Unreadable as error:
        return Summary(_plain_subject(notification, error), error.match.get_absolute_url())


VACATION_TITLES = {
    VACATION_BEGUN: gettext_lazy("You are put on vacation before your time runs out"),
    VACATION_ENDING: gettext_lazy("Your vacation ends"),
}
"""The kinds about vacations as preferences list them, in their order."""

VACATION_SUBJECTS = {
    VACATION_BEGUN: gettext_lazy("You are on vacation until {until}"),
    VACATION_ENDING: gettext_lazy("Your vacation ends on {until}"),
}


def vacation_summary(notification: Notification) -> Summary:
    """Return a notification about a vacation in one line."""
    subject = str(VACATION_SUBJECTS[notification.kind]).format(until=_vacation_end(notification))
    return Summary(subject, reverse("vacation"))


def vacation_email(notification: Notification) -> NotificationEmail:
    summary = vacation_summary(notification)
    context = {
        "begun": notification.kind == VACATION_BEGUN,
        "until": _vacation_end(notification),
        "match": notification.payload["match"],
    }
    return NotificationEmail(
        subject=summary.subject,
        text=render_to_string("notification_emails/vacation.txt", context),
        html=render_to_string("notification_emails/vacation.html", context),
        url=summary.url,
    )


def _vacation_end(notification: Notification) -> str:
    return formatting.exact(datetime.fromisoformat(notification.payload["until"]))


WATCHED_TITLE = gettext_lazy("A match that you watch has ended")


def watched_summary(notification: Notification) -> Summary:
    """Return the result of a watched match in one line, or its number if it can't be read."""
    snapshot = selectors.snapshot(notification.payload["match"])
    url = snapshot.match.get_absolute_url()
    try:
        view = MatchView(snapshot.table, None, log_entries.recent(snapshot.match))
        heading = f"{view.meta.name}, {view.versus}"
        return Summary(labelled(heading, view.verdict), url)
    except Unreadable as error:
        return Summary(_plain_subject(notification, error), url)


def watched_email(notification: Notification) -> NotificationEmail:
    summary = watched_summary(notification)
    text = f"{WATCHED_TITLE}. {summary.subject}."
    return NotificationEmail(summary.subject, text, format_html("<p>{}</p>", text), summary.url)


def register() -> None:
    for name, kind in KINDS.items():
        notifications.register(
            name, title=kind.title, render=match_email, summary=match_summary, **kind.more
        )
    for name, title in VACATION_TITLES.items():
        notifications.register(name, title=title, render=vacation_email, summary=vacation_summary)
    notifications.register(
        WATCHED_ENDED,
        title=WATCHED_TITLE,
        render=watched_email,
        summary=watched_summary,
        is_outcome=True,
    )
    muting.register("match", _named)


def _named(key: str) -> tuple[str, str] | None:
    """Return the title and the address of the match of a page key."""
    match = Match.objects.filter(pk=key.partition(":")[2]).first()
    if match is None:
        return None
    players = match.players.order_by("seat").values_list("user__username", flat=True)
    game = registry.get(match.title).meta.name
    return labelled(game, formatting.names(list(players))), match.get_absolute_url()
