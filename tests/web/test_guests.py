"""Guests: how one is made, what one may do, and what becomes of what was played."""

from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.test import Client
from django.utils import timezone

from accounts import guests, signup
from accounts.models import Notification, User
from accounts.notifications import notify
from games.bots.services import MAX_RUNNING_OF_A_GUEST
from games.kernel import registry
from games.lobby import services as lobby
from games.lobby.models import Challenge, Invitation
from games.matches import services
from games.matches.errors import Refused
from games.matches.models import Match, Player
from tests.people import PASSWORD, confirmed, path_in, sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]
PLAY = "/games/heap/bots/casual/"


@pytest.fixture(autouse=True)
def _bots_wait(monkeypatch):
    """Bots take their seats and do not move."""
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)


def guest_of(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


@pytest.fixture
def guest(client):
    """Somebody who has begun to play without an account."""
    client.post(PLAY)
    return guest_of(client)


@pytest.fixture
def ada():
    return confirmed("ada")


def challenge(creator, audience, **more):
    wanted = {"title": "heap", "params": {}, "clock": None, "seats": 2, **more}
    return lobby.challenge(creator=creator, audience=audience, now=timezone.now(), **wanted)


def by_link(creator, **more):
    return challenge(creator, Challenge.Audience.LINK, **more)


def accept(client, made):
    return client.post(f"/challenges/{made.pk}/accept/", {"token": made.token})


def join(client, **changes):
    fields = {"username": "greta", "email": "greta@example.org", "password1": PASSWORD}
    return client.post("/account/signup/", {**fields, **changes})


def sign_in(client, **more):
    return client.post("/account/login/", {"login": "ada", "password": PASSWORD, **more})


# --- How one is made ----------------------------------------------------------------------------


def test_one_press_makes_a_guest_who_is_to_move(client):
    answer = client.post(PLAY, {"time_zone": "Europe/Berlin"})
    match = Match.objects.get()
    assert answer.url == f"/matches/{match.pk}/"
    guest = guest_of(client)
    assert guest.is_guest
    assert guest.username.startswith("guest-")
    assert guest.time_zone == "Europe/Berlin"
    assert not guest.has_usable_password()
    assert not guest.emailaddress_set.exists()
    assert match.players.get(to_move=True).user == guest
    assert client.session.get_expiry_age() > timedelta(days=29).total_seconds()
    page = client.get(answer.url).content.decode()
    assert "Your turn" in page


def test_looking_makes_nobody(client):
    for path in ("/", "/play/", "/games/heap/", "/games/heap/bots/", PLAY, "/account/signup/"):
        client.get(path)
        client.head(path)
    client.post("/games/heap/bots/", {"level": "godlike"})
    assert not User.objects.filter(is_bot=False).exists()


def test_a_guest_stays_the_same_from_one_match_to_the_next(client, guest):
    client.post(PLAY)
    assert guest_of(client) == guest
    assert guest.seats.count() == 2


def test_guests_of_one_address_are_bounded(settings):
    assert settings.FORM_LIMITS["guest"]["account"]
    # A day, so that the window doesn't end during the test.
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "guest": {"account": ["3/d"]}}
    answers = [Client().post(PLAY).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]
    assert User.objects.filter(is_guest=True).count() == 3


def test_a_guest_has_a_handful_of_matches_with_bots(client, guest):
    said = 'id="play-full"'
    assert said not in client.get("/play/").content.decode()
    for _ in range(MAX_RUNNING_OF_A_GUEST + 2):
        page = client.post(PLAY, follow=True).content.decode()
    assert guest.seats.count() == MAX_RUNNING_OF_A_GUEST
    assert said in page
    assert page.count("matches against bots running") == 1
    assert 'href="/account/signup/?next=/play/"' in page
    assert all(f'href="/matches/{seat.match_id}/"' in page for seat in guest.seats.all())
    assert "btn-large" not in page


def test_the_form_of_a_game_says_once_that_a_guest_has_too_many_matches(client, guest):
    for _ in range(MAX_RUNNING_OF_A_GUEST):
        client.post(PLAY)
    page = client.post("/games/heap/bots/", {"level": "casual"}).content.decode()
    assert page.count("matches against bots running") == 1


def test_a_guest_can_try_every_game(settings):
    assert len(registry.titles()) < MAX_RUNNING_OF_A_GUEST


def test_no_two_guests_have_one_name(monkeypatch):
    monkeypatch.setattr("secrets.randbelow", lambda _: 0)
    names = [guests._make(timezone.now()).username for _ in range(4)]
    assert names == ["guest-1000", "guest-10000", "guest-100000", "guest-1000000"]


@pytest.mark.parametrize("name", ["guest", "Guest-12", "guest_4821", "GUEST4821", "guestlO"])
def test_nobody_registers_as_a_guest(client, name):
    assert "reserved for the site" in join(client, username=name).content.decode()
    assert not User.objects.exists()


# --- What one may not do ------------------------------------------------------------------------


def test_guests_are_not_to_be_found(client, guest, ada):
    other = Client()
    other.force_login(ada)
    assert User.objects.named(guest.username) is None
    assert other.get(f"/players/{guest.username}/").status_code == 404
    assert other.get(f"/archive/?player={guest.username}").status_code == 200
    page = other.get(f"/matches/{guest.seats.get().match_id}/").content.decode()
    assert guest.username in page
    assert f"/players/{guest.username}/" not in page


@pytest.mark.parametrize("audience", ["open", "link", "named"])
def test_guests_challenge_nobody(client, guest, ada, audience):
    invited = [ada] if audience == "named" else []
    with pytest.raises(Refused, match="Join"):
        challenge(guest, Challenge.Audience(audience), invited=invited)


def test_a_guest_is_asked_to_join_before_posting(client, guest):
    page = client.get("/games/heap/challenge/").content.decode()
    assert "Join to post challenges" in page
    assert "Send the challenge" not in page


def test_nobody_challenges_a_guest_by_name(client, guest, ada):
    with pytest.raises(Refused):
        challenge(ada, Challenge.Audience.NAMED, invited=[guest])
    client.force_login(ada)
    form = {"audience": "named", "players": guest.username}
    page = client.post("/games/heap/challenge/", form).content.decode()
    assert "There is no player called" in page


def test_guests_leave_open_challenges_to_members(client, guest, ada):
    made = challenge(ada, Challenge.Audience.OPEN)
    assert "Join to accept" in client.get(f"/challenges/{made.pk}/").content.decode()
    answer = client.post(f"/challenges/{made.pk}/accept/", follow=True)
    assert "Join to accept open challenges" in answer.content.decode()
    assert not Player.objects.filter(match__challenge=made).exists()


def test_visitors_who_take_an_open_challenge_are_asked_who_they_are(client, ada):
    made = challenge(ada, Challenge.Audience.OPEN)
    assert "/login/" in client.post(f"/challenges/{made.pk}/accept/").url
    assert "/login/" in client.post("/challenges/4711/accept/", {"token": "x"}).url
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize(
    "path",
    [
        *("/account/profile/", "/account/email/", "/account/password/change/"),
        *("/account/password/set/", "/account/reauthenticate/"),
    ],
)
def test_pages_of_an_account_ask_guests_to_join(client, guest, path):
    assert client.get(path).url == "/account/signup/"
    assert client.post(path, {"email": "x@example.org"}).url == "/account/signup/"
    assert not guest.emailaddress_set.exists()


@pytest.mark.parametrize("path", ["/", "/home/", "/account/preferences/", "/account/notices/"])
def test_pages_that_guests_have(client, guest, path):
    assert client.get(path).status_code == 200


def test_a_guest_chooses_how_the_site_looks_and_nothing_about_mail(client, guest):
    assert "mail_on" not in client.get("/account/preferences/").content.decode()
    client.post("/account/preferences/", {"time_zone": "Asia/Tokyo", "theme": "dark"})
    guest.refresh_from_db()
    assert (guest.theme, guest.time_zone, guest.mail_off) == ("dark", "Asia/Tokyo", [])


def test_guests_get_no_mail(client, guest):
    notify(recipient=guest, kind="your-turn", payload={}, now=timezone.now())
    assert sent() == []
    client.post("/account/password/reset/", {"email": "guest@example.org"})
    assert all("guest" in message.to[0] for message in sent())


# --- By link ------------------------------------------------------------------------------------


def test_who_has_the_link_plays_without_an_account(client, ada):
    made = by_link(ada, seating=Challenge.Seating.LAST)
    page = client.get(f"/challenges/{made.pk}/{made.token}/").content.decode()
    assert "You play as a guest" in page
    match = accept(client, made).url
    guest = guest_of(client)
    assert guest.is_guest
    page = client.get(match).content.decode()
    assert "Your turn" in page
    assert 'name="begin"' not in page, "asked for an address after the first move"
    client.post(f"{match}moves/", {"version": 0, "submission": str(uuid4()), "word": "1"})
    page = client.get(match).content.decode()
    assert 'name="begin"' in page


def test_the_address_that_a_guest_gives_is_in_the_form_of_joining(client, guest):
    answer = client.post("/account/signup/", {"begin": "1", "email": "greta@example.org"})
    page = answer.content.decode()
    assert 'value="greta@example.org"' in page
    assert "This field is required" not in page
    assert not guest.emailaddress_set.exists()


@pytest.mark.parametrize("token", ["", "x" * 43, "a/b", "\0"])
def test_without_the_token_nobody_becomes_a_guest(client, ada, token):
    made = by_link(ada)
    answer = client.post(f"/challenges/{made.pk}/accept/", {"token": token})
    assert "/login/" in answer.url
    assert not User.objects.filter(is_guest=True).exists()


def test_a_link_that_is_closed_makes_no_guest(client, ada):
    made = by_link(ada)
    lobby.withdraw(challenge_id=made.pk, user=ada, now=timezone.now())
    accept(client, made)
    assert not User.objects.filter(is_guest=True).exists()


def test_the_maker_is_known_in_their_own_browser(client, ada):
    sign_in(client)
    made = by_link(ada)
    client.post("/account/logout/")
    path = f"/challenges/{made.pk}/{made.token}/"
    assert "who made this challenge" in client.get(path).content.decode()
    assert "who made this challenge" not in Client().get(path).content.decode()


def test_people_who_have_played_have_a_rematch(client, ada):
    match = match_by_link(client, ada)
    guest = guest_of(client)
    services.resign(match_id=match.pk, user=ada, version=0, submission=uuid4(), now=timezone.now())
    match.refresh_from_db()
    made = lobby.rematch(match=match, user=guest, now=timezone.now())
    again = lobby.rematch(match=match, user=ada, now=timezone.now())
    assert again.pk == made.pk
    assert again.match_id


def match_by_link(client, creator):
    made = by_link(creator, seating=Challenge.Seating.LAST)
    accept(client, made)
    made.refresh_from_db()
    return made.match


# --- Joining ------------------------------------------------------------------------------------


def test_who_joins_keeps_everything(client, guest):
    client.post("/account/preferences/", {"time_zone": "Asia/Tokyo", "theme": "dark"})
    old = client.session.session_key
    match = guest.seats.get().match_id
    page = client.get("/account/signup/").content.decode()
    assert "You keep what you have played" in page
    assert "If somebody else played on this device" in page
    assert join(client).url == "/home/"
    member = guest_of(client)
    assert member.pk == guest.pk
    assert (member.username, member.is_guest, member.theme) == ("greta", False, "dark")
    assert member.time_zone == "Asia/Tokyo"
    assert member.seats.get().match_id == match
    assert client.session.session_key != old
    (message,) = sent()
    client.post(path_in(message, "confirm-email"))
    assert member.emailaddress_set.get().verified
    assert guest_of(client) == member


def test_who_has_joined_is_told_to_open_the_mail_where_the_others_move(client, ada):
    match = match_by_link(client, ada)
    services.play_move(
        match_id=match.pk,
        user=guest_of(client),
        texts=["1"],
        version=0,
        submission=uuid4(),
        now=timezone.now(),
    )
    join(client)
    (message,) = sent()
    hint = "Open the link in the email we sent you"
    assert hint in client.get(f"/matches/{match.pk}/").content.decode()
    client.post(path_in(message, "confirm-email"))
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert hint not in page
    assert "We’ll notify you when it’s your turn." in page


def test_the_old_session_of_who_joined_is_worth_nothing(client, guest):
    thief = Client()
    thief.cookies = client.cookies.copy()
    join(client)
    assert thief.get("/home/").status_code == 302


@pytest.mark.parametrize("path", ["/account/signup/", "/account/login/"])
def test_a_guest_who_joins_keeps_the_head_of_the_page(client, guest, path):
    for answer in client.get(path), client.post(path, {"username": "ada"}):
        head = answer.content.decode().partition("</header>")[0]
        assert f'<span class="site-me-name">{guest.username}</span>' in head
        assert "data-waiting" in head


def test_a_form_with_errors_leaves_the_guest_a_guest(client, guest):
    assert join(client, password1="short").status_code == 200
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest_of(client) == guest


def test_who_signs_in_brings_the_matches_along(client, guest, ada):
    match = guest.seats.get().match_id
    client.post("/account/preferences/", {"time_zone": "UTC", "theme": "dark"})
    assert "Bring along" in client.get("/account/login/").content.decode()
    sign_in(client, bring="on")
    assert guest_of(client) == ada
    ada.refresh_from_db()
    assert ada.seats.get().match_id == match
    assert ada.theme == "dark"
    assert not User.objects.filter(pk=guest.pk).exists()
    assert client.get(f"/matches/{match}/").context["page"].view.own.user_id == ada.pk


def test_a_second_factor_is_asked_for_between(client, guest, ada):
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(ada, secret)
    (counter,) = totp.yield_hotp_counters_from_time()
    code = totp.format_hotp_value(totp.hotp_value(secret, counter))
    assert sign_in(client, bring="on").url == "/account/2fa/authenticate/"
    assert guest_of(client) == guest, "until the code is right"
    assert client.get("/account/2fa/authenticate/").status_code == 200
    client.post("/account/2fa/authenticate/", {"code": code})
    assert guest_of(client) == ada
    assert ada.seats.exists()


def test_settings_of_an_account_stay(client, guest, ada):
    User.objects.filter(pk=ada.pk).update(theme="light")
    User.objects.filter(pk=guest.pk).update(theme="dark")
    sign_in(client, bring="on")
    ada.refresh_from_db()
    assert ada.theme == "light"


def test_on_a_shared_computer_the_guest_was_somebody_else(client, guest, ada):
    sign_in(client)
    assert guest_of(client) == ada
    assert not ada.seats.exists()
    assert not User.objects.filter(pk=guest.pk).exists()
    assert not Match.objects.exists()


def test_a_wrong_password_changes_nothing(client, guest, ada):
    client.post("/account/login/", {"login": "ada", "password": "wrong", "bring": "on"})
    assert guest_of(client) == guest
    assert guest.seats.exists()


def test_the_maker_of_a_link_who_opened_it_too_does_not_sit_twice(client, ada):
    match = match_by_link(client, ada)
    guest = guest_of(client)
    sign_in(client, bring="on")
    match.refresh_from_db()
    assert not match.is_running
    assert match.players.get(user=ada).rank == 1
    guest.refresh_from_db()
    assert (guest.username, guest.is_active) == (f"deleted-{guest.pk}", False)


def test_confirming_for_another_account_leaves_the_guest_alone(client, guest):
    other = Client()
    join(other)
    link = path_in(sent()[0], "confirm-email")
    client.get(link)
    client.post(link)
    assert guest_of(client) == guest


# --- Leaving ------------------------------------------------------------------------------------


def test_leaving_asks_first_and_deletes_then(client, guest):
    page = client.get("/account/logout/").content.decode()
    assert "cannot come back" in page
    assert User.objects.filter(pk=guest.pk).exists()
    client.post("/account/logout/")
    assert not User.objects.filter(pk=guest.pk).exists()
    assert not Match.objects.exists()
    assert "_auth_user_id" not in client.session


def test_unused_guests_are_deleted_with_their_matches_against_bots(client, guest):
    later = timezone.now() + guests.GUEST_LIFETIME
    assert guests.forget_unused(now=later - timedelta(hours=1)) == 0
    assert guests.forget_unused(now=later) == 1
    assert not User.objects.filter(is_guest=True).exists()
    assert not Match.objects.exists()
    assert not Challenge.objects.exists()
    assert User.objects.filter(is_bot=True).exists()


def test_matches_of_others_stay_whole(client, ada):
    match = match_by_link(client, ada)
    guest = guest_of(client)
    client.post(PLAY)
    log = match.log.count()
    later = timezone.now() + guests.GUEST_LIFETIME
    guests.forget_unused(now=later)
    guests.forget_unused(now=later)
    guest.refresh_from_db()
    assert (guest.username, guest.is_active) == (f"deleted-{guest.pk}", False)
    assert not Notification.objects.filter(recipient=guest).exists()
    match.refresh_from_db()
    assert Match.objects.get() == match
    assert match.ending == "resigned"
    assert match.log.count() == log + 1
    ada.refresh_from_db()
    assert match.players.get(user=ada).result == "won"


def test_who_comes_back_is_kept(client, guest):
    before = timezone.now() - timedelta(days=20)
    User.objects.filter(pk=guest.pk).update(last_login=before)
    client.get("/")
    guest.refresh_from_db()
    assert guest.last_login > before
    assert client.session.get_expiry_age() > timedelta(days=29).total_seconds()
    assert guests.forget_unused(now=timezone.now() + timedelta(days=15)) == 0


def test_pending_seats_of_a_guest_are_free_again(client, ada):
    made = by_link(ada, seats=3)
    accept(client, made)
    assert Invitation.objects.count() == 2
    client.post("/account/logout/")
    made.refresh_from_db()
    assert made.is_open
    assert Invitation.objects.get().user == ada
    assert not User.objects.filter(is_guest=True).exists()


# --- New accounts that are not confirmed --------------------------------------------------------


def test_a_new_account_moves_before_it_is_confirmed(client, ada):
    join(client)
    made = challenge(ada, Challenge.Audience.OPEN, seating=Challenge.Seating.LAST)
    match = client.post(f"/challenges/{made.pk}/accept/").url
    client.post(f"{match}moves/", {"version": 0, "submission": str(uuid4()), "word": "1"})
    assert Match.objects.get().version == 1
    (message,) = sent()
    assert "confirm" in message.body


def test_an_unconfirmed_account_challenges_nobody_by_name(client, ada):
    join(client)
    greta = guest_of(client)
    with pytest.raises(Refused, match="Confirm"):
        challenge(greta, Challenge.Audience.NAMED, invited=[ada])
    for _ in range(3):
        challenge(greta, Challenge.Audience.OPEN)
    with pytest.raises(Refused, match="3 open challenges"):
        challenge(greta, Challenge.Audience.OPEN)
    greta.emailaddress_set.update(verified=True)
    assert challenge(greta, Challenge.Audience.NAMED, invited=[ada])


def test_an_unconfirmed_account_that_plays_is_not_forgotten(client, ada):
    join(client)
    made = challenge(ada, Challenge.Audience.OPEN)
    client.post(f"/challenges/{made.pk}/accept/")
    later = timezone.now() + signup.UNCONFIRMED_LIFETIME + timedelta(days=1)
    assert signup.forget_unfinished(now=later) == 0
    other = Client()
    join(other, username="hans", email="hans@example.org")
    assert signup.forget_unfinished(now=later) == 1
