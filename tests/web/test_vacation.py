"""The page of one's own vacation, and what others see of it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import notifications
from accounts.models import Notification, User
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import DAY
from games.matches.clocks import vacations
from games.matches.models import Vacation

PAGE = "/account/vacation/"
SHOWN = "/account/preferences/#vacation"


@pytest.fixture
def ada(client, people):
    User.objects.update(date_joined=timezone.now() - 1000 * DAY, time_zone="Asia/Tokyo")
    for person in people:
        person.refresh_from_db()
    client.force_login(people[0])
    return people[0]


def day(days):
    return f"{timezone.localdate(timezone.now() + days * DAY, timezone.get_fixed_timezone(540))}"


@pytest.mark.parametrize("page", [PAGE, f"{PAGE}end/", f"{PAGE}automatic/"])
def test_who_is_not_signed_in_is_asked_to(client, db, page):
    for answer in (client.get(page), client.post(page)):
        assert answer.url.startswith(reverse("account_login"))


def test_who_has_no_day_of_it_yet_is_told_and_may_plan_one(client, ada):
    User.objects.update(date_joined=timezone.now())
    page = client.get(PAGE, follow=True).content.decode()
    assert "You don’t have a full vacation day yet" in page
    assert "Leave it empty to begin now" not in page
    refused = client.post(PAGE, {"end": day(3)}).content.decode()
    assert "Enter a later day" in refused
    first = vacations.first_day(User.objects.get(pk=ada.pk), timezone.now())
    assert vacations.balance(User.objects.get(pk=ada.pk), first) >= DAY
    assert client.post(PAGE, {"begin": day(14), "end": day(15)}).url == SHOWN
    assert Vacation.objects.count() == 1


def test_a_vacation_is_planned_and_cancelled(client, ada):
    assert "30 vacation days</strong>" in client.get(PAGE, follow=True).content.decode()
    form = {"begin": day(5), "end": day(9), "shows_end": "on"}
    page = client.post(PAGE, form, follow=True).content.decode()
    made = Vacation.objects.get()
    assert (made.end - made.begin, made.shows_end) == (4 * DAY, True)
    assert (made.begin.hour, made.begin.minute) == (15, 0), "midnight in Tokyo"
    assert "Your next vacation" in page
    page = client.post(f"{PAGE}end/", follow=True).content.decode()
    assert "Your vacation is cancelled." in page
    assert not Vacation.objects.exists()


def test_a_vacation_that_begins_now_is_ended_when_its_first_day_is_over(client, ada):
    page = client.post(PAGE, {"end": day(3)}, follow=True).content.decode()
    assert "You are on vacation" in page
    assert "Others cannot see when it ends." in page
    page = client.post(f"{PAGE}end/", follow=True).content.decode()
    assert "A vacation lasts at least a day" in page
    Vacation.objects.update(begin=timezone.now() - 2 * DAY, end=timezone.now() + DAY)
    assert "Welcome back." in client.post(f"{PAGE}end/", follow=True).content.decode()
    assert "You are not on vacation." in client.post(f"{PAGE}end/", follow=True).content.decode()


def test_a_vacation_begins_now_although_another_is_planned(client, ada):
    client.post(PAGE, {"begin": day(200), "end": day(205)})
    page = client.get(PAGE, follow=True).content.decode()
    assert "A vacation before that" in page
    assert 'name="begin"' not in page
    page = client.post(PAGE, {"end": day(3)}, follow=True).content.decode()
    assert page.index("You are on vacation</h3>") < page.index("Your next vacation</h3>")
    assert "Go on vacation" not in page
    page = client.post(f"{PAGE}end/", {"planned": "yes"}, follow=True).content.decode()
    assert "Your vacation is cancelled." in page
    assert "No vacation is planned." in (
        client.post(f"{PAGE}end/", {"planned": "yes"}, follow=True).content.decode()
    )
    assert Vacation.objects.get().begin <= timezone.now()


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({}, "Please enter the day on which you are back."),
        ({"end": "soon"}, "Enter a valid date."),
        ({"end": "0001-01-01"}, "at least a day"),
        ({"end": "9999-12-31"}, "you will have 30 days then"),
        ({"begin": "9999-12-01", "end": "9999-12-31"}, "a year ahead"),
    ],
)
def test_a_refusal_says_why_and_keeps_what_was_typed(client, ada, form, said):
    page = client.post(PAGE, form).content.decode()
    assert said in page
    assert form.get("end", "") in page
    assert not Vacation.objects.exists()


def test_the_wish_to_be_put_on_vacation_is_kept(client, ada):
    for sent, kept in (({"auto_vacation": "on"}, True), ({}, False)):
        client.post(f"{PAGE}automatic/", sent)
        ada.refresh_from_db()
        assert ada.auto_vacation is kept


def away(user, **kwargs):
    now = timezone.now()
    kwargs = {"shows_end": True, **kwargs}
    return vacations.plan(user=user, begin=None, end=now + 5 * DAY, now=now, **kwargs)


def test_opponents_and_challengers_see_it(client, ada, people, start):
    bruno = people[1]
    away(bruno)
    play = start(now=timezone.now())
    made = lobby.challenge(
        creator=ada,
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.NAMED,
        invited=[bruno],
        now=timezone.now(),
    )
    for page in (f"/challenges/{made.pk}/", "/players/bruno/"):
        assert "bruno is on vacation until" in client.get(page).content.decode()
    html = client.get(f"/matches/{play.id}/").content.decode()
    assert "The clock stands still: on vacation, until" in html
    assert "ada is on vacation" not in client.get("/players/ada/").content.decode()


def test_an_end_that_is_not_shown_is_on_no_page(client, ada, people, start):
    bruno = people[1]
    ends = away(bruno, shows_end=False).end
    play = start(now=timezone.now())
    play.move(0, "1", now=timezone.now())
    pages = [f"/matches/{play.id}/", "/players/bruno/", f"/api/v1/matches/{play.id}/", "/home/"]
    for address in pages:
        page = client.get(address, follow=True).content.decode()
        assert f"{ends:%Y-%m-%d}" not in page
        assert f"{ends.timestamp():.0f}" not in page
        assert f"{ends + timedelta(hours=9):%-d %b %Y}" not in page


@pytest.mark.parametrize("kind", ["vacation-begun", "vacation-ending"])
def test_notifications_read_well(ada, kind):
    Notification.objects.create(
        recipient=ada,
        kind=kind,
        payload={"until": "2026-05-08T12:00:00+00:00", "match": 7},
        created=timezone.now(),
        next_try=timezone.now(),
    )
    found = Notification.objects.get()
    mail = notifications.render(found)
    assert "Fri, 8 May 2026, 12:00 UTC" in mail.text
    assert "Fri, 8 May 2026, 12:00 UTC" in mail.html
    assert mail.url == PAGE
    assert notifications.summary(found).subject == mail.subject
