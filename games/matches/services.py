"""What can be done with a match. Every door calls these, and nothing else changes one.

All take ``now``, and refuse by raising a :class:`~games.kernel.errors.GameError`; a refusal
changes nothing, but that an action which comes after a deadline carries the timeout out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.dice import CommittedDice, commitment, match_key, rolled
from games.kernel.errors import GameError, MatchOver, NotYourTurn
from games.kernel.views import Json
from games.matches import notifications, presentation, push, selectors
from games.matches.clock import Clock
from games.matches.errors import TOO_EARLY, OutOfTime, Refused
from games.matches.models import LogEntry, Match, Player
from games.matches.player_lock import player_lock
from games.matches.preconditions import (
    check_fresh,
    check_new,
    check_no_chance,
    check_running,
    late_seats,
)
from games.matches.update import MatchUpdate, Outcome, change, run_clock

Decide = Callable[[MatchUpdate, Seat], str | None]


@dataclass(frozen=True)
class Participant:
    """Somebody who takes a seat, with the nonce that goes into the dice.

    ``nonce_is_own`` says that the player's browser made it; ``nonce_commitment``, in hexadecimal,
    is what the player committed to with strict dice.
    """

    user: User
    nonce: bytes = field(repr=False)
    nonce_is_own: bool = False
    nonce_commitment: str = ""


@sensitive_variables("secret", "dice")
@transaction.atomic
def start(
    *,
    title: str,
    params: Mapping[str, Json],
    clock: Clock | None,
    secret: bytes,
    participants: Sequence[Participant],
    last_joiner: User,
    now: datetime,
    strict_dice: bool = False,
) -> Match:
    """Start a match; ``sittings`` are in seat order, ``starter`` took the last seat.

    Whoever asks for ``strict_dice`` has checked each nonce against its commitment.
    """
    game = registry.get(title)
    dice = CommittedDice(match_key(secret, [participant.nonce for participant in participants]))
    state = game.rules.setup(len(participants), params, dice)
    match = Match.objects.create(
        title=title,
        params=dict(params),
        rules_version=game.meta.rules_version,
        clock=clock.dump() if clock else None,
        commitment=commitment(secret).hex(),
        secret=secret,
        strict_dice=strict_dice,
        setup_chance=dice.drawn,
        setup_sides=dice.sides,
        rolls=rolled(dice.sides),
        position=game.rules.dump(state),
        created=now,
        changed=now,
    )
    actors = game.rules.actors(state)
    players = [
        _player(match, Seat(seat), participant, clock, now, to_move=seat in actors)
        for seat, participant in enumerate(participants)
    ]
    Player.objects.bulk_create(players)
    notifications.match_started(match, players, last_joiner, now)
    push.match_changed(match.pk, match.version, (player.user_id for player in players))
    return match


def _player(
    match: Match,
    seat: Seat,
    participant: Participant,
    clock: Clock | None,
    now: datetime,
    *,
    to_move: bool,
) -> Player:
    player = Player(
        match=match,
        seat=seat,
        user=participant.user,
        nonce=participant.nonce,
        nonce_is_own=participant.nonce_is_own,
        nonce_commitment=participant.nonce_commitment,
        time_left=clock.start if clock else None,
        to_move=to_move,
    )
    if to_move:
        run_clock(player, now, ())
    return player


def play_move(
    *,
    match_id: int,
    user: User,
    texts: Sequence[str],
    version: int,
    submission: UUID,
    now: datetime,
) -> Outcome:
    """Play one or more moves of one's own, all or none.

    A submission ends at the first roll, at the first move in which something hidden has a say,
    and at the first decision of another seat.

    :raises RulesError: a move is malformed, illegal, or not this player's to make.
    :raises StaleMove: the match has moved on since ``version``.
    """

    def decide(draft: MatchUpdate, seat: Seat) -> None:
        for number, text in enumerate(texts, start=1):
            _check_turn(draft, seat)
            if number < len(texts):
                check_no_chance(draft, seat, text)
            draft.play(seat, text)

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def _check_turn(draft: MatchUpdate, seat: Seat) -> None:
    if draft.entries and _is_open(draft, draft.entries[-1]):
        raise Refused(TOO_EARLY)
    if seat not in draft.snapshot.title.rules.actors(draft.state):
        raise NotYourTurn("It is not your turn.")


def _is_open(draft: MatchUpdate, entry: LogEntry) -> bool:
    """Whether something hidden had a say in what came of a move."""
    title = draft.snapshot.title
    return title.outcome_hidden(title.parse(entry.text))


def resign(*, match_id: int, user: User, version: int, submission: UUID, now: datetime) -> Outcome:
    """Leave a match: two play no more, of three or more the rest play on."""

    def decide(draft: MatchUpdate, seat: Seat) -> str:
        if draft.player(seat).dropped:
            raise Refused("You have left this match already.")
        _check_in(draft, seat)
        draft.drop(seat, LogEntry.Kind.RESIGN, Player.Dropped.RESIGNED)
        return "resigned"

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def offer_close(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Offer to end the match here: of two a draw, of more as the rules rank it."""

    def decide(draft: MatchUpdate, seat: Seat) -> None:
        _check_offer(draft, seat)
        draft.add(LogEntry.Kind.OFFER, seat)
        draft.player(seat).agrees_to_close = True

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def _check_in(draft: MatchUpdate, seat: Seat) -> None:
    if seat in draft.snapshot.title.eliminated(draft.snapshot.state):
        raise Refused("You are out of this match, and have no say in it any more.")


def _check_offer(draft: MatchUpdate, seat: Seat) -> None:
    if draft.player(seat).dropped:
        raise Refused("You have left this match.")
    _check_in(draft, seat)
    if any(player.agrees_to_close for player in draft.snapshot.players):
        raise Refused("An offer to end the match is open already.")
    entries = selectors.log(draft.snapshot.match)
    undone = {entry.undoes for entry in entries}
    for entry in reversed(entries):
        if entry.kind == LogEntry.Kind.PLAY and entry.number not in undone:
            return
        if entry.kind == LogEntry.Kind.OFFER and entry.seat == seat:
            raise Refused("You have offered this already since the last move.")


def accept_close(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Agree to an open offer; when all who are still in agree, the match ends."""

    def decide(draft: MatchUpdate, seat: Seat) -> str:
        player = _answerer(draft, seat)
        player.agrees_to_close = True
        if all(other.agrees_to_close for other in draft.snapshot.seats_still_in()):
            draft.close(seat)
        else:
            draft.add(LogEntry.Kind.ACCEPT, seat)
        return "closed"

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def decline_close(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Refuse an open offer, or withdraw one's own."""

    def decide(draft: MatchUpdate, seat: Seat) -> None:
        if not draft.player(seat).agrees_to_close:
            _answerer(draft, seat)
        draft.add(LogEntry.Kind.DECLINE, seat)
        draft.forget_offers()

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def _answerer(draft: MatchUpdate, seat: Seat) -> Player:
    player = draft.player(seat)
    if player.dropped or player.agrees_to_close:
        raise Refused("There is nothing for you to answer.")
    _check_in(draft, seat)
    if not any(other.agrees_to_close for other in draft.snapshot.players):
        raise Refused("There is no open offer.")
    return player


def take_back(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Take one's own last move back, while nobody has moved since and it showed nothing."""

    def decide(draft: MatchUpdate, seat: Seat) -> None:
        entries = selectors.log(draft.snapshot.match)
        target = presentation.can_take_back(draft.snapshot, entries, seat)
        if target is None:
            raise Refused("There is no move of yours that can be taken back now.")
        before = selectors.replay(draft.snapshot, entries[: target.number - 1])[-1]
        draft.take_back(seat, target, before.state)

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def cancel(*, match_id: int, user: User, version: int, submission: UUID, now: datetime) -> Outcome:
    """Cancel a match in which fewer than two moves have been made; it has no result."""

    def decide(draft: MatchUpdate, seat: Seat) -> None:
        if not presentation.may_cancel(draft.snapshot, selectors.log(draft.snapshot.match)):
            raise Refused("A match can be cancelled before the second move only.")
        draft.add(LogEntry.Kind.CANCEL, seat)
        draft.finish(Match.Status.CANCELLED, "cancelled")

    return _act(
        decide, match_id=match_id, user=user, version=version, submission=submission, now=now
    )


def time_out(*, match_id: int, now: datetime) -> Outcome | None:
    """Drop every player of a match whose time has run out; ``None`` if there is none."""

    def decide(draft: MatchUpdate) -> str:
        late = late_seats(draft)
        if not late:
            raise _InTime(f"Nobody's time has run out in match {match_id}.")
        for seat in late:
            if draft.snapshot.title.rules.result(draft.state) is None:
                draft.drop(seat, LogEntry.Kind.TIMEOUT, Player.Dropped.TIMEOUT)
        return "timeout"

    try:
        return change(match_id, decide, now=now)
    except _InTime:
        return None


class _InTime(Refused):
    """A timeout that was not due after all."""


def annul(*, match_id: int, moderator: User, reason: str, now: datetime) -> Outcome:
    """End a running or finished match without a result."""

    def decide(draft: MatchUpdate) -> None:
        _check_reason(reason)
        if draft.snapshot.match.status in (Match.Status.ANNULLED, Match.Status.CANCELLED):
            raise Refused("The match has no result already.")
        draft.add(LogEntry.Kind.ANNUL, None, moderator=moderator, reason=reason)
        draft.finish(Match.Status.ANNULLED, "annulled")

    return change(match_id, decide, now=now)


def close(*, match_id: int, moderator: User, reason: str, now: datetime) -> Outcome:
    """End a running match where it stands, ranked as if all had agreed."""

    def decide(draft: MatchUpdate) -> str:
        _check_moderation(draft, reason)
        draft.close(None, moderator=moderator, reason=reason)
        return "closed"

    return change(match_id, decide, now=now)


def remove(*, match_id: int, seat: Seat, moderator: User, reason: str, now: datetime) -> Outcome:
    """Take a player out of a running match, as if resigned."""

    def decide(draft: MatchUpdate) -> str:
        _check_moderation(draft, reason)
        draft.drop(
            seat, LogEntry.Kind.REMOVE, Player.Dropped.REMOVED, moderator=moderator, reason=reason
        )
        return "removed"

    return change(match_id, decide, now=now)


def _check_moderation(draft: MatchUpdate, reason: str) -> None:
    _check_reason(reason)
    if not draft.snapshot.match.is_running:
        raise MatchOver("The match has ended already.")


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("A reason is needed: the players will read it.")


def _act(
    decide: Decide,
    *,
    match_id: int,
    user: User,
    version: int,
    submission: UUID,
    now: datetime,
) -> Outcome:
    """Let a player change a match, once for each submission."""

    def checked(draft: MatchUpdate) -> str | None:
        seat = draft.snapshot.seat_for(user)
        check_running(draft, seat)
        check_fresh(draft, seat, version)
        check_new(draft, seat, submission)
        return decide(draft, seat)

    try:
        with player_lock(match_id, user):
            return change(match_id, checked, now=now, submission=submission)
    except (GameError, IntegrityError) as refusal:
        # What was written before is refused the second time, at the latest by the database.
        if done := _earlier(match_id, user, submission):
            return done
        if isinstance(refusal, OutOfTime):
            time_out(match_id=match_id, now=now)
        raise


def _earlier(match_id: int, user: User, submission: UUID) -> Outcome | None:
    entries = LogEntry.objects.filter(match_id=match_id, submission=submission)
    own = entries.filter(
        seat__in=Player.objects.filter(match_id=match_id, user=user).values("seat")
    )
    last = own.order_by("-number").first()
    return Outcome(last.number, repeated=True) if last else None
