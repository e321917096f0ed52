"""What a profile says that a player has achieved."""

import pytest
from django.utils import timezone

from games.kernel import registry
from games.ladders.models import LadderPlace
from games.matches.listing import Results
from games.web.lists.badges import badges
from tests.rated import ended_match

pytestmark = pytest.mark.django_db


def won(slug, times=1):
    return Results(slug, with_bots=False, won=times, tied=0, lost=0)


def place(user, position, title="die"):
    now = timezone.now()
    return LadderPlace.objects.create(
        title=title, user=user, position=position, joined=now, active=now
    )


def test_a_win_in_a_game_and_one_in_every_game():
    slugs = list(registry.titles())
    lost = Results("grim-reaper", with_bots=False, won=0, tied=1, lost=2)
    gone = won("a-game-that-is-gone")
    assert [badge.text for badge in badges([won("die"), lost, gone], [])] == ["Has won DIE"]
    assert [badge.text for badge in badges([*map(won, slugs)], [])] == ["Has won every game"]


def test_the_profile_shows_wins_against_people_and_top_places(client, people):
    ada, bruno = people[:2]
    ended_match([ada, bruno], [1, 2], timezone.now(), title="die")
    place(ada, 2)
    place(ada, 4, "grim-reaper")
    html = client.get("/players/ada/").content.decode()
    assert "Has won DIE" in html
    assert '<a href="/games/die/ladder/">Second on the ladder of DIE</a>' in html
    assert "on the ladder of Grim Reaper" not in html
    assert "Achievements" not in client.get("/players/bruno/").content.decode()
