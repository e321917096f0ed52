"""The pages of chat: who gets in, what forms do, how a line is shown; notes, greeting, mutings."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import Notification, User
from games.matches import services as matches
from games.moderation.models import Case, Report
from games.screen.part_templates import macro
from games.talk import services
from games.talk.models import Greeting, LastRead, Line, Muting, PrivateNote
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

WIKI = "https://en.wikipedia.org/wiki/"


@pytest.fixture
def chat(match_driver):
    return f"{match_driver.page}chat/"


def say(match_driver, seat, text="hello"):
    return services.say(
        match_id=match_driver.id,
        user=match_driver.people[seat],
        text=text,
        submission=uuid4(),
        now=timezone.now(),
    ).line


def post(client, path, **fields):
    return client.post(path, {"submission": str(uuid4()), **fields})


class TestWho:
    def test_a_player_writes_by_a_form_and_the_other_reads_it_on_the_page(self, match_driver, chat):
        whole = re.compile(r'<a [^>]*id="chat-whole"[^>]*>')
        before = match_driver.client(1).get(match_driver.page).content.decode()
        assert " hidden" in whole.search(before)[0]
        sent = post(match_driver.client(0), chat, text="Good luck & fun")
        assert (sent.status_code, sent.url) == (302, f"{match_driver.page}#match-chat")
        page = match_driver.client(1).get(match_driver.page).content.decode()
        assert ">Whole chat</a>" in page
        assert " hidden" not in whole.search(page)[0]
        assert "Good luck &amp; fun" in page
        assert re.search(r"data-chat-count>1<", page)

    @pytest.mark.parametrize("path", ["", "chat/", "0/", "?part=live"])
    def test_spectators_and_visitors_see_nothing_of_the_players(self, match_driver, path):
        say(match_driver, 0, "between us")
        for seat in (2, None):
            answer = match_driver.client(seat).get(match_driver.page + path, follow=True)
            assert answer.status_code == 200
            assert b"between us" not in answer.content

    @pytest.mark.parametrize("path", ["", "chat/", "0/", "chat/?part=chat"])
    def test_players_see_nothing_of_the_spectators_before_the_end(self, match_driver, path):
        say(match_driver, 2, "Red is winning")
        assert b"Red is winning" in match_driver.client(3).get(match_driver.page + path).content
        assert b"Red is winning" not in match_driver.client(0).get(match_driver.page + path).content
        match_driver.act(matches.resign, 0)
        for seat in (0, None):
            page = match_driver.client(seat).get(match_driver.page + path)
            assert b"Red is winning" in page.content

    def test_a_line_opens_on_a_board_after_the_end(self, match_driver):
        match_driver.play("c3")
        say(match_driver, 0, "my plan")
        link = f'href="{match_driver.page}1/try/"'
        client = match_driver.client(0)
        assert link not in client.get(f"{match_driver.page}chat/").content.decode()
        match_driver.act(matches.resign, 0)
        assert link in client.get(f"{match_driver.page}chat/").content.decode()
        assert client.get(f"{match_driver.page}1/try/").url.startswith("/games/die/board/")

    def test_visitors_are_sent_to_sign_in(self, match_driver, chat):
        client = match_driver.client(None)
        assert client.get(chat).url == f"/account/login/?next={chat}"
        assert "/account/login/" in post(client, chat, text="x").url
        for path in ("chat/read/", "chat/mute/", "note/"):
            assert "/account/login/" in client.post(match_driver.page + path).url
        assert "/account/login/" in client.get("/account/chat/").url
        assert not Line.objects.exists()

    def test_guests_read_and_are_asked_to_join(self, match_driver, chat):
        guest = User.objects.create(username="guest-1234", is_guest=True)
        match_driver.match.players.filter(seat=1).update(user=guest)
        say(match_driver, 0)
        client = Client()
        client.force_login(guest)
        page = client.get(match_driver.page).content.decode()
        assert "hello" in page
        assert "guests only read" in page
        assert 'name="note"' not in page
        assert post(client, chat, text="x").status_code == 409
        assert client.post(f"{match_driver.page}note/", {"note": "x"}).url == "/account/signup/"
        assert client.get("/account/chat/").url == "/account/signup/"

    def test_a_match_that_is_not_there(self, match_driver):
        client = match_driver.client(0)
        assert client.get("/matches/99/chat/").status_code == 404
        for path in ("chat/", "chat/read/", "note/"):
            assert client.post(f"/matches/99/{path}", {"text": "x"}).status_code == 404


class TestWriting:
    def test_what_is_refused_stays_in_the_field(self, match_driver, chat):
        long = "x" * 501
        answer = post(match_driver.client(0), chat, text=long)
        assert answer.status_code == 422
        assert long in answer.content.decode()
        assert "too long" in answer.content.decode()

    def test_it_is_limited_and_says_so(self, match_driver, chat, settings):
        settings.FORM_LIMITS = {**settings.FORM_LIMITS, "chat": {"account": ["1/d"]}}
        client = match_driver.client(0)
        assert post(client, chat, text="one").status_code == 302
        answer = post(client, chat, text="two")
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) > 0
        assert ">two</textarea>" in answer.content.decode()
        assert Line.objects.count() == 1

    def test_scripts_get_the_part_and_a_fresh_id(self, match_driver, chat):
        sent = uuid4()
        answer = post(match_driver.client(0), f"{chat}?part=chat", text="x", submission=str(sent))
        page = answer.content.decode()
        assert answer.status_code == 200
        assert "<html" not in page
        assert str(sent) not in page

    def test_an_id_that_is_none_does_not_keep_anybody_from_writing(self, match_driver, chat):
        assert post(match_driver.client(0), chat, text="x", submission="?").status_code == 302


class TestReading:
    def test_the_page_of_the_chat_counts_as_read_and_the_part_does_not(self, match_driver, chat):
        say(match_driver, 0)
        client = match_driver.client(1)
        unread = 'data-unread="1"'
        client.get(match_driver.page)
        assert unread in client.get(f"{chat}?part=chat").content.decode()
        client.get(chat)
        assert unread not in client.get(f"{chat}?part=chat").content.decode()
        assert not Notification.objects.filter(kind="chat-message", seen_at=None).exists()

    def test_scripts_say_how_far_it_was_read(self, match_driver, chat):
        line = say(match_driver, 0)
        client = match_driver.client(1)
        for wrong in ("", "x", "-1", "9" * 30, "²"):
            assert client.post(f"{chat}read/", {"line": wrong}).status_code == 204
        assert not LastRead.objects.exists()
        client.post(f"{chat}read/", {"line": line.pk})
        assert LastRead.objects.get().line == line.pk

    def test_own_matches_show_what_is_new(self, match_driver, chat):
        say(match_driver, 0)
        link = f'href="{chat}"><span class="count">1</span>'
        assert link in match_driver.client(1).get("/home/").content.decode()
        assert link not in match_driver.client(0).get("/home/").content.decode()

    def test_old_lines_are_a_page_away(self, match_driver, chat):
        for number in range(120):
            Line.objects.create(
                match_id=match_driver.id,
                room="players",
                author=match_driver.people[0],
                version=0,
                text=f"line {number}.",
                created=timezone.now(),
                submission=uuid4(),
            )
        client = match_driver.client(1)
        page = client.get(chat).content.decode()
        assert "line 119." in page
        assert "line 19." not in page
        (older,) = re.findall(r'href="([^"]+)">Earlier lines', page)
        assert "line 19." in client.get(older).content.decode()

    def test_a_line_that_is_hidden_is_hidden_from_all(self, match_driver, chat):
        services.hide(say(match_driver, 0, "something vile"), now=timezone.now())
        for seat in (0, 1):
            page = match_driver.client(seat).get(chat).content.decode()
            assert "something vile" not in page
            assert "Hidden by a moderator" in page


class TestText:
    def shown(self, match_driver, text, last=20):
        line = Line(match_id=match_driver.id, text=text)
        return macro("talk/text.html", "chat_text", line, last)

    @pytest.mark.parametrize(
        ("text", "link"),
        [
            ("why 14. c4 and not d5?", "14. c4"),
            ("14.", "14."),
            ("see 3. then", "3."),
            ("(7. b12)", "7. b12"),
            ("14. P>i1", "14."),
            ("13. c4, 14. I think", "14."),
            ("14. c4 Dezember", "14. c4"),
        ],
    )
    def test_positions_lead_to_the_step(self, match_driver, text, link):
        number = link.partition(".")[0]
        wanted = f'<a href="{match_driver.page}{number}/" data-n="{number}">{link}</a>'
        assert wanted in self.shown(match_driver, text)

    @pytest.mark.parametrize(
        "text",
        [
            *("21. c4", "3.5 stones", "v1.14. x", "99999999. a1", "x14."),
            *("am 14. Dezember", "den 14. december", "der 3. Zug", "14.Dezember", "14. číslo"),
            *("第14.", "14. 月"),
        ],
    )
    def test_other_numbers_lead_nowhere(self, match_driver, text):
        assert "<a" not in self.shown(match_driver, text)

    def test_addresses_are_links_that_take_nothing_along(self, match_driver):
        shown = self.shown(match_driver, "see https://example.org/a?b=1&c=2.")
        assert 'href="https://example.org/a?b=1&amp;c=2"' in shown
        assert 'rel="nofollow noopener noreferrer ugc"' in shown
        assert shown.endswith("</a>.")

    @pytest.mark.parametrize(
        ("text", "link"),
        [
            *((f"see {WIKI}Go_(game){end}", f"{WIKI}Go_(game)") for end in ("", ".", "?", " it")),
            (f"(see {WIKI}Go_(game))", f"{WIKI}Go_(game)"),
            (f"({WIKI}Go).", f"{WIKI}Go"),
            (f"[{WIKI}Go_(game)_[1]],", f"{WIKI}Go_(game)_[1]"),
            (f"詳細は{WIKI}Goです。", f"{WIKI}Go"),
            (f"{WIKI}Go。次", f"{WIKI}Go"),
            (f"({WIKI}Go)、", f"{WIKI}Go"),
            (f"（{WIKI}Go）", f"{WIKI}Go"),
            (f"{WIKI}Go…", f"{WIKI}Go"),
            (f"„{WIKI}Go“", f"{WIKI}Go"),
            (f"{WIKI}Grüße, ja", f"{WIKI}Grüße"),
            (f"{WIKI}Го.", f"{WIKI}Го"),
            ("https://example.org:8000/?q=a,b;c#d!", "https://example.org:8000/?q=a,b;c#d"),
        ],
    )
    def test_an_address_ends_where_people_end_it(self, match_driver, text, link):
        shown = self.shown(match_driver, text)
        assert re.findall('href="([^"]*)"', shown) == [link]
        assert re.sub("<[^>]*>", "", shown) == text

    @pytest.mark.parametrize(
        "text", ["https://", "https://)", "http://.", "https://。", "xhttps://"]
    )
    def test_what_is_no_address_is_no_link(self, match_driver, text):
        assert self.shown(match_driver, text) == text

    @pytest.mark.parametrize(
        "text",
        [
            "<script>alert(1)</script>",
            "https://x.example/<script>",
            'https://x.example/"onclick=alert(1)',
            "javascript:alert(1)",
            "14. <img src=x>",
        ],
    )
    def test_nothing_in_it_is_markup(self, match_driver, text):
        shown = self.shown(match_driver, text)
        assert not re.search(r"<(?!/?a[ >]|br>)", shown)
        assert not re.search(r"<a[^>]*(javascript|onclick)", shown)


class TestMuting:
    def test_a_line_mutes_its_author_and_the_account_takes_it_back(self, match_driver, chat):
        say(match_driver, 1, "blah")
        client = match_driver.client(0)
        assert b"blah" in client.get(chat).content
        answer = client.post(f"{chat}mute/", {"user": match_driver.people[1].pk})
        assert answer.url == f"{match_driver.page}#match-chat"
        assert b"blah" not in client.get(chat).content
        assert b"bruno" in client.get("/account/people/").content
        assert client.post("/account/chat/unmute/bruno/").url == "/account/people/#chat"
        assert b"blah" in client.get(chat).content

    @pytest.mark.parametrize("who", ["", "x", "0", "9" * 30])
    def test_nobody(self, match_driver, chat, who):
        assert match_driver.client(0).post(f"{chat}mute/", {"user": who}).status_code == 404

    def test_not_oneself(self, match_driver, chat):
        ada = match_driver.people[0]
        assert match_driver.client(0).post(f"{chat}mute/", {"user": ada.pk}).status_code == 404
        assert not Muting.objects.exists()


class TestNotes:
    def test_a_note_is_shown_to_its_writer_alone(self, match_driver):
        client = match_driver.client(0)
        kept = client.post(f"{match_driver.page}note/", {"note": "attack <here>"})
        assert kept.url == f"{match_driver.page}#match-note"
        assert b"attack &lt;here&gt;" in client.get(match_driver.page).content
        assert b"attack" not in match_driver.client(1).get(match_driver.page).content
        client.post(f"{match_driver.page}note/", {"note": ""})
        assert not PrivateNote.objects.exists()

    def test_one_that_is_too_long_stays_in_the_field(self, match_driver):
        answer = match_driver.client(0).post(f"{match_driver.page}note/", {"note": "x" * 4001})
        assert answer.status_code == 422
        assert "x" * 4001 in answer.content.decode()


def test_the_greeting_is_kept_and_refused(match_driver):
    client = match_driver.client(0)
    client.post("/account/chat/", {"text": "Have fun!"})
    assert Greeting.objects.get().text == "Have fun!"
    assert b"Have fun!" in client.get("/account/people/").content
    answer = client.post("/account/chat/", {"text": "x" * 501})
    assert answer.status_code == 200
    assert b'class="field-errors"' in answer.content
    client.post("/account/chat/", {"text": ""})
    assert not Greeting.objects.exists()


class TestReports:
    def test_one_click_reports_a_line(self, match_driver):
        line = say(match_driver, 1, "something vile")
        answer = match_driver.client(0).post(f"/report/chat-line/{line.pk}/now/")
        assert answer.url == f"{match_driver.page}#match-chat"
        report = Report.objects.select_related("case").get()
        assert report.subject == f"chat-line:{line.pk}"
        assert report.case.suspect == match_driver.people[1]
        assert report.case.kind == Case.Kind.ABUSE

    def test_the_form_takes_it_for_something_else(self, match_driver):
        line = say(match_driver, 1, "buy stones")
        client, path = match_driver.client(0), f"/report/chat-line/{line.pk}/"
        assert b"buy stones" in client.get(path).content
        sent = {"suspect": match_driver.people[1].pk, "kind": "spam", "text": ""}
        assert client.post(path, sent).status_code == 302
        assert Report.objects.get().case.kind == Case.Kind.SPAM

    def test_only_who_may_read_a_line_can_report_it(self, match_driver):
        line = say(match_driver, 1)
        for path in ("", "now/"):
            answer = match_driver.client(2).post(f"/report/chat-line/{line.pk}/{path}")
            assert answer.status_code == 404

    @pytest.mark.parametrize("name", ["player", "match", "nothing"])
    def test_nothing_else_is_reported_in_one_step(self, match_driver, name):
        client = match_driver.client(0)
        for number in (match_driver.id, match_driver.people[1].pk):
            assert client.post(f"/report/{name}/{number}/now/").status_code == 404
        assert not Report.objects.exists()


def test_blocked_people_see_nothing_of_each_other(match_driver, chat):
    say(match_driver, 0, "before the quarrel")
    ada, bruno = match_driver.people[:2]
    blocks.block(user=ada, other=bruno, now=timezone.now())
    page = match_driver.client(1).get(match_driver.page).content.decode()
    assert "before the quarrel" not in page
    assert "Nobody here can read what you write" in page
    assert post(match_driver.client(1), chat, text="x").status_code == 409
