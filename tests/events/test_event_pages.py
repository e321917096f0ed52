"""The pages of tournaments: who may do what there, and what they show."""

import itertools
import re
from datetime import timedelta
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from games.events import selectors, services
from games.events.models import Entry, Tournament
from games.matches import services as matches
from games.matches.clock import PRESETS
from games.matches.models import Match
from tests.match_driver import fresh_cache

__all__ = ["fresh_cache"]

DAY = timedelta(days=1)
SVG = "{http://www.w3.org/2000/svg}"
SENT = {
    "name": "Autumn Cup",
    "about": "For everybody.",
    "format": "swiss",
    "rounds": "3",
    "least": "4",
    "most": "8",
    "round_days": "21",
    "clock": "per-move",
    "days": "3",
    "rated": "on",
    "param-heap": "10",
}


@pytest.fixture(autouse=True)
def _no_tasks(monkeypatch):
    for task in ("advance_tournaments", "draw_first_rounds"):
        monkeypatch.setattr(f"games.events.tasks.{task}.apply_async", lambda **_: None)
    monkeypatch.setattr("games.ratings.tasks.rate_matches.apply_async", lambda **_: None)


def client_of(user=None):
    client = Client()
    if user:
        client.force_login(user)
    return client


def announced(organiser, **terms):
    now = timezone.now()
    terms = {
        "name": "Spring Cup",
        "title": "heap",
        "params": {},
        "clock": PRESETS["standard"],
        "format": Tournament.Format.ROUND_ROBIN,
        "most": 4,
        "starts": now + 7 * DAY,
        "round_days": 21,
        "now": now,
        **terms,
    }
    return services.create(organiser=organiser, **terms)


def played(people, **terms):
    made = announced(people[0], **terms)
    for user in people:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    services.advance(made.pk, now=timezone.now())
    return made


def resign_all(made):
    for match in Match.objects.filter(status="running"):
        loser = match.players.get(seat=1).user
        matches.resign(
            match_id=match.pk, user=loser, version=0, submission=uuid4(), now=timezone.now()
        )
    services.advance(made.pk, now=timezone.now())


def test_empty_lists_say_so(toy, db):
    page = client_of().get("/events/").content.decode()
    assert "No tournament is open for entry" in page
    assert "No finished tournaments yet" in page


def test_the_list_of_one_game_leaves_out_others(people):
    announced(people[0], title="die", name="Cup of DIE")
    announced(people[0], title="grim-reaper", name="Cup of Grim Reaper")
    visitor = client_of()
    page = visitor.get("/events/?game=die").content.decode()
    assert "Cup of DIE" in page
    assert "Cup of Grim Reaper" not in page
    for query in ("", "?game=nothing", "?game=%00"):
        page = visitor.get(f"/events/{query}").content.decode()
        assert "Cup of DIE" in page
        assert "Cup of Grim Reaper" in page


def test_a_user_announces_a_tournament_and_others_enter(toy, people):
    when = (timezone.now() + 5 * DAY).date().isoformat()
    ada, bruno = client_of(people[0]), client_of(people[1])
    answer = ada.post("/events/new/heap/", {**SENT, "starts": when, "seats": "2"})
    made = Tournament.objects.get()
    assert answer["Location"] == f"/events/{made.pk}/"
    assert (made.organiser, made.rounds, made.clock["start"]) == (people[0], 3, 3 * 24 * 3600)
    page = bruno.get(f"/events/{made.pk}/").content.decode()
    assert "players you have blocked" in page
    assert "Nobody has entered yet" in page
    bruno.post(f"/events/{made.pk}/join/")
    assert Entry.objects.get().user == people[1]
    assert "bruno" in ada.get(f"/events/{made.pk}/").content.decode()
    left = bruno.post(f"/events/{made.pk}/leave/", follow=True).content.decode()
    assert "You have left the tournament." in left
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("when", "why"),
    [("9999-12-31", "Enter an earlier date."), ("0001-01-01", "within the next 60 days")],
)
def test_dates_at_the_ends_of_the_calendar_are_refused(toy, people, when, why):
    ada = client_of(people[0])
    answer = ada.post("/events/new/heap/", {**SENT, "starts": when, "seats": "2"})
    assert why in answer.content.decode()
    assert not Tournament.objects.exists()


def test_what_does_not_fit_is_said_and_what_was_typed_is_kept(toy, people):
    when = (timezone.now() - DAY).date().isoformat()
    sent = {**SENT, "starts": when, "seats": "2"}
    page = client_of(people[0]).post("/events/new/heap/", sent).content.decode()
    assert "within the next 60 days" in page
    assert "Autumn Cup" in page
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("sent", "needed"),
    [
        ({"days": "3", "seats": "2", "round_days": "4"}, "6 days"),
        ({"days": "3", "seats": "4", "round_days": "11"}, "12 days"),
        ({"clock": "leisurely", "seats": "2", "round_days": "13"}, "14 days"),
    ],
)
def test_a_round_too_short_for_the_clock_is_announced_only_on_purpose(toy, people, sent, needed):
    when = (timezone.now() + 5 * DAY).date().isoformat()
    sent = {**SENT, "starts": when, **sent}
    ada = client_of(people[0])
    page = ada.post("/events/new/heap/", sent).content.decode()
    assert f"first turns can take {needed}" in page
    assert 'name="short_rounds"' in page
    assert not Tournament.objects.exists()
    longer = str(int(sent["round_days"]) + 1 + (sent["round_days"] == "4"))
    for more in ({"short_rounds": "on"}, {"round_days": longer}):
        assert ada.post("/events/new/heap/", {**sent, **more}).status_code == 302
    assert Tournament.objects.count() == 2


def test_the_form_has_no_box_for_what_is_not_short(toy, people):
    page = client_of(people[0]).get("/events/new/heap/").content.decode()
    assert "short_rounds" not in page


def test_visitors_are_asked_to_sign_in(toy, people):
    made = announced(people[0])
    visitor = client_of()
    assert "Sign in to enter" in visitor.get(f"/events/{made.pk}/").content.decode()
    for action in ("join", "leave", "cancel"):
        assert "/account/login/" in visitor.post(f"/events/{made.pk}/{action}/")["Location"]
    assert "/account/login/" in visitor.get("/events/new/heap/")["Location"]


def test_only_the_organiser_cancels(toy, people):
    made = announced(people[0])
    client_of(people[1]).post(f"/events/{made.pk}/cancel/")
    assert selectors.get(made.pk).is_open
    client_of(people[0]).post(f"/events/{made.pk}/cancel/")
    assert selectors.get(made.pk).status == "cancelled"


def test_blocked_players_meet(toy, people):
    blocks.block(user=people[0], other=people[1], now=timezone.now())
    played(people)
    assert Match.objects.filter(players__user=people[0]).filter(players__user=people[1]).exists()


def test_a_round_robin_from_entry_to_the_crosstable(toy, people):
    made = played(people)
    visitor = client_of()
    page = visitor.get(f"/events/{made.pk}/").content.decode()
    assert "Standings" in page
    resign_all(made)
    page = visitor.get(f"/events/{made.pk}/").content.decode()
    assert "Final standings" in page
    picture = visitor.get(f"/events/{made.pk}/crosstable.svg")
    assert picture["Content-Type"] == "image/svg+xml"
    assert "daniel" in picture.content.decode()
    for user in people:
        assert "in place" in client_of(user).get("/account/notices/").content.decode()
    winner = Entry.objects.filter(place=1).first().user
    profile = visitor.get(f"/players/{winner.username}/").content.decode()
    assert "Winner of" in profile


@pytest.mark.parametrize("how", ["swiss", "knock-out", "double"])
def test_pages_of_other_kinds(toy, people, how):
    made = played(people, format=Tournament.Format(how), about="Be nice.")
    visitor = client_of()
    for _ in range(8):
        page = visitor.get(f"/events/{made.pk}/")
        assert page.status_code == 200
        resign_all(made)
    assert selectors.get(made.pk).is_finished
    expected = 200 if how == "swiss" else 404
    assert visitor.get(f"/events/{made.pk}/crosstable.svg").status_code == expected


def drawn(made):
    page = client_of().get(f"/events/{made.pk}/")
    picture = client_of().get(f"/events/{made.pk}/bracket.svg")
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.content.decode() in page.content.decode()
    return ET.fromstring(picture.content)


def words(picture):
    return [text.text for text in picture.iter(f"{SVG}text")]


def test_the_bracket_of_a_knock_out_links_matches_and_lights_winners(toy, people):
    made = played(people, format=Tournament.Format.KNOCK_OUT)
    links = [link.get("href") for link in drawn(made).iter(f"{SVG}a")]
    assert links == [f"/matches/{match.pk}/" for match in Match.objects.order_by("pk")]
    for _ in range(2):
        resign_all(made)
    picture = drawn(made)
    assert len(list(picture.iter(f"{SVG}a"))) == 3
    assert len(list(picture.iter(f"{SVG}path"))) == 2
    lit = [one for one in picture.iter(f"{SVG}rect") if one.get("class") == "drawn-lit"]
    assert len(lit) == 3
    champion = Entry.objects.get(place=1).user.shown_name
    labels = [link.get("aria-label") for link in picture.iter(f"{SVG}a")]
    assert sum(label.endswith(f"{champion} won") for label in labels) == 2


def test_the_bracket_shows_byes(toy, people):
    made = played(people[:3], format=Tournament.Format.KNOCK_OUT, most=3)
    assert words(drawn(made)).count("bye") == 1


def test_those_with_one_loss_have_a_part_of_their_own(toy, people):
    made = played(people, format=Tournament.Format.DOUBLE)
    assert "Round 1, one loss" not in words(drawn(made))
    for _ in range(8):
        resign_all(made)
    picture = drawn(made)
    assert "Round 2, one loss" in words(picture)
    # Both parts lead to the final.
    ends = [path.get("d").split()[-2:] for path in picture.iter(f"{SVG}path")]
    assert max(ends.count(end) for end in ends) == 2


def test_boxes_of_a_column_do_not_touch(toy, people):
    more = [User.objects.create(username=f"player{n}") for n in range(9)]
    made = played([*people, *more], format=Tournament.Format.DOUBLE, most=13)
    while selectors.get(made.pk).is_running:
        resign_all(made)
    frames = [one for one in drawn(made).iter(f"{SVG}rect") if one.get("class") == "drawn-frame"]
    spans = sorted((float(o.get("x")), float(o.get("y")), float(o.get("height"))) for o in frames)
    for (x, y, height), (other, below, _) in itertools.pairwise(spans):
        assert x != other or below >= y + height


def test_the_finals_of_groups_have_a_bracket_once_they_run(toy, people):
    more = [User.objects.create(username=f"player{n}") for n in range(4)]
    made = played([*people, *more], format=Tournament.Format.GROUPS, least=6, most=8)
    assert client_of().get(f"/events/{made.pk}/bracket.svg").status_code == 404
    resign_all(made)
    assert "Round 1" in words(drawn(made))


def test_the_bracket_of_tables_lights_all_who_go_on(toy, people):
    more = [User.objects.create(username=f"player{n}") for n in range(4)]
    how = Tournament.Format.KNOCK_OUT
    made = played([*people, *more], format=how, seats=4, least=4, most=8)
    page = client_of().get(f"/events/{made.pk}/").content.decode()
    assert "The first two of each board go on" in page
    for _ in range(2):
        for seat in (3, 2, 1):
            for match in Match.objects.filter(status="running"):
                matches.resign(
                    match_id=match.pk,
                    user=match.players.get(seat=seat).user,
                    version=match.version,
                    submission=uuid4(),
                    now=timezone.now(),
                )
        services.advance(made.pk, now=timezone.now())
    picture = drawn(made)
    lit = [one for one in picture.iter(f"{SVG}rect") if one.get("class") == "drawn-lit"]
    assert len(lit) == 2 + 2 + 1
    assert words(picture).count("1st") == 3
    labels = [link.get("aria-label") for link in picture.iter(f"{SVG}a")]
    assert [label.rsplit(" ", 1)[-1] for label in labels] == ["on", "on", "won"]
    page = client_of().get(f"/events/{made.pk}/").content.decode()
    assert "Final standings" in page
    assert "Losses" not in page


def section(page, summary):
    """Return what a page shows behind a summary, without links."""
    _, _, rest = page.partition(f"<summary>{summary}</summary>")
    return re.sub(r"</?a\b[^>]*>", "", rest.partition("</details>")[0])


def test_leaving_a_tournament_asks_and_names_the_matches(toy, people):
    made = played(people)
    over = Match.objects.filter(players__user=people[1]).first()
    version = {"version": 0, "submission": uuid4(), "now": timezone.now()}
    matches.resign(match_id=over.pk, user=over.players.get(seat=0).user, **version)
    services.advance(made.pk, now=timezone.now())
    bruno = client_of(people[1])
    page = bruno.get(f"/events/{made.pk}/").content.decode()
    asked = section(page, "Leave the tournament")
    assert page.count(f'action="/events/{made.pk}/leave/"') == 1
    assert f'action="/events/{made.pk}/leave/"' in asked
    assert "You resign 2 matches" in asked
    mine = Match.objects.filter(players__user=people[1]).exclude(pk=over.pk)
    for match in mine:
        opponent = match.players.exclude(user=people[1]).get().user
        assert f"Match {match.pk} against {opponent}" in asked
    assert f"Match {over.pk} " not in asked
    bruno.post(f"/events/{made.pk}/leave/")
    assert not Match.objects.filter(players__user=people[1], status="running").exists()


def test_the_page_says_who_takes_over_the_matches(toy, people):
    made = played(people[:3], most=3)
    services.wait(tournament_id=made.pk, user=people[3], now=timezone.now())
    page = client_of(people[0]).get(f"/events/{made.pk}/").content.decode()
    assert "daniel takes over your 2 matches" in section(page, "Leave the tournament")
    services.leave(tournament_id=made.pk, user=people[0], now=timezone.now())
    assert not Match.objects.filter(players__user=people[0]).exists()


def test_who_has_no_match_leaves_without_resigning(toy, people):
    made = played(people[:3], most=3, format="swiss")
    [match] = Match.objects.all()
    resting = User.objects.exclude(seats__match=match).get(tournament_entries__tournament=made)
    page = client_of(resting).get(f"/events/{made.pk}/").content.decode()
    assert "You get no more matches" in section(page, "Leave the tournament")
    assert "resign" not in section(page, "Leave the tournament")


def test_cancelling_a_tournament_asks(toy, people):
    made = announced(people[0])
    services.join(tournament_id=made.pk, user=people[1], now=timezone.now())
    page = client_of(people[0]).get(f"/events/{made.pk}/").content.decode()
    assert "1 player who has entered is notified" in section(page, "Cancel the tournament")
    assert page.count(f'action="/events/{made.pk}/cancel/"') == 1
    assert f'action="/events/{made.pk}/cancel/"' in section(page, "Cancel the tournament")


def test_a_swiss_tournament_has_no_bracket(toy, people):
    made = played(people, format=Tournament.Format.SWISS)
    assert client_of().get(f"/events/{made.pk}/bracket.svg").status_code == 404


def test_the_page_of_groups_and_finals(toy, people):
    more = [User.objects.create(username=f"player{n}") for n in range(4)]
    made = played([*people, *more], format=Tournament.Format.GROUPS, least=6, most=8)
    visitor = client_of()
    assert "Groups of about four" in visitor.get(f"/events/{made.pk}/").content.decode()
    for _ in range(3):
        resign_all(made)
    page = visitor.get(f"/events/{made.pk}/").content.decode()
    assert "Final standings" in page
    assert "Finals, round 2" in page
    assert visitor.get(f"/events/{made.pk}/crosstable.svg").status_code == 404


def test_an_open_tournament_says_how_many_rounds_there_can_be(toy, people):
    made = announced(people[0], format=Tournament.Format.SWISS, most=16)
    page = client_of(people[1]).get(made.get_absolute_url()).content.decode()
    assert "<dt>Rounds of the tournament</dt><dd>at most 5</dd>" in page
    assert "tournament (Swiss)" in page


def test_the_page_says_that_the_round_is_being_drawn(toy, people):
    made = announced(people[0], most=3)
    for user in people[:3]:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    assert "The round is being drawn." in client_of().get(f"/events/{made.pk}/").content.decode()
    services.advance(made.pk, now=timezone.now())
    assert "being drawn" not in client_of().get(f"/events/{made.pk}/").content.decode()


def test_the_page_says_when_the_next_round_begins(toy, people):
    made = announced(people[0], most=4, pause_hours=8)
    for user in people:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    services.advance(made.pk, now=timezone.now())
    page = client_of().get(f"/events/{made.pk}/")
    assert b"The next round begins" not in page.content
    resign_all(made)
    page = client_of().get(f"/events/{made.pk}/")
    assert b"The next round begins" in page.content
    last = made.played_rounds.get()
    assert page.context["page"].next_round == last.began + timedelta(hours=8)


def test_pages_of_tables_of_three(toy, people):
    made = played(people, seats=3, least=3, rounds=2, most=4)
    page = client_of().get(f"/events/{made.pk}/").content.decode()
    assert "seats rotate" in page
    assert client_of().get(f"/events/{made.pk}/crosstable.svg").status_code == 404


def test_the_calendar_has_the_dates(toy, people):
    made = announced(people[0])
    client = client_of()
    calendar = client.get(f"/events/{made.pk}/calendar.ics").content.decode()
    assert "SUMMARY:Spring Cup: Entry closes" in calendar
    for user in people:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    services.advance(made.pk, now=timezone.now())
    calendar = client.get(f"/events/{made.pk}/calendar.ics").content.decode()
    assert "SUMMARY:Spring Cup: Round 1 ends" in calendar


def test_a_name_cannot_write_lines_of_the_calendar(toy, people):
    made = announced(people[0])
    Tournament.objects.update(own_name="a, b; c\\d\r\nX-MORE:1")
    answer = client_of().get(f"/events/{made.pk}/calendar.ics")
    lines = answer.content.decode().split("\r\n")
    assert "X-WR-CALNAME:a\\, b\\; c\\\\d X-MORE:1" in lines
    assert not any(line.startswith("X-MORE") for line in lines)


def test_a_match_names_its_tournament(toy, people):
    made = played(people)
    match = Match.objects.first()
    page = client_of().get(f"/matches/{match.pk}/").content.decode()
    assert f'href="/events/{made.pk}/"' in page


def test_the_page_of_a_large_tournament_costs_few_queries(
    toy, people, django_assert_max_num_queries
):
    many = [User.objects.create(username=f"player{n}") for n in range(16)]
    made = played(many, most=16)
    with django_assert_max_num_queries(16):
        client_of().get(f"/events/{made.pk}/")


def test_what_does_not_exist_is_not_found(toy, people):
    ada = client_of(people[0])
    for path in ("/events/99/", "/events/99/calendar.ics", "/events/99/crosstable.svg"):
        assert ada.get(path).status_code == 404
    assert ada.post("/events/99/join/").status_code == 404
    assert ada.get("/events/new/nothing/").status_code == 404
