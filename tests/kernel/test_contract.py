"""Events: what is hidden stays with its owners until the end."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from games.kernel.contract import UNNAMED, Event, Meta, OpenGame, Seat, SecretGame
from games.kernel.two_players import TwoPlayers
from tests.example_games.darts import META

DEAL = Event("deal", Seat(1), {"count": 2}, {"cards": ["KS", "7H"]}, (Seat(1), Seat(2)))
BLIND = Event("deal", Seat(1), {"count": 2})
OPEN = Event("deal", Seat(1), {"count": 2, "cards": ["KS", "7H"]})


def test_only_owners_see_what_is_hidden_before_the_end():
    assert [DEAL.seen_by(viewer) for viewer in (None, 0, 1, 2)] == [BLIND, BLIND, OPEN, OPEN]
    assert [DEAL.seen_by(viewer, over=True) for viewer in (None, 0, 1)] == [OPEN] * 3


def test_seat_0_is_a_seat_and_a_spectator_is_none():
    own = Event("deal", Seat(0), {}, {"card": "KS"}, (Seat(0),))
    assert own.seen_by(Seat(0)).data == {"card": "KS"}
    assert own.seen_by(None).data == {}


def test_what_is_seen_holds_nothing_more_to_see():
    assert DEAL.seen_by(Seat(0)).seen_by(Seat(1)) == BLIND


def test_events_as_json_and_back():
    assert DEAL.dump() == {
        "type": "deal",
        "seat": 1,
        "count": 2,
        "hidden": {"owners": [1, 2], "cards": ["KS", "7H"]},
    }
    for event in (DEAL, BLIND, Event("turn"), OPEN):
        assert Event.load(event.dump()) == event


def test_hidden_fields_take_the_place_of_public_ones():
    attack = Event("attack", Seat(0), {"card": "??"}, {"card": "KS"}, (Seat(0),))
    assert attack.seen_by(Seat(1)).data == {"card": "??"}
    assert attack.seen_by(Seat(0)).data == {"card": "KS"}
    assert Event.load(attack.dump()) == attack


def test_an_unnamed_designer_is_still_somebody_by_whom_a_game_is():
    facts = {"slug": "x", "name": "X", "year": None, "summary": "", "seats": (2, 2)}
    more = {"colours": (), "params": {}, "endings": {}, "rules_version": 1}
    assert Meta(designer="Ada Lovelace", **facts, **more).author == "Ada Lovelace"
    assert Meta(designer=UNNAMED, **facts, **more).author == "an unknown designer"


def test_a_game_with_secrets_inherits_no_open_default():
    """What an open game shows by default, a secret game has to decide itself."""
    shown = {"view", "open_view", "options", "redact", "outcome_hidden", "determinize"}
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
    setup = moves = play = view = load = validate = parse = draw = describe = None


def test_defaults_read_the_state():
    game = Counting()
    running, over = (SimpleNamespace(ranks=ranks, mover=1) for ranks in (None, (1, 2)))
    assert (game.actors(running), game.actors(over)) == ((1,), ())
    assert (game.result(running), game.result(over)) == (None, (1, 2))
    assert (game.next_turn(running, 1), game.next_turn(running, 0)) == (running, None)
