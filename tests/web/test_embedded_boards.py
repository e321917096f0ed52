"""Boards in posts and chat: pictures of what their readers may see."""

import html
import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from games.matches import services
from games.noticeboards import services as noticeboards
from games.noticeboards.boards import Board
from games.study import services as studies
from games.study.models import Study
from games.study.tree import Start, Tree
from games.talk import services as talk
from games.web.study import embedding
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache
from tests.web.test_boards import address_of

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

TREE, _ = Tree("die", 1, 2, {"size": 3}, Start(setup=())).added(0, 0, "c3", ())
PACKED = address_of(TREE, 1)


def whole(path):
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def posted(user, text):
    how = {"subject": "Look", "text": text, "submission": uuid4(), "now": NOW}
    return noticeboards.begin(board=Board(game="die"), user=user, **how)


def shown(post, user=None):
    """Return the links of the boards in a post, with the text of each picture."""
    client = Client()
    if user:
        client.force_login(user)
    page = html.unescape(client.get(f"/topics/{post.topic_id}/").content.decode())
    return re.findall(r'<a class="embedded-board" href="([^"]*)">.*?alt="([^"]*)"', page)


def test_the_address_of_a_board_is_a_picture_that_links_to_it(people):
    post = posted(people[0], f"Red wins here: {whole(PACKED)}. Or not?")
    noticeboards.Post.objects.update(waits=False)
    noticeboards.Topic.objects.update(last=post.pk, latest=NOW)
    assert shown(post, people[1]) == [(PACKED, "Board of DIE after 1 move")]
    page = Client().get(f"/topics/{post.topic_id}/").content.decode()
    assert "Red wins here: <a " in page
    assert "</a>. Or not?" in page
    picture = Client().get(f"{PACKED}board.svg?theme=dark")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/svg+xml")
    assert "immutable" in picture["Cache-Control"]
    assert picture.content != Client().get(f"{PACKED}board.svg").content


@pytest.mark.parametrize(
    "address",
    [
        whole("/games/die/board/x/1/"),
        whole(PACKED.replace("/1/", "/2/")),
        whole(PACKED.replace("/die/", "/chess/")),
        whole("/games/die/"),
        whole("/matches/999/1/"),
        f"https://elsewhere.example{PACKED}",
        "http://[/",
    ],
)
def test_other_addresses_stay_links(address, people):
    post = posted(people[0], f"See {address}")
    assert shown(post, people[0]) == []


def test_a_saved_board_is_shown_only_while_anybody_may_open_it(people):
    study = studies.save(user=people[0], tree=TREE, name="Corners", now=NOW)
    path = f"/boards/{study.key}/1/"
    post = posted(people[0], f"See {whole(path)}")
    assert shown(post, people[0]) == []
    owner = Client()
    owner.force_login(people[0])
    assert owner.get(f"{path}board.svg").status_code == 404
    Study.objects.update(visibility="link")
    assert shown(post, people[0]) == [(path, "Corners: a board")]
    assert Client().get(f"{path}board.svg").status_code == 200
    assert Client().get(f"/boards/{study.key}/9/board.svg").status_code == 404
    assert Client().get(f"{path}board.svg?theme=pink").status_code == 404


def test_a_match_on_one_device_is_not_shown(people):
    study = studies.save(user=people[0], tree=TREE, name="Us", now=NOW, names=["a", "b"])
    Study.objects.update(visibility="link")
    assert shown(posted(people[0], whole(f"/boards/{study.key}/1/")), people[0]) == []
    assert Client().get(f"/boards/{study.key}/1/board.svg").status_code == 404


def test_a_post_shows_a_few_boards_and_reads_them_at_once(people, django_assert_num_queries):
    saved = [studies.save(user=people[0], tree=TREE, name="B", now=NOW) for _ in range(5)]
    Study.objects.update(visibility="link")
    addresses = [whole(f"/boards/{one.key}/0/") for one in saved]
    post = posted(people[0], " ".join(addresses))
    with django_assert_num_queries(1):
        pictures = embedding.board_pictures([post], people[0])
    assert list(pictures) == addresses[: embedding.MAX_BOARDS]


def test_of_a_running_match_each_reader_gets_the_own_view(people):
    match = begin("die", people, size=3)
    match.play("c3")
    line = whole(f"/matches/{match.id}/1/")
    talk.say(match_id=match.id, user=people[0], text=line, submission=uuid4(), now=NOW)
    page = match.client(1).get(f"/matches/{match.id}/chat/").content.decode()
    assert 'class="embedded-board"' in page
    assert f'alt="Match {match.id} of DIE after 1 move"' in page
    later = whole(f"/matches/{match.id}/2/")
    talk.say(match_id=match.id, user=people[0], text=later, submission=uuid4(), now=NOW)
    page = match.client(1).get(f"/matches/{match.id}/chat/").content.decode()
    assert page.count('class="embedded-board"') == 1


def test_a_board_on_a_match_is_no_picture_while_the_match_runs(people):
    match = begin("die", people, size=3)
    match.play("c3")
    tree = Tree("die", 1, 2, {"size": 3}, Start(match=(match.id, 1)))
    path = address_of(tree, 0)
    assert Client().get(f"{path}board.svg").status_code == 404
    match.act(services.resign, 0)
    assert Client().get(f"{path}board.svg").status_code == 200
