"""Addresses at which a mail about a match is answered with a move.

Each is signed, for one player at one version of a match, and good for a while. Of all mails to it
one move at most comes: they are one submission. What signs it includes the address that the mail
went to, so that a new address of the account ends it.
"""

import base64
import hashlib
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.delivery import readers
from games.kernel.contract import Seat
from games.matches.models import Player

LIFETIME = timedelta(days=30)
BOX = "play+"
"""What the addresses begin with; the domain may have others, such as postmaster's."""

_fields = struct.Struct(">IIIIB")
MAC = 16
"""Bytes of the signature; with all the rest a local part is not longer than 64 (RFC 5321)."""


class BadAddress(ValueError):
    """An address that is not one of ours, not any more, or of somebody who plays by other ways."""


@dataclass(frozen=True)
class ReplyAddress:
    """What an address stands for; ``mail`` is the address of its player, which is secret as it."""

    match_id: int
    user_id: int
    version: int
    seat: Seat
    expires: datetime
    mail: str

    @property
    def submission(self) -> UUID:
        """The id of the submission that its moves are."""
        return UUID(bytes=self.mac(settings.SECRET_KEY, "submission"))

    def mac(self, key: str | bytes, purpose: str = "address") -> bytes:
        """Return what nobody works out of it without a key."""
        text = self._dumped + hashlib.sha256(self.mail.lower().encode()).digest()
        signed = salted_hmac(f"games.reply.{purpose}", text, secret=key, algorithm="sha256")
        return signed.digest()[:MAC]

    @property
    def _dumped(self) -> bytes:
        minutes = int(self.expires.timestamp()) // 60
        return _fields.pack(self.match_id, self.user_id, self.version, minutes, self.seat)

    def __str__(self) -> str:
        signed = self._dumped + self.mac(settings.SECRET_KEY)
        token = base64.b32encode(signed).decode().rstrip("=").lower()
        return f"{BOX}{token}@{settings.REPLY_DOMAIN}"


def make(player: Player, version: int, *, now: datetime) -> str:
    """Return the address at which a player answers a mail; empty where none are to be answered."""
    if not settings.REPLY_DOMAIN or not readers.of(player.user).mail_replies:
        return ""
    mail = readers.addresses([player.user_id]).get(player.user_id)
    if mail is None:
        return ""
    # The same all day: of what answers by itself, again and again, the site hears one thing once.
    end = datetime.combine(now + LIFETIME, time.max, UTC)
    seat = Seat(player.seat)
    return str(ReplyAddress(player.match_id, player.user_id, version, seat, end, mail))


def read(address: str, *, now: datetime) -> ReplyAddress:
    """Return what an address stands for; mail servers may have changed small letters and capitals.

    :raises BadAddress: nothing, or not any more.
    """
    box, _, domain = address.lower().rpartition("@")
    if not settings.REPLY_DOMAIN or domain != settings.REPLY_DOMAIN or not box.startswith(BOX):
        raise BadAddress("not here")
    try:
        token = box.removeprefix(BOX)
        signed = base64.b32decode(token + "=" * (-len(token) % 8), casefold=True)
        match_id, user_id, version, minutes, seat = _fields.unpack(signed[:-MAC])
    except (ValueError, struct.error) as error:
        raise BadAddress("not ours") from error
    mail = readers.addresses([user_id]).get(user_id, "")
    expires = datetime.fromtimestamp(minutes * 60, UTC)
    reply_address = ReplyAddress(match_id, user_id, version, Seat(seat), expires, mail)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not mail or not any(
        constant_time_compare(signed[-MAC:], reply_address.mac(key)) for key in keys
    ):
        raise BadAddress("not ours")
    if expires <= now:
        raise BadAddress("too old")
    return reply_address
