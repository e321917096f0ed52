"""Actions of bots: they take seats, move and answer through the same services as people."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from accounts.names import BOT
from games.bots.levels import LEVELS, Level, above, below, named
from games.bots.models import BotSeat
from games.bots.questions import Answer, Question, told
from games.bots.thinker import ThinkerFailed, own_thinker
from games.bots.users import level_of, user_of
from games.kernel.contract import Event, Observation, Seat
from games.kernel.errors import GameError
from games.kernel.views import Json
from games.lobby import services as lobby
from games.lobby.commitments import PendingSecret
from games.lobby.models import Challenge, Invitation
from games.matches import selectors, services
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.matches.log import log_entries
from games.matches.models import Match, Player
from games.matches.play.offers import agreed_by
from games.matches.selectors import MatchSnapshot
from games.ratings.selectors import of_many

log = logging.getLogger(__name__)

MAX_RUNNING = 10
"""Maximum number of running matches against bots per person."""

MAX_RUNNING_OF_A_GUEST = 8
"""The same for a guest: every game can be tried, some twice."""

TOO_MANY_MATCHES = gettext_noop(
    "You have {} matches against bots running: finish or resign one first."
)

WITH_STRICT_DICE = gettext_noop("Bots play without strict dice.")
FOR_TOO_MANY_MATCHES = gettext_noop(
    "You have too many matches against bots running: finish or resign one first."
)
"""Why a bot declines: stored in English, and shown in the reader's language."""


FIRST_GUESS, GUESSED_STEP = 1200, 200
"""The assumed rating of the lowest level and the step to the next, before bots have ratings.

People without a rating are assumed to be beginners.
"""

LEASE = timedelta(seconds=12)
"""How long a thinker may be silent before it counts as lost and another one is asked.

With the sweep's period and a bot's time to think, players wait less than half a minute if a worker
is killed.
"""

RESIGN_BELOW = 0.02
"""In a match of two a bot may resign when it expects less than this share of it."""

SUBMISSIONS = UUID("5f0c5a52-62f5-4c2e-9d5e-0a3b6a0f6c11")
"""The name space of the submission ids of bots."""


def play(
    *,
    user: User,
    title: str,
    level: Level,
    params: Mapping[str, Json],
    seats: int,
    now: datetime,
    seating: Challenge.Seating = Challenge.Seating.FIRST,
    pending: PendingSecret | None = None,
    nonce: bytes = b"",
    rated: bool = False,
) -> Match:
    """Start a match of a user against bots of a level, without a clock.

    :raises BadParams: the game doesn't offer these parameters or this number of seats.
    :raises Refused: the user has too many matches against bots running.
    """
    if refusal := too_many(user):
        raise Refused(refusal)
    bots = [user_of(level, number) for number in range(1, seats)]
    with transaction.atomic():
        made = lobby.challenge(
            creator=user,
            title=title,
            params=params,
            clock=None,
            seats=seats,
            audience=Challenge.Audience.NAMED,
            invited=bots,
            seating=seating,
            pending=pending,
            nonce=nonce,
            rated=rated,
            now=now,
        )
        for bot in bots:
            lobby.accept(challenge_id=made.pk, user=bot, now=now)
        # The start of a match locks its players: matches from another tab are counted now.
        most = most_running(user)
        if running(user).count() > most:
            raise Refused(_too_many(most))
    return Match.objects.get(challenge=made)


def level_for(user: User, title: str, now: datetime) -> Level:
    """Return the level whose bot is closest to a user's rating in a game."""
    names = {f"{BOT}{level.name}": level for level in LEVELS}
    bots = {bot.pk: names[bot.username] for bot in User.objects.filter(username__in=names)}
    ratings = of_many(((pk, title) for pk in (user.pk, *bots)), now)
    assumed = {level: FIRST_GUESS + level.number * GUESSED_STEP for level in LEVELS}
    rated = {
        level: ratings[pk, title].number for pk, level in bots.items() if (pk, title) in ratings
    }
    own = ratings[user.pk, title].number if (user.pk, title) in ratings else FIRST_GUESS
    return min(LEVELS, key=lambda level: abs((assumed | rated)[level] - own))


def next_level(own: Player, others: Sequence[Player]) -> Level | None:
    """Return the level to play at after an ended match against bots.

    The next higher one after a win and the next lower one after a loss. ``None`` after a draw, if
    there is no such level, or if not all opponents were bots.
    """
    if own.rank is None or not others or not all(player.is_bot for player in others):
        return None
    level = level_of(others[0].user)
    if own.rank > 1:
        return below(level)
    return None if any(player.rank == 1 for player in others) else above(level)


def play_next_level(
    *,
    match: Match,
    user: User,
    now: datetime,
    pending: PendingSecret | None = None,
    nonce: bytes = b"",
) -> Match:
    """Start the same match again at the level of :func:`next_level`, with reversed seats.

    :raises Refused: the match is running, there is no next level, or the user has too many matches
        against bots running.
    """
    players = list(match.players.select_related("user"))
    mine = next((player for player in players if player.user_id == user.pk), None)
    others = [player for player in players if player is not mine]
    level = next_level(mine, others) if mine else None
    if match.is_running or level is None or mine is None:
        raise Refused(_("This match has no next level."))
    return play(
        user=user,
        title=match.title,
        level=level,
        params=match.params,
        seats=len(players),
        seating=Challenge.Seating.LAST if mine.seat == 0 else Challenge.Seating.FIRST,
        rated=match.rated,
        pending=pending,
        nonce=nonce,
        now=now,
    )


def most_running(user: User) -> int:
    return MAX_RUNNING_OF_A_GUEST if user.is_guest else MAX_RUNNING


def too_many(user: User) -> str:
    """Return why a user may not start another match against bots. Empty if they may."""
    most = most_running(user)
    return _too_many(most) if running(user).count() >= most else ""


def _too_many(most: int) -> str:
    return _(TOO_MANY_MATCHES).format(most)


def running(user: User) -> QuerySet[Match]:
    """Return a user's running matches against bots, the latest first."""
    mine = Match.objects.filter(status=Match.Status.RUNNING, players__user=user)
    return mine.filter(players__in=Player.objects.filter(is_bot=True)).distinct().order_by("-pk")


def answer_invitation(pk: int, *, now: datetime) -> None:
    """Let an invited bot take its seat, or decline with the reason."""
    invitation = Invitation.objects.select_related("challenge__creator", "user").get(pk=pk)
    challenge = invitation.challenge
    bot = invitation.user
    if not challenge.is_open or invitation.state != Invitation.State.INVITED:
        return
    if reason := _refusal(challenge):
        lobby.decline(challenge_id=challenge.pk, user=bot, now=now, reason=reason)
    else:
        lobby.accept(challenge_id=challenge.pk, user=bot, now=now)


def _refusal(challenge: Challenge) -> str:
    """Return why a bot declines, in English. Empty if it plays."""
    if challenge.strict_dice:
        return WITH_STRICT_DICE
    has_too_many = not challenge.creator.is_bot and too_many(challenge.creator)
    return FOR_TOO_MANY_MATCHES if has_too_many else ""


def take_open_seats(*, now: datetime) -> None:
    """Seat bots in challenges whose creators asked for them after a wait."""
    due = Challenge.objects.filter(status=Challenge.Status.OPEN, bots_from__lte=now)
    for challenge in due.select_related("creator"):
        with IsolatedErrors(f"Challenge {challenge.pk}"):
            _take_open_seats(challenge, now)


def _take_open_seats(challenge: Challenge, now: datetime) -> None:
    """Fill the free seats with bots, none of which has a seat from an earlier run."""
    if challenge.strict_dice or too_many(challenge.creator):
        return
    taken = challenge.invitations.filter(state=Invitation.State.TAKEN)
    seated = set(taken.values_list("user", flat=True))
    bots = (user_of(named(challenge.bot_level), number) for number in range(1, challenge.seats + 1))
    for bot in islice((bot for bot in bots if bot.pk not in seated), challenge.seats - len(seated)):
        lobby.accept(challenge_id=challenge.pk, user=bot, now=now)


# --- In a match ---------------------------------------------------------------------------------


def waiting(*, now: datetime) -> list[int]:
    """Return the ids of matches that wait for a bot for which no thinker is working."""
    offered = Q(match__players__agrees_to_close=True) | Q(match__players__agrees_to__gt="")
    asked = Q(to_move=True) | Q(offered, agrees_to_close=False, agrees_to="")
    idle = Q(bot_seat=None) | Q(bot_seat__asked=None) | Q(bot_seat__asked__lt=now - LEASE)
    bots = Player.objects.filter(is_bot=True, dropped="", match__status=Match.Status.RUNNING)
    to_move = bots.filter(asked, idle, match__set_aside=None)
    return list(to_move.order_by("match").values_list("match_id", flat=True).distinct())


def act(match_id: int, *, now: datetime) -> None:
    """Let the bots of a match answer and move. A thinker that fails is asked again."""
    snapshot = selectors.snapshot(match_id)
    for player in snapshot.players:
        if (
            player.is_bot
            and snapshot.match.is_running
            and (player.to_move or _has_offer(snapshot, player))
        ):
            _act(snapshot, player, now)


def _has_offer(snapshot: MatchSnapshot, player: Player) -> bool:
    if agreed_by(player) or player not in snapshot.seats_still_in():
        return False
    return any(map(agreed_by, snapshot.players))


def _act(snapshot: MatchSnapshot, player: Player, now: datetime) -> None:
    bot, _ = BotSeat.objects.get_or_create(player=player)
    mine = BotSeat.objects.filter(pk=bot.pk)
    free = Q(asked=None) | Q(asked__lt=now - LEASE)
    if not mine.filter(free).update(asked=now):
        return

    def still_thinking(waited: float) -> None:
        mine.update(asked=now + timedelta(seconds=waited))

    try:
        answer = own_thinker().ask(question(snapshot, player, bot.seed), beat=still_thinking)
        _carry_out(snapshot, player, bot.seed, answer, now)
    except ThinkerFailed as failure:
        log.warning("A thinker failed in match %s: %s", snapshot.match.pk, failure)
    except GameError as refusal:
        # The match has changed meanwhile: what is asked now is seen by the next look.
        log.info("A bot was refused in match %s: %s", snapshot.match.pk, type(refusal).__name__)
    finally:
        mine.update(asked=None)


def question(snapshot: MatchSnapshot, player: Player, seed: str) -> Question:
    """Return the question for a bot: what its seat sees, and nothing else."""
    match = snapshot.match
    seat = Seat(player.seat)
    seen = Observation(
        title=match.title,
        rules_version=match.rules_version,
        params=match.params,
        seats=len(snapshot.players),
        seat=seat,
        view=snapshot.table.view(seat).dump(),
        log=told(snapshot.title, _events(snapshot), seat),
    )
    return Question(seen, level_of(player.user).number, seed)


def _events(snapshot: MatchSnapshot) -> Iterator[Event]:
    """Yield the events of a match, without those taken back."""
    match = snapshot.match
    entries = selectors.log(match, upto=match.version)
    taken_back = log_entries.undone(entries)
    for entry in entries:
        if entry.number not in taken_back:
            yield from map(snapshot.title.read_event, entry.events)


def _carry_out(
    snapshot: MatchSnapshot, player: Player, seed: str, answer: Answer, now: datetime
) -> None:
    """Answer an offer, resign a lost match, or move."""
    version = snapshot.match.version
    seats = len(snapshot.players)
    is_lost = answer.value < RESIGN_BELOW and seats == len(("me", "you"))
    submission = uuid5(SUBMISSIONS, f"{seed} {version}")
    change: dict[str, Any] = {
        "match_id": snapshot.match.pk,
        "user": player.user,
        "version": version,
        "submission": submission,
        "now": now,
    }
    if _has_offer(snapshot, player):
        to_end = any(other.agrees_to_close for other in snapshot.players)
        agrees = not to_end or answer.value <= 1 / seats
        (services.accept_offer if agrees else services.decline_offer)(**change)
    elif is_lost and level_of(player.user).resigns:
        services.resign(**change)
    elif answer.move:
        services.play_move(texts=[answer.move], **change)
