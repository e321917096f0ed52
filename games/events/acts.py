"""The log of a tournament in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.events.models import OrganiserAct
from games.matches import formatting

Kind = OrganiserAct.Kind

FORMER = "a former member"


def sentence(act: OrganiserAct) -> str:
    """Return what was done, as it follows the name: ``extended round 2 by 3 days``."""
    return WORDS[Kind(act.kind)](act)


def actor(act: OrganiserAct) -> str:
    """Return who did it. The site ends pauses that last too long."""
    if act.actor is not None:
        return act.actor.shown_name
    return "Turnstone" if act.kind == Kind.RESUME else "A former member"


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
    who: str
    did: str
    text: str
    undone_by: str
    changes: Sequence[Sequence[str]]


def log_lines(all_acts: Iterable[OrganiserAct]) -> list[LogLine]:
    return [
        LogLine(
            one,
            actor(one),
            sentence(one),
            text(one),
            actor(one.undone_by) if hasattr(one, "undone_by") else "",
            one.details.get("changes", ()),
        )
        for one in all_acts
    ]


def _about(act: OrganiserAct) -> str:
    return act.about.shown_name if act.about is not None else FORMER


def _edited(act: OrganiserAct) -> str:
    # Terms are named, values are below them on the page.
    labels = [label.lower() for label, _, _ in act.details["changes"]]
    return f"changed the terms ({formatting.names(labels)})"


def _extended(act: OrganiserAct) -> str:
    days = formatting.counted(act.details["days"], "day")
    deadline = datetime.fromisoformat(act.details["deadline"])
    return f"extended round {act.details['round']} by {days}, to {deadline:%-d %B %Y, %H:%M} UTC"


def _settled(act: OrganiserAct) -> str:
    names = formatting.names(act.details["players"])
    outcome = act.details["outcome"]
    results = {"draw": "a draw", "nobody": "no points for anybody"}
    result = results.get(outcome, f"{outcome} wins")
    return f"settled the pairing of {names} in round {act.details['round']}: {result}"


def _late(act: OrganiserAct) -> str:
    last = act.details["round"]
    return f"allowed late entry until round {last}" if last else "ended late entry"


def _said(act: OrganiserAct) -> str:
    word = act.details["word"]
    return f"named {_about(act)} “{word}”" if word else f"took back the words about {_about(act)}"


def _undone(act: OrganiserAct) -> str:
    return f"undid: {sentence(act.undoes)}" if act.undoes else "undid an act"


WORDS: Mapping[Kind, Callable[[OrganiserAct], str]] = {
    Kind.EDIT: _edited,
    Kind.START: lambda act: f"started early, with {act.details['players']} players",
    Kind.CANCEL: lambda _: "cancelled the tournament",
    Kind.INVITE: lambda act: f"invited {_about(act)}",
    Kind.INVITE_CLUB: lambda act: (
        f"invited {formatting.counted(act.details['players'], 'member')} of {act.details['name']}"
    ),
    Kind.LINK: lambda _: "made a link that lets people enter",
    Kind.UNLINK: lambda _: "closed the link",
    Kind.MESSAGE: lambda act: f"wrote to {formatting.counted(act.details['players'], 'player')}",
    Kind.REMOVE: lambda act: f"removed {_about(act)}",
    Kind.EXTEND: _extended,
    Kind.PAUSE: lambda _: "paused the tournament",
    Kind.RESUME: lambda _: "resumed the tournament",
    Kind.SETTLE: _settled,
    Kind.LATE: _late,
    Kind.BYE: lambda act: f"granted {_about(act)} a bye in round {act.details['round']}",
    Kind.SHARE: lambda act: f"asked {_about(act)} to share the job",
    Kind.UNSHARE: lambda act: f"ended sharing the job with {_about(act)}",
    Kind.HAND_OVER: lambda act: f"handed the job over to {_about(act)}",
    Kind.WORD: _said,
    Kind.UNDO: _undone,
}
"""What each act has done, in words that follow the name of who did it."""
