"""A player who is too fast reads so on the match page, and continues from there."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import start

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

FLOOD = """async (address) => {
  const send = () => fetch(`${address}offer/`, {
    method: "POST",
    headers: { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value },
  });
  const answers = [];
  for (let sent = 0; sent < 25; sent += 1) {
    answers.push((await send()).status);
  }
  return answers;
}"""


def test_the_page_says_when_to_try_again(people, fresh_name):
    ada, bruno = people(fresh_name("ada")), people(fresh_name("bruno"))
    for person in (ada, bruno):
        person.join()
    path = start(ada, bruno)
    page = ada.page
    ada.go(f"{path}?ask=offer")
    answers = page.evaluate(FLOOD, path)
    assert set(answers[:20]) == {422}
    assert set(answers[20:]) == {429}
    page.get_by_role("button", name="Offer a draw").click()
    expect(page.locator("#action-error")).to_contain_text("That was too fast. Please try again in")
    expect(page.locator("#match-board")).to_be_visible()
