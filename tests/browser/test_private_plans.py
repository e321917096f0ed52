"""A queue and a standing order in the browser, with script and without, kept from the other one."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import in_turn, start_game
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def begin(host, guest):
    """Begin a match of Simple Life or Death; return its path and the two, who is to move first."""
    path = start_game(host, guest, "simple-life-or-death")
    return path, *in_turn((host, guest))


def queue(person, *moves):
    field = person.page.locator("#queue")
    person.open_drawer()
    if not field.is_visible():
        person.page.locator(".private-queue summary").click()
    field.fill("\n".join(moves))
    person.press("Keep for later")


@pytest.mark.thorough
@pytest.mark.parametrize("script", rest_thorough([True, False]), ids=["script", "no script"])
def test_a_queue_is_kept_while_a_move_is_entered_and_follows_it(people, script):
    ada, bruno = (people(f"sample-{name}", script=script) for name in ("ada", "bruno"))
    path, mover, other = begin(ada, bruno)
    mover.go(f"{path}?word=place+S+a1")
    expect(mover.page.locator("#action-head")).to_contain_text("Place a small piece on a1")
    queue(mover, "place M p16")
    expect(mover.page.locator("#action-head")).to_contain_text("Place a small piece on a1")
    mover.sees("1 move to follow")
    other.go(path)
    assert "place M p16" not in other.page.content()
    mover.page.locator("[data-confirm]").click()
    log = other.page.locator("#match-log")
    if not script:
        other.loads_until(path, "a medium piece on p16")
    expect(log).to_contain_text("place M p16")
    expect(other.page.locator("#match-entry")).to_contain_text("Your turn")


@pytest.mark.thorough
def test_what_is_written_stays_when_the_page_changes(people):
    path, mover, other = begin(people("sample-ada"), people("sample-bruno"))
    other.open_drawer()
    other.page.locator(".private-queue summary").click()
    other.page.locator("#queue").press_sequentially("place S")
    mover.go(f"{path}?word=place+S+a1")
    mover.page.locator("[data-confirm]").click()
    expect(other.page.locator("#match-log")).to_contain_text("places a small piece on a1")
    mover.go(f"{path}?word=place+S+a2")
    mover.page.locator("[data-confirm]").click()
    expect(other.page.locator("#match-entry")).to_contain_text("Your turn")
    expect(other.page.locator("#queue")).to_have_value("place S")
    expect(other.page.locator("#queue")).to_be_focused()


@pytest.mark.thorough
def test_a_standing_order_is_switched_on_and_off(people):
    path, mover, other = begin(people("sample-ada"), people("sample-bruno", size=(360, 740)))
    for choice, said in (("lowest", "Standing order on"), ("", "Standing order off")):
        other.open_drawer()
        other.page.locator(".private-order summary").click()
        other.page.locator("#order").select_option(choice)
        other.press("Set")
        expect(other.page.locator(".private-order summary")).to_have_text(said)
    mover.go(path)
    expect(mover.page.locator(".private-order summary")).to_have_text("Standing order off")
