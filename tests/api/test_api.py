"""The programming interface: what it answers, whom it lets in, how it refuses."""

from uuid import uuid4

import pytest
from django.test import Client

from games.kernel import registry
from games.matches import services
from games.matches.models import Match
from tests.example_games import darts
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

ACTIONS = ("resign", "offer", "accept", "decline", "take-back", "cancel")


class Api:
    """The addresses of one match for one caller."""

    def __init__(self, match_driver, seat):
        self.client = match_driver.client(seat)
        self.root = f"/api/v1/matches/{match_driver.id}/"

    def get(self, path="", **query):
        return self.client.get(self.root + path, query)

    def post(self, path, **data):
        return self.client.post(self.root + path, data, content_type="application/json")


def move(*moves, version=0):
    return {"moves": list(moves), "version": version, "submission": str(uuid4())}


def change(version=0):
    return {"version": version, "submission": str(uuid4())}


@pytest.fixture
def ada(match_driver):
    return Api(match_driver, 0)


@pytest.fixture
def bruno(match_driver):
    return Api(match_driver, 1)


# --- Reading ------------------------------------------------------------------------------------


def test_games_with_their_parameters(client, db):
    found = {game["slug"]: game for game in client.get("/api/v1/games/").json()}
    assert found["die"]["title"] == "DIE"
    assert found["die"]["designer"] == "Mark Steere"
    assert (found["die"]["dice"], found["grim-reaper"]["dice"]) == (False, True)
    assert found["die"]["params"]["properties"]["size"]["default"] == 5


def test_a_match_as_the_caller_sees_it(match_driver, ada):
    match_driver.play("c3")
    found = ada.get().json()
    assert found["seat"] == 0
    assert found["to_move"] == [1]
    assert found["version"] == 1
    assert found["view"]["rows"] == ["...", "....", "..r..", "....", "..."]
    assert [player["name"] for player in found["players"]] == ["ada", "bruno"]
    assert found["players"][1]["deadline"] is not None
    assert found["result"] is None
    assert Api(match_driver, None).get().json()["seat"] is None
    match_driver.act(services.resign, 1)
    assert ada.get().json()["result"] == [1, 2]


def test_hidden_things_are_hidden(client, play):
    play.move(0, "peek")
    for user in (None, play.people[1]):
        if user:
            client.force_login(user)
        assert client.get(f"/api/v1/matches/{play.id}/").json()["view"]["peeked"] == ["??", 0]
        (line,) = client.get(f"/api/v1/matches/{play.id}/log/").json()
        assert (line["text"], line["sentences"]) == ("??", [])


def test_the_log_in_words(match_driver, ada):
    match_driver.play("c3")
    match_driver.act(services.take_back, 0)
    first, second = ada.get("log/").json()
    assert (first["text"], first["sentences"], first["taken_back"]) == (
        "c3",
        ["You place a stone on c3."],
        True,
    )
    assert (second["kind"], second["undoes"]) == ("take-back", 1)


def test_options_go_on_from_what_is_typed(ada):
    found = ada.get("options/", typed="c").json()
    assert found["complete"] is False
    assert found["prompt"]
    assert found["next"][0] == {"text": "1", "label": "c1", "marks": ["c1"]}
    assert ada.get("options/", typed="c3").json() == {
        "complete": True,
        "prompt": found["prompt"],
        "next": [],
    }


def test_options_may_be_numbers(monkeypatch, people):
    monkeypatch.setattr(registry, "titles", lambda: {"darts": darts.TITLE})
    found = Api(begin("darts", people), 0).get("options/", typed="high ").json()
    option = {"range": [0, 10, 0.5], "format": "{:.1f}", "label": "How hard?"}
    assert found["next"] == [{**option, "examples": ["0.0", "5.0", "10.0"]}]


def test_a_preview_tells_and_changes_nothing(match_driver, ada):
    found = ada.get("preview/", move="C3").json()
    assert found == {"moves": ["c3"], "sentences": ["You place a stone on c3."], "goes_on": False}
    assert match_driver.match.version == 0


def test_a_random_move_is_drawn_and_not_played(match_driver, ada, bruno):
    first = ada.get("random/", seed="s").json()
    assert (first["version"], first["seed"]) == (0, "s")
    assert ada.get("random/", seed="s").json() == first
    assert len({ada.get("random/", seed=seed).json()["move"] for seed in range(20)}) > 5
    unnamed = ada.get("random/").json()
    assert ada.get("random/", seed=unnamed["seed"]).json() == unnamed
    assert match_driver.match.version == 0
    assert ada.post("moves/", **move(first["move"])).status_code == 200
    assert ada.get("random/").json()["code"] == "not-your-turn"
    assert bruno.get("random/", seed="s" * 101).json()["code"] == "invalid"
    assert Api(match_driver, 2).get("random/").json()["code"] == "not-a-player"


def test_how_many_matches_wait(match_driver, client):
    assert client.get("/api/v1/waiting/").json() == {"count": 0, "unseen": 0}
    assert match_driver.client(0).get("/api/v1/waiting/").json()["count"] == 1
    assert match_driver.client(1).get("/api/v1/waiting/").json()["count"] == 0


# --- Changing -----------------------------------------------------------------------------------


def test_a_move_is_played_once(match_driver, ada):
    sent = move("C3")
    assert ada.post("moves/", **sent).json() == {"version": 1, "repeated": False}
    assert ada.post("moves/", **sent).json() == {"version": 1, "repeated": True}
    assert match_driver.match.version == 1


def test_actions(match_driver, ada, bruno):
    assert ada.post("offer/", **change()).status_code == 200
    assert bruno.post("accept/", **change(1)).json()["version"] == 2
    assert match_driver.match.ending == "closed"


# --- Refusing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["options/", "preview/"])
def test_entering_moves_is_for_who_is_signed_in_and_plays(match_driver, path):
    assert Api(match_driver, None).get(path).status_code == 401
    refused = Api(match_driver, 2).get(path)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-a-player")
    refused = Api(match_driver, 1).get(path)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-turn")


@pytest.mark.parametrize("path", ["moves/", *(f"{action}/" for action in ACTIONS)])
def test_changes_are_for_players_with_their_token(match_driver, path):
    sent = move("c3") if path == "moves/" else change()
    nobody = Api(match_driver, None).post(path, **sent)
    assert (nobody.status_code, nobody.json()["code"]) == (401, "not_authenticated")
    assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
    other = Api(match_driver, 2).post(path, **sent)
    assert (other.status_code, other.json()["code"]) == (403, "not-a-player")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(match_driver.people[0])
    address = f"/api/v1/matches/{match_driver.id}/{path}"
    forged = strict.post(address, sent, content_type="application/json")
    assert (forged.status_code, forged.json()["code"]) == (403, "permission_denied")
    assert strict.get(address).status_code == 405
    assert match_driver.match.version == 0


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"moves": ["zz"]}, 422, "malformed"),
        ({"moves": ["c3", "c3"]}, 403, "not-your-turn"),
        ({"version": 7}, 409, "stale"),
        ({"version": -1}, 400, "invalid"),
        ({"version": None}, 400, "invalid"),
        ({"submission": "x"}, 400, "invalid"),
        ({"moves": []}, 400, "invalid"),
        ({"moves": "c3"}, 400, "invalid"),
        ({"moves": ["c3"] * 21}, 400, "invalid"),
        ({"moves": ["c" * 1001]}, 400, "invalid"),
        ({"moves": ["c3\0"]}, 400, "invalid"),
        ({"moves": [None]}, 400, "invalid"),
        ({"moves": [{}]}, 400, "invalid"),
    ],
)
def test_a_wrong_move_is_refused_with_a_code(match_driver, ada, sent, status, code):
    refused = ada.post("moves/", **{**move("c3"), **sent})
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.json()["detail"]
    assert match_driver.match.version == 0


def test_the_rule_that_forbids_is_named(match_driver, ada):
    match_driver.play("c3", "a1")
    refused = ada.post("moves/", **move("c3", version=2))
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal")
    assert "c3" in refused.json()["detail"]


@pytest.mark.parametrize("body", ["", "{", "[]", '"c3"', "null", "[" * 100_000])
def test_a_body_that_is_no_form_is_refused(match_driver, body):
    address = f"/api/v1/matches/{match_driver.id}/moves/"
    refused = match_driver.client(0).post(address, body, content_type="application/json")
    assert refused.status_code == 400
    assert set(refused.json()) >= {"type", "title", "status", "detail", "code"}
    assert refused.headers["Content-Type"] == "application/problem+json"


def test_a_match_that_is_not_there(client, db):
    for path in ("", "log/"):
        refused = client.get(f"/api/v1/matches/5/{path}")
        assert (refused.status_code, refused.json()["code"]) == (404, "no-such-match")


def test_who_sends_too_fast_waits(match_driver, ada, monkeypatch):
    monkeypatch.setattr("games.api.throttles.ChangeThrottle.rate", "2/min", raising=False)
    answers = [ada.post("resign/", **change(9)) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [409, 409, 429]
    assert answers[-1].json()["code"] == "throttled"
    assert answers[0].headers["RateLimit-Policy"] == '"change";q=2;w=60'
    left = [answer.headers["RateLimit"].partition(";t=")[0] for answer in answers]
    assert left == ['"change";r=1', '"change";r=0', '"change";r=0']
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60


def test_moves_have_a_limit_of_their_own(match_driver, ada, monkeypatch):
    monkeypatch.setattr("games.api.throttles.ChangeThrottle.rate", "1/min", raising=False)
    answers = [ada.post("moves/", **move("c3", version=9)) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [409, 409, 409]
    assert answers[0].headers["RateLimit-Policy"] == '"move";q=1500;w=60'
    monkeypatch.setattr("games.api.throttles.MoveThrottle.rate", "3/min", raising=False)
    assert ada.post("moves/", **move("c3", version=9)).status_code == 429


# --- What was seen already ----------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "log/", "record/"])
def test_what_was_seen_is_not_sent_again_until_it_changes(match_driver, ada, path):
    first = ada.get(path)
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))
    again = ada.client.get(ada.root + path, headers={"If-None-Match": f'"x", W/{tag}'})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    match_driver.act(services.offer_close, 0)
    changed = ada.client.get(ada.root + path, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag


def test_each_viewer_has_tags_of_their_own(match_driver, ada, bruno):
    tags = {api.get().headers["ETag"] for api in (ada, bruno, Api(match_driver, None))}
    assert len(tags) == 3


def test_clocks_that_are_shifted_change_the_tag(match_driver, ada):
    tag = ada.get().headers["ETag"]
    Match.objects.filter(pk=match_driver.id).update(clock_epoch=7)
    assert ada.get().headers["ETag"] != tag


def test_an_address_that_is_none_says_so_as_a_problem(client, db):
    for rest in ("nowhere/", "no%0Awhere/", "games/no%0Agame/statistics/"):
        missing = client.get(f"/api/v1/{rest}")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert client.get("/api/v1/games").status_code == 301


def test_methods_that_an_address_does_not_know_are_405(ada):
    for method in ("put", "patch", "delete", "options", "trace"):
        refused = getattr(ada.client, method)(ada.root)
        assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")


def test_a_problem_names_its_fields(match_driver, ada):
    told = ada.post("moves/", moves=["c3", 5.5, {}], version=-1).json()
    assert set(told["errors"]) == {"moves.2", "version", "submission"}
    assert told["type"] == "/api/v1/#invalid"


def test_the_reference_shows_every_address_shape_and_problem(client, db):
    page = client.get("/api/v1/").content.decode()
    found = client.get("/api/v1/openapi.json").json()
    for name in (*found["paths"], *found["components"]["schemas"]):
        assert name in page or name.endswith("Enum")
    assert 'id="stale"' in page


# --- Addresses, names and other sites -----------------------------------------------------------


def test_a_post_without_the_slash_keeps_its_method(match_driver, client, settings):
    for debug in (False, True):
        settings.DEBUG = debug
        answer = client.post("/api/v1/challenges?x=1", {}, content_type="application/json")
        assert (answer.status_code, answer.headers["Location"]) == (308, "/api/v1/challenges/?x=1")
    followed = match_driver.client(0).post(
        f"/api/v1/matches/{match_driver.id}/moves",
        move("c3"),
        content_type="application/json",
        follow=True,
    )
    assert followed.json()["version"] == 1
    assert client.post("/nowhere", {}).status_code == 404


def test_a_missing_slash_does_not_lead_to_another_site(client, db):
    answer = client.post("//elsewhere.example/api/v1/challenges", {})
    assert not answer.headers.get("Location", "/").startswith("//")


def test_title_is_the_slug_and_names_are_called_names(match_driver, client):
    games = client.get("/api/v1/games/").json()
    (die,) = (game for game in games if game["slug"] == "die")
    # The old field stays for a release.
    assert (die["name"], die["title"]) == ("DIE", "DIE")
    for path in ("", "record/"):
        match = client.get(f"/api/v1/matches/{match_driver.id}/{path}").json()
        assert match["title"] == "die"


def test_pages_of_other_sites_read_what_is_public_and_nothing_else(match_driver, client):
    origin = {"Origin": "https://elsewhere.example"}
    for path in (
        "games/",
        "matches/",
        f"matches/{match_driver.id}/",
        f"matches/{match_driver.id}/record/",
        "matches/77/",
        "players/ada/",
        "openapi.json",
        "record.schema.json",
    ):
        answer = client.get(f"/api/v1/{path}", headers=origin)
        assert answer.headers["Access-Control-Allow-Origin"] == "*", path
        assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "ETag" in client.get("/api/v1/games/").headers["Access-Control-Expose-Headers"]
    own = match_driver.client(0)
    for path in ("me/", "notices/", f"matches/{match_driver.id}/chat/"):
        answer = own.get(f"/api/v1/{path}", headers=origin)
        assert answer.status_code == 200
        assert "Access-Control-Allow-Origin" not in answer.headers, path
    made = own.post("/api/v1/challenges/", {}, content_type="application/json", headers=origin)
    assert "Access-Control-Allow-Origin" not in made.headers
    asked = {**origin, "Access-Control-Request-Method": "POST"}
    preflight = client.options("/api/v1/challenges/", headers=asked)
    assert preflight.status_code == 405
    assert "Access-Control-Allow-Origin" not in preflight.headers
