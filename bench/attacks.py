"""The most expensive actions of one visitor or one member."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from urllib.parse import quote, urlencode
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.test import override_settings
from django.utils import timezone

from accounts import zones
from accounts.models import User
from bench import crowd, long_match, people
from bench.connections import Browser, get, post, post_json
from bench.raids import Raid, lanes, visits
from bench.site import LIMITED
from games.http.paging import Cursor
from games.kernel import registry
from games.kernel.contract import Params
from games.kernel.palettes import PALETTES
from games.kernel.params import complete
from games.live.consumers import PROTOCOL
from games.matches import services
from games.matches.models import Match, Player
from games.matches.notify import reply_addresses
from games.matches.view import thumbnails
from games.records import record
from games.study.addresses import pack
from games.study.replaying import set_up
from games.study.tree import Start, Tree

MATCHES = 50_000
"""Number of stored matches of a crowd."""

ENTRIES, RUNNING, RAIDERS = 1_000, 28, 34
"""Entries of a long match, a member's running matches, attacking members."""

SMALL: Params = {"size": 6}
WIDE_GAME, WIDE = "simple-life-or-death", {"width": 48, "height": 48}
DEAR_WORDS = urlencode([("word", "place L "), *[("word", " ")] * 8])
"""Words of a move that opens every choice on a wide board, and useless blanks."""

LONG = 980_000
"""Characters of a form, just below the site's limit of 1 MB."""

API = "/api/v1/"


@dataclass(frozen=True)
class World:
    """Stored data for attacks.

    The first of the ``members`` plays the ``running`` matches, a long one (``lasting``) and one on
    a wide board. ``ended`` are a match of each game, ``watched`` is a match of others, and
    ``player`` the name of somebody with very many matches.
    """

    users: Sequence[User]
    members: Sequence[Browser]
    running: Sequence[int]
    lasting: int
    wide: int
    ended: Sequence[Match]
    player: str
    watched: int = 0

    @property
    def member(self) -> Browser:
        return self.members[0]

    @property
    def shown(self) -> list[int]:
        """The matches with much to show: long, wide, and one of each game."""
        return [self.lasting, self.wide, *(match.pk for match in self.ended)]


Attack = Callable[[World], Raid]


def prepared(matches: int) -> World:
    """Store matches of a crowd, and of attacking members."""
    busiest, _ = crowd.fill_lists(matches)
    users = people.make(RAIDERS, "raider")
    pair = users[:2]
    running = [people.start(pair, params=SMALL).pk for _ in range(RUNNING)]
    lasting = people.start(pair, params=SMALL, clock=None)
    long_match.lengthen(lasting.pk, ENTRIES)
    wide = people.start(pair, WIDE_GAME, WIDE, clock=None)
    ended = [_ended(title, pair) for title in registry.titles()]
    browsers = list(map(people.sign_in, users))
    return World(users, browsers, running, lasting.pk, wide.pk, ended, busiest.username)


def _ended(title: str, players: Sequence[User]) -> Match:
    """Play a match of a game to the end of its script, then resign."""
    match = people.script(title).play(players)
    if match.is_running:
        services.resign(
            match_id=match.pk,
            user=players[0],
            version=match.version,
            submission=uuid4(),
            now=timezone.now(),
        )
        match.refresh_from_db()
    return match


# --- The attacks ----------------------------------------------------------------------------------


def _streams(count: int, hold: float) -> Attack:
    return lambda world: lanes(count, get(f"{API}matches/{world.lasting}/stream/"), hold=hold)


def _own_streams(world: World) -> Raid:
    return lanes(10, get(f"{API}stream/", world.member), hold=0.1)


def _imports(world: World) -> Raid:
    """Return posts of records with very many seats, entries and invalid commands."""
    lines = [f"{number}. b: x {{[%" for number in range(1, 3001)]
    tags = [f'[Format "{record.FORMAT}"]', f'[Seats "{"a " * 235_000}"]']
    tagged = "\n".join([*tags, "", *lines])[:LONG]
    version = {"format": record.FORMAT, "format_version": record.FORMAT_VERSION}
    empty = json.dumps({**version, "log": [{}] * 40_000})
    texts = (tagged, empty, tagged[:84_000])
    posts = zip(world.members[1:], texts, strict=False)
    return lanes(11, *(post("/imported/", member, text=text) for member, text in posts))


def _words_by_socket(world: World) -> Raid:
    entering = {"type": "enter", "version": 0, "query": DEAR_WORDS}
    socket = (f"/ws/?match={world.wide}&parts={PROTOCOL}", world.member)
    return Raid(sockets=[socket] * 2, messages=[entering])


def _words_on_boards(world: World) -> Raid:
    wide = complete(registry.get(WIDE_GAME).meta, WIDE)
    tree = set_up(Tree(WIDE_GAME, 1, 2, wide, Start(setup=())))
    return visits([f"/games/{WIDE_GAME}/board/{pack(tree)[0]}/0/?{DEAR_WORDS}"], count=4)


def _sockets_in_zones(world: World) -> Raid:
    """Return sockets of a match of others, each in a time zone of its own."""
    for user, zone in zip(world.users, sorted(zones.known()), strict=False):
        User.objects.filter(pk=user.pk).update(time_zone=zone)
    path = f"/ws/?match={world.watched}&parts={PROTOCOL}"
    return Raid(sockets=[(path, member) for member in world.members], pace=1)


def _animations(world: World) -> Raid:
    asked = [
        post(f"/matches/{match.pk}/animations/", member, first=first, last=match.version, theme=one)
        for member in world.members[4:7]
        for match in world.ended
        for first, one in product(range(3), PALETTES)
    ]
    return lanes(3, *asked)


def _reviews(world: World) -> Raid:
    asked = product(world.members[7:17], world.ended)
    return lanes(10, *(post(f"/matches/{match.pk}/review/", member) for member, match in asked))


def _archive(world: World) -> Raid:
    page = Cursor(timezone.now() - timedelta(minutes=MATCHES // 2), 0).write()
    asked = (
        {"page": page},
        {"game": "die", "param-size": 6, "ending": "closed", "result": "tied", "page": page},
        {"player": world.player, "result": "won", "page": page},
        {"status": "running", "game": "die", "param-size": 3, "page": page},
        {"until": "2001-01-01", "ending": "resigned"},
        {"x": "y" * 7000},
    )
    return visits(f"/archive/?{urlencode(one)}" for one in asked)


def _lists_of_a_player(world: World) -> Raid:
    """Return pages about one player, with deep pages of lists."""
    name, page = quote(world.player), Cursor(timezone.now() - timedelta(minutes=900), 0).write()
    paths = (
        f"/players/{name}/?running={page}&ended={page}",
        f"/players/{name}/statistics/?openings",
        f"/players/{name}/against/crowd-1/?page={page}",
        f"/players/{name}/ratings/",
        f"{API}matches/?player={name}",
        f"{API}players/{name}/statistics/",
        f"{API}activity/",
    )
    return visits(paths)


def _statistics(_: World) -> Raid:
    pages = ("statistics", "ratings", "ladder", "rules", "puzzles", "lessons")
    return visits(f"/games/{s}/{page}/" for s in registry.titles() for page in pages)


def _exports(world: World) -> Raid:
    """Return downloads of matches, and of all that a member has played."""
    kinds = ("export.json", "export.txt")
    paths = [f"/matches/{pk}/{kind}" for pk in world.shown for kind in kinds]
    paths += [f"{API}matches/{pk}/record/" for pk in world.shown]
    paths += [f"{API}players/{world.player}/records/"]
    own = get(f"{API}me/records/", world.member), post("/account/data/download/", world.member)
    return visits(paths, *own)


def _documents(world: World) -> Raid:
    pages = ["/activity/feed.atom", "/events/feed.atom", "/games/die/ladder/feed.atom", "/dice/"]
    files = ("", "openapi.json", "record.schema.json", "guides/dice/", "games/")
    logs = (f"matches/{match.pk}/log/?limit=1000" for match in world.ended)
    paths = (f"{API}{path}" for path in (*files, *logs))
    return visits([*pages, "/sitemap.xml", "/robots.txt", *paths])


def _thumbnails(world: World) -> Raid:
    matches = Match.objects.filter(status=Match.Status.OVER).order_by("-pk")[:2000]
    return visits(
        f"/matches/{one.pk}/{one.version}/thumbnail-{theme}.{thumbnails.look_of(one)}.svg"
        for one in [*world.ended, *matches]
        for theme in PALETTES
    )


def _positions(world: World) -> Raid:
    late = [f"/matches/{world.lasting}/{number}/" for number in range(ENTRIES, 0, -13)]
    late += [f"/matches/{m.pk}/{n}/" for m in world.ended for n in range(m.version, 0, -7)]
    return visits(late)


def _cards(world: World) -> Raid:
    cards = [f"/matches/{world.lasting}/{number}/card.png" for number in range(1, ENTRIES, 7)]
    return visits([*cards, *(f"/games/{slug}/card.png" for slug in registry.titles())])


def _pictures(world: World) -> Raid:
    at = [(match.pk, number) for match in world.ended for number in range(0, match.version, 5)]
    shown = [(world.wide, 0), *at]
    return visits(f"/matches/{pk}/{n}/board.{kind}" for pk, n in shown for kind in ("png", "svg"))


def _chat(world: World) -> Raid:
    path = f"/matches/{world.running[0]}/chat/"
    return lanes(10, post(path, world.member, text="x" * LONG), get(path, world.member))


def _sign_up(_: World) -> Raid:
    path, names = "/account/signup/", [f"newcomer{number}" for number in range(50)]
    asked = [
        post(path, username=one, email=f"{one}@example.org", password1="correct-horse-battery")
        for one in names
    ]
    return visits([path], *asked, count=20)


def _sign_in(world: World) -> Raid:
    names = [world.player, *(f"nobody{number}" for number in range(50))]
    return lanes(20, *(post("/account/login/", login=one, password="x" * 1000) for one in names))


def _search_of_players(world: World) -> Raid:
    names = ", ".join(f"crowd-{number}" for number in range(3000))
    named = post("/games/die/challenge/", world.member, audience="named", players=names)
    return visits([f"/players/{'x' * 2000}/", f"{API}players/{world.player}/"], named)


def _mails(world: World) -> Raid:
    """Return mails with a long unfinished page, from the claimed player."""
    user = world.users[0]
    EmailAddress.objects.get_or_create(user=user, email=user.email, primary=True, verified=True)
    player = Player.objects.get(match=world.running[0], user=user)
    with override_settings(REPLY_DOMAIN=LIMITED["REPLY_DOMAIN"]):
        recipient = reply_addresses.make(player, 0, now=timezone.now())
    head = (f"From: {user.email}", f"To: {recipient}", "Content-Type: text/html", "")
    text = "\r\n".join([*head, *["<div>&amp;" * 90] * 250, "<p>pass"])
    return Raid(mails=[(user.email, recipient, text.encode())] * 4)


def _pages(world: World) -> Raid:
    paths = ("/", "/lobby/", "/archive/", "/activity/", f"/matches/{world.lasting}/")
    return visits(paths, count=90)


def _forms(world: World) -> Raid:
    """Return forms with very many fields, a very long text, and the most moves."""
    path = f"/matches/{world.running[0]}"
    many = {f"field-{number}": "" for number in range(990)}
    moves = {"move": ["a1"] * 900, "version": 0, "submission": uuid4()}
    api_moves = f"{API}matches/{world.running[1]}/moves/"
    return lanes(
        10,
        post("/games/die/challenge/", world.member, **many),
        post(f"{path}/moves/", world.member, **moves),
        post(f"{path}/note/", world.member, note="x" * LONG),
        post("/account/profile/", world.member, about="x" * LONG),
        post_json(api_moves, world.member, {"moves": ["x"] * 9999}),
    )


def _boards(world: World) -> Raid:
    starts = [f"/games/{slug}/board/" for slug in registry.titles()]
    tries = [f"/matches/{match.pk}/{match.version}/try/" for match in world.ended]
    position = json.dumps([[[]] * 30_000] * 5)[:490_000]
    pasted = post(f"/games/{WIDE_GAME}/board/new/", seats=2, position=position)
    return visits([*starts, *tries], pasted)


ATTACKS: Mapping[str, Attack] = {
    "streams-held": _streams(40, hold=60.0),
    "streams-at-once": _streams(60, hold=1.0),
    **{
        attack.__name__[1:].replace("_", "-"): attack
        for attack in (
            *(_own_streams, _imports, _words_by_socket, _words_on_boards, _sockets_in_zones),
            *(_animations, _reviews, _archive, _lists_of_a_player, _statistics, _exports),
            *(_documents, _thumbnails, _positions, _cards, _pictures, _chat, _sign_up, _sign_in),
            *(_search_of_players, _mails, _pages, _forms, _boards),
        )
    },
}
"""The requests of each attack, by its name."""
