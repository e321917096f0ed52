"""A match that cannot be read: it is set aside, can be ended, and its log can be read."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import notifications
from accounts.models import Notification, OutgoingMail, User
from games.kernel import registry
from games.matches import selectors, services
from games.matches.clock import DAY
from games.matches.clocks import sweeps
from games.matches.errors import LOG, POSITION, RULES, Unreadable
from games.matches.log import positions
from games.matches.models import LogEntry, Match, Player, SetAside, Sweep
from games.matches.notify.notification_emails import KINDS
from games.matches.notify.notifications import MATCH_ENDED, YOUR_TURN
from games.matches.plans import conditional, orders
from games.matches.play import unreadable
from games.moderation import cases
from games.moderation.models import Case
from tests.attack_match import ATTACKS, DUTIES, start_attack_match
from tests.fixtures import NOW
from tests.people import sign_in_staff

__all__ = ["start_attack_match"]

pytestmark = pytest.mark.slow

LATE = NOW + 3 * DAY

BREAKS = {
    POSITION: {"position": {"nonsense": True}},
    RULES: {"rules_version": 99},
}


def broken(play, part=POSITION):
    Match.objects.filter(pk=play.id).update(**BREAKS[part])
    return play


def mended(play, position):
    Match.objects.filter(pk=play.id).update(position=position, rules_version=1)


def swept(moment):
    Sweep.objects.update_or_create(name=selectors.DEADLINES, defaults={"ran": moment})
    return sweeps.sweep_deadlines(now=moment)


@pytest.fixture
def admins(settings):
    settings.ADMINS = [("Root", "root@example.org")]


@pytest.fixture
def moderator(people):
    return people[3]


@pytest.mark.parametrize("part", BREAKS)
def test_a_moderator_annuls_it(play, moderator, part):
    broken(play, part)
    services.annul(match_id=play.id, moderator=moderator, reason="Broken.", now=NOW)
    match = Match.objects.get(pk=play.id)
    assert (match.status, match.ending) == ("annulled", "annulled")
    assert not Player.objects.filter(match=match, clock_since__isnull=False).exists()
    assert not Player.objects.filter(match=match, to_move=True).exists()


@pytest.mark.parametrize("part", BREAKS)
def test_its_player_cancels_it_before_the_second_move(play, part):
    play.move(0, "1")
    broken(play, part)
    play.act(services.cancel, 1)
    assert play.match.status == "cancelled"


@pytest.mark.parametrize("part", BREAKS)
def test_what_needs_rules_is_refused(play, moderator, part):
    broken(play, part)
    for act in (
        lambda: play.move(0, "1"),
        lambda: play.act(services.resign, 0),
        lambda: play.act(services.offer_close, 0),
        lambda: services.close(match_id=play.id, moderator=moderator, reason="So.", now=NOW),
    ):
        with pytest.raises(Unreadable, match=f"The {part} of match {play.id} cannot be read") as no:
            act()
        assert no.value.part == part
        assert "nonsense" not in str(no.value)
    assert Match.objects.get(pk=play.id).version == 0


def test_a_log_that_does_not_replay_is_named(play):
    play.move(0, "1")
    models.QuerySet(LogEntry).filter(match=play.id).update(text="9")
    with pytest.raises(Unreadable) as no:
        positions.state_after(play.snapshot.table, 1)
    assert no.value.part == LOG


@pytest.mark.parametrize("part", BREAKS)
def test_the_sweep_sets_it_aside_and_tells_the_admins_once(start, admins, part):
    play, sound = broken(start(), part), start()
    assert swept(LATE) == 1
    assert sound.match.ending == "timeout"
    assert SetAside.objects.get().part == part
    assert [mail.to for mail in OutgoingMail.objects.all()] == ["root@example.org"]
    assert f"/matches/{play.id}/" in OutgoingMail.objects.get().text
    player = play.player(0)
    assert (player.clock_since, player.deadline, player.remind_at) == (None, None, None)
    assert sweeps.overdue(now=LATE + 9 * DAY) == []
    assert swept(LATE + timedelta(minutes=1)) == 0
    assert sweeps.remind(now=LATE + DAY) == 0
    assert OutgoingMail.objects.count() == 1


def test_its_clocks_run_on_when_it_can_be_read_again(play, admins):
    position = play.match.position
    broken(play)
    swept(LATE)
    mended(play, position)
    swept(LATE + timedelta(minutes=2))
    assert not SetAside.objects.exists()
    player = play.player(0)
    assert player.time_left == 3 * DAY, "the turn in which it could not be read is given back"
    assert player.deadline == LATE + timedelta(minutes=2) + 3 * DAY
    assert play.player(1).clock_since is None
    play.move(0, "1", now=LATE + DAY)
    broken(play)
    swept(player.deadline + 9 * DAY)
    assert OutgoingMail.objects.count() == 2, "admins are mailed again when it breaks again"


def test_a_move_comes_before_the_sweep_that_would_start_the_clock(play):
    position = play.match.position
    broken(play)
    swept(LATE)
    mended(play, position)
    play.move(0, "1", now=LATE + DAY)
    assert play.player(1).deadline == LATE + 4 * DAY
    swept(LATE + DAY)
    assert play.player(0).clock_since is None
    assert play.player(1).deadline == LATE + 4 * DAY


def test_one_that_was_annulled_is_set_aside_no_more(play, moderator):
    broken(play)
    swept(LATE)
    services.annul(match_id=play.id, moderator=moderator, reason="Broken.", now=LATE)
    swept(LATE + timedelta(minutes=1))
    assert not SetAside.objects.exists()


def test_a_change_that_is_worked_out_meanwhile_starts_again(play, monkeypatch):
    read = selectors.snapshot

    def read_then_set_aside(match_id):
        found = read(match_id)
        monkeypatch.setattr(selectors, "snapshot", read)
        unreadable.set_aside(match_id, Unreadable(found.match, POSITION), now=NOW)
        return found

    monkeypatch.setattr(selectors, "snapshot", read_then_set_aside)
    play.move(0, "1", now=NOW + DAY)
    assert play.player(0).time_left == 4 * DAY, "the clock stood: only the increment"


def test_orders_and_queues_of_it_are_left_alone(start_attack_match, people, admins):
    play = start_attack_match()
    for text in (*DUTIES, ATTACKS[0]):
        play.move(0, text)
    orders.give(match_id=play.id, user=people[1], name="lowest", now=NOW)
    broken(play)
    orders.look(now=NOW)
    assert orders.soon(now=NOW + 30 * DAY) == []
    assert SetAside.objects.get().match_id == play.id
    assert conditional.waiting() == []
    assert OutgoingMail.objects.count() == 1


class TestPages:
    @pytest.fixture(autouse=True)
    def played(self, play):
        play.move(0, "2")
        play.move(1, "peek")
        return play

    def paths(self, play):
        page = f"/matches/{play.id}/"
        return [page, f"{page}?part=live", f"{page}1/", f"{page}export.json", f"{page}export.txt"]

    @pytest.mark.parametrize("part", BREAKS)
    @pytest.mark.parametrize("seat", [None, 0, 1])
    def test_they_say_what_is_wrong_and_show_the_log(self, played, part, seat):
        broken(played, part)
        client = Client()
        if seat is not None:
            client.force_login(played.people[seat])
        for path in self.paths(played):
            answer = client.get(path)
            if "1/" not in path or part == RULES:
                assert answer.status_code == 409, path
                shown = answer.content.decode()
                assert "peek" not in shown, "nobody may know of it yet"
                assert "ada move" in " ".join(shown.split())
        api = client.get(f"/api/v1/matches/{played.id}/")
        assert (api.status_code, api.json()["code"]) == (409, "unreadable")

    def test_all_is_open_after_the_end(self, played, moderator):
        broken(played, RULES)
        services.annul(match_id=played.id, moderator=moderator, reason="Broken.", now=NOW)
        shown = Client().get(f"/matches/{played.id}/").content.decode()
        assert "<strong>peek</strong>" in shown
        assert "Broken." in shown

    def test_forms_are_refused_with_the_same_page(self, played):
        broken(played)
        client = Client()
        client.force_login(played.people[0])
        form = {"version": 2, "submission": str(uuid4())}
        for action in ("resign", "offer", "take-back"):
            answer = client.post(f"/matches/{played.id}/{action}/", form)
            assert answer.status_code == 409
            assert "cannot be read" in answer.content.decode()

    @pytest.mark.parametrize("part", BREAKS)
    def test_lists_stand(self, played, part):
        broken(played, part)
        client = Client()
        client.force_login(played.people[0])
        for path in ("/", "/home/", "/archive/", "/players/ada/"):
            assert client.get(path).status_code == 200, path

    def test_a_moderator_annuls_it_at_the_desk(self, played):
        broken(played, RULES)
        root = User.objects.create_superuser("maria", "root@example.org", "x")
        case = cases.opened(played.people[0], Case.Kind.OTHER, timezone.now())
        client = Client()
        sign_in_staff(client, root)
        assert client.get(f"/desk/cases/{case.pk}/").status_code == 200
        form = {"action": "annul", "match": played.id, "reason": "Broken."}
        assert client.post(f"/desk/cases/{case.pk}/act/", form).status_code == 302
        assert Match.objects.get(pk=played.id).status == "annulled"


def test_a_game_that_is_gone(play, monkeypatch):
    monkeypatch.setattr(registry, "titles", dict)
    answer = Client().get(f"/matches/{play.id}/")
    assert answer.status_code == 409
    assert "heap, match" in answer.content.decode()


@pytest.mark.parametrize("part", BREAKS)
def test_notifications_about_it_are_listed(play, moderator, part):
    play.move(0, "1")
    broken(play, part)
    services.annul(match_id=play.id, moderator=moderator, reason="Broken.", now=NOW)
    for user in play.people[:2]:
        client = Client()
        client.force_login(user)
        assert client.get(reverse("notifications")).status_code == 200


@pytest.mark.parametrize("part", BREAKS)
def test_mails_about_it_are_sent_without_its_board(play, moderator, part):
    play.move(0, "1")
    broken(play, part)
    services.annul(match_id=play.id, moderator=moderator, reason="Broken.", now=NOW)
    for notification in Notification.objects.filter(kind__in=(YOUR_TURN, MATCH_ENDED)):
        sent = notifications.render(notification)
        assert sent.subject == f"{KINDS[notification.kind].title}: match {play.id}"
        assert f"match {play.id} was annulled" in sent.text
        assert f"match {play.id} was annulled" in sent.html
        assert sent.url == f"/matches/{play.id}/"
        assert notifications.summary(notification).url == sent.url
