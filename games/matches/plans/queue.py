"""Queues: moves that a player wants to make, one after the other, as soon as it is their turn.

A queue runs through the same service as a move, one move at a time. Each has a submission id of its
own, so that no move is made twice by a worker that died after it, or by two workers at once.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from uuid import uuid4

from django.db import transaction

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.errors import MatchOver, NotYourTurn, RulesError
from games.matches import notifications, selectors, services
from games.matches.errors import Refused
from games.matches.isolation import isolate_errors
from games.matches.models import LogEntry, Match, Queue, note_plans
from games.matches.plans import planning
from games.matches.play import move_input
from games.matches.play.unreadable import unless_unreadable
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import pending_question

TAKEN_BACK = "You took a move back."
TURN_ENDED = "Your turn had ended."


def queue_of(snapshot: MatchSnapshot, seat: Seat) -> Queue | None:
    """Return the queue of a seat; ``None`` if there is none."""
    return Queue.objects.filter(player=snapshot.players[seat]).first()


def put(*, match_id: int, user: User, texts: Sequence[str], foreseen: bool = False) -> None:
    """Store a queue in place of the player's last one; no texts clear it.

    If the player is to move now, the queue goes on after a move by hand; otherwise it begins by
    itself when the player is to move. A queue that is ``foreseen`` has to be legal as far as can be
    foreseen, and may go on for several turns.

    :raises MalformedMove: a text is no move of this game, or there are too many.
    :raises RulesError: a move is not legal in the position foreseen for it.
    :raises Refused: this game has no queues, the player plays no more, or nothing can be foreseen.
    """
    snapshot = selectors.snapshot(match_id)
    seat = snapshot.seat_for(user)
    player = snapshot.players[seat]
    if not texts:
        Queue.objects.filter(player=player).delete()
        note_plans(player)
        return
    if not (foreseen or snapshot.title.meta.has_queue):
        raise Refused("This game has no queues.")
    if not snapshot.match.is_running or player not in snapshot.seats_still_in():
        raise Refused("You play in this match no more.")
    move_input.check(texts)
    if foreseen:
        planning.check_plan(snapshot, seat, texts)
    values = {
        "moves": [str(snapshot.title.parse(text)) for text in texts],
        "after": snapshot.match.version,
        "waits": seat in snapshot.actors,
        "foreseen": foreseen,
        "submission": uuid4(),
        "halted": "",
    }
    Queue.objects.update_or_create(player=player, defaults=values)
    note_plans(player)


def waiting() -> list[int]:
    """Return the ids of the matches in which a queue may go on; delete those of ended matches."""
    Queue.objects.exclude(player__match__status=Match.Status.RUNNING).delete()
    ready = Queue.objects.filter(halted="", player__to_move=True, player__match__set_aside=None)
    return list(ready.values_list("player__match_id", flat=True).distinct())


def run(match_id: int, *, now: datetime) -> int:
    """Run the queues of a match as far as they go; return how many moves were made."""
    queues = Queue.objects.filter(halted="", player__match_id=match_id)
    pks = list(queues.values_list("pk", flat=True))
    made = (isolate_errors(f"Queue {pk}", partial(_try, match_id, pk, now)) for pk in pks)
    return sum(filter(None, made))


def _try(match_id: int, pk: int, now: datetime) -> int | None:
    return unless_unreadable(match_id, now, partial(_run, pk, now))


def _run(pk: int, now: datetime) -> int:
    made = 0
    while _step(pk, now):
        made += 1
    return made


def _step(pk: int, now: datetime) -> bool:
    """Make the first move of a queue if its player is to move; return whether it was made."""
    queue = Queue.objects.select_related("player__user").filter(pk=pk, halted="").first()
    if queue is None:
        return False
    snapshot = selectors.snapshot(queue.player.match_id)
    seat = Seat(queue.player.seat)
    if made := _made(queue):
        return _go_on(queue, made.number)
    since = selectors.log(snapshot.match, after=queue.after)
    if reason := _overtaken(since, seat):
        _halt(queue, reason)
        return False
    return _is_ready(snapshot, queue, since) and _play(snapshot, queue, now)


def _made(queue: Queue) -> LogEntry | None:
    """Return the entry of the first move if it was made already, by another worker."""
    match = queue.player.match_id
    seat = queue.player.seat
    made = LogEntry.objects.filter(match_id=match, seat=seat, submission=queue.submission)
    latest: LogEntry | None = made.first()
    return latest


def _overtaken(since: Sequence[LogEntry], seat: Seat) -> str:
    """Return why the rest of a queue is void after these entries; empty if it is not."""
    if any(entry.kind == LogEntry.Kind.TAKE_BACK and entry.seat == seat for entry in since):
        return TAKEN_BACK
    return TURN_ENDED if any(seat in entry.turns_ended for entry in since) else ""


def _is_ready(snapshot: MatchSnapshot, queue: Queue, since: Sequence[LogEntry]) -> bool:
    """Whether a seat is to move, in its own turn, and has made the move that comes first."""
    seat = Seat(queue.player.seat)
    if seat not in snapshot.actors or pending_question(snapshot, seat):
        return False
    by_hand = (entry.kind == LogEntry.Kind.PLAY and entry.seat == seat for entry in since)
    return not queue.waits or any(by_hand)


def _play(snapshot: MatchSnapshot, queue: Queue, now: datetime) -> bool:
    try:
        outcome = services.play_move(
            match_id=snapshot.match.pk,
            user=queue.player.user,
            texts=queue.moves[:1],
            version=snapshot.match.version,
            submission=queue.submission,
            now=now,
        )
    except (Refused, NotYourTurn, MatchOver):
        # The match has changed in between: the next run finds out what that means.
        return False
    except RulesError as refusal:
        _halt(queue, str(refusal), now)
        return False
    return _go_on(queue, outcome.version)


def _go_on(queue: Queue, made: int) -> bool:
    """Remove the first move, entry ``made``; ``False`` if another worker has done so."""
    mine = Queue.objects.filter(pk=queue.pk, submission=queue.submission)
    if len(queue.moves) == 1:
        is_mine = bool(mine.delete()[0])
        note_plans(queue.player)
        return is_mine
    after = made if queue.foreseen else queue.after
    rest = {"moves": queue.moves[1:], "submission": uuid4(), "after": after}
    return bool(mine.update(**rest, waits=False))


def _halt(queue: Queue, reason: str, tell_at: datetime | None = None) -> None:
    """Stop a queue; with ``tell_at``, notify its player."""
    with transaction.atomic():
        mine = Queue.objects.filter(pk=queue.pk, submission=queue.submission, halted="")
        if mine.update(halted=reason) and tell_at:
            notifications.queue_stopped(queue.player, queue.submission, tell_at)
