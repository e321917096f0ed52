"""Questions to the expert: the best moves on a board, worked out once and kept for their asker.

Each account has one question, the last one. A task answers it after the bots of matches have moved.
Positions of the asker's own running matches are refused. They are compared as the explorer compares
them: by what everybody can see, in all mirror images, and whatever the terms of the match are. In
other colours they are refused as well, where that makes no difference.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.bots.questions import Advice, Consultation
from games.bots.thinker import own_thinker
from games.kernel.canonical import canonical_view
from games.kernel.contract import Seat
from games.kernel.errors import MatchOver
from games.matches.errors import NOT_READABLE, Refused
from games.matches.models import Match, Player
from games.study.models import ExpertQuestion
from games.study.replaying import moment_of, moments_of
from games.study.signals import expert_wanted
from games.study.tree import Tree

SHOWN = 3
"""Number of moves in an answer."""

SECONDS = 3.0
"""Seconds of thinking. With the way to the worker and back, an answer takes up to five."""

SIMULATIONS = 20_000
"""Maximum number of simulations, where they are quick."""

PATIENCE = timedelta(seconds=30)
"""How long a question keeps its asker from the next one. After that its task counts as lost."""

AHEAD = 6
"""Positions up to this many moves after the current one of an own match are refused as well."""

GUEST = gettext_noop("Only people with an account can ask the expert. Join to ask about positions.")
OVER = gettext_noop("The game is over here, so there is no move to ask for.")
ONE_AT_A_TIME = gettext_noop(
    "The expert is still thinking about your last question. Wait for the answer first."
)
OF_MATCH = gettext_noop(
    "This board belongs to a running match. You can ask about it once the match has ended."
)
OWN_MATCH = gettext_noop(
    "This is the position of your running match {number}, or one a few moves later. You can ask"
    " about it once that match has ended."
)


def question_of(tree: Tree, state: Any) -> Consultation:
    """Return what the bots are asked about a position, all hands of the board open."""
    position = tree.title.dump(state)
    return Consultation(
        tree.game,
        tree.rules,
        tree.params,
        tree.seats,
        position,
        SIMULATIONS,
        best=SHOWN,
        seconds=SECONDS,
    )


def of(user: Any, tree: Tree, state: Any) -> ExpertQuestion | None:
    """Return a user's question about a position, if it is their last one."""
    if not user.is_authenticated:
        return None
    digest = _digest(question_of(tree, state))
    return ExpertQuestion.objects.filter(user=user, digest=digest).first()


def advice(question: ExpertQuestion) -> Advice | None:
    """Return the answer. ``None`` until it is there."""
    return None if question.moves is None else msgspec.convert(question.moves, Advice)


def is_waiting(question: ExpertQuestion, now: datetime) -> bool:
    """Whether an answer can still be expected."""
    return question.moves is None and question.asked > now - PATIENCE


def _digest(question: Consultation) -> str:
    return blake2b(question.dump(), digest_size=20).hexdigest()


def ask(
    *,
    user: User,
    tree: Tree,
    number: int,
    now: datetime,
    admit: Callable[[], None] = lambda: None,
) -> ExpertQuestion:
    """Return the question about the position after a node, and have it answered if it is new.

    :param admit: called before a question is answered. It may raise to prevent that.
    :raises BrokenBoard: the moves don't replay.
    :raises GameError: the user may not ask, or not about this position.
    """
    if user.is_guest:
        raise Refused(_(GUEST))
    state = moment_of(tree, number).state
    if not tree.title.actors(state):
        raise MatchOver(_(OVER))
    _check_not_played(user, tree, number)
    question = question_of(tree, state)
    with transaction.atomic():
        user.lock()
        last = ExpertQuestion.objects.filter(user=user).first()
        if last is not None and (last.moves is not None or is_waiting(last, now)):
            if last.digest == _digest(question):
                return last
            if last.moves is None:
                raise Refused(_(ONE_AT_A_TIME))
        admit()
        asked, _made = ExpertQuestion.objects.update_or_create(
            user=user,
            defaults={
                "title": tree.game,
                "digest": _digest(question),
                "question": msgspec.to_builtins(question),
                "asked": now,
                "moves": None,
            },
        )
        expert_wanted.send(ExpertQuestion, question_id=asked.pk, digest=asked.digest)
    return asked


def _check_not_played(user: User, tree: Tree, number: int) -> None:
    """Check that neither a position nor the last ones before it are those of a user's matches.

    :raises Refused: one is.
    """
    rows = _running(user, tree.game, tree.seats)
    if not rows:
        return
    states = [moment.state for moment in moments_of(tree, number)[-AHEAD - 1 :]]
    keys = {key for state in states for key in _keys(tree, state, exchanges=True)}
    for match, rules, params, position in rows:
        played = Tree(tree.game, rules, tree.seats, params, tree.start)
        try:
            state = played.title.load(position, tree.seats, params)
        except NOT_READABLE:
            continue
        if not keys.isdisjoint(_keys(played, state)):
            raise Refused(_(OWN_MATCH).format(number=match))


def _running(user: User, game: str, seats: int) -> Sequence[tuple[int, int, Any, Any]]:
    """Return number, rules, parameters and position of a user's running matches of a game.

    Only matches with this number of seats can have the same positions. It takes one query.
    """
    last = Player.objects.filter(match=OuterRef("pk"), seat=seats - 1)
    more = Player.objects.filter(match=OuterRef("pk"), seat=seats)
    mine = Match.objects.filter(players__user=user, players__ended=None, title=game)
    fitting = mine.filter(Exists(last), ~Exists(more)).order_by("pk")
    return list(fitting.values_list("pk", "rules_version", "params", "position"))


def _keys(tree: Tree, state: Any, *, exchanges: bool = False) -> Iterable[int]:
    """Yield the key of a position, the same for all terms of a match.

    :param exchanges: whether those with exchanged seats follow.
    """
    view = tree.title.view(state, None)
    for one in (view, *(tree.title.exchanged(view) if exchanges else ())):
        yield canonical_view(tree.title, tree.seats, {}, one).key


def answer(question_id: int, digest: str) -> None:
    """Answer a question, unless its asker has asked another one since."""
    mine = ExpertQuestion.objects.filter(pk=question_id, digest=digest, moves__isnull=True)
    question = mine.first()
    if question is None:
        return
    asked = msgspec.convert(question.question, Consultation)
    advised = own_thinker().advise(asked, patience=PATIENCE.total_seconds())
    mine.update(moves=msgspec.to_builtins(advised))


def mover(tree: Tree, state: Any) -> Seat:
    """Return the seat whose moves the expert names."""
    seat: Seat = tree.title.actors(state)[0]
    return seat
