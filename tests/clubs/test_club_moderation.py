"""Reports of clubs, and what moderators do about them."""

import pytest
from django.test import Client

from accounts.personal_data import export
from accounts.sanctions.models import Sanction
from games.clubs import candidates, messages, services
from games.clubs.acts import sentence
from games.clubs.models import Club, LeaderAct, Message
from games.clubs.selectors import leader_acts
from games.events import organising
from games.events.models import OrganiserAct
from games.ladders import services as ladders
from games.moderation import actions, subjects
from games.moderation.errors import ModerationRefused, NoSuchSubject
from games.moderation.models import Case, ModeratorAction
from tests.clubs.clubs import Admission, club, found, join, lead, leaders, names
from tests.events.test_tournaments_api import announced
from tests.fixtures import NOW
from tests.moderation import reported, told
from tests.people import sign_in_staff

__all__ = ["club"]


@pytest.fixture
def of_club(people, club):
    """Clara reports the club of Ada."""
    how = {"name": "club", "subject_id": club.pk}
    return reported(0, people[2], people[0], Case.Kind.SPAM, **how).case


def test_a_club_is_reported_with_its_text(people, club):
    Club.objects.update(about="Buy this.")
    page = f"/report/club/{club.pk}/"
    client = Client()
    client.force_login(people[2])
    assert "Buy this." in client.get(page).content.decode()
    sent = {"suspect": people[0].pk, "kind": "spam", "text": ""}
    assert client.post(page, sent)["Location"] == f"/clubs/{club.pk}/"
    assert Case.objects.get().suspect == people[0]


def test_a_report_of_a_private_club_quotes_its_name_alone(people):
    ada, bruno = people[:2]
    made = found(ada, about="Secret.", admission=Admission.REQUEST, is_private=True)
    assert subjects.find("club", made.pk, bruno).quote == "Harbour Club"
    assert subjects.find("club", made.pk, ada).quote == "Harbour Club\nSecret."


def test_only_members_report_a_message(people, club):
    sent = messages.write(club_id=club.pk, leader=people[0], text="Buy this.", now=NOW)
    assert subjects.find("club-message", sent.pk, people[1]).quote == "Buy this."
    with pytest.raises(NoSuchSubject):
        subjects.find("club-message", sent.pk, people[2])
    with pytest.raises(NoSuchSubject):
        subjects.find("club-message", 0, people[1])


def test_a_moderator_closes_a_club(people, club, of_club, moderator):
    how = {"moderator": moderator, "reason": "Advertising.", "now": NOW}
    actions.close_club(of_club, club.pk, **how)
    club.refresh_from_db()
    assert not club.is_open
    assert told(people[0]) == ["Harbour Club is closed"]
    assert people[1].notifications.filter(kind="club-closed").exists()
    row = ModeratorAction.objects.get()
    assert (row.action, row.details) == ("close-club", f"club {club.pk}")
    with pytest.raises(ModerationRefused):
        actions.close_club(of_club, club.pk, **how)


def test_a_moderator_erases_the_texts_of_a_club(people, club, of_club, moderator):
    Club.objects.update(about="Buy this.")
    messages.write(club_id=club.pk, leader=people[0], text="Buy this.", now=NOW)
    candidates.invite(club_id=club.pk, leader=people[0], user=people[2], now=NOW)
    how = {"moderator": moderator, "reason": "Advertising.", "now": NOW}
    actions.clear_club(of_club, club.pk, **how)
    club.refresh_from_db()
    assert (club.name, club.about, club.is_open) == (f"Club {club.pk}", "", True)
    assert not Message.objects.exists()


def test_a_case_touches_no_club_of_others(people, of_club, moderator):
    other = found(people[3], "Hill Club")
    how = {"moderator": moderator, "reason": "A slip.", "now": NOW}
    for act in (actions.close_club, actions.clear_club):
        with pytest.raises(ModerationRefused, match="neither leads nor founded"):
            act(of_club, other.pk, **how)
    assert not ModeratorAction.objects.exists()


def test_the_desk_lists_the_clubs_and_closes_one(client, club, of_club, moderator):
    sign_in_staff(client, moderator)
    assert f"club {club.pk}," in client.get(f"/desk/cases/{of_club.pk}/").content.decode()
    sent = {"action": "close-club", "club": club.pk, "reason": "Advertising."}
    client.post(f"/desk/cases/{of_club.pk}/act/", sent)
    club.refresh_from_db()
    assert not club.is_open


def test_who_is_banned_leaves_all_clubs(people, club, of_club, moderator):
    join(club, people[2])
    actions.sanction(of_club, Sanction.Kind.BAN, moderator=moderator, reason="Spam.", now=NOW)
    assert (names(club), leaders(club)) == (["bruno", "clara"], ["bruno"])


def test_the_desk_lists_what_leaders_and_organisers_did(client, toy, people, club, moderator):
    ada, bruno = people[:2]
    services.remove(club_id=club.pk, leader=ada, user=bruno, reason="Too loud.", now=NOW)
    sign_in_staff(client, moderator)
    page = client.get("/desk/acts/?by=leaders").content.decode()
    assert "Too loud." in page
    assert "Harbour Club" in page
    event = announced(ada)
    organising.act(
        tournament_id=event.pk, user=ada, kind=OrganiserAct.Kind.LINK, reason="For all.", now=NOW
    )
    page = client.get("/desk/acts/").content.decode()
    assert "For all." in page
    assert "Too loud." not in page


def test_each_act_of_a_leader_is_logged_once(people, club):
    ada, bruno = people[:2]
    how = {"club_id": club.pk, "leader": ada, "now": NOW}
    services.edit(terms=services.Terms("Harbour Club", about="New."), **how)
    for _ in range(2):
        services.appoint(user=bruno, **how)
    services.dismiss(user=bruno, **how)
    services.remove(user=bruno, reason="A test.", **how)
    candidates.readmit(user=bruno, **how)
    messages.write(text="Hello.", **how)
    for change in (ladders.found, ladders.close):
        for _ in range(2):
            change(title="die", **how)
    services.close(**how)
    assert said() == [
        "ada edited the club",
        "ada made bruno a leader",
        "ada dismissed bruno as a leader",
        "ada removed bruno",
        "ada allowed bruno to come back",
        "ada wrote to all members",
        "ada opened a ladder of DIE",
        "ada closed the ladder of DIE",
        "ada closed the club",
    ]
    assert len(export(ada)["clubs"]["acts_as_leader"]) == 9


def said():
    """What leaders did, in words, the first act first."""
    rows = leader_acts().order_by("pk")
    return [
        sentence(one, who=one.actor.username, name=one.about.username if one.about else "", club="")
        for one in rows
    ]


def test_who_stops_leading_dismisses_nobody(people, club):
    lead(club, people[0], people[1])
    services.dismiss(club_id=club.pk, leader=people[1], user=people[1], now=NOW)
    assert said() == ["ada made bruno a leader", "bruno stopped leading the club"]


def test_only_leaders_read_what_they_did(client, people, club):
    lead(club, people[0], people[1])
    LeaderAct.objects.update(actor=None)
    client.force_login(people[1])
    assert "A former member made" in client.get(f"/clubs/{club.pk}/lead/").content.decode()
    client.force_login(people[2])
    assert client.get(f"/clubs/{club.pk}/lead/").status_code == 403
