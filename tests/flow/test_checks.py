"""What the database refuses to store of matches and challenges."""

import traceback
from datetime import timedelta

import pytest
from django.db import IntegrityError, models, transaction

from games.lobby import services as lobby
from games.lobby.models import Challenge, Invitation
from games.matches.clock import PRESETS
from games.matches.models import LogEntry, Match, Outage, Player, SetAside, StandingOrder
from games.matches.update import MatchUpdate
from tests.fixtures import NOW

DAY = timedelta(days=1)


@pytest.fixture
def rows(play, people):
    """One row of each model, by model."""
    play.move(0, "1")
    match, player = play.match, play.player(0)
    made = lobby.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=PRESETS["standard"],
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
    )
    return {
        Match: match,
        Player: play.player(1),
        LogEntry: LogEntry.objects.get(),
        StandingOrder: StandingOrder.objects.create(player=player, name="any", given=NOW),
        Outage: Outage.objects.create(began=NOW, ended=NOW + DAY),
        SetAside: SetAside.objects.create(match=match, since=NOW, part="log"),
        Challenge: made,
        Invitation: Invitation.objects.get(),
    }


def write(row, **fields):
    """Write columns of a row past all that the models refuse."""
    with transaction.atomic():
        models.QuerySet(type(row)).filter(pk=row.pk).update(**fields)


BAD = [
    (Match, {"status": "paused", "ending": "closed", "ended": NOW}, "match_status_is_known"),
    (Match, {"status": "over"}, "match_ends_when_not_running"),
    (Match, {"ending": "closed"}, "match_ends_when_not_running"),
    (Match, {"ended": NOW}, "match_ends_when_not_running"),
    (Match, {"rules_version": 0}, "match_rules_version_from_1"),
    (Player, {"seat": 10}, "player_seat_exists"),
    (Player, {"rank": 0}, "player_rank_from_1"),
    (Player, {"dropped": "bored"}, "player_dropped_is_known"),
    (Player, {"time_left": -DAY}, "player_time_left_from_0"),
    (Player, {"clock_since": None}, "player_deadline_of_a_clock"),
    (Player, {"deadline": None}, "player_deadline_of_a_clock"),
    (Player, {"time_left": None}, "player_deadline_of_a_clock"),
    (LogEntry, {"kind": "pass"}, "entry_kind_is_known"),
    (LogEntry, {"kind": "substitute"}, "entry_kind_is_known"),
    (LogEntry, {"number": 0}, "entry_number_and_seat"),
    (LogEntry, {"seat": 10}, "entry_number_and_seat"),
    (LogEntry, {"thinking": -DAY}, "entry_spans_from_0"),
    (LogEntry, {"time_left": -DAY}, "entry_spans_from_0"),
    (LogEntry, {"undoes": 1}, "entry_undoes_an_earlier_one"),
    (LogEntry, {"kind": "take-back", "undoes": 1}, "entry_undoes_an_earlier_one"),
    (LogEntry, {"kind": "take-back"}, "entry_undoes_an_earlier_one"),
    (StandingOrder, {"called": 1}, "order_due_when_called"),
    (StandingOrder, {"called": 1, "due": NOW}, "order_due_when_called"),
    (Outage, {"cause": "weather"}, "outage_cause_is_known"),
    (Outage, {"ended": NOW - DAY}, "outage_ends_after_its_beginning"),
    (SetAside, {"part": "players"}, "set_aside_part_is_known"),
    (Challenge, {"audience": "some"}, "challenge_choices_are_known"),
    (Challenge, {"seating": "middle"}, "challenge_choices_are_known"),
    (Challenge, {"status": "started"}, "challenge_starts_with_a_match"),
    (Challenge, {"status": "lost"}, "challenge_starts_with_a_match"),
    (Challenge, {"seats": 1}, "challenge_seats_2_to_10"),
    (Challenge, {"expires": NOW}, "challenge_expires_after_creation"),
    (Invitation, {"state": "maybe"}, "invitation_state_is_known"),
    (Invitation, {"seat": 10}, "invitation_seat_exists"),
]


@pytest.mark.parametrize(("model", "fields", "name"), BAD)
def test_the_database_refuses(rows, model, fields, name):
    with pytest.raises(IntegrityError, match=name):
        write(rows[model], **fields)


def test_a_refusal_quotes_nothing_of_the_row(play, monkeypatch):
    monkeypatch.setattr(MatchUpdate, "_left_after", lambda self, seat: -DAY)
    with pytest.raises(IntegrityError, match="entry_spans_from_0") as refused:
        play.move(0, "peek")
    told = "".join(traceback.format_exception(refused.value))
    assert "Failing row" not in told
    assert "hidden" not in told


def test_each_check_is_tested():
    checked = {name for _, _, name in BAD}
    tables = {model for model, _, _ in BAD}
    assert checked == {
        check.name
        for model in tables
        for check in model._meta.constraints
        if isinstance(check, models.CheckConstraint)
    }


@pytest.mark.parametrize(
    ("model", "field", "others"),
    [
        (LogEntry, "kind", {"number": 7}),
        (Player, "dropped", {}),
        (Outage, "cause", {}),
        (Invitation, "state", {}),
        (Challenge, "audience", {}),
        (Challenge, "seating", {}),
    ],
)
def test_every_choice_can_be_stored(rows, people, model, field, others):
    entries = {
        "take-back": {"undoes": 1},
        "substitute": {"undoes": None, "seat": 0, "moderator": people[0]},
    }
    for value, _ in model._meta.get_field(field).choices:
        needed = entries.get(value, {"undoes": None}) if model is LogEntry else {}
        write(rows[model], **{field: value, **others, **needed})


@pytest.mark.parametrize("status", Match.Status.values)
def test_every_status_can_be_stored(rows, status):
    ends = {} if status == "running" else {"ending": "closed", "ended": NOW}
    write(rows[Match], status=status, **ends)


@pytest.mark.parametrize("status", Challenge.Status.values)
def test_every_status_of_a_challenge_can_be_stored(rows, status):
    write(rows[Challenge], status=status, match=rows[Match] if status == "started" else None)
