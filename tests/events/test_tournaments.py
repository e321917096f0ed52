"""Tournaments from entry to the final standings, and what could stall them."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import closing, personal_data
from accounts.models import Notification, User
from accounts.notifications import outdated, render
from accounts.sanctions.models import Sanction
from games.events import notifications, selectors, services, tasks
from games.events.errors import EntryClosed
from games.events.models import Entry, Table, TableSeat, Tournament
from games.events.results import GRACE, lines_of
from games.kernel.errors import BadParams
from games.matches import services as matches
from games.matches.clock import PRESETS, Clock
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.notify.notification_emails import match_email
from games.moderation import actions as moderation
from games.moderation.models import AbandonedSeat
from tests.concurrency import run_concurrently
from tests.fixtures import NOW
from tests.moderation import reported

DAY = timedelta(days=1)
Format = Tournament.Format


@pytest.fixture(autouse=True)
def _no_tasks(monkeypatch):
    """Tests go on with tournaments themselves, at the time they say."""
    for task in ("advance_tournaments", "draw_first_rounds"):
        monkeypatch.setattr(f"games.events.tasks.{task}.apply_async", lambda **_: None)
    monkeypatch.setattr("games.ratings.tasks.rate_matches.apply_async", lambda **_: None)


@pytest.fixture
def players(toy, people):
    more = ("emil", "fanny", "gustav", "hedda")
    return [*people, *(User.objects.create(username=n, email=f"{n}@example.org") for n in more)]


def announce(organiser, **terms):
    terms = {
        "name": "Spring Cup",
        "title": "heap",
        "params": {},
        "clock": PRESETS["standard"],
        "format": Format.ROUND_ROBIN,
        "most": 4,
        "starts": NOW + 7 * DAY,
        "round_days": 21,
        "now": NOW,
        **terms,
    }
    return services.create(organiser=organiser, **terms)


def begun(players, **terms):
    """A tournament that all players have entered, so that it has begun, with its first round."""
    made = announce(players[0], most=len(players), **terms)
    for user in players:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    services.advance(made.pk, now=NOW)
    return selectors.get(made.pk)


def end(match, *, winner=None, now=NOW):
    """End a match: all but the winner resign, or the first seat wins."""
    winner = winner or match.players.get(seat=0).user
    for player in match.players.exclude(user=winner):
        version = Match.objects.get(pk=match.pk).version
        if Match.objects.get(pk=match.pk).is_running:
            matches.resign(
                match_id=match.pk, user=player.user, version=version, submission=uuid4(), now=now
            )


def running(tournament):
    tables = Table.objects.filter(round__tournament=tournament, ended=None)
    return [table.match for table in tables.select_related("match")]


def play_out(tournament, winner=None, now=NOW):
    """Play a tournament to its end; the winner wins their matches, elsewhere the first seat."""
    for _ in range(40):
        open_matches = running(tournament)
        if not open_matches:
            break
        for match in open_matches:
            is_in = match.players.filter(user=winner).exists() if winner else False
            end(match, winner=winner if is_in else None, now=now)
        services.advance(tournament.pk, now=now)
    return selectors.get(tournament.pk)


def pairs(tournament):
    return [
        frozenset(seat.entry.user_id for seat in table.table_seats.all())
        for table in selectors.tables_of(tournament)
    ]


# --- Entry ------------------------------------------------------------------------------------


def test_the_last_player_starts_it(players):
    made = announce(players[0], most=3)
    for user in players[:2]:
        assert services.join(tournament_id=made.pk, user=user, now=NOW).is_open
    assert services.join(tournament_id=made.pk, user=players[2], now=NOW).is_running


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_worker_draws_the_first_round(players, monkeypatch):
    started = []
    draw = "games.events.tasks.draw_first_rounds.apply_async"
    monkeypatch.setattr(draw, lambda args, **_: started.extend(*args))
    made = announce(players[0], most=3)
    for user in players[:3]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    tasks.begun_tournaments.wait(10)
    assert not Match.objects.exists()
    assert started == [made.pk]
    for _ in range(2):
        tasks.draw_first_rounds(started)
    assert Match.objects.count() == 3


def test_the_sweep_draws_a_round_of_which_the_task_was_lost(players):
    made = announce(players[0], most=3)
    for user in players[:3]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    services.sweep(now=NOW)
    assert Match.objects.count() == 3


def test_a_tournament_that_fails_keeps_no_other_from_going_on(players):
    made = announce(players[0], most=3)
    for user in players[:3]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    services.advance_each([made.pk + 1, made.pk], now=NOW)
    assert Match.objects.count() == 3


def test_who_leaves_before_the_round_is_drawn_is_not_in_it(players):
    made = announce(players[0], most=4, format=Format.SWISS, rounds=2)
    for user in players[:4]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    services.leave(tournament_id=made.pk, user=players[0], now=NOW)
    assert not Match.objects.filter(players__user=players[0]).exists()
    assert Match.objects.count() == 1


def test_entering_twice_has_no_effect(players):
    made = announce(players[0])
    for _ in range(2):
        services.join(tournament_id=made.pk, user=players[0], now=NOW)
    assert Entry.objects.count() == 1


def test_entering_twice_has_no_effect_with_as_many_as_one_may_enter(players, monkeypatch):
    monkeypatch.setattr(services, "MAX_ENTERED", 1)
    made = announce(players[0])
    for _ in range(2):
        services.join(tournament_id=made.pk, user=players[1], now=NOW)
    assert Entry.objects.get().user == players[1]


def test_nobody_enters_what_has_begun(players):
    made = begun(players[:3])
    with pytest.raises(EntryClosed):
        services.join(tournament_id=made.pk, user=players[3], now=NOW)


def test_guests_and_programs_do_not_enter(players):
    made = announce(players[0])
    for fields in ({"is_guest": True}, {"is_program": True}):
        stranger = User.objects.create(username=f"x{len(fields)}{next(iter(fields))}", **fields)
        with pytest.raises(Refused):
            services.join(tournament_id=made.pk, user=stranger, now=NOW)
    assert not Entry.objects.exists()


def test_who_leaves_before_the_start_may_come_back(players):
    made = announce(players[0])
    services.join(tournament_id=made.pk, user=players[1], now=NOW)
    services.leave(tournament_id=made.pk, user=players[1], now=NOW)
    assert not Entry.objects.exists()
    services.join(tournament_id=made.pk, user=players[1], now=NOW)
    assert Entry.objects.count() == 1


def test_it_begins_with_as_many_as_can_play(players):
    made = announce(players[0], most=3)
    for user in players[:2]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    Sanction.objects.create(user=players[0], kind=Sanction.Kind.BAN, reason="x", since=NOW)
    assert services.join(tournament_id=made.pk, user=players[2], now=NOW).is_open
    assert made.entries.count() == 2
    User.objects.filter(pk=players[1].pk).update(is_active=False)
    assert services.wait(tournament_id=made.pk, user=players[3], now=NOW).is_open
    assert services.join(tournament_id=made.pk, user=players[4], now=NOW).is_running
    assert made.entries.count() == 3


def test_who_is_shut_out_holds_no_place_of_a_full_tournament(players):
    made = announce(players[0], most=3, begins_when_full=False)
    for user in players[:3]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    Sanction.objects.create(user=players[0], kind=Sanction.Kind.BAN, reason="x", since=NOW)
    services.join(tournament_id=made.pk, user=players[3], now=NOW)
    assert set(made.entries.values_list("user", flat=True)) == {u.pk for u in players[1:4]}


def test_on_its_date_it_begins_with_those_who_are_in(players):
    made = announce(players[0], most=8)
    for user in players[:3]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    services.sweep(now=NOW + 7 * DAY - timedelta(seconds=1))
    assert selectors.get(made.pk).is_open
    services.sweep(now=NOW + 7 * DAY)
    assert selectors.get(made.pk).is_running
    assert len(pairs(made)) == 3


def test_with_too_few_players_it_is_cancelled(players):
    made = announce(players[0])
    for user in players[:2]:
        services.join(tournament_id=made.pk, user=user, now=NOW)
    services.sweep(now=NOW + 7 * DAY)
    assert selectors.get(made.pk).status == Tournament.Status.CANCELLED
    told = Notification.objects.filter(kind="tournament-cancelled")
    assert {one.recipient_id for one in told} == {user.pk for user in players[:2]}


def test_only_the_organiser_cancels_and_only_before_it_begins(players):
    made = announce(players[0], most=3)
    with pytest.raises(Refused):
        services.cancel(tournament_id=made.pk, user=players[1], now=NOW)
    assert selectors.get(made.pk).is_open
    services.cancel(tournament_id=made.pk, user=players[0], now=NOW)
    with pytest.raises(EntryClosed):
        services.cancel(tournament_id=made.pk, user=players[0], now=NOW)


@pytest.mark.parametrize(
    "terms",
    [
        {"most": 200},
        {"least": 2},
        {"least": 9, "most": 8},
        {"seats": 3, "format": Format.DOUBLE},
        {"seats": 3, "format": Format.GROUPS, "least": 6, "most": 8},
        {"seats": 4, "format": Format.KNOCK_OUT, "least": 3},
        {"least": 5, "most": 8, "format": Format.GROUPS},
        {"starts": NOW},
        {"starts": NOW + 61 * DAY},
        {"round_days": 1},
        {"rounds": 10},
    ],
)
def test_terms_that_do_not_fit_are_refused(players, terms):
    with pytest.raises(Refused):
        announce(players[0], **terms)
    assert not Tournament.objects.exists()


def test_a_game_for_four_has_no_tables_of_five(players):
    with pytest.raises(BadParams):
        announce(players[0], seats=5, least=5, most=10)


def test_a_user_organises_three_at_a_time(players):
    for _ in range(services.MAX_ORGANISED):
        last = announce(players[0])
    with pytest.raises(Refused):
        announce(players[0])
    services.cancel(tournament_id=last.pk, user=players[0], now=NOW)
    announce(players[0])


def test_a_muted_user_announces_nothing(players):
    Sanction.objects.create(user=players[0], kind=Sanction.Kind.MUTE, reason="x", since=NOW)
    players[0].is_restricted = True
    with pytest.raises(Refused):
        announce(players[0])


def test_a_name_has_no_line_breaks(players):
    assert announce(players[0], name="Spring\nCup").name == "Spring Cup"


def test_a_name_has_no_control_characters_and_something_to_see(players):
    assert announce(players[0], name="Spring\x01 Cup").name == "Spring Cup"
    with pytest.raises(Refused):
        announce(players[0], name="\x01")


# --- Rounds -----------------------------------------------------------------------------------


def test_in_a_round_robin_all_matches_begin_together(players):
    made = begun(players[:4], rated=True)
    met = pairs(made)
    assert len(met) == len(set(met)) == 6
    assert Match.objects.filter(rated=True).count() == 6
    assert made.played_rounds.count() == 1
    done = play_out(made, winner=players[2])
    assert done.is_finished
    assert Entry.objects.get(user=players[2]).place == 1
    assert [one.tournament_id for one in selectors.titles_of(players[2])] == [made.pk]


def test_a_swiss_tournament_goes_round_by_round(players):
    made = begun(players, format=Format.SWISS, rounds=3)
    assert len(pairs(made)) == 4
    services.advance(made.pk, now=NOW)
    assert made.played_rounds.count() == 1
    done = play_out(made, winner=players[5])
    met = pairs(done)
    assert len(met) == len(set(met)) == 12
    assert done.is_finished
    assert Entry.objects.get(user=players[5]).place == 1


def test_a_swiss_tournament_of_seven_gives_byes(players):
    done = play_out(begun(players[:7], format=Format.SWISS, rounds=3))
    byes = [pair for pair in pairs(done) if len(pair) == 1]
    assert len(byes) == len(set(byes)) == 3
    assert done.is_finished


@pytest.mark.parametrize(
    ("how", "least", "most"), [(Format.KNOCK_OUT, 7, 7), (Format.DOUBLE, 14, 15)]
)
def test_a_knock_out_leaves_one(players, how, least, most):
    done = play_out(begun(players, format=how), winner=players[3])
    assert done.is_finished
    assert least <= Match.objects.count() <= most
    assert Entry.objects.get(user=players[3]).place == 1
    assert Entry.objects.filter(place=1).count() == 1


def test_the_first_two_of_each_group_play_the_finals(players):
    made = begun(players, format=Format.GROUPS, least=6)
    assert len(pairs(made)) == 12  # two groups of four
    done = play_out(made, winner=players[4])
    assert done.is_finished
    finals = [table for table in selectors.tables_of(done) if table.round.number > 1]
    assert [table.round.number for table in finals] == [2, 2, 3]
    groups = {line.entrant: line.group for line in lines_of(made, *both(done))}
    for table in finals[:2]:
        first, second = (groups[seat.entry_id] for seat in table.table_seats.all())
        assert first != second
    places = sorted(Entry.objects.values_list("place", flat=True))
    assert places == [1, 2, 3, 3, 5, 5, 7, 7]
    assert Entry.objects.get(user=players[4]).place == 1


def test_who_left_a_group_ranks_below_those_who_stayed(players):
    """The last of the group of four is banned, and ranks below the fifth of the other group."""
    field = [*players, User.objects.create(username="ines")]
    made = begun(field, format=Format.GROUPS, least=6)
    lines = lines_of(made, *both(made))
    small = min((0, 1), key=lambda group: sum(line.group == group for line in lines))
    banned = made.entries.get(pk=next(one.entrant for one in lines if one.group == small))
    Sanction.objects.create(user=banned.user, kind=Sanction.Kind.BAN, reason="x", since=NOW)
    services.advance(made.pk, now=NOW)
    for match in running(made):
        end(match, winner=min((one.user for one in match.players.all()), key=lambda u: u.pk))
    services.advance(made.pk, now=NOW)
    play_out(made)
    lines = lines_of(made, *both(made))
    last = next(line for line in lines if line.entrant == banned.pk)
    assert lines[-1] == last
    assert last.place == len(field)
    assert max(line.place for line in lines if line != last) < len(field)


def test_who_leaves_after_the_groups_makes_room_for_the_next(players):
    made = begun(players, format=Format.GROUPS, least=6)
    services.leave(tournament_id=made.pk, user=players[0], now=NOW)
    done = play_out(made)
    assert done.is_finished
    finals = [table for table in selectors.tables_of(done) if table.round.number > 1]
    assert players[0].pk not in {s.entry.user_id for t in finals for s in t.table_seats.all()}
    assert len(finals) == 3


def test_who_leaves_the_finals_brings_nobody_back(players):
    made = begun(players, format=Format.GROUPS, least=6)
    for match in running(made):
        end(match)
    services.advance(made.pk, now=NOW)
    semifinal, other = running(made)
    leaver = semifinal.players.get(seat=0).user
    end(semifinal)
    services.advance(made.pk, now=NOW)
    services.leave(tournament_id=made.pk, user=leaver, now=NOW)
    end(other)
    services.advance(made.pk, now=NOW)
    done = selectors.get(made.pk)
    assert done.is_finished
    assert done.played_rounds.count() == 2


def test_the_first_two_of_each_table_of_four_go_on(players):
    made = begun(players, seats=4, least=4, format=Format.KNOCK_OUT)
    assert [len(pair) for pair in pairs(made)] == [4, 4]
    ranks = resign_in_turn(made)
    final = pairs(made)[2:]
    assert final == [{user for user, rank in ranks.items() if rank <= 2}]
    last = resign_in_turn(made)
    done = selectors.get(made.pk)
    assert done.is_finished
    places = {one.user_id: one.place for one in Entry.objects.all()}
    assert {pk: places[pk] for pk in last} == last
    assert sorted(places.values()) == [1, 2, 3, 4, 5, 5, 7, 7]


def resign_in_turn(made):
    """Play a round in which all but the first seat resign; return the ranks by user id."""
    open_matches = running(made)
    for match in open_matches:
        end(match)
    services.advance(made.pk, now=NOW)
    seats = TableSeat.objects.filter(table__match__in=open_matches).select_related("entry")
    return {seat.entry.user_id: seat.rank for seat in seats}


def test_at_tables_of_three_the_winner_goes_on(players):
    made = begun(players[:7], seats=3, format=Format.KNOCK_OUT)
    assert sorted(len(pair) for pair in pairs(made)) == [2, 2, 3]
    done = play_out(made, winner=players[3])
    assert done.is_finished
    assert done.played_rounds.count() == 2
    assert Entry.objects.get(user=players[3]).place == 1


def test_of_those_who_share_a_rank_the_one_who_moves_later_is_ahead(players):
    made = begun(players[:4], seats=4, least=4, format=Format.KNOCK_OUT)
    [match] = running(made)
    close(match)
    services.advance(made.pk, now=NOW)
    assert [seat.rank for seat in match.tournament_table.table_seats.all()] == [4, 3, 2, 1]
    assert Entry.objects.get(place=1).user == match.players.get(seat=3).user


def close(match):
    """All agree to end a match where it stands."""
    for number, player in enumerate(match.players.order_by("seat")):
        service = matches.accept_offer if number else matches.offer_close
        version = Match.objects.get(pk=match.pk).version
        service(match_id=match.pk, user=player.user, version=version, submission=uuid4(), now=NOW)


def test_who_leaves_a_table_after_it_ended_sends_nobody_back_in(players):
    made = begun(players, seats=4, least=4, format=Format.KNOCK_OUT)
    first, second = running(made)
    end(first)
    services.advance(made.pk, now=NOW)
    winner = first.players.get(seat=0).user
    services.leave(tournament_id=made.pk, user=winner, now=NOW)
    end(second)
    services.advance(made.pk, now=NOW)
    assert len(pairs(made)[2]) == 3
    assert winner.pk not in pairs(made)[2]


def test_a_table_whose_match_is_cancelled_by_all_sends_nobody_on(players):
    made = begun(players, seats=4, least=4, format=Format.KNOCK_OUT)
    first, second = running(made)
    moderator = User.objects.create(username="mod")
    matches.annul(match_id=first.pk, moderator=moderator, reason="x", now=NOW)
    end(second)
    services.advance(made.pk, now=NOW)
    assert len(pairs(made)[2]) == 2
    assert play_out(made).is_finished


def both(tournament):
    return selectors.entries_of(tournament), selectors.tables_of(tournament)


def test_tables_of_three(players):
    done = play_out(begun(players[:7], seats=3, format=Format.ROUND_ROBIN, rounds=3))
    sizes = [len(pair) for pair in pairs(done)]
    assert sizes == [3, 2, 2] * 3
    assert done.is_finished


@pytest.mark.parametrize("how", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCK_OUT])
def test_nobody_has_a_bye_where_smaller_tables_are_possible(players, how):
    made = begun(players[:5], seats=4, least=4, format=how, rounds=1)
    assert sorted(len(pair) for pair in pairs(made)) == [2, 3]
    end_all(running(made))
    services.advance(made.pk, now=NOW)
    lines = lines_of(made, *both(made))
    if how == Format.KNOCK_OUT:
        assert sorted(line.is_out for line in lines) == [False] * 3 + [True] * 2
        assert len(pairs(made)[-1]) == 3
        assert len(play_out(made).entries.filter(place=1)) == 1


def end_all(open_matches):
    for match in open_matches:
        end(match)


def test_swiss_tables_of_four(players):
    done = play_out(begun(players, seats=4, least=4, format=Format.SWISS, rounds=3))
    assert [len(pair) for pair in pairs(done)] == [4] * 6
    assert done.played_rounds.count() == 3


@pytest.mark.parametrize("size", [3, 4])
def test_a_small_swiss_tournament_goes_on_until_everybody_has_met(players, size):
    done = play_out(begun(players[:size], least=3, format=Format.SWISS))
    met = [pair for pair in pairs(done) if len(pair) == 2]
    assert len(met) == len(set(met)) == size * (size - 1) // 2
    assert done.played_rounds.count() == 3


def test_after_a_draw_in_a_knock_out_the_second_seat_goes_on(players):
    made = begun(players[:4], format=Format.KNOCK_OUT)
    match = running(made)[0]
    first, second = (player.user for player in match.players.order_by("seat"))
    for service, user in ((matches.offer_close, first), (matches.accept_offer, second)):
        version = Match.objects.get(pk=match.pk).version
        service(match_id=match.pk, user=user, version=version, submission=uuid4(), now=NOW)
    services.advance(made.pk, now=NOW)
    seats = match.tournament_table.table_seats
    assert [seat.rank for seat in seats.all()] == [2, 1]


def test_players_hear_of_a_round_once_and_not_of_each_match(players):
    made = begun(players[:4])
    services.advance(made.pk, now=NOW)
    told = Notification.objects.values_list("kind", "recipient__username")
    assert sorted(told) == [("round-begun", user.username) for user in players[:4]]


def reminded():
    found = Notification.objects.filter(kind="round-ending")
    return {one.recipient: render(one).text for one in found.order_by("pk")}


def test_a_day_before_the_deadline_those_to_move_are_reminded_once(players):
    made = begun(players[:4], params={"heap": 10}, clock=Clock.per_move(30))
    first = running(made)[0].players.get(seat=0).user
    theirs = [one for one in running(made) if one.players.get(seat=0).user == first]
    to_move = {one.players.get(seat=0).user for one in running(made)}
    services.sweep(now=NOW + 20 * DAY - timedelta(seconds=1))
    assert reminded() == {}
    services.sweep(now=NOW + 20 * DAY)
    told = reminded()
    assert set(told) == to_move
    matches = f"{len(theirs)} match{'es' if len(theirs) > 1 else ''}"
    assert f"It is your turn in {matches}. Round 1 ends on " in told[first]
    for match in theirs:
        move(match, first, NOW + 20 * DAY)
    services.sweep(now=NOW + 20 * DAY + timedelta(hours=1))
    assert Notification.objects.filter(kind="round-ending").count() == len(to_move)


def test_a_short_round_reminds_when_a_quarter_is_left(players):
    made = begun(players[:3], round_days=2, clock=Clock.per_move(10))
    services.remind(now=NOW + timedelta(hours=36, seconds=-1))
    assert reminded() == {}
    services.remind(now=NOW + timedelta(hours=36))
    assert set(reminded()) == {one.players.get(seat=0).user for one in running(made)}


def test_nobody_is_reminded_after_the_deadline_or_of_a_match_that_has_ended(players):
    made = begun(players[:4], format=Format.SWISS, rounds=1, clock=Clock.per_move(30))
    ended, other = running(made)
    end(ended)
    services.remind(now=NOW + 21 * DAY)
    assert reminded() == {}
    services.remind(now=NOW + 20 * DAY)
    assert set(reminded()) == {other.players.get(seat=0).user}


def test_a_reminder_is_not_sent_to_those_who_have_moved_since(players):
    begun(players[:3], params={"heap": 10}, clock=Clock.per_move(30))
    services.remind(now=NOW + 20 * DAY)
    [late, *_] = Notification.objects.filter(kind="round-ending")
    assert outdated(late.recipient, [late], ()) == {}
    for match in Match.objects.filter(players__user=late.recipient, players__to_move=True):
        move(match, late.recipient, NOW + 20 * DAY)
    assert outdated(late.recipient, [late], ()) == {late.pk: Notification.MailState.OVER}


# --- What could stall it ------------------------------------------------------------------------


def test_at_the_deadline_the_slower_player_is_out_of_time_vacation_or_not(players):
    made = begun(players[:4], format=Format.SWISS, rounds=1)
    match = running(made)[0]
    User.objects.update(date_joined=NOW - 365 * DAY)
    slow = match.players.get(seat=0).user
    begin = NOW + timedelta(hours=36)
    vacations.plan(user=slow, begin=begin, end=begin + 20 * DAY, shows_end=True, now=NOW)
    services.sweep(now=NOW + 21 * DAY - timedelta(seconds=1))
    assert len(running(made)) == 2
    services.sweep(now=NOW + 21 * DAY)
    match.refresh_from_db()
    assert not match.is_running
    assert match.players.get(user=slow).dropped == "timeout"
    assert selectors.get(made.pk).is_finished


def test_who_moved_fast_is_not_the_slower_one(players):
    made = begun(players[:4], format=Format.SWISS, rounds=1, clock=Clock.per_move(20))
    match = running(made)[0]
    first, second = (player.user for player in match.players.order_by("seat"))
    move(match, first, NOW + 10 * DAY)
    move(match, second, NOW + 10 * DAY + timedelta(hours=1))
    # From here on the second one takes longer, and has taken more when the deadline passes.
    move(match, first, NOW + 10 * DAY + timedelta(hours=2))
    services.sweep(now=NOW + 21 * DAY)
    assert match.players.get(user=second).dropped == "timeout"


def move(match, user, now):
    version = Match.objects.get(pk=match.pk).version
    matches.play_move(
        match_id=match.pk, user=user, texts=["1"], version=version, submission=uuid4(), now=now
    )


def test_a_match_that_nobody_can_end_is_a_draw_a_day_after_the_deadline(players, monkeypatch):
    made = begun(players[:4], format=Format.SWISS, rounds=1)

    def fail(**_):
        raise RuntimeError

    monkeypatch.setattr(services, "end_late_match", fail)
    services.sweep(now=NOW + 21 * DAY)
    assert selectors.get(made.pk).is_running
    services.sweep(now=NOW + 21 * DAY + GRACE)
    assert selectors.get(made.pk).is_finished
    assert set(Entry.objects.values_list("place", flat=True)) == {1}


def test_who_withdraws_forfeits_and_is_not_paired_again(players):
    made = begun(players[:6], format=Format.SWISS, rounds=3)
    services.leave(tournament_id=made.pk, user=players[1], now=NOW)
    theirs = Match.objects.get(players__user=players[1])
    assert theirs.players.get(user=players[1]).dropped == "resigned"
    done = play_out(made)
    assert Match.objects.filter(players__user=players[1]).count() == 1
    assert Entry.objects.get(user=players[1]).place is None
    assert done.is_finished


@pytest.mark.parametrize("how", [how for how in Format if how != Format.TEAMS])
def test_if_all_withdraw_it_ends(players, how):
    made = begun(players[:6], format=how, least=6)
    for user in players[:6]:
        if selectors.get(made.pk).is_running:
            services.leave(tournament_id=made.pk, user=user, now=NOW)
    assert not selectors.get(made.pk).is_running


def test_deleted_and_banned_accounts_are_out(players):
    made = begun(players[:6], format=Format.SWISS, rounds=2)
    Sanction.objects.create(user=players[0], kind=Sanction.Kind.BAN, reason="x", since=NOW)
    for part in personal_data.parts():
        part.delete(players[1], NOW)
    services.sweep(now=NOW)
    gone = Entry.objects.exclude(left=None)
    assert {(one.user.username, one.why) for one in gone} == {
        ("ada", "gone"),
        ("bruno", "withdrew"),
    }
    for user in players[:2]:
        assert not Match.objects.filter(players__user=user, status="running").exists()
    play_out(made)
    for user in players[:2]:
        assert Match.objects.filter(players__user=user).count() == 1


def shut_out(play_case, kind, moderator, until=None):
    reason = "You insulted others."
    how = {"moderator": moderator, "reason": reason, "now": timezone.now(), "until": until}
    return moderation.sanction(play_case, kind, **how)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("kind", [Sanction.Kind.BAN, Sanction.Kind.SUSPENSION])
def test_opponents_of_who_is_shut_out_get_one_mail(players, moderator, kind, seats):
    made = begun(players[:6], format=Format.SWISS, rounds=1, seats=seats)
    match = Match.objects.get(players__user=players[1])
    others = list(match.players.exclude(user=players[1]))
    case = reported(match.pk, others[0].user, players[1]).case
    until = timezone.now() + DAY if kind == Sanction.Kind.SUSPENSION else None
    Notification.objects.all().delete()
    shut_out(case, kind, moderator, until)
    services.sweep(now=NOW)
    assert not AbandonedSeat.objects.exists()
    for other in others:
        (told,) = Notification.objects.filter(recipient=other.user)
        mail = match_email(told)
        assert "removed bruno" in mail.text if seats == 3 else "bruno was removed" in mail.subject
        assert "You insulted others." not in mail.text
    assert match.players.get(user=players[1]).dropped == "removed"
    assert made.entries.get(user=players[1]).why == "gone"


def test_in_other_matches_of_who_is_banned_opponents_choose(players, moderator, start):
    begun(players[:6], format=Format.SWISS, rounds=1)
    play = start()
    shut_out(reported(play.id, players[0], players[1]).case, Sanction.Kind.BAN, moderator)
    assert [one.match_id for one in AbandonedSeat.objects.all()] == [play.id]


@pytest.mark.parametrize("how", ["ban", "closing"])
def test_the_worker_takes_out_who_is_shut_out(players, moderator, chief, how, monkeypatch):
    begun_one = begun(players[:6], format=Format.SWISS, rounds=1)
    waits = announce(players[0], most=3, begins_when_full=False)
    for user in (*players[1:4], players[4]):
        enter = services.wait if user == players[4] else services.join
        enter(tournament_id=waits.pk, user=user, now=NOW)
    due = []
    monkeypatch.setattr(services, "advance_later", due.append)
    match = Match.objects.get(players__user=players[1])
    if how == "ban":
        opponent = match.players.exclude(user=players[1]).get().user
        case = reported(match.pk, opponent, players[1]).case
        shut_out(case, Sanction.Kind.BAN, moderator)
    else:
        closing.close(players[1], by=chief, reason="Stolen.", now=NOW)
    assert set(due) == {begun_one.pk, waits.pk}
    tasks.draw_first_rounds(due)
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    entered = set(waits.entries.values_list("user", flat=True))
    assert entered == {user.pk for user in players[2:5]}, "the place goes to who waits"


def test_a_match_cancelled_by_one_player_is_lost_by_that_player(players):
    made = begun(players[:4], format=Format.SWISS, rounds=1, params={"heap": 10})
    match = running(made)[0]
    first = match.players.get(seat=0).user
    matches.cancel(match_id=match.pk, user=first, version=0, submission=uuid4(), now=NOW)
    services.advance(made.pk, now=NOW)
    assert [seat.rank for seat in match.tournament_table.table_seats.all()] == [2, 1]


def test_going_on_twice_changes_nothing(players):
    made = begun(players, format=Format.SWISS, rounds=3)
    for match in running(made):
        end(match)
    for _ in range(3):
        services.advance(made.pk, now=NOW)
    assert made.played_rounds.count() == 2
    assert Match.objects.count() == 8


def test_a_worker_killed_while_a_round_begins_leaves_nothing_half_done(players, monkeypatch):
    made = begun(players, format=Format.SWISS, rounds=3)
    for match in running(made):
        end(match)
    start, calls = matches.start, []

    def killed(**given):
        calls.append(given)
        if len(calls) == 3:
            raise SystemExit
        return start(**given)

    monkeypatch.setattr(matches, "start", killed)
    with pytest.raises(SystemExit):
        services.advance(made.pk, now=NOW)
    assert Match.objects.count() == 4
    monkeypatch.setattr(matches, "start", start)
    services.advance(made.pk, now=NOW)
    assert Match.objects.count() == 8


def test_standings_are_those_of_the_results(players):
    made = begun(players[:4])
    for match in running(made)[:3]:
        end(match)
    services.advance(made.pk, now=NOW)
    lines = lines_of(made, selectors.entries_of(made), selectors.tables_of(made))
    assert sum(line.points for line in lines) == 3


def test_the_export_names_the_tournaments_of_a_player(players):
    made = begun(players[:3])
    found = personal_data.export(players[0])["tournaments"]
    assert [one["tournament"] for one in found["entered"]] == [made.pk]
    assert [one["name"] for one in found["organised"]] == ["Spring Cup"]


# --- What is annulled, deleted and told -----------------------------------------------------------


def annul(match, moderator):
    matches.annul(match_id=match.pk, moderator=moderator, reason="arranged", now=NOW + DAY)
    services.sweep(now=NOW + DAY)


def points(tournament):
    lines = lines_of(tournament, selectors.entries_of(tournament), selectors.tables_of(tournament))
    return {Entry.objects.get(pk=line.entrant).user: line.points for line in lines}


def test_points_of_a_match_that_is_annulled_after_the_end_are_taken_back(players):
    made = play_out(begun(players[:3]), winner=players[2])
    assert points(made)[players[2]] == 2
    for match in Match.objects.filter(players__user=players[2]):
        annul(match, players[7])
    assert points(made)[players[2]] == 0
    assert Entry.objects.get(user=players[2]).place == 2
    assert selectors.get(made.pk).is_finished


def test_a_round_that_has_begun_stays_after_an_earlier_match_is_annulled(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    [one, other] = running(made)
    end(one)
    end(other)
    services.advance(made.pk, now=NOW)
    paired = pairs(made)
    winner = one.players.get(seat=0).user
    annul(one, players[7])
    assert pairs(made) == paired
    assert points(selectors.get(made.pk))[winner] == 0
    assert play_out(made).is_finished


def test_results_of_knock_outs_stay_since_others_depend_on_them(players):
    made = begun(players[:4], format=Format.KNOCK_OUT)
    [one, other] = running(made)
    end(one)
    end(other)
    services.advance(made.pk, now=NOW)
    annul(one, players[7])
    winner = one.players.get(seat=0).user
    done = play_out(made, winner=winner)
    assert Entry.objects.get(user=winner).place == 1
    assert done.is_finished


def test_what_a_deleted_organiser_wrote_is_gone(players):
    announced = announce(players[0], name="Ada’s Cup", about="Write to ada@example.org")
    services.join(tournament_id=announced.pk, user=players[1], now=NOW)
    going = announce(players[0], name="Ada’s Cup", most=3)
    for user in players[1:4]:
        services.join(tournament_id=going.pk, user=user, now=NOW)
    for part in personal_data.parts():
        part.delete(players[0], NOW)
    assert not Tournament.objects.filter(organiser=players[0]).exists()
    assert {one.name for one in Tournament.objects.all()} == {"Tournament of Heap"}
    assert {one.about for one in Tournament.objects.all()} == {""}
    assert not selectors.get(announced.pk).is_open
    assert selectors.get(going.pk).is_running
    told = Notification.objects.get(kind="tournament-cancelled", recipient=players[1])
    email = render(told)
    assert email.subject == "Ada’s Cup is cancelled"
    assert notifications.ORGANISER in email.text


def told_of(number):
    found = Notification.objects.filter(kind="round-begun", payload__text__round=number)
    return {one.recipient: render(one) for one in found}


def test_only_those_who_play_or_have_a_bye_hear_of_a_round(players):
    made = begun(players[:5], format=Format.KNOCK_OUT)
    first = told_of(1)
    assert set(first) == set(players[:5])
    assert {mail.subject for mail in first.values()} == {"Spring Cup has begun"}
    byes = [mail.text for mail in first.values() if "You have a bye" in mail.text]
    assert len(byes) == 1
    for match in running(made):
        end(match)
    services.advance(made.pk, now=NOW)
    second = told_of(2)
    seated = TableSeat.objects.filter(table__round__number=2)
    assert set(second) == {seat.entry.user for seat in seated}
    assert len(second) == 3
    assert any("You play 1 match in this round." in mail.text for mail in second.values())


def test_the_mail_of_a_round_robin_counts_matches_and_names_the_end(players):
    begun(players[:4])
    mail = told_of(1)[players[0]]
    [end] = re.findall("You play 3 matches in this round. It ends on (.*?): ", mail.text)
    assert end.endswith(" UTC")
    assert "also during vacations and pauses" in mail.html


# --- Races --------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_begin_a_round_once(players):
    made = begun(players, format=Format.SWISS, rounds=3)
    for match in running(made):
        end(match)
    run_concurrently(*[lambda: services.advance(made.pk, now=NOW)] * 4)
    assert made.played_rounds.count() == 2
    assert Match.objects.count() == 8


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_taken_once(players):
    made = announce(players[0], most=3)
    for user in players[:2]:
        services.join(tournament_id=made.pk, user=user, now=NOW)

    def enter(user):
        def act():
            try:
                services.join(tournament_id=made.pk, user=user, now=NOW)
            except EntryClosed:
                return "closed"
            return "in"

        return act

    outcomes = run_concurrently(*map(enter, players[2:6]))
    assert sorted(outcomes) == ["closed"] * 3 + ["in"]
    assert Entry.objects.count() == 3


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_clicks_do_not_organise_more_than_one_may(players):
    for _ in range(services.MAX_ORGANISED - 1):
        announce(players[0])

    def act():
        try:
            announce(players[0])
        except Refused:
            return "refused"
        return "made"

    assert sorted(run_concurrently(*[act] * 4)) == ["made", *["refused"] * 3]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_clicks_do_not_enter_more_than_one_may(players, monkeypatch):
    monkeypatch.setattr(services, "MAX_ENTERED", 1)
    several = [announce(one) for one in players[:3]]

    def enter(made):
        def act():
            try:
                services.join(tournament_id=made.pk, user=players[4], now=NOW)
            except Refused:
                return "refused"
            return "in"

        return act

    assert sorted(run_concurrently(*map(enter, several))) == ["in", "refused", "refused"]
