"""Events: what is hidden stays with its owners until the end."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from msgspec import field, structs

from games.kernel.contract import (
    UNNAMED,
    Ended,
    Event,
    Meta,
    OpenGame,
    Seat,
    SecretEvent,
    SecretGame,
    TurnEnded,
)
from games.kernel.errors import BrokenEvent
from games.kernel.two_players import TwoPlayers
from games.kernel.views import HIDDEN
from tests.example_games.darts import META


class Dealt(SecretEvent, frozen=True, tag="deal"):
    secret = {"cards": (HIDDEN, HIDDEN)}

    count: int
    cards: tuple[str, ...]


class Left(Event, frozen=True, tag="leave"):
    at: str = field(name="from", default="")


DEAL = Dealt(Seat(1), 2, ("KS", "7H"), owners=(Seat(1), Seat(2)))
BLIND = Dealt(Seat(1), 2, (HIDDEN, HIDDEN), owners=())
OPEN = Dealt(Seat(1), 2, ("KS", "7H"), owners=())


def test_only_owners_see_what_is_hidden_before_the_end():
    assert [DEAL.seen_by(viewer) for viewer in (None, 0, 1, 2)] == [BLIND, BLIND, OPEN, OPEN]
    assert [DEAL.seen_by(viewer, over=True) for viewer in (None, 0, 1)] == [OPEN] * 3


def test_seat_0_is_a_seat_and_a_spectator_is_none():
    own = structs.replace(DEAL, owners=(Seat(0),))
    assert own.seen_by(Seat(0)).cards == ("KS", "7H")
    assert own.seen_by(None).cards == (HIDDEN, HIDDEN)


def test_what_is_seen_holds_nothing_more_to_see():
    assert DEAL.seen_by(Seat(0)).seen_by(Seat(1)) == BLIND


def test_nobody_can_forget_to_say_who_owns_a_secret():
    with pytest.raises(TypeError, match="owners"):
        Dealt(Seat(1), 2, ("KS", "7H"))


def test_events_as_json_and_back():
    assert DEAL.dump() == {
        "type": "deal",
        "seat": 1,
        "count": 2,
        "cards": [HIDDEN, HIDDEN],
        "hidden": {"owners": [1, 2], "cards": ["KS", "7H"]},
    }
    assert Left(at="a1").dump() == {"type": "leave", "seat": None, "from": "a1"}
    for event in (DEAL, BLIND, OPEN, TurnEnded(Seat(1)), Ended(ending="closed", ranks=(1, 1))):
        assert type(event).load(event.dump()) == event


def test_only_the_secrets_that_an_event_declares_are_read_from_what_was_hidden():
    stored = DEAL.dump()
    assert Dealt.load({**stored, "hidden": {**stored["hidden"], "count": 3}}) == DEAL
    assert Left.load({"type": "leave", "seat": 0, "hidden": {"owners": [0], "from": "a1"}}).at == ""


def test_a_game_reads_the_events_it_declares_and_those_of_every_game():
    game = Counting()
    assert game.read_event({"type": "turn", "seat": 1}) == TurnEnded(Seat(1))
    assert game.read_event(DEAL.dump()) == DEAL
    fields = {"seat": 1, "count": 2, "cards": ["KS", "7H"]}
    assert game.read_event({"type": "deal", **fields}) == OPEN
    for broken in ({"type": "laid"}, {"type": "deal", **fields, "cards": 5}, {}, {"type": []}, []):
        with pytest.raises(BrokenEvent):
            game.read_event(broken)


def test_what_is_said_of_a_broken_event_quotes_nothing_of_it():
    stored = DEAL.dump()
    with pytest.raises(BrokenEvent) as refused:
        Counting().read_event({**stored, "hidden": {**stored["hidden"], "cards": "KS"}})
    assert "KS" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_an_unnamed_designer_is_still_somebody_by_whom_a_game_is():
    facts = {"slug": "x", "name": "X", "year": None, "summary": "", "seats": (2, 2)}
    more = {"colours": (), "params": {}, "endings": {}, "rules_version": 1}
    assert Meta(designer="Ada Lovelace", **facts, **more).author == "Ada Lovelace"
    assert Meta(designer=UNNAMED, **facts, **more).author == "an unknown designer"


def test_a_game_with_secrets_inherits_no_open_default():
    """What an open game shows by default, a secret game has to decide itself."""
    shown = {"view", "open_view", "options", "redact", "outcome_hidden", "determinize", "unseen"}
    shown |= {"assume"}
    assert shown <= SecretGame.__abstractmethods__
    assert not shown & vars(SecretGame).keys()
    assert {name for name in vars(OpenGame) if name in shown} == shown - {"view"}


def test_two_players_show_nothing():
    assert {name for name in vars(TwoPlayers) if not name.startswith("_")} == {"drop", "close"}


@pytest.mark.parametrize(("base", "has_secrets"), [(OpenGame, True), (SecretGame, False)])
def test_a_game_whose_meta_contradicts_its_base_class_is_refused(base, has_secrets):
    with pytest.raises(TypeError, match="secrets"):
        type("Game", (base,), {"meta": replace(META, has_secrets=has_secrets)})


class Counting(TwoPlayers, OpenGame):
    """A game that has only what has no default."""

    meta = META
    events = (Dealt,)
    setup = moves = play = view = load = validate = parse = draw = describe = None


def test_defaults_read_the_state():
    game = Counting()
    running, over = (SimpleNamespace(ranks=ranks, mover=1) for ranks in (None, (1, 2)))
    assert (game.actors(running), game.actors(over)) == ((1,), ())
    assert (game.result(running), game.result(over)) == (None, (1, 2))
    assert (game.next_turn(running, 1), game.next_turn(running, 0)) == (running, None)
