"""Pages of reports, of the desk, and of who is suspended: who gets in, and what they can do."""

from datetime import timedelta
from inspect import signature
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import Notification, User
from accounts.sanctions import standing, traces
from accounts.sanctions.models import Sanction, Trace
from games.kernel import registry
from games.matches import services
from games.matches.models import Match
from games.matches.services import Participant
from games.moderation.case_actions import ACTIONS
from games.moderation.models import Case, ModeratorAction
from games.talk import services as talk
from games.talk.models import Line
from games.web.desk import page as desk_page
from games.web.desk.forms import ActionForm
from tests.example_games import hands
from tests.fixtures import NOW
from tests.moderation import WORDS, make_moderator, reported
from tests.people import PASSWORD, confirmed, sign_in_staff

STANDING = "/account/standing/"


@pytest.fixture
def desk(clara):
    client = Client()
    sign_in_staff(client, clara)
    return client


def browser(user):
    client = Client()
    client.force_login(user)
    return client


PAGES = ["/desk/", "/desk/log/", "/desk/acts/", "/desk/cases/{}/"]
POSTS = ["claim/", "release/", "note/", "close/", "act/", "unlock/"]


class TestWhoEnters:
    @pytest.mark.parametrize("page", PAGES)
    def test_visitors_players_and_moderators_without_a_second_factor_stay_outside(
        self, case, people, clara, page
    ):
        path = page.format(case.pk)
        assert Client().get(path).url.startswith("/account/login/")
        assert browser(people[3]).get(path).status_code == 403
        assert browser(clara).get(path).url == "/account/2fa/"

    @pytest.mark.parametrize("post", POSTS)
    def test_nor_can_they_do_anything(self, case, people, clara, post):
        path = f"/desk/cases/{case.pk}/{post}"
        form = {"action": "ban", "reason": "x", "text": "x", "upheld": "1"}
        assert Client().post(path, form).status_code == 302
        assert browser(people[3]).post(path, form).status_code == 403
        browser(clara).post(path, form)
        assert Case.objects.get(pk=case.pk).claimed_by is None
        assert not ModeratorAction.objects.exists()
        assert not Sanction.objects.exists()

    @pytest.mark.parametrize("page", PAGES)
    def test_moderators_enter(self, desk, case, page):
        html = desk.get(page.format(case.pk)).content.decode()
        assert "bruno" in html or page in ("/desk/log/", "/desk/acts/")

    def test_a_case_about_oneself_is_not_shown(self, case, people):
        for number in (0, 1):
            client = Client()
            sign_in_staff(client, make_moderator(people[number]))
            assert client.get(f"/desk/cases/{case.pk}/").status_code == 403
            assert WORDS not in client.get("/desk/").content.decode()

    def test_each_power_is_a_permission_of_its_own(self, case, people):
        warner = people[3]
        names = ("use_desk", "warn_player")
        warner.user_permissions.set(Permission.objects.filter(codename__in=names))
        client = Client()
        sign_in_staff(client, warner)
        page = client.get(f"/desk/cases/{case.pk}/").content.decode()
        assert "?action=warning#act" in page
        assert "?action=ban#act" not in page
        for action in ("ban", "suspension", "rename", "annul"):
            client.post(f"/desk/cases/{case.pk}/act/", {"action": action, "reason": "x"})
        assert not ModeratorAction.objects.exists()
        client.post(f"/desk/cases/{case.pk}/act/", {"action": "warning", "reason": "x"})
        assert ModeratorAction.objects.get().action == "warning"

    def test_the_button_of_an_action_says_what_it_does(self, desk, case):
        said = {"suspension": "Suspend bruno", "unrate": "Take the match out of the ratings"}
        for action, button in said.items():
            page = desk.get(case.get_absolute_url(), {"action": action}).content.decode()
            assert f">{button}</button>" in page

    def test_every_action_takes_the_fields_of_its_form(self):
        how = {"moderator": None, "reason": "x", "now": NOW}
        for action in ACTIONS.values():
            fields = (*action.required, *action.optional)
            assert set(fields) <= set(ActionForm.of_actions)
            signature(action.run).bind(None, *fields, **how)

    def test_moderators_may_not_ban_unless_it_is_given_to_them(self, desk, case):
        desk.post(f"/desk/cases/{case.pk}/act/", {"action": "ban", "reason": "x"})
        assert not Sanction.objects.exists()


class TestOpening:
    def test_a_case_is_opened_from_the_queue(self, desk, people):
        form = {"player": "bruno", "kind": "spam", "reason": "Seen in the lobby."}
        answer = desk.post("/desk/open/", form)
        assert answer.url == f"/desk/cases/{Case.objects.get().pk}/"
        assert "Seen in the lobby." in desk.get(answer.url).content.decode()

    def test_what_was_typed_stays_where_it_is_refused(self, desk, people):
        for changed in ({"player": "nemo"}, {"player": "clara"}, {"kind": "?"}):
            form = {"player": "bruno", "kind": "spam", "reason": "Seen there.", **changed}
            answer = desk.post("/desk/open/", form)
            assert answer.status_code == 200
            assert "Seen there." in answer.content.decode()
        assert not Case.objects.exists()

    def test_only_moderators_open_one(self, people):
        form = {"player": "bruno", "kind": "spam", "reason": "x"}
        assert browser(people[3]).post("/desk/open/", form).status_code == 403


class TestHints:
    def test_rated_matches_lost_at_once_are_counted(self, start, people):
        ended = start()
        ended.act(services.resign, 0)
        start()
        Match.objects.update(rated=True)
        assert desk_page.rated(people[0]) == {"matches": 1, "lost": 1, "at_once": 1}
        assert desk_page.rated(people[1]) == {"matches": 1, "lost": 0, "at_once": 0}
        assert [one["short"] for one in desk_page.rivals(people[0])] == [1]
        Match.objects.update(version=desk_page.SHORT + 1)
        assert desk_page.rated(people[0])["at_once"] == 0
        assert [one["short"] for one in desk_page.rivals(people[0])] == [0]

    def test_friendly_matches_do_not_count(self, start, people):
        start().act(services.resign, 0)
        assert desk_page.rated(people[0])["matches"] == 0
        assert [one["short"] for one in desk_page.rivals(people[0])] == [0]

    def test_a_report_of_arranged_results_leads_to_the_hints(self, desk, start, people):
        ended = start()
        ended.act(services.resign, 0)
        Match.objects.update(rated=True)
        form = {"suspect": people[0].pk, "kind": "arranging", "text": WORDS}
        browser(people[1]).post(f"/report/match/{ended.id}/", form)
        read = desk.get(f"/desk/cases/{Case.objects.get().pk}/").content.decode()
        assert "Of the last 1 rated match 1 was lost, 1 of them within ten moves." in read
        assert "1 rated within ten moves" in read


class TestReport:
    def test_it_is_made_from_the_page_of_a_match(self, play, people):
        client = browser(people[0])
        page = client.get(f"/matches/{play.id}/").content.decode()
        assert f'href="/report/match/{play.id}/"' in page
        form = {"suspect": people[1].pk, "kind": "cheating", "text": WORDS}
        answer = client.post(f"/report/match/{play.id}/", form, follow=True)
        assert "We’ll let you know the outcome" in answer.content.decode()
        assert Case.objects.get().suspect == people[1]

    def test_what_was_typed_stays_when_it_is_refused(self, play, people):
        client = browser(people[0])
        form = {"suspect": people[1].pk, "kind": "abuse", "text": "Too short"}
        page = client.post(f"/report/match/{play.id}/", form).content.decode()
        assert "say what happened" in page
        assert "Too short" in page

    STALLING = 'value="stalling"'

    def form(self, person, path):
        return browser(person).get(path).content.decode()

    def test_stalling_is_offered_to_who_waits_and_others_read_why_not(self, play, people):
        path = f"/report/match/{play.id}/"
        waits = self.form(people[1], path)
        assert self.STALLING in waits
        assert "Stalling can be reported" not in waits
        for person, why in (
            (people[0], "Stalling can be reported only while somebody else is to move."),
            (people[2], "Only those who wait for a move can report stalling."),
        ):
            page = self.form(person, path)
            assert self.STALLING not in page
            assert why in page
        play.act(services.resign, 0)
        page = self.form(people[1], path)
        assert self.STALLING not in page
        assert "Stalling can be reported only while the match runs." in page
        form = {"suspect": people[0].pk, "kind": "stalling", "text": WORDS}
        said = browser(people[1]).post(path, form).content.decode()
        assert "Stalling can be reported only while the match runs." in said
        assert "Select a valid choice" not in said
        assert not Case.objects.exists()

    def test_of_several_it_names_those_who_are_to_move(self, start, people):
        play = start(seats=3)
        page = self.form(people[1], f"/report/match/{play.id}/")
        assert self.STALLING in page
        assert "Only ada can be reported for stalling: nobody else is to move." in page

    def test_the_report_of_a_player_leads_to_the_matches_with_them(self, start, play, people):
        other = start(seats=3)
        page = self.form(people[1], f"/report/player/{people[0].pk}/")
        assert self.STALLING not in page
        assert 'value="cheating"' not in page
        assert "Report cheating and stalling from the page of the match" in page
        for match in (play, other):
            assert f'href="/report/match/{match.id}/"' in page
        stranger = self.form(people[3], f"/report/player/{people[0].pk}/")
        assert "/report/match/" not in stranger

    @pytest.mark.parametrize("path", ["/report/match/999/", "/report/nothing/1/"])
    def test_of_what_is_not_there(self, people, path):
        assert browser(people[0]).get(path).status_code == 404

    def test_hostile_choices(self, play, people):
        client = browser(people[0])
        for suspect in (people[0].pk, people[3].pk, "x", ""):
            form = {"suspect": suspect, "kind": "name", "text": ""}
            assert client.post(f"/report/match/{play.id}/", form).status_code == 200
        assert not Case.objects.exists()

    def test_visitors_are_sent_to_sign_in_and_told_where_to_write(self, play):
        assert Client().get(f"/report/match/{play.id}/").url.startswith("/account/login/")
        assert 'href="/contact/#moderators"' in Client().get("/").content.decode()


class TestActing:
    def test_a_case_from_claim_to_closing(self, desk, case, people, clara):
        path = f"/desk/cases/{case.pk}/"
        desk.post(f"{path}claim/")
        assert "Yours until" in desk.get(path).content.decode()
        desk.post(f"{path}note/", {"text": "Looks like a bot."})
        until = timezone.now() + timedelta(days=3)
        form = {"action": "suspension", "until": f"{until:%Y-%m-%d %H:%M}", "reason": "A bot."}
        page = desk.post(f"{path}act/", form, follow=True).content.decode()
        assert "Done. It is in the log" in page
        assert "Looks like a bot." in page
        desk.post(f"{path}close/", {"upheld": "1", "reason": "A bot."})
        assert Case.objects.get().status == "upheld"
        log = desk.get("/desk/log/").content.decode()
        assert log.count("A bot.") == 2

    @pytest.mark.parametrize(
        "form",
        [
            {"action": "suspension", "reason": "x"},
            {"action": "suspension", "until": "2020-01-01 00:00", "reason": "x"},
            {"action": "rename", "reason": "x"},
            {"action": "annul", "reason": "x"},
            {"action": "warning", "reason": ""},
            {"action": "nonsense", "reason": "x"},
            {},
        ],
    )
    def test_what_lacks_something_is_asked_for_again(self, desk, case, form):
        answer = desk.post(f"/desk/cases/{case.pk}/act/", form)
        assert answer.status_code == 200
        assert answer.context["action_form"].errors
        assert not ModeratorAction.objects.exists()

    def test_an_action_is_chosen_first_and_then_has_its_fields_alone(self, desk, case):
        path = f"/desk/cases/{case.pk}/"
        page = desk.get(path).content.decode()
        assert f'href="{path}?action=mute#act"' in page
        assert 'name="until"' not in page
        for action, fields in (
            ("mute", {"until"}),
            ("substitute", {"match", "substitute"}),
            ("stop-clocks", {"match", "until"}),
            ("give-time", {"match", "hours"}),
            ("warning", set()),
        ):
            form = desk.get(path, {"action": action}).context["action_form"]
            assert set(form.fields) == {"action", "reason", "seen"} | fields
            assert form.chosen
        assert "Choose an action" in desk.get(path, {"action": "nonsense"}).content.decode()

    def test_a_refused_action_keeps_its_form_and_what_was_typed(self, desk, case):
        form = {"action": "mute", "until": "soon", "reason": "He shouts."}
        page = desk.post(f"/desk/cases/{case.pk}/act/", form).content.decode()
        assert "Mute until</h2>" in page
        assert 'value="soon"' in page
        assert "He shouts." in page

    def test_a_line_of_chat_is_hidden_told_logged_and_shown_again(self, desk, case, play, people):
        said = talk.say(
            match_id=play.id, user=people[1], text="vile", submission=uuid4(), now=timezone.now()
        )
        path = f"/desk/cases/{case.pk}/"
        assert f"line {said.line.pk}, match {play.id}, players" in desk.get(path).content.decode()
        for action, hidden in (("hide-line", True), ("restore-line", False)):
            form = {"action": action, "line": said.line.pk, "reason": f"Why {action}."}
            for outcome in ("Done. It is in the log", "This line is"):
                assert outcome in desk.post(f"{path}act/", form, follow=True).content.decode()
            assert (Line.objects.get().hidden is not None) == hidden
            assert ModeratorAction.objects.get(action=action).details == f"line {said.line.pk}"
            told = Notification.objects.filter(recipient=people[1], kind="decision")
            assert told.filter(payload__text=f"Why {action}.").exists()

    def test_only_lines_of_the_suspect_in_matches_of_others_are_hidden(
        self, desk, case, start, people
    ):
        play = start(seats=4)
        lines = [
            talk.say(
                match_id=play.id, user=user, text="x", submission=uuid4(), now=timezone.now()
            ).line
            for user in people[:2]
        ]
        play.act(services.resign, 2)
        for line, outcome in zip(lines, ("no line of this number", "You"), strict=True):
            form = {"action": "hide-line", "line": line.pk, "reason": "x"}
            page = desk.post(f"/desk/cases/{case.pk}/act/", form, follow=True)
            assert page.status_code == 403 or outcome in page.content.decode()
        assert not Line.objects.exclude(hidden=None).exists()

    def test_what_is_sent_twice_is_done_once(self, desk, case, play):
        path = f"/desk/cases/{case.pk}/"
        seen = desk.get(path).context["action_form"]["seen"].value()
        form = {"action": "give-time", "match": play.id, "hours": 24, "reason": "Sorry."}
        desk.post(f"{path}act/", {**form, "seen": seen})
        again = desk.post(f"{path}act/", {**form, "seen": seen}, follow=True)
        assert "Something was done in this case since you saw it" in again.content.decode()
        given = ModeratorAction.objects.filter(action="give-time")
        assert given.count() == 1
        desk.post(f"{path}act/", {**form, "seen": seen + 1})
        assert given.count() == 2

    def test_two_moderators_do_not_work_on_one_case(self, desk, case, people):
        other = Client()
        sign_in_staff(other, make_moderator(people[3]))
        desk.post(f"/desk/cases/{case.pk}/claim/")
        form = {"action": "warning", "reason": "x"}
        answer = other.post(f"/desk/cases/{case.pk}/act/", form, follow=True)
        assert "Somebody else is working on this case" in answer.content.decode()
        assert not Sanction.objects.exists()

    def test_the_page_shows_pace_and_rivals(self, desk, case, play, people):
        play.move(0, "1")
        play.move(1, "2", now=NOW + timedelta(seconds=5))
        play.move(0, "1", now=NOW + timedelta(minutes=5))
        play.move(1, "1", now=NOW + timedelta(minutes=5, seconds=4))
        play.act(services.resign, 0, now=NOW + timedelta(minutes=6))
        page = desk.get(f"/desk/cases/{case.pk}/").content.decode()
        assert "Of the last 2 moves 2 were made within ten seconds" in page
        assert "1 match: 1 won, 0 lost" in page

    def test_accounts_from_the_same_browser_are_shown_without_the_address(self, desk, case, people):
        for user in (people[1], people[3]):
            Trace.objects.create(user=user, kind="device", digest="d" * 32, last_seen=NOW)
        page = desk.get(f"/desk/cases/{case.pk}/").content.decode()
        assert "score 3" in page
        assert "d" * 32 not in page


class TestStanding:
    @pytest.fixture
    def bert(self, db):
        return confirmed("Bert")

    def impose(self, user, kind, **how):
        chief = User.objects.create(username=f"chief-{kind}", email=f"{kind}@example.org")
        return standing.impose(
            user, kind, reason="You were rude.", moderator=chief, now=timezone.now(), **how
        )

    @pytest.mark.parametrize("kind", ["suspension", "ban"])
    def test_who_is_suspended_signs_in_only_to_see_why_and_to_appeal(self, client, bert, kind):
        imposed = self.impose(bert, kind)
        client.post("/account/login/", {"login": "Bert", "password": PASSWORD})
        for path in ("/", "/home/", "/lobby/", "/account/preferences/"):
            assert client.get(path).url == STANDING, path
        answer = client.get("/api/v1/waiting/")
        assert (answer.status_code, answer.json()["code"]) == (403, "restricted")
        page = client.get(STANDING).content.decode()
        assert "You were rude." in page
        client.post(f"{STANDING}{imposed.pk}/appeal/", {"text": "I was not."})
        assert "A moderator answers by" in client.get(STANDING).content.decode()
        assert client.get("/account/data/").status_code == 200
        assert client.post("/account/logout/").status_code == 302

    def test_no_move_is_made(self, play, people):
        self.impose(people[0], "ban")
        form = {"moves": "1", "version": 0, "submission": "12345678123456781234567812345678"}
        answer = browser(people[0]).post(f"/matches/{play.id}/move/", form)
        assert answer.url == STANDING
        assert play.match.version == 0

    def test_a_warning_is_read_before_going_on(self, bert):
        imposed = self.impose(bert, "warning")
        client = browser(bert)
        assert client.get("/home/").url == STANDING
        client.post(f"{STANDING}{imposed.pk}/read/")
        assert client.get("/home/").status_code == 200

    def test_a_mute_keeps_from_nothing_else(self, bert):
        self.impose(bert, "mute")
        assert browser(bert).get("/home/").status_code == 200

    def test_nobody_reads_or_appeals_for_others(self, bert, people):
        imposed, warning = self.impose(bert, "ban"), self.impose(bert, "warning")
        other = browser(people[0])
        other.post(f"{STANDING}{imposed.pk}/appeal/", {"text": "x"})
        other.post(f"{STANDING}{warning.pk}/read/")
        assert not Sanction.objects.exclude(appealed=None, read=None).exists()

    def test_it_ends_by_itself_and_the_mark_goes(self, bert):
        self.impose(bert, "suspension", until=timezone.now() - timedelta(seconds=1))
        assert browser(bert).get("/home/").status_code == 200
        assert not User.objects.get(pk=bert.pk).is_restricted

    def test_who_is_not_restricted_costs_no_query(self, people, django_assert_num_queries):
        with django_assert_num_queries(0):
            assert standing.active(people[0], NOW) == []

    def test_who_imposed_it_sees_no_form_to_answer(self, desk, clara, bert, people):
        imposed = self.impose(bert, "ban")
        Sanction.objects.filter(pk=imposed.pk).update(moderator=clara)
        standing.appeal(bert, imposed.pk, "It was my sister.", now=timezone.now())
        path = f"/desk/sanctions/{imposed.pk}/"
        page = desk.get(path).content.decode()
        assert "You imposed this, so another moderator must answer." in page
        assert f'action="{path}answer/"' not in page
        assert path not in desk.get("/desk/").content.decode()
        other = Client()
        sign_in_staff(other, make_moderator(people[3]))
        page = other.get(path).content.decode()
        assert f'action="{path}answer/"' in page
        assert path in other.get("/desk/").content.decode()

    def test_an_appeal_is_answered_on_the_desk(self, desk, bert):
        imposed = self.impose(bert, "ban")
        standing.appeal(bert, imposed.pk, "It was my sister.", now=timezone.now())
        assert "Bert" in desk.get("/desk/").content.decode()
        path = f"/desk/sanctions/{imposed.pk}/"
        assert "It was my sister." in desk.get(path).content.decode()
        desk.post(f"{path}answer/", {"reason": "We believe you.", "lift": "1"})
        assert browser(bert).get("/home/").status_code == 200


def test_signing_in_leaves_hashes_that_go_after_ninety_days(client, db):
    confirmed("Bert")
    client.post("/account/login/", {"login": "Bert", "password": PASSWORD})
    client.post("/account/logout/")
    client.post("/account/login/", {"login": "Bert", "password": PASSWORD})
    assert sorted(Trace.objects.values_list("kind", flat=True)) == ["address", "device"]
    assert not Trace.objects.filter(digest__contains="127.0.0.1").exists()
    traces.forget(now=timezone.now() + traces.TRACE_LIFETIME + timedelta(days=1))
    assert not Trace.objects.exists()


class TestHiddenHands:
    """The toy game of hidden cards; Bruno's hand is what nobody else sees."""

    @pytest.fixture
    def hidden(self, monkeypatch, people):
        shelf = {hands.META.slug: hands.TITLE}
        monkeypatch.setattr(registry, "titles", lambda: shelf)
        participants = [
            Participant(user, bytes([seat]) * 32) for seat, user in enumerate(people[:2])
        ]
        return services.start(
            title="hands",
            params={"rounds": 3},
            clock=None,
            secret=b"s" * 32,
            participants=participants,
            last_joiner=people[0],
            now=NOW,
        )

    @pytest.fixture
    def case(self, hidden, people):
        return reported(hidden.pk, people[0], people[1]).case

    def unlock(self, client, case, hidden, **form):
        form = {"match": hidden.pk, "seat": 2, "reason": "He is said to mark cards.", **form}
        return client.post(f"/desk/cases/{case.pk}/unlock/", form)

    def test_a_moderator_sees_none(self, desk, case, hidden):
        page = desk.get(f"/matches/{hidden.pk}/").content.decode()
        assert page.count("??") or "hidden" in page
        answer = self.unlock(desk, case, hidden)
        assert answer.status_code == 403
        assert not ModeratorAction.objects.exists()

    def test_who_may_unlock_one_does_so_aloud(self, case, hidden, people):
        trusted = people[3]
        names = ("use_desk", "unlock_hands")
        trusted.user_permissions.set(Permission.objects.filter(codename__in=names))
        client = Client()
        sign_in_staff(client, trusted)
        answer = self.unlock(client, case, hidden)
        assert "data:image/png;base64," in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]
        entry = ModeratorAction.objects.get()
        assert (entry.action, entry.user_name, entry.match_id) == (
            "unlock-hand",
            "bruno",
            hidden.pk,
        )
        told = Notification.objects.filter(kind="decision").values_list("recipient", flat=True)
        assert sorted(told) == [people[0].pk, people[1].pk]
        for wrong in ({"reason": ""}, {"seat": 3}, {"match": 999}, {"seat": 0}):
            answer = self.unlock(client, case, hidden, **wrong)
            assert "data:image/png" not in answer.content.decode()
        assert ModeratorAction.objects.count() == 1
        services.annul(match_id=hidden.pk, moderator=trusted, reason="x", now=NOW)
        self.unlock(client, case, hidden)
        assert ModeratorAction.objects.count() == 1
