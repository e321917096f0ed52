"""The golden matches as pages of their viewers, entry by entry, without a database."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.kernel import params, playthrough, registry
from games.kernel.contract import Seat
from games.kernel.replay import PlainEntry
from games.matches.clock import PRESETS
from games.matches.models import LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView
from games.screen import match_parts, part_templates
from games.screen.entry import NOTHING_TYPED
from games.screen.page import MatchPage

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)
PACE = timedelta(hours=5)
NAMES = ("ada", "bruno", "clara", "dora", "emil", "fritz")
KINDS = MappingProxyType(
    {
        "play": LogEntry.Kind.PLAY,
        "drop": LogEntry.Kind.RESIGN,
        "close": LogEntry.Kind.CLOSE,
    }
)


def golden_matches() -> list[tuple[str, str]]:
    """Return slug and name of every golden match."""
    return [
        (slug, name)
        for slug in registry.titles()
        for name in playthrough.playthroughs(registry.folder(slug))
    ]


FIRST_OF_EACH_GAME = [
    pytest.param(*match, marks=pytest.mark.thorough if number else ())
    for _, matches in groupby(golden_matches(), key=itemgetter(0))
    for number, match in enumerate(matches)
]
"""Every golden match; all but the first of each game are for `make thorough`."""


def pages(slug: str, name: str) -> Iterator[dict[Seat | None, MatchPage]]:
    """Yield what each seat and spectators see of a golden match, after every entry.

    The last entry ends the match: nothing is pushed after it, so it is left out.
    """
    title = registry.get(slug)
    golden = playthrough.playthroughs(registry.folder(slug))[name]
    moments = playthrough.play(title, golden)
    match = Match(
        pk=1,
        title=slug,
        params=params.complete(title.meta, golden.params),
        rules_version=title.meta.rules_version,
        clock=PRESETS["standard"].dump(),
        setup_chance=list(golden.chance),
        position={},
        created=BEGIN,
        changed=BEGIN,
    )
    users = [User(pk=seat + 1, username=NAMES[seat]) for seat in range(golden.seats)]
    log: list[LogEntry] = []
    for number, moment in enumerate(moments[:-1]):
        if number:
            step = golden.steps[number - 1]
            log.append(_entry(match, number, step, moment))
        match.version, match.changed = number, BEGIN + PACE * number
        actors = title.actors(moment.state)
        players = [_player(match, user, seat, seat in actors) for seat, user in enumerate(users)]
        snapshot = MatchSnapshot(match, players, moment.state)
        yield {
            viewer: MatchPage(
                snapshot,
                MatchView(snapshot.table, viewer, log[-25:]),
                AnonymousUser() if viewer is None else users[viewer],
                NOTHING_TYPED,
            )
            for viewer in (None, *map(Seat, range(golden.seats)))
        }


def whole(page: MatchPage) -> str:
    """Return the regions of a page as the site renders them at once, with marks that are links."""
    context = {
        "page": page,
        "part": page.actions.region,
        "view": page.view,
        "user": page.user,
        "request": None,
        "is_part": True,
        "csrf_token": match_parts.TOKEN,
        "fields": match_parts.FIELDS,
    }
    return "".join(part_templates.render(region, context) for region in match_parts.REGIONS)


def _entry(match: Match, number: int, step: PlainEntry, moment: playthrough.Moment):
    return LogEntry(
        match=match,
        number=number,
        kind=KINDS[step.kind],
        seat=step.seat,
        text=step.text if step.kind == "play" else "",
        at=BEGIN + PACE * number,
        events=[event.dump() for event in moment.events],
        chance=list(step.chance),
        sides=[None] * len(step.chance),
    )


def _player(match: Match, user: User, seat: int, to_move: bool) -> Player:
    return Player(
        pk=seat + 1,
        match=match,
        title=match.title,
        seat=seat,
        user=user,
        to_move=to_move,
        time_left=PRESETS["standard"].start,
        clock_since=match.changed if to_move else None,
        deadline=match.changed + PRESETS["standard"].start if to_move else None,
    )
