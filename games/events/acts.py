"""The log of a tournament in words.

Each act is a whole sentence with ``{who}``. Notifications store what the sentence needs, since each
reader reads it in another language.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from games.events import terms
from games.events.models import OrganiserAct
from games.matches import formatting

Kind = OrganiserAct.Kind

Parts = Mapping[str, Any]
"""What the sentence of an act needs, as JSON."""

KEPT = ("changes", "changed", "round", "days", "deadline", "players", "outcome", "name", "word")
"""The details of an act that its sentence needs; undoing it needs others."""


def stored(act: OrganiserAct) -> dict[str, Any]:
    """Return what the sentence of an act needs, as JSON."""
    return {**_actor(act), **_what(act, act.tournament.title)}


def _actor(act: OrganiserAct) -> dict[str, Any]:
    return {"kind": act.kind, "who": act.actor.shown_name if act.actor is not None else ""}


def _what(act: OrganiserAct, title: str) -> dict[str, Any]:
    return {
        "kind": act.kind,
        "about": act.about.shown_name if act.about is not None else "",
        "title": title,
        "details": {name: act.details[name] for name in KEPT if name in act.details},
        "undoes": _what(act.undoes, title) if act.undoes else None,
    }


def sentence(parts: Parts) -> str:
    """Return what was done, as ``ada extended round 2 by 3 days``."""
    return _message(parts).format(who=who(parts))


def did(parts: Parts) -> str:
    """Return what was done, without the name: ``extended round 2 by 3 days``.

    Every translation must begin with ``{who}``.
    """
    return _message(parts).format(who="").strip()


def in_english(act: OrganiserAct) -> str:
    """Return what was done, without a name, for the log of moderators."""
    with override(settings.LANGUAGE_CODE):
        return did(stored(act))


def who(parts: Parts) -> str:
    """Return who did it. The site ends pauses that last too long."""
    if parts["who"]:
        return str(parts["who"])
    return "Turnstone" if parts["kind"] == Kind.RESUME else _("A former member")


def changes(parts: Parts) -> list[terms.Change]:
    """Return the terms that were changed, with their values in words."""
    details = parts["details"]
    if "changes" in details:
        # Earlier releases stored labels and values in English.
        return [terms.Change(*one) for one in details["changes"]]
    return [terms.in_words(parts["title"], *one) for one in details.get("changed", ())]


def text(act: OrganiserAct) -> str:
    """Return what was written with an act. Empty if a moderator has undone a message."""
    is_hidden = act.kind == Kind.MESSAGE and hasattr(act, "undone_by")
    return "" if is_hidden else act.reason


@dataclass(frozen=True)
class LogLine:
    """An act as the log shows it. ``undone_by`` is a name, empty for acts that stand.

    ``changes`` are the terms that were changed, with their values before and after.
    """

    act: OrganiserAct
    parts: Parts
    text: str
    undone_by: str

    @property
    def who(self) -> str:
        return who(self.parts)

    @property
    def did(self) -> str:
        return did(self.parts)

    @property
    def changes(self) -> Sequence[Sequence[str]]:
        return changes(self.parts)

    def as_html(self, shown: SafeString) -> SafeString:
        """Return the sentence as HTML, with ``shown`` as the name."""
        return format_html(conditional_escape(_message(self.parts)), who=shown)


def log_lines(all_acts: Iterable[OrganiserAct]) -> list[LogLine]:
    return [
        LogLine(
            one,
            stored(one),
            text(one),
            who(_actor(one.undone_by)) if hasattr(one, "undone_by") else "",
        )
        for one in all_acts
    ]


def _message(parts: Parts) -> str:
    """Return the sentence of an act with ``{who}``, and all other parts in it."""
    return WORDS[Kind(parts["kind"])](parts)


def _put(message: str, **values: object) -> str:
    """Put values into a message, apart from ``{who}``, which comes last."""
    # What people wrote may have braces.
    safe = {name: str(one).replace("{", "{{").replace("}", "}}") for name, one in values.items()}
    return message.format(who="{who}", **safe)


def _about(parts: Parts) -> str:
    # Translators: stands in the place of a name, as in "ada invited a former member".
    return str(parts["about"]) or _("a former member")


def _of_user(message: str, parts: Parts) -> str:
    return _put(message, name=_about(parts))


def _edited(parts: Parts) -> str:
    # Terms are named, values are below them on the page.
    labels = [one.label for one in changes(parts)]
    return _put(_("{who} changed the terms ({terms})"), terms=formatting.names(labels))


def _extended(parts: Parts) -> str:
    details = parts["details"]
    message = ngettext(
        "{who} extended round {round} by {count} day, to {time} UTC",
        "{who} extended round {round} by {count} days, to {time} UTC",
        details["days"],
    )
    time = terms.in_utc(details["deadline"])
    return _put(message, round=details["round"], count=details["days"], time=time)


def _settled(parts: Parts) -> str:
    details = parts["details"]
    outcome = details["outcome"]
    if outcome == "draw":
        message = _("{who} settled the pairing of {names} in round {round}: a draw")
    elif outcome == "nobody":
        message = _("{who} settled the pairing of {names} in round {round}: no points for anybody")
    else:
        message = _("{who} settled the pairing of {names} in round {round}: {winner} wins")
    names = formatting.names(details["players"])
    return _put(message, names=names, round=details["round"], winner=outcome)


def _late(parts: Parts) -> str:
    last = parts["details"]["round"]
    if last:
        return _put(_("{who} allowed late entry until round {round}"), round=last)
    return _("{who} ended late entry")


def _said(parts: Parts) -> str:
    word = parts["details"]["word"]
    if word:
        return _put(_("{who} named {name} “{word}”"), name=_about(parts), word=word)
    return _of_user(_("{who} took back the words about {name}"), parts)


def _invited_club(parts: Parts) -> str:
    count = parts["details"]["players"]
    message = ngettext(
        "{who} invited {count} member of {club}", "{who} invited {count} members of {club}", count
    )
    return _put(message, count=count, club=parts["details"]["name"])


def _written(parts: Parts) -> str:
    count = parts["details"]["players"]
    message = ngettext("{who} wrote to {count} player", "{who} wrote to {count} players", count)
    return _put(message, count=count)


def _started(parts: Parts) -> str:
    # Translators: {count} is always more than 1.
    return _put(_("{who} started early, with {count} players"), count=parts["details"]["players"])


def _granted(parts: Parts) -> str:
    message = _("{who} granted {name} a bye in round {round}")
    return _put(message, name=_about(parts), round=parts["details"]["round"])


def _undone(parts: Parts) -> str:
    if not parts["undoes"]:
        return _("{who} undid an act")
    # Translators: {act} is another act without a name, as in "ada undid: paused the tournament".
    return _put(_("{who} undid: {act}"), act=did(parts["undoes"]))


WORDS: Mapping[Kind, Callable[[Parts], str]] = {
    Kind.EDIT: _edited,
    Kind.START: _started,
    Kind.CANCEL: lambda _parts: _("{who} cancelled the tournament"),
    Kind.INVITE: lambda parts: _of_user(_("{who} invited {name}"), parts),
    Kind.INVITE_CLUB: _invited_club,
    Kind.LINK: lambda _parts: _("{who} made a link that lets people enter"),
    Kind.UNLINK: lambda _parts: _("{who} closed the link"),
    Kind.MESSAGE: _written,
    Kind.REMOVE: lambda parts: _of_user(_("{who} removed {name}"), parts),
    Kind.EXTEND: _extended,
    Kind.PAUSE: lambda _parts: _("{who} paused the tournament"),
    Kind.RESUME: lambda _parts: _("{who} resumed the tournament"),
    Kind.SETTLE: _settled,
    Kind.LATE: _late,
    Kind.BYE: _granted,
    Kind.SHARE: lambda parts: _of_user(_("{who} asked {name} to share the job"), parts),
    Kind.UNSHARE: lambda parts: _of_user(_("{who} ended sharing the job with {name}"), parts),
    Kind.HAND_OVER: lambda parts: _of_user(_("{who} handed the job over to {name}"), parts),
    Kind.WORD: _said,
    Kind.UNDO: _undone,
}
"""What each act has done, in a sentence."""
