"""The board on which a player thinks about a running match: private, and never part of the match.

It starts from the position at which it was opened. Later moves of the match can be added to its
lines, and all other lines stay. In games with secrets, a position combines what the player's seat
sees with assumptions (:mod:`games.study.assuming`). There, lines start again at the current
position, since the match's later moves may contradict the assumptions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.kernel.contract import Observation, Seat, Unseen
from games.kernel.tree import ROOT
from games.matches import selectors
from games.matches.errors import Refused
from games.matches.log.log_entries import undone
from games.matches.models import LogEntry, Match
from games.matches.plans import conditional
from games.matches.selectors import MatchSnapshot
from games.study import assuming, services
from games.study.errors import BrokenBoard
from games.study.models import PrivateBoard, Study
from games.study.tree import Start, Tree

HIDDEN = gettext_noop(
    "On this board you have assumed hidden cards, so a line from it can't be left with the site."
)
ELSEWHERE = gettext_noop("Go to the position of the match first, and play your line from there.")
LOST = gettext_noop(
    "The match has gone a way that isn’t on this board. Start again from its current position."
)
PUBLISHED = gettext_noop("You have published this board already.")
RUNNING = gettext_noop("You can publish this board once the match has ended.")
BOARD_KINDS = (
    LogEntry.Kind.PLAY,
    LogEntry.Kind.TAKE_BACK,
    LogEntry.Kind.RESIGN,
    LogEntry.Kind.TIMEOUT,
)
"""The kinds of entries that can change a position."""


@dataclass(frozen=True)
class FollowedMatch:
    """The place of a match on a board.

    ``node`` is the last of its moves on the board, and ``missing`` are those played after it.
    ``is_lost`` says that the match has left the board: it went back before the start, or a player
    dropped out.
    """

    node: int
    missing: Sequence[LogEntry] = ()
    is_lost: bool = False

    @property
    def is_now(self) -> bool:
        """Whether the node is the current position of the match."""
        return not (self.missing or self.is_lost)


def opened(
    user: User, match_id: int, now: datetime, *, saves: bool = True
) -> tuple[PrivateBoard, MatchSnapshot]:
    """Return a player's board on a match, a new one if necessary, and the match.

    A new one is saved unless ``saves`` is false.

    :raises NotAPlayer: the user has no seat in it.
    """
    snapshot = selectors.snapshot(match_id)
    values: dict[str, Any] = {**_begun(snapshot, user, now), "created": now, "changed": now}
    terms: dict[str, Any] = {"owner": user, "match": snapshot.match}
    if saves:
        board, _ = PrivateBoard.objects.get_or_create(**terms, defaults=values)
    else:
        kept = PrivateBoard.objects.filter(**terms).first()
        board = kept or PrivateBoard(**terms, **values)
    return board, snapshot


def _begun(snapshot: MatchSnapshot, user: User, now: datetime) -> dict[str, Any]:
    """Return a board without lines, from the current position."""
    match, seats = snapshot.match, len(snapshot.players)
    start = _start(snapshot, snapshot.seat_for(user), {}, now)
    tree = Tree(match.title, match.rules_version, seats, snapshot.params, start)
    return {"root": match.version, "tree": services.content_of(tree)}


def _start(snapshot: MatchSnapshot, seat: Seat, chosen: assuming.Chosen, now: datetime) -> Start:
    """Return the current position as a seat may know it, completed by assumptions."""
    if not snapshot.title.meta.has_secrets:
        return Start(position=snapshot.title.dump(snapshot.state))
    seed = f"{seat} {now.isoformat()}"
    return assuming.start(observation(snapshot, seat), chosen, seed, snapshot.match.version)


def observation(snapshot: MatchSnapshot, seat: Seat) -> Observation:
    """Return what a seat sees of the current position."""
    match, seats = snapshot.match, len(snapshot.players)
    view = snapshot.table.view(seat).dump()
    return Observation(match.title, match.rules_version, snapshot.params, seats, seat, view)


def unseen(board: PrivateBoard, snapshot: MatchSnapshot) -> Sequence[Unseen]:
    """Return the hidden information about which the owner of a board may make assumptions now."""
    return snapshot.title.unseen(observation(snapshot, snapshot.seat_for(board.owner)))


def standing(board: PrivateBoard, tree: Tree, snapshot: MatchSnapshot) -> FollowedMatch:
    """Return the place of a match on a board."""
    if snapshot.title.meta.has_secrets:
        return _newest_start(board, tree, snapshot)
    entries = selectors.log(snapshot.match, after=board.root, upto=snapshot.match.version)
    kinds = LogEntry.Kind
    gone = undone(entries)
    is_lost = any(entry.kind in (kinds.RESIGN, kinds.TIMEOUT) for entry in entries)
    if is_lost or any(number is not None and number <= board.root for number in gone):
        return FollowedMatch(ROOT, is_lost=True)
    moves = [one for one in entries if one.kind == kinds.PLAY and one.number not in gone]
    node = ROOT
    for at, entry in enumerate(moves):
        played = (entry.seat, entry.text, tuple(entry.chance))
        nodes = (n.id for n in tree.children(node) if (n.seat, n.text, n.chance) == played)
        following = next(nodes, None)
        if following is None:
            return FollowedMatch(node, moves[at:])
        node = following
    return FollowedMatch(node)


def _newest_start(board: PrivateBoard, tree: Tree, snapshot: MatchSnapshot) -> FollowedMatch:
    """Return the place of a match with secrets: the newest position that was seen."""
    seen = [(node.start.entry, node.id) for node in tree.nodes if node.start]
    entry, node = max([(board.root, ROOT), *seen])
    later = selectors.log(snapshot.match, after=entry, upto=snapshot.match.version)
    return FollowedMatch(node, [one for one in later if one.kind in BOARD_KINDS])


def follow(board: PrivateBoard, snapshot: MatchSnapshot, now: datetime) -> int:
    """Add the moves that were played in the match, and return the node of the current position.

    In games with secrets, lines start again there instead.

    :raises BrokenBoard: the match has left the board, or the board is full.
    """
    if snapshot.title.meta.has_secrets:
        return assume(board, snapshot, {}, now)

    def edit(tree: Tree) -> tuple[Tree, int]:
        stands = standing(board, tree, snapshot)
        if stands.is_lost:
            raise BrokenBoard(_(LOST))
        at = stands.node
        for entry in stands.missing:
            tree, at = tree.added(at, entry.seat or 0, entry.text, entry.chance)
        return tree, at

    return services.change(board=board, edit=edit, now=now)


def assume(
    board: PrivateBoard, snapshot: MatchSnapshot, chosen: assuming.Chosen, now: datetime
) -> int:
    """Start lines at the current position, with the player's assumptions, and return the node.

    :raises GameError: the assumptions are impossible, nothing is hidden, or the board is full.
    """
    if not snapshot.title.meta.has_secrets:
        raise Refused(_("Nothing is hidden in this game."))
    start = _start(snapshot, snapshot.seat_for(board.owner), chosen, now)
    name = _("Match at position {number}").format(number=snapshot.match.version)

    def edit(tree: Tree) -> tuple[Tree, int]:
        return tree.begun_again(start, name)

    return services.change(board=board, edit=edit, now=now)


def start_again(board: PrivateBoard, snapshot: MatchSnapshot, now: datetime) -> None:
    """Delete all lines of a board, and start it from the current position."""
    fresh = _begun(snapshot, board.owner, now)
    PrivateBoard.objects.filter(pk=board.pk).update(**fresh, changed=now)


def add_to_plan(board: PrivateBoard, snapshot: MatchSnapshot, number: int, user: User) -> None:
    """Add the line from the position of the match to a node to the user's plan.

    :raises GameError: the line starts elsewhere, or :func:`conditional.add_line` refuses it.
    """
    if snapshot.title.meta.has_secrets:
        raise Refused(_(HIDDEN))
    tree = services.tree_of(board)
    tree.check_has(number)
    stands = standing(board, tree, snapshot)
    line = tree.line(number)
    before = [node.id for node in tree.line(stands.node)]
    if not stands.is_now or [node.id for node in line[: len(before)]] != before:
        raise Refused(_(ELSEWHERE))
    texts = [node.text for node in line[len(before) :]]
    match = snapshot.match
    conditional.add_line(match_id=match.pk, user=user, texts=texts, version=match.version)


def publish(board: PrivateBoard, snapshot: MatchSnapshot, name: str, now: datetime) -> Study:
    """Publish a copy of a board with the record of its match, and return the copy.

    :raises Refused: the match is running.
    :raises BrokenBoard: it is published already.
    :raises GameError: the player may not publish anything, or has too many boards.
    """
    if snapshot.match.is_running:
        raise Refused(_(RUNNING))
    with transaction.atomic():
        locked = PrivateBoard.objects.select_for_update().filter(pk=board.pk).first()
        if locked is None or locked.published_id is not None:
            raise BrokenBoard(_(PUBLISHED))
        study = services.save(user=board.owner, tree=services.tree_of(board), name=name, now=now)
        shared = Study.Visibility.LINK
        services.describe(study=study, name=name, visibility=shared, now=now)
        PrivateBoard.objects.filter(pk=board.pk).update(published=study)
    return study


def of_ended(match: Match, user: Any) -> Sequence[PrivateBoard]:
    """Return the boards on an ended match: those published with it, and the user's own."""
    if match.is_running:
        return ()
    is_shown = Q(published__visibility=Study.Visibility.LINK, owner__is_active=True)
    seen = is_shown | Q(owner=user) if user.is_authenticated else is_shown
    boards = PrivateBoard.objects.filter(seen, match=match).defer("tree")
    return list(boards.select_related("published", "owner").order_by("pk"))
