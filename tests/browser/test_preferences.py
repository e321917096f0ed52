"""What people settle about mails and time zones."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_a_preset_hides_the_matrix_and_time_zones_can_be_searched(people):
    clara = people("sample-clara")
    page = clara.page
    clara.go("/account/notices/settings/")
    page.get_by_label("Turns and deadlines").check()
    expect(page.get_by_role("table")).to_be_hidden()
    page.get_by_label("Custom").check()
    expect(page.get_by_role("table")).to_be_visible()
    page.get_by_label("Turns and deadlines").check()
    clara.press("Save")
    clara.sees("Your notification settings are saved.")
    expect(page.get_by_label("Turns and deadlines")).to_be_checked()
    page.get_by_label("Everything").check()
    clara.press("Save")
    clara.go("/account/preferences/")
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    page.locator("form:has([name=time_zone]) button").click()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Lisbon")
    search = page.get_by_label("Search for a city")
    search.fill("são pau")
    expect(page.get_by_label("Time zone").locator("option")).to_have_count(1)
    search.fill("nowhere at all")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Lisbon")
    search.fill("buenos")
    search.press("Enter")
    expect(page.get_by_label("Time zone")).to_be_focused()
    page.locator("form:has([name=time_zone]) button").click()
    expect(page.get_by_label("Time zone")).to_have_value("America/Argentina/Buenos_Aires")
    page.get_by_label("Time zone").select_option("UTC")
    page.locator("form:has([name=time_zone]) button").click()
    expect(page.get_by_label("Time zone")).to_have_value("UTC")
