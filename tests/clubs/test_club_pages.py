"""The pages of clubs: who sees what, what forms do, and what they say when they refuse."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.clubs import candidates, messages, services
from games.clubs.models import Candidate, Club, Exclusion, Membership, Message
from games.ratings.models import Rating
from games.web.markdown import markdown
from tests.clubs.clubs import Admission, club, found, join, leaders, names
from tests.clubs.test_clubs import play
from tests.fixtures import NOW
from tests.match_driver import fresh_cache

__all__ = ["club", "fresh_cache"]

SENT = {
    "name": "Harbour Club",
    "about": "For **everybody**.",
    "country": "NO",
    "language": "en",
    "admission": "request",
    "shape": "circle",
    "colour": "red",
    "second_colour": "green",
    "sign": "bird",
}


def client_of(user=None):
    client = Client()
    if user:
        client.force_login(user)
    return client


def text(answer):
    return answer.content.decode()


def test_an_empty_list_says_so(db):
    assert "There are no clubs yet" in text(client_of().get("/clubs/"))
    assert "No clubs found" in text(client_of().get("/clubs/?name=x&language=en&country=NO"))


@pytest.mark.parametrize("query", ["name=%00", "page=0", "page=9999999", "page=x", "language=xx"])
def test_odd_questions_are_answered(club, query):
    assert client_of().get(f"/clubs/?{query}").status_code == 200
    assert client_of().get(f"/clubs/{club.pk}/members/?{query}").status_code == 200
    assert client_of().get(f"/clubs/{club.pk}/members/?game={query}").status_code == 200


def test_clubs_are_found_by_name_country_and_language(people):
    found(people[0], "Harbour Club", country="NO", language="en")
    found(people[1], "Zürich Stones", country="CH", language="de")
    for query in ("name=zurich", "name=STONES", "country=CH", "language=de"):
        page = text(client_of().get(f"/clubs/?{query}"))
        assert "Zürich Stones" in page
        assert "Harbour Club" not in page


def test_a_club_is_founded(people):
    ada = client_of(people[0])
    refused = ada.post("/clubs/new/", SENT)
    assert "Play 5 matches" in text(refused)
    assert "For **everybody**." in text(refused)
    play(people[0], people[1], services.MIN_MATCHES)
    answer = ada.post("/clubs/new/", SENT)
    made = Club.objects.get()
    assert answer["Location"] == f"/clubs/{made.pk}/"
    assert (made.admission, made.sign, made.country, made.language) == (
        *("request", "bird"),
        *("NO", "en"),
    )
    page = text(client_of().get(f"/clubs/{made.pk}/"))
    assert "<strong>everybody</strong>" in page
    assert "Norway, English" in page


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", ""), ("name", "x" * 41), ("about", "x" * 4001), ("sign", "skull"), ("country", "XX")],
)
def test_a_wrong_field_is_named_and_the_rest_stays(people, field, value):
    play(people[0], people[1], services.MIN_MATCHES)
    answer = client_of(people[0]).post("/clubs/new/", {**SENT, field: value})
    assert answer.status_code == 422
    assert "Please correct" in text(answer)
    assert "For **everybody**." in text(answer) or field == "about"
    assert not Club.objects.exists()


def test_a_text_is_markdown_without_dangers(people):
    about = (
        "# Rules\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![i](https://e.org/i.png)\n"
        "[shop](https://shop.example.org) and https://example.org/a_(b), see.\n\n    code\n"
    )
    made = found(people[0], about=about)
    page = text(client_of().get(f"/clubs/{made.pk}/"))
    assert "<h3>Rules</h3>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert "<img" not in page.partition('<div class="prose about"')[2].partition("</aside>")[0]
    assert '<a href="https://shop.example.org" rel="nofollow ugc noopener">shop</a>' in page
    assert '<a href="https://example.org/a_(b" rel="nofollow ugc noopener">' in page
    assert '<pre tabindex="0"><code>code' in page


def test_a_text_of_many_brackets_has_no_links_by_brackets():
    few, many = "[a](https://e.org) " * 100, "[a](https://e.org) " * 101
    assert markdown(few).count(">a</a>") == 100
    assert ">a</a>" not in markdown(many)
    assert '<a href="https://e.org"' in markdown(many)


def test_joining_and_leaving(people, club):
    clara = client_of(people[2])
    assert "Join</button>" in text(clara.get(f"/clubs/{club.pk}/"))
    clara.post(f"/clubs/{club.pk}/join/")
    assert names(club) == ["ada", "bruno", "clara"]
    assert "You have been a member" in text(clara.get(f"/clubs/{club.pk}/"))
    clara.post(f"/clubs/{club.pk}/leave/")
    assert names(club) == ["ada", "bruno"]
    page = text(client_of(people[0]).post(f"/clubs/{club.pk}/leave/", follow=True))
    assert "You are the last leader" in page


def test_asking_and_being_answered(people):
    ada, bruno = people[:2]
    asked = found(ada, admission=Admission.REQUEST)
    browser = client_of(bruno)
    long = browser.post(f"/clubs/{asked.pk}/join/", {"text": "x" * 301})
    assert long.status_code == 422
    assert "x" * 301 in text(long)
    browser.post(f"/clubs/{asked.pk}/join/", {"text": "I play in Oslo."})
    assert "haven’t answered yet" in text(browser.get(f"/clubs/{asked.pk}/"))
    assert "You have asked to join" in text(browser.get("/clubs/"))
    leader = client_of(ada)
    assert "I play in Oslo." in text(leader.get(f"/clubs/{asked.pk}/lead/"))
    page = leader.post(f"/clubs/{asked.pk}/members/bruno/accept/", follow=True)
    assert "bruno is a member now" in text(page)
    assert names(asked) == ["ada", "bruno"]


def test_a_refused_request_keeps_what_was_typed(people):
    asked = found(people[0], admission=Admission.REQUEST)
    people[1].is_program = True
    people[1].save()
    answer = client_of(people[1]).post(f"/clubs/{asked.pk}/join/", {"text": "I play in Oslo."})
    assert answer.status_code == 409
    assert "I play in Oslo." in text(answer)
    assert "Accounts of bots" in text(answer)


def test_inviting_by_name(people):
    ada, bruno = people[:2]
    made = found(ada, admission=Admission.INVITATION)
    leader = client_of(ada)
    unknown = leader.post(f"/clubs/{made.pk}/invite/", {"player": "nobody-here"})
    assert "There is no player with this name" in text(unknown)
    assert "nobody-here" in text(unknown)
    assert leader.post(f"/clubs/{made.pk}/invite/", {"player": "\0"}).status_code == 422
    leader.post(f"/clubs/{made.pk}/invite/", {"player": "BRUNO"})
    browser = client_of(bruno)
    assert "ada invites you" in text(browser.get(f"/clubs/{made.pk}/"))
    assert "invites you to" in text(browser.get("/clubs/"))
    browser.post(f"/clubs/{made.pk}/join/")
    assert names(made) == ["ada", "bruno"]


def test_invitations_of_a_leader_are_limited(people, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "club-invite": {"account": ["1/h"]}}
    made = found(people[0])
    leader = client_of(people[0])
    leader.post(f"/clubs/{made.pk}/invite/", {"player": "bruno"})
    answer = leader.post(f"/clubs/{made.pk}/invite/", {"player": "clara"})
    assert answer.status_code == 429
    assert Candidate.objects.count() == 1


def test_removing_asks_for_a_reason(people, club):
    leader = client_of(people[0])
    page = f"/clubs/{club.pk}/members/bruno/"
    assert "Make a leader" in text(leader.get(page))
    assert leader.post(f"{page}remove/", {"reason": ""}).status_code == 422
    assert names(club) == ["ada", "bruno"]
    leader.post(f"{page}remove/", {"reason": "Too loud.", "for_good": "on"})
    assert names(club) == ["ada"]
    assert Exclusion.objects.get().until is None
    assert "Too loud." in text(leader.get(f"/clubs/{club.pk}/lead/"))
    assert "for good" in text(client_of(people[1]).post(f"/clubs/{club.pk}/join/"))
    leader.post(f"{page}readmit/")
    assert not Exclusion.objects.exists()


def test_removing_twice_says_that_there_is_nobody_left(people, club):
    path = f"/clubs/{club.pk}/members/bruno/remove/"
    ada = client_of(people[0])
    ada.post(path, {"reason": "Spam."})
    answer = ada.post(path, {"reason": "Spam."}, follow=True)
    assert answer.redirect_chain == [(f"/clubs/{club.pk}/members/", 302)]
    assert "bruno is not a member." in answer.content.decode()


def test_leaders_come_and_go(people, club):
    leader = client_of(people[0])
    leader.post(f"/clubs/{club.pk}/members/bruno/appoint/")
    assert leaders(club) == ["ada", "bruno"]
    assert "Dismiss as a leader" in text(leader.get(f"/clubs/{club.pk}/members/bruno/"))
    assert "Stop leading" in text(leader.get(f"/clubs/{club.pk}/members/ada/"))
    second = client_of(people[1])
    assert "led longer than you" in text(second.get(f"/clubs/{club.pk}/members/ada/"))
    page = second.post(f"/clubs/{club.pk}/members/ada/dismiss/", follow=True)
    assert "led longer than you" in text(page)
    leader.post(f"/clubs/{club.pk}/members/bruno/dismiss/")
    assert leaders(club) == ["ada"]


@pytest.mark.parametrize("part", ["lead/", "edit/", "members/bruno/"])
def test_only_leaders_open_the_pages_of_leaders(people, club, part):
    assert client_of(people[0]).get(f"/clubs/{club.pk}/{part}").status_code == 200
    for user in people[1:3]:
        assert client_of(user).get(f"/clubs/{club.pk}/{part}").status_code == 403


@pytest.mark.parametrize(
    "part",
    ["appoint", "dismiss", "remove", "accept", "refuse", "withdraw", "readmit"],
)
def test_only_leaders_act_on_members(people, club, part):
    before = list(Membership.objects.values())
    how = {"reason": "No reason."}
    client_of(people[2]).post(f"/clubs/{club.pk}/members/bruno/{part}/", how)
    assert list(Membership.objects.values()) == before


def test_a_leader_writes_to_all(people, club):
    leader = client_of(people[0])
    for sent in ("", "x" * 2001):
        assert leader.post(f"/clubs/{club.pk}/message/", {"text": sent}).status_code == 422
    leader.post(f"/clubs/{club.pk}/message/", {"text": "See https://example.org on Sunday."})
    page = text(client_of(people[1]).get(f"/clubs/{club.pk}/"))
    assert '<a href="https://example.org" rel="nofollow">' in page
    assert "on Sunday" not in text(client_of(people[2]).get(f"/clubs/{club.pk}/"))
    again = leader.post(f"/clubs/{club.pk}/message/", {"text": "Me again."})
    assert "once a week" in text(again) or "can be sent from" in text(again)
    assert Message.objects.count() == 1


def test_a_second_message_in_a_week_is_refused_and_kept(people, club):
    ada = client_of(people[0])
    ada.post(f"/clubs/{club.pk}/message/", {"text": "Welcome!"})
    page = ada.post(f"/clubs/{club.pk}/message/", {"text": "And *welcome* again."})
    assert page.status_code == 422
    assert "And *welcome* again.</textarea>" in page.content.decode()
    assert ">The next message can be sent" not in page.content.decode()


def test_a_notification_of_a_message_reads_as_it_was_written(people, club):
    messages.write(club_id=club.pk, leader=people[0], text="On Sunday.", now=NOW)
    messages.spread(now=NOW)
    page = text(client_of(people[1]).get("/account/notices/"))
    assert "ada writes to the members of Harbour Club" in page


def test_closing_needs_a_tick(people, club):
    leader = client_of(people[0])
    leader.post(f"/clubs/{club.pk}/close/")
    club.refresh_from_db()
    assert club.is_open
    leader.post(f"/clubs/{club.pk}/close/", {"sure": "on"})
    page = text(client_of(people[1]).get(f"/clubs/{club.pk}/"))
    assert "This club was closed" in page
    for part in ("lead/", "edit/", "members/"):
        assert leader.get(f"/clubs/{club.pk}/{part}").status_code == 404


def test_a_private_club_shows_its_name_and_size_only(people, moderator):
    ada, bruno, clara = people[:3]
    made = found(
        ada,
        "Inner Circle",
        about="Our secret.",
        country="NO",
        language="nb",
        admission=Admission.REQUEST,
        is_private=True,
    )
    now = timezone.now()
    join(made, bruno, now=now)
    candidates.answer(club_id=made.pk, leader=ada, user=bruno, accepts=True, now=now)
    for reader in (client_of(), client_of(clara)):
        for path in ("/clubs/", f"/clubs/{made.pk}/"):
            page = text(reader.get(path))
            main = page.partition("<main")[2]
            assert "Inner Circle" in main
            hidden = ("Our secret", "Norway, ", "on request", "bruno", 'class="emblem')
            assert [word for word in hidden if word in main] == []
        assert reader.get(f"/clubs/{made.pk}/members/").status_code == 404
        assert "Inner Circle" not in text(reader.get("/players/bruno/"))
        assert "Inner Circle" not in text(reader.get("/clubs/?country=NO")).partition("<main")[2]
    for reader in (client_of(bruno), client_of(ada)):
        assert "Our secret" in text(reader.get(f"/clubs/{made.pk}/"))
        assert "ada" in text(reader.get(f"/clubs/{made.pk}/members/"))
        assert "Inner Circle" in text(reader.get("/players/bruno/"))
    assert "Our secret" in text(client_of(moderator).get(f"/clubs/{made.pk}/"))


def test_a_profile_names_the_clubs(people, club):
    assert "Harbour Club" in text(client_of().get("/players/bruno/"))


# --- Members ------------------------------------------------------------------------------------


def rate(user, mu):
    ended = NOW
    Rating.objects.create(
        title="die", user=user, mu=mu, sigma=60, ended=ended, matches=20, established_until=ended
    )


def test_members_are_listed_by_rating_and_found_by_name(people, club):
    ada, bruno, clara, daniel = people
    join(club, clara, daniel)
    rate(clara, 1700)
    rate(bruno, 1650)
    Rating.objects.create(
        title="heap", user=ada, mu=2000, sigma=60, ended=NOW, matches=9, established_until=NOW
    )
    page = text(client_of().get(f"/clubs/{club.pk}/members/?game=die"))
    main = page.partition("<tbody>")[2]
    order = sorted(("ada", "bruno", "clara", "daniel"), key=lambda name: main.index(f">{name}<"))
    assert order == ["clara", "bruno", "ada", "daniel"]
    assert ">1700 " in main
    assert "2000" not in main
    found_page = text(client_of().get(f"/clubs/{club.pk}/members/?game=die&name=RUN"))
    assert ">bruno<" in found_page
    assert ">clara<" not in found_page


def test_the_list_of_members_has_pages(people, club):
    emails = (f"p{number:03}" for number in range(60))
    more = User.objects.bulk_create(
        [User(username=f"p{n[1:]}", email=f"{n}@example.org") for n in emails]
    )
    Membership.objects.bulk_create([Membership(club=club, user=user, joined=NOW) for user in more])
    first = text(client_of().get(f"/clubs/{club.pk}/members/?game=die"))
    assert "Next page" in first
    assert ">p059<" not in first
    second = text(client_of().get(f"/clubs/{club.pk}/members/?game=die&page=2"))
    assert ">p059<" in second
    assert "Previous page" in second


@pytest.mark.parametrize("path", ["/clubs/{}/members/?game=die", "/clubs/{}/?game=die", "/clubs/"])
def test_queries_do_not_grow_with_members(people, club, path, django_assert_max_num_queries):
    reader = client_of(people[0])
    reader.get(path.format(club.pk))
    with django_assert_max_num_queries(100) as few:
        reader.get(path.format(club.pk))
    count = len(few.captured_queries)
    assert count
    users = User.objects.bulk_create(
        [User(username=f"q{n}", email=f"q{n}@example.org") for n in range(100, 140)]
    )
    Membership.objects.bulk_create([Membership(club=club, user=user, joined=NOW) for user in users])
    for number, user in enumerate(users):
        rate(user, 1500 + number)
        found(user, f"Number {number} of many")
    with django_assert_max_num_queries(count):
        reader.get(path.format(club.pk))
