"""The most expensive actions of one visitor or one member."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.test import override_settings
from django.utils import timezone

from accounts import zones
from accounts.models import User
from bench import crowd, long_match, people, scripts, site
from bench.people import Person
from bench.raids import Raid, get, lanes, post, program
from games.http.paging import Cursor
from games.kernel import registry
from games.kernel.palettes import PALETTES
from games.kernel.params import complete
from games.live.consumers import PROTOCOL
from games.matches import services
from games.matches.log import record
from games.matches.models import Match, Player
from games.matches.notify import reply_addresses
from games.matches.view import thumbnails
from games.study.addresses import pack
from games.study.replaying import set_up
from games.study.tree import Start, Tree

MATCHES = 50_000
"""Number of stored matches of a crowd."""

ENTRIES, RUNNING, RAIDERS = 1_000, 28, 34
"""Entries of a long match, a member's running matches, attacking members."""

WIDE_GAME, WIDE = "simple-life-or-death", {"width": 48, "height": 48}
DEAR_WORDS = urlencode([("word", "place L "), *[("word", " ")] * 8])
"""Words of a move that opens every choice on a wide board, and useless blanks."""

LONG = 980_000
"""Characters of a form, just below the site's limit of 1 MB."""


@dataclass(frozen=True)
class World:
    """Stored data for attacks.

    ``member`` plays the matches in ``running``, a long one and one on a wide board. ``ended`` are a
    match of each game, ``watched`` is a match of others. ``mail`` is the address of ``member`` and
    the one to which a move can be sent.
    """

    members: Sequence[Person]
    running: Sequence[int]
    lasting: int
    wide: int
    ended: Sequence[Match]
    player: str
    mail: tuple[str, str]
    watched: int = 0

    @property
    def member(self) -> Person:
        """The member with running matches."""
        return self.members[0]


def prepared(matches: int) -> World:
    """Store matches of a crowd, and of attacking members."""
    busiest, _ = crowd.fill_lists(matches)
    pair = people.make(RAIDERS, "raider")[:2]
    running = [people.start(pair, 6).pk for _ in range(RUNNING)]
    lasting = people.start(pair, 6, clock=None)
    long_match.lengthen(lasting.pk, ENTRIES)
    wide = _started(WIDE_GAME, WIDE, pair)
    return World(
        [people.sign_in(user) for user in people.make(RAIDERS, "raider")],
        running,
        lasting.pk,
        wide.pk,
        [_ended(title, pair) for title in registry.titles()],
        busiest.username,
        _address(running[0], pair[0]),
    )


def _address(match_id: int, user: User) -> tuple[str, str]:
    """Return a player's own address, and the one for their moves by mail."""
    EmailAddress.objects.get_or_create(user=user, email=user.email, primary=True, verified=True)
    player = Player.objects.get(match=match_id, user=user)
    with override_settings(REPLY_DOMAIN=site.REPLIES["REPLY_DOMAIN"]):
        return user.email, reply_addresses.make(player, 0, now=timezone.now())


def _started(title: str, params: Mapping[str, Any], players: Sequence[User]) -> Match:
    return services.start(
        title=title,
        params=complete(registry.get(title).meta, params),
        clock=None,
        secret=b"s" * 32,
        participants=[
            services.Participant(user, bytes([seat]) * 32) for seat, user in enumerate(players)
        ],
        last_joiner=None,
        now=timezone.now(),
    )


def _ended(title: str, players: Sequence[User]) -> Match:
    """Play a match of a game to the end of its script, then resign."""
    script = scripts.write(title, 0)
    match = scripts.start(script, players)
    for version, (seat, text) in enumerate(script.moves):
        services.play_move(
            match_id=match.pk,
            user=players[seat],
            texts=[text],
            version=version,
            submission=uuid4(),
            now=timezone.now(),
        )
    match.refresh_from_db()
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


# --- The attacks --------------------------------------------------------------------------------


def _api(path: str) -> str:
    return f"/api/v1/{path}"


def _stream(world: World) -> bytes:
    return get(_api(f"matches/{world.lasting}/stream/"))


def _import(world: World, at: int, text: str, count: int = 1) -> Raid:
    """Return posts of records by a member of its own."""
    return lanes(count, post("/imported/", world.members[at], text=text))


def _tags() -> str:
    """Return a record of very many seats, entries and invalid commands."""
    lines = [f"{number}. b: x {{[%" for number in range(1, 3001)]
    tags = [f'[Format "{record.FORMAT}"]', f'[Seats "{"a " * 235_000}"]']
    return "\n".join([*tags, "", *lines])[:LONG]


def _empty_entries() -> str:
    return json.dumps(
        {"format": record.FORMAT, "format_version": record.FORMAT_VERSION, "log": [{}] * 40_000}
    )


def _words_by_socket(world: World) -> Raid:
    entering = {"type": "enter", "version": 0, "query": DEAR_WORDS}
    socket = (f"/ws/?match={world.wide}&parts={PROTOCOL}", world.member.cookies)
    return Raid(sockets=[socket] * 2, messages=[entering])


def _words_on_boards(world: World) -> Raid:
    wide = complete(registry.get(WIDE_GAME).meta, WIDE)
    tree = set_up(Tree(WIDE_GAME, 1, 2, wide, Start(setup=())))
    return lanes(4, get(f"/games/{WIDE_GAME}/board/{pack(tree)[0]}/0/?{DEAR_WORDS}"))


def _animations(world: World) -> Raid:
    asked = [
        post(f"/matches/{match.pk}/animations/", member, first=first, last=match.version, theme=one)
        for member in world.members[4:7]
        for match in world.ended
        for first, one in product(range(3), PALETTES)
    ]
    return lanes(3, *asked)


def _reviews(world: World) -> Raid:
    asked = [
        post(f"/matches/{match.pk}/review/", member)
        for member in world.members[7:17]
        for match in world.ended
    ]
    return lanes(10, *asked)


def _own_streams(world: World) -> Raid:
    return lanes(10, get(_api("stream/"), world.member.cookies), hold=0.1)


def _zones(world: World) -> Raid:
    """Return sockets of a match of others, each in a time zone of its own."""
    for member, zone in zip(world.members, sorted(zones.known()), strict=False):
        User.objects.filter(pk=member.user.pk).update(time_zone=zone)
    path = f"/ws/?match={world.watched}&parts={PROTOCOL}"
    sockets = [(path, member.cookies) for member in world.members]
    return Raid(sockets=sockets, pace=1)


def _cards(world: World) -> Raid:
    addresses = [
        *(f"/matches/{world.lasting}/{number}/card.png" for number in range(1, ENTRIES, 7)),
        *(f"/games/{slug}/card.png" for slug in registry.titles()),
    ]
    return lanes(10, *map(get, addresses))


def _archive(world: World) -> Raid:
    long_ago = timezone.now() - timedelta(minutes=MATCHES // 2)
    page = Cursor(long_ago, 0).write()
    asked = (
        {"page": page},
        {"game": "die", "param-size": 6, "ending": "closed", "result": "tied", "page": page},
        {"player": world.player, "result": "won", "page": page},
        {"status": "running", "game": "die", "param-size": 3, "page": page},
        {"until": "2001-01-01", "ending": "resigned"},
        {"x": "y" * 7000},
    )
    return lanes(10, *(get(f"/archive/?{urlencode(one)}") for one in asked))


def _lists(world: World) -> Raid:
    """Return pages about one player, with deep pages of lists."""
    name, page = quote(world.player), Cursor(timezone.now() - timedelta(minutes=900), 0).write()
    paths = (
        f"/players/{name}/?running={page}&ended={page}",
        f"/players/{name}/statistics/?openings",
        f"/players/{name}/against/crowd-1/?page={page}",
        f"/players/{name}/ratings/",
        _api(f"matches/?player={name}"),
        _api(f"players/{name}/statistics/"),
        _api("activity/"),
    )
    return lanes(10, *map(get, paths))


def _statistics(_: World) -> Raid:
    pages = ("statistics", "ratings", "ladder", "rules", "puzzles", "lessons")
    return lanes(10, *(get(f"/games/{s}/{page}/") for s in registry.titles() for page in pages))


def _own_data(world: World) -> Raid:
    cookies = world.member.cookies
    asked = [get(_api("me/records/"), cookies), get(_api(f"players/{world.player}/records/"))]
    return lanes(10, *asked, post("/account/data/download/", world.member))


def _exports(world: World) -> Raid:
    ids = (world.lasting, world.wide, *(match.pk for match in world.ended))
    paths = [f"/matches/{pk}/export.{kind}" for pk in ids for kind in ("json", "txt")]
    return lanes(10, *map(get, paths), *(get(_api(f"matches/{pk}/record/")) for pk in ids))


def _feeds(_: World) -> Raid:
    paths = ["/activity/feed.atom", "/events/feed.atom", "/sitemap.xml", "/robots.txt"]
    return lanes(10, *map(get, paths), *(get(f"/games/{s}/ladder/feed.atom") for s in ["die"]))


def _thumbnails(world: World) -> Raid:
    matches = Match.objects.filter(status=Match.Status.OVER).order_by("-pk")[:2000]
    drawn = [
        f"/matches/{one.pk}/{one.version}/thumbnail-{theme}.{thumbnails.look_of(one)}.svg"
        for one in [*world.ended, *matches]
        for theme in PALETTES
    ]
    return lanes(10, *map(get, drawn))


def _positions(world: World) -> Raid:
    late = [f"/matches/{world.lasting}/{number}/" for number in range(ENTRIES, 0, -13)]
    late += [f"/matches/{m.pk}/{n}/" for m in world.ended for n in range(m.version, 0, -7)]
    return lanes(10, *map(get, late))


def _pictures(world: World) -> Raid:
    at = [(match.pk, number) for match in world.ended for number in range(0, match.version, 5)]
    shown = [(world.wide, 0), *at]
    paths = [f"/matches/{pk}/{n}/board.{kind}" for pk, n in shown for kind in ("png", "svg")]
    return lanes(10, *map(get, paths))


def _chat(world: World) -> Raid:
    path = f"/matches/{world.running[0]}/chat/"
    lines = [post(path, world.member, text="x" * LONG), get(path, world.member.cookies)]
    return lanes(10, *lines)


def _sign_up(_: World) -> Raid:
    names = (f"newcomer{number}" for number in range(50))
    password = "correct-horse-battery"
    asked = [
        post("/account/signup/", username=name, email=f"{name}@example.org", password1=password)
        for name in names
    ]
    return lanes(20, get("/account/signup/"), *asked)


def _sign_in(world: World) -> Raid:
    names = [world.player, *(f"nobody{number}" for number in range(50))]
    return lanes(20, *(post("/account/login/", login=one, password="x" * 1000) for one in names))


def _search_players(world: World) -> Raid:
    path = "/games/die/challenge/"
    names = ", ".join(f"crowd-{number}" for number in range(3000))
    asked = [get(f"/players/{quote('x' * 2000)}/"), get(_api(f"players/{world.player}/"))]
    return lanes(10, post(path, world.member, audience="named", players=names), *asked)


def _mails(world: World) -> Raid:
    """Return mails with a long unfinished page, from the claimed player."""
    sender, recipient = world.mail
    head = (f"From: {sender}", f"To: {recipient}", "Content-Type: text/html", "")
    text = "\r\n".join([*head, *["<div>&amp;" * 90] * 250, "<p>pass"])
    return Raid(mails=[(sender, recipient, text.encode())] * 4)


def _dice(world: World) -> Raid:
    paths = ["/dice/", *(_api(f"matches/{match.pk}/log/?limit=1000") for match in world.ended)]
    return lanes(10, *map(get, paths))


def _documents(_: World) -> Raid:
    paths = ("", "openapi.json", "record.schema.json", "guides/dice/", "games/")
    return lanes(10, *(get(_api(path)) for path in paths))


def _pages(world: World) -> Raid:
    paths = ("/", "/lobby/", "/archive/", "/activity/", f"/matches/{world.lasting}/")
    return lanes(90, *map(get, paths))


def _forms(world: World) -> Raid:
    """Return forms with very many fields, a very long text, and the most moves."""
    many = {f"field-{number}": "" for number in range(990)}
    path = f"/matches/{world.running[0]}"
    moves = {"move": ["a1"] * 900, "version": 0, "submission": uuid4()}
    return lanes(
        10,
        post("/games/die/challenge/", world.member, **many),
        post(f"{path}/moves/", world.member, **moves),
        post(f"{path}/note/", world.member, note="x" * LONG),
        post("/account/profile/", world.member, about="x" * LONG),
        program(_api(f"matches/{world.running[1]}/moves/"), world.member, {"moves": ["x"] * 9999}),
    )


def _boards(world: World) -> Raid:
    starts = [get(f"/games/{slug}/board/") for slug in registry.titles()]
    tries = [get(f"/matches/{match.pk}/{match.version}/try/") for match in world.ended]
    position = json.dumps([[[]] * 30_000] * 5)[:490_000]
    pasted = post(f"/games/{WIDE_GAME}/board/new/", seats=2, position=position)
    return lanes(10, *starts, *tries, pasted)


ATTACKS: Mapping[str, Callable[[World], Raid]] = {
    "streams-held": lambda world: lanes(40, _stream(world), hold=60.0),
    "streams-at-once": lambda world: lanes(60, _stream(world), hold=1.0),
    "streams-in-rounds": lambda world: lanes(12, _stream(world), hold=0.2),
    "own-streams": _own_streams,
    "import-of-tags": lambda world: _import(world, 1, _tags()),
    "import-of-entries": lambda world: _import(world, 2, _empty_entries()),
    "eleven-imports": lambda world: _import(world, 3, _tags()[:84_000], 11),
    "words-by-socket": _words_by_socket,
    "words-on-boards": _words_on_boards,
    "sockets-in-zones": _zones,
    "animations": _animations,
    "reviews": _reviews,
    "cards": _cards,
    "archive": _archive,
    "lists-of-a-player": _lists,
    "statistics": _statistics,
    "own-data": _own_data,
    "exports": _exports,
    "feeds": _feeds,
    "thumbnails": _thumbnails,
    "positions": _positions,
    "pictures": _pictures,
    "chat": _chat,
    "sign-up": _sign_up,
    "sign-in": _sign_in,
    "search-of-players": _search_players,
    "mails": _mails,
    "dice": _dice,
    "documents": _documents,
    "pages": _pages,
    "forms": _forms,
    "boards": _boards,
}
"""The requests of each attack, by its name."""
