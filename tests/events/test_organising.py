"""What organisers may do, who may do it, what it refuses, and what a refusal leaves as it was."""

import pytest

from accounts import blocks, personal_data
from accounts.models import Notification, User
from games.clubs.models import Club, Membership
from games.events import conditions, organising, selectors, services, terms
from games.events.acts import changes, stored
from games.events.conditions import Conditions, Facts
from games.events.errors import EntryClosed
from games.events.models import (
    ByeRequest,
    Entry,
    OrganiserAct,
    Round,
    Table,
    TableSeat,
    Tournament,
)
from games.events.results import lines_of
from games.matches.clock import Clock
from games.matches.errors import Refused
from games.matches.models import Match
from games.moderation.models import ModeratorAction
from tests.concurrency import run_concurrently
from tests.events.test_tournaments import DAY, _no_tasks, announce, begun, end, players, running
from tests.fixtures import NOW
from tests.moderation import make_moderator

__all__ = ["_no_tasks", "players"]

Kind = OrganiserAct.Kind
Format = Tournament.Format


def do(made, user, kind, now=NOW, **values):
    return organising.act(tournament_id=made.pk, user=user, kind=kind, now=now, **values)


def moderate(made, user, kind, now=NOW, **values):
    values = {"reason": "A good reason.", **values}
    return do(made, user, kind, now, moderates=True, **values)


def enter(made, *users, now=NOW, link=""):
    for user in users:
        services.join(tournament_id=made.pk, user=user, now=now, link=link)


def new_terms(made, **new):
    found = {name: getattr(made, name) for name in terms.LABELS}
    found |= {"format": Format(made.format), "clock": Clock.load(made.clock), **new}
    return found


def told(sort, /, **text):
    rows = Notification.objects.filter(kind=sort)
    rows = rows.filter(**{f"payload__text__{key}": value for key, value in text.items()})
    return sorted(rows.values_list("recipient__username", flat=True))


@pytest.fixture
def swiss(players):
    """A Swiss tournament of six, in its first of three rounds; ada organises and plays."""
    return begun(players[:6], format=Format.SWISS, rounds=3)


@pytest.fixture
def moderator(db):
    return make_moderator(User.objects.create(username="mona", email="mona@example.org"))


# --- Conditions of entry --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "facts", "why"),
    [
        (Conditions(), Facts(), ""),
        (Conditions(rating_low=1400), Facts(rating=1400), ""),
        (Conditions(rating_low=1400), Facts(rating=1399), "of at least 1400; yours is 1399"),
        (Conditions(rating_high=1600), Facts(rating=1601), "of at most 1600; yours is 1601"),
        (Conditions(rating_low=1000, rating_high=1600), Facts(), "from 1000 to 1600"),
        (Conditions(least_matches=5), Facts(matches=4), "5 matches or more; you have ended 4"),
        (Conditions(least_matches=5), Facts(matches=5), ""),
        (Conditions(least_reliability=90), Facts(reliability=89), "90 %; yours is 89 %"),
        (Conditions(least_reliability=90), Facts(), ""),
        (Conditions(by_invitation=True), Facts(), "by invitation"),
        (Conditions(by_invitation=True), Facts(has_link=True), ""),
        (Conditions(by_invitation=True, rating_low=2000), Facts(has_link=True), "2000"),
        (Conditions(by_invitation=True, rating_low=2000), Facts(is_invited=True), ""),
    ],
)
def test_a_condition_is_checked_by_what_is_known(asked, facts, why):
    found = conditions.refusal(asked, facts)
    assert why in found
    assert bool(found) == bool(why)


def test_who_does_not_meet_a_condition_does_not_enter(players):
    made = announce(players[0], least_matches=3)
    with pytest.raises(Refused, match="ended 3 matches"):
        enter(made, players[1])
    assert not Entry.objects.exists()


def test_by_invitation_a_name_or_the_link_lets_in(players):
    made = announce(players[0], by_invitation=True)
    with pytest.raises(Refused, match="by invitation"):
        enter(made, players[1])
    do(made, players[0], Kind.INVITE, name=players[1].username)
    assert told("tournament-asked") == [players[1].username]
    enter(made, players[1])
    do(made, players[0], Kind.LINK)
    link = Tournament.objects.get().link
    enter(made, players[2], link=link)
    do(made, players[0], Kind.LINK)
    for old in (link, "", "x"):
        with pytest.raises(Refused):
            enter(made, players[3], link=old)
    do(made, players[0], Kind.UNLINK)
    with pytest.raises(Refused):
        enter(made, players[3], link="")
    assert Entry.objects.count() == 2


def test_an_invitation_is_sent_once_and_to_nobody_apart(players):
    made = announce(players[0])
    do(made, players[0], Kind.INVITE, name="bruno")
    organising.answer(tournament_id=made.pk, user=players[1], accepts=False, now=NOW)
    blocks.block(user=players[2], other=players[0], now=NOW)
    for name in ("bruno", players[2].username, players[0].username, "nobody-at-all", "a\0b"):
        with pytest.raises(Refused):
            do(made, players[0], Kind.INVITE, name=name)
    assert told("tournament-asked") == ["bruno"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rating_low": 1800, "rating_high": 1200},
        {"rating_low": -1},
        {"least_matches": 101},
        {"least_reliability": 71},
        {"late_until": 2},
        {"tie_breaks": ["coin"]},
        {"tie_breaks": ["wins", "wins"]},
    ],
)
def test_conditions_that_make_no_sense_are_refused(players, wrong):
    with pytest.raises(Refused):
        announce(players[0], **wrong)
    assert not Tournament.objects.exists()


@pytest.fixture
def club(players):
    """A club that ada leads, with bruno and clara."""
    made = Club.objects.create(name="Dice Club", created=NOW)
    for user in players[:3]:
        led = NOW if user == players[0] else None
        Membership.objects.create(club=made, user=user, joined=NOW, led_since=led)
    return made


def test_only_members_enter_a_tournament_of_a_club(players, club):
    made = announce(players[0], club_id=club.pk)
    with pytest.raises(Refused, match="for members of Dice Club"):
        enter(made, players[3])
    enter(made, players[1])
    with pytest.raises(Refused, match="of which you are a member"):
        announce(players[3], club_id=club.pk)


def test_a_leader_invites_the_members_once(players, club, moderator):
    made = announce(players[0], by_invitation=True)
    enter_by_name = [players[1].username, players[2].username]
    do(made, players[0], Kind.INVITE_CLUB, club=club.pk)
    assert told("tournament-asked") == enter_by_name
    with pytest.raises(Refused, match="invited already"):
        do(made, players[0], Kind.INVITE_CLUB, club=club.pk)
    enter(made, players[1])
    moderate(made, moderator, Kind.UNDO, act=OrganiserAct.objects.get().pk)
    with pytest.raises(Refused):
        enter(made, players[2])


def test_members_who_do_not_lead_invite_nobody(players, club):
    made = announce(players[1])
    for pk in (club.pk, 2**40):
        with pytest.raises(Refused, match="that you lead"):
            do(made, players[1], Kind.INVITE_CLUB, club=pk)


# --- Until the start ----------------------------------------------------------------------------


def test_entrants_hear_what_was_changed(players):
    made = announce(players[0])
    enter(made, *players[:2])
    do(made, players[0], Kind.EDIT, **new_terms(made, round_days=30, most=6))
    made = Tournament.objects.get()
    assert (made.round_days, made.most) == (30, 6)
    assert told("tournament-news", kind="edit") == ["bruno"]
    [act] = made.acts.all()
    assert [[*one] for one in changes(stored(act))] == [
        ["Most players", "4", "6"],
        ["Days for a round", "21", "30"],
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"name": " "},
        {"most": 1},
        {"most": 2},
        {"starts": NOW - DAY},
        {"round_days": 1000},
        {"rating_low": 2000, "rating_high": 1000},
        {"format": Format.GROUPS},
    ],
)
def test_an_edit_that_makes_no_sense_changes_nothing(players, wrong):
    made = announce(players[0])
    enter(made, *players[:3])
    before = terms.stored(Tournament.objects.get())
    with pytest.raises(Refused):
        do(made, players[0], Kind.EDIT, **new_terms(made, **wrong))
    assert terms.stored(Tournament.objects.get()) == before
    assert not OrganiserAct.objects.exists()


def test_after_the_start_the_terms_stay(swiss, players):
    with pytest.raises(EntryClosed, match="has begun"):
        do(swiss, players[0], Kind.EDIT, **new_terms(swiss, round_days=30))


def test_an_organiser_starts_early_with_enough_players(players):
    made = announce(players[0], most=8)
    enter(made, *players[:2])
    with pytest.raises(Refused, match="2 of at least 3"):
        do(made, players[0], Kind.START)
    assert Tournament.objects.get().is_open
    enter(made, players[2])
    do(made, players[0], Kind.START)
    services.advance(made.pk, now=NOW)
    assert Match.objects.count() == 3


def test_settings_that_fight_each_other_are_named():
    fine = {
        "format": Format.SWISS,
        "seats": 2,
        "most": 8,
        "rounds": 4,
        "round_days": 21,
        "clock": Clock.per_move(3),
    }
    assert not terms.conflicts(**fine)
    assert set(terms.conflicts(**{**fine, "round_days": 4})) == {"round_days"}
    assert set(terms.conflicts(**{**fine, "rounds": 5})) == {"rounds"}
    assert set(terms.conflicts(**{**fine, "late_until": 5})) == {"late_until"}
    four = {**fine, "most": 4, "rounds": 0}
    assert not terms.conflicts(**{**four, "rounds": 3, "late_until": 3})
    assert set(terms.conflicts(**{**four, "late_until": 4})) == {"late_until"}
    tables = {**fine, "seats": 3, "most": 16, "rounds": 0}
    assert not terms.conflicts(**{**tables, "late_until": 3})
    assert set(terms.conflicts(**{**tables, "late_until": 4})) == {"late_until"}


# --- Who may do it ------------------------------------------------------------------------------

EVERY = [
    (Kind.START, {}),
    (Kind.CANCEL, {}),
    (Kind.INVITE, {"name": "clara"}),
    (Kind.INVITE_CLUB, {"club": 1}),
    (Kind.LINK, {}),
    (Kind.UNLINK, {}),
    (Kind.MESSAGE, {"reason": "Hello."}),
    (Kind.REMOVE, {"name": "ada", "reason": "So."}),
    (Kind.EXTEND, {"days": 3}),
    (Kind.PAUSE, {"reason": "So."}),
    (Kind.RESUME, {}),
    (Kind.SETTLE, {"table": 1, "outcome": "draw", "reason": "So."}),
    (Kind.LATE, {"round": 3}),
    (Kind.BYE, {"request": 1}),
    (Kind.SHARE, {"name": "clara"}),
    (Kind.UNSHARE, {"name": "clara"}),
    (Kind.HAND_OVER, {"name": "clara"}),
    (Kind.WORD, {"name": "ada", "word": "best"}),
    (Kind.UNDO, {"act": 1, "reason": "So."}),
]


def test_every_act_is_tried_by_strangers():
    assert {kind for kind, _ in EVERY} == set(organising.ACTS) - {Kind.EDIT}


@pytest.mark.parametrize(("kind", "values"), EVERY)
def test_a_stranger_and_a_false_moderator_do_nothing(swiss, players, kind, values):
    stranger = User.objects.create(username="zoe")
    for moderates in (False, True):
        with pytest.raises(Refused, match="Only the organisers"):
            do(swiss, stranger, kind, moderates=moderates, **values)
    with pytest.raises(Refused):
        do(swiss, players[1], kind, **values)
    assert not OrganiserAct.objects.exists()


def test_only_the_organiser_hands_over_and_shares(players):
    made = announce(players[0])
    do(made, players[0], Kind.SHARE, name="bruno")
    with pytest.raises(Refused):
        do(made, players[1], Kind.LINK)
    organising.answer(tournament_id=made.pk, user=players[1], accepts=True, now=NOW)
    do(made, players[1], Kind.LINK)
    for kind in (Kind.SHARE, Kind.HAND_OVER, Kind.CANCEL):
        with pytest.raises(Refused, match="Only the organiser can"):
            do(made, players[1], kind, **({} if kind == Kind.CANCEL else {"name": "ada"}))
    do(made, players[0], Kind.HAND_OVER, name="bruno")
    assert Tournament.objects.get().organiser == players[1]
    assert selectors.organises(Tournament.objects.get(), players[0])


def test_nobody_is_made_an_organiser_against_their_will(players):
    made = announce(players[0])
    do(made, players[0], Kind.SHARE, name="bruno")
    with pytest.raises(Refused, match="shares the job already"):
        do(made, players[0], Kind.HAND_OVER, name="bruno")
    organising.answer(tournament_id=made.pk, user=players[1], accepts=False, now=NOW)
    with pytest.raises(Refused, match="not asked"):
        organising.answer(tournament_id=made.pk, user=players[1], accepts=True, now=NOW)


def test_who_organises_enough_takes_over_no_more(players, monkeypatch):
    made = announce(players[0])
    announce(players[1])
    do(made, players[0], Kind.SHARE, name="bruno")
    monkeypatch.setattr(services, "MAX_ORGANISED", 1)
    with pytest.raises(Refused, match="already"):
        organising.answer(tournament_id=made.pk, user=players[1], accepts=True, now=NOW)


# --- While it runs ------------------------------------------------------------------------------


def test_a_message_reaches_the_players_and_not_too_often(swiss, players):
    for number in range(organising.MAX_MESSAGES):
        do(swiss, players[0], Kind.MESSAGE, reason=f"Hello {number}.")
    assert told("tournament-news", reason="Hello 0.") == sorted(u.username for u in players[1:6])
    for text in ("Again.", " ", "x" * 1001):
        with pytest.raises(Refused):
            do(swiss, players[0], Kind.MESSAGE, reason=text)
    do(swiss, players[0], Kind.MESSAGE, now=NOW + 2 * DAY, reason="Again.")


def test_opponents_of_a_removed_player_win_without_ratings(swiss, players):
    table = TableSeat.objects.get(entry__user=players[2]).table
    other = table.table_seats.exclude(entry__user=players[2]).get()
    organiser = next(u for u in players[:6] if u not in (players[2], other.entry.user))
    Tournament.objects.update(organiser=organiser)
    with pytest.raises(Refused, match="reason is needed"):
        do(swiss, organiser, Kind.REMOVE, name=players[2].username)
    do(swiss, organiser, Kind.REMOVE, name=players[2].username, reason="Insults.")
    other.refresh_from_db()
    assert other.rank == 1
    match = Match.objects.get(pk=table.match_id)
    assert match.status == Match.Status.ANNULLED
    assert Table.objects.get(pk=table.pk).reason == "Insults."
    services.take_back_annulled()
    other.refresh_from_db()
    assert other.rank == 1
    with pytest.raises(EntryClosed):
        enter(swiss, players[2])


def test_an_organiser_wins_nothing_by_removing_an_opponent(swiss, players):
    own = TableSeat.objects.get(entry__user=players[0])
    other = own.table.table_seats.exclude(pk=own.pk).get().entry.user
    do(swiss, players[0], Kind.REMOVE, name=other.username, reason="So.")
    own.refresh_from_db()
    assert own.rank is None
    assert own.table.ended is not None or Table.objects.get(pk=own.table_id).ended


def test_who_was_removed_before_the_start_stays_out_until_it_is_undone(players, moderator):
    made = announce(players[0])
    enter(made, players[1])
    do(made, players[0], Kind.REMOVE, name="bruno", reason="So.")
    with pytest.raises(Refused, match="removed you"):
        enter(made, players[1])
    with pytest.raises(Refused, match="removed you"):
        services.wait(tournament_id=made.pk, user=players[1], now=NOW)
    moderate(made, moderator, Kind.UNDO, act=OrganiserAct.objects.get().pk)
    enter(made, players[1])


def test_a_round_is_extended_within_bounds(swiss, players):
    before = Round.objects.get().deadline
    do(swiss, players[0], Kind.EXTEND, days=5)
    assert Round.objects.get().deadline == before + 5 * DAY
    assert len(told("tournament-news", kind="extend")) == 5
    for days in (0, -3, 61):
        with pytest.raises(Refused):
            do(swiss, players[0], Kind.EXTEND, days=days)
    for _ in range(3):
        do(swiss, players[0], Kind.EXTEND, days=60)
    with pytest.raises(Refused, match="at most 240 days"):
        do(swiss, players[0], Kind.EXTEND, days=60)


def test_a_pause_stops_clocks_and_rounds(swiss, players):
    deadline = Round.objects.get().deadline
    match = running(swiss)[0]
    due = match.players.get(to_move=True).deadline
    do(swiss, players[0], Kind.PAUSE, reason="Holidays.")
    assert match.players.get(to_move=True).deadline is None
    late = deadline + 3 * DAY
    with pytest.raises(Refused, match="paused already"):
        do(swiss, players[0], Kind.PAUSE, reason="Holidays.")
    for one in running(swiss)[1:]:
        end(one)
    services.advance(swiss.pk, now=late)
    assert Match.objects.get(pk=match.pk).is_running
    end(match)
    services.advance(swiss.pk, now=late)
    assert Round.objects.count() == 1
    do(swiss, players[0], Kind.RESUME, now=NOW + 10 * DAY)
    assert Round.objects.count() == 2
    assert Round.objects.get(number=1).deadline == deadline + 10 * DAY
    assert due


def test_clocks_run_on_after_a_pause(swiss, players):
    match = running(swiss)[0]
    due = match.players.get(to_move=True).deadline
    do(swiss, players[0], Kind.PAUSE, reason="Holidays.")
    do(swiss, players[0], Kind.RESUME, now=NOW + 4 * DAY)
    assert match.players.get(to_move=True).deadline == due + 4 * DAY


def test_a_pause_ends_by_itself(swiss, players):
    do(swiss, players[0], Kind.PAUSE, reason="Holidays.")
    organising.end_long_pauses(now=NOW + organising.MAX_PAUSE - DAY)
    assert Tournament.objects.get().paused
    organising.end_long_pauses(now=NOW + organising.MAX_PAUSE)
    assert Tournament.objects.get().paused is None
    assert OrganiserAct.objects.filter(kind=Kind.RESUME, actor=None).exists()


def foreign_table(made, user):
    seats = TableSeat.objects.filter(table__round__tournament=made, entry__user=user)
    tables = Table.objects.exclude(pk__in=seats.values("table")).filter(match__isnull=False)
    return tables.filter(round__tournament=made, round__ended=None).order_by("number").first()


def test_a_pairing_is_settled_and_its_match_annulled(swiss, players):
    table = foreign_table(swiss, players[0])
    second = table.table_seats.get(seat=1)
    name = second.entry.user.username
    do(swiss, players[0], Kind.SETTLE, table=table.pk, outcome=name, reason="No show.")
    table.refresh_from_db()
    second.refresh_from_db()
    assert (second.rank, table.reason) == (1, "No show.")
    assert Match.objects.get(pk=table.match_id).status == Match.Status.ANNULLED
    entries = selectors.entries_of(swiss)
    lines = lines_of(swiss, entries, selectors.tables_of(swiss))
    assert {line.entrant: line.points for line in lines}[second.entry_id] == 1


@pytest.mark.parametrize("outcome", ["draw", "nobody"])
def test_a_pairing_is_settled_without_a_winner(swiss, players, outcome):
    table = foreign_table(swiss, players[0])
    do(swiss, players[0], Kind.SETTLE, table=table.pk, outcome=outcome, reason="No show.")
    wanted = [1, 1] if outcome == "draw" else [None, None]
    assert [seat.rank for seat in table.table_seats.all()] == wanted


def test_nobody_settles_their_own_pairing_or_one_of_elsewhere(swiss, players):
    own = TableSeat.objects.get(entry__user=players[0]).table
    with pytest.raises(Refused, match="You play in this pairing"):
        do(swiss, players[0], Kind.SETTLE, table=own.pk, outcome="ada", reason="So.")
    other = announce(players[0])
    found = foreign_table(swiss, players[0])
    with pytest.raises(Refused, match="hasn’t begun"):
        do(other, players[0], Kind.SETTLE, table=found.pk, outcome="draw", reason="So.")
    for outcome in ("ada", "zoe", ""):
        with pytest.raises(Refused, match="Name a player"):
            do(swiss, players[0], Kind.SETTLE, table=found.pk, outcome=outcome, reason="So.")
    for pk in (0, 2**40):
        with pytest.raises(Refused, match="no such pairing"):
            do(swiss, players[0], Kind.SETTLE, table=pk, outcome="draw", reason="So.")


def test_a_knock_out_is_not_settled_as_a_draw(players):
    made = begun(players[:4], format=Format.KNOCK_OUT)
    table = foreign_table(made, players[0])
    with pytest.raises(Refused, match="must go on"):
        do(made, players[0], Kind.SETTLE, table=table.pk, outcome="draw", reason="So.")


def test_late_players_start_with_no_points(players):
    made = begun(players[:6], format=Format.SWISS, rounds=3, late_until=2)
    made.most = 8
    made.save(update_fields=["most"])
    enter(made, players[6])
    for match in running(made):
        end(match)
    services.advance(made.pk, now=NOW)
    late = Entry.objects.get(user=players[6])
    assert late.number == 7
    assert late.table_seats.filter(table__round__number=2).exists()
    assert not late.table_seats.filter(table__round__number=1).exists()
    with pytest.raises(EntryClosed):
        enter(made, players[7])


def test_late_entry_is_changed_while_it_runs(swiss, players):
    Tournament.objects.update(most=8)
    with pytest.raises(EntryClosed):
        enter(swiss, players[6])
    do(swiss, players[0], Kind.LATE, round=3)
    enter(swiss, players[6])
    for wrong in (1, 4, 10, -1):
        with pytest.raises(Refused):
            do(swiss, players[0], Kind.LATE, round=wrong)
    do(swiss, players[0], Kind.LATE, round=0)
    with pytest.raises(EntryClosed):
        enter(swiss, players[7])


def test_late_entry_ends_with_the_last_round(players):
    made = announce(players[0], format=Format.SWISS, most=8, rounds=3)
    for wrong in (4, 9):
        with pytest.raises(Refused, match="from 1 to 3"):
            do(made, players[0], Kind.LATE, round=wrong)
    do(made, players[0], Kind.LATE, round=3)
    assert Tournament.objects.get().late_until == 3


def test_a_bye_that_was_granted_gives_half_a_point(swiss, players):
    bruno = players[1]
    organising.ask_for_bye(tournament_id=swiss.pk, user=bruno, now=NOW)
    [asked] = ByeRequest.objects.all()
    do(swiss, players[0], Kind.BYE, request=asked.pk)
    assert told("tournament-news", kind="bye") == ["bruno"]
    for match in running(swiss):
        end(match)
    services.advance(swiss.pk, now=NOW)
    bye = Table.objects.get(asked_for=True)
    assert [seat.entry.user for seat in bye.table_seats.all()] == [bruno]
    entries = selectors.entries_of(swiss)
    lines = {one.entrant: one for one in lines_of(swiss, entries, selectors.tables_of(swiss))}
    entry = Entry.objects.get(user=bruno)
    first = TableSeat.objects.get(entry=entry, table__round__number=1)
    assert lines[entry.pk].points * 2 == (2 if first.rank == 1 else 0) + 1
    assert lines[entry.pk].byes == 0
    with pytest.raises(Refused, match="granted already"):
        do(swiss, players[0], Kind.BYE, request=asked.pk)


def test_a_bye_that_was_not_granted_is_none(swiss, players):
    organising.ask_for_bye(tournament_id=swiss.pk, user=players[1], now=NOW)
    for match in running(swiss):
        end(match)
    services.advance(swiss.pk, now=NOW)
    assert not Table.objects.filter(asked_for=True).exists()
    with pytest.raises(Refused, match="has begun"):
        do(swiss, players[0], Kind.BYE, request=ByeRequest.objects.get().pk)


def test_if_all_rest_all_are_paired(swiss, players):
    for user in players[:6]:
        organising.ask_for_bye(tournament_id=swiss.pk, user=user, now=NOW)
    ByeRequest.objects.update(granted=NOW)
    for match in running(swiss):
        end(match)
    services.advance(swiss.pk, now=NOW)
    assert Table.objects.filter(round__number=2, match__isnull=False).count() == 3


def test_a_request_is_taken_back_and_only_players_ask(swiss, players):
    for _ in range(2):
        organising.ask_for_bye(tournament_id=swiss.pk, user=players[1], now=NOW)
    assert not ByeRequest.objects.exists()
    with pytest.raises(Refused, match="not in this tournament"):
        organising.ask_for_bye(tournament_id=swiss.pk, user=players[7], now=NOW)
    other = begun(players[:3])
    with pytest.raises(Refused, match="no round"):
        organising.ask_for_bye(tournament_id=other.pk, user=players[1], now=NOW)


def test_a_placed_player_gets_a_word(players):
    made = begun(players[:3])
    with pytest.raises(EntryClosed):
        do(made, players[0], Kind.WORD, name="bruno", word="best newcomer")
    for match in running(made):
        end(match)
    services.advance(made.pk, now=NOW)
    do(made, players[0], Kind.WORD, name="bruno", word="best newcomer")
    assert Entry.objects.get(user=players[1]).word == "best newcomer"
    for name, word in (("bruno", "x" * 41), ("emil", "so")):
        with pytest.raises(Refused):
            do(made, players[0], Kind.WORD, name=name, word=word)


# --- Moderators ---------------------------------------------------------------------------------


def test_moderators_act_with_a_reason_and_are_in_their_log(swiss, moderator):
    with pytest.raises(Refused, match="reason is needed"):
        do(swiss, moderator, Kind.EXTEND, days=3, moderates=True)
    moderate(swiss, moderator, Kind.EXTEND, days=3)
    [act] = OrganiserAct.objects.all()
    assert act.by_moderator
    [row] = ModeratorAction.objects.all()
    assert (row.action, row.reason) == ("event-extend", "A good reason.")
    assert "extended round 1 by 3 days" in row.details


def test_moderators_who_play_leave_it_to_others(players, moderator):
    made = begun([*players[:3], moderator])
    with pytest.raises(Refused, match="another moderator"):
        moderate(made, moderator, Kind.EXTEND, days=3)


def test_moderators_undo_each_act_once(swiss, players, moderator):
    before = Round.objects.get().deadline
    do(swiss, players[0], Kind.EXTEND, days=3)
    act = OrganiserAct.objects.get()
    with pytest.raises(Refused, match="Only moderators"):
        do(swiss, players[0], Kind.UNDO, act=act.pk, reason="So.")
    moderate(swiss, moderator, Kind.UNDO, act=act.pk)
    assert Round.objects.get().deadline == before
    for pk in (act.pk, act.undone_by.pk, 2**40):
        with pytest.raises(Refused):
            moderate(swiss, moderator, Kind.UNDO, act=pk)


def test_every_undoing_restores(swiss, players, moderator):
    ada = players[0]
    Tournament.objects.update(most=8)
    table = foreign_table(swiss, ada)
    third = next(
        user
        for user in players[1:6]
        if not table.table_seats.filter(entry__user=user).exists()
        and not Table.objects.filter(table_seats__entry__user=ada, table_seats__seat__gte=0)
        .filter(table_seats__entry__user=user)
        .exists()
    )
    do(swiss, ada, Kind.LATE, round=2)
    do(swiss, ada, Kind.SHARE, name=players[6].username)
    do(swiss, ada, Kind.SETTLE, table=table.pk, outcome="draw", reason="So.")
    do(swiss, ada, Kind.REMOVE, name=third.username, reason="So.")
    do(swiss, ada, Kind.PAUSE, reason="So.")
    do(swiss, ada, Kind.MESSAGE, reason="Rude words.")
    for act in list(OrganiserAct.objects.order_by("-pk")):
        moderate(swiss, moderator, Kind.UNDO, act=act.pk)
    made = Tournament.objects.get(pk=swiss.pk)
    assert (made.late_until, made.paused) == (0, None)
    assert not made.co_organisers.exists()
    assert Entry.objects.get(user=third).left is None
    assert [seat.rank for seat in table.table_seats.all()] == [None, None]


def test_an_edit_is_undone_until_the_start(players, moderator):
    made = announce(players[0])
    do(made, players[0], Kind.EDIT, **new_terms(made, round_days=30, name="Rude"))
    moderate(made, moderator, Kind.UNDO, act=OrganiserAct.objects.get().pk)
    made.refresh_from_db()
    assert (made.round_days, made.name) == (21, "Spring Cup")


# --- Accounts that go ---------------------------------------------------------------------------


def test_a_tournament_is_handed_over_when_its_organiser_goes(players):
    made = announce(players[0])
    do(made, players[0], Kind.SHARE, name="bruno", reason="Please help.")
    organising.answer(tournament_id=made.pk, user=players[1], accepts=True, now=NOW)
    personal_data.export(players[0])
    for part in personal_data.parts():
        part.delete(players[0], NOW)
    made.refresh_from_db()
    assert (made.organiser, made.status, made.name) == (players[1], "open", "Spring Cup")
    assert not OrganiserAct.objects.filter(actor=players[0]).exists()
    assert not OrganiserAct.objects.exclude(reason="").exists()


# --- Two at once --------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_tabs_settle_a_pairing_once_each_and_it_stays_settled(players):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    table = foreign_table(made, players[0])
    names = [seat.entry.user.username for seat in table.table_seats.all()]

    def settle(name):
        do(made, players[0], Kind.SETTLE, table=table.pk, outcome=name, reason="So.")

    run_concurrently(*[lambda name=name: settle(name) for name in names])
    ranks = sorted(seat.rank for seat in table.table_seats.all())
    assert ranks == [1, 2]
    assert OrganiserAct.objects.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_act_while_a_round_is_paired_comes_before_or_after(players):
    made = begun(players[:6], format=Format.SWISS, rounds=3)
    for match in running(made):
        end(match)
    entry = Entry.objects.filter(tournament=made).exclude(user=players[0]).first()

    def remove():
        do(made, players[0], Kind.REMOVE, name=entry.user.username, reason="So.")

    run_concurrently(remove, *[lambda: services.advance(made.pk, now=NOW)] * 2)
    assert Round.objects.filter(tournament=made, number=2).count() == 1
    entry.refresh_from_db()
    assert entry.why == "removed"
    open_seats = entry.table_seats.filter(table__round__number=2, table__ended=None)
    assert not open_seats.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_double_click_starts_once(players):
    made = announce(players[0], most=8)
    enter(made, *players[:4])

    def start():
        try:
            do(made, players[0], Kind.START)
        except Refused:
            return False
        return True

    assert sorted(run_concurrently(start, start)) == [False, True]
    assert OrganiserAct.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_moderators_undo_once(players, moderator):
    made = begun(players[:4], format=Format.SWISS, rounds=2)
    do(made, players[0], Kind.EXTEND, days=3)
    act = OrganiserAct.objects.get()

    def undo():
        try:
            moderate(made, moderator, Kind.UNDO, act=act.pk)
        except Refused:
            return False
        return True

    assert sorted(run_concurrently(undo, undo)) == [False, True]
