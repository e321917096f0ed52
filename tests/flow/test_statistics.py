"""What is counted of matches, by hand."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from accounts import deletion, personal_data
from games.matches import services
from games.matches.models import LogEntry, Match, Player
from games.statistics import counting
from games.statistics.models import (
    GameCount,
    MatchCounts,
    OpeningCount,
    PairCount,
    PlayerCount,
    Progress,
    Stale,
    Streak,
)
from tests.fixtures import NOW

MINUTE = timedelta(minutes=1)


def finish(start, **chosen):
    """A match of two in which seat 0 takes 1 after 5 minutes, seat 1 takes 3 after 2 hours: won."""
    match = start(heap=4, **chosen)
    match.move(0, "1", now=NOW + 5 * MINUTE)
    match.move(1, "3", now=NOW + 125 * MINUTE)
    return match


def game(kind, company="people"):
    found = GameCount.objects.filter(kind=kind, company=company, number__gt=0)
    return dict(found.values_list("key", "number"))


def player(user, kind, company="people"):
    found = PlayerCount.objects.filter(user=user, kind=kind, company=company, number__gt=0)
    return dict(found.values_list("key", "number"))


def pairs():
    found = PairCount.objects.order_by("user", "opponent")
    names = ("user__username", "opponent__username", "won", "tied", "lost")
    return list(found.values_list(*names))


def everything():
    """All numbers that are not 0, to compare."""
    keys = ("company", "kind", "key", "number")
    kept = GameCount.objects.filter(number__gt=0).values_list("title", *keys)
    own = PlayerCount.objects.filter(number__gt=0).values_list("user", "title", *keys)
    opened = OpeningCount.objects.filter(number__gt=0).values_list("variant", "mark", "number")
    streaks = Streak.objects.values_list("user", "company", "result", "length", "longest")
    return [sorted(rows) for rows in (kept, own, opened, streaks, pairs())]


def test_a_match_counts_once(start, people):
    finish(start)
    assert counting.update(now=NOW) is False
    for _ in range(2):
        assert game("week") == {"2026-04-27": 1}  # NOW is a Friday
        assert game("seat") == {"2:0:lost": 1, "2:1:won": 1}
        assert game("length") == {"2": 1}
        assert game("ending") == {"last": 1}
        assert game("pace") == {"1": 1, "3": 1}  # 5 minutes; 2 hours
        assert player(people[0], "result") == {"lost": 1}
        assert player(people[1], "pace") == {"3": 1}
        assert pairs() == [("ada", "bruno", 0, 0, 1), ("bruno", "ada", 1, 0, 0)]
        assert list(OpeningCount.objects.values_list("mark", "number")) == [("1", 1)]
        counting.update(now=NOW)


def test_what_was_taken_back_does_not_count(start, people):
    match = start(heap=4)
    match.move(0, "2", now=NOW + MINUTE)
    match.act(services.take_back, 0, now=NOW + MINUTE)
    match.move(0, "1", now=NOW + 2 * MINUTE)
    match.move(1, "3", now=NOW + 3 * MINUTE)
    counting.update(now=NOW)
    assert game("length") == {"2": 1}
    assert list(OpeningCount.objects.values_list("mark", "number")) == [("1", 1)]


def test_running_and_cancelled_matches_do_not_count(start):
    start().move(0, "1")
    start().act(services.cancel, 0)
    counting.update(now=NOW)
    assert not GameCount.objects.exists()


def test_bots_guests_and_people_count_apart(start, people):
    finish(start)
    people[1].is_guest = True
    people[1].save()
    finish(start)
    counting.update(now=NOW)
    assert game("week", "guests") == {"2026-04-27": 2}, "as they are when they are counted"
    people[0].is_program = True
    people[0].save()
    finish(start)
    counting.update(now=NOW)
    assert game("week", "bots") == {"2026-04-27": 1}
    assert game("week") == {}


def test_three_are_compared_two_by_two(start, people):
    match = start(seats=3, heap=3)
    match.move(0, "1")
    match.act(services.resign, 1)
    match.move(2, "2")
    counting.update(now=NOW)
    ranks = list(Player.objects.order_by("seat").values_list("rank", flat=True))
    assert ranks == [2, 3, 1]
    assert pairs() == [
        ("ada", "bruno", 1, 0, 0),
        ("ada", "clara", 0, 0, 1),
        ("bruno", "ada", 0, 0, 1),
        ("bruno", "clara", 0, 0, 1),
        ("clara", "ada", 1, 0, 0),
        ("clara", "bruno", 1, 0, 0),
    ]


def test_streaks(start, people):
    for winner in (1, 1, 0, 1):
        match = start(heap=4)
        match.move(0, "3" if winner else "1")
        match.move(1, "1" if winner else "2")
        if not winner:
            match.move(0, "1")
    counting.update(now=NOW)
    ada, bruno = (Streak.objects.get(user=user) for user in people[:2])
    assert (bruno.result, bruno.length, bruno.longest) == ("won", 1, 2)
    assert (ada.result, ada.length, ada.longest) == ("lost", 1, 1)


def test_an_annulled_match_is_taken_out(start, people, django_user_model):
    finish(start)
    counting.update(now=NOW)
    before = everything()
    moderator = django_user_model.objects.create(username="mod", is_staff=True)
    other = finish(start)
    counting.update(now=NOW)
    services.annul(
        match_id=other.id, moderator=moderator, reason="A bug.", now=NOW + timedelta(hours=3)
    )
    counting.update(now=NOW + timedelta(hours=4))
    assert everything() == before
    counting.update(now=NOW + timedelta(hours=5))
    assert everything() == before


def test_a_match_that_was_written_late_is_counted(start):
    first, second = finish(start), finish(start)
    Match.objects.filter(pk=first.id).update(status="running", ended=None, ending="")
    counting.update(now=NOW)
    late = second.match.ended - 5 * MINUTE
    Match.objects.filter(pk=first.id).update(status="over", ended=late, ending="last")
    counting.update(now=NOW)
    assert game("length") == {"2": 2}


def test_a_run_is_bounded_and_the_next_goes_on(start, monkeypatch):
    monkeypatch.setattr(counting, "BATCH_SIZE", 2)
    for _ in range(5):
        finish(start)
    assert counting.update(now=NOW, most=1) is True
    assert game("length") == {"2": 2}
    assert counting.update(now=NOW, most=2) is False
    assert game("length") == {"2": 5}


def test_counting_in_batches_equals_counting_at_once(start, monkeypatch, capsys):
    for _ in range(5):
        finish(start)
    counting.update(now=NOW)
    before = everything()
    monkeypatch.setattr(counting, "BATCH_SIZE", 2)
    call_command("recount_statistics")
    assert everything() == before
    assert "5 matches counted: all that have ended." in capsys.readouterr().out
    assert Progress.objects.get().run == 2


def test_two_runs_at_once_count_once(start, monkeypatch):
    finish(start)
    real = counting.moves_of

    def meanwhile(matches):
        monkeypatch.setattr(counting, "moves_of", real)
        counting.count_batch(now=NOW)
        return real(matches)

    monkeypatch.setattr(counting, "moves_of", meanwhile)
    counting.count_batch(now=NOW)
    assert game("length") == {"2": 1}


def test_a_guest_stays_a_guest_when_all_is_counted_again(start, people):
    people[1].is_guest = True
    people[1].save()
    finish(start)
    counting.update(now=NOW)
    deletion.erase(people[1])
    counting.rebuild()
    counting.update(now=NOW)
    assert game("length", "guests") == {"2": 1}
    assert not game("length")


def test_what_a_guest_played_is_handed_over(start, people):
    guest, user = people[1], people[2]
    guest.is_guest = True
    guest.save()
    finish(start)
    counting.update(now=NOW)
    for part in personal_data.parts():
        part.hand_over(guest, user, NOW)
    counting.update(now=NOW)
    assert pairs() == [("ada", "clara", 0, 0, 1), ("clara", "ada", 1, 0, 0)]
    assert player(user, "result", "guests") == {"won": 1}
    assert not Stale.objects.exists()


def test_who_leaves_takes_the_numbers_along(start, people):
    finish(start)
    counting.update(now=NOW)
    assert personal_data.export(people[0])["statistics"]["opponents"] == [
        {
            "title": "heap",
            "company": "people",
            "player": "bruno",
            "won": 0,
            "tied": 0,
            "lost": 1,
        }
    ]
    deletion.ask(people[0], now=NOW)
    deletion.delete_due(now=NOW + timedelta(days=30))
    assert not player(people[0], "result")
    assert pairs() == [("bruno", f"deleted-{people[0].pk}", 1, 0, 0)]
    assert game("length") == {"2": 1}
    counting.rebuild()
    counting.update(now=NOW)
    assert pairs() == [("bruno", f"deleted-{people[0].pk}", 1, 0, 0)]


def test_a_guest_who_leaves_has_no_numbers(start, people):
    finish(start)
    counting.update(now=NOW)
    for part in personal_data.parts():
        part.delete_guest(people[0], NOW)
    assert not PlayerCount.objects.filter(user=people[0]).exists()


def test_nothing_to_count_writes_no_counts(db):
    assert counting.update(now=timezone.now()) is False
    assert not MatchCounts.objects.exists()
    assert not LogEntry.objects.exists()
