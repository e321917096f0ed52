"""Simple Life or Death: what is told of a move fits what was told before."""

from tests.contract.random_play import events_of, matches


def test_a_piece_lands_in_the_direction_in_which_it_was_sent():
    for record in matches("simple-life-or-death"):
        sent = {}
        for event in events_of(record):
            if event.type == "roll":
                sent[event.data["piece"]] = event.data["direction"]
            elif event.type == "land":
                assert event.data["direction"] == sent[event.data["piece"]]
