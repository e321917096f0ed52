"""Every address of the site, every kind of caller, and what each is answered."""

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import close_old_connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone

from accounts import blocks, tokens, unsubscribe
from accounts.models import ApiToken, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.api import openapi
from games.clubs import candidates
from games.clubs import services as clubs
from games.events import services as events
from games.events.models import Tournament
from games.ladders import services as ladders
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.notify.notifications import YOUR_TURN
from games.moderation import reports
from games.moderation.models import AbandonedSeat, Case, SubstituteOffer
from games.news.models import NewsItem
from games.noticeboards import services as noticeboards
from games.noticeboards.boards import Board
from games.records import collections, imports
from games.records.models import Animation
from games.study import services as study
from games.study.addresses import pack
from games.study.puzzle_runs import begin as begin_run
from games.study.puzzles import as_lessons
from games.study.replaying import set_up
from games.study.tree import Start, Tree, checked
from games.teams import services as teams
from games.web.study.lessons import packed
from tests.match_driver import MatchDriver, begin
from tests.moderation import make_moderator
from tests.people import sign_in_staff

TABLE = Path(__file__).parent / "permissions.txt"

PEOPLE = ("anonymous", "guest", "player", "other", "blocked", "suspended")
RIGHTS = ("moderator", "staff", "admin")
TOKENS = tuple(f"token-{scope.value}" for scope in ApiToken.Scope)
CALLERS = (*PEOPLE, *RIGHTS, *TOKENS)
SOCKET = "SOCKET"
"""What stands for the method of sockets in the table."""

METHODS = ("GET", "POST")
UNKNOWN = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")

API = "api/"
SAME = "="
"""Stands for all tokens where one with every scope is answered as nobody is: on pages."""

GUARDS = {
    "account_login": "sign-in",
    "login": "sign-in",
    "account_signup": "join",
    "standing": "standing",
    "account_reauthenticate": "confirm",
    "mfa_reauthenticate": "confirm",
    "mfa_index": "confirm",
}
"""Where somebody is sent who may not enter (yet), in a word; other redirects are numbers."""

BODY = {"version": 0, "submission": str(UUID(int=7)), "text": "Hello.", "reason": "A test."}
MOVES = {True: {"moves": ["a1"]}, False: {"word": "a1"}}
"""What is sent with every POST, and the move by program or on a page."""

VARIABLE = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()\[\]]|\[[^]]*\])*\)")

EXAMPLES = {
    "slug": "die",
    "act": "extend",
    "kind": "svg",
    "theme": "light",
    "digest": "0",
    "level": "casual",
    "app_label": "accounts",
    "channel": "mail",
    "number": "0",
    "rest": "nowhere",
    "url": "nowhere",
    "name": "bruno",
    "other": "ada",
}
"""What stands for a variable in an address; ids are those of the :class:`World`."""

FIRST_LESSON = {"number": 1, "tried": packed(["c3"])}
"""A lesson that its first move solves."""

FIRST_PUZZLE = {"number": 1, "tried": packed(as_lessons("die")[0].solution)}
"""A puzzle after its first move."""


@dataclass(frozen=True)
class Address:
    """An address as the resolver writes it, and the name of its view."""

    route: str
    name: str

    @property
    def group(self) -> str:
        """The first part of the address."""
        return self.route.partition("/")[0] if "/" in self.route else "home"

    @property
    def is_api(self) -> bool:
        """Whether tokens sign in there."""
        return self.route.startswith(API)


def addresses() -> list[Address]:
    """Return all addresses of pages and of the API, in their order; the first of equals."""
    found = dict[str, Address]()
    for route, pattern in _walk(get_resolver(), ""):
        found.setdefault(route, Address(route, pattern.name or ""))
    return list(found.values())


def _walk(resolver: URLResolver, before: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern).removeprefix("^").removesuffix("$")
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route)
        else:
            yield route, pattern


class World:
    """One match, one challenge, one case, and somebody of every kind who asks."""

    def __init__(self) -> None:
        now = timezone.now()
        names = ("ada", "bruno", "clara", "daniel", "sam", "guest-4821", "mod", "stan", "root")
        people = {
            name: User.objects.create(
                username=name,
                email="" if name.startswith("guest") else f"{name}@example.org",
                is_guest=name.startswith("guest"),
                is_staff=name in ("stan", "root"),
                is_superuser=name == "root",
            )
            for name in names
        }
        self.match: MatchDriver = begin("die", [people["ada"], people["bruno"]], size=3)
        make_moderator(people["mod"])
        blocks.block(user=people["bruno"], other=people["daniel"], now=now)
        challenge = lobby.challenge(
            creator=people["bruno"],
            title="die",
            params={},
            clock=PRESETS["standard"],
            seats=2,
            audience=Challenge.Audience.OPEN,
            now=now,
        )
        sanction = standing.impose(
            people["sam"],
            Sanction.Kind.SUSPENSION,
            reason="A test.",
            moderator=people["mod"],
            now=now,
        )
        case = reports.file_report(
            reporter=people["clara"],
            suspect=people["bruno"],
            name="match",
            subject_id=self.match.id,
            kind=Case.Kind.CHEATING,
            text="A test of who may read what.",
            now=now,
        ).case
        event = events.create(
            organiser=people["bruno"],
            name="Test Cup",
            title="die",
            params={},
            clock=PRESETS["standard"],
            format=Tournament.Format.SWISS,
            most=8,
            starts=now + timedelta(days=7),
            round_days=21,
            now=now,
        )
        club = clubs.establish(founder=people["ada"], terms=clubs.Terms("Test Club"), now=now)
        candidates.join(club_id=club.pk, user=people["bruno"], now=now)
        ladders.found(club_id=club.pk, leader=people["ada"], title="die", now=now)
        other = clubs.establish(founder=people["clara"], terms=clubs.Terms("Other Club"), now=now)
        team_match = teams.challenge(
            club_id=club.pk,
            leader=people["ada"],
            opponent_id=other.pk,
            title="die",
            params={},
            clock=PRESETS["standard"],
            boards=2,
            due=now + timedelta(days=7),
            ends=now + timedelta(days=37),
            now=now,
        )
        post = noticeboards.begin(
            board=Board(club=club),
            user=people["ada"],
            subject="Test",
            text="A test.",
            submission=UUID(int=9),
            # Its author can edit it for ten minutes, in which a slow machine tries few addresses.
            now=now + timedelta(hours=2),
        )
        NewsItem.objects.create(title="News", text="A test.", published=now)
        self.values = {
            "event_id": event.pk,
            "club_id": club.pk,
            "team_match_id": team_match.pk,
            "topic_id": post.topic_id,
            "post_id": post.pk,
            "match_id": self.match.id,
            "subject_id": self.match.id,
            "challenge_id": challenge.pk,
            "case_id": case.pk,
            "sanction_id": sanction.pk,
            "run_id": begin_run(user=people["ada"], slug="die", kind="lives", now=now).pk,
            **_records(people, self.match, now),
        }
        token = unsubscribe.address(people["ada"], YOUR_TURN).split("/")[-2]
        self.own_values = {
            "challenges": {"pk": challenge.pk},
            "report": {"name": "match"},
            "unsubscribe": {"token": token},
            "api-guide": {"name": "play"},
            **_seats(people, self.match, case, now),
            "play": {"key": _played(people["ada"], now)},
            **dict.fromkeys(("lesson", "lesson-tried", "lesson-board"), FIRST_LESSON),
            **dict.fromkeys(("puzzle", "puzzle-tried", "puzzle-board"), FIRST_PUZZLE),
            "puzzle-solution": FIRST_PUZZLE | {"step": 0},
            "puzzle-run": {"at": 0},
            **{key: {"number": 1} for key in ("api-puzzle", "api-puzzle-solution")},
        }
        who = ("", "guest-4821", "ada", "clara", "daniel", "sam", "mod", "stan", "root")
        self.clients = {
            caller: _client(people.get(name)) for caller, name in zip(CALLERS, who, strict=False)
        }
        for scope in ApiToken.Scope:
            self.clients[f"token-{scope.value}"] = _bearer(people["ada"], [scope])
        self.values["token_id"] = ApiToken.objects.earliest("pk").pk
        self.all_scopes = _bearer(people["ada"], list(ApiToken.Scope))

    def path(self, address: Address) -> str:
        """Return an address with something that exists for each variable, where anything does."""
        text = VARIABLE.sub(lambda found: self._value(address, found[1] or found[2]), address.route)
        return "/" + text.replace("\\", "")

    def _value(self, address: Address, variable: str) -> str:
        if variable in ("object_id", "id") and address.group == "admin":
            return _object_of(address.name)
        own = self.own_values.get(address.name) or self.own_values.get(address.group, {})
        return str((EXAMPLES | self.values | own).get(variable, "1"))


def _records(people: dict[str, User], match: MatchDriver, now: datetime) -> dict[str, int | str]:
    """Return the ids of what a player has added to records, by variable: all of it is theirs.

    The collection and the saved board are private. The imported record is of a match that has
    ended.
    """
    ada = people["ada"]
    ended = begin("die", [ada, people["bruno"]], size=3)
    ended.act(services.resign, 0)
    exported = ended.client(None).get(f"{ended.page}export.json").content
    imported = imports.take_in(user=ada, data=exported, now=now)
    collection = collections.make(user=ada, name="Gems", now=now)
    bookmark = collections.position(match.match, 0)
    collections.add(collection, bookmark, now=now)
    animation = Animation.objects.create(
        match=match.match, first=0, last=0, theme="light", status="ready", data=b"GIF", asked=now
    )
    board = checked(Tree("die", 1, 2, {}, Start(setup=())))
    saved = study.save(user=ada, tree=board, name="Corners", now=now)
    return {
        "packed": pack(board)[0],
        "key": saved.key,
        "record_id": imported.pk,
        "collection_id": collection.pk,
        "bookmark_id": bookmark.pk,
        "animation_id": animation.pk,
    }


def _played(user: User, now: datetime) -> str:
    """Return the key of a match on one device that nobody has moved in."""
    tree = checked(Tree("simple-life-or-death", 1, 2, {}, Start(setup=())))
    names = ("Ada", "Bea")
    return study.save(user=user, tree=set_up(tree), name="Two", names=names, now=now).key


def _seats(
    people: dict[str, User], match: MatchDriver, case: Case, now: datetime
) -> dict[str, dict[str, int]]:
    """Return the ids of an abandoned seat and of an offer to take it, by part of the site.

    The player chooses what follows, the other player is asked to be a substitute.
    """
    why = {"match": match.match, "seat": 1, "moderator": people["mod"], "reason": "A test."}
    left = AbandonedSeat.objects.create(**why, user=people["bruno"], opened=now)
    offer = SubstituteOffer.objects.create(
        **why, user=people["clara"], case=case, created=now, expires=now + timedelta(days=1)
    )
    return {"abandoned": {"pk": left.pk}, "substitute": {"pk": offer.pk}}


def _object_of(view: str) -> str:
    """Return the id of a row that a page of the admin is about; 1 where there is none."""
    app, model, *_ = [*view.split("_"), ""]
    if view == "auth_user_password_change":
        app, model = "accounts", "user"
    try:
        found = apps.get_model(app, model)._default_manager.order_by("pk").first()
    except (LookupError, ValueError):
        found = None
    return str(found.pk) if found else "1"


def _client(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user and (user.is_staff or user.groups.exists()):
        sign_in_staff(client, user)
    elif user:
        client.force_login(user)
    return client


def _bearer(user: User, scopes: list[ApiToken.Scope]) -> Client:
    token = tokens.make(user=user, name="-".join(scopes), scopes=scopes, now=timezone.now())
    headers = {"Authorization": f"Bearer {token}"}
    return Client(raise_request_exception=False, headers=headers)


def answer(client: Client, method: str, path: str, *, is_api: bool) -> str:
    """Return what a caller is answered, in a word or a number, and undo what was done."""
    cache.clear()
    cookies = client.cookies.copy()
    sent: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.1"}
    if method == "POST":
        sent["data"] = BODY | MOVES[is_api]
        if is_api:
            known = _fields_of(path)
            sent["data"] = {key: value for key, value in sent["data"].items() if key in known}
            sent["content_type"] = "application/json"
        send: Callable[..., Any] = client.post
    else:
        send = client.get if method == "GET" else _generic(client, method)
    with transaction.atomic():
        found = send(path, **sent)
        _close(found)
        transaction.set_rollback(True)
    client.cookies = cookies
    return _word(found)


def _fields_of(path: str) -> set[str]:
    """Return the fields that an address of the API takes: it refuses others."""
    document = openapi.document()
    found = {"version", "submission"}
    for template, operations in document["paths"].items():
        body = operations.get("post", {}).get("requestBody")
        if body and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            found |= document["components"]["schemas"][name]["properties"].keys()
    return found


def _close(response: HttpResponse) -> None:
    """Close a response, but not the connection to the database, as Django would after a request."""
    request_finished.disconnect(close_old_connections)
    try:
        response.close()
    finally:
        request_finished.connect(close_old_connections)


def _generic(client: Client, method: str) -> Callable[..., Any]:
    return lambda path, **sent: client.generic(method, path, **sent)


def _word(found: HttpResponse) -> str:
    if found.status_code not in (301, 302, 303):
        return str(found.status_code)
    try:
        there = resolve(found["Location"].partition("?")[0]).url_name or ""
    except Resolver404:
        there = ""
    return GUARDS.get(there, str(found.status_code))


def row(world: World, address: Address, method: str) -> tuple[str, ...]:
    """Return the answer to each kind of caller, in the order of ``CALLERS``."""
    path = world.path(address)
    found = {
        caller: answer(client, method, path, is_api=address.is_api)
        for caller, client in world.clients.items()
        if address.is_api or not caller.startswith("token-")
    }
    if not address.is_api:
        token = answer(world.all_scopes, method, path, is_api=False)
        found |= dict.fromkeys(TOKENS, SAME if token == found["anonymous"] else token)
    return tuple(found[caller] for caller in CALLERS)


def sample(address: Address, method: str, row: tuple[str, ...]) -> list[str]:
    """Return one caller, or two who are answered differently; the same ones each time.

    Neighbouring rows of the table get different ones. On pages tokens are left out.
    """
    callers = CALLERS if address.is_api else PEOPLE + RIGHTS
    first = zlib.crc32(f"{method} {address.route}".encode()) % len(callers)
    turned = callers[first:] + callers[:first]
    answers = dict(zip(CALLERS, row, strict=True))
    one = turned[0]
    others = [caller for caller in turned if answers[caller] != answers[one]]
    return [one, *others[:1]]


def line(route: str, method: str, answers: tuple[str, ...]) -> str:
    """Return a line of the table."""
    cells = (f"{text:<{max(len(name), 8)}}" for text, name in zip(answers, CALLERS, strict=True))
    return f"{route or '(home)':<70} {method:<6} {' '.join(cells)}".rstrip()


def table() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return what each caller is to be answered, by address and method."""
    found = {}
    for text in TABLE.read_text().splitlines():
        if text and not text.startswith("#"):
            route, method, *answers = text.split()
            found[route.replace("(home)", ""), method] = tuple(answers)
    return found
