"""Simple Life or Death: the events of a move agree with earlier events."""

from tests.contract.random_play import events_of, matches


def test_a_piece_lands_in_the_direction_in_which_it_was_sent():
    for record in matches("simple-life-or-death"):
        sent = {}
        for event in events_of(record):
            if event.type == "roll":
                sent[event.piece] = event.direction
            elif event.type == "land":
                assert event.direction == sent[event.piece]
