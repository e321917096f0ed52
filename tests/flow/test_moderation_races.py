"""What two people do about one case, seat or match at the same moment, on PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction

from accounts.sanctions.models import Sanction
from games.kernel.errors import GameError
from games.matches import services
from games.matches.errors import NotAPlayer
from games.matches.log.verify import verify
from games.matches.models import FormerPlayer, LogEntry
from games.moderation import abandoned, actions, cases
from games.moderation import substitutes as offers
from games.moderation.errors import NotYours
from games.moderation.models import AbandonedSeat, Case, ModeratorAction, SubstituteOffer
from tests.concurrency import PATIENCE, run_concurrently, wait_until_blocked
from tests.fixtures import NOW
from tests.moderation import make_moderator, reported

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

LATER = NOW + timedelta(hours=1)


@pytest.fixture
def people(transactional_db, people):
    return people


def by(moderator):
    return {"moderator": moderator, "reason": "Gone for weeks.", "now": LATER}


def tried(call):
    """Do something; return what is raised where it is refused."""
    try:
        return call()
    except GameError as refusal:
        return type(refusal)


def meanwhile(first, second):
    """Let a call wait for what another one, made in a transaction, holds; return its outcome."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            waiting = pool.submit(run_concurrently, partial(tried, second))
            wait_until_blocked()
        return waiting.result(PATIENCE)[0]


@pytest.fixture
def wanted(case, play, people, moderator):
    """Bruno's seat is abandoned, Ada wants a substitute, and Clara is asked."""
    actions.abandon(case, play.id, **by(moderator))
    found = AbandonedSeat.objects.get()
    abandoned.choose(found, user=people[0], choice="substitute", now=LATER)
    offers.ask(case, play.id, people[2], **by(moderator))
    return found


class TestCases:
    def test_one_of_two_moderators_has_a_case_that_both_claim(self, case, people, clara):
        both = (clara, make_moderator(people[3]))
        calls = [
            partial(tried, partial(cases.claim, Case.objects.get(), moderator=one, now=NOW))
            for one in both
        ]
        outcomes = run_concurrently(*calls)
        assert sorted(map(str, outcomes)) == sorted(map(str, (None, NotYours)))
        assert Case.objects.get().claimed_by == both[outcomes.index(None)]

    def test_who_claims_second_imposes_nothing(self, case, people, clara):
        other = make_moderator(people[3])
        second = partial(actions.sanction, case, Sanction.Kind.WARNING, **by(other))
        claims = partial(cases.claim, Case.objects.get(), moderator=clara, now=LATER)
        assert meanwhile(claims, second) == NotYours
        assert not Sanction.objects.exists()
        assert not ModeratorAction.objects.exists()

    def test_two_reports_at_once_come_to_one_case(self, play, people):
        ada, bruno, clara, _ = people
        run_concurrently(
            *(partial(reported, play.id, reporter, bruno) for reporter in (ada, clara))
        )
        assert Case.objects.get().reports.count() == 2

    def test_one_of_two_answers_to_an_appeal_stays(self, case, people, moderator, clara):
        imposed = actions.sanction(case, Sanction.Kind.BAN, **by(moderator))
        Sanction.objects.update(appeal="It was not me.", appealed=LATER)
        answers = [
            partial(tried, partial(actions.answer_appeal, imposed, lifts=lifts, **by(one)))
            for one, lifts in ((clara, True), (make_moderator(people[3]), False))
        ]
        outcomes = run_concurrently(*answers)
        assert outcomes.count(None) == 1
        imposed.refresh_from_db()
        assert (imposed.lifted is not None) == (outcomes[0] is None)


class TestAbandonedSeats:
    @pytest.fixture
    def play(self, start):
        return start(seats=3)

    @pytest.fixture
    def found(self, play, people, moderator):
        case = reported(play.id, people[0], people[1]).case
        actions.abandon(case, play.id, **by(moderator))
        return AbandonedSeat.objects.get()

    def choosing(self, found, user, choice):
        return partial(tried, partial(abandoned.choose, found, user=user, choice=choice, now=LATER))

    def test_opponents_who_choose_differently_at_once_decide_nothing(self, found, play, people):
        run_concurrently(
            *(self.choosing(found, people[n], c) for n, c in ((0, "remove"), (2, "wait")))
        )
        found.refresh_from_db()
        assert (found.outcome, found.choices.count()) == ("", 2)
        assert not play.player(1).dropped

    def test_opponents_who_choose_the_same_at_once_are_both_counted(self, found, play, people):
        run_concurrently(*(self.choosing(found, people[n], "remove") for n in (0, 2)))
        found.refresh_from_db()
        assert found.outcome == "remove"
        assert play.kinds().count("remove") == 1

    def test_who_comes_back_first_is_not_taken_out(self, found, play, people):
        self.choosing(found, people[0], "remove")()
        back = partial(abandoned.come_back, found, now=LATER)
        second = partial(abandoned.choose, found, user=people[2], choice="remove", now=LATER)
        assert issubclass(meanwhile(back, second), GameError)
        assert not play.player(1).dropped

    def test_who_comes_back_second_is_out(self, found, play, people):
        self.choosing(found, people[0], "remove")()
        last = partial(abandoned.choose, found, user=people[2], choice="remove", now=LATER)
        back = partial(abandoned.come_back, found, now=LATER)
        assert issubclass(meanwhile(last, back), GameError)
        assert play.player(1).dropped == "removed"


class TestSubstitutes:
    def test_nobody_takes_the_seat_of_who_comes_back_first(self, wanted, play, people):
        take = partial(offers.take, SubstituteOffer.objects.get(), LATER)
        back = partial(abandoned.come_back, wanted, now=LATER)
        assert issubclass(meanwhile(back, take), GameError)
        assert play.player(1).user == people[1]
        assert not FormerPlayer.objects.exists()
        assert verify(play.id) == []

    def test_who_comes_back_second_has_lost_the_seat(self, wanted, play, people):
        take = partial(offers.take, SubstituteOffer.objects.get(), LATER)
        back = partial(abandoned.come_back, wanted, now=LATER)
        assert issubclass(meanwhile(take, back), GameError)
        assert play.player(1).user == people[2]
        wanted.refresh_from_db()
        assert wanted.outcome == "substitute"

    def test_a_seat_is_taken_once_by_one_of_two(self, wanted, case, play, people, moderator):
        offers.ask(case, play.id, people[3], **by(moderator))
        both = SubstituteOffer.objects.order_by("pk")
        outcomes = run_concurrently(
            *(partial(tried, partial(offers.take, one, LATER)) for one in both)
        )
        assert outcomes.count(None) == 1
        assert play.player(1).user == people[2 + outcomes.index(None)]
        assert FormerPlayer.objects.count() == 1
        assert play.kinds().count("substitute") == 1

    def test_a_move_of_the_former_player_at_that_moment_is_before_it_or_refused(
        self, wanted, play, people
    ):
        play.move(0, "1", now=LATER)
        take = partial(offers.take, SubstituteOffer.objects.get(), LATER)
        moves = partial(tried, partial(play.move, 1, "1", now=LATER))
        _, moved = run_concurrently(partial(tried, take), moves)
        kinds = play.kinds()
        assert play.player(1).user == people[2]
        if isinstance(moved, type):
            assert issubclass(moved, NotAPlayer | GameError)
            assert kinds[-1] == "substitute"
        else:
            assert kinds[-2:] == ["play", "substitute"]
        assert verify(play.id) == []


class TestMatches:
    @pytest.mark.parametrize("annul", [True, False])
    def test_a_move_while_a_moderator_ends_the_match_is_before_it_or_refused(
        self, case, play, moderator, annul
    ):
        end = partial(actions.end_match, case, play.id, annul=annul, **by(moderator))
        moves = partial(tried, partial(play.move, 0, "1", now=LATER))
        ended, moved = run_concurrently(partial(tried, end), moves)
        assert ended is None
        assert not play.match.is_running
        last = "annul" if annul else "close"
        assert play.kinds() == [*([] if isinstance(moved, type) else ["play"]), last]
        assert verify(play.id) == []

    def test_two_moderators_end_a_match_once(self, play, people, moderator, clara):
        ends = [
            partial(
                tried,
                partial(
                    actions.end_match,
                    reported(play.id, people[0], people[1], kind).case,
                    play.id,
                    annul=False,
                    **by(who),
                ),
            )
            for kind, who in ((Case.Kind.CHEATING, moderator), (Case.Kind.ABUSE, clara))
        ]
        outcomes = run_concurrently(*ends)
        assert outcomes.count(None) == 1
        assert LogEntry.objects.filter(match=play.id).count() == 1
        assert ModeratorAction.objects.filter(action="end").count() == 1, "what failed is undone"
        with pytest.raises(GameError):
            play.act(services.resign, 0, now=LATER)
