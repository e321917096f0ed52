"""All that one person can get from the site about a match, through every interface there is."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid5

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import notifications
from accounts.delivery import feeds
from accounts.delivery.models import FeedAddress
from accounts.models import Notification, User
from accounts.services import create_user
from games.api.news import MatchNews, OwnNews, SignIn
from games.engine import Engine
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.dice import CommittedDice, RecordedDice
from games.kernel.errors import GameError
from games.matches import selectors, services, tasks
from games.matches.clock import PRESETS
from games.matches.log import log_entries
from games.matches.models import LogEntry, Match
from games.matches.notify import push
from games.matches.services import Participant
from games.matches.view import thumbnails
from games.screen import match_parts, rules
from games.screen.entry import NOTHING_TYPED, Typed
from games.study.addresses import pack
from games.study.tree import Start, Tree
from tests.contract.equivalence import probes, some_marks
from tests.contract.scenarios import Pair, World
from tests.people import sign_in_staff
from tests.replaced_parts import with_parts
from tests.responses import lasting, without_tokens

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
PACE = timedelta(hours=2)
NAMESPACE = UUID(int=7)
HEADERS = (
    "Content-Type",
    "Location",
    "ETag",
    "Last-Modified",
    "Cache-Control",
    "Content-Disposition",
)

Seen = dict[str, Any]
Look = tuple[str, Callable[[], Any]]
"""What is looked at, and what does so."""


class Records(logging.Handler):
    """All that is logged, at any level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class House:
    """The site with a game in it, and people who look at a match of it."""

    def __init__(
        self, title: AnyGame, monkeypatch: pytest.MonkeyPatch, parts: Sequence[str] = ("",)
    ) -> None:
        """Only that is looked at whose name has one of ``parts`` in it: by default all."""
        self.title = title
        self.parts = parts
        self._patch = monkeypatch
        most = title.meta.seats[1]
        self.players = [_person(f"player{seat}") for seat in range(most)]
        self.stranger = _person("stranger")
        self.chief = User.objects.create_superuser(username="chief", email="chief@example.org")
        self.now = BEGIN
        monkeypatch.setattr(timezone, "now", lambda: self.now)
        # Mails say where they are answered, and with what.
        monkeypatch.setattr(settings, "REPLY_DOMAIN", "play.example.org")
        # A process reads the introduction once, so only the first world would log how.
        if title.meta.slug in registry.titles():
            rules.brief(title.meta.slug)
            rules.pictures(title.meta.slug)

    def differences(self, pair: Pair) -> list[str]:
        """Return the names of all that tells the worlds of a pair apart."""
        *_, (last, _told) = pair.replay(pair.scenarios[0])
        tries = probes(self.title, last, pair.viewer)
        here, there = (self.visit(pair, world, tries) for world in pair.scenarios)
        assert here.keys() == there.keys()
        return [name for name in here if here[name] != there[name]]

    def visit(self, pair: Pair, world: World, tries: Sequence[str]) -> Seen:
        """Play what happens in a world, and return all that the viewer gets to see of it.

        ``tries`` are what the viewer types, if it is the viewer's turn.
        """
        cache.clear()
        _restart_ids()
        self.now = BEGIN
        with _for_a_moment(), _logged() as logged:
            seen = self._play(pair, world)
            for name, look in self._looks(pair, seen.pop("match"), tries):
                if any(part in name for part in self.parts):
                    seen[name] = look()
            seen["log lines of the site"] = logged.lines
        return seen

    # --- What happens ---------------------------------------------------------------------------

    def _play(self, pair: Pair, world: World) -> Seen:
        start = pair.load(world.start)
        shelf = {self.title.meta.slug: with_parts(self.title, setup=lambda *_: start)}
        self._patch.setattr(registry, "titles", lambda: shelf)
        pushed: list[Any] = []
        self._patch.setattr(push, "_send", pushed.append)
        self._patch.setattr(tasks.plan_runs, "put", pushed.append)
        with TestCase.captureOnCommitCallbacks(execute=True):
            match = self._begin(pair)
            for number, step in enumerate(world.steps):
                self.now = BEGIN + PACE * (number + 1)
                self._take(match, number, step)
        self._patch.setattr(selectors.MatchSnapshot, "dice", lambda _: CommittedDice(b"probe"))
        return {"match": match, "pushes": list(map(_undated, pushed))}

    def _begin(self, pair: Pair) -> int:
        return services.start(
            title=self.title.meta.slug,
            params=pair.params,
            clock=PRESETS["standard"],
            secret=b"s" * 32,
            participants=[Participant(user, b"n" * 32) for user in self.players[: pair.seats]],
            last_joiner=self.players[0],
            now=self.now,
        ).pk

    def _take(self, match: int, number: int, step: Any) -> None:
        self._patch.setattr(selectors.MatchSnapshot, "dice", lambda _: RecordedDice(step.chance))
        what = {"texts": [step.text]} if step.kind == "play" else {}
        service = services.play_move if step.kind == "play" else services.resign
        service(
            match_id=match,
            user=self.players[step.seat],
            version=number,
            submission=uuid5(NAMESPACE, str(number)),
            now=self.now,
            **what,
        )

    # --- What is seen ---------------------------------------------------------------------------

    def _looks(self, pair: Pair, match: int, tries: Sequence[str]) -> Iterator[Look]:
        """Yield what to look at, one by one: each look is taken before the next is prepared."""
        at = selectors.snapshot(match)
        assert at.match.is_running
        if pair.viewer is None:
            yield from self._pages("anybody", Client(), pair, match)
            yield "stream to anybody", partial(_stream, AnonymousUser(), match)
            yield "parts pushed to anybody", partial(_pushed, match, None)
            yield from self._pages("stranger", self._client(self.stranger), pair, match)
            yield from self._admin(match)
        else:
            user = self.players[pair.viewer]
            client = self._client(user)
            yield from self._pages("player", client, pair, match)
            yield "parts pushed to a player", partial(_pushed, match, user.pk)
            yield "stream to a player", partial(_stream, user, match, client.session.session_key)
            yield from self._entry(client, match, tries)
            yield from self._guesses(client, pair)
            yield from _steps(user.pk, match, tries)
            yield from self._notices(client, user)
        yield from self._engine(pair, at, tries)

    def _client(self, user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    def _pages(self, who: str, client: Client, pair: Pair, match: int) -> Iterator[Look]:
        page, api = f"/matches/{match}/", f"/api/v1/matches/{match}/"
        at = Match.objects.get(pk=match)
        version, look = at.version, thumbnails.look_of(at)
        paths = [page, f"{page}?part=live", f"{page}?part=entry", f"{page}?ask=resign"]
        paths += [f"{page}plan/", f"{page}plan/?part=entry"]
        paths += [f"{page}export.json", f"{page}export.txt", f"{page}{version}/board.png"]
        paths += [f"{page}{version}/card.png"]
        themes = ("light", "dark")
        paths += [f"{page}{version}/thumbnail-{theme}.{look}.svg" for theme in themes]
        for number in range(version + 1):
            paths += [f"{page}{number}/", f"{page}{number}/?part=record"]
            paths += [f"{page}{number}/board.svg?theme={theme}" for theme in themes]
        paths += [
            "/",
            "/archive/?status=running",
            f"/games/{self.title.meta.slug}/",
            "/lobby/",
            "/home/",
        ]
        paths += [f"/players/{player.username}/" for player in self.players[: pair.seats]]
        paths += [
            api,
            f"{api}log/",
            f"{api}options/",
            f"{api}random/?seed=s",
            f"{api}private/",
            f"{api}board/",
            f"{page}board/",
            f"{page}board/0/",
            "/api/v1/waiting/",
        ]
        paths += [f"{api}record/", "/api/v1/matches/", "/api/v1/matches/?waiting=1"]
        paths += ["/api/v1/notices/"]
        for path in paths:
            yield f"{who}: {path}", partial(_got, client, path)

    def _entry(self, client: Client, match: int, tries: Sequence[str]) -> Iterator[Look]:
        """Yield what comes of typing, and of sending two moves at once, which is not let stand."""
        page, api = f"/matches/{match}/", f"/api/v1/matches/{match}/"
        for text in tries:
            yield f"typed: {text}", partial(_got, client, page, {"typed": text, "part": "entry"})
            yield f"options: {text}", partial(_got, client, f"{api}options/", {"typed": text})
            yield f"preview: {text}", partial(_got, client, f"{api}preview/", {"move": text})
        for two in pairwise(tries[1:]):
            yield f"preview: {two}", partial(_got, client, f"{api}preview/", {"move": two})
            yield f"sent: {two}", partial(self._send_two, client, match, *two)

    def _send_two(self, client: Client, match: int, *moves: str) -> Any:
        form = {
            "moves": list(moves),
            "version": Match.objects.get(pk=match).version,
            "submission": str(uuid5(NAMESPACE, "probe")),
        }
        cache.clear()
        with _for_a_moment():
            path = f"/api/v1/matches/{match}/moves/"
            return _answer(client.post(path, form, content_type="application/json"))

    def _guesses(self, client: Client, pair: Pair) -> Iterator[Look]:
        """Yield what boards and the expert say of whole positions, of which one is true."""
        game = f"games/{self.title.meta.slug}"
        for number, world in enumerate(pair.scenarios):
            *_, (last, _told) = pair.replay(world)
            position = self.title.dump(last)
            asked = {"seats": pair.seats, "params": dict(pair.params), "position": position}
            yield (
                f"expert: guess {number}",
                partial(_refused, client, f"/api/v1/{game}/expert/", asked),
            )
            start = Start(position=position)
            rules = self.title.meta.rules_version
            tree = Tree(self.title.meta.slug, rules, pair.seats, pair.params, start)
            packed, at = pack(tree)
            board = f"/{game}/board/{packed}/{at}/"
            yield f"board: guess {number}", partial(_got, client, board)
            yield f"editor: guess {number}", partial(_got, client, f"{board}edit/")

    def _notices(self, client: Client, user: User) -> Iterator[Look]:
        for number, notification in enumerate(
            Notification.objects.filter(recipient=user).order_by("pk")
        ):
            kind = notification.kind
            yield f"letter {number}: {kind}", partial(notifications.render, notification)
            yield f"summary {number}: {kind}", partial(notifications.summary, notification)
        yield "notifications", partial(_got, client, reverse("notifications"))
        FeedAddress.objects.update_or_create(user=user, defaults={"nonce": "n", "created": BEGIN})
        for feed in ("feed-events", "feed-deadlines"):
            yield feed, partial(_got, Client(), reverse(feed, args=[feeds.token(user)]))

    def _admin(self, match: int) -> Iterator[Look]:
        client = Client()
        sign_in_staff(client, self.chief)
        paths = [
            reverse("admin:match_match_changelist"),
            reverse("admin:match_logentry_changelist"),
        ]
        paths.append(reverse("admin:match_match_change", args=[match]))
        paths.append(reverse("admin:match_match_history", args=[match]))
        entries = LogEntry.objects.filter(match=match).values_list("pk", flat=True)
        paths += [reverse("admin:match_logentry_change", args=[pk]) for pk in entries]
        for path in paths:
            yield f"admin: {path}", partial(_got, client, path)

    def _engine(self, pair: Pair, at: Any, tries: Sequence[str]) -> Iterator[Look]:
        """Yield what the engine tells and shows a seat; its other answers hide nothing."""
        engine, position = Engine(), self.title.dump(at.state)
        facts = {"game": self.title.meta.slug, "seats": pair.seats, "params": dict(pair.params)}
        engine.handle({"cmd": "load", **facts, "position": position})
        for cmd in ("view", "svg", "story"):
            yield f"engine: {cmd}", partial(engine.handle, {"cmd": cmd, "seat": pair.viewer})
        asked = {"cmd": "random", "seat": pair.viewer, "seed": "s"}
        yield "engine: random", partial(_told, engine, asked)
        for text in tries:
            asked = {"cmd": "options", "seat": pair.viewer, "partial": text}
            yield f"engine: {text}", partial(_told, engine, asked)


def _told(engine: Engine, asked: dict[str, Any]) -> Any:
    """Return what the engine answers, or why it refuses."""
    try:
        return engine.handle(asked)
    except GameError as error:
        return str(error)


def _stream(user: Any, match: int, session_key: str | None = None) -> Any:
    """Return what streams begin with: that of the match, and that of a player's own matches."""
    sign_in = SignIn(user, None, session_key)
    own = OwnNews(sign_in, user, "s").take() if user.is_authenticated else []
    return [*MatchNews(sign_in, match, 0, "s").take(), *own]


def _undated(messages: Mapping[Any, Any]) -> Any:
    """Return what was pushed without the moments at which it was sent."""
    return {
        to: {k: v for k, v in said.items() if k != "sent"} if isinstance(said, dict) else said
        for to, said in messages.items()
    }


def _person(name: str) -> User:
    return create_user(username=name, email=f"{name}@example.org", password=None, confirmed=True)


def _page(match: int, user_id: int | None, typed: Typed) -> Any:
    at = selectors.snapshot(match)
    return match_parts.page_for(at, log_entries.recent(at.match), user_id, typed, {})


def _pushed(match: int, user_id: int | None, typed: Typed = NOTHING_TYPED) -> Any:
    """Return the parts of a page that are pushed to a user, or to spectators."""
    at = selectors.snapshot(match)
    found = match_parts.parts_of(at, log_entries.recent(at.match), user_id, typed)
    parts = {name: without_tokens(text) for name, text in found.parts.items()}
    return found.version, found.epoch, parts, found.targets


def _steps(user_id: int, match: int, tries: Sequence[str]) -> Iterator[Look]:
    """Yield what comes of typing over the socket, and of asking why marks lead nowhere."""
    for text in tries:
        typed = Typed(words=(text,))
        yield f"entered: {text}", partial(_with_queries, _pushed, match, user_id, typed)
        yield f"explained: {text}", partial(_with_queries, _explained, match, user_id, typed)


def _with_queries(look: Callable[..., Any], *what: Any) -> tuple[Any, list[str]]:
    """Return what is seen, and the queries that it takes."""
    connection.queries_log.clear()  # it holds so many and no more
    with CaptureQueriesContext(connection) as queries:
        seen = look(*what)
    return seen, [query["sql"] for query in queries]


def _explained(match: int, user_id: int, typed: Typed) -> list[str]:
    """Return why some marks of the board lead nowhere, and one that is not there."""
    page = _page(match, user_id, typed)
    names = some_marks(page.entered.board.drawing) if page else []
    at = selectors.snapshot(match)
    return [match_parts.explain(at, user_id, typed, name) for name in (*names, "x")]


def _got(client: Client, path: str, query: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
    return _answer(client.get(path, query))


def _refused(client: Client, path: str, body: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the answer of the expert, who refuses positions of a running match of one's own."""
    with _for_a_moment():
        answer = client.post(path, body, content_type="application/json")
        assert answer.status_code == HTTPStatus.CONFLICT, answer.content
        return _answer(answer)


def _answer(response: Any) -> tuple[Any, ...]:
    """Return everything of an answer but its tokens."""
    headers = tuple(response.headers.get(name) for name in HEADERS)
    if response.streaming or response["Content-Type"].startswith("image/png"):
        return response.status_code, headers, bytes(response.content)
    return response.status_code, headers, lasting(response)


def _restart_ids() -> None:
    """Number rows from where the tables end: PostgreSQL does not undo that with a transaction."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)


@contextmanager
def _for_a_moment() -> Iterator[None]:
    """Let nothing of what happens stand."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def _logged() -> Iterator[Records]:
    records, root = Records(), logging.getLogger()
    level = root.level
    root.addHandler(records)
    root.setLevel(logging.DEBUG)
    try:
        yield records
    finally:
        root.removeHandler(records)
        root.setLevel(level)
