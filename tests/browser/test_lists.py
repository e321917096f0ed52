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


@pytest.mark.thorough
def test_filters_work_without_script(people):
    visitor = people(script=False)
    visitor.go("/archive/")
    visitor.page.locator("#filters [name=game]").select_option("die")
    visitor.press("Search")
    expect(visitor.page).to_have_url(re.compile(r"\?(.*&)?game=die"))
    assert rows(visitor).count() > 0


def received(person):
    return person.page.locator("section[aria-labelledby=received] tbody tr")


def goes_home(person):
    """Open the list of one's own matches, and wait until it no longer counts as fresh."""
    person.page.clock.install()
    with person.page.expect_websocket() as connecting:
        person.go("/home/")
    connecting.value.wait_for_event("framereceived")
    person.page.evaluate("window.isSame = true")
    person.page.clock.fast_forward(5_500)


def test_a_list_changes_once_its_reader_has_left_it(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    goes_home(bruno)
    before = received(bruno).count()
    bruno.page.locator("#my-matches a").first.focus()
    ada.challenge(bruno)
    bruno.page.wait_for_timeout(1_000)
    assert received(bruno).count() == before
    bruno.page.locator("body").evaluate("document.activeElement.blur()")
    expect(received(bruno)).to_have_count(before + 1)
    ada.challenge(bruno)
    expect(received(bruno)).to_have_count(before + 2)
    assert stays(bruno)


def test_a_list_that_is_fetched_while_its_reader_comes_into_it_stays(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    goes_home(bruno)
    before = received(bruno).count()
    held = []
    bruno.page.route("**/home/", lambda route, _: held.append(route))
    with bruno.page.expect_request("**/home/"):
        ada.challenge(bruno)
    link = bruno.page.locator("#my-matches a").first
    link.focus()
    with bruno.page.expect_event("requestfinished"):
        for route in held:
            route.continue_()
    bruno.page.unroute("**/home/")
    bruno.page.wait_for_timeout(500)
    expect(link).to_be_focused()
    assert received(bruno).count() == before
    bruno.page.locator("body").evaluate("document.activeElement.blur()")
    expect(received(bruno)).to_have_count(before + 1)


def waiting_link(person, path):
    return person.page.locator(f'section[aria-labelledby=waiting] a.match-link[href="{path}"]')


def places_a_stone(person):
    person.click(person.legal[0])
    person.confirm()
    expect(person.page.locator("#match-entry.action-turn")).to_have_count(0)


def keeps_pages(person, path):
    """Let the browser show a page again as it was, as Firefox and Safari do after Back."""
    pages = []

    def answer(route):
        if route.request.resource_type != "document":
            route.continue_()
            return
        if not pages:
            pages.append(route.fetch())
        route.fulfill(response=pages[0])

    person.page.route(f"**{path}", answer)


def test_back_to_a_page_in_the_cache_shows_what_no_longer_waits(people, fresh_name):
    ada = people(fresh_name("ada"))
    ada.join()
    path = ada.site.begin(ada.name, "sample-bruno", game="die", size=3)
    keeps_pages(ada, "/home/")
    # Chromium lets no page that a test has answered connect.
    ada.context.route_web_socket(re.compile("/ws/"), lambda socket: None)
    ada.go("/home/")
    waiting_link(ada, path).click()
    badge = ada.page.locator("[data-waiting]")
    waiting = int(badge.get_attribute("data-waiting"))
    places_a_stone(ada)
    ada.page.go_back()
    expect(badge).to_contain_text(str(waiting - 1))
    expect(ada.page.get_by_role("heading", name="My matches")).to_be_visible()
    expect(waiting_link(ada, path)).to_have_count(0)
    expect(ada.page.locator(f'section[aria-labelledby=playing] [href="{path}"]')).to_be_visible()


def test_back_from_the_notifications_shows_none_as_new(people, fresh_name):
    ada = people(fresh_name("ada"))
    ada.join()
    ada.site.begin(ada.name, "sample-bruno", game="die", size=3)
    ada.go("/home/")
    with ada.page.expect_response("**/api/v1/waiting/"):
        # what the browser then has in its cache
        ada.page.evaluate("document.dispatchEvent(new CustomEvent('live:me'))")
    bell = ada.page.locator("header [data-unseen]").first
    expect(bell).to_contain_text("1")
    ada.go("/account/notices/")
    ada.page.go_back()
    expect(bell).to_be_hidden()


def test_back_to_a_page_in_memory_shows_what_no_longer_waits(people, fresh_name):
    name = fresh_name("ada")
    ada, elsewhere = people(name), people(name)
    ada.join()
    elsewhere.be_signed_in()
    path = ada.site.begin(name, "sample-bruno", game="die", size=3)
    ada.go("/home/")
    waiting_link(ada, path).focus()
    elsewhere.go(path)
    # Chromium under test keeps no pages in memory: the page gets the events that it would get.
    event = "dispatchEvent(new PageTransitionEvent('%s', { persisted: true }))"
    ada.page.evaluate(event % "pagehide")
    places_a_stone(elsewhere)
    ada.page.evaluate(event % "pageshow")
    expect(waiting_link(ada, path)).to_have_count(0)
    expect(ada.page.locator(f'section[aria-labelledby=playing] [href="{path}"]')).to_be_focused()


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
