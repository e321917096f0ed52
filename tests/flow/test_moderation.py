"""Reports, cases and actions of moderators: what is taken, who may not, what is logged and told."""

import json
from datetime import timedelta
from functools import partial

import pytest
from django.core import mail
from django.db import ProgrammingError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts import deletion, personal_data
from accounts import notifications as accounts_notifications
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.events import services as events
from games.events.models import Tournament
from games.kernel.errors import GameError
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import PRESETS
from games.matches.models import Match
from games.moderation import actions, cases, reports, subjects, tasks
from games.moderation.errors import ModerationRefused, NoSuchSubject, NotYours
from games.moderation.models import AbandonedSeat, Case, ModeratorAction, Report
from games.moderation.notifications import SENTENCES
from tests.fixtures import NOW
from tests.moderation import WORDS, make_moderator, reported, told

Kind = Case.Kind


def open_challenge(creator):
    how = {"title": "heap", "params": {"heap": 10, "free": False}, "seats": 2, "now": NOW}
    audience = Challenge.Audience.OPEN
    return lobby.challenge(creator=creator, audience=audience, clock=PRESETS["standard"], **how)


class TestReports:
    def test_one_open_case_gathers_those_about_one_person_and_kind(self, play, people):
        ada, bruno, clara, _ = people
        first = reported(play.id, ada, bruno)
        second = reported(play.id, clara, bruno)
        other = reported(play.id, ada, bruno, Kind.ABUSE)
        assert first.case == second.case != other.case

    def test_a_closed_case_takes_no_more(self, case, play, people, clara):
        cases.close(case, moderator=clara, upheld=False, reason="Nothing.", now=NOW)
        assert reported(play.id, people[3], people[1]).case != case

    @pytest.mark.parametrize("kind", reports.NEEDS_WORDS)
    def test_some_need_words(self, play, people, kind):
        with pytest.raises(ModerationRefused, match="say what happened"):
            reported(play.id, people[0], people[1], kind, text="He cheats.")
        assert not Case.objects.exists()

    @pytest.mark.parametrize("kind", reports.NEEDS_A_MATCH)
    def test_some_need_a_match(self, play, people, kind):
        how = {"name": "player", "subject_id": people[1].pk}
        with pytest.raises(ModerationRefused, match="page of the match"):
            reported(play.id, people[0], people[1], kind, **how)
        reported(play.id, people[0], people[1], Kind.NAME, text="", **how)

    def test_stalling_is_reported_by_who_waits_for_somebody_to_move(self, play, people):
        ada, bruno, clara, _ = people
        with pytest.raises(ModerationRefused, match="not this player's turn"):
            reported(play.id, ada, bruno, Kind.STALLING)
        with pytest.raises(ModerationRefused, match="Only those who wait"):
            reported(play.id, clara, ada, Kind.STALLING)
        reported(play.id, bruno, ada, Kind.STALLING)

    def test_nobody_reports_the_same_twice_or_themselves_or_who_is_not_there(self, play, people):
        ada, bruno, clara, _ = people
        reported(play.id, ada, bruno)
        for reporter, suspect in ((ada, bruno), (ada, ada), (ada, clara)):
            with pytest.raises(ModerationRefused):
                reported(play.id, reporter, suspect)
        assert Report.objects.count() == 1

    def test_other_applications_register_what_can_be_reported(self, people, monkeypatch):
        ada, bruno = people[:2]
        monkeypatch.setattr(subjects, "_finders", {})
        how = {"reporter": ada, "suspect": bruno, "kind": Kind.ABUSE, "text": WORDS, "now": NOW}
        with pytest.raises(NoSuchSubject):
            reports.file_report(name="chat-line", subject_id=7, **how)
        line = subjects.Subject("a line", "/", [bruno], quote="You fool.")
        subjects.register("chat-line", lambda number, user: line)
        assert reports.file_report(name="chat-line", subject_id=7, **how).subject == "chat-line:7"


class TestCases:
    def test_a_claim_keeps_others_out_for_twenty_minutes(self, case, people, clara):
        daniel = people[3]
        cases.claim(case, moderator=clara, now=NOW)
        with pytest.raises(NotYours):
            cases.claim(case, moderator=daniel, now=NOW + timedelta(minutes=19))
        cases.claim(case, moderator=daniel, now=NOW + cases.CLAIM)
        assert Case.objects.get(pk=case.pk).claimed_by == daniel

    def test_a_case_given_back_is_free(self, case, people, clara):
        cases.claim(case, moderator=clara, now=NOW)
        cases.release(case, moderator=people[3])
        with pytest.raises(NotYours):
            cases.claim(case, moderator=people[3], now=NOW)
        cases.release(case, moderator=clara)
        cases.claim(case, moderator=people[3], now=NOW)

    def test_nobody_works_on_a_case_that_they_have_a_part_in(self, case, play, people, start):
        ada, bruno = people[:2]
        for moderator in (ada, bruno):
            assert cases.queue(moderator, NOW) == []
            for do in (
                lambda who: cases.claim(case, moderator=who, now=NOW),
                lambda who: cases.add_note(case, moderator=who, text="x", now=NOW),
                lambda who: cases.close(case, moderator=who, upheld=True, reason="x", now=NOW),
                lambda who: actions.sanction(
                    case, Sanction.Kind.BAN, moderator=who, reason="x", now=NOW
                ),
            ):
                with pytest.raises(NotYours):
                    do(moderator)
        assert not ModeratorAction.objects.exists()

    def test_nor_about_somebody_they_are_playing_with(self, case, start, people, clara):
        assert len(cases.queue(clara, NOW)) == 1
        start(seats=3)
        assert cases.queue(clara, NOW) == []

    def test_the_heaviest_stands_on_top(self, play, people, clara):
        ada, bruno, _, daniel = people
        reported(play.id, ada, bruno, Kind.NAME, text="")
        reported(play.id, daniel, bruno, Kind.ABUSE)
        kinds = [case.kind for case, _ in cases.queue(clara, NOW)]
        assert kinds == ["abuse", "name"]
        reported(play.id, daniel, bruno, Kind.NAME, text="")
        later = NOW + timedelta(days=1)
        assert [weight for _, weight in cases.queue(clara, later)] == [5, 5]

    def test_who_reported_hears_what_came_of_it(self, case, play, people, clara):
        reported(play.id, people[3], people[1])
        cases.close(case, moderator=clara, upheld=True, reason="He said so.", now=NOW)
        for reporter in (people[0], people[3]):
            assert told(reporter) == ["Your report about bruno"]
        assert told(people[1]) == []
        (entry,) = ModeratorAction.objects.all()
        assert (entry.action, entry.reason, entry.details) == ("close", "He said so.", "upheld")

    def test_the_admins_hear_once_of_what_waits_for_three_days(self, case, settings):
        settings.ADMINS = [("Chief", "chief@example.org")]
        Case.objects.update(opened=NOW - timedelta(days=400))
        tasks.tell_admins()
        tasks.tell_admins()
        assert [message.to for message in mail.outbox] == [["chief@example.org"]]


class TestOpening:
    def test_a_moderator_opens_a_case_that_nobody_reported(self, people, clara):
        how = {"kind": Kind.SPAM, "reason": "Seen in the lobby.", "now": NOW}
        found = cases.open_by(clara, suspect=people[1], **how)
        assert (found.suspect, found.claimed_by) == (people[1], clara)
        assert found.notes.get().text == "Seen in the lobby."
        assert ModeratorAction.objects.get().action == "open"
        assert cases.open_by(clara, suspect=people[1], **how) == found

    def test_but_none_about_themselves_or_whom_they_play_with(self, play, people):
        how = {"kind": Kind.SPAM, "reason": "x", "now": NOW}
        for suspect in (*people[:2], None):
            with pytest.raises(ModerationRefused):
                cases.open_by(people[0], suspect=suspect, **how)
        assert not Case.objects.exists()
        assert not ModeratorAction.objects.exists()


class TestActions:
    def sanction(self, case, kind, moderator, until=None, reason="You used a bot."):
        return actions.sanction(
            case, kind, moderator=moderator, reason=reason, now=NOW, until=until
        )

    @pytest.mark.parametrize("kind", Sanction.Kind)
    def test_a_sanction_is_logged_and_told(self, case, people, clara, kind):
        ends = kind in (Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION)
        self.sanction(case, kind, clara, NOW + timedelta(days=2) if ends else None)
        (entry,) = ModeratorAction.objects.all()
        assert (entry.action, entry.user_name, entry.moderator_name) == (kind, "bruno", "clara")
        assert entry.reason == "You used a bot."
        assert told(people[1]) == [SENTENCES[kind]]
        suspect = User.objects.get(username="bruno")
        assert [found.kind for found in standing.active(suspect, NOW)] == [kind]
        assert standing.is_muted(suspect, NOW) == (kind != Sanction.Kind.WARNING)

    @pytest.mark.parametrize("kind", [Sanction.Kind.BAN, Sanction.Kind.WARNING])
    def test_opponents_of_who_is_kept_out_are_told_what_they_can_do(
        self, case, people, clara, start, kind
    ):
        start(seats=2)
        self.sanction(case, kind, clara)
        gone = "An opponent is gone: choose what follows"
        expected = [gone, gone] if kind == Sanction.Kind.BAN else []
        assert told(people[0]) == expected
        assert told(people[3]) == []

    def test_opponents_do_not_read_why_somebody_is_banned(self, case, people, clara, play):
        self.sanction(case, Sanction.Kind.BAN, clara)
        client = Client()
        client.force_login(people[0])
        page = client.get(AbandonedSeat.objects.get().get_absolute_url()).content.decode()
        assert "The moderators have banned this player." in page
        assert "You used a bot." not in page

    @pytest.mark.parametrize("is_lifted", [True, False])
    def test_opponents_read_that_somebody_is_suspended_only_while_it_holds(
        self, case, people, clara, play, is_lifted
    ):
        now, ada = timezone.now(), people[0]
        how = {"moderator": clara, "reason": "You used a bot.", "now": now}
        kind, until = Sanction.Kind.SUSPENSION, now + timedelta(days=1)
        imposed = actions.sanction(case, kind, until=until, **how)

        def read():
            listed = accounts_notifications.listed(ada)
            return [accounts_notifications.summary(one).subject for one in listed]

        (shown,) = read()
        assert shown.startswith("bruno is kept out for now: ")
        assert accounts_notifications.unseen(ada) == 1
        if is_lifted:
            actions.lift(imposed, **how)
            (shown,) = read()
            assert shown == "bruno is back: bruno can play again. The matches between you go on."
        else:
            Sanction.objects.update(until=timezone.now())
            assert read() == []
            assert accounts_notifications.unseen(ada) == 0

    def test_nobody_is_back_while_something_else_keeps_them_out(self, case, people, clara, play):
        now = timezone.now()
        how = {"moderator": clara, "reason": "You used a bot.", "now": now}
        until = now + timedelta(days=1)
        first = actions.sanction(case, Sanction.Kind.SUSPENSION, until=until, **how)
        ban = actions.sanction(case, Sanction.Kind.BAN, **how)
        actions.lift(first, **how)
        assert "bruno is back" not in told(people[0])
        actions.lift(ban, **how)
        assert told(people[0])[-1] == "bruno is back"

    @pytest.mark.parametrize("days", [None, 0, -1, 400])
    def test_a_suspension_needs_an_end_within_a_year(self, case, clara, days):
        until = None if days is None else NOW + timedelta(days=days)
        with pytest.raises(ModerationRefused):
            self.sanction(case, Sanction.Kind.SUSPENSION, clara, until)
        assert not Sanction.objects.exists()

    def test_without_a_reason_nothing_is_done(self, case, clara):
        with pytest.raises(ModerationRefused, match="reason"):
            self.sanction(case, Sanction.Kind.BAN, clara, reason="  ")
        assert not Sanction.objects.exists()
        assert not User.objects.get(username="bruno").is_restricted

    def test_staff_is_left_to_superusers(self, case, people, clara):
        User.objects.filter(username="bruno").update(is_staff=True)
        with pytest.raises(ModerationRefused, match="superusers"):
            self.sanction(case, Sanction.Kind.BAN, clara)

    def test_a_suspension_ends_by_itself(self, case, clara):
        self.sanction(case, Sanction.Kind.SUSPENSION, clara, NOW + timedelta(days=1))
        suspect = User.objects.get(username="bruno")
        assert standing.stops(suspect, NOW + timedelta(hours=23))
        assert not standing.stops(suspect, NOW + timedelta(days=1))

    def test_lifting_one(self, case, people, clara):
        imposed = self.sanction(case, Sanction.Kind.BAN, clara)
        actions.lift(imposed, moderator=clara, reason="A mistake.", now=NOW)
        suspect = User.objects.get(username="bruno")
        assert not suspect.is_restricted
        assert told(suspect)[-1] == "Ban lifted"

    def test_an_appeal_is_answered_by_another_moderator(self, case, people, clara):
        daniel = people[3]
        imposed = self.sanction(case, Sanction.Kind.BAN, clara)
        suspect = User.objects.get(username="bruno")
        how = {"reason": "He was right.", "lifts": True, "now": NOW}
        with pytest.raises(ModerationRefused, match="no appeal"):
            actions.answer_appeal(imposed, moderator=daniel, **how)
        standing.appeal(suspect, imposed.pk, "It was my sister.", now=NOW)
        imposed.refresh_from_db()
        assert imposed.answer_due == NOW + standing.ANSWER_WITHIN
        with pytest.raises(standing.InvalidSanction):
            standing.appeal(suspect, imposed.pk, "Again.", now=NOW)
        for biased in (clara, suspect):
            with pytest.raises(NotYours):
                actions.answer_appeal(imposed, moderator=biased, **how)
        actions.answer_appeal(imposed, moderator=daniel, **how)
        assert not User.objects.get(username="bruno").is_restricted

    def test_another_name(self, case, people, clara):
        how = {"moderator": clara, "reason": "Rude.", "now": NOW}
        for name in ("ada", "admin", "a", "ä" * 5):
            with pytest.raises(ModerationRefused):
                actions.rename(case, name, **how)
        actions.rename(case, "player-7", **how)
        assert User.objects.get(pk=people[1].pk).username == "player-7"
        assert ModeratorAction.objects.get().details == "was bruno"

    def test_challenges_are_withdrawn(self, case, people, clara):
        how = {"moderator": clara, "reason": "Spam.", "now": NOW}
        with pytest.raises(ModerationRefused, match="no open challenge"):
            actions.withdraw_challenges(case, **how)
        posted = [open_challenge(person) for person in people[:2]]
        actions.withdraw_challenges(case, **how)
        states = [Challenge.objects.get(pk=found.pk).status for found in posted]
        assert states == ["open", "withdrawn"]
        assert told(people[1]) == ["Your open challenges were withdrawn"]
        assert ModeratorAction.objects.get().details == "1 challenge"

    def test_texts_of_tournaments_are_erased(self, case, people, clara):
        how = {"moderator": clara, "reason": "Spam.", "now": NOW}
        with pytest.raises(ModerationRefused, match="organised no tournaments"):
            actions.clear_tournaments(case, **how)
        made = events.create(
            organiser=people[1],
            name="Buy my coins",
            about="Cheap.",
            title="heap",
            params={},
            clock=PRESETS["standard"],
            format=Tournament.Format.SWISS,
            most=8,
            starts=NOW + timedelta(days=7),
            round_days=21,
            now=NOW,
        )
        subject = subjects.find("tournament", made.pk, clara)
        assert (subject.suspects, subject.quote) == ([people[1]], "Buy my coins\nCheap.")
        actions.clear_tournaments(case, **how)
        made.refresh_from_db()
        assert (made.name, made.about, made.status) == ("Tournament of Heap", "", "cancelled")
        assert told(people[1]) == ["The texts of your tournaments were erased"]
        assert ModeratorAction.objects.get().details == "1 tournament"

    @pytest.mark.parametrize(("annul", "status"), [(True, "annulled"), (False, "over")])
    def test_matches_are_ended(self, case, play, clara, annul, status):
        how = {"moderator": clara, "reason": "Agreed.", "now": NOW}
        actions.end_match(case, play.id, annul=annul, **how)
        assert Match.objects.get(pk=play.id).status == status

    def test_a_seat_is_taken_out(self, case, play, people, clara):
        actions.remove(case, play.id, moderator=clara, reason="Banned.", now=NOW)
        assert play.player(1).dropped == "removed"
        assert play.player(0).rank == 1

    def test_nobody_ends_a_match_of_their_own(self, play, people):
        """Once a superuser annulled one."""
        ada = people[0]
        User.objects.filter(pk=ada.pk).update(is_superuser=True)
        how = {"match_id": play.id, "moderator": ada, "reason": "x", "now": NOW}
        for service in (actions.services.annul, actions.services.close):
            with pytest.raises(GameError, match="another moderator"):
                service(**how)
        with pytest.raises(GameError, match="another moderator"):
            actions.services.remove(seat=1, **how)
        assert play.match.is_running

    def test_time_is_given_to_the_others(self, case, play, people, clara):
        before = play.player(0)
        actions.give_time(case, play.id, 24, moderator=clara, reason="Sorry.", now=NOW)
        after = play.player(0)
        assert after.time_left - before.time_left == timedelta(hours=24)
        assert after.deadline - before.deadline == timedelta(hours=24)
        assert play.player(1).time_left == before.time_left
        assert told(people[0]) == [f"You have 24 hours more in match {play.id}"]
        assert told(people[1]) == [f"Your opponents have 24 hours more in match {play.id}"]
        logged = ModeratorAction.objects.get(action="give-time")
        assert logged.details == "24 hours for the opponents of bruno"
        play.move(0, "1")

    @pytest.mark.parametrize(
        ("act", "subject"),
        [
            (partial(actions.end_match, annul=False), "A moderator has ended match {}"),
            (partial(actions.end_match, annul=True), "A moderator has annulled match {}"),
            (actions.remove, "bruno was taken out of match {}"),
            (actions.stop_clocks, "The clocks of match {} stand still"),
        ],
    )
    def test_all_players_are_told_what_is_done_to_their_match_and_why(
        self, start, people, act, subject
    ):
        play = start(seats=3)
        chief = make_moderator(people[3])
        case = reported(play.id, people[0], people[1]).case
        act(case, play.id, moderator=chief, reason="We know why.", now=NOW)
        for person in people[:3]:
            assert told(person) == [subject.format(play.id)]
            row = Notification.objects.get(recipient=person, kind="decision")
            assert row.payload["text"] == "We know why."

    def test_clocks_stand_still_and_run_on(self, case, play, clara):
        how = {"moderator": clara, "reason": "We look into it.", "now": NOW}
        with pytest.raises(GameError, match="No moderator"):
            actions.run_clocks(case, play.id, **how)
        before = play.player(0).deadline
        actions.stop_clocks(case, play.id, until=NOW + timedelta(days=2), **how)
        assert play.player(0).deadline == before + timedelta(days=2)
        actions.run_clocks(case, play.id, **how)
        assert play.player(0).deadline == before
        logged = [entry.action for entry in ModeratorAction.objects.order_by("pk")]
        assert logged == ["stop-clocks", "run-clocks"]

    def test_no_time_in_matches_that_are_over_or_have_no_clock(self, case, start, play, clara):
        free = start(clock=None)
        how = {"moderator": clara, "reason": "x", "now": NOW}
        with pytest.raises(GameError, match="without a clock"):
            actions.give_time(case, free.id, 24, **how)
        play.act(actions.services.resign, 0)
        with pytest.raises(GameError, match="ended"):
            actions.give_time(case, play.id, 24, **how)


class TestLog:
    def test_it_is_never_rewritten(self, case, clara):
        cases.close(case, moderator=clara, upheld=False, reason="x", now=NOW)
        entry = ModeratorAction.objects.get()
        for change in (
            entry.save,
            entry.delete,
            ModeratorAction.objects.all().delete,
            lambda: ModeratorAction.objects.update(reason="y"),
        ):
            with pytest.raises(TypeError):
                change()

    @pytest.mark.postgres
    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE moderation_moderatoraction SET reason = 'y'",
            "DELETE FROM moderation_moderatoraction",
        ],
    )
    def test_nor_past_the_models(self, case, clara, sql):
        cases.close(case, moderator=clara, upheld=False, reason="x", now=NOW)
        with (
            pytest.raises(ProgrammingError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(sql)
        assert ModeratorAction.objects.get().reason == "x"

    def test_it_outlives_accounts(self, case, clara, people):
        cases.close(case, moderator=clara, upheld=False, reason="x", now=NOW)
        fields = [field for field in ModeratorAction._meta.fields if field.is_relation]
        assert fields == []


class TestOwnData:
    def test_who_reported_takes_that_away_and_the_suspect_hears_of_no_reporter(self, case, people):
        ada, bruno = (personal_data.export(user) for user in people[:2])
        assert [report["text"] for report in ada["moderation"]["reports"]] == [WORDS]
        said = json.dumps(bruno, default=str)
        assert bruno["moderation"]["reports"] == []
        assert WORDS not in said

    def test_what_was_imposed_outlasts_the_account_without_its_name(
        self, case, play, people, clara
    ):
        actions.sanction(case, Sanction.Kind.WARNING, moderator=clara, reason="x", now=NOW)
        deletion.ask(people[1], now=NOW)
        assert deletion.delete_due(now=NOW + deletion.CANCELLATION_PERIOD) == 1
        imposed = Sanction.objects.get()
        assert imposed.user.username == f"deleted-{people[1].pk}"
        assert Case.objects.get().suspect == imposed.user
        assert ModeratorAction.objects.get().user_name == "bruno"
