"""Every request ends with the signal that takes its database connection back."""

import asyncio
import threading

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path

from config.handler import Handler

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db(transaction=True)]

begun, go, ended = threading.Event(), threading.Event(), threading.Event()


def slow(request):
    begun.set()
    go.wait(30)
    ended.set()
    return HttpResponse("done")


def failing(request):
    async def parts():
        yield b"half"
        raise ValueError("it")

    return StreamingHttpResponse(parts())


urlpatterns = [path("slow/", slow), path("failing/", failing)]


@pytest.fixture
def finished():
    """Whether the thread of the request had ended each time that the signal came."""
    found = []

    def note(**_):
        found.append(ended.is_set())

    for event in (begun, go, ended):
        event.clear()
    request_finished.connect(note)
    yield found
    request_finished.disconnect(note)


async def asked(address):
    scope = {"type": "http", "method": "GET", "path": address, "query_string": b""}
    host = [(b"host", b"testserver")]
    line = ApplicationCommunicator(Handler(), {**scope, "headers": host, "client": ("::1", 1)})
    await line.send_input({"type": "http.request"})
    return line


async def test_a_stream_that_fails_ends_its_request(finished):
    line = await asked("/failing/")
    await line.receive_output(timeout=30)
    await line.receive_output(timeout=30)
    with pytest.raises(ValueError, match="it"):
        await line.wait(timeout=30)
    assert finished


@pytest.mark.parametrize("cancels", [1, 3])
async def test_a_request_that_is_cancelled_waits_for_its_thread(finished, cancels):
    """As the server cancels it, once a second, when the client has gone for two seconds."""
    line = await asked("/slow/")
    await asyncio.to_thread(begun.wait, 30)
    await line.send_input({"type": "http.disconnect"})
    for _ in range(cancels):
        line.future.cancel()
        await asyncio.sleep(0.05)
    assert not line.future.done()
    go.set()
    await asyncio.wait({line.future}, timeout=30)
    assert line.future.done()
    assert finished == [True]
