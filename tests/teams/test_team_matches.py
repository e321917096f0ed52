"""Team matches from the challenge to the result, and what could stall them."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts import blocks, closing, personal_data
from accounts.models import Notification
from accounts.notifications import outdated, render, summary
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.clubs import services as clubs_services
from games.clubs.acts import sentence
from games.clubs.errors import NoSuchClub, NotALeader
from games.clubs.selectors import leader_acts
from games.events import organising
from games.events import selectors as tournaments
from games.events import services as events
from games.events.models import Entry, OrganiserAct, Tournament
from games.kernel.errors import BadParams
from games.matches import services as matches
from games.matches.errors import Refused
from games.matches.models import Match, Player
from games.moderation import actions
from games.moderation.errors import ModerationRefused, NotYours
from games.moderation.models import Case, ModeratorAction
from games.ratings.models import Rating
from games.teams import notifications, selectors, services
from games.teams.errors import NoSuchTeamMatch
from games.teams.models import TeamMatch
from tests.clubs.clubs import join, lead
from tests.fixtures import NOW
from tests.moderation import make_moderator, reported
from tests.teams.teams import (
    DAY,
    DUE,
    ENDS,
    FIRST,
    SECOND,
    accepted,
    advanced,
    begun,
    challenge,
    clubs,
    crowd,
    line_up,
    lose,
    matches_of,
    no_tasks,
    tables,
)

__all__ = ["clubs", "crowd", "no_tasks"]

pytestmark = pytest.mark.usefixtures("toy")
Status = TeamMatch.Status


def told(user, kind=None):
    rows = Notification.objects.filter(recipient=user)
    return sorted(rows.values_list("kind", flat=True)) if kind is None else rows.filter(kind=kind)


def score(team_match):
    first, second = selectors.scores([team_match])[team_match.pk]
    return first.points, second.points


def ban(user, moderator, now=NOW):
    standing.impose(user, Sanction.Kind.BAN, reason="A test.", moderator=moderator, now=now)


# --- The challenge ------------------------------------------------------------------------------


def test_a_challenge_is_accepted_by_the_other_clubs_leaders(clubs, crowd):
    made = challenge(clubs, crowd["ada"])
    assert told(crowd["emil"]) == [notifications.CHALLENGED]
    for name in ("ada", "fanny", "hedda"):
        with pytest.raises(NotALeader):
            services.answer(team_match_id=made.pk, leader=crowd[name], accepts=True, now=NOW)
    services.answer(team_match_id=made.pk, leader=crowd["emil"], accepts=True, now=NOW)
    assert selectors.get(made.pk).status == Status.ACCEPTED
    assert told(crowd["ada"]) == [notifications.NEWS]
    assert told(crowd["bruno"]) == told(crowd["fanny"]) == [notifications.CALLED]
    assert " UTC." in render(told(crowd["bruno"], notifications.CALLED).get()).text
    asked = list(told(crowd["emil"], notifications.CHALLENGED))
    assert outdated(crowd["emil"], asked, ())


def test_a_declined_challenge_rests_for_a_week(clubs, crowd):
    made = challenge(clubs, crowd["ada"])
    services.answer(team_match_id=made.pk, leader=crowd["emil"], accepts=False, now=NOW)
    assert told(crowd["ada"]) == [notifications.NEWS]
    with pytest.raises(Refused, match="has declined"):
        challenge(clubs, crowd["ada"])
    later = NOW + services.REST
    challenge(clubs, crowd["ada"], now=later, due=later + DAY, ends=later + 30 * DAY)


@pytest.mark.parametrize(
    ("terms", "error"),
    [
        ({"boards": 1}, Refused),
        ({"boards": 51}, Refused),
        ({"due": NOW}, Refused),
        ({"due": NOW + 31 * DAY}, Refused),
        ({"ends": DUE + 6 * DAY}, Refused),
        ({"ends": DUE + 241 * DAY}, Refused),
        ({"title": "nothing"}, Refused),
        ({"seats": 5}, BadParams),
        ({"params": {"heap": -1}}, BadParams),
    ],
)
def test_terms_out_of_range_are_refused(clubs, crowd, terms, error):
    with pytest.raises(error):
        challenge(clubs, crowd["ada"], **terms)
    assert not TeamMatch.objects.exists()


def test_only_leaders_challenge_another_open_club(clubs, crowd):
    with pytest.raises(NotALeader):
        challenge(clubs, crowd["bruno"])
    with pytest.raises(Refused, match="itself"):
        challenge((clubs[0], clubs[0]), crowd["ada"])
    challenge(clubs, crowd["ada"])
    with pytest.raises(Refused, match="already"):
        challenge(clubs, crowd["ada"])
    blocks.block(user=crowd["emil"], other=crowd["ada"], now=NOW)
    with pytest.raises(Refused, match="can’t challenge"):
        challenge(clubs, crowd["ada"])
    clubs_services.close(club_id=clubs[1].pk, leader=crowd["emil"], now=NOW)
    with pytest.raises(Refused, match="closed"):
        challenge(clubs, crowd["ada"])
    clubs[1].pk = 99
    with pytest.raises(NoSuchClub):
        challenge(clubs, crowd["ada"])


def test_a_club_plays_a_limited_number(clubs, crowd, monkeypatch):
    monkeypatch.setattr(services, "MAX_CURRENT", 1)
    first = accepted(clubs, crowd)
    second = challenge(clubs, crowd["ada"])
    with pytest.raises(Refused, match="has 1 team matches already"):
        services.answer(team_match_id=second.pk, leader=crowd["emil"], accepts=True, now=NOW)
    services.cancel(team_match_id=first.pk, leader=crowd["emil"], now=NOW)
    services.answer(team_match_id=second.pk, leader=crowd["emil"], accepts=True, now=NOW)


def test_the_challenger_withdraws_and_both_cancel(clubs, crowd):
    made = challenge(clubs, crowd["ada"])
    with pytest.raises(NotALeader):
        services.cancel(team_match_id=made.pk, leader=crowd["emil"], now=NOW)
    services.cancel(team_match_id=made.pk, leader=crowd["ada"], now=NOW)
    with pytest.raises(Refused, match="withdrawn"):
        services.answer(team_match_id=made.pk, leader=crowd["emil"], accepts=True, now=NOW)
    other = accepted(clubs, crowd)
    services.cancel(team_match_id=other.pk, leader=crowd["emil"], now=NOW)
    assert not selectors.get(other.pk).players.exists()
    news = told(crowd["clara"], notifications.NEWS).get()
    assert "The team match is cancelled" in summary(news).subject
    with pytest.raises(NoSuchTeamMatch):
        services.cancel(team_match_id=99, leader=crowd["ada"], now=NOW)


# --- Line-ups -----------------------------------------------------------------------------------


def test_members_of_either_club_sign_up(clubs, crowd):
    made = accepted(clubs, crowd)
    services.sign_up(team_match_id=made.pk, user=crowd["ada"], now=NOW)
    assert selectors.signed_up(made) == (3, 3)
    with pytest.raises(Refused, match="members"):
        services.sign_up(team_match_id=made.pk, user=crowd["hedda"], now=NOW)
    join(clubs[0], crowd["hedda"])
    join(clubs[1], crowd["hedda"])
    with pytest.raises(Refused, match="both clubs"):
        services.sign_up(team_match_id=made.pk, user=crowd["hedda"], now=NOW)
    services.sign_up(team_match_id=made.pk, user=crowd["hedda"], team=2, now=NOW)
    with pytest.raises(Refused, match="the other club"):
        services.sign_up(team_match_id=made.pk, user=crowd["hedda"], team=1, now=NOW)
    assert selectors.signed_up(made) == (3, 4)
    ban(crowd["ivo"], crowd["ada"])
    join(clubs[0], crowd["ivo"])
    with pytest.raises(Refused):
        services.sign_up(team_match_id=made.pk, user=crowd["ivo"], now=NOW)


def test_a_line_up_is_seen_by_its_leaders_alone(clubs, crowd):
    made = accepted(clubs, crowd)
    line_up(made, crowd, "clara", "ada")
    shown = {
        name: [
            players and [(one.user.username, one.board) for one in players]
            for players in (
                selectors.shown_players(made, team, selectors.reader(made, crowd[name]))
                for team in selectors.TEAMS
            )
        ]
        for name in ("ada", "bruno", "emil", "hedda")
    }
    unordered = [("ada", None), ("bruno", None), ("clara", None)]
    assert shown["ada"] == [[("clara", 1), ("ada", 2), ("bruno", None)], None]
    assert shown["bruno"] == [unordered, None]
    assert shown["hedda"] == [None, None]
    assert shown["emil"][0] is None
    [news] = told(crowd["emil"], notifications.NEWS)
    assert "clara" not in str(news.payload)
    assert "ada" not in str(news.payload)
    assert Tournament.objects.count() == 0


@pytest.mark.parametrize(
    "names",
    [("ada",), ("ada", "ada"), ("ada", "emil"), ("ada", "hedda"), ("ada", "bruno", "clara")],
)
def test_a_wrong_line_up_changes_nothing(clubs, crowd, names):
    made = accepted(clubs, crowd)
    line_up(made, crowd, "clara", "ada")
    with pytest.raises(Refused):
        line_up(made, crowd, *names)
    made = selectors.get(made.pk)
    boards = {one.user.username: one.board for one in selectors.players_of(made, 1)}
    assert boards == {"clara": 1, "ada": 2, "bruno": None}
    assert made.line_ups_set == (True, False)


def test_only_leaders_set_line_ups(clubs, crowd):
    made = accepted(clubs, crowd)
    for name in ("bruno", "emil"):
        with pytest.raises(Refused):
            services.set_line_up(
                team_match_id=made.pk,
                leader=crowd[name],
                players=[crowd["ada"].pk, crowd["bruno"].pk],
                now=NOW,
            )
    assert selectors.get(made.pk).line_ups_set == (False, False)


def test_it_begins_with_the_second_line_up(clubs, crowd):
    made = accepted(clubs, crowd, pairing="order")
    line_up(made, crowd, "bruno", "ada")
    line_up(made, crowd, "clara", "ada")
    assert not Match.objects.exists()
    line_up(made, crowd, "fanny", "gustav")
    made = advanced(made)
    assert tables(made) == [
        ["clara", "fanny"],
        ["ada", "gustav"],
        ["fanny", "clara"],
        ["gustav", "ada"],
    ]
    assert made.tournament.played_rounds.get().deadline == ENDS
    with pytest.raises(Refused, match="begun"):
        line_up(made, crowd, "ada", "bruno")
    begin = Notification.objects.get(recipient=crowd["clara"], kind="round-begun")
    assert begin.payload["text"]["matches"] == 2
    assert not tournaments.running().exists()


def test_players_are_paired_by_rating(clubs, crowd):
    for name, mu in (("bruno", 1800), ("ada", 1600), ("gustav", 1500)):
        Rating.objects.create(
            user=crowd[name],
            title="heap",
            mu=mu,
            sigma=50,
            matches=9,
            ended=NOW,
            established_until=NOW,
        )
    made = begun(clubs, crowd, boards=3, pairing="rating")
    assert tables(made)[:3] == [["bruno", "gustav"], ["ada", "emil"], ["clara", "fanny"]]


def test_a_player_who_drops_out_breaks_the_line_up(clubs, crowd):
    made = accepted(clubs, crowd)
    line_up(made, crowd, "clara", "ada")
    services.drop_out(team_match_id=made.pk, user=crowd["bruno"], now=NOW)
    assert selectors.get(made.pk).line_ups_set == (True, False)
    services.drop_out(team_match_id=made.pk, user=crowd["clara"], now=NOW)
    assert selectors.get(made.pk).line_ups_set == (False, False)
    news = told(crowd["ada"], notifications.NEWS).order_by("-pk").first()
    assert summary(news).subject.endswith(": clara doesn’t play after all")
    heard = told(crowd["emil"], notifications.NEWS).values_list("payload", flat=True)
    assert "clara" not in str(list(heard))
    line_up(made, crowd, "emil", "fanny")
    assert not Match.objects.exists()


@pytest.mark.parametrize("how", ["left", "removed", "banned", "closed"])
def test_who_cannot_play_any_more_breaks_the_line_up(clubs, crowd, how):
    made = accepted(clubs, crowd)
    line_up(made, crowd, "clara", "bruno")
    club, clara = clubs[0], crowd["clara"]
    if how == "left":
        clubs_services.leave(club_id=club.pk, user=clara)
    elif how == "removed":
        clubs_services.remove(
            club_id=club.pk, leader=crowd["ada"], user=clara, reason="Rude.", now=NOW
        )
    elif how == "banned":
        ban(clara, crowd["ada"])
    else:
        closing.close(clara, by=crowd["ada"], reason="A test.", now=NOW)
    # without the sweep, the other line-up must not begin a match with them
    line_up(made, crowd, "emil", "fanny")
    made = selectors.get(made.pk)
    assert (made.status, made.line_ups_set) == (Status.ACCEPTED, (False, True))
    assert selectors.signed_up(made)[0] == 2
    services.sweep(now=NOW)
    line_up(made, crowd, "ada", "bruno")
    assert selectors.get(made.pk).status == Status.BEGUN


def test_overdue_team_matches_are_cancelled(clubs, crowd):
    asked = challenge(clubs, crowd["ada"])
    services.sweep(now=DUE - timedelta(seconds=1))
    assert selectors.get(asked.pk).status == Status.ASKED
    services.sweep(now=DUE)
    assert selectors.get(asked.pk).status == Status.CANCELLED
    made = accepted(clubs, crowd)
    line_up(made, crowd, "clara", "ada")
    services.sweep(now=DUE)
    assert selectors.get(made.pk).status == Status.CANCELLED
    news = told(crowd["fanny"], notifications.NEWS).get()
    assert "Café didn’t set a line-up in time." in render(news).text


def test_a_club_that_closes_cancels_what_has_not_begun(clubs, crowd):
    running = begun(clubs, crowd)
    made = accepted(clubs, crowd)
    clubs_services.close(club_id=clubs[1].pk, leader=crowd["emil"], now=NOW)
    services.sweep(now=NOW)
    assert selectors.get(made.pk).status == Status.CANCELLED
    for match in matches_of(running):
        lose(match, match.players.get(seat=0).user)
    assert advanced(running).tournament.is_finished


# --- While it runs ------------------------------------------------------------------------------


def test_a_leader_replaces_a_player_before_the_first_move(clubs, crowd):
    made = begun(clubs, crowd)
    match = matches_of(made)[0]
    assert match.players.get(seat=0).user == crowd["ada"]
    how = {"team_match_id": made.pk, "user": crowd["ada"], "now": NOW}
    with pytest.raises(NotALeader):
        services.replace(leader=crowd["emil"], substitute=crowd["clara"], **how)
    for name in ("hedda", "gustav", "bruno"):
        with pytest.raises(Refused):
            services.replace(leader=crowd["ada"], substitute=crowd[name], **how)
    services.replace(leader=crowd["ada"], substitute=crowd["clara"], **how)
    assert tables(made)[0] == ["clara", "emil"]
    assert tables(made)[2] == ["emil", "clara"]
    assert match.players.get(seat=0).user == crowd["clara"]
    version = Match.objects.get(pk=match.pk).version
    matches.play_move(
        match_id=match.pk,
        user=crowd["clara"],
        texts=["1"],
        version=version,
        submission=uuid4(),
        now=NOW,
    )
    services.sign_up_as_reserve(team_match_id=made.pk, user=join_in(clubs, crowd), now=NOW)
    with pytest.raises(Refused, match="has moved"):
        services.replace(
            team_match_id=made.pk,
            leader=crowd["ada"],
            user=crowd["clara"],
            substitute=crowd["hedda"],
            now=NOW,
        )


def join_in(clubs, crowd):
    """Let Hedda join the first club."""
    join(clubs[0], crowd["hedda"])
    return crowd["hedda"]


def test_who_plays_or_was_replaced_is_no_reserve(clubs, crowd):
    made = begun(clubs, crowd)
    how = {"team_match_id": made.pk, "now": NOW}
    with pytest.raises(Refused, match="already"):
        services.sign_up_as_reserve(user=crowd["ada"], **how)
    services.replace(leader=crowd["ada"], user=crowd["ada"], substitute=crowd["clara"], **how)
    with pytest.raises(Refused, match="left"):
        services.sign_up_as_reserve(user=crowd["ada"], **how)
    with pytest.raises(Refused, match="members"):
        services.sign_up_as_reserve(user=crowd["hedda"], **how)


@pytest.mark.parametrize("how", ["left", "banned"])
def test_a_reserve_of_the_club_takes_over(clubs, crowd, how):
    made = begun(clubs, crowd)
    emil = crowd["emil"]
    if how == "left":
        services.drop_out(team_match_id=made.pk, user=emil, now=NOW)
    else:
        ban(emil, crowd["ada"])
        advanced(made)
    # Clara of the other club signed up earlier
    assert tables(made)[0] == ["ada", "gustav"]
    assert all(match.status == Match.Status.RUNNING for match in matches_of(made))
    moved_up = told(crowd["gustav"], "moved-up").get()
    assert moved_up.payload["text"]["is_for_teams"]


def test_without_a_reserve_matches_are_resigned(clubs, crowd):
    made = begun(clubs, crowd)
    clubs_services.leave(club_id=clubs[1].pk, user=crowd["gustav"])
    services.sweep(now=NOW)
    services.drop_out(team_match_id=made.pk, user=crowd["emil"], now=NOW)
    made = advanced(made)
    assert score(made) == (2, 0)
    assert tables(made)[0] == ["ada", "emil"]


def test_the_result_is_announced(clubs, crowd):
    made = begun(clubs, crowd)
    for match, loser in zip(matches_of(made), ("emil", "fanny", "emil", "bruno"), strict=True):
        lose(match, crowd[loser])
        made = advanced(made)
    assert score(made) == (3, 1)
    assert selectors.winner(selectors.scores([made])[made.pk]) == 1
    assert made.tournament.is_finished
    for name in ("ada", "bruno", "emil", "fanny"):
        over = told(crowd[name], notifications.OVER).get()
        assert (over.payload["points"], over.payload["winner"]) == (["3", "1"], "Harbour Club")
    assert not told(crowd["clara"], notifications.OVER)
    assert not Entry.objects.filter(place__isnull=False).exists()
    assert not told(crowd["ada"], "tournament-over")


def test_wins_with_the_second_seat_decide_a_tie(clubs, crowd):
    made = begun(clubs, crowd)
    # a1–b1, a2–b2, b1–a1, b2–a2: the first club wins both of its second seats
    for match, loser in zip(matches_of(made), ("ada", "bruno", "emil", "fanny"), strict=True):
        lose(match, crowd[loser])
    made = advanced(made)
    assert score(made) == (2, 2)
    first, second = selectors.scores([made])[made.pk]
    assert (first.second_seat, second.second_seat) == (2, 2)
    assert selectors.winner((first, second)) == 0
    assert told(crowd["ada"], notifications.OVER).get().payload["winner"] == ""


def test_the_second_seat_counts_with_equal_points(clubs, crowd):
    made = begun(clubs, crowd)
    one, two, three, four = matches_of(made)
    lose(one, crowd["ada"])
    lose(three, crowd["ada"])
    lose(two, crowd["fanny"])
    lose(four, crowd["fanny"])
    made = advanced(made)
    # Emil won with seats 1 and 2, and Bruno with seats 1 and 2
    assert [side.second_seat for side in selectors.scores([made])[made.pk]] == [1, 1]


def test_overdue_matches_end_as_in_tournaments(clubs, crowd):
    made = begun(clubs, crowd)
    made = advanced(made, now=ENDS - timedelta(seconds=1))
    assert made.tournament.is_running
    made = advanced(made, now=ENDS)
    assert made.tournament.is_finished
    assert sum(score(made)) == 4
    assert not any(match.is_running for match in matches_of(made))


def test_an_annulled_match_counts_for_nobody(clubs, crowd):
    made = begun(clubs, crowd)
    for match in matches_of(made):
        lose(match, match.players.get(seat=1).user)
    made = advanced(made)
    assert score(made) == (2, 2)
    matches.annul(match_id=matches_of(made)[0].pk, moderator=None, reason="A test.", now=NOW)
    events.take_back_annulled()
    assert score(made) == (1, 2)


def test_moderators_extend_and_settle(clubs, crowd):
    made = begun(clubs, crowd)
    mod = make_moderator(crowd["ivo"])
    table = made.tournament.played_rounds.get().tables.order_by("number").first()
    act = {"tournament_id": made.tournament_id, "user": mod, "now": NOW, "moderates": True}
    organising.act(kind=OrganiserAct.Kind.EXTEND, days=5, reason="Floods.", **act)
    assert made.tournament.played_rounds.get().deadline == ENDS + 5 * DAY
    organising.act(
        kind=OrganiserAct.Kind.SETTLE, table=table.pk, outcome="emil", reason="Cheated.", **act
    )
    assert score(made) == (0, 1)
    assert matches_of(made)[0].status == Match.Status.ANNULLED
    with pytest.raises(Refused):
        organising.act(
            tournament_id=made.tournament_id,
            user=crowd["ada"],
            kind=OrganiserAct.Kind.EXTEND,
            days=5,
            now=NOW,
        )


def test_nobody_enters_the_tournament_behind_it(clubs, crowd):
    made = begun(clubs, crowd)
    for act in (events.join, events.wait):
        with pytest.raises(Refused):
            act(tournament_id=made.tournament_id, user=crowd["hedda"], now=NOW)
    with pytest.raises(Refused, match="own pages"):
        events.create(
            organiser=crowd["ada"],
            name="Cup",
            title="heap",
            params={},
            clock=made.time_control,
            format=Tournament.Format.TEAMS,
            most=8,
            starts=NOW + DAY,
            round_days=20,
            now=NOW,
        )


def test_tables_of_three_mix_both_clubs(clubs, crowd):
    made = begun(clubs, crowd, seats=3, boards=3)
    assert tables(made) == [
        ["ada", "emil", "bruno"],
        ["fanny", "clara", "gustav"],
        ["fanny", "ada", "emil"],
        ["clara", "gustav", "bruno"],
    ]
    match = matches_of(made)[0]
    lose(match, crowd["bruno"])
    lose(match, crowd["ada"])
    assert score(advanced(made)) == (0, 2)


# --- Personal data ------------------------------------------------------------------------------


def test_an_export_has_no_line_up_before_both_are_set(clubs, crowd):
    made = accepted(clubs, crowd)
    line_up(made, crowd, "clara", "ada")
    exported = personal_data.export(crowd["clara"])["team_matches"]
    assert exported["signed_up"] == [
        {
            "team_match": made.pk,
            "team": 1,
            "joined": NOW + timedelta(minutes=2),
            "club": "Harbour Club",
            "other_club": "Café",
        }
    ]
    assert personal_data.export(crowd["ada"])["team_matches"]["challenges"][0]["id"] == made.pk


def test_a_deleted_account_signs_off(clubs, crowd):
    made = accepted(clubs, crowd)
    lead(clubs[0], crowd["ada"], crowd["bruno"])
    line_up(made, crowd, "ada", "clara")
    for _ in range(2):
        for part in personal_data.parts():
            part.delete(crowd["ada"], NOW)
    made = selectors.get(made.pk)
    assert (made.challenger, made.line_ups_set) == (None, (False, False))
    assert selectors.signed_up(made) == (2, 3)
    assert told(crowd["bruno"], notifications.NEWS).exists()
    assert not Player.objects.exists()


# --- The log of leaders ---------------------------------------------------------------------------


def test_each_act_of_a_leader_is_logged_for_the_club_that_they_lead(client, clubs, crowd):
    leads = {"leader": crowd["ada"], "now": NOW}
    withdrawn = challenge(clubs, crowd["ada"])
    services.cancel(team_match_id=withdrawn.pk, **leads)
    cancelled = accepted(clubs, crowd)
    services.cancel(team_match_id=cancelled.pk, **leads)
    made = begun(clubs, crowd)
    users = {"user": crowd["ada"], "substitute": crowd["clara"]}
    services.replace(team_match_id=made.pk, **users, **leads)
    declined = challenge(clubs, crowd["ada"])
    services.answer(team_match_id=declined.pk, leader=crowd["emil"], accepts=False, now=NOW)
    rows = list(leader_acts().filter(team_match__isnull=False).order_by("pk"))
    assert [sentence(one, who=one.actor, name=one.about or "", club=one.other) for one in rows] == [
        "ada challenged Café to a team match of Heap",
        "ada withdrew the challenge to Café",
        "ada challenged Café to a team match of Heap",
        "emil accepted the challenge of Harbour Club",
        "ada cancelled the team match against Café",
        "ada challenged Café to a team match of Heap",
        "emil accepted the challenge of Harbour Club",
        "ada set the line-up against Café",
        "emil set the line-up against Harbour Club",
        "ada replaced ada in the team match against Café",
        "ada challenged Café to a team match of Heap",
        "emil declined the challenge of Harbour Club",
    ]
    assert all((one.club == clubs[0]) == (one.actor == crowd["ada"]) for one in rows)
    client.force_login(crowd["emil"])
    page = client.get(f"/clubs/{clubs[1].pk}/lead/").content.decode()
    assert f'<a href="{made.get_absolute_url()}">team match {made.pk}</a>' in page
    assert "replaced" not in page


def test_a_refused_act_is_not_logged(clubs, crowd):
    made = accepted(clubs, crowd)
    before = leader_acts().count()
    with pytest.raises(Refused):
        line_up(made, crowd, "ada")
    with pytest.raises(NotALeader):
        services.cancel(team_match_id=made.pk, leader=crowd["clara"], now=NOW)
    assert leader_acts().count() == before


# --- Reminders, and moderators --------------------------------------------------------------------


def reminded(kind):
    rows = Notification.objects.filter(kind=kind).values_list("recipient__username", flat=True)
    return sorted(rows)


def test_who_still_has_to_do_something_is_reminded_once(crowd, clubs):
    made = challenge(clubs, crowd["ada"])
    services.answer(team_match_id=made.pk, leader=crowd["emil"], accepts=True, now=NOW)
    for name in ("ada", "bruno", "emil"):
        services.sign_up(team_match_id=made.pk, user=crowd[name], now=NOW)
    line_up(made, crowd, "ada", "bruno")
    Notification.objects.all().delete()
    services.sweep(now=DUE - services.REMINDER - timedelta(minutes=1))
    assert not Notification.objects.exists()
    for _ in range(2):
        services.sweep(now=DUE - services.REMINDER)
    # The line-up of the other club is set, and Emil has signed up.
    assert reminded(notifications.DUE) == ["emil"]
    assert reminded(notifications.CALLED) == ["fanny", "gustav"]
    [due] = Notification.objects.filter(kind=notifications.DUE)
    assert not outdated(crowd["emil"], [due], ())
    services.sign_up(team_match_id=made.pk, user=crowd["fanny"], now=NOW)
    line_up(made, crowd, "emil", "fanny")
    assert outdated(crowd["emil"], [due], ())


def test_nobody_is_reminded_right_after_they_were_asked(crowd, clubs):
    made = challenge(clubs, crowd["ada"], due=NOW + DAY)
    services.answer(team_match_id=made.pk, leader=crowd["emil"], accepts=True, now=NOW)
    services.sweep(now=NOW + timedelta(hours=11))
    assert not Notification.objects.filter(kind=notifications.DUE).exists()
    services.sweep(now=NOW + timedelta(hours=12))
    assert reminded(notifications.DUE) == ["ada", "emil"]


def of_club(club, crowd):
    """Ivo reports the club of Ada."""
    how = {"name": "club", "subject_id": club.pk}
    return reported(0, crowd["ivo"], crowd["ada"], Case.Kind.SPAM, **how).case


def test_a_moderator_cancels_it_and_both_sides_read_why(client, crowd, clubs):
    made = accepted(clubs, crowd)
    case = of_club(clubs[0], crowd)
    moderator = make_moderator(crowd["hedda"])
    how = {"moderator": moderator, "reason": "Arranged results.", "now": NOW}
    actions.cancel_team_match(case, made.pk, **how)
    made.refresh_from_db()
    assert (made.status, made.reason) == (Status.CANCELLED, "Arranged results.")
    for name in (*FIRST, *SECOND):
        last = told(crowd[name], notifications.NEWS).latest("pk")
        assert "Arranged results." in render(last).text
    row = ModeratorAction.objects.latest("pk")
    assert (row.action, row.details) == ("cancel-team-match", f"team match {made.pk}")
    client.force_login(crowd["gustav"])
    assert "Arranged results." in client.get(made.get_absolute_url()).content.decode()
    client.force_login(crowd["ivo"])
    assert "Arranged results." not in client.get(made.get_absolute_url()).content.decode()
    with pytest.raises(Refused):
        actions.cancel_team_match(case, made.pk, **how)


def test_a_moderator_cancels_neither_others_nor_their_own_nor_what_has_begun(crowd, clubs):
    made = accepted(clubs, crowd)
    how = {"moderator": make_moderator(crowd["hedda"]), "reason": "A test.", "now": NOW}
    about_ivo = {"name": "player", "subject_id": crowd["ivo"].pk}
    of_ivo = reported(0, crowd["ada"], crowd["ivo"], Case.Kind.SPAM, **about_ivo).case
    with pytest.raises(ModerationRefused):
        actions.cancel_team_match(of_ivo, made.pk, **how)
    case = of_club(clubs[0], crowd)
    join(clubs[1], how["moderator"])
    with pytest.raises(NotYours):
        actions.cancel_team_match(case, made.pk, **how)
    clubs_services.leave(club_id=clubs[1].pk, user=how["moderator"])
    line_up(made, crowd, "ada", "bruno")
    line_up(made, crowd, "emil", "fanny")
    with pytest.raises(Refused):
        actions.cancel_team_match(case, made.pk, **how)
    assert not ModeratorAction.objects.exists()
