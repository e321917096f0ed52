"""Lists and their filters: they change on the page that is open."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def rows(person):
    return person.page.locator("#results .match-row")


def stays(person):
    return person.page.evaluate("window.isSame === true")


def test_filters_change_the_results_and_can_be_gone_back_from(people):
    visitor = people()
    visitor.go("/archive/")
    visitor.page.evaluate("window.isSame = true")
    everything = rows(visitor).count()
    field = visitor.page.locator("#filters [name=game]")
    field.select_option("die")
    expect(visitor.page).to_have_url(re.compile(r"\?(.*&)?game=die"))
    expect(rows(visitor)).not_to_have_count(everything)
    fewer = rows(visitor).count()
    assert 0 < fewer < everything
    player = visitor.page.locator("#filters [name=player]")
    player.fill("sample-ada")
    visitor.press("Search")
    expect(visitor.page).to_have_url(re.compile("player=sample-ada"))
    visitor.page.go_back()
    expect(player).to_have_value("")
    expect(field).to_have_value("die")
    expect(rows(visitor)).to_have_count(fewer)
    visitor.page.go_back()
    expect(rows(visitor)).to_have_count(everything)
    expect(field).to_have_value("")
    assert stays(visitor)


def test_filters_of_one_game_are_not_asked_of_another(people):
    visitor = people()
    visitor.go("/archive/?game=die&param-size=5")
    own = visitor.page.locator("#filters .filters-own")
    expect(own).to_contain_text("Size")
    visitor.page.locator("#filters [name=game]").select_option("grim-reaper")
    expect(own).to_contain_text("Life of males")
    assert "param-size=5" not in visitor.page.url
    expect(own.locator("select").first).to_have_value("")


def test_filters_work_without_script(people):
    visitor = people(script=False)
    visitor.go("/archive/")
    visitor.page.locator("#filters [name=game]").select_option("die")
    visitor.press("Search")
    expect(visitor.page).to_have_url(re.compile(r"\?(.*&)?game=die"))
    assert rows(visitor).count() > 0


def test_a_list_keeps_up_but_not_while_somebody_is_in_it(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    bruno.page.clock.install()
    bruno.go("/home/")
    bruno.page.evaluate("window.isSame = true")
    # So long a page counts as fresh.
    bruno.page.clock.fast_forward(5_500)
    received = bruno.page.locator("section[aria-labelledby=received] tbody tr")
    before = received.count()
    bruno.page.locator("#my-matches a").first.focus()
    ada.challenge(bruno)
    bruno.page.wait_for_timeout(1_000)
    assert received.count() == before
    bruno.page.locator("body").evaluate("document.activeElement.blur()")
    ada.challenge(bruno)
    expect(received).to_have_count(before + 2)
    assert stays(bruno)


def test_a_page_that_connects_late_shows_what_it_has_missed(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    held = []

    def hold(socket):
        held.append(socket)

    bruno.context.route_web_socket(re.compile("/ws/"), hold)
    bruno.page.clock.install()
    bruno.go("/home/")
    received = bruno.page.locator("section[aria-labelledby=received] tbody tr")
    before = received.count()
    ada.challenge(bruno)
    # So long a page counts as fresh.
    bruno.page.clock.fast_forward(5_500)
    held[0].connect_to_server()
    expect(received).to_have_count(before + 1)
