"""A small season of tournaments, a ladder and clubs: nothing stalls though every task is lost."""

from datetime import timedelta

import pytest

from accounts.models import Notification
from bench import season
from games.clubs.models import Membership
from games.events.models import Round, Table, TableSeat, Tournament
from games.ladders.models import LadderChallenge, LadderPlace
from games.matches.models import Sweep
from games.matches.selectors import WEB
from games.teams.models import TeamMatch

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


def wrong(played):
    return {what for what, said in season.troubles(played).items() if said}


def test_a_season_of_eight_ends_and_adds_up(monkeypatch):
    # a web process answered long before, as in another section of the bench
    Sweep.objects.create(name=WEB, ran=season.BEGIN - timedelta(days=280))
    played = season.play(8, club_count=3)
    assert {what: said for what, said in season.troubles(played).items() if said} == {}
    others = Tournament.objects.exclude(format=Tournament.Format.TEAMS)
    assert others.filter(status="finished").count() == 3
    assert Tournament.objects.filter(status="finished", team_match__isnull=False).exists()
    assert {"banned", "deleted", "withdrew", "vacation", "paused matches"} <= played.done.keys()
    assert LadderChallenge.objects.exclude(outcome="").exists()
    monkeypatch.setattr(season, "play", lambda _: played)
    assert [row for row in season.rows() if row[-1] == "MISSED"] == []
    # The account notices what is wrong.
    late = Round.objects.order_by("pk").first()
    Round.objects.filter(pk=late.pk).update(ended=late.deadline + timedelta(days=1))
    seat = TableSeat.objects.filter(rank=1, table__match__isnull=False).first()
    Table.objects.filter(pk=seat.table_id).update(ended=None)
    Membership.objects.update(led_since=None)
    TeamMatch.objects.filter(tournament__isnull=False).update(ends=season.BEGIN)
    Notification.objects.filter(kind="team-over").delete()
    LadderPlace.objects.filter(position=1).update(position=0)
    LadderChallenge.objects.update(outcome="", closed=None)
    Tournament.objects.filter(pk=played.tournaments[0]).update(status="running")
    assert wrong(played) >= {
        "rounds that ended after their deadline",
        "tables without an end",
        "ladder challenges not settled in time",
        "ladders with gaps",
        "team matches that did not end in time",
        "clubs without a leader, or of another size",
        "notifications of clubs missing or sent twice",
        "tournaments that did not end",
    }
