"""Addresses for replies to mails about a match, with a move.

Each is signed, for one player at one version of a match, and valid for a while. All mails to it are
one submission, so at most one move is played. The signature covers the address that the mail went
to, so a new address of the account ends it.
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
"""Prefix of the addresses. The domain may have others, such as postmaster's."""

_fields = struct.Struct(">IIIIB")
MAC = 16
"""Bytes of the signature. The whole local part must not exceed 64 (RFC 5321)."""


class BadAddress(ValueError):
    """An address that isn't ours, has expired, or belongs to a user who doesn't play by mail."""


@dataclass(frozen=True)
class ReplyAddress:
    """The content of an address. ``mail`` is its player's address, which is as secret."""

    match_id: int
    user_id: int
    version: int
    seat: Seat
    expires: datetime
    mail: str

    @property
    def submission(self) -> UUID:
        """The id of the submission with its moves."""
        return UUID(bytes=self.mac(settings.SECRET_KEY, "submission"))

    def mac(self, key: str | bytes, purpose: str = "address") -> bytes:
        """Return the keyed signature."""
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
    """Return the address for a player's reply to a mail. Empty if replies aren't possible."""
    if not settings.REPLY_DOMAIN or not readers.of(player.user).mail_replies:
        return ""
    mail = readers.addresses([player.user_id]).get(player.user_id)
    if mail is None:
        return ""
    # The same all day: of what answers by itself, again and again, the site hears one thing once.
    end = datetime.combine(now + LIFETIME + timedelta(days=1), time.min, UTC)
    seat = Seat(player.seat)
    return str(ReplyAddress(player.match_id, player.user_id, version, seat, end, mail))


def read(address: str, *, now: datetime) -> ReplyAddress:
    """Parse an address, ignoring case, since mail servers may change it.

    :raises BadAddress: it is invalid or has expired.
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
