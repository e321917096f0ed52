"""Messages never hold more than 80 characters of what was sent."""

import pytest
from django.urls import reverse
from django.utils import translation

from games.http.echo import INVALID_CHOICE, MAX_ECHO_LENGTH, shorten_echo
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

LONG = "zq" * 200


def echoed(text):
    """The length of the longest run of what was sent, in a page or an answer."""
    return max((n for n in range(0, len(LONG) + 1, 2) if LONG[:n] in text), default=0)


@pytest.mark.parametrize(
    "message",
    [
        f"{LONG!r} is no move.",
        f"{chr(34) + LONG + chr(34)} is no move.",
        f"There is no player called “{LONG}”.",
        f"Select a valid choice. {LONG} is not one of the available choices.",
        f"Both {LONG!r} and {LONG!r} are missing.",
    ],
)
def test_a_long_value_is_cut(message):
    assert echoed(shorten_echo(message)) == MAX_ECHO_LENGTH
    assert len(shorten_echo(message)) < len(message)


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_a_long_value_is_cut_in_every_language(language):
    with translation.override(language):
        choice = translation.gettext(INVALID_CHOICE)
        assert choice != INVALID_CHOICE
        for message in (choice % {"value": LONG}, f"„{LONG}“.", f"« {LONG} »", f"«{LONG}»."):
            assert echoed(shorten_echo(message)) <= MAX_ECHO_LENGTH
            assert 0 < len(shorten_echo(message)) < len(message)


@pytest.mark.parametrize(
    "message",
    [
        f"{'z' * MAX_ECHO_LENGTH!r} is no move.",
        "It is the players' turn, and nobody else's, to say whether " + "they " * 30 + "wait.",
        "",
    ],
)
def test_other_messages_stay_as_they_are(message):
    assert shorten_echo(message) == message


def error_of(page):
    """The messages of a page, without the fields, which keep what was typed."""
    return "".join(part.partition("</")[0] for part in page.split('role="alert"')[1:])


def test_the_match_page_cuts_what_was_typed(match_driver):
    page = match_driver.client(match_driver.turn).get(match_driver.page, {"typed": LONG})
    assert 0 < echoed(error_of(page.content.decode())) <= MAX_ECHO_LENGTH


def test_the_api_cuts_what_was_typed(match_driver):
    address = f"/api/v1{match_driver.page}options/"
    answer = match_driver.client(match_driver.turn).get(address, {"typed": LONG})
    assert answer.status_code == 422
    assert 0 < echoed(answer.json()["detail"]) <= MAX_ECHO_LENGTH


def test_the_archive_cuts_a_choice_that_there_is_not(client, db):
    page = client.get(reverse("archive"), {"result": LONG}).content.decode()
    errors = "".join(part.partition("</ul>")[0] for part in page.split("field-errors")[1:])
    assert 0 < echoed(errors) <= MAX_ECHO_LENGTH
