"""Web push: encryption of payloads for one browser, and the signature of the sender.

Payloads are encrypted as in RFC 8291, with one record of RFC 8188. Each request is signed with the
site's key (VAPID, RFC 8292).
"""

import base64
import json
import os
import struct
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

RECORD = 4096
"""Size of the only record (RFC 8188). Services accept at least this much."""

VALID = timedelta(hours=12)
POINT = 65
"""Bytes of a browser's public key."""

SECRET = 16
"""Bytes of the secret that a browser shares with its server."""


def encode(data: bytes) -> str:
    """Encode as URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """:raises ValueError: the text isn't base64."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_key().public_bytes(serialization.Encoding.X962, form)


def point(data: bytes) -> ec.EllipticCurvePublicKey:
    """:raises ValueError: it isn't a browser's public key."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


def encrypt(
    payload: bytes,
    receiver: bytes,
    secret: bytes,
    *,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a payload for a browser's public key and shared secret.

    ``sender`` and ``salt`` are random, except in tests.
    """
    sender = sender or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    mine = public(sender)
    shared = sender.exchange(ec.ECDH(), point(receiver))
    seed = _derive(shared, secret, b"WebPush: info\0" + receiver + mine, 32)
    key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", 12)
    # The byte after the payload marks the last record.
    sealed = AESGCM(key).encrypt(nonce, payload + b"\2", None)
    return salt + struct.pack("!IB", RECORD, len(mine)) + mine + sealed


def _derive(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def authorization(
    key: ec.EllipticCurvePrivateKey, endpoint: str, contact: str, now: datetime
) -> str:
    """Return the header that identifies the site to a push service, with a contact address."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + VALID).timestamp()),
        "sub": contact,
    }
    head = encode(json.dumps({"typ": "JWT", "alg": "ES256"}).encode())
    text = f"{head}.{encode(json.dumps(claims).encode())}"
    numbers = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = b"".join(number.to_bytes(32, "big") for number in numbers)
    return f"vapid t={text}.{encode(signature)}, k={encode(public(key))}"
