"""Conditional moves: planned replies, played as soon as they fit.

A plan runs through the same service as a move, one move at a time. Each has a submission id of its
own, so no move is made twice, whether a worker dies after it or two run at once.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from accounts.site_languages import reading
from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError, MatchOver, NotYourTurn, RulesError
from games.kernel.tree import ROOT
from games.matches import selectors, services
from games.matches.errors import Refused, StaleMove
from games.matches.isolation import IsolatedErrors
from games.matches.models import (
    ConditionalMoves,
    LogEntry,
    Match,
    Player,
    note_plans,
    planned_submission,
)
from games.matches.notify import notifications
from games.matches.plans import planning
from games.matches.plans.lines import (
    ANYTHING,
    WHATEVER,
    Lines,
    PlanNode,
    PlanStep,
    Progress,
    unconditional_steps,
)
from games.matches.play import move_input
from games.matches.play.unreadable import UnreadableSetAside
from games.matches.selectors import MatchSnapshot
from games.matches.table import Table

NO_REPLY = gettext_noop("A line needs a move of yours after one of somebody else.")
SEVERAL = gettext_noop("Several players can move here at once, so nobody can plan for it.")
OTHERS_UNKNOWN = gettext_noop("Nobody can foresee this. Write {any} for the moves of the others.")
GONE = gettext_noop("This line is gone already.")


def plan_of(table: Table, seat: Seat) -> ConditionalMoves | None:
    """Return the plan of a seat. ``None`` without one."""
    return ConditionalMoves.objects.filter(player=table.players[seat].pk).first()


def lines_of(plan: ConditionalMoves) -> Lines:
    """Return the remaining lines of a plan."""
    return Lines.load(plan.nodes).below(plan.at)


def next_move(table: Table, plan: ConditionalMoves, seat: Seat) -> str:
    """Return the next move of a seat's plan. Empty if it doesn't make one now."""
    if plan.halted or seat not in table.actors:
        return ""
    since = selectors.log(table.match, after=plan.after, upto=table.match.version)
    lines, progress = _followed(plan, since, seat)
    if progress.reason:
        return ""
    reply = lines.next_reply(progress, seat)[0]
    return reply.text if reply else ""


def has_line(table: Table, seat: Seat, steps: Sequence[PlanStep]) -> bool:
    """Whether a seat's plan has these moves from the current position, up to its own last one."""
    plan = plan_of(table, seat) if table.players[seat].plans else None
    own = [number for number, (mover, _text) in enumerate(steps, 1) if mover == seat]
    if plan is None or plan.halted or not own:
        return False
    since = selectors.log(table.match, after=plan.after, upto=table.match.version)
    lines, progress = _followed(plan, since, seat)
    at = progress.at
    for step in steps[: own[-1]]:
        node = lines.child(at, step)
        if node is None:
            return False
        at = node.id
    return not progress.reason


# --- Changing a plan ------------------------------------------------------------------------------


def add_line(*, match_id: int, user: User, texts: Sequence[str], version: int) -> None:
    """Add a line to a player's plan: moves in turn from the current position, ``*`` for any move.

    A line that begins with the player's own move continues once that has been made by hand.

    :raises StaleMove: the match has moved on since ``version``.
    :raises MalformedMove: a text isn't a move of this game.
    :raises RulesError: a move isn't legal at its place in the line.
    :raises Refused: the line goes beyond dice or hidden information, has no reply, or is too long.
    """
    snapshot, seat = _in_play(match_id, user)
    if version != snapshot.match.version:
        raise StaleMove(_("The match has moved on since you planned this."))
    steps = _with_reply(_LineReader(snapshot, seat).read(texts), seat)
    with transaction.atomic():
        lines, submission = _lock_rest(snapshot, seat)
        _store(snapshot, seat, lines.with_line(steps, seat), submission)


def plan_ahead(*, match_id: int, user: User, texts: Sequence[str]) -> None:
    """Plan moves one after the other, whatever the others play, over several turns.

    Lines of the plan that depend on moves of others stay.

    :raises MalformedMove: a text isn't a move of this game, or there are too many.
    :raises RulesError: a move isn't legal in the position foreseen for it.
    :raises Refused: the player has left the match, or nothing can be foreseen.
    """
    snapshot, seat = _in_play(match_id, user)
    move_input.check(texts)
    planning.check_plan(snapshot.table, seat, texts)
    steps = unconditional_steps([str(snapshot.title.parse(text)) for text in texts], seat)
    with transaction.atomic():
        lines, submission = _lock_rest(snapshot, seat)
        if stretch := lines.child(ROOT, ANYTHING):
            lines = lines.without(stretch.id)
        _store(snapshot, seat, lines.with_line(steps, seat), submission)


def queue_moves(*, match_id: int, user: User, texts: Sequence[str]) -> None:
    """Replace the plan by moves for one turn, played one after the other.

    If the player is to move now, they begin after a move by hand; otherwise when the player's turn
    comes.

    :raises MalformedMove: a text isn't a move of this game, or there are too many.
    :raises Refused: this game has no queues, or the player has left the match.
    """
    snapshot, seat = _in_play(match_id, user)
    if not snapshot.title.meta.has_queue:
        raise Refused(_("This game has no queues."))
    move_input.check(texts)
    steps = unconditional_steps([str(snapshot.title.parse(text)) for text in texts], seat)
    with transaction.atomic():
        lines = Lines().with_line(steps, seat)
        _store(snapshot, seat, lines, planned_submission(), one_turn=True)


def clear(*, match_id: int, user: User) -> None:
    """:raises NotAPlayer: the user has no seat."""
    snapshot = selectors.snapshot(match_id)
    _delete(snapshot.players[snapshot.seat_for(user)])


def remove(*, match_id: int, user: User, line: Sequence[str]) -> None:
    """Remove the end of a line from a plan: its last move, and everything after it.

    :raises Refused: the line doesn't exist any more.
    """
    snapshot = selectors.snapshot(match_id)
    seat = snapshot.seat_for(user)
    player = snapshot.players[seat]
    with transaction.atomic():
        plan = ConditionalMoves.objects.select_for_update().filter(player=player).first()
        if plan is None:
            raise Refused(_(GONE))
        lines = Lines.load(plan.nodes)
        rest = lines.without(_find(lines, plan.at, line)).trimmed(seat)
        if rest.children(plan.at):
            ConditionalMoves.objects.filter(pk=plan.pk).update(nodes=rest.dump())
        else:
            _delete(player)


def _find(lines: Lines, start: int, texts: Sequence[str]) -> int:
    """Return the node at the end of a line after the node ``start``.

    :raises Refused: it does not exist.
    """
    at = start
    for text in texts:
        wanted = "" if text == WHATEVER else text
        node = next((node for node in lines.children(at) if node.text == wanted), None)
        if node is None:
            raise Refused(_(GONE))
        at = node.id
    if at == start:
        raise Refused(_(GONE))
    return at


def _delete(player: Player) -> None:
    ConditionalMoves.objects.filter(player=player).delete()
    note_plans(player)


def _in_play(match_id: int, user: User) -> tuple[MatchSnapshot, Seat]:
    """Return a match and the seat of a player who can plan in it.

    :raises Refused: the player has left the match.
    """
    snapshot = selectors.snapshot(match_id)
    seat = snapshot.seat_for(user)
    if not snapshot.match.is_running or snapshot.players[seat] not in snapshot.seats_still_in():
        raise Refused(_("You don’t play in this match any more."))
    return snapshot, seat


def _lock_rest(snapshot: MatchSnapshot, seat: Seat) -> tuple[Lines, UUID]:
    """Lock a seat's plan, and return its lines from the current position and its next move's id.

    A stopped plan has no remaining lines.

    :raises StaleMove: the match has moved on.
    """
    player = snapshot.players[seat]
    plan = ConditionalMoves.objects.select_for_update().filter(player=player).first()
    if plan is None or plan.halted or plan.one_turn:
        return Lines(), planned_submission()
    if plan.after > snapshot.match.version:
        raise StaleMove(_("The match has moved on since you planned this."))
    since = selectors.log(snapshot.match, after=plan.after, upto=snapshot.match.version)
    lines, progress = _followed(plan, since, seat)
    if progress.reason or progress.in_wildcard:
        return Lines(), planned_submission()
    return lines.below(progress.at), plan.submission


def _store(
    snapshot: MatchSnapshot, seat: Seat, lines: Lines, submission: UUID, *, one_turn: bool = False
) -> None:
    player = snapshot.players[seat]
    values: dict[str, Any] = {
        "nodes": lines.dump(),
        "at": 0,
        "after": snapshot.match.version,
        "waits": seat in snapshot.actors,
        "one_turn": one_turn,
        "submission": submission,
        "halted": "",
    }
    ConditionalMoves.objects.update_or_create(player=player, defaults=values)
    note_plans(player)


class _LineReader:
    """Reads the moves of a line, and checks each in the position that the line has reached.

    ``state`` is that position, ``None`` if it can't be known.
    """

    def __init__(self, snapshot: MatchSnapshot, seat: Seat) -> None:
        self.title = snapshot.title
        self.seat = seat
        self.state = None if self.title.meta.has_secrets else snapshot.state
        self.unknown = _(OTHERS_UNKNOWN).format(any=WHATEVER)
        self.is_stretch = False

    def read(self, texts: Sequence[str]) -> list[PlanStep]:
        """:raises GameError: a move isn't legal, or can't be foreseen."""
        return [self._step(text.strip()) for text in texts if text.strip()]

    def _step(self, text: str) -> PlanStep:
        if text == WHATEVER:
            self.state = None
            self.is_stretch = True
            self.unknown = _(OTHERS_UNKNOWN).format(any=WHATEVER)
            return ANYTHING
        move_input.check([text])
        move = self.title.parse(text)
        if self.state is not None:
            return self._known(move)
        if not self.is_stretch:
            raise Refused(self.unknown)
        self.is_stretch = False
        return self.seat, str(move)

    def _known(self, move: Any) -> PlanStep:
        actors = self.title.actors(self.state)
        if not actors:
            raise MatchOver(_("The match is over where this line comes to."))
        if len(actors) > 1:
            raise Refused(_(SEVERAL))
        try:
            self.state = self.title.play(self.state, actors[0], move, no_dice())[0]
        except ChanceError:
            self.state = None
            self.unknown = _(planning.DRAWN_FIRST).format(move=move)
        return actors[0], str(move)


def _with_reply(steps: list[PlanStep], seat: Seat) -> list[PlanStep]:
    """Return a line up to the player's last move in it.

    :raises Refused: there is no reply in it.
    """
    while steps and steps[-1][0] != seat:
        steps = steps[:-1]
    if all(mover == seat for mover, _text in steps):
        raise Refused(_(NO_REPLY))
    return steps


# --- Running plans --------------------------------------------------------------------------------


def waiting() -> list[int]:
    """Return the ids of matches in which a plan may continue, and delete plans of ended matches."""
    ConditionalMoves.objects.exclude(player__match__status=Match.Status.RUNNING).delete()
    ready = ConditionalMoves.objects.filter(
        halted="", player__to_move=True, player__match__set_aside=None
    )
    return list(ready.values_list("player__match_id", flat=True).distinct())


def run(match_id: int, *, now: datetime) -> int:
    """Run the plans of a match as far as they go, and return how many moves were made."""
    plans = ConditionalMoves.objects.filter(halted="", player__match_id=match_id)
    made = 0
    for pk in list(plans.values_list("pk", flat=True)):
        with IsolatedErrors(f"Conditional moves {pk}"), UnreadableSetAside(match_id, now):
            made += _run(pk, now)
    return made


def _run(pk: int, now: datetime) -> int:
    made = 0
    while _step(pk, now):
        made += 1
    return made


def _followed(
    plan: ConditionalMoves, entries: Sequence[LogEntry], seat: Seat, *, waits: bool | None = None
) -> tuple[Lines, Progress]:
    """Return a plan, and how far the match has followed it after later entries.

    :param waits: whether a move by hand comes first. As stored if ``None``.
    """
    lines = Lines.load(plan.nodes)
    start = Progress(plan.at, plan.after, plan.waits if waits is None else waits)
    return lines, lines.follow(start, entries, seat)


def _step(pk: int, now: datetime) -> bool:
    """Make the next move of a plan if it fits, and return whether it was made."""
    plan = ConditionalMoves.objects.select_related("player__user").filter(pk=pk, halted="").first()
    if plan is None:
        return False
    snapshot = selectors.snapshot(plan.player.match_id)
    seat = Seat(plan.player.seat)
    since = selectors.log(snapshot.match, after=plan.after)
    # Another worker may have played the next move already.
    mine = (entry for entry in since if entry.submission == plan.submission)
    if made := next((entry for entry in mine if entry.seat == plan.player.seat), None):
        before = [entry for entry in since if entry.number < made.number]
        lines, reached = _followed(plan, before, seat, waits=False)
        reply = lines.next_reply(reached, seat)[0]
        return reply is not None and _advance(plan, reply, made.number)
    lines, progress = _followed(plan, since, seat)
    if progress.reason:
        # The player hears of the entry that stopped it in any case.
        _halt(plan, progress.reason)
        return False
    if not (progress.in_wildcard or _reach(plan, progress)):
        return False
    reply, is_after_anything = lines.next_reply(progress, seat)
    if reply is None or seat not in snapshot.actors:
        return False
    if is_after_anything and snapshot.table.pending_question(seat):
        return False
    return _play(snapshot, plan, reply, now)


def _mine(plan: ConditionalMoves) -> Any:
    """Return the plan as it was read. Empty once its next move was made or it was changed.

    Adding a line keeps the submission, but renumbers the nodes.
    """
    return ConditionalMoves.objects.filter(
        pk=plan.pk, submission=plan.submission, nodes=plan.nodes, halted=""
    )


def _play(snapshot: MatchSnapshot, plan: ConditionalMoves, reply: PlanNode, now: datetime) -> bool:
    try:
        # A refusal is stored for the player, in their language.
        with reading(plan.player.user):
            outcome = services.play_move(
                match_id=snapshot.match.pk,
                user=plan.player.user,
                texts=[reply.text],
                version=snapshot.match.version,
                submission=plan.submission,
                now=now,
            )
    except (Refused, NotYourTurn, MatchOver):
        # The match has changed in between: the next run finds out what that means.
        return False
    except RulesError as refusal:
        _halt(plan, str(refusal), now)
        return False
    return _advance(plan, reply, outcome.version)


def _reach(plan: ConditionalMoves, progress: Progress) -> bool:
    """Store how far a match has followed a plan. ``False`` if the plan has changed."""
    if progress.at == plan.at:
        return True
    reached = {"at": progress.at, "after": progress.after, "waits": progress.waits}
    return bool(_mine(plan).update(**reached))


@transaction.atomic
def _advance(plan: ConditionalMoves, made: PlanNode, number: int) -> bool:
    """Advance a plan past the reply ``made``, entry ``number`` of the log.

    ``False`` if another worker has done so.
    """
    mine = _mine(plan).select_for_update().first()
    if mine is None:
        return False
    if not Lines.load(mine.nodes).children(made.id):
        mine.delete()
        note_plans(plan.player)
        return True
    mine.at = made.id
    mine.waits = False
    mine.submission = planned_submission()
    mine.after = mine.after if mine.one_turn else number
    mine.save()
    return True


def _halt(plan: ConditionalMoves, reason: str, tell_at: datetime | None = None) -> None:
    """Stop a plan. With ``tell_at``, notify its player."""
    with transaction.atomic():
        if _mine(plan).update(halted=reason) and tell_at:
            notifications.queue_stopped(plan.player, plan.submission, tell_at)
