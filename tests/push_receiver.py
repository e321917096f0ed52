"""A push service and the browser behind it, on this machine: it decrypts as a browser would.

Written from RFC 8188, 8291 and 8292 and not from the site's code, with which it shares nothing.
"""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text):
    return base64.urlsafe_b64decode(text + "==")


def hmac_sha256(key, data):
    mac = hmac.HMAC(key, hashes.SHA256())
    mac.update(data)
    return mac.finalize()


def point(data):
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


class Browser:
    """A browser with a subscription: its keys, and what it was pushed."""

    def __init__(self, endpoint, auth=b"0123456789abcdef", private=None):
        self.endpoint = endpoint
        self.auth = auth
        self.private = private or ec.generate_private_key(ec.SECP256R1())
        self.public = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    @property
    def given(self):
        return {
            "endpoint": self.endpoint,
            "public_key": b64(self.public),
            "secret": b64(self.auth),
        }

    def decrypt(self, body):
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "one record"
        shared = self.private.exchange(ec.ECDH(), point(sender))
        info = b"WebPush: info\x00" + self.public + sender
        ikm = hmac_sha256(hmac_sha256(self.auth, shared), info + b"\x01")
        prk = hmac_sha256(salt, ikm)
        cek = hmac_sha256(prk, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = hmac_sha256(prk, b"Content-Encoding: nonce\x00\x01")[:12]
        text = AESGCM(cek).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert text[-1] == 2, "the last record"
        return text[:-1]


def check_vapid(header, origin, key):
    """Return the claims of an Authorization header, once its signature is checked."""
    fields = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert fields["k"] == key, "signed with the key that the browser subscribed with"
    signed, _, signature = fields["t"].rpartition(".")
    raw = unb64(signature)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    try:
        point(unb64(key)).verify(
            encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256())
        )
    except InvalidSignature:
        raise AssertionError("not signed by the site") from None
    head, claims = (json.loads(unb64(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims["aud"] == origin
    return claims


class PushService:
    """A push service: remembers requests, answers each with the next status of ``answers``."""

    def __init__(self):
        self.requests, self.answers, self.where = [], [], "/elsewhere"
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.requests.append((self.path, dict(self.headers), body))
                status = service.answers.pop(0) if service.answers else 201
                if status is None:
                    self.connection.close()
                    return
                self.send_response(status)
                if status in (301, 307, 308):
                    self.send_header("Location", service.where)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
