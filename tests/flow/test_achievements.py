"""Who gets which achievement, when it is taken back, and that counts follow from the matches."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from accounts import deletion, personal_data
from accounts.models import Notification
from games.achievements import giving, selectors, site, tasks
from games.achievements.models import AchievementCount, Award, ExaminedMatch
from games.achievements.site import Opponent, Played
from games.kernel.contract import Achievement
from games.matches import services
from games.matches.models import FormerPlayer, Match, Player
from games.ratings import examining, updating
from tests.concurrency import run_concurrently
from tests.example_games import heap
from tests.fixtures import NOW
from tests.rated import HOUR, ended_match

DAY = timedelta(days=1)
LATER = NOW + HOUR


@pytest.fixture(autouse=True)
def achievements(monkeypatch):
    """Let the toy game have two: to win, and to take three counters at once."""
    found = (
        Achievement("win", "Winner", "Won.", lambda feats: feats["won"]),
        Achievement("three", "Three", "Took three at once.", lambda feats: feats["most"] == 3),
    )

    def feats_of(record):
        feats = [{"won": record.is_won_by(seat), "most": 0} for seat in range(record.seats)]
        for step in record.steps:
            for event in step.events:
                if isinstance(event, heap.Taken):
                    most = feats[event.seat]["most"]
                    feats[event.seat]["most"] = max(most, event.count)
        return feats

    monkeypatch.setattr(heap.HeapRules, "achievements", found)
    monkeypatch.setattr(heap.HeapRules, "feats_of", staticmethod(feats_of))


@pytest.fixture
def played(start):
    """Return a function that plays a rated match, which the second player wins by taking three."""

    def _played(now=NOW, **chosen):
        play = start(heap=4, now=now, **chosen)
        Match.objects.filter(pk=play.id).update(rated=True)
        play.move(0, "1", now=now)
        play.move(1, "3", now=now)
        return play

    return _played


def examine(*plays, now=LATER):
    for play in plays:
        giving.examine(getattr(play, "id", None) or play.pk, now=now)


def awards():
    rows = Award.objects.exclude(title="").order_by("match", "user", "key")
    return list(rows.values_list("match", "user__username", "key", "is_first"))


def counts():
    rows = AchievementCount.objects.exclude(players=0).order_by("title", "key")
    return list(rows.values_list("title", "key", "players"))


def everything():
    fields = ("user", "title", "key", "match", "at", "is_first")
    return [*Award.objects.order_by(*fields).values_list(*fields)], counts()


def test_a_rated_match_gives_what_its_record_shows(played):
    play = played()
    examine(play)
    examine(play)
    assert awards() == [(play.id, "bruno", "three", True), (play.id, "bruno", "win", True)]
    assert counts() == [("heap", "three", 1), ("heap", "win", 1)]


def test_the_end_of_a_rated_match_starts_the_task(
    start, monkeypatch, django_capture_on_commit_callbacks
):
    asked = []
    monkeypatch.setattr(tasks.achievement_runs, "put", asked.append)
    friendly, rated = start(heap=1), start(heap=1)
    Match.objects.filter(pk=rated.id).update(rated=True)
    with django_capture_on_commit_callbacks(execute=True):
        friendly.move(0, "1")
        rated.move(0, "1")
    assert asked == [{rated.id: None}]


def test_friendly_matches_and_those_that_not_all_played_give_none(start, played):
    friendly = start(heap=1)
    friendly.move(0, "1")
    unplayed = start(heap=1)
    Match.objects.filter(pk=unplayed.id).update(rated=True)
    unplayed.move(0, "1")
    bots = played()
    Player.objects.filter(match=bots.id, seat=0).update(with_bots=True)
    examine(friendly, unplayed, bots)
    assert (awards(), counts()) == ([], [])


def test_who_left_or_took_a_seat_over_gets_none(played, people):
    left, replaced = played(), played()
    Player.objects.filter(match=left.id, seat=1).update(dropped="resigned")
    FormerPlayer.objects.create(match_id=replaced.id, seat=1, user=people[2], until=1, at=NOW)
    Player.objects.filter(match=replaced.id, seat=1).update(since=1)
    examine(left, replaced)
    assert awards() == []


def test_a_move_taken_back_counts_for_nothing(start):
    play = start(heap=6)
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "3")
    play.act(services.take_back, 0)
    for seat, text in ((0, "2"), (1, "2"), (0, "2")):
        play.move(seat, text)
    examine(play)
    assert awards() == [(play.id, "ada", "win", True)]


def test_annulling_takes_them_back_and_leaves_the_proof_of_a_later_match(played, people):
    first, second = played(), played(now=NOW + HOUR)
    examine(first, second)
    assert counts() == [("heap", "three", 1), ("heap", "win", 1)]
    for play, expected in ((first, [("heap", "three", 1), ("heap", "win", 1)]), (second, [])):
        services.annul(match_id=play.id, moderator=people[3], reason="Arranged.", now=LATER)
        examine(play)
        assert counts() == expected
        assert all(match != play.id for match, *_ in awards())


def test_the_sweep_finds_what_lost_tasks_left(played, people):
    play, unrated = played(), played()
    now = LATER
    giving.sweep(now=now, since=now - examining.RECENT)
    assert len(awards()) == 4
    services.annul(match_id=play.id, moderator=people[3], reason="Arranged.", now=now)
    updating.leave_out(unrated.match, now)
    giving.sweep(now=now, since=now - examining.RECENT)
    assert (awards(), counts()) == ([], [])


def test_an_older_match_that_turns_up_late_becomes_the_proof(played):
    late, early = played(), played(now=NOW + HOUR)
    examine(early)
    assert [one for one in awards() if one[3]] == [
        (early.id, "bruno", "three", True),
        (early.id, "bruno", "win", True),
    ]
    examine(late)
    assert {match for match, *_, is_first in awards() if is_first} == {late.id}
    assert counts() == [("heap", "three", 1), ("heap", "win", 1)]


def test_the_command_gives_the_same(played, people):
    plays = [played(now=NOW + n * HOUR) for n in range(4)]
    random.Random(1).shuffle(plays)
    examine(*plays)
    services.annul(match_id=plays[0].id, moderator=people[3], reason="Arranged.", now=LATER)
    examine(plays[0])
    before = everything()
    notified = Notification.objects.count()
    call_command("recompute_achievements", "heap")
    assert everything() == before
    Award.objects.all().delete()
    AchievementCount.objects.update(players=7)
    call_command("recompute_achievements")
    assert everything() == before
    assert Notification.objects.count() == notified


def test_a_match_that_does_not_replay_gives_none_and_stops_no_other(played):
    broken, play = played(), played()
    Match.objects.filter(pk=broken.id).update(rules_version=9)
    giving.sweep(now=LATER, since=None)
    assert {match for match, *_ in awards()} == {play.id}
    assert ExaminedMatch.objects.filter(counts=True).count() == 2


def test_a_very_long_match_is_not_replayed(played, monkeypatch):
    monkeypatch.setattr(giving, "MAX_ENTRIES", 1)
    examine(played())
    assert awards() == []


def test_one_notification_for_what_a_match_brings_and_none_twice(played, people):
    first = played()
    examine(first)
    second = played()
    examine(first, second)
    notification = Notification.objects.get(kind="achievement")
    assert notification.recipient == people[1]
    assert notification.payload["match"] == first.id
    examine(played(now=NOW - 9 * DAY), now=NOW + 9 * DAY)
    assert Notification.objects.filter(kind="achievement").count() == 1


def test_the_export_and_the_deletion_of_an_account(played, people):
    play = played()
    examine(play)
    exported = personal_data.export(people[1])["achievements"]
    assert [(one["title"], one["key"], one["match"]) for one in exported] == [
        ("heap", "three", play.id),
        ("heap", "win", play.id),
    ]
    deletion.ask(people[1], now=NOW)
    deletion.delete_due(now=NOW + 30 * DAY)
    assert (Award.objects.count(), counts()) == (0, [])


def test_the_rarest_come_first(played, people):
    play = played()
    examine(play)
    AchievementCount.objects.filter(key="win").update(players=9)
    assert [one.key for one in selectors.of_player(people[1])] == ["three", "win"]
    assert [(one.key, one.match) for one in selectors.all_of("heap", people[0])] == [
        ("three", None),
        ("win", None),
    ]
    assert {one.key for _, one in selectors.of_match(play.id)} == {"three", "win"}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_matches_that_end_at_once_count_each_player_once(transactional_db, played, people):
    plays = [played() for _ in range(4)]
    run_concurrently(*(lambda play=play: examine(play) for play in (*plays, *plays)))
    assert counts() == [("heap", "three", 1), ("heap", "win", 1)]
    assert Award.objects.filter(title="heap").count() == 8


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_match_annulled_while_it_is_examined_gives_none(
    transactional_db, played, people, monkeypatch
):
    play = played()
    replay = giving._of_game

    def annulled_meanwhile(snapshot):
        wanted = replay(snapshot)
        if wanted:
            services.annul(match_id=play.id, moderator=people[3], reason="Arranged.", now=LATER)
        return wanted

    monkeypatch.setattr(giving, "_of_game", annulled_meanwhile)
    examine(play)
    assert (awards(), counts()) == ([], [])


# --- The site's -----------------------------------------------------------------------------------

START = datetime(2026, 1, 1, tzinfo=UTC)


def one(number=0, **fields):
    """A won match of two against player 2, the number of hours after the start."""
    ended = START + number * HOUR
    defaults = {
        "match": number,
        "title": "die",
        "created": ended - HOUR,
        "ended": ended,
        "entries": 40,
        "result": "won",
        "kept": True,
        "rating": 1500,
        "opponents": (Opponent(2, 1500),),
    }
    return Played(**{**defaults, **fields})


def lost(number, **fields):
    return one(number, result="lost", **fields)


EXAMPLES = {
    "hundred-opponents": [lost(n, opponents=(Opponent(n + 2),)) for n in range(100)],
    "five-games": [one(48 * n, title=f"game-{n}") for n in range(5)],
    "three-games-a-day": [one(n, title=f"game-{n}") for n in range(3)],
    "hundred-days": [lost(0, created=START - 100 * DAY)],
    "comeback": [lost(0), lost(1), lost(2), one(3)],
    "ten-wins": [one(n) for n in range(10)],
    "upset": [one(0, opponents=(Opponent(2, 1800),))],
    "large-table": [one(0, opponents=tuple(map(Opponent, range(2, 6))))],
    "long-match": [lost(0, entries=500)],
    "old-rivals": [lost(n, kept=False) for n in range(50)],
    "twelve-months": [lost(n, ended=datetime(2026, n, 3, tzinfo=UTC)) for n in range(1, 13)],
    "never-left": [lost(n, opponents=(Opponent(n % 9),)) for n in range(100)],
    "thousand-matches": [lost(n, kept=False, opponents=(Opponent(n % 50),)) for n in range(1000)],
}
"""Careers at whose last match an achievement is complete."""


@pytest.mark.parametrize("key", [one.key for one in site.ACHIEVEMENTS])
def test_an_achievement_of_the_site_comes_with_the_match_that_completes_it(key):
    career = EXAMPLES[key]
    assert key not in site.earned(career[:-1])
    assert site.earned(career)[key] == career[-1]


def test_what_breaks_a_series():
    drawn = one(3, result="tied")
    assert "comeback" not in site.earned([lost(0), lost(1), drawn, lost(4), one(5)])
    assert "comeback" not in site.earned(
        [lost(0), lost(1), lost(2), one(3, opponents=(Opponent(9),))]
    )
    assert "ten-wins" not in site.earned([*map(one, range(9)), lost(9), one(10)])
    assert "upset" not in site.earned([one(0, opponents=(Opponent(2, None),))])
    away = [
        lost(n, ended=datetime(2026, n, 3, tzinfo=UTC)) for n in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11)
    ]
    assert "twelve-months" not in site.earned(
        [*away, lost(99, ended=datetime(2026, 12, 3, tzinfo=UTC))]
    )


def test_those_of_the_site_are_given_for_matches_that_count(toy, people):
    ada, bruno = people[:2]
    matches = [ended_match([ada, bruno], [2, 1], NOW + n * HOUR, version=2) for n in range(3)]
    comeback = ended_match([ada, bruno], [1, 2], NOW + 3 * HOUR)
    examine(*matches, comeback, now=NOW + 4 * HOUR)
    site_awards = Award.objects.filter(title="")
    assert list(site_awards.values_list("user__username", "key", "match")) == [
        ("ada", "comeback", comeback.pk)
    ]
    assert counts() == [("", "comeback", 1)]
    services.annul(match_id=matches[1].pk, moderator=people[3], reason="Arranged.", now=LATER)
    examine(matches[1])
    assert not site_awards.exists()
    assert counts() == []


@pytest.mark.django_db
def test_the_task_of_a_deleted_match_has_nothing_to_do():
    tasks.give_achievements(10**9)
    assert not Award.objects.exists()
