"""Handling of a mail: a move by the same service as everywhere, and an answer by mail.

Refusals before the sender is known appear in the SMTP dialogue alone, and nothing is sent to
senders that the relay doesn't vouch for. A repeated mail has no further effect, since all mails to
one address are one submission, and the same line has one answer.
"""

import hashlib
import logging
from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from accounts import limits
from accounts.delivery import readers
from accounts.mail import absolute
from accounts.models import User
from accounts.sanctions import standing
from accounts.site_languages import reading
from config import metrics
from games.kernel.errors import MAX_ECHO_LENGTH, GameError, MalformedMove
from games.mail import reading as mails
from games.mail.reading import IncomingMail
from games.matches import selectors, services
from games.matches.errors import Busy, NoSuchMatch, NotAPlayer, Refused, StaleMove
from games.matches.models import LogEntry
from games.matches.notify import notifications, reply_addresses
from games.matches.notify.reply_addresses import BadAddress, ReplyAddress
from games.matches.play import move_input

logger = logging.getLogger(__name__)


class SmtpReply(StrEnum):
    """An SMTP reply (RFC 5321, RFC 3463)."""

    TAKEN = "250 2.0.0 Taken."
    NO_SUCH_ADDRESS = "550 5.1.1 There is no such address here, or it is too old."
    UNREADABLE = "554 5.6.0 This mail cannot be read."
    UNKNOWN_SENDER = "550 5.7.1 It is not certain that this mail comes from its sender."
    OTHER_SENDER = "550 5.7.1 Answer from the address that the mail went to."
    USED = "550 5.7.1 A move was sent to this address already. Answer the latest mail."
    NO_PLAYER = "550 5.7.1 You do not play in this match."
    TOO_MANY = "450 4.7.1 Too many moves. Try again later."
    LATER = "450 4.3.0 Try again later."


NO_MOVE = gettext_lazy("The first line of your email has to be the move.")
NO_TEXT = gettext_lazy("Your email has no text that can be read.")
GONE_ON = gettext_lazy("The match has gone on since the email that you answered.")
SHUT_OUT = gettext_lazy("Sign in first: there is something for you to read at {address}.")


class ReplyRefused(Exception):
    """The mail is refused with this SMTP reply. ``outcome`` is counted."""

    def __init__(self, said: SmtpReply, outcome: str) -> None:
        super().__init__(outcome)
        self.said = said
        self.outcome = outcome


def recipient(address: str, *, now: datetime) -> ReplyAddress:
    """Parse the address of a mail.

    :raises ReplyRefused: it isn't a valid reply address.
    """
    try:
        reply_address = reply_addresses.read(address, now=now)
    except BadAddress as error:
        raise ReplyRefused(SmtpReply.NO_SUCH_ADDRESS, "no-such-address") from error
    if not readers.of(User.objects.get(pk=reply_address.user_id)).mail_replies:
        raise ReplyRefused(SmtpReply.NO_SUCH_ADDRESS, "switched-off")
    return reply_address


def receive(content: bytes, envelope_sender: str, address: str, *, now: datetime) -> SmtpReply:
    """Handle a mail and return the SMTP reply. The log gets only numbers of it."""
    try:
        outcome = _receive(content, envelope_sender, recipient(address, now=now), now)
        answer = SmtpReply.TAKEN
    except ReplyRefused as refused:
        outcome = refused.outcome
        answer = refused.said
    metrics.REPLIES.labels(outcome).inc()
    logger.info("A mail with a move: %s", outcome)
    return answer


def _receive(content: bytes, envelope_sender: str, to: ReplyAddress, now: datetime) -> str:
    """Handle a mail to a valid address, and return the outcome.

    :raises ReplyRefused: it isn't accepted.
    """
    try:
        mail = mails.read(content)
    except mails.Unreadable as error:
        raise ReplyRefused(SmtpReply.UNREADABLE, "unreadable") from error
    # dropped silently, as a reply could start an endless exchange between machines
    if mail.is_automatic or envelope_sender in ("", "<>"):
        return "automatic"
    _check_sender(mail, envelope_sender, to)
    user = User.objects.get(pk=to.user_id)
    _spend(user)
    # The reply quotes the refusal, so it must be in the sender's language.
    with reading(user):
        return _play(mail, user, to, now)


def _check_sender(mail: IncomingMail, envelope_sender: str, to: ReplyAddress) -> None:
    """Check that the relay vouches for the sender, and that it is the player.

    :raises ReplyRefused: it doesn't, or it is somebody else.
    """
    # Relays repeat the envelope's sender in what they say, some of them without quotes.
    is_plain = not set(envelope_sender) & set(' \t";()\\')
    verdict = mail.verdict
    domain = mail.sender.rpartition("@")[2]
    is_ours = verdict is not None and verdict.authserv == settings.REPLY_AUTHSERV
    if not is_plain or not is_ours or not verdict or not verdict.vouches_for(domain):
        raise ReplyRefused(SmtpReply.UNKNOWN_SENDER, "unknown-sender")
    if mail.sender != to.mail.lower():
        raise ReplyRefused(SmtpReply.OTHER_SENDER, "other-sender")


def _spend(user: User) -> None:
    """Count a player's mail, including repeated ones.

    :raises ReplyRefused: there were too many.
    """
    request = HttpRequest()
    request.user = user
    try:
        limits.spend(request, "mail-reply")
    except limits.TooMany as error:
        raise ReplyRefused(SmtpReply.TOO_MANY, "too-many") from error


def _play(mail: IncomingMail, user: User, to: ReplyAddress, now: datetime) -> str:
    """Play the move of a mail, answer it, and return the outcome.

    :raises ReplyRefused: there is nobody to answer, or a move was sent to the address before.
    """
    text = _text(mail)
    refusal = ""
    try:
        _check(mail, user, to, now)
        text = _submit(text, user, to, now)
    except (NoSuchMatch, NotAPlayer) as error:
        raise ReplyRefused(SmtpReply.NO_PLAYER, "no-player") from error
    except Busy as error:
        raise ReplyRefused(SmtpReply.LATER, "busy") from error
    except StaleMove:
        refusal = str(GONE_ON)
    except GameError as error:
        refusal = str(error)
    _answer(user, to, text, refusal, now)
    return "refused" if refusal else "played"


def _text(mail: IncomingMail) -> str:
    """Return the move without the full stop that some people write."""
    return (mail.line or "").rstrip(" .")


def _check(mail: IncomingMail, user: User, to: ReplyAddress, now: datetime) -> None:
    """:raises GameError: there is no move, or its player may not make one."""
    if selectors.snapshot(to.match_id).seat_for(user) != to.seat:
        raise NotAPlayer(gettext("You have another seat now."))
    if standing.stops(user, now):
        raise Refused(SHUT_OUT.format(address=absolute("/account/standing/")))
    if not _text(mail):
        raise MalformedMove(NO_TEXT if mail.line is None else NO_MOVE)
    move_input.check([_text(mail)])


def _submit(text: str, user: User, to: ReplyAddress, now: datetime) -> str:
    """Play a move, and return it as the log has it.

    :raises ReplyRefused: another move was sent to the address before.
    """
    outcome = services.play_move(
        match_id=to.match_id,
        user=user,
        texts=[text],
        version=to.version,
        submission=to.submission,
        now=now,
    )
    log = LogEntry.objects.filter(match=to.match_id, seat=to.seat, submission=to.submission)
    played = str(log.values_list("text", flat=True).first())
    if outcome.repeated and not _is_spelled(played, text, to.match_id):
        raise ReplyRefused(SmtpReply.USED, "used")
    return played


def _is_spelled(played: str, text: str, match_id: int) -> bool:
    """Whether a text is a spelling of the move that was played."""
    try:
        return str(selectors.snapshot(match_id).title.parse(text)) == played
    except MalformedMove:
        return False


def _answer(user: User, to: ReplyAddress, text: str, refusal: str, now: datetime) -> None:
    digest = hashlib.sha256(f"{refusal} {text}".encode()).hexdigest()[:16]
    notifications.move_answered(
        user,
        to.match_id,
        to.version,
        text=text if len(text) <= MAX_ECHO_LENGTH else f"{text[: MAX_ECHO_LENGTH - 1]}…",
        refusal=refusal,
        key=f"{to.submission.hex}:{digest}",
        now=now,
    )
