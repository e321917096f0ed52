"""Two who change a team match at the same moment, on PostgreSQL."""

import pytest

from games.clubs import services as clubs_services
from games.events.models import Entry, Tournament
from games.teams import selectors, services
from games.teams.models import TeamMatch
from tests.clubs.clubs import lead
from tests.clubs.test_club_races import raced
from tests.fixtures import NOW
from tests.teams.teams import accepted, begun, challenge, clubs, crowd, line_up, no_tasks, tables

__all__ = ["clubs", "crowd", "no_tasks"]

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("toy"),
]


def raced_in(made, first, second):
    return raced(lambda: services.locked(made.pk), first, second)


def test_both_line_ups_are_set_at_once(clubs, crowd):
    made = accepted(clubs, crowd)
    raced_in(
        made,
        lambda: line_up(made, crowd, "ada", "bruno"),
        lambda: line_up(made, crowd, "emil", "fanny"),
    )
    assert Tournament.objects.count() == 1
    assert Entry.objects.count() == 4
    assert selectors.get(made.pk).status == TeamMatch.Status.BEGUN


def test_a_leader_sets_two_line_ups_in_two_tabs(clubs, crowd):
    made = accepted(clubs, crowd)
    raced_in(
        made,
        lambda: line_up(made, crowd, "ada", "bruno"),
        lambda: line_up(made, crowd, "clara", "ada"),
    )
    players = selectors.players_of(made, 1)
    assert [(one.user.username, one.board) for one in players] == [
        ("clara", 1),
        ("ada", 2),
        ("bruno", None),
    ]


def test_a_player_drops_out_while_the_last_line_up_is_set(clubs, crowd):
    made = accepted(clubs, crowd)
    line_up(made, crowd, "ada", "bruno")
    raced_in(
        made,
        lambda: services.drop_out(team_match_id=made.pk, user=crowd["bruno"], now=NOW),
        lambda: line_up(made, crowd, "emil", "fanny"),
    )
    assert not Tournament.objects.exists()
    assert selectors.get(made.pk).line_ups_set == (False, True)


def test_two_leaders_answer_differently(clubs, crowd):
    lead(clubs[1], crowd["emil"], crowd["fanny"])
    made = challenge(clubs, crowd["ada"])
    how = {"team_match_id": made.pk, "now": NOW}
    raced_in(
        made,
        lambda: services.answer(leader=crowd["emil"], accepts=False, **how),
        lambda: services.answer(leader=crowd["fanny"], accepts=True, **how),
    )
    assert selectors.get(made.pk).status == TeamMatch.Status.DECLINED


def test_two_leaders_replace_with_the_same_reserve(clubs, crowd):
    made = begun(clubs, crowd)
    how = {"team_match_id": made.pk, "leader": crowd["ada"], "substitute": crowd["clara"]}
    raced_in(
        made,
        lambda: services.replace(user=crowd["ada"], now=NOW, **how),
        lambda: services.replace(user=crowd["bruno"], now=NOW, **how),
    )
    assert [sorted(table) for table in tables(made)[:2]] == [["clara", "emil"], ["bruno", "fanny"]]


def test_two_leaders_close_and_challenge(clubs, crowd):
    lead(clubs[0], crowd["ada"], crowd["bruno"])
    raced(
        lambda: clubs_services.close(club_id=clubs[0].pk, leader=crowd["bruno"], now=NOW),
        lambda: None,
        lambda: challenge(clubs, crowd["ada"]),
    )
    assert not TeamMatch.objects.exists()
