"""A topic that is open while somebody else replies."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_new_replies_are_announced_and_one_line_loads_them(people):
    ada, bruno = people("sample-ada"), people("sample-bruno", script=False)
    ada.page.clock.install()
    ada.go("/games/die/noticeboard/")
    ada.page.get_by_role("link", name="A sample topic").click()
    bruno.go(ada.page.url.partition("localhost")[2].partition("/")[2].join(("/", "")))
    bruno.page.get_by_label("Text").fill("Only one at a time.")
    bruno.press("Reply")
    ada.page.clock.run_for(61_000)
    news = ada.page.get_by_role("link", name="1 new reply")
    expect(news).to_be_visible()
    assert not ada.page.get_by_text("Only one at a time.").count()
    news.click()
    ada.sees("Only one at a time.")
    expect(ada.page.get_by_role("link", name="1 new reply")).to_have_count(0)
