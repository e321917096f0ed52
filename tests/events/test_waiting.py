"""Waiting lists, and substitutes for players who leave after the start."""

import pytest
from django.test import Client

from accounts import blocks, personal_data
from accounts.models import Notification
from accounts.notifications import render
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.events import selectors, services
from games.events.errors import EntryClosed
from games.events.models import Entry, Tournament, Waiting
from games.events.results import lines_of
from games.kernel.contract import Seat
from games.matches.errors import Refused
from games.matches.models import LogEntry, Match
from games.matches.play import substitutes
from tests.concurrency import run_concurrently
from tests.events.test_tournaments import (
    DAY,
    _no_tasks,
    announce,
    begun,
    end,
    move,
    pairs,
    play_out,
    players,
    running,
)
from tests.fixtures import NOW
from tests.sampling import rest_thorough

__all__ = ["_no_tasks", "players"]

Format = Tournament.Format


def enter(tournament, *users):
    for user in users:
        services.join(tournament_id=tournament.pk, user=user, now=NOW)


def wait(tournament, *users):
    for user in users:
        services.wait(tournament_id=tournament.pk, user=user, now=NOW)


def leave(tournament, user, now=NOW):
    return services.leave(tournament_id=tournament.pk, user=user, now=now)


def entered(tournament):
    found = tournament.entries.filter(left=None).order_by("pk")
    return [entry.user for entry in found.select_related("user")]


def queue(tournament):
    return [one.user for one in selectors.waiting_of(tournament)]


def full(players, **terms):
    """A tournament of three that is full and begins on its date."""
    made = announce(players[0], most=3, begins_when_full=False, **terms)
    enter(made, *players[:3])
    return made


def told(user):
    return [
        render(one).text for one in Notification.objects.filter(kind="moved-up", recipient=user)
    ]


def suspend(user):
    standing.impose(user, Sanction.Kind.BAN, reason="x", moderator=user, now=NOW)


# --- Before the start ---------------------------------------------------------------------------


def test_who_enters_a_full_tournament_is_sent_to_the_waiting_list(players):
    made = full(players)
    with pytest.raises(EntryClosed, match="waiting list"):
        enter(made, players[3])
    wait(made, players[3], players[4], players[3])
    assert queue(made) == players[3:5]
    assert list(selectors.of_player(players[3])) == [made]
    assert selectors.get(made.pk).is_open


def test_the_first_who_waits_is_entered_when_somebody_leaves(players):
    made = full(players)
    wait(made, players[3], players[4])
    leave(made, players[0])
    assert entered(made) == [*players[1:3], players[3]]
    assert queue(made) == [players[4]]
    [mail] = told(players[3])
    assert "A place became free" in mail
    assert told(players[4]) == []


def test_who_waits_takes_a_free_place_at_once(players):
    made = announce(players[0], most=3)
    wait(made, *players[:3])
    assert entered(made) == players[:3]
    assert selectors.get(made.pk).is_running
    assert not Waiting.objects.exists()


def test_a_full_tournament_that_waits_for_its_date_begins_on_it(players):
    made = full(players)
    wait(made, players[3])
    services.sweep(now=NOW + 7 * DAY)
    assert selectors.get(made.pk).is_running
    assert entered(made) == players[:3]


def test_at_the_start_the_places_of_closed_accounts_go_to_those_who_wait(players):
    made = full(players)
    wait(made, players[3], players[4])
    suspend(players[1])
    suspend(players[3])
    services.sweep(now=NOW + 7 * DAY)
    assert entered(made) == [players[0], players[2], players[4]]


def test_leaving_the_waiting_list(players):
    made = full(players)
    wait(made, players[3])
    leave(made, players[3])
    assert queue(made) == []
    with pytest.raises(Refused):
        leave(made, players[3])


def test_who_waits_hears_that_a_tournament_is_cancelled(players):
    made = full(players)
    wait(made, players[3])
    services.cancel(tournament_id=made.pk, user=players[0], now=NOW)
    assert Notification.objects.filter(kind="tournament-cancelled", recipient=players[3]).exists()
    assert not Waiting.objects.exists()


def test_a_waiting_list_has_an_end(players, monkeypatch):
    monkeypatch.setattr(services, "MAX_WAITING", 1)
    made = full(players)
    wait(made, players[3], players[3])
    with pytest.raises(EntryClosed, match="The waiting list is full"):
        wait(made, players[4])


def test_who_was_entered_past_the_waiting_list_is_not_entered_again(players):
    made = full(players)
    wait(made, players[3], players[4])
    # An earlier release leaves a place free, and lets the first who waits enter as anybody.
    made.entries.get(user=players[0]).delete()
    enter(made, players[3])
    leave(made, players[1])
    assert entered(made) == [players[2], players[3], players[4]]
    assert queue(made) == []


def test_waiting_counts_towards_the_tournaments_that_one_may_be_in(players, monkeypatch):
    monkeypatch.setattr(services, "MAX_ENTERED", 1)
    wait(full(players), players[3])
    with pytest.raises(Refused):
        enter(announce(players[4]), players[3])


def test_a_deleted_account_no_longer_waits(players):
    made = full(players)
    wait(made, players[3])
    [found] = personal_data.export(players[3])["tournaments"]["waiting_for"]
    assert found["tournament"] == made.pk
    for part in personal_data.parts():
        part.delete(players[3], NOW)
    assert not Waiting.objects.exists()


def test_a_knock_out_has_no_substitutes_after_the_start(players):
    made = full(players, format=Format.KNOCK_OUT)
    wait(made, players[3])
    services.sweep(now=NOW + 7 * DAY)
    assert not Waiting.objects.exists()
    with pytest.raises(EntryClosed):
        wait(made, players[4])


# --- Swiss --------------------------------------------------------------------------------------


def test_in_a_swiss_tournament_a_substitute_plays_from_the_next_round_on(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    wait(made, players[4])
    leave(made, players[0])
    [substitute] = Entry.objects.filter(user=players[4])
    assert substitute.replaces.user == players[0]
    assert not Match.objects.filter(players__user=players[4]).exists()
    assert "You play from the next round on and start with 0 points." in told(players[4])[0]
    for match in running(made):
        end(match)
    services.advance(made.pk, now=NOW)
    assert [len(pair) for pair in pairs(made)] == [2] * 4
    done = play_out(made, winner=players[4])
    assert done.is_finished
    assert done.played_rounds.count() == 2
    lines = lines_of(done, selectors.entries_of(done), selectors.tables_of(done))
    points = {Entry.objects.get(pk=line.entrant).user: line.points for line in lines}
    assert points[players[4]] == 1
    assert sum(points.values()) == 4
    assert Entry.objects.get(user=players[0]).place is None
    assert Entry.objects.get(user=players[4]).place is not None


def test_a_vacant_place_of_a_swiss_tournament_is_taken_at_once_and_once(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    leave(made, players[0])
    wait(made, players[4], players[5])
    assert entered(made)[-1] == players[4]
    assert queue(made) == [players[5]]


def test_nobody_steps_in_once_the_last_round_has_begun(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    for match in running(made):
        end(match)
    services.advance(made.pk, now=NOW)
    leave(made, players[0])
    with pytest.raises(EntryClosed):
        wait(made, players[4])


def test_who_left_does_not_come_back(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    leave(made, players[0])
    with pytest.raises(Refused, match="You have left"):
        wait(made, players[0])


def test_nobody_who_is_apart_from_a_player_or_shut_out_is_a_substitute(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    wait(made, *players[4:7])
    blocks.block(user=players[1], other=players[4], now=NOW)
    suspend(players[5])
    leave(made, players[0])
    assert entered(made)[-1] == players[6]
    blocks.block(user=players[7], other=players[1], now=NOW)
    with pytest.raises(Refused, match="blocked"):
        wait(made, players[7])


def test_a_banned_player_is_replaced(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    wait(made, players[4])
    suspend(players[0])
    services.sweep(now=NOW)
    assert entered(made)[-1] == players[4]


def test_a_substitute_who_leaves_is_replaced(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    wait(made, players[4], players[5])
    leave(made, players[0])
    leave(made, players[4])
    assert entered(made)[-1] == players[5]


# --- Round robins and groups ----------------------------------------------------------------------


@pytest.mark.parametrize(("how", "matches"), [(Format.ROUND_ROBIN, 5), (Format.GROUPS, 2)])
def test_before_their_first_move_a_substitute_takes_over_all_matches(players, how, matches):
    made = begun(players[:6], format=how, least=6)
    theirs = Match.objects.filter(players__user=players[1])
    own = set(theirs.values_list("pk", flat=True))
    assert len(own) == matches
    wait(made, players[6])
    leave(made, players[1], now=NOW + DAY / 24)
    assert set(Match.objects.filter(players__user=players[6]).values_list("pk", flat=True)) == own
    assert not theirs.all().exists()
    assert Match.objects.filter(status="running").count() == len(running(made))
    assert not Entry.objects.filter(user=players[1]).exists()
    assert f"You take over {matches} matches." in told(players[6])[0]
    done = play_out(made, winner=players[6])
    assert done.is_finished
    assert Entry.objects.get(user=players[6]).place == 1


def test_after_the_first_move_matches_are_resigned(players):
    made = begun(players[:3])
    wait(made, players[3])
    match = next(one for one in running(made) if one.players.get(seat=0).user == players[0])
    move(match, players[0], NOW)
    leave(made, players[0])
    assert Entry.objects.get(user=players[0]).left
    assert match.players.get(seat=0).dropped == "resigned"
    assert queue(made) == [players[3]]


def test_after_the_first_result_matches_are_resigned(players):
    made = begun(players[:3])
    wait(made, players[3])
    match = running(made)[0]
    loser = match.players.get(seat=1).user
    end(match)
    services.advance(made.pk, now=NOW)
    leave(made, loser)
    assert Entry.objects.get(user=loser).left
    assert queue(made) == [players[3]]


def test_whose_matches_were_handed_over_does_not_come_back(players):
    made = begun(players[:4])
    wait(made, players[4])
    leave(made, players[0])
    with pytest.raises(Refused, match="You have left"):
        wait(made, players[0])
    assert "come back as a substitute" in page(players[0], made)


@pytest.mark.parametrize("how", [Format.ROUND_ROBIN, Format.GROUPS])
def test_who_leaves_before_the_draw_has_no_matches(players, how):
    made = announce(players[0], most=6, least=6, format=how)
    enter(made, *players[:6])
    suspend(players[1])
    leave(made, players[0])
    assert not Match.objects.filter(players__user__in=players[:2]).exists()
    assert Match.objects.filter(players__user=players[5]).exists()
    assert play_out(made).is_finished


@pytest.mark.parametrize("how", [Format.ROUND_ROBIN, Format.SWISS])
def test_a_substitute_before_the_draw_plays_from_the_first_round_on(players, how):
    made = announce(players[0], most=4, format=how)
    enter(made, *players[:4])
    wait(made, players[4])
    leave(made, players[0])
    assert Match.objects.filter(players__user=players[4]).exists()
    assert "We’ll let you know when it begins." in told(players[4])[0]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("how", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCK_OUT])
@pytest.mark.parametrize("stay", rest_thorough([1, 3, 0, 2], often=2))
def test_a_tournament_that_almost_all_leave_before_the_draw_ends(players, seats, how, stay):
    made = announce(players[0], most=6, least=4, format=how, seats=seats)
    enter(made, *players[:6])
    for user in players[stay:6]:
        suspend(user)
    services.sweep(now=NOW)
    done = play_out(made)
    assert done.is_finished
    assert done.played_rounds.count() <= 3


def test_nobody_waits_where_all_have_moved(players):
    made = begun(players[:3], params={"heap": 10})
    for match in running(made):
        for player in match.players.order_by("seat"):
            move(match, player.user, NOW)
    with pytest.raises(EntryClosed):
        wait(made, players[3])


def test_if_one_match_cannot_be_handed_over_none_is(players, monkeypatch):
    made = begun(players[:4])
    wait(made, players[4])
    swap, seats = substitutes.swap_in, []

    def fail_later(**given):
        seats.append(Seat(given["seat"]))
        if len(seats) == 3:
            raise Refused("no")
        return swap(**given)

    monkeypatch.setattr(substitutes, "swap_in", fail_later)
    leave(made, players[0])
    assert Entry.objects.get(user=players[0]).left
    assert not Match.objects.filter(players__user=players[4]).exists()
    assert not LogEntry.objects.filter(kind=LogEntry.Kind.SUBSTITUTE).exists()


# --- The pages ----------------------------------------------------------------------------------


def page(user, tournament):
    client = Client()
    if user:
        client.force_login(user)
    return client.get(f"/events/{tournament.pk}/").content.decode()


def test_the_page_offers_the_waiting_list_of_a_full_tournament(players):
    made = full(players)
    client = Client()
    client.force_login(players[3])
    assert "Join the waiting list" in page(players[3], made)
    client.post(f"/events/{made.pk}/wait/")
    shown = page(players[3], made)
    assert "You are number 1 on the waiting list." in shown
    assert "Leave the waiting list" in shown
    assert "Join the waiting list" in page(players[4], made)
    client.post(f"/events/{made.pk}/leave/")
    assert queue(made) == []
    assert "Sign in to enter" in page(None, made)


def test_the_page_names_substitutes_and_says_why_somebody_cannot_be_one(players):
    made = begun(players[:4], format=Format.SWISS, rounds=3)
    assert "Join the waiting list" in page(players[4], made)
    leave(made, players[0])
    assert "Step in as a substitute" in page(players[4], made)
    assert "come back as a substitute" in page(players[0], made)
    wait(made, players[4])
    assert "for ada" in page(players[4], made)
    assert "Step in" not in page(players[5], made)
    assert "Leave the tournament" in page(players[4], made)


def test_a_program_waits_and_steps_in(players, client):
    made = begun(players[:4], format=Format.SWISS, rounds=3)
    client.force_login(players[4])
    path = f"/api/v1/events/{made.pk}/"
    for _ in range(2):
        answer = client.post(f"{path}wait/", content_type="application/json").json()
        assert answer["waiting"] == [players[4].username]
    leave(made, players[0])
    answer = client.get(path).json()
    assert answer["waiting"] == []
    replaces = {line["name"]: line["replaces"] for line in answer["standings"]}
    assert replaces[players[4].username] == players[0].username
    assert replaces[players[1].username] is None


# --- Races --------------------------------------------------------------------------------------


def attempt(service, tournament, user):
    def act():
        try:
            service(tournament_id=tournament.pk, user=user, now=NOW)
        except Refused as refused:
            return refused.code
        return "done"

    return act


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_who_step_in_at_once_take_one_place_once(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    leave(made, players[0])
    run_concurrently(*[attempt(services.wait, made, one) for one in players[4:8]])
    assert len(entered(made)) == 4
    assert Entry.objects.filter(replaces__isnull=False).count() == 1
    assert len(queue(made)) == 3


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_entrant_leaves_while_others_enter(players):
    made = full(players)
    wait(made, players[3])
    outcomes = run_concurrently(
        attempt(services.leave, made, players[0]),
        *[attempt(services.join, made, one) for one in players[4:6]],
        *[attempt(services.wait, made, one) for one in players[6:8]],
    )
    # Only who waited before is entered: the place is never free in between.
    assert outcomes == ["done", "entry-closed", "entry-closed", "done", "done"]
    assert entered(made) == [*players[1:3], players[3]]
    assert set(queue(made)) == set(players[6:8])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_who_leave_at_once_are_replaced_by_two(players):
    made = begun(players[:4])
    wait(made, players[4], players[5])
    run_concurrently(*[attempt(services.leave, made, one) for one in players[:2]])
    assert {one.pk for one in entered(made)} == {one.pk for one in players[2:6]}
    assert not Match.objects.filter(players__user__in=players[:2]).exists()
    assert Match.objects.filter(status="running").count() == 6
