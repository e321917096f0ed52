"""HEAD is answered like GET but for the body, as the server gets it from Django."""

import asyncio

import pytest
from asgiref.testing import ApplicationCommunicator

from config.asgi import pages

HEALTH, LONG = "/healthz", "/games/simple-life-or-death/rules/"


def ask(method, path):
    """Return the headers and the body that the site hands to its server."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"testserver")],
    }

    async def talk():
        site, body, more = ApplicationCommunicator(pages, scope), b"", True
        await site.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await site.receive_output(timeout=30)
        while more:
            piece = await site.receive_output(timeout=30)
            body, more = body + piece.get("body", b""), piece.get("more_body", False)
        return dict(start["headers"]), body

    return asyncio.run(talk())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", [HEALTH, LONG])
def test_head_has_the_length_and_no_body(path):
    _, whole = ask("GET", path)
    headers, body = ask("HEAD", path)
    assert whole
    assert body == b""
    assert headers[b"Content-Length"] == str(len(whole)).encode()
