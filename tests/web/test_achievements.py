"""The pages and addresses of achievements."""

import pytest

from games.achievements import giving
from games.achievements.models import AchievementCount, Award
from games.http import activity
from games.kernel import registry
from tests.fixtures import NOW
from tests.rated import ended_match, establish

pytestmark = pytest.mark.django_db

KEY = "no-corner"


@pytest.fixture
def award(people):
    ada, bruno = people[:2]
    match = ended_match([ada, bruno], [1, 2], NOW, title="die")
    establish(ada, 1600, title="die", now=NOW)
    AchievementCount.objects.create(title="die", key=KEY, players=3)
    AchievementCount.objects.create(title="", key="comeback", players=1)
    for title, key in (("die", KEY), ("", "comeback"), ("a-game-that-is-gone", "lost")):
        Award.objects.create(user=ada, title=title, key=key, match=match, at=NOW, is_first=True)
    return Award.objects.get(key=KEY)


def test_the_page_of_each_game_lists_all_and_how_many_have_each(client):
    for slug, title in registry.titles().items():
        html = client.get(f"/games/{slug}/achievements/").content.decode()
        for one in title.achievements:
            assert one.name in html
    assert client.get("/games/nothing/achievements/").status_code == 404


def test_a_reader_sees_the_matches_that_earned_theirs(client, people, award):
    address = f'<a href="/matches/{award.match_id}/">'
    for page in ("/games/die/achievements/", "/achievements/"):
        assert address not in client.get(page).content.decode()
    client.force_login(people[0])
    html = client.get("/games/die/achievements/").content.decode()
    assert address in html
    assert '<td class="num">3</td>' in html
    assert address in client.get("/achievements/").content.decode()
    client.force_login(people[1])
    assert address not in client.get("/achievements/").content.decode()


def test_a_profile_shows_the_rarest_first_with_the_match(client, award):
    html = client.get("/players/ada/").content.decode()
    assert html.index("Fourth time lucky") < html.index("Out of the corners")
    assert f'<a href="/matches/{award.match_id}/"><b>Out of the corners</b></a>' in html
    assert "Fourth time lucky" not in client.get("/players/bruno/").content.decode()


def test_the_api_lists_them(client, award):
    listed = client.get("/api/v1/games/die/achievements/").json()
    assert {one["key"] for one in listed} == {one.key for one in registry.get("die").achievements}
    assert next(one["players"] for one in listed if one["key"] == KEY) == 3
    assert client.get("/api/v1/achievements/").json()[-1]["key"] == "comeback"
    earned = client.get("/api/v1/players/ada/achievements/").json()
    assert [(one["title"], one["key"], one["match"]) for one in earned] == [
        ("", "comeback", award.match_id),
        ("die", KEY, award.match_id),
    ]
    assert client.get("/api/v1/players/bruno/achievements/").json() == []
    for address in ("games/nothing", "players/nobody"):
        assert client.get(f"/api/v1/{address}/achievements/").status_code == 404


def test_an_achievement_that_a_game_has_no_more_is_not_shown(client, award):
    Award.objects.filter(pk=award.pk).update(key="of-old")
    assert "of-old" not in client.get("/players/ada/").content.decode()
    giving.recount()
    assert not AchievementCount.objects.filter(key=KEY, players__gt=0).exists()


def test_activity_tells_what_was_earned(people, award):
    told = [item for item in activity.read(NOW).items if item.kind == "achievement"]
    assert [(item.text, item.url) for item in told] == [
        ("ada earned Fourth time lucky and Out of the corners", f"/matches/{award.match_id}/")
    ]
