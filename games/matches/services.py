"""The changes of a match by players, moderators and the site. All interfaces call these functions.

Pauses, gifts of time and outages only change clocks (:mod:`games.matches.clocks`): they raise the
clock epoch of a match instead of its version. Each change works the same way: load a snapshot,
check that the change is allowed now, play it by the rules, commit it. All functions take ``now``
and refuse by raising a :class:`~games.kernel.errors.GameError`. A refusal changes nothing, except
that an action after a deadline drops the players whose time has run out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.dice import CommittedDice, commitment, match_key, rolled
from games.kernel.errors import GameError, NotYourTurn
from games.kernel.views import Json
from games.matches import seat_ratings, store
from games.matches.clock import Clock
from games.matches.clocks import time_given, vacations
from games.matches.clocks.timeouts import time_out
from games.matches.deadlines import run_clock
from games.matches.errors import TOO_EARLY, Busy, OutOfTime, Refused, StaleMove
from games.matches.log import log_entries, positions
from games.matches.models import LogEntry, Match, Player
from games.matches.notify import notifications, push
from games.matches.play import offers
from games.matches.play.offers import Offer
from games.matches.preconditions import (
    check_fresh,
    check_in_time,
    check_moderation,
    check_no_chance,
    check_no_player,
    check_not_out,
    check_reason,
)
from games.matches.signals import bots_may_act
from games.matches.store import Permit, at_once
from games.matches.update import (
    ATTEMPTS,
    IN_THREAD,
    TOO_FAST,
    Access,
    MatchUpdate,
    Outcome,
    retry,
)

Action = Callable[[MatchUpdate, Seat], str | None]
"""A seat's action: adds entries to an update, and returns the ending if it may end the match."""


@dataclass(frozen=True)
class Participant:
    """A person who takes a seat, with the nonce that goes into the dice.

    ``nonce_is_own`` is true if the player's browser drew it. ``nonce_commitment``, in hexadecimal,
    is the player's commitment with strict dice.
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
    last_joiner: User | None,
    now: datetime,
    strict_dice: bool = False,
    rated: bool = False,
) -> Match:
    """Start a match. ``participants`` are in seat order, ``last_joiner`` took the last seat.

    All others are notified. Without a ``last_joiner`` nobody is, and the caller does it. With
    ``strict_dice`` the caller has checked each nonce against its commitment.
    """
    game = registry.get(title)
    dice = CommittedDice(match_key(secret, [participant.nonce for participant in participants]))
    state = game.setup(len(participants), params, dice)
    match = Match.objects.create(
        title=title,
        params=dict(params),
        rules_version=game.meta.rules_version,
        clock=clock.dump() if clock else None,
        commitment=commitment(secret).hex(),
        secret=secret,
        strict_dice=strict_dice,
        rated=rated,
        setup_chance=dice.drawn,
        setup_sides=dice.sides,
        rolls=rolled(dice.sides),
        position=game.dump(state),
        created=now,
        changed=now,
    )
    players = _seat_players(match, participants, game.actors(state), now)
    if last_joiner is not None:
        notifications.match_started(match, players, last_joiner, now)
    push.match_changed(match.pk, match.version, (player.user_id for player in players))
    if any(player.is_bot for player in players):
        transaction.on_commit(lambda: bots_may_act.send(Match, match_id=match.pk), robust=True)
    return match


def _seat_players(
    match: Match, participants: Sequence[Participant], actors: Sequence[Seat], now: datetime
) -> list[Player]:
    """Write the players of a new match. The clocks of ``actors`` start."""
    clock = match.time_control
    ratings = seat_ratings.of([one.user.pk for one in participants], match.title, now)
    players = [
        Player(
            match=match,
            title=match.title,
            seat=seat,
            user=participant.user,
            nonce=participant.nonce,
            nonce_is_own=participant.nonce_is_own,
            nonce_commitment=participant.nonce_commitment,
            time_left=clock.start if clock and not participant.user.is_bot else None,
            is_bot=participant.user.is_bot,
            with_bots=any(p.user.is_shown_as_bot for p in participants if p is not participant),
            to_move=seat in actors,
        )
        for seat, participant in enumerate(participants)
    ]
    vacations.carry_into(players, now)
    for player in players:
        if player.user_id in ratings:
            player.rating, player.rating_is_provisional = ratings[player.user_id]
        if player.to_move:
            run_clock(player, now, ())
    return Player.objects.bulk_create(players)


def play_move(
    *,
    match_id: int,
    user: User,
    texts: Sequence[str],
    version: int,
    submission: UUID,
    now: datetime,
) -> Outcome:
    """Play one or more of the user's moves, all or none.

    A submission ends at the first roll, at the first move with a hidden outcome, and at the first
    decision of another seat.

    :raises RulesError: a move is malformed, illegal, or not this player's to make.
    :raises StaleMove: the match has moved on since ``version``.
    """
    return play(Submission(match_id, user, version, submission, now), texts)


def play(submission: "Submission", texts: Sequence[str]) -> Outcome:
    """Play the moves of a submission in this thread, as :func:`play_move`."""
    return at_once(submit_moves(submission, texts, IN_THREAD))


async def submit_moves(submission: "Submission", texts: Sequence[str], access: Access) -> Outcome:
    """Play the moves of a submission. See :func:`play_move`.

    :raises NotPermitted: the permit of the submission has become invalid.
    """
    return await submit(submission, lambda update, seat: _play_moves(update, seat, texts), access)


def _play_moves(update: MatchUpdate, seat: Seat, texts: Sequence[str]) -> None:
    for number, text in enumerate(texts, start=1):
        title = update.snapshot.title
        if update.log and title.outcome_hidden(title.parse(update.log[-1].text)):
            raise Refused(_(TOO_EARLY))
        if seat not in title.actors(update.state):
            raise NotYourTurn(_("It is not your turn."))
        if number < len(texts):
            check_no_chance(update, seat, text)
        update.play(seat, text)


def resign(*, match_id: int, user: User, version: int, submission: UUID, now: datetime) -> Outcome:
    """Leave a match. Of two players the other one wins; three or more play on."""
    return _submit(Submission(match_id, user, version, submission, now), _resign)


def _resign(update: MatchUpdate, seat: Seat) -> str:
    if update.player(seat).dropped:
        raise Refused(_("You have left this match already."))
    check_not_out(update, seat)
    update.drop(seat, LogEntry.Kind.RESIGN, Player.Dropped.RESIGNED)
    return "resigned"


def _offer(
    *, offer: Offer, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    submitted = Submission(match_id, user, version, submission, now)
    return _submit(submitted, lambda update, seat: offers.make(update, seat, offer=offer))


offer_close = partial(_offer, offer=Offer.CLOSE)
"""Offer to end the match here: for two players as a draw, for more as the rules rank them."""

offer_pause = partial(_offer, offer=Offer.PAUSE)
"""Offer to stop all clocks until a player wants to continue."""

offer_cancel = partial(_offer, offer=Offer.CANCEL)
"""Offer to end the match without a result."""

offer_take_back = partial(_offer, offer=Offer.TAKE_BACK)
"""Ask the others for a take-back of the user's last move, with all later moves."""


def end_pause(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Resume the clocks after a pause by agreement."""
    return _submit(Submission(match_id, user, version, submission, now), offers.end_pause)


def accept_offer(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Agree to the open offer. It is carried out when all remaining players agree."""
    submitted = Submission(match_id, user, version, submission, now)
    return _submit(submitted, lambda update, seat: offers.accept(update, seat, version=version))


def decline_offer(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Refuse the open offer, or withdraw the user's own."""
    submitted = Submission(match_id, user, version, submission, now)
    return _submit(submitted, lambda update, seat: offers.decline(update, seat, version=version))


def give_time(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Give the only opponent a day more on the running clock, within its cap."""
    submitted = Submission(match_id, user, version, submission, now)
    return _submit(submitted, time_given.give_opponent)


def take_back(
    *, match_id: int, user: User, version: int, submission: UUID, now: datetime
) -> Outcome:
    """Take the user's last move back, if nobody has moved since and it revealed nothing."""
    return _submit(Submission(match_id, user, version, submission, now), _take_back)


def _take_back(update: MatchUpdate, seat: Seat) -> None:
    log = log_entries.recent(update.snapshot.match)
    target = log_entries.can_take_back(update.snapshot.table, log, seat)
    if target is None:
        raise Refused(_("There is no move of yours that can be taken back now."))
    if not log_entries.has_take_backs_left(update.snapshot.table, log, target):
        raise Refused(log_entries.no_more_take_backs())
    before = positions.state_after(update.snapshot.table, target.number - 1)
    update.player(seat).take_backs += 1
    update.take_back(seat, target, before)


def cancel(*, match_id: int, user: User, version: int, submission: UUID, now: datetime) -> Outcome:
    """Cancel a match alone: before the second move, while nothing was rolled or dealt."""
    return _submit(Submission(match_id, user, version, submission, now), _cancel)


def _cancel(update: MatchUpdate, seat: Seat) -> None:
    snapshot = update.snapshot
    if not log_entries.may_cancel(snapshot.table, log_entries.recent(snapshot.match)):
        raise Refused(
            _(
                "Alone you can cancel a match only before the second move, while nothing was rolled"
                " or dealt. Later all have to agree."
            )
        )
    player = update.player(seat)
    if update.snapshot.match.rated and not player.with_bots:
        since = update.now - log_entries.CANCELLED_PERIOD
        if log_entries.cancelled_by([player.user_id], since).count() >= log_entries.MAX_CANCELLED:
            raise Refused(
                _(
                    "You have cancelled {most} rated matches alone within {days} days. Now all have"
                    " to agree."
                ).format(most=log_entries.MAX_CANCELLED, days=log_entries.CANCELLED_PERIOD.days)
            )
    update.add(LogEntry.Kind.CANCEL, seat)
    update.finish(Match.Status.CANCELLED, "cancelled")


def annul(*, match_id: int, moderator: User | None, reason: str, now: datetime) -> Outcome:
    """End a running or finished match without a result, without using its rules.

    ``moderator`` is ``None`` if the organisers of its tournament have settled the pairing.
    """
    return retry(lambda: _annul(match_id, moderator, reason, now))


def _annul(match_id: int, moderator: User | None, reason: str, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_reason(reason)
    if moderator is not None:
        check_no_player(update, moderator)
    if update.snapshot.match.status in (Match.Status.ANNULLED, Match.Status.CANCELLED):
        raise Refused(_("The match has no result already."))
    update.add(LogEntry.Kind.ANNUL, None, moderator=moderator, reason=reason)
    update.finish(Match.Status.ANNULLED, "annulled")
    return update.commit()


def close(*, match_id: int, moderator: User, reason: str, now: datetime) -> Outcome:
    """End a running match where it stands, ranked as if all had agreed."""
    return retry(lambda: _close(match_id, moderator, reason, now))


def _close(match_id: int, moderator: User, reason: str, now: datetime) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_moderation(update, reason)
    check_no_player(update, moderator)
    update.close(None, moderator=moderator, reason=reason)
    return update.commit("closed")


def remove(
    *, match_id: int, seat: Seat, moderator: User | None, reason: str, now: datetime
) -> Outcome:
    """Remove a player from a running match, as if resigned.

    ``moderator`` is ``None`` if it follows from moderators' decisions about the account.
    """
    return retry(lambda: _remove(match_id, seat, moderator, reason, now))


def _remove(
    match_id: int, seat: Seat, moderator: User | None, reason: str, now: datetime
) -> Outcome | None:
    update = MatchUpdate.load(match_id, now)
    check_moderation(update, reason)
    if moderator is not None:
        check_no_player(update, moderator)
    kind = LogEntry.Kind.REMOVE
    dropped = Player.Dropped.REMOVED
    update.drop(seat, kind, dropped, moderator=moderator, reason=reason)
    return update.commit("removed")


@dataclass(frozen=True)
class Submission:
    """A player's submission: made for a version of the match, under an id of its own.

    ``permit`` must still hold for the user when it is written. ``None`` if the request has been
    checked.
    """

    match_id: int
    user: User
    version: int
    id: UUID
    now: datetime
    permit: Permit | None = None


def _submit(submission: Submission, action: Action) -> Outcome:
    """Make a player's change in this thread, as :func:`submit`."""
    return at_once(submit(submission, action, IN_THREAD))


async def submit(submission: Submission, action: Action, access: Access) -> Outcome:
    """Make a player's change once, however often the same submission is sent.

    :raises NotPermitted: the permit of the submission does not hold any more.
    """
    try:
        async with access.changing(submission.match_id, submission.user):
            for attempt in range(ATTEMPTS):
                update = await _begin(submission, access, again=attempt > 0)
                ending = action(update, update.snapshot.seat_for(submission.user))
                if outcome := await update.commit_by(access, ending, submission.permit):
                    return outcome
            raise Busy(TOO_FAST)
    except (GameError, IntegrityError) as refusal:
        # a repeated submission is refused, and the database has the last word on that
        if done := await access.call(lambda: earlier_outcome(submission)):
            return done
        if isinstance(refusal, OutOfTime):
            await access.call(lambda: time_out(match_id=submission.match_id, now=submission.now))
        raise


async def _begin(submission: Submission, access: Access, *, again: bool) -> MatchUpdate:
    """Read the match, and check that its player may change it now.

    :raises StaleMove: the match has changed, or the submission was made before. The database would
        refuse that too, but only after the dice have been rolled: how long that takes could tell
        the outcome of a move that is then not made.
    """
    snapshot = await access.match(submission.match_id, again=again)
    outages = await access.outages(submission.now)
    update = MatchUpdate(snapshot, submission.now, submission.id, outages)
    seat = snapshot.seat_for(submission.user)
    check_in_time(update, seat)
    check_fresh(update, seat, submission.version)
    if snapshot.table.has_chance and await access.run(
        store.was_sent(submission.match_id, seat, submission.id)
    ):
        raise StaleMove(_("This was sent before."))
    return update


def earlier_outcome(submission: Submission) -> Outcome | None:
    """Return the outcome of a submission that was made before. ``None`` if it wasn't."""
    seats = Player.objects.filter(match_id=submission.match_id, user=submission.user).values("seat")
    log = LogEntry.objects.filter(match_id=submission.match_id, submission=submission.id)
    last = log.filter(seat__in=seats).order_by("-number").first()
    return Outcome(last.number, repeated=True) if last else None
