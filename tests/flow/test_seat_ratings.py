"""The ratings that are kept with the seats of a match, and shown beside the names."""

from functools import partial

import pytest

from games.matches.play import substitutes
from games.matches.view.match_view import MatchView
from games.ratings.models import Rating
from tests import rated
from tests.fixtures import NOW

establish = partial(rated.establish, title="heap")


def ratings(play):
    return [player.shown_rating for player in play.snapshot.players]


@pytest.fixture
def known(people):
    """Ada has a rating in the game, Bruno in another one."""
    establish(people[0], 1712)
    rated.establish(people[1], 1900, title="die")
    return people


def test_a_seat_keeps_the_rating_from_when_the_match_began(known, start):
    play = start()
    Rating.objects.filter(user=known[0]).update(mu=1800)
    play.move(0, "1")
    assert ratings(play) == ["1712", ""]


def test_a_rating_below_zero_keeps_no_match_from_beginning(known, start):
    Rating.objects.filter(user=known[0], title="heap").update(mu=-50)
    assert ratings(start())[0].rstrip("?") == "0"


def shown_of(play):
    return play.player(0).shown_rating


def test_strips_and_lists_show_it(known, start, client):
    play = start()
    shown = shown_of(play)
    assert shown.startswith("1712")
    strips = MatchView(play.snapshot.table, None, []).strips()
    assert [strip.rating for strip in strips] == [shown, ""]
    for address in (f"/matches/{play.id}/", "/archive/?status=running"):
        page = client.get(address).content.decode()
        assert page.count(f'<span class="visually-hidden">rating </span>{shown}</small>') == 1
    (first, second) = client.get(f"/api/v1/matches/{play.id}/").json()["players"]
    assert (first["rating"], second["rating"]) == (1712, None)


def test_a_provisional_rating_has_a_question_mark(known, start):
    play = start()
    player = play.player(1)
    player.rating, player.rating_is_provisional = 1432, True
    assert player.shown_rating == "1432?"


def test_a_substitute_brings_their_own(known, start):
    play = start()
    establish(known[2], 1555)
    substitutes.swap_in(
        match_id=play.id, seat=0, user=known[2], moderator=known[3], reason="away", now=NOW
    )
    assert shown_of(play).startswith("1555")
    substitutes.swap_in(
        match_id=play.id, seat=1, user=known[0], moderator=known[3], reason="away", now=NOW
    )
    assert ratings(play)[1].startswith("1712")
