"""Abandoned seats: who chooses what, what is carried out, and who takes a seat over."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client

from accounts import blocks, personal_data
from accounts.models import Block, User
from accounts.sanctions.models import Sanction, Trace
from games.kernel.contract import Seat
from games.kernel.errors import GameError, NotYourTurn
from games.lobby import reliability
from games.matches import selectors, services
from games.matches.clock import PRESETS
from games.matches.clocks import vacations
from games.matches.errors import NotAPlayer
from games.matches.log import verify
from games.matches.models import ConditionalMoves, FormerPlayer
from games.matches.plans.lines import Lines, unconditional_steps
from games.matches.play import substitutes
from games.matches.view.match_view import MatchView
from games.moderation import abandoned, actions
from games.moderation import substitutes as offers
from games.moderation.errors import ModerationRefused, NoSuchSubject, NotYours
from games.moderation.models import AbandonedSeat, ModeratorAction, SubstituteOffer
from games.records import record
from tests.fixtures import NOW
from tests.moderation import reported, told

LATER = NOW + timedelta(hours=1)
DAY = timedelta(days=1)


def how(moderator, now=LATER):
    return {"moderator": moderator, "reason": "Gone for weeks.", "now": now}


def left(case, play, moderator, *choosers, choice="substitute"):
    """Let the seat of the suspect be abandoned, and opponents choose."""
    actions.abandon(case, play.id, **how(moderator))
    found = AbandonedSeat.objects.get(match=play.id)
    for user in choosers:
        abandoned.choose(found, user=user, choice=choice, now=LATER)
    found.refresh_from_db()
    return found


def taken(case, play, moderator, user):
    """Let somebody be asked, and take the seat over."""
    offers.ask(case, play.id, user, **how(moderator))
    offer = SubstituteOffer.objects.get(user=user)
    offers.take(offer, LATER)
    return offer


class TestChoosing:
    def test_opponents_are_told_and_the_clock_runs_until_they_choose(self, case, play, moderator):
        ada, bruno = play.people[:2]
        before = play.player(0).deadline
        found = left(case, play, moderator)
        assert told(ada) == ["An opponent is gone: choose what follows"]
        assert told(bruno) == [f"Your seat in match {play.id} is called abandoned"]
        assert list(abandoned.opponents(found)) == [ada]
        assert (found.outcome, play.player(0).deadline) == ("", before)
        assert ModeratorAction.objects.get().action == "abandon"

    def test_who_has_no_say(self, case, play, moderator):
        found = left(case, play, moderator)
        for user in play.people[1:]:
            with pytest.raises(ModerationRefused):
                abandoned.choose(found, user=user, choice="remove", now=LATER)
            with pytest.raises(NoSuchSubject):
                abandoned.get_for(found.pk, user)
        assert play.match.is_running

    def test_all_have_to_choose_the_same(self, start, people, moderator):
        play = start(seats=3)
        case = reported(play.id, people[0], people[1]).case
        found = left(case, play, moderator)
        for user, choice in ((0, "remove"), (2, "wait"), (0, "substitute"), (2, "remove")):
            abandoned.choose(found, user=people[user], choice=choice, now=LATER)
        assert not play.player(1).dropped
        abandoned.choose(found, user=people[0], choice="remove", now=LATER)
        assert play.player(1).dropped == "removed"
        assert play.match.is_running

    def test_taking_the_player_out_ends_a_match_of_two(self, case, play, moderator, people):
        left(case, play, moderator, people[0], choice="remove")
        assert (play.match.status, play.player(0).rank) == ("over", 1)

    def test_letting_the_clock_run_changes_nothing(self, case, play, moderator, people):
        found = left(case, play, moderator, people[0], choice="wait")
        assert (found.outcome, play.kinds()) == ("wait", [])
        with pytest.raises(ModerationRefused):
            abandoned.choose(found, user=people[0], choice="remove", now=LATER)

    def test_clocks_stand_still_while_a_substitute_is_looked_for(
        self, case, play, moderator, people
    ):
        before = play.player(0).deadline
        left(case, play, moderator, people[0])
        assert play.player(0).deadline == before + abandoned.LOOKING

    def test_a_ban_asks_in_all_matches_and_lifting_it_in_none(self, case, play, moderator, people):
        imposed = actions.sanction(case, Sanction.Kind.BAN, **how(moderator))
        found = AbandonedSeat.objects.get()
        abandoned.choose(found, user=people[0], choice="substitute", now=LATER)
        offers.ask(case, play.id, people[2], **how(moderator))
        actions.lift(imposed, **how(moderator, LATER + DAY))
        found.refresh_from_db()
        assert found.outcome == "void"
        assert play.kinds() == ["pause", "resume"]
        with pytest.raises(ModerationRefused):
            offers.take(SubstituteOffer.objects.get(), LATER + DAY)

    def test_who_is_gone_too_has_no_say_whatever_was_chosen_about_them(
        self, start, moderator, people
    ):
        play = start(seats=3)
        for number, choice in ((1, "wait"), (2, "remove")):
            case = reported(play.id, people[0], people[number]).case
            actions.abandon(case, play.id, **how(moderator))
            found = AbandonedSeat.objects.get(user=people[number])
            abandoned.choose(found, user=people[0], choice=choice, now=LATER)
            if number == 1:
                abandoned.choose(found, user=people[2], choice=choice, now=LATER)
        assert play.player(2).dropped == "removed", "Bruno was not waited for"


class TestComingBack:
    @pytest.mark.parametrize("choice", ["", "substitute", "wait"])
    def test_who_was_only_slow_plays_on(self, case, play, moderator, people, choice):
        before = play.player(0).deadline
        found = left(case, play, moderator, *(people[:1] if choice else ()), choice=choice)
        abandoned.come_back(found, now=LATER)
        found.refresh_from_db()
        assert found.outcome == "void"
        assert play.player(0).deadline == before
        assert told(people[0])[-1] == "An opponent is back"
        with pytest.raises(ModerationRefused):
            abandoned.choose(found, user=people[0], choice="remove", now=LATER)
        with pytest.raises(ModerationRefused):
            offers.ask(case, play.id, people[2], **how(moderator))

    def test_nobody_comes_back_to_a_seat_that_is_taken_or_out(self, case, play, moderator, people):
        found = left(case, play, moderator, people[0])
        taken(case, play, moderator, people[2])
        with pytest.raises(ModerationRefused):
            abandoned.come_back(found, now=LATER)
        found.refresh_from_db()
        assert found.outcome == "substitute"

    def test_nor_twice(self, case, play, moderator, people):
        found = left(case, play, moderator)
        abandoned.come_back(found, now=LATER)
        with pytest.raises(ModerationRefused):
            abandoned.come_back(found, now=LATER)
        assert told(people[0]).count("An opponent is back") == 1

    def test_lifting_a_ban_leaves_what_is_done(self, case, play, moderator, people):
        imposed = actions.sanction(case, Sanction.Kind.BAN, **how(moderator))
        found = AbandonedSeat.objects.get()
        abandoned.choose(found, user=people[0], choice="substitute", now=LATER)
        taken(case, play, moderator, people[2])
        actions.lift(imposed, **how(moderator, LATER + DAY))
        found.refresh_from_db()
        assert found.outcome == "substitute"
        assert play.player(1).user == people[2]


class TestAsking:
    def test_only_where_the_opponents_chose_it(self, case, play, moderator, people):
        left(case, play, moderator)
        with pytest.raises(ModerationRefused, match="have not chosen"):
            offers.ask(case, play.id, people[2], **how(moderator))

    def test_who_cannot_be_asked(self, case, play, moderator, people):
        left(case, play, moderator, people[0])
        with pytest.raises(NotYours):
            offers.ask(case, play.id, moderator, **how(moderator))
        for user in (None, people[0]):
            with pytest.raises(GameError):
                offers.ask(case, play.id, user, **how(moderator))
        Block.objects.create(blocker=people[2], blocked=people[0], created=NOW)
        with pytest.raises(ModerationRefused, match="do not want"):
            offers.ask(case, play.id, people[2], **how(moderator))
        assert not SubstituteOffer.objects.exists()

    @pytest.mark.parametrize("other", [0, 1], ids=["an opponent", "who left it"])
    def test_nobody_sits_on_two_seats_or_comes_back_under_another_name(
        self, case, play, moderator, people, other
    ):
        left(case, play, moderator, people[0])
        offers.ask(case, play.id, people[2], **how(moderator))
        for user in (people[2], people[other]):
            Trace.objects.create(user=user, kind="device", digest="d" * 32, last_seen=NOW)
        with pytest.raises(ModerationRefused, match="same browser"):
            offers.ask(case, play.id, people[2], **how(moderator))
        with pytest.raises(ModerationRefused, match="same browser"):
            offers.take(SubstituteOffer.objects.get(), LATER)
        assert play.player(1).user == people[1]

    def test_one_household_is_no_reason(self, case, play, moderator, people):
        left(case, play, moderator, people[0])
        for user in (people[2], people[0]):
            Trace.objects.create(user=user, kind="address", digest="d" * 32, last_seen=NOW)
        offers.ask(case, play.id, people[2], **how(moderator))

    def test_one_who_declines(self, case, play, moderator, people):
        left(case, play, moderator, people[0])
        offers.ask(case, play.id, people[2], **how(moderator))
        assert told(people[2]) == ["Would you take over a seat?"]
        offer = SubstituteOffer.objects.get()
        with pytest.raises(NoSuchSubject):
            offers.get_for(offer.pk, people[3])
        offers.decline(offer, LATER)
        with pytest.raises(ModerationRefused):
            offers.take(offer, LATER)
        assert told(moderator) == ["clara does not want to be a substitute"]
        assert play.player(1).user == people[1]

    def test_an_offer_ends_with_a_block(self, case, play, moderator, people):
        left(case, play, moderator, people[0])
        offers.ask(case, play.id, people[2], **how(moderator))
        offer = SubstituteOffer.objects.get()
        assert offers.is_open(offer, LATER)
        blocks.block(user=people[0], other=people[2], now=LATER)
        assert not offers.is_open(offer, LATER)

    def test_an_offer_expires(self, case, play, moderator, people):
        left(case, play, moderator, people[0])
        offers.ask(case, play.id, people[2], **how(moderator))
        with pytest.raises(ModerationRefused):
            offers.take(SubstituteOffer.objects.get(), LATER + offers.OPEN_FOR)


class TestPlayingOn:
    @pytest.fixture
    def swapped(self, case, play, moderator, people):
        """Clara plays on for Bruno, who has peeked and moved."""
        play.move(0, "1")
        play.move(1, "peek")
        play.move(1, "1")
        left(case, play, moderator, people[0])
        taken(case, play, moderator, people[2])
        play.people = [people[0], people[2]]
        return play

    def test_the_substitute_moves_and_the_former_player_does_not(self, swapped, people):
        ada, bruno = people[:2]
        swapped.move(0, "1", now=LATER)
        with pytest.raises(NotAPlayer):
            services.play_move(
                match_id=swapped.id,
                user=bruno,
                texts=["1"],
                version=swapped.match.version,
                submission=uuid4(),
                now=LATER,
            )
        swapped.move(1, "1", now=LATER)
        assert verify.verify(swapped.id) == []
        assert told(ada)[-1] == told(bruno)[-1] == "clara plays on for bruno"

    def test_the_record_says_who_played_from_where(self, swapped, people):
        entry = selectors.log(swapped.match)[-1]
        assert (entry.kind, entry.seat) == ("substitute", 1)
        (former,) = FormerPlayer.objects.all()
        assert (former.user, former.until) == (people[1], entry.number)
        found = record.export(swapped.snapshot, selectors.log(swapped.match))
        assert found["former_players"] == [{"seat": 1, "name": "bruno", "until": entry.number}]
        assert [player["name"] for player in found["players"]] == ["ada", "clara"]
        page = Client().get(f"/matches/{swapped.id}/").content.decode()
        assert f"was played by bruno until entry {entry.number}" in page
        text = Client().get(f"/matches/{swapped.id}/export.txt").content.decode()
        assert f"was played by bruno until entry {entry.number}" in text

    def test_what_was_hidden_before_stays_hidden_from_the_substitute(self, swapped):
        log = selectors.log(swapped.match)
        peek = next(number for number, entry in enumerate(log) if entry.text == "peek")
        shown = MatchView(swapped.snapshot.table, Seat(1), log)
        stranger = MatchView(swapped.snapshot.table, None, log)
        assert shown.lines[peek].sentences == stranger.lines[peek].sentences
        before = log[peek].number
        assert shown.drawing_at(before) == stranger.drawing_at(before)
        assert shown.position != stranger.position

    def test_clocks_run_on_and_the_substitute_has_the_time_of_the_start(self, swapped):
        clock = PRESETS["standard"]
        assert swapped.player(1).time_left >= clock.start
        assert swapped.player(0).deadline is not None
        assert swapped.player(1).deadline is None

    def test_the_former_player_left_it(self, swapped, people):
        assert reliability.of(people[1], LATER) == 75
        assert reliability.of(people[2], LATER) is None
        (own,) = personal_data.export(people[1])["matches"]
        assert [entry["text"] for entry in own["entries"]] == ["peek", "1"]
        (theirs,) = personal_data.export(people[2])["matches"]
        assert theirs["entries"] == []


def test_the_vacation_and_plans_of_the_former_player_do_not_stay(case, play, moderator, people):
    bruno = people[1]
    User.objects.filter(pk=bruno.pk).update(date_joined=NOW - 1000 * DAY)
    bruno.refresh_from_db()
    play.move(0, "1")
    vacations.plan(user=bruno, begin=None, end=NOW + 20 * DAY, shows_end=True, now=NOW)
    nodes = Lines().with_line(unconditional_steps(["1"], 1), 1).dump()
    ConditionalMoves.objects.create(
        player=play.player(1), nodes=nodes, after=1, waits=False, submission=uuid4()
    )
    left(case, play, moderator, people[0])
    taken(case, play, moderator, people[2])
    seat = play.player(1)
    assert seat.deadline == LATER + PRESETS["standard"].start
    assert not ConditionalMoves.objects.exists()
    assert not seat.plans


def test_a_seat_that_is_out_is_not_taken_over(play, moderator, people, start):
    three = start(seats=3)
    three.act(services.resign, 1)
    with pytest.raises(GameError, match="not played any more"):
        substitutes.swap_in(match_id=three.id, seat=Seat(1), user=people[3], **how(moderator))
    play.act(services.resign, 0)
    with pytest.raises(GameError, match="ended"):
        substitutes.swap_in(match_id=play.id, seat=Seat(1), user=people[3], **how(moderator))


def test_it_is_nobodys_turn_who_left(case, play, moderator, people):
    left(case, play, moderator, people[0])
    taken(case, play, moderator, people[2])
    play.people = [people[0], people[2]]
    with pytest.raises(NotYourTurn):
        play.move(1, "1", now=LATER)
