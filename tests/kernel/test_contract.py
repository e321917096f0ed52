"""Events: what is hidden stays with its owners until the end."""

from games.kernel.contract import UNNAMED, Event, Meta, Seat

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
