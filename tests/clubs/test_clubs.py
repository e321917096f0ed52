"""Clubs: founded, joined, led, left, passed on and closed, and what could go wrong."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress

from accounts import blocks, closing, personal_data
from accounts.models import Notification, User
from accounts.notifications import listed, outdated
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.clubs import candidates, changes, messages, selectors, services
from games.clubs.errors import MayNotJoin, NoSuchClub, NotALeader
from games.clubs.models import Candidate, Club, Exclusion, Membership, Message
from games.clubs.services import Terms
from games.matches.errors import Refused
from games.talk import services as talk
from tests.clubs.clubs import Admission, club, found, join, lead, leaders, names
from tests.fixtures import NOW
from tests.rated import ended_match

__all__ = ["club"]

DAY = timedelta(days=1)
LATER = NOW + 31 * DAY


def told(user, kind):
    return Notification.objects.filter(recipient=user, kind=kind).count()


def mute(user, moderator):
    standing.impose(
        user,
        Sanction.Kind.MUTE,
        reason="A test.",
        moderator=moderator,
        now=NOW - DAY,
        until=LATER,
    )


def play(user, other, count):
    for number in range(count):
        ended_match([user, other], [1, 2], NOW - number * DAY)


# --- Founding -----------------------------------------------------------------------------------


def test_who_has_played_founds_a_club_and_leads_it(people):
    ada, bruno = people[:2]
    play(ada, bruno, services.MIN_MATCHES)
    made = services.found(founder=ada, terms=Terms("  Harbour   Club "), now=NOW)
    assert (made.name, names(made), leaders(made)) == ("Harbour Club", ["ada"], ["ada"])


def test_who_has_played_too_little_founds_none(people):
    play(people[0], people[1], services.MIN_MATCHES - 1)
    with pytest.raises(Refused, match="Play 5 matches"):
        services.found(founder=people[0], terms=Terms("Harbour Club"), now=NOW)
    assert not Club.objects.exists()


def test_matches_without_a_result_do_not_count(people):
    for number in range(services.MIN_MATCHES):
        ended_match(people[:2], [1, 2], NOW - number * DAY, status="cancelled")
    people[0].seats.update(result="")
    with pytest.raises(Refused, match="Play 5 matches"):
        services.found(founder=people[0], terms=Terms("Harbour Club"), now=NOW)


def test_a_fourth_club_is_refused_until_one_is_closed(people):
    ada = people[0]
    play(ada, people[1], services.MIN_MATCHES)
    made = [found(ada, f"Club number {name}") for name in ("one", "two", "three")]
    with pytest.raises(Refused, match="3 clubs"):
        services.found(founder=ada, terms=Terms("A fourth"), now=NOW)
    services.close(club_id=made[0].pk, leader=ada, now=NOW)
    services.found(founder=ada, terms=Terms("A fourth"), now=NOW)


@pytest.mark.parametrize("flag", ["is_guest", "is_bot", "is_program"])
def test_guests_and_bots_take_no_part(people, club, flag):
    clara = people[2]
    setattr(clara, flag, True)
    clara.save()
    with pytest.raises(MayNotJoin):
        services.found(founder=clara, terms=Terms("Another Club"), now=NOW)
    with pytest.raises(MayNotJoin):
        join(club, clara)
    assert names(club) == ["ada", "bruno"]


def test_an_unconfirmed_address_takes_no_part(people, club):
    clara = people[2]
    EmailAddress.objects.create(user=clara, email=clara.email, verified=False)
    with pytest.raises(MayNotJoin, match="Confirm your email"):
        services.found(founder=clara, terms=Terms("Another Club"), now=NOW)
    with pytest.raises(MayNotJoin, match="Confirm your email"):
        join(club, clara)


@pytest.mark.parametrize(
    "name",
    [
        *("Ab", "x" * 41, "Клуб", "- - -", "Turnstone Friends", "The Moderators"),
        *("Support", "Admin’s Club", "Turn-Stóne"),
    ],
)
def test_some_names_are_refused(people, name):
    with pytest.raises(Refused):
        found(people[0], name)
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    "name", ["Harbour-Club", "HARBOUR CLUB", "Harb0ur C1ub", "Hárböur Club", "Harbour Clüb!"]
)
def test_a_name_that_looks_like_another_is_taken(people, club, name):
    with pytest.raises(Refused, match="looks too similar"):
        found(people[1], name)
    other = found(people[1], "Hill Club")
    with pytest.raises(Refused, match="looks too similar"):
        services.edit(club_id=other.pk, leader=people[1], terms=Terms(name), now=NOW)
    other.refresh_from_db()
    assert other.name == "Hill Club"
    services.close(club_id=club.pk, leader=people[0], now=NOW)
    assert found(people[1], name).name == name


@pytest.mark.parametrize("name", ["Club of Ærø", "Zürich & Umgebung", "L’Échiquier", "1. FC Dé!"])
def test_other_latin_names_are_fine(people, name):
    assert found(people[0], name).name == name


def test_a_private_club_is_not_open_to_all(people):
    with pytest.raises(Refused, match="private club"):
        found(people[0], is_private=True)


def test_who_is_muted_founds_and_edits_no_club(people, club):
    ada = people[0]
    mute(ada, people[3])
    with pytest.raises(Refused, match="may not write"):
        found(ada, "Another Club")
    with pytest.raises(Refused, match="may not write"):
        services.edit(club_id=club.pk, leader=ada, terms=Terms("Harbour Club", "Hi."), now=NOW)
    services.edit(club_id=club.pk, leader=ada, terms=Terms("Harbour Club", country="NO"), now=NOW)
    club.refresh_from_db()
    assert (club.about, club.country) == ("", "NO")


def test_members_do_not_edit(people, club):
    for user in people[1:3]:
        with pytest.raises(NotALeader):
            services.edit(club_id=club.pk, leader=user, terms=Terms("Mine now"), now=NOW)


# --- Joining ------------------------------------------------------------------------------------


def test_joining_twice_is_joining_once(people, club):
    join(club, people[2], people[2])
    assert names(club) == ["ada", "bruno", "clara"]


def test_a_club_on_request_is_asked(people):
    ada, bruno, clara = people[:3]
    asked = found(ada, admission=Admission.REQUEST)
    for _ in range(2):
        made = candidates.join(club_id=asked.pk, user=bruno, now=NOW, text="May I?")
    assert (made.text, names(asked)) == ("May I?", ["ada"])
    assert told(ada, "club-asked") == 1
    with pytest.raises(NotALeader):
        candidates.answer(club_id=asked.pk, leader=clara, user=bruno, accepts=True, now=NOW)
    candidates.answer(club_id=asked.pk, leader=ada, user=bruno, accepts=True, now=NOW)
    assert names(asked) == ["ada", "bruno"]
    assert told(bruno, "club-answered") == 1
    with pytest.raises(Refused, match="answered already"):
        candidates.answer(club_id=asked.pk, leader=ada, user=bruno, accepts=True, now=NOW)


def test_who_was_declined_asks_again_after_a_month(people):
    ada, bruno = people[:2]
    asked = found(ada, admission=Admission.REQUEST)
    join(asked, bruno)
    candidates.answer(club_id=asked.pk, leader=ada, user=bruno, accepts=False, now=NOW)
    with pytest.raises(MayNotJoin, match="declined"):
        join(asked, bruno)
    join(asked, bruno, now=LATER)
    assert candidates.pending(LATER).count() == 1


def test_a_request_lasts_for_a_month(people):
    asked = found(people[0], admission=Admission.REQUEST)
    join(asked, people[1])
    assert not candidates.pending(LATER).exists()
    with pytest.raises(Refused, match="answered already"):
        candidates.answer(
            club_id=asked.pk, leader=people[0], user=people[1], accepts=True, now=LATER
        )


def test_a_request_is_withdrawn(people):
    asked = found(people[0], admission=Admission.REQUEST)
    join(asked, people[1])
    assert "club:" in listed(people[0]).get().page_key
    candidates.decline(club_id=asked.pk, user=people[1], now=NOW)
    assert not listed(people[0]).exists()
    with pytest.raises(Refused):
        candidates.decline(club_id=asked.pk, user=people[1], now=NOW)
    join(asked, people[1])


def test_requests_of_one_user_are_bounded(people, monkeypatch):
    monkeypatch.setattr(candidates, "MAX_REQUESTS", 2)
    clubs = [
        found(people[0], f"Club of {name}", admission=Admission.REQUEST)
        for name in ("Oslo", "Bergen", "Voss")
    ]
    join(clubs[0], people[1])
    join(clubs[1], people[1])
    with pytest.raises(MayNotJoin, match="2 clubs"):
        join(clubs[2], people[1])


def test_who_is_muted_asks_without_words(people):
    asked = found(people[0], admission=Admission.REQUEST)
    mute(people[1], people[3])
    with pytest.raises(Refused, match="may not write"):
        candidates.join(club_id=asked.pk, user=people[1], now=NOW, text="Buy this")
    assert not Candidate.objects.exists()
    join(asked, people[1])


def test_an_invitation_is_accepted_or_declined(people):
    ada, bruno, clara = people[:3]
    by_invitation = found(ada, admission=Admission.INVITATION)
    with pytest.raises(MayNotJoin, match="by invitation only"):
        join(by_invitation, bruno)
    for user in (bruno, clara):
        for _ in range(2):
            candidates.invite(club_id=by_invitation.pk, leader=ada, user=user, now=NOW)
        assert told(user, "club-invited") == 1
    join(by_invitation, bruno)
    candidates.decline(club_id=by_invitation.pk, user=clara, now=NOW)
    assert names(by_invitation) == ["ada", "bruno"]
    with pytest.raises(MayNotJoin):
        join(by_invitation, clara)
    with pytest.raises(Refused, match="has declined"):
        candidates.invite(club_id=by_invitation.pk, leader=ada, user=clara, now=NOW)
    candidates.invite(club_id=by_invitation.pk, leader=ada, user=clara, now=LATER)


def test_an_invitation_that_was_withdrawn_is_not_accepted(people):
    ada, bruno = people[:2]
    by_invitation = found(ada, admission=Admission.INVITATION)
    candidates.invite(club_id=by_invitation.pk, leader=ada, user=bruno, now=NOW)
    candidates.withdraw(club_id=by_invitation.pk, leader=ada, user=bruno, now=NOW)
    assert not listed(bruno).exists()
    with pytest.raises(MayNotJoin):
        join(by_invitation, bruno)


def test_who_asks_and_is_invited_is_a_member(people):
    asked = found(people[0], admission=Admission.REQUEST)
    join(asked, people[1])
    candidates.invite(club_id=asked.pk, leader=people[0], user=people[1], now=NOW)
    assert names(asked) == ["ada", "bruno"]


def test_invitations_of_a_club_are_bounded_even_if_they_are_declined(people, club, monkeypatch):
    ada, clara, daniel = people[0], *people[2:]
    monkeypatch.setattr(candidates, "MAX_INVITATIONS", 1)
    candidates.invite(club_id=club.pk, leader=ada, user=clara, now=NOW)
    candidates.decline(club_id=club.pk, user=clara, now=NOW)
    with pytest.raises(Refused, match="declined or wait"):
        candidates.invite(club_id=club.pk, leader=ada, user=daniel, now=NOW)
    assert told(daniel, "club-invited") == 0
    candidates.invite(club_id=club.pk, leader=ada, user=daniel, now=LATER)


def test_nobody_is_invited_who_has_blocked_a_leader(people, club):
    ada, clara = people[0], people[2]
    blocks.block(user=clara, other=ada, now=NOW)
    with pytest.raises(Refused, match="can’t be invited"):
        candidates.invite(club_id=club.pk, leader=ada, user=clara, now=NOW)
    with pytest.raises(Refused, match="no player"):
        candidates.invite(club_id=club.pk, leader=ada, user=None, now=NOW)
    with pytest.raises(Refused, match="a member already"):
        candidates.invite(club_id=club.pk, leader=ada, user=people[1], now=NOW)


def test_whom_a_leader_has_blocked_does_not_come_in(people, club):
    blocks.block(user=people[0], other=people[2], now=NOW)
    with pytest.raises(MayNotJoin, match="can’t join this club"):
        join(club, people[2])


def test_memberships_are_bounded(people, club, monkeypatch):
    monkeypatch.setattr(changes, "MAX_MEMBERSHIPS", 1)
    join(found(people[3], "Hill Club"), people[2])
    with pytest.raises(MayNotJoin, match="1 clubs already"):
        join(club, people[2])
    monkeypatch.setattr(changes, "MAX_MEMBERS", 2)
    with pytest.raises(MayNotJoin, match="full"):
        join(club, User.objects.create(username="emil", email="emil@example.org"))


# --- Leading ------------------------------------------------------------------------------------


def test_leaders_appoint_leaders(people, club):
    ada, bruno, clara = people[:3]
    with pytest.raises(NotALeader):
        lead(club, bruno, bruno)
    with pytest.raises(Refused, match="not a member"):
        lead(club, ada, clara)
    for _ in range(2):
        lead(club, ada, bruno)
    assert leaders(club) == ["ada", "bruno"]
    assert told(bruno, "club-leader") == 1


def test_who_leads_for_longer_dismisses(people, club):
    ada, bruno = people[:2]
    lead(club, ada, bruno, now=NOW + DAY)
    with pytest.raises(NotALeader, match="led longer"):
        services.dismiss(club_id=club.pk, leader=bruno, user=ada, now=NOW)
    services.dismiss(club_id=club.pk, leader=ada, user=bruno, now=NOW)
    assert leaders(club) == ["ada"]
    with pytest.raises(Refused, match="last leader"):
        services.dismiss(club_id=club.pk, leader=ada, user=ada, now=NOW)
    lead(club, ada, bruno)
    services.dismiss(club_id=club.pk, leader=ada, user=ada, now=NOW)
    assert leaders(club) == ["bruno"]


def test_the_last_leader_stays(people, club):
    ada, bruno = people[:2]
    with pytest.raises(Refused, match="last leader"):
        services.leave(club_id=club.pk, user=ada)
    lead(club, ada, bruno)
    for _ in range(2):
        services.leave(club_id=club.pk, user=ada)
    assert (names(club), leaders(club)) == (["bruno"], ["bruno"])


def test_who_is_removed_does_not_come_straight_back(people, club):
    ada, bruno = people[:2]
    with pytest.raises(Refused, match="Say why"):
        services.remove(club_id=club.pk, leader=ada, user=bruno, reason=" ", now=NOW)
    services.remove(club_id=club.pk, leader=ada, user=bruno, reason="Too loud.", now=NOW)
    assert names(club) == ["ada"]
    assert told(bruno, "club-removed") == 1
    with pytest.raises(MayNotJoin, match="You can come back after 31 May 2026"):
        join(club, bruno)
    with pytest.raises(Refused, match="not a member"):
        services.remove(club_id=club.pk, leader=ada, user=bruno, reason="Again.", now=NOW)
    join(club, bruno, now=LATER)
    assert names(club) == ["ada", "bruno"]


def test_who_is_removed_for_good_comes_back_by_invitation_or_when_let(people, club):
    ada, bruno = people[:2]
    how = {"club_id": club.pk, "leader": ada, "user": bruno}
    for come_back in (
        lambda: candidates.invite(**how, now=LATER),
        lambda: candidates.readmit(**how, now=NOW),
    ):
        services.remove(**how, reason="Spam.", for_good=True, now=NOW)
        with pytest.raises(MayNotJoin, match="for good"):
            join(club, bruno, now=LATER)
        come_back()
        join(club, bruno, now=LATER)
        assert names(club) == ["ada", "bruno"]
        assert not Exclusion.objects.exists()
    with pytest.raises(Refused, match="can come back already"):
        candidates.readmit(**how, now=NOW)


def test_leaders_are_not_removed_and_members_remove_nobody(people, club):
    ada, bruno, clara = people[:3]
    join(club, clara)
    with pytest.raises(NotALeader):
        services.remove(club_id=club.pk, leader=clara, user=bruno, reason="No.", now=NOW)
    lead(club, ada, bruno)
    with pytest.raises(Refused, match="Dismiss them"):
        services.remove(club_id=club.pk, leader=ada, user=bruno, reason="No.", now=NOW)
    assert names(club) == ["ada", "bruno", "clara"]


def test_a_closed_club_takes_nothing_any_more(people, club):
    ada, bruno, clara = people[:3]
    candidates.invite(club_id=club.pk, leader=ada, user=clara, now=NOW)
    services.close(club_id=club.pk, leader=ada, now=NOW)
    assert (told(bruno, "club-closed"), told(ada, "club-closed")) == (1, 0)
    assert not listed(clara).exists()
    for refused in (
        lambda: join(club, clara),
        lambda: services.leave(club_id=club.pk, user=bruno),
        lambda: services.close(club_id=club.pk, leader=ada, now=NOW),
        lambda: candidates.invite(club_id=club.pk, leader=ada, user=clara, now=NOW),
        lambda: messages.write(club_id=club.pk, leader=ada, text="Hello.", now=NOW),
    ):
        with pytest.raises(Refused, match="closed"):
            refused()
    assert not selectors.listed().items


def test_an_unknown_club_is_refused(people):
    with pytest.raises(NoSuchClub):
        services.leave(club_id=1, user=people[0])


# --- Messages -----------------------------------------------------------------------------------


def test_a_leader_writes_to_all_once_a_week(people, club):
    ada, bruno = people[:2]
    with pytest.raises(NotALeader):
        messages.write(club_id=club.pk, leader=bruno, text="Hello.", now=NOW)
    messages.write(club_id=club.pk, leader=ada, text="Hello.", now=NOW)
    lead(club, ada, bruno)
    with pytest.raises(Refused, match="once a week"):
        messages.write(club_id=club.pk, leader=bruno, text="Me, too.", now=NOW + 6 * DAY)
    for _ in range(2):
        messages.spread(now=NOW)
    assert (told(bruno, "club-message"), told(ada, "club-message")) == (1, 0)
    messages.write(club_id=club.pk, leader=bruno, text="Me, too.", now=NOW + 7 * DAY)


def test_a_message_is_spread_in_batches(people, club, monkeypatch):
    monkeypatch.setattr(messages, "BATCH", 2)
    join(club, *people[2:])
    messages.write(club_id=club.pk, leader=people[0], text="Hello.", now=NOW)
    messages.spread(now=NOW)
    assert [told(user, "club-message") for user in people] == [0, 1, 1, 1]
    assert Message.objects.get().sent == NOW


def test_a_message_does_not_reach_those_who_left_or_do_not_listen(people, club):
    ada, bruno, clara, daniel = people
    join(club, clara, daniel)
    messages.write(club_id=club.pk, leader=ada, text="Hello.", now=NOW)
    services.leave(club_id=club.pk, user=bruno)
    talk.mute(user=clara, other=ada, now=NOW)
    messages.spread(now=NOW)
    assert [told(user, "club-message") for user in people] == [0, 0, 0, 1]
    services.leave(club_id=club.pk, user=daniel)
    assert not listed(daniel).filter(kind="club-message").exists()
    rows = list(Notification.objects.filter(recipient=daniel, kind="club-message"))
    assert list(outdated(daniel, rows, ()).values()) == [Notification.MailState.OVER]


def test_a_message_of_a_muted_leader_is_not_sent(people, club):
    ada = people[0]
    messages.write(club_id=club.pk, leader=ada, text="Hello.", now=NOW)
    mute(ada, people[3])
    messages.spread(now=NOW)
    assert not Message.objects.exists()
    assert told(people[1], "club-message") == 0
    with pytest.raises(Refused, match="may not write"):
        messages.write(club_id=club.pk, leader=ada, text="Hello.", now=NOW)


@pytest.mark.parametrize("text", ["", " \u200b ", "x" * 2001])
def test_an_empty_or_long_message_is_refused(people, club, text):
    with pytest.raises(Refused):
        messages.write(club_id=club.pk, leader=people[0], text=text, now=NOW)


# --- Accounts that go ---------------------------------------------------------------------------


def delete_data(user):
    for part in personal_data.parts():
        part.delete(user, NOW)


def test_a_club_passes_on_to_who_has_been_in_it_for_longest(people, club):
    ada, bruno, clara = people[:3]
    join(club, clara, now=NOW + DAY)
    delete_data(ada)
    assert (names(club), leaders(club)) == (["bruno", "clara"], ["bruno"])
    assert told(bruno, "club-leader") == 1
    club.refresh_from_db()
    assert club.founder is None
    delete_data(bruno)
    delete_data(clara)
    assert names(club) == []
    assert not club.is_open


def test_what_a_user_wrote_goes_with_the_account(people):
    ada, bruno = people[:2]
    asked = found(ada, admission=Admission.REQUEST, about="By Ada.")
    candidates.join(club_id=asked.pk, user=bruno, now=NOW, text="By Bruno.")
    messages.write(club_id=asked.pk, leader=ada, text="To all.", now=NOW)
    delete_data(bruno)
    assert not Candidate.objects.exists()
    delete_data(ada)
    asked.refresh_from_db()
    assert (asked.about, asked.founder) == ("", None)
    assert not Message.objects.exists()
    delete_data(ada)  # running twice does no harm


def test_everything_is_in_the_export(people, club):
    ada, bruno, clara = people[:3]
    candidates.invite(club_id=club.pk, leader=ada, user=clara, now=NOW)
    messages.write(club_id=club.pk, leader=ada, text="To all.", now=NOW)
    services.remove(club_id=club.pk, leader=ada, user=bruno, reason="Loud.", now=NOW)
    own = personal_data.export(ada)["clubs"]
    assert [row["name"] for row in own["memberships"]] == ["Harbour Club"]
    assert [row["text"] for row in own["messages"]] == ["To all."]
    assert [row["id"] for row in own["founded"]] == [club.pk]
    assert [row["reason"] for row in personal_data.export(bruno)["clubs"]["removed_from"]] == [
        "Loud."
    ]
    invited = personal_data.export(clara)["clubs"]["requests_and_invitations"]
    assert [row["kind"] for row in invited] == ["invitation"]


def test_a_closed_account_leaves_its_clubs(people, club, chief):
    closing.close(people[0], by=chief, reason="Hijacked.", now=NOW)
    assert (names(club), leaders(club)) == (["bruno"], ["bruno"])
    assert Membership.objects.count() == 1
