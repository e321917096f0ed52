"""The admin: who may enter, what is shown, and that nothing is done to matches there."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import formats, timezone

from accounts.models import User
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.models import LogEntry
from tests.people import sign_in_staff


@pytest.fixture
def chief(db):
    return User.objects.create_superuser(username="chief", email="chief@example.org")


@pytest.fixture
def helper(db):
    """Staff who may look and not end."""
    user = User.objects.create(username="helper", email="helper@example.org", is_staff=True)
    names = ("view_match", "view_logentry", "view_challenge", "view_player")
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return user


def address(model, kind="changelist", *args):
    return reverse(f"admin:{model}_{kind}", args=args)


LISTS = ["match_match", "match_logentry", "match_outage", "lobby_challenge", "accounts_user"]


@pytest.mark.parametrize("model", LISTS)
def test_strangers_and_players_stay_outside(client, play, people, model):
    assert client.get(address(model)).status_code == 302
    client.force_login(people[0])
    assert client.get(address(model)).status_code == 302


@pytest.mark.parametrize("model", LISTS)
@pytest.mark.parametrize("query", ["", "?q=ada", "?q=17", "?q=%27%22<script>"])
def test_lists_can_be_searched(client, play, chief, model, query):
    play.move(0, "1")
    sign_in_staff(client, chief)
    assert client.get(address(model) + query).status_code == 200


def test_the_list_of_matches_shows_and_sorts_by_the_next_deadline(client, start, chief):
    sign_in_staff(client, chief)
    later, without, sooner = start(), start(clock=None), start(clock=PRESETS["brisk"])
    path = address("match_match")
    column = re.search(
        r"sortable column-deadline.*?\?o=([\d.]+)", client.get(path).content.decode(), re.DOTALL
    )
    page = client.get(f"{path}?o={column[1]}").content.decode()
    rows = re.findall(
        r'field-id"><a [^>]*>(\d+)</a>.*?field-deadline[^"]*">(.*?)</td>', page, re.DOTALL
    )
    found = {int(number): shown for number, shown in rows}
    assert found[without.id] == "-"
    due = [
        formats.localize(timezone.localtime(play.player(0).deadline)) for play in (sooner, later)
    ]
    assert [found[sooner.id], found[later.id]] == due
    order = [int(number) for number, _ in rows]
    assert order.index(sooner.id) < order.index(later.id)


def test_lists_take_a_fixed_number_of_queries(client, start, chief, django_assert_max_num_queries):
    sign_in_staff(client, chief)
    for _ in range(12):
        start().move(0, "1")
    for model in ("match_match", "match_logentry"):
        with django_assert_max_num_queries(14):
            client.get(address(model))


def test_a_match_links_to_its_page_and_its_log(client, play, chief):
    sign_in_staff(client, chief)
    page = client.get(address("match_match", "change", play.id)).content.decode()
    assert f"/matches/{play.id}/" in page
    assert f"match__id__exact={play.id}" in page


def test_clocks_are_told_in_words(client, start, chief):
    match = start(clock=PRESETS["standard"])
    match.move(0, "1")
    sign_in_staff(client, chief)
    page = client.get(address("match_match", "change", match.id)).content.decode()
    assert "3 d 00 h" in page
    assert "3 days, 0:00:00" not in page
    entry = LogEntry.objects.get(match=match.id)
    assert (
        "0:00:00" not in client.get(address("match_logentry", "change", entry.pk)).content.decode()
    )


def test_no_secret_is_shown_while_a_match_runs(client, play, chief):
    play.move(0, "peek")
    card = play.match.position["peeked"][0]
    sign_in_staff(client, chief)
    entry = LogEntry.objects.get()
    pages = [
        address("match_match"),
        address("match_match", "change", play.id),
        address("match_logentry"),
        address("match_logentry", "change", entry.pk),
    ]
    for page in pages:
        text = client.get(page).content.decode()
        assert bytes(play.match.secret).hex() not in text
        assert "peek" not in text
        assert f"[{card}" not in text
    play.act(services.resign, 1)
    assert "peek" in client.get(address("match_logentry")).content.decode()


@pytest.mark.parametrize(
    ("model", "query"),
    [
        ("match_logentry", "text__startswith=peek"),
        ("match_logentry", "text=peek"),
        ("match_logentry", "chance__contains=3"),
        ("match_logentry", "events__0__contains=3"),
        ("match_logentry", "match__position__heap=10"),
        ("match_match", "position__peeked__0=3"),
        ("match_match", "secret__gt=0"),
        ("match_match", "setup_chance__contains=3"),
        ("lobby_challenge", "token__startswith=a"),
        ("lobby_challenge", "secret__gt=0"),
    ],
)
def test_no_secret_is_guessed_by_narrowing_a_list(client, play, helper, model, query):
    """An address that asks for rows with a hidden value would tell by its answer what it is."""
    play.move(0, "peek")
    sign_in_staff(client, helper)
    assert client.get(f"{address(model)}?{query}").status_code == 400


@pytest.mark.parametrize(
    ("model", "query"),
    [
        ("match_logentry", "kind__exact=play"),
        (
            "match_logentry",
            "at__gte=2026-05-01+00:00:00%2B00:00&at__lt=2026-05-02+00:00:00%2B00:00",
        ),
        ("match_match", "status__exact=running&title=heap"),
        ("match_match", "created__year=2026&created__month=5"),
        ("lobby_challenge", "status__exact=open&audience__exact=open"),
    ],
)
def test_lists_are_narrowed_by_what_they_offer(client, play, helper, model, query):
    sign_in_staff(client, helper)
    assert client.get(f"{address(model)}?{query}").status_code == 200


@pytest.mark.parametrize("kind", ["change", "delete"])
def test_nothing_is_edited_by_hand(client, play, chief, kind):
    play.move(0, "1")
    sign_in_staff(client, chief)
    entry = LogEntry.objects.get()
    for model, pk in (("match_match", play.id), ("match_logentry", entry.pk)):
        assert client.post(address(model, kind, pk), {"post": "yes"}).status_code == 403
    assert client.get(address("match_match", "add")).status_code == 403
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize("model", ["match_match", "lobby_challenge"])
@pytest.mark.parametrize("action", ["annul", "end_as_agreed", "stop_clocks", "withdraw"])
def test_nothing_is_done_to_matches_and_challenges_here(client, play, chief, model, action):
    """Once a superuser annulled a match of their own; the desk asks who has a part in it."""
    sign_in_staff(client, chief)
    data = {"action": action, "_selected_action": [play.id], "reason": "I want to."}
    client.post(address(model), data)
    assert play.match.is_running
    assert not LogEntry.objects.exists()


def test_a_match_leads_to_the_desk(client, play, chief):
    sign_in_staff(client, chief)
    page = client.get(address("match_match", "change", play.id)).content.decode()
    assert 'href="/desk/?player=ada#open"' in page
    assert 'value="ada"' in client.get("/desk/?player=ada").content.decode()
