"""Players beside the board: names, results and clocks."""

from datetime import datetime, timedelta

from msgspec import structs

from accounts.models import User
from games.kernel.contract import Meta
from games.kernel.language import gettext as _
from games.matches import formatting, pauses
from games.matches.selectors import AnyPlayer
from games.matches.table import Account
from games.matches.view.parts import ClockFace, Person, Swatch

LOW_TIME = timedelta(hours=6)
"""Less than this is shown as running short."""


def person(user: User | Account) -> Person:
    """Return a user by name. Guests and closed accounts have no page."""
    if user.is_guest or not user.is_active:
        return Person(user.shown_name)
    return Person(user.username, user.get_absolute_url(), user.is_program)


def swatch(meta: Meta, seat: int) -> Swatch:
    colour = meta.colours[seat]
    return Swatch(seat, colour.name, colour.letter.upper())


def clock_face(player: AnyPlayer, now: datetime) -> ClockFace | None:
    """Return a player's clock, and why if it is stopped. ``None`` without one."""
    left = pauses.left(player, now)
    if left is None:
        return None
    reasons = pauses.reasons(player, now)
    deadline = pauses.shown_deadline(player, now)
    why, stands_still, end = _why(player, reasons, now)
    shown = ClockFace(
        formatting.left(left),
        "still",
        why=why,
        stands_still=stands_still,
        resumes=formatting.machine_readable(end) if end else "",
        resumes_shown=formatting.exact(end) if end else "",
        share=_share(player, left),
        is_short=left < LOW_TIME,
    )
    if deadline is None:
        return shown
    ahead = pauses.ahead(player, now)
    return structs.replace(
        shown,
        left=shown.left if left > timedelta() else _("out of time"),
        state=_state(left, stands=bool(reasons)),
        deadline=formatting.machine_readable(deadline),
        until=formatting.exact(deadline),
        pauses=" ".join(f"{begin.timestamp():.0f}/{end.timestamp():.0f}" for begin, end in ahead),
    )


def _state(left: timedelta, *, stands: bool) -> str:
    if left <= timedelta():
        return "out"
    if stands:
        return "still"
    return "short" if left < LOW_TIME else ""


def _why(
    player: AnyPlayer, reasons: list[pauses.Reason], now: datetime
) -> tuple[str, str, datetime | None]:
    """Return why a started clock is stopped, or would be if it were started.

    These are a word, a sentence, and the time in the sentence, if any.
    """
    if player.clock_since is None:
        reasons = [reason for reason in reasons if reason != pauses.Reason.WEEKEND]
    if player.ended is not None or not reasons:
        return "", "", None
    words = ", ".join(_(formatting.WHY_STILL[reason]) for reason in reasons)
    until = pauses.until(player, now)
    return words, formatting.stands_still(reasons, until), until


def _share(player: AnyPlayer, left: timedelta) -> int | None:
    """Return how much of a running clock's maximum is left, in percent."""
    control = player.match.time_control
    if control is None or player.clock_since is None:
        return None
    return round(min(left / control.cap, 1) * 100)
