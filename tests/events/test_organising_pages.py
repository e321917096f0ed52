"""The pages of organisers: what they offer, refuse and keep, and who is let in."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Notification, User
from accounts.notifications import render
from games.events import organising, services
from games.events.models import ByeRequest, CoOrganiser, Entry, OrganiserAct, Table, Tournament
from games.matches.models import Match
from tests.events.test_event_pages import (
    SENT,
    _no_tasks,
    announced,
    client_of,
    played,
    resign_all,
)
from tests.match_driver import fresh_cache
from tests.moderation import make_moderator

__all__ = ["_no_tasks", "fresh_cache"]

DAY = timedelta(days=1)
Kind = OrganiserAct.Kind
SWISS = Tournament.Format.SWISS


def manage(made):
    return f"/events/{made.pk}/manage/"


def send(client, made, kind, follow=True, **values):
    sent = {f"{kind}-{name}": value for name, value in values.items()}
    return client.post(f"{manage(made)}{kind}/", sent, follow=follow).content.decode()


def test_organisers_find_what_is_possible_at_each_time(toy, people):
    ada = client_of(people[0])
    made = announced(people[0], most=3, format=SWISS, rounds=1)
    page = ada.get(manage(made)).content.decode()
    assert "Start early" in page
    assert "Extend the round" not in page
    for user in people[:3]:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    services.advance(made.pk, now=timezone.now())
    page = ada.get(manage(made)).content.decode()
    assert "Extend the round" in page
    assert "Settle a pairing" in page
    assert "Start early" not in page
    resign_all(made)
    page = ada.get(manage(made)).content.decode()
    assert "Say something about a player" in page
    assert "Extend the round" not in page


def test_nobody_else_is_let_in(toy, people):
    made = announced(people[0])
    for path in (manage(made), f"/events/{made.pk}/edit/"):
        assert client_of(people[1]).get(path).status_code == 403
        assert client_of().get(path).status_code == 302
    bruno = client_of(people[1])
    assert bruno.post(f"{manage(made)}start/").status_code == 403
    assert bruno.post(f"{manage(made)}nonsense/").status_code == 403
    assert client_of(people[0]).post(f"{manage(made)}nonsense/").status_code == 404
    assert client_of(people[0]).post(f"{manage(made)}edit/").status_code == 404
    assert "Organise</a>" not in bruno.get(f"/events/{made.pk}/").content.decode()


def test_a_refusal_keeps_what_was_typed(toy, people):
    made = played(people[:4], format=SWISS, rounds=2)
    ada = client_of(people[0])
    page = send(ada, made, "remove", name="bruno", reason="")
    assert "This field is required" in page
    assert '<option value="bruno" selected' in page
    page = send(ada, made, "extend", days="61")
    assert 'value="61"' in page
    page = send(ada, made, "settle", pairing="1|nobody", reason="Why <not>?")
    assert "Why &lt;not&gt;?" in page
    assert not OrganiserAct.objects.exists()


def test_an_act_that_was_done_in_another_tab_says_so(toy, people):
    made = played(people[:4], format=SWISS, rounds=2)
    ada = client_of(people[0])
    send(ada, made, "pause", reason="A holiday.")
    assert "is paused already" in send(ada, made, "pause", reason="A holiday.")
    send(ada, made, "resume")
    assert "isn’t paused" in send(ada, made, "resume")
    assert "isn’t possible any more" in send(ada, made, "bye", request="1")
    assert OrganiserAct.objects.count() == 2


def test_late_entry_is_offered_until_the_last_round(toy, people):
    made = played(people[:4], format=SWISS, rounds=3)
    page = client_of(people[0]).get(manage(made)).content.decode()
    assert '<option value="3">round 3</option>' in page
    assert "round 4" not in page


def test_what_was_done_is_on_the_page(toy, people):
    made = played(people[:4], format=SWISS, rounds=2)
    ada = client_of(people[0])
    send(ada, made, "message", reason="Play <b>soon</b>.")
    send(ada, made, "extend", days="3")
    own = Table.objects.filter(table_seats__entry__user=people[0]).values("pk")
    table = Table.objects.exclude(pk__in=own).get()
    page = send(ada, made, "settle", pairing=f"{table.pk}|draw", reason="No show.")
    assert "The pairing is settled." in page
    page = client_of().get(f"/events/{made.pk}/").content.decode()
    for words in (
        "Play &lt;b&gt;soon&lt;/b&gt;.",
        "wrote to 3 players",
        "extended round 1 by 3 days",
        "No show.",
        "settled",
    ):
        assert words in page


def test_terms_are_edited_and_nothing_changes_by_itself(toy, people):
    made = announced(people[0], most=8, format=SWISS, rounds=3, tie_breaks=["wins", "buchholz"])
    ada = client_of(people[0])
    path = f"/events/{made.pk}/edit/"
    form = ada.get(path).context["form"]
    sent = {
        field.html_name: field.value() for field in form if field.value() not in (None, "", False)
    }
    page = ada.post(path, sent).content.decode()
    assert "Nothing was changed." in page
    answer = ada.post(path, {**sent, "round_days": "30", "rating_low": "1200"}, follow=True)
    page = answer.content.decode()
    assert "Days for a round: 21 → 30" in page
    assert "Players need a rating of at least 1200" in page
    made.refresh_from_db()
    assert (made.round_days, made.rating_low, made.tie_breaks) == (30, 1200, ["wins", "buchholz"])


def test_conditions_are_set_when_a_tournament_is_announced(toy, people):
    when = (timezone.now() + 5 * DAY).date().isoformat()
    more = {"by_invitation": "on", "late_until": "2", "tie_break_1": "wins", "seats": "2"}
    client_of(people[0]).post("/events/new/heap/", {**SENT, "starts": when, **more})
    made = Tournament.objects.get()
    assert (made.by_invitation, made.late_until, made.tie_breaks) == (True, 2, ["wins"])


def test_a_link_lets_in_until_it_is_closed(toy, people):
    made = announced(people[0], by_invitation=True)
    ada, bruno = client_of(people[0]), client_of(people[1])
    page = bruno.get(f"/events/{made.pk}/").content.decode()
    assert "Only players with an invitation" in page
    send(ada, made, "link")
    link = Tournament.objects.get().link
    assert link in ada.get(manage(made)).content.decode()
    assert link not in client_of(people[2]).get(f"/events/{made.pk}/").content.decode()
    page = bruno.get(f"/events/{made.pk}/?link={link}").content.decode()
    assert f'value="{link}"' in page
    bruno.post(f"/events/{made.pk}/join/", {"link": link})
    assert Entry.objects.get().user == people[1]
    send(ada, made, "unlink")
    page = client_of(people[2]).get(f"/events/{made.pk}/?link={link}").content.decode()
    assert "This link doesn’t work any more." in page


def test_an_invited_player_finds_it_and_declines(toy, people):
    made = announced(people[0])
    send(client_of(people[0]), made, "invite", name="bruno")
    bruno = client_of(people[1])
    assert "You are invited" in bruno.get(f"/events/{made.pk}/").content.decode()
    bruno.post(f"/events/{made.pk}/decline/")
    assert "You are invited" not in bruno.get(f"/events/{made.pk}/").content.decode()


def test_a_shared_job_is_accepted_on_the_page(toy, people):
    made = announced(people[0])
    send(client_of(people[0]), made, "share", name="bruno")
    bruno = client_of(people[1])
    assert "You are asked to organise" in bruno.get(f"/events/{made.pk}/").content.decode()
    assert bruno.get(manage(made)).status_code == 403
    bruno.post(f"/events/{made.pk}/accept/")
    assert CoOrganiser.objects.get().accepted
    page = bruno.get(manage(made)).content.decode()
    assert "Share the job" not in page
    assert "bruno" in client_of().get(f"/events/{made.pk}/").content.decode()


def test_a_player_asks_for_a_bye_and_the_organiser_grants_it(toy, people):
    made = played(people[:4], format=SWISS, rounds=2)
    bruno = client_of(people[1])
    assert "Ask for a bye in round 2" in bruno.get(f"/events/{made.pk}/").content.decode()
    page = bruno.post(f"/events/{made.pk}/bye/", follow=True).content.decode()
    assert "You have asked for a bye" in page
    ada = client_of(people[0])
    assert "Grant a bye" in ada.get(manage(made)).content.decode()
    send(ada, made, "bye", request=ByeRequest.objects.get().pk)
    assert "You have a bye in round 2" in bruno.get(f"/events/{made.pk}/").content.decode()


@pytest.fixture
def mona(db):
    return make_moderator(User.objects.create(username="mona", email="mona@example.org"))


def test_moderators_undo_with_a_reason(toy, people, mona, settings):
    made = played(people[:4], format=SWISS, rounds=2)
    settings.STAFF_SECOND_FACTOR = False
    send(client_of(people[0]), made, "message", reason="Rude words.")
    act = OrganiserAct.objects.get()
    moderator = client_of(mona)
    page = send(moderator, made, "undo", act=act.pk, reason="")
    assert "Undo this" in page
    send(moderator, made, "undo", act=act.pk, reason="Insulting.")
    page = client_of().get(f"/events/{made.pk}/").content.decode()
    assert "Rude words." not in page
    assert "undone by mona" in page
    assert "Insulting." in page


def test_moderators_show_their_second_factor_first(toy, people, mona, settings):
    settings.STAFF_SECOND_FACTOR = True
    made = played(people[:4], format=SWISS, rounds=2)
    moderator = client_of(mona)
    for path in (manage(made), f"/events/{made.pk}/edit/"):
        assert moderator.get(path).status_code == 302
    answer = moderator.post(f"{manage(made)}extend/", {"extend-days": 3, "extend-reason": "So."})
    assert answer.status_code == 302
    assert not OrganiserAct.objects.exists()
    assert organising.may_moderate(mona)


# --- What the pages show ------------------------------------------------------------------------


def test_a_swiss_tournament_has_a_column_for_each_round(toy, people):
    made = played(people[:4], format=SWISS, rounds=2, tie_breaks=["buchholz", "wins"])
    resign_all(made)
    page = client_of(people[1]).get(f"/events/{made.pk}/").content.decode()
    assert page.count("events-cell") >= 2 * 5
    assert "1 point against" in page
    assert "Buchholz: The points of all your opponents." in page
    assert page.index(">you</span>") < page.index("Round 1 of 2")
    assert 'title="Sonneborn' not in page


def test_a_knock_out_shows_the_rounds_ahead(toy, people):
    made = played(people[:4], format=Tournament.Format.KNOCK_OUT)
    drawn = client_of().get(f"/events/{made.pk}/bracket.svg").content.decode()
    assert "Round 2" in drawn
    assert drawn.count("drawn-frame") == 3
    resign_all(made)
    resign_all(made)
    drawn = client_of().get(f"/events/{made.pk}/bracket.svg").content.decode()
    assert drawn.count("drawn-frame") == 3


def test_the_list_names_winners_and_folds_the_leagues(toy, people):
    made = played(people[:3], most=3, name="Ada’s Cup")
    resign_all(made)
    league = played(people[:3], most=3, name="Bot league", series="league-heap")
    resign_all(league)
    winner = Entry.objects.filter(tournament=made, place=1).first().user
    page = client_of().get("/events/").content.decode()
    assert "won by" in page
    assert winner.shown_name in page
    assert "Bot league" not in page
    assert "1 season of the bots’ leagues is over" in page
    page = client_of().get("/events/?leagues=1").content.decode()
    assert "Bot league" in page
    assert "Ada’s Cup" not in page


def test_second_and_third_have_titles_too(toy, people):
    made = played(people[:4])
    for entry, place in zip(made.entries.all(), (1, 2, 3, 4), strict=True):
        entry.place = place
        entry.word = "best newcomer" if place == 3 else ""
        entry.save()
    Tournament.objects.update(status="finished", ended=timezone.now())
    words = ["Winner of", "Second in", "Third in", "Fourth in"]
    for entry, title in zip(made.entries.order_by("place"), words, strict=True):
        page = client_of().get(f"/players/{entry.user.username}/").content.decode()
        assert (f"{title} <a" in page) == (entry.place < 4)
        assert ("best newcomer" in page) == (entry.place == 3)


def test_mails_name_opponents_winners_and_places(toy, people):
    made = played(people[:3], most=3)
    begun = Notification.objects.get(kind="round-begun", recipient=people[0])
    mail = render(begun)
    for match in Match.objects.filter(players__user=people[0]):
        assert f"/matches/{match.pk}/" in mail.text
        assert f"/matches/{match.pk}/" in mail.html
    assert "Against bruno" in mail.text
    resign_all(made)
    for over in Notification.objects.filter(kind="tournament-over"):
        mail = render(over)
        won = over.payload["text"]["place"] == 1
        assert ("You have won, of 3 players." in mail.text) == won
        assert won or "of 3. The final standings" in mail.text
