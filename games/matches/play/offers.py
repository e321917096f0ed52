"""Offers that end or change a match by agreement: to end, pause or cancel it, or to take back.

One offer is open at a time. It ends with the next move, one to end the match with the next move of
another player. The same player may repeat an offer only after the next move.
"""

from datetime import timedelta
from enum import StrEnum

from django.utils.translation import gettext as _

from games.kernel.contract import Seat
from games.matches.clocks.standstill import are_stopped_for, pause_all, resume_all
from games.matches.errors import Refused
from games.matches.log import log_entries, positions
from games.matches.models import LogEntry, Match, Player
from games.matches.pauses import PlayerPause, Reason
from games.matches.preconditions import check_may_offer, check_not_out, check_unchanged
from games.matches.selectors import AnyPlayer
from games.matches.update import MatchUpdate

MAX_PAUSE = timedelta(days=30)
"""After this long the clocks resume automatically."""


class Offer(StrEnum):
    CLOSE = "close"
    PAUSE = "pause"
    CANCEL = "cancel"
    TAKE_BACK = "take-back"


def agreed_by(player: AnyPlayer) -> str:
    """Return the offer that a player has made or agrees to. Empty without one."""
    return Offer.CLOSE if player.agrees_to_close else player.agrees_to


def make(update: MatchUpdate, seat: Seat, offer: Offer) -> None:
    """Make an offer to all remaining players.

    :raises Refused: another one is open, the seat has offered it since the last move, or it makes
        no sense now.
    """
    check_may_offer(update, seat, _text(offer))
    if offer == Offer.PAUSE:
        if update.snapshot.match.clock is None:
            raise Refused(_("There is no clock to pause."))
        if are_stopped_for(update, Reason.AGREEMENT):
            raise Refused(_("The match is paused already."))
    if offer == Offer.TAKE_BACK:
        _to_take_back(update, seat)
    update.add(LogEntry.Kind.OFFER, seat, text=_text(offer))
    _agree(update.player(seat), offer)


def _text(offer: str) -> str:
    """Return an offer as the log stores it. An offer to end the match has an empty text."""
    return "" if offer == Offer.CLOSE else offer


def _agree(player: Player, offer: str) -> None:
    player.agrees_to_close = offer == Offer.CLOSE
    player.agrees_to = _text(offer)


def accept(update: MatchUpdate, seat: Seat, *, version: int) -> str:
    """Agree to the open offer. It is carried out when all remaining players agree.

    :raises StaleMove: the match has changed since ``version``, and perhaps the offer.
    """
    check_unchanged(update, version)
    offer = _to_answer(update, seat)
    _agree(update.player(seat), offer)
    if any(agreed_by(player) != offer for player in update.snapshot.seats_still_in()):
        update.add(LogEntry.Kind.ACCEPT, seat, text=_text(offer))
        return ""
    if offer == Offer.CLOSE:
        update.close(seat)
        return "closed"
    update.forget_offers()
    _carry_out(update, seat, offer)
    return ""


def _carry_out(update: MatchUpdate, seat: Seat, offer: str) -> None:
    """Carry out an offer to which all have agreed. ``seat`` was the last."""
    if offer == Offer.PAUSE:
        update.add(LogEntry.Kind.PAUSE, seat)
        pause_all(update, PlayerPause(Reason.AGREEMENT, update.now, update.now + MAX_PAUSE))
    elif offer == Offer.CANCEL:
        update.add(LogEntry.Kind.CANCEL, seat, text=_text(offer))
        update.finish(Match.Status.CANCELLED, "cancelled")
    else:
        _take_back(update, seat)


def _take_back(update: MatchUpdate, seat: Seat) -> None:
    """Undo moves back to the last one of the seat that asked for it, the latest first."""
    log = log_entries.recent(update.snapshot.match)
    kinds = (LogEntry.Kind.OFFER, _text(Offer.TAKE_BACK))
    asked = next(entry for entry in reversed(log) if (entry.kind, entry.text) == kinds)
    asker = Seat(asked.seat or 0)
    undone = [
        (target, positions.state_after(update.snapshot.table, target.number - 1))
        for target in _to_take_back(update, asker)
    ]
    update.add(LogEntry.Kind.ACCEPT, seat, text=_text(Offer.TAKE_BACK))
    update.player(asker).take_backs += 1
    for target, before in undone:
        update.take_back(Seat(target.seat or 0), target, before, agreed=True)


def _to_take_back(update: MatchUpdate, seat: Seat) -> list[LogEntry]:
    """Return the moves that are undone if a seat takes its last one back, the latest first.

    :raises Refused: there are none, or the seat has reached its limit.
    """
    log = log_entries.recent(update.snapshot.match)
    targets = log_entries.taken_back_by_agreement(update.snapshot.table, log, seat)
    if not targets:
        raise Refused(_("There is no move of yours that can be taken back by agreement."))
    if not log_entries.has_take_backs_left(update.snapshot.table, log, targets[-1]):
        raise Refused(log_entries.no_more_take_backs())
    return targets


def decline(update: MatchUpdate, seat: Seat, *, version: int) -> None:
    """Refuse the open offer, or withdraw one's own.

    :raises StaleMove: the match has changed since ``version``, and perhaps the offer.
    """
    check_unchanged(update, version)
    offer = agreed_by(update.player(seat)) or _to_answer(update, seat)
    update.add(LogEntry.Kind.DECLINE, seat, text=_text(offer))
    update.forget_offers()


def _to_answer(update: MatchUpdate, seat: Seat) -> str:
    """Return the offer that waits for the answer of a seat.

    :raises Refused: it does not exist.
    """
    player = update.player(seat)
    if player.dropped or agreed_by(player):
        raise Refused(_("There is nothing for you to answer."))
    check_not_out(update, seat)
    offer = next(filter(None, map(agreed_by, update.snapshot.players)), "")
    if not offer:
        raise Refused(_("There is no open offer."))
    return offer


def end_pause(update: MatchUpdate, seat: Seat) -> None:
    """Resume the clocks after a pause by agreement. Any remaining player may.

    :raises Refused: it does not exist.
    """
    if update.player(seat).dropped:
        raise Refused(_("You have left this match."))
    check_not_out(update, seat)
    if not are_stopped_for(update, Reason.AGREEMENT):
        raise Refused(_("The match is not paused."))
    resume_all(update, Reason.AGREEMENT)
    update.add(LogEntry.Kind.RESUME, seat)
