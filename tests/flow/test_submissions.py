"""What goes into one submission of a game with secrets: all that its mover can foresee."""

import pytest

from games.matches import selectors
from games.matches.errors import TOO_EARLY, Refused
from games.matches.log.verify import verify
from games.matches.play import move_input
from games.matches.preview import preview
from tests.attack_match import ATTACKS, BOARD, DUTIES, HANDS, start_attack_match

__all__ = ["start_attack_match"]

DEFENCELESS = [HANDS[0], ["2S", "3S", "4S", "3C"]]


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def test_a_placement_and_a_move_go_in_one_submission(start_attack_match):
    play = start_attack_match()
    outcome = play.move(0, *DUTIES)
    assert texts(play) == list(DUTIES)
    assert outcome.version == 2
    assert len({e.submission for e in selectors.log(play.match)}) == 1
    assert verify(play.id) == []


def test_entry_goes_on_after_a_placement_and_not_after_a_roll(start_attack_match):
    play = start_attack_match()
    first = move_input.enter(play.snapshot.table, 0, (), [DUTIES[0]])
    assert first.goes_on
    assert first.preview.sentences == ("You place a small piece on p1.",)
    second = move_input.enter(play.snapshot.table, 0, DUTIES[:1], [DUTIES[1]])
    assert second.texts == DUTIES
    assert not second.goes_on
    with pytest.raises(Refused, match=TOO_EARLY):
        move_input.enter(play.snapshot.table, 0, DUTIES, ["end"])


@pytest.mark.parametrize("hands", [HANDS, DEFENCELESS], ids=["red", "no red"])
def test_an_attack_ends_a_submission_whatever_the_defender_holds(start_attack_match, hands):
    play = start_attack_match(hands=hands, phase="free")
    with pytest.raises(Refused, match=TOO_EARLY):
        play.move(0, ATTACKS[0], "end")
    with pytest.raises(Refused, match=TOO_EARLY):
        move_input.enter(play.snapshot.table, 0, ATTACKS[:1], ["end"])
    shown = preview(play.snapshot.table, 0, ATTACKS[0])
    assert shown.state is None
    assert shown.sentences == ()
    assert texts(play) == []


def test_a_move_that_ends_the_match_shows_no_hand_beforehand(start_attack_match):
    """After the end all is open: the board after it is not shown while it is only looked at."""
    play = start_attack_match(phase="free", chosen={"rounds": 2}, first=1)
    shown = preview(play.snapshot.table, 0, "end")
    assert shown.state is None
    assert shown.drawing == play.snapshot.title.draw(play.snapshot.table.view(0), ())
    play.move(0, "end")
    assert play.match.ending == "rounds-up"


def test_a_landing_off_the_board_shows_no_hand_beforehand(start_attack_match):
    """It carries off the last piece of somebody, whose hand is then turned up."""
    ends = ["b3", "off"]
    board = {**BOARD, "c3": ["rS1", "oS1"]}
    pending = {"kind": "land", "piece": "rS1", "ends": ends}
    play = start_attack_match(board=board, phase="land", pending=pending)
    assert preview(play.snapshot.table, 0, "land off").state is None
    assert preview(play.snapshot.table, 0, "land b3").state is not None
