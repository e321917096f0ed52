"""Parameters that a game refuses for a number of players, refused with its sentence everywhere."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from games.bots import services as bots
from games.bots.levels import LEVELS
from games.engine import Engine
from games.events import services as events
from games.events.models import Tournament
from games.kernel.errors import BadParams
from games.kernel.playthrough import Playthrough, differences
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import PRESETS
from games.records.rebuilding import check_facts
from tests.example_games.heap import TITLE

REFUSAL = "Only two or three can play at any time."
FREE = {"free": True}
FORM = {"seats": "4", "param-heap": "10", "param-free": "on"}
CHALLENGE = {"audience": "open", "seating": "random", "clock": "standard", "lifetime": "7"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return client


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/games/heap/challenge/", CHALLENGE),
        (
            "/events/new/heap/",
            {
                "name": "Cup", "format": "round-robin", "least": "4", "most": "8",
                "round_days": "21", "clock": "standard", "starts": "2099-01-01",
            },
        ),
        ("/games/heap/bots/", {"level": "casual"}),
        ("/games/heap/play/", {}),
        ("/games/heap/board/new/", {}),
    ],
)  # fmt: skip
def test_a_form_shows_the_sentence(ada, path, more):
    answer = ada.post(path, {**FORM, "rated": "", **more})
    assert answer.status_code in (200, 400, 422)
    assert REFUSAL in answer.content.decode()


def test_the_sentence_of_a_challenge_is_the_refusal_before_it_is_sent(ada):
    sent = {**FORM, **CHALLENGE, "sentence": ""}
    answer = ada.get("/games/heap/challenge/", sent)
    assert REFUSAL in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("challenges/", {"title": "heap", "params": FREE, "seats": 4}),
        (
            "boards/",
            {
                "name": "Lines",
                "tree": {
                    "game": "heap", "rules": 1, "seats": 4, "params": FREE,
                    "start": {"setup": []}, "nodes": [],
                },
            },
        ),
    ],
)  # fmt: skip
def test_the_api_answers_with_the_sentence(ada, path, data):
    data = {"submission": str(uuid4()), **data}
    answer = ada.post(f"/api/v1/{path}", data, content_type="application/json")
    assert answer.status_code == 422
    assert REFUSAL in answer.content.decode()


def test_services_refuse(people):
    now = timezone.now()
    wanted = {"title": "heap", "params": FREE, "seats": 4, "now": now}
    challenge = {**wanted, "creator": people[0], "clock": PRESETS["standard"]}
    with pytest.raises(BadParams, match=REFUSAL):
        lobby.challenge(**challenge, audience=Challenge.Audience.OPEN)
    with pytest.raises(BadParams, match=REFUSAL):
        bots.play(**wanted, user=people[0], level=LEVELS[0])
    with pytest.raises(BadParams, match=REFUSAL):
        events.create(
            **wanted,
            organiser=people[0],
            name="Cup",
            clock=PRESETS["standard"],
            format=Tournament.Format.ROUND_ROBIN,
            least=4,
            most=8,
            starts=now + timedelta(days=2),
            round_days=21,
        )


def test_files_and_the_engine_are_refused():
    with pytest.raises(BadParams, match=REFUSAL):
        check_facts({"players": [{}] * 4, "params": {"heap": 10, **FREE}}, TITLE)
    golden = Playthrough("", 4, FREE, (), (), {}, {}, "last", (1, 2, 3, 4))
    assert list(differences(TITLE, golden)) == [f"the match is refused: {REFUSAL}"]
    request = {"cmd": "new", "game": "heap", "seats": 4, "params": FREE}
    assert json.loads(Engine().answer(json.dumps(request)))["error"] == REFUSAL
