"""Team matches for tests, made by the services."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from games.clubs.models import Club
from games.events import services as events
from games.matches import services as matches
from games.matches.clock import PRESETS
from games.matches.models import Match
from games.teams import selectors, services
from games.teams.models import TeamMatch
from tests.clubs.clubs import found, join
from tests.fixtures import NOW

DAY = timedelta(days=1)
DUE = NOW + 7 * DAY
ENDS = NOW + 37 * DAY
FIRST = ("ada", "bruno", "clara")
SECOND = ("emil", "fanny", "gustav")


@pytest.fixture(autouse=True)
def no_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests go on with matches themselves, at the time they say."""
    for task in ("advance_tournaments", "draw_first_rounds"):
        monkeypatch.setattr(f"games.events.tasks.{task}.apply_async", lambda **_: None)
    monkeypatch.setattr("games.ratings.tasks.rate_matches.apply_async", lambda **_: None)


@pytest.fixture
def crowd(db: None) -> dict[str, User]:
    """People by their names: three of each club, and two others."""
    names = (*FIRST, *SECOND, "hedda", "ivo")
    return {n: User.objects.create(username=n, email=f"{n}@example.org") for n in names}


@pytest.fixture
def clubs(crowd: dict[str, User]) -> tuple[Club, Club]:
    """Two clubs, led by Ada and Emil."""
    made = []
    for name, (leader, *others) in (("Harbour Club", FIRST), ("Café", SECOND)):
        club = found(crowd[leader], name)
        join(club, *(crowd[one] for one in others))
        made.append(club)
    return made[0], made[1]


def challenge(clubs: tuple[Club, Club], leader: User, **terms: Any) -> TeamMatch:
    wanted: dict[str, Any] = {
        "title": "heap",
        "params": {},
        "clock": PRESETS["standard"],
        "boards": 2,
        "due": DUE,
        "ends": ENDS,
        "now": NOW,
        **terms,
    }
    return services.challenge(club_id=clubs[0].pk, leader=leader, opponent_id=clubs[1].pk, **wanted)


def accepted(clubs: tuple[Club, Club], crowd: dict[str, User], **terms: Any) -> TeamMatch:
    """A team match for which everybody has signed up."""
    made = challenge(clubs, crowd["ada"], **terms)
    services.answer(team_match_id=made.pk, leader=crowd["emil"], accepts=True, now=NOW)
    for number, name in enumerate((*FIRST, *SECOND)):
        at = NOW + timedelta(minutes=number)
        services.sign_up(team_match_id=made.pk, user=crowd[name], now=at)
    return selectors.get(made.pk)


def line_up(team_match: TeamMatch, crowd: dict[str, User], *names: str, **more: Any) -> TeamMatch:
    """Set a line-up, as the leader of the club of its first player."""
    leader = crowd["ada" if names[0] in FIRST else "emil"]
    more.setdefault("now", NOW)
    return services.set_line_up(
        team_match_id=team_match.pk,
        leader=leader,
        players=[crowd[name].pk for name in names],
        **more,
    )


def begun(clubs: tuple[Club, Club], crowd: dict[str, User], **terms: Any) -> TeamMatch:
    """A team match of two against two in the leaders' order, with its matches."""
    made = accepted(clubs, crowd, **{"pairing": "order", **terms})
    boards = made.boards
    line_up(made, crowd, *FIRST[:boards])
    line_up(made, crowd, *SECOND[:boards])
    return advanced(made)


def advanced(team_match: TeamMatch, now: Any = NOW) -> TeamMatch:
    team_match.refresh_from_db()
    assert team_match.tournament_id
    events.advance(team_match.tournament_id, now=now)
    return selectors.get(team_match.pk)


def tables(team_match: TeamMatch) -> list[list[str]]:
    """The names of the players at each table, in the order of the seats."""
    assert team_match.tournament
    rounds = team_match.tournament.played_rounds.order_by("number")
    return [
        [seat.entry.user.username for seat in table.table_seats.order_by("seat")]
        for made in rounds
        for table in made.tables.order_by("number")
    ]


def matches_of(team_match: TeamMatch) -> list[Match]:
    return list(
        Match.objects.filter(tournament_table__round__tournament=team_match.tournament_id).order_by(
            "tournament_table__number"
        )
    )


def lose(match: Match, user: User, now: Any = NOW) -> None:
    match.refresh_from_db()
    matches.resign(match_id=match.pk, user=user, version=match.version, submission=uuid4(), now=now)
