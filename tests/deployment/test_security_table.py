"""What docs/security.md names is there, and its bounds are those of the code."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from accounts import passwords
from accounts.delivery import pace, push
from config import middleware, process
from config.server import application, turns
from games.bots import services as bots
from games.events import services as events
from games.http import paging
from games.live import consumers
from games.mail import reading as mail
from games.mail import server as mail_server
from games.matches.models import Checkpoint
from games.matches.play import move_input
from games.matches.view import cards, pictures
from games.records import animations, reading
from games.study import addresses, reviews, tree
from games.study import services as boards
from games.talk import models as talk
from games.web.imported import LARGEST_UPLOAD

ROOT = Path(settings.BASE_DIR)
TEXT = (ROOT / "docs/security.md").read_text()

KINDS = "api|browser|contract|deployment|flow|kernel|live|web"
TEST = re.compile(rf"(?<![\w/`])({KINDS})/(\w+)")
NAMED = re.compile(r"`([^`\n]+)`")


def test_the_tests_that_are_named_are_there():
    named = TEST.findall(TEXT)
    assert len(named) > 100
    files = [f"tests/{kind}/test_{name}.py" for kind, name in named]
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_files_that_are_named_are_there():
    paths = filter(re.compile(r"\S+/\S*\.\w+|\S+\.lock").fullmatch, NAMED.findall(TEXT))
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    missing = [path for path in paths if not (ROOT / path).exists()]
    missing += [link for link in links if not (ROOT / "docs" / link).exists()]
    assert missing == []


def test_settings_that_are_named_are_there():
    code = "".join(file.read_text() for file in (ROOT / "config/settings").glob("*.py"))
    names = set(filter(re.compile("[A-Z][A-Z_]{4,}").fullmatch, NAMED.findall(TEXT)))
    assert {"FORM_LIMITS", "SECRET_KEY"} <= names
    assert [name for name in sorted(names) if name not in code] == []


def test_chapters_of_other_pages_that_are_named_are_there():
    running = (ROOT / "docs/running.md").read_text()
    for chapter in re.findall(r"running\.md\), \*([^*]+)\*", TEXT):
        assert f"## {chapter}\n" in running


RATES = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
LIMITS = settings.FORM_LIMITS
KB, MB = 1024, 1024 * 1024

BOUNDS = [
    ("a body of {} MB", middleware.LARGEST_BODY // MB),
    ("{} fields", settings.DATA_UPLOAD_MAX_NUMBER_FIELDS),
    ("{} files", settings.DATA_UPLOAD_MAX_NUMBER_FILES),
    ("{} in progress, more are 429", settings.CLIENT_CONNECTIONS),
    ("on {} request of a client at a time", "one" * (application.SHARE == 100)),
    ("After {} seconds of work", int(turns.BURST)),
    ("they get {} of the time", "half" * (turns.SHARE == 0.5)),
    ("A query may take {} seconds", process.WEB.statement),
    ("and {} for a lock", process.WEB.lock),
    ("scans {} rows", paging.MAX_SCANNED_ROWS),
    ("stored every {} entries", Checkpoint.EVERY),
    ("{} players and", max(events.MAX_PLAYERS.values())),
    ("and {} rounds", events.MAX_ROUNDS),
    ("{} moves of", move_input.MAX_MOVES),
    ("moves of {} characters", move_input.MAX_MOVE_LENGTH),
    ("in an address {} characters", addresses.MAX_LENGTH),
    ("{} kB unpacked", addresses.MAX_BYTES // 1000),
    ("unpacked, {} moves", addresses.MAX_MOVES),
    ("saved {} moves", tree.MAX_NODES),
    ("moves and {} kB", boards.MAX_BYTES // 1000),
    ("{} boards each", boards.MAX_STUDIES),
    ("PNG up to {} pixels wide", cards.WIDTH),
    ("{} PNGs a minute", int(LIMITS["picture"]["account"][0].removesuffix("/m"))),
    ("in {} s at most", int(pictures.TIMEOUT)),
    ("{} requests a minute for visitors", int(RATES["anon"].removesuffix("/min"))),
    ("{} for accounts", int(RATES["user"].removesuffix("/min"))),
    ("of these {} changes", int(RATES["change"].removesuffix("/min"))),
    ("{} submissions of moves", int(RATES["move"].removesuffix("/min"))),
    ("{} an hour | as streams", int(LIMITS["records"]["account"][0].removesuffix("/h"))),
    ("{} characters to the site", consumers.MAX_MOVE_MESSAGE_LENGTH),
    ("a burst of {} messages", consumers.BURST),
    ("then {} a second", int(consumers.REFILL_PER_SECOND)),
    ("{} MB in a form", LARGEST_UPLOAD // 1_000_000),
    ("{} entries, 300,000", reading.MAX_ENTRIES),
    ("{} levels, counted", reading.MAX_DEPTH),
    ("{} frames", animations.MAX_FRAMES),
    ("frames; {} entries", reviews.MAX_ENTRIES),
    ("{} matches with bots for an account", bots.MAX_RUNNING),
    ("{} for a guest", bots.MAX_RUNNING_OF_A_GUEST),
    ("{} characters a line", talk.MAX_LINE_LENGTH),
    ("{} a note", talk.MAX_NOTE_LENGTH),
    ("the strength of {} characters", passwords.MAX_CHECKED_LENGTH),
    ("| {} kB, 64", mail_server.MAX_MAIL_SIZE // KB),
    ("{} kB of headers, 50", mail.MAX_HEAD_SIZE // KB),
    ("{} parts", mail.MAX_PARTS),
    ("{} connections of 5 MB", mail_server.MAX_CONNECTIONS),
    ("{} mails an hour to a person", pace.MAX_PER_HOUR),
    ("{} browsers", push.MAX_DEVICES),
    ("{} s, then ended", settings.CELERY_TASK_SOFT_TIME_LIMIT),
    ("{} connections a process", process.WORKER.connections),
]


@pytest.mark.parametrize(("phrase", "bound"), BOUNDS)
def test_bounds_are_those_of_the_code(phrase, bound):
    number = f"{bound:,}" if isinstance(bound, int) else bound
    assert phrase.format(number) in TEXT.partition("## What a request may cost")[2]
