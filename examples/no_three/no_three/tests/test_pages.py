"""The pages of the game on the site."""

import pytest

from tests.match_driver import begin


@pytest.mark.django_db
def test_a_match_of_three_is_played_on_its_page(people):
    match = begin("no-three", people, seats=3)
    cells = ("a1", "e1", "c1", "a2", "e2", "c3", "a3", "e3")
    for seat, cell in zip((0, 1, 2, 0, 1, 2, 0, 1), cells, strict=True):
        match.client(seat).post(f"{match.page}moves/", match.form(word=cell))
    assert match.match.ending == "last"


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["", "rules/", "lessons/", "lessons/1/", "board/"])
def test_its_pages_are_served(client, page):
    answer = client.get(f"/games/no-three/{page}", follow=True)
    assert answer.status_code == 200


@pytest.mark.django_db
def test_a_board_that_is_too_small_for_three_is_refused(client):
    sent = {"level": "casual", "seats": "3", "param-size": "2"}
    answer = client.post("/games/no-three/bots/", sent).content.decode()
    assert "With three players, the board needs three cells on a side." in answer
