"""The pages of the game on the site."""

import pytest

from tests.match_driver import begin


@pytest.mark.django_db
def test_a_match_is_played_on_its_page(people):
    match = begin("noughts-and-crosses", people)
    for seat, cell in [(0, "a1"), (1, "b1"), (0, "a2"), (1, "b2"), (0, "a3")]:
        match.client(seat).post(f"{match.page}moves/", match.form(word=cell))
    assert match.match.ending == "line"


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["", "rules/", "lessons/", "lessons/1/", "board/"])
def test_its_pages_are_served(client, page):
    answer = client.get(f"/games/noughts-and-crosses/{page}", follow=True)
    assert answer.status_code == 200
