"""A case in a real browser: from the report over the sanction to the appeal and the answer."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

ADD = """
from django.contrib.auth.models import Group
from accounts.models import User
User.objects.get(username="{name}").groups.add(Group.objects.get(name="moderators"))
"""


def make_moderator(site, name):
    """Put somebody into the group, as a superuser does in the admin."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.browser.settings", "VAR": str(site.folder)}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", ADD.format(name=name)]
    subprocess.run(command, check=True, env={**os.environ, **settings})


@pytest.fixture
def suspect(people, fresh_name):
    person = people(fresh_name("rude"), size=(390, 664))
    person.join()
    return person


@pytest.fixture
def moderators(people, site):
    for name in ("sample-clara", "sample-daniel"):
        make_moderator(site, name)
    return people("sample-clara"), people("sample-daniel", dark=True)


def report(reporter, suspect):
    reporter.go(f"/players/{suspect.name}/")
    reporter.page.get_by_role("link", name="Report", exact=True).click()
    reporter.page.locator("[name=kind][value=abuse]").check()
    reporter.page.locator("[name=text]").fill("He called me a goose in three matches.")
    reporter.shoot("report")
    reporter.press("Report")
    reporter.sees("Thank you. We’ll let you know the outcome.")


def suspend(moderator, suspect):
    moderator.go("/desk/")
    moderator.shoot("desk")
    moderator.page.get_by_role("link", name=suspect.name, exact=True).first.click()
    moderator.press("Claim for 20 minutes")
    moderator.sees("Yours until")
    moderator.page.get_by_role("link", name="Suspend until").click()
    until = datetime.now(UTC) + timedelta(days=3)
    moderator.page.locator("[name=until]").fill(f"{until:%Y-%m-%d %H:%M}")
    moderator.page.locator("[name=reason]").first.fill("Nobody is a goose here.")
    moderator.shoot("desk-case")
    moderator.press(f"Suspend {suspect.name}")
    moderator.sees("Done. It is in the log")


def appeal(suspect):
    suspect.go("/home/")
    suspect.sees("Your account is suspended")
    suspect.sees("Nobody is a goose here.")
    suspect.page.locator("[name=text]").fill("It is the turnstone that I meant.")
    suspect.shoot("standing")
    suspect.press("Appeal")
    suspect.sees("Your appeal is with the moderators.")


def answer(moderator, suspect):
    moderator.go("/desk/")
    moderator.page.get_by_role("link", name=suspect.name, exact=True).first.click()
    moderator.sees("It is the turnstone that I meant.")
    moderator.page.locator("[name=reason]").fill("We believe you.")
    moderator.shoot("desk-appeal")
    moderator.press("Answer and lift")
    moderator.sees("Your decision is saved")


def test_a_case_from_the_report_to_the_answer_of_the_appeal(people, suspect, moderators):
    ada, (clara, daniel) = people("sample-ada"), moderators
    report(ada, suspect)
    suspend(clara, suspect)
    appeal(suspect)
    clara.page.locator("#close_reason").fill("He was rude.")
    clara.press("Close: action taken")
    clara.sees("The case is closed.")
    ada.go("/account/notices/")
    ada.sees(f"Your report about {suspect.name}")
    answer(daniel, suspect)
    suspect.go("/home/")
    expect(suspect.page).to_have_url(re.compile("/home/$"))
    daniel.go("/desk/log/")
    daniel.sees("Nobody is a goose here.")
    daniel.shoot("desk-log")
