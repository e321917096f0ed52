"""Ladders: who may challenge whom, and who has which place afterwards."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import blocks
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.ladders import selectors, services
from games.ladders.models import LadderChallenge, LadderPlace
from games.ladders.personal_data import LaddersData
from games.ladders.selectors import Reasons
from games.lobby import reliability
from games.lobby import services as lobby
from games.lobby.models import Challenge, ChallengePreferences
from games.matches import services as matches
from games.matches.clock import DAY
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.matches.models import Match, Player
from tests.concurrency import run_concurrently
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")

SLUG = "heap"


def seat(*users, now=NOW):
    """Put users on the ladder in this order, without bots."""
    services.Ladder.objects.get_or_create(title=SLUG)
    for position, user in enumerate(users, 1):
        LadderPlace.objects.create(title=SLUG, user=user, position=position, joined=now, active=now)


def order():
    return [place.user.username for place in selectors.places(SLUG)]


def positions():
    return list(selectors.places(SLUG).values_list("position", flat=True))


def away(user, begin=NOW):
    user.date_joined = begin - 365 * DAY
    user.save()
    vacations.plan(user=user, begin=begin, end=begin + 9 * DAY, shows_end=True, now=begin)


def challenge(user, other, now=NOW):
    return services.challenge(user=user, other=other, title=SLUG, now=now)


def accept(one, now=NOW):
    return lobby.accept(challenge_id=one.challenge_id, user=one.defender, now=now).match


def end(match, winner, *, now=NOW + DAY, status="over"):
    """End a match with a winner; with ``None`` it is a draw."""
    for player in Player.objects.filter(match=match):
        drawn = 1 if winner is None or player.user == winner else 2
        Player.objects.filter(pk=player.pk).update(rank=drawn, ended=now)
    Match.objects.filter(pk=match.pk).update(status=status, ending="last", ended=now)
    services.sweep(now=now)


def refusal(user, other, now=NOW):
    own = selectors.place_of(user, SLUG)
    return Reasons(user, own, now).refusal(other)


def test_the_first_to_join_finds_bots_and_the_next_is_below(people):
    for user in people[:2]:
        services.join(user=user, title=SLUG, now=NOW)
        services.join(user=user, title=SLUG, now=NOW)
    bots = ["bot-expert", "bot-strong", "bot-casual", "bot-beginner"]
    assert order() == [*bots, "ada", "bruno"]
    assert positions() == [1, 2, 3, 4, 5, 6]


def test_guests_programs_and_unconfirmed_accounts_have_no_place(people):
    guest = User.objects.create(username="guest-1", is_guest=True)
    program = User.objects.create(username="prog", is_program=True)
    for user in (guest, program):
        with pytest.raises(Refused):
            services.join(user=user, title=SLUG, now=NOW)
    assert order() == []


def test_who_left_too_many_matches_at_the_first_move_reads_so_on_the_button(people, start):
    ada, bruno = people[:2]
    for _ in range(reliability.LIMITED_AT):
        play = start()
        late = play.player(0).deadline + DAY
        matches.time_out(match_id=play.id, now=late)
    seat(bruno, user_of(LEVELS[0]), ada, now=late)
    own = selectors.place_of(ada, SLUG)
    assert Reasons(ada, own, late).refusal(bruno) == ""
    start(now=late)
    assert "one match at a time" in Reasons(ada, own, late).refusal(bruno)
    assert Reasons(ada, own, late).refusal(user_of(LEVELS[0])) == ""
    with pytest.raises(Refused, match="one match at a time"):
        challenge(ada, bruno, now=late)
    assert challenge(ada, user_of(LEVELS[0]), now=late)


def test_who_has_as_many_matches_as_they_want_reads_so_on_the_button(people, start):
    ada, bruno = people[:2]
    seat(bruno, ada)
    ChallengePreferences.objects.create(user=ada, most_matches=1)
    start()
    own = selectors.place_of(ada, SLUG)
    assert "your own limit allows" in Reasons(ada, own, NOW).refusal(bruno)


def test_ladders_are_left_in_one_order_so_that_two_who_leave_do_not_wait_for_each_other(
    people, monkeypatch
):
    for title in ("die", "heap", "abc"):
        LadderPlace.objects.create(title=title, user=people[0], position=1, joined=NOW, active=NOW)
    left = []
    monkeypatch.setattr(services, "leave", lambda *, title, **_: left.append(title))
    services.leave_all(people[0], NOW)
    assert left == ["abc", "die", "heap"]


def test_a_winner_from_below_takes_the_place(people):
    ada, bruno, clara, daniel = people
    seat(ada, bruno, clara, daniel)
    one = challenge(daniel, bruno)
    match = accept(one)
    assert match.rated
    assert match.time_control == services.CLOCK
    end(match, daniel)
    assert order() == ["ada", "daniel", "bruno", "clara"]
    assert positions() == [1, 2, 3, 4]
    one.refresh_from_db()
    assert one.outcome == "won"


@pytest.mark.parametrize("winner", [0, None])
def test_after_a_loss_or_a_draw_nobody_moves(people, winner):
    seat(*people)
    match = accept(challenge(people[1], people[0]))
    end(match, None if winner is None else people[winner])
    assert order() == ["ada", "bruno", "clara", "daniel"]


def test_a_winner_who_is_above_by_then_stays(people):
    ada, bruno, clara = people[:3]
    seat(ada, bruno, clara)
    first = accept(challenge(clara, bruno))
    second = accept(challenge(clara, ada))
    end(second, clara)
    assert order() == ["clara", "ada", "bruno"]
    end(first, clara, now=NOW + 2 * DAY)
    assert order() == ["clara", "ada", "bruno"]


def test_no_answer_costs_the_place(people, django_capture_on_commit_callbacks):
    ada, bruno = people[:2]
    seat(ada, bruno)
    challenge(bruno, ada)
    with django_capture_on_commit_callbacks(execute=True):
        lobby.expire(now=NOW + selectors.ANSWER)
    services.sweep(now=NOW + selectors.ANSWER)
    assert order() == ["bruno", "ada"]
    told = Notification.objects.filter(kind="ladder").values_list("recipient__username", flat=True)
    assert sorted(told) == ["ada", "bruno"]


def test_declining_costs_the_place_too(people, django_capture_on_commit_callbacks):
    ada, bruno = people[:2]
    seat(ada, bruno)
    one = challenge(bruno, ada)
    with django_capture_on_commit_callbacks(execute=True):
        lobby.decline(challenge_id=one.challenge_id, user=ada, now=NOW)
    assert order() == ["bruno", "ada"]


def expire(now):
    lobby.expire(now=now)
    services.sweep(now=now)


def test_a_vacation_keeps_the_place(people):
    ada, bruno = people[:2]
    seat(ada, bruno)
    one = challenge(bruno, ada)
    away(ada)
    expire(NOW + selectors.ANSWER)
    assert order() == ["ada", "bruno"]
    expire(NOW + 9 * DAY + selectors.ANSWER - timedelta(seconds=1))
    assert LadderChallenge.objects.get().outcome == ""
    accept(one, now=NOW + 9 * DAY + selectors.ANSWER - timedelta(seconds=1))


def test_the_time_to_answer_runs_on_after_a_vacation(people):
    """Nobody parries a challenge with a day of vacation when the time to answer is over."""
    ada, bruno = people[:2]
    seat(ada, bruno)
    challenge(bruno, ada)
    User.objects.update(date_joined=NOW - 365 * DAY)
    ada.refresh_from_db()
    begin = NOW + selectors.ANSWER - timedelta(hours=1)
    plan = {"user": ada, "shows_end": True, "now": begin}
    vacations.plan(begin=None, end=begin + 2 * DAY, **plan)
    expire(NOW + selectors.ANSWER)
    expire(begin + DAY)
    vacations.end(user=ada, now=begin + DAY)
    expire(begin + DAY + timedelta(minutes=59))
    assert order() == ["ada", "bruno"]
    expire(begin + DAY + timedelta(hours=1))
    assert order() == ["bruno", "ada"]


def test_a_planned_vacation_counts_too_and_one_after_the_time_is_too_late(people):
    ada, bruno, clara = people[:3]
    seat(ada, bruno, clara)
    User.objects.update(date_joined=NOW - 365 * DAY)
    for user in (ada, bruno):
        user.refresh_from_db()
    how = {"shows_end": True, "now": NOW}
    vacations.plan(user=ada, begin=NOW + DAY, end=NOW + 6 * DAY, **how)
    challenge(bruno, ada)
    assert Challenge.objects.get().expires == NOW + 8 * DAY
    vacations.end(user=ada, now=NOW)
    assert Challenge.objects.get().expires == NOW + 3 * DAY
    late = NOW + selectors.ANSWER
    vacations.plan(user=ada, begin=None, end=late + 2 * DAY, shows_end=True, now=late)
    expire(late)
    assert order() == ["bruno", "ada", "clara"]


def cancel(match, user):
    matches.cancel(
        match_id=match.pk, user=user, version=0, submission=uuid4(), now=NOW + timedelta(hours=1)
    )
    services.sweep(now=NOW + timedelta(hours=1))


def test_a_defender_who_cancels_alone_loses_the_place(people):
    ada, bruno = people[:2]
    seat(ada, bruno)
    one = challenge(bruno, ada)
    cancel(accept(one), ada)
    one.refresh_from_db()
    assert one.outcome == "forfeited"
    assert order() == ["bruno", "ada"]
    told = Notification.objects.filter(kind="ladder").values_list("recipient__username", flat=True)
    assert sorted(told) == ["ada", "bruno"]


def test_a_challenger_who_cancels_alone_and_both_together_change_nothing(people):
    ada, bruno, clara = people[:3]
    seat(ada, bruno, clara)
    cancel(accept(challenge(bruno, ada)), bruno)
    match = accept(challenge(clara, ada))
    how = {"match_id": match.pk, "now": NOW + timedelta(hours=1)}
    matches.offer_cancel(user=ada, version=0, submission=uuid4(), **how)
    matches.accept_offer(user=clara, version=1, submission=uuid4(), **how)
    services.sweep(now=NOW + timedelta(hours=1))
    assert set(LadderChallenge.objects.values_list("outcome", flat=True)) == {"void"}
    assert order() == ["ada", "bruno", "clara"]


def test_what_is_withdrawn_or_cancelled_changes_nothing(people):
    ada, bruno, clara = people[:3]
    seat(ada, bruno, clara)
    one = challenge(bruno, ada)
    lobby.withdraw(challenge_id=one.challenge_id, user=bruno, now=NOW)
    services.sweep(now=NOW)
    end(accept(challenge(clara, bruno)), clara, status="cancelled")
    assert order() == ["ada", "bruno", "clara"]
    assert set(LadderChallenge.objects.values_list("outcome", flat=True)) == {"void"}


def test_an_annulled_win_moves_both_back(people):
    ada, bruno, clara = people[:3]
    seat(ada, bruno, clara)
    match = accept(challenge(clara, ada))
    end(match, clara)
    assert order() == ["clara", "ada", "bruno"]
    for _ in range(2):
        end(match, clara, status="annulled")
        assert order() == ["ada", "clara", "bruno"]
    assert positions() == [1, 2, 3]


def test_why_a_player_cannot_be_challenged(people):
    ada, bruno, clara, daniel = people
    more = [User.objects.create(username=f"p{n}", email=f"p{n}@example.org") for n in range(5)]
    seat(ada, *more, bruno, clara, daniel)
    assert "up to 5 places" in refusal(bruno, ada)
    assert "up to 5 places" in refusal(bruno, clara)
    one = challenge(clara, bruno)
    assert refusal(clara, bruno) == "You two have a ladder challenge or match already."
    with pytest.raises(Refused, match="already"):
        challenge(clara, bruno)
    challenge(daniel, bruno)
    challenge(daniel, clara)
    assert refusal(daniel, more[4]).startswith("You have made 2 ladder challenges")
    last = User.objects.create(username="last", email="last@example.org")
    LadderPlace.objects.create(title=SLUG, user=last, position=10, joined=NOW, active=NOW)
    assert refusal(last, bruno) == "bruno has 2 ladder challenges already."
    lobby.withdraw(challenge_id=one.challenge_id, user=clara, now=NOW)
    services.sweep(now=NOW)
    assert refusal(clara, bruno) == "You can challenge bruno again from 8 May."
    assert refusal(clara, bruno, NOW + selectors.REST) == ""
    blocks.block(user=more[4], other=clara, now=NOW)
    assert refusal(clara, more[4]) == "One of you has blocked the other."
    away(more[3])
    assert refusal(clara, more[3]) == "p3 is on vacation."
    ChallengePreferences.objects.create(user=more[2], challengers="nobody")
    assert refusal(clara, more[2]) == "p2 takes no challenges."


def test_who_is_not_on_the_ladder_challenges_nobody(people):
    seat(people[0])
    with pytest.raises(Refused, match="Join the ladder first"):
        challenge(people[1], people[0])
    assert not Challenge.objects.exists()


def test_a_bot_accepts_at_once(people, django_capture_on_commit_callbacks):
    seat(user_of(LEVELS[0]), people[0])
    with django_capture_on_commit_callbacks(execute=True):
        one = challenge(people[0], user_of(LEVELS[0]), now=timezone.now())
    one.challenge.refresh_from_db()
    assert one.challenge.match is not None


def test_inactive_players_leave_unless_they_play(people):
    ada, bruno, clara, daniel = people
    seat(ada, bruno, clara, daniel)
    accept(challenge(daniel, clara))
    later = NOW + selectors.IDLE
    away(ada, later - DAY)
    services.sweep(now=later - timedelta(seconds=1))
    assert len(order()) == 4
    services.sweep(now=later)
    assert order() == ["ada", "clara", "daniel"]
    assert positions() == [1, 2, 3]
    assert Notification.objects.get(kind="ladder").recipient == bruno


def test_leaving_ends_pending_challenges_and_closes_the_gap(people):
    ada, bruno, clara = people[:3]
    seat(ada, bruno, clara)
    made, received = challenge(bruno, ada), challenge(clara, bruno)
    services.leave(user=bruno, title=SLUG, now=NOW)
    services.sweep(now=NOW)
    assert order() == ["ada", "clara"]
    assert positions() == [1, 2]
    for one, status in ((made, "withdrawn"), (received, "declined")):
        one.challenge.refresh_from_db()
        assert one.challenge.status == status


def test_deleted_and_banned_accounts_leave(people):
    ada, bruno, clara, daniel = people
    seat(ada, bruno, clara, daniel)
    LaddersData().delete(ada, NOW)
    User.objects.filter(pk=bruno.pk).update(is_active=False)
    standing.impose(clara, Sanction.Kind.BAN, reason="A test.", moderator=daniel, now=NOW)
    services.sweep(now=NOW)
    assert order() == ["daniel"]


def test_the_export_has_places_and_challenges(people):
    ada, bruno = people[:2]
    seat(ada, bruno)
    challenge(bruno, ada)
    exported = LaddersData().export(ada)["ladders"]
    assert exported["places"][0]["position"] == 1
    assert (exported["challenges"][0]["by"], exported["challenges"][0]["to"]) == ("bruno", "ada")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_challenges_at_once_so_many_go_through_as_allowed(toy, people):
    ada, *others = people
    seat(ada, *others)

    def attempt(user, other):
        try:
            challenge(user, other)
        except Refused:
            return False
        return True

    same = run_concurrently(*[lambda: attempt(others[0], ada)] * 2)
    assert sorted(same) == [False, True]
    both = run_concurrently(*(lambda user=user: attempt(user, ada) for user in others[1:]))
    assert sorted(both) == [False, True]
    assert Challenge.objects.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_ends_at_the_same_moment_leave_no_gap(toy, people):
    ada, bruno, clara, daniel = people
    seat(ada, bruno, clara, daniel)
    ones = [challenge(daniel, ada), challenge(clara, bruno)]
    for one, winner in zip(ones, (daniel, clara), strict=True):
        match = accept(one)
        for player in match.players.all():
            Player.objects.filter(pk=player.pk).update(rank=1 if player.user == winner else 2)
        Match.objects.filter(pk=match.pk).update(status="over", ending="last", ended=NOW)
    run_concurrently(*(lambda pk=one.pk: services.settle(pk, now=NOW) for one in ones))
    assert positions() == [1, 2, 3, 4]
    assert order()[0] == "daniel"
    assert order().index("clara") < order().index("bruno")
