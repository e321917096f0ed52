"""Notifications about reports and decisions, with the reasons in the words of the moderators."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.translation import gettext_lazy, ngettext_lazy

from accounts import notifications
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from accounts.sanctions import standing
from games.events import selectors as events
from games.kernel.language import labelled
from games.matches.models import Player

DECISION = "decision"
KEPT_OUT = "kept-out"

Sentence = str | Mapping[str, Any]
"""The words of a moderator, or what :func:`said` returns. Older releases stored English words."""

SENTENCES = {
    "warning": gettext_lazy("A moderator has warned you"),
    "mute": gettext_lazy("You may not write to others"),
    "suspension": gettext_lazy("Your account is suspended"),
    "ban": gettext_lazy("Your account is banned"),
    "warning-lifted": gettext_lazy("Warning lifted"),
    "mute-lifted": gettext_lazy("Mute lifted"),
    "suspension-lifted": gettext_lazy("Suspension lifted"),
    "ban-lifted": gettext_lazy("Ban lifted"),
    "appeal-answered": gettext_lazy("Your appeal was answered"),
    "opponent-suspended": gettext_lazy("{name} is kept out for now"),
    "clock-keeps-running": gettext_lazy(
        "Moderators have suspended a player in your match. The clock keeps running, so you wait no "
        "longer than agreed. If you would rather have the match ended or annulled, report it from "
        "its page and say so."
    ),
    "opponent-back": gettext_lazy("{name} is back"),
    "matches-go-on": gettext_lazy("{name} can play again. The matches between you go on."),
    "renamed": gettext_lazy("Your name is {name} now"),
    "challenges-withdrawn": gettext_lazy("Your open challenges were withdrawn"),
    "tournaments-cleared": gettext_lazy("The texts of your tournaments were erased"),
    "club-closed": gettext_lazy("{club} is closed"),
    "club-cleared": gettext_lazy("The texts of a club that you lead were erased"),
    "match-annulled": gettext_lazy("A moderator has annulled match {match}"),
    "match-ended": gettext_lazy("A moderator has ended match {match}"),
    "clocks-stopped": gettext_lazy("The clocks of match {match} stand still"),
    "clocks-resumed": gettext_lazy("The clocks of match {match} run on"),
    "unrated": gettext_lazy("A moderator has taken match {match} out of the ratings"),
    "removed": gettext_lazy("{name} was taken out of match {match}"),
    "more-time": ngettext_lazy(
        "You have {count} hour more in match {match}",
        "You have {count} hours more in match {match}",
        "count",
    ),
    "more-time-for-opponents": ngettext_lazy(
        "Your opponents have {count} hour more in match {match}",
        "Your opponents have {count} hours more in match {match}",
        "count",
    ),
    "line-hidden": gettext_lazy("A line of yours is hidden"),
    "line-restored": gettext_lazy("A line of yours is shown again"),
    "post-hidden": gettext_lazy("A post of yours is hidden"),
    "post-restored": gettext_lazy("A post of yours is shown again"),
    "looks-like-advertising": gettext_lazy(
        "Its link looks like advertising. If it isn’t, write without the link first."
    ),
    "report-answered": gettext_lazy("Your report about {name}"),
    "report-dismissed": gettext_lazy(
        "We have looked at your report and found nothing that breaks our rules."
    ),
    "report-upheld": gettext_lazy(
        "We have looked at your report and done something about it. Thank you."
    ),
    "hand-shown": gettext_lazy("A moderator looked at the hidden hand of {name}"),
    "substitute-wanted": gettext_lazy("Would you take over a seat?"),
    "substitute-plays": gettext_lazy("{name} plays on for {former}"),
    "substitute-declined": gettext_lazy("{name} does not want to be a substitute"),
    "match": gettext_lazy("Match {match}"),
    "seat-abandoned": gettext_lazy("Your seat in match {match} is called abandoned"),
    "opponents-choose": gettext_lazy(
        "{reason}\n\nYour opponents choose what follows: a substitute, going on without you, or "
        "letting your clock run. If you want to play on, say so before it is done."
    ),
    "opponent-gone": gettext_lazy("An opponent is gone: choose what follows"),
    "choose": gettext_lazy(
        "The seat of {name} is abandoned. You can go on with a substitute found by the moderators, "
        "take the player out, or let the clock run. The clock runs until all opponents have chosen "
        "the same."
    ),
    "opponent-returned": gettext_lazy("An opponent is back"),
    "nothing-to-choose": gettext_lazy(
        "{name} is back and plays on. There is nothing to choose any more."
    ),
    "substitute-sought": gettext_lazy("A substitute is looked for"),
    "clocks-stand-still": gettext_lazy(
        "All opponents want to go on with a substitute. The moderators look for one; the clocks "
        "stand still for up to 7 days."
    ),
}
"""The site's own sentences in notifications, by the codes that rows have."""


def said(code: str, **parts: Any) -> dict[str, Any]:
    """Return what a row has for one of the :data:`SENTENCES`, with the values of its parts."""
    return {"code": code, **parts}


def worded(sentence: Sentence) -> str:
    """Return a sentence in the reader's language. The words of a moderator stay as they are."""
    if isinstance(sentence, str):
        return sentence
    parts = {name: value for name, value in sentence.items() if name != "code"}
    return SENTENCES[sentence["code"]].format(**parts)


def register() -> None:
    notifications.register(
        DECISION,
        title=gettext_lazy("A moderator has decided something"),
        render=_render,
        summary=_summary,
    )
    notifications.register(
        KEPT_OUT,
        title=gettext_lazy("Somebody you play with is suspended"),
        render=_render,
        summary=_summary,
        current=_kept_out,
    )


def notify(
    recipients: Iterable[int], *, subject: Sentence, text: Sentence, url: str, now: datetime
) -> None:
    """Notify people of a decision, in its transaction."""
    payload = {"subject": subject, "text": text, "url": url}
    notifications.notify_all(recipients=recipients, kind=DECISION, payload=payload, now=now)


def notify_opponents(suspect: User, *, is_back: bool, now: datetime) -> None:
    """Notify a user's opponents that the user is suspended, or is back.

    The notification of a suspension is listed only while it lasts. Opponents in running tournaments
    get none: the tournament takes the user out.
    """
    running = Player.objects.filter(user=suspect, ended=None, dropped="")
    if not is_back:
        running = running.exclude(match__in=events.matches_in_play())
    others = Player.objects.filter(match__in=running.values("match"), is_bot=False, dropped="")
    name = suspect.shown_name
    payload = {
        "subject": said("opponent-back" if is_back else "opponent-suspended", name=name),
        "text": said("matches-go-on", name=name) if is_back else said("clock-keeps-running"),
        "url": reverse("my-matches"),
        "place": "" if is_back else f"{KEPT_OUT}:{suspect.pk}",
    }
    notifications.notify_all(
        recipients=set(others.exclude(user=suspect).values_list("user", flat=True)),
        kind=DECISION if is_back else KEPT_OUT,
        payload=payload,
        now=now,
    )


def _kept_out(_user: User) -> QuerySet[Any, str]:
    """Return the page keys of notifications about users who are suspended now."""
    key = Concat(Value(f"{KEPT_OUT}:"), Cast("user_id", CharField()))
    return standing.shutting_out().order_by().values_list(key, flat=True)


def _render(notification: Notification) -> NotificationEmail:
    payload = notification.payload
    subject, text = worded(payload["subject"]), worded(payload["text"])
    html = f'<div dir="auto">{linebreaks(text, autoescape=True)}</div>'
    return NotificationEmail(subject, text, html, payload["url"])


def _summary(notification: Notification) -> Summary:
    payload = notification.payload
    subject, text = worded(payload["subject"]), worded(payload["text"])
    return Summary(labelled(subject, text), payload["url"])
