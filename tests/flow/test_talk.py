"""Chat: readers, writers, notifications and deletion; notes and greetings."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts import blocks, deletion, notifications, personal_data, presence
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services as match_services
from games.matches.errors import NoSuchMatch, NotAPlayer
from games.matches.notify.notifications import page_key
from games.talk import selectors, services
from games.talk.errors import MayNotWrite, NoLine
from games.talk.models import Greeting, LastRead, Line, Muting, PrivateNote, Room
from games.talk.notifications import CHAT_MESSAGE
from tests.fixtures import NOW


def say(play, user, text="hello", **how):
    how = {"submission": uuid4(), "now": NOW, **how}
    return services.say(match_id=play.id, user=user, text=text, **how).line


def texts(play, user, room=None):
    return [line.text for line in selectors.readable(play.id, user, room)]


def end(play):
    play.act(match_services.resign, 0)


def told(user):
    return Notification.objects.filter(recipient=user, kind=CHAT_MESSAGE)


class TestReading:
    def test_players_read_each_other_and_nobody_else_does_while_it_runs(self, play):
        ada, bruno, clara, _ = play.people
        say(play, ada)
        assert texts(play, bruno) == texts(play, ada) == ["hello"]
        assert texts(play, clara) == []
        with pytest.raises(NotAPlayer):
            texts(play, clara, Room.PLAYERS)

    def test_players_read_spectators_only_after_the_end(self, play):
        ada, _, clara, daniel = play.people
        say(play, clara, "Ada should take two")
        assert texts(play, daniel) == ["Ada should take two"]
        with pytest.raises(NotAPlayer):
            texts(play, ada, Room.SPECTATORS)
        end(play)
        assert texts(play, ada, Room.SPECTATORS) == ["Ada should take two"]
        assert texts(play, clara, Room.PLAYERS) == []

    def test_guests_read_no_spectators_while_it_runs(self, play):
        guest = User.objects.create(username="guest-1234", is_guest=True)
        say(play, play.people[2])
        with pytest.raises(NotAPlayer):
            texts(play, guest)

    def test_a_block_hides_lines_between_two_of_three_and_nothing_else(self, start):
        play = start(seats=3)
        ada, bruno, clara, _ = play.people
        blocks.block(user=ada, other=bruno, now=NOW)
        for user in (ada, bruno, clara):
            say(play, user, user.username)
        assert texts(play, ada) == ["ada", "clara"]
        assert texts(play, bruno) == ["bruno", "clara"]
        assert texts(play, clara) == ["ada", "bruno", "clara"]

    def test_who_is_muted_is_read_by_the_others_and_reads_on(self, start):
        play = start(seats=3)
        ada, bruno, clara, _ = play.people
        services.mute(user=ada, other=bruno, now=NOW)
        say(play, bruno)
        say(play, ada, "to all")
        assert texts(play, ada) == ["to all"]
        assert texts(play, bruno) == texts(play, clara) == ["hello", "to all"]
        services.unmute(user=ada, other=bruno)
        assert texts(play, ada) == ["hello", "to all"]

    def test_a_match_that_is_not_there(self, people):
        with pytest.raises(NoSuchMatch):
            selectors.readable(99, people[0])


class TestWriting:
    @pytest.mark.parametrize("text", ["", " \n ", "\x00\u202e", "x" * 501])
    def test_what_is_no_line(self, play, text):
        with pytest.raises(NoLine):
            say(play, play.people[0], text)
        assert not Line.objects.exists()

    def test_what_cannot_be_seen_is_left_out(self, play):
        assert say(play, play.people[0], " a\x00b\u202ec\r\nd ").text == "abc\nd"

    def test_the_same_submission_is_written_once(self, play):
        ada, submission = play.people[0], uuid4()
        first = say(play, ada, submission=submission)
        assert say(play, ada, "again", submission=submission) == first
        assert say(play, play.people[1], submission=submission) != first
        assert Line.objects.count() == 2

    def test_guests_and_muted_people_only_read(self, play):
        ada, bruno = play.people[:2]
        until = NOW + timedelta(days=1)
        standing.impose(
            ada, Sanction.Kind.MUTE, reason="rude", moderator=bruno, now=NOW, until=until
        )
        bruno.is_guest = True
        for user, words in ((ada, "may not write"), (bruno, "guests only read")):
            with pytest.raises(MayNotWrite, match=words):
                say(play, user)
        assert say(play, ada, now=until + timedelta(seconds=1))

    def test_between_two_a_block_ends_it_and_tells_nobody_who_blocked(self, play):
        ada, bruno = play.people[:2]
        blocks.block(user=ada, other=bruno, now=NOW)
        sentences = set()
        for user in (ada, bruno):
            with pytest.raises(MayNotWrite) as refused:
                say(play, user)
            sentences.add(str(refused.value))
        (sentence,) = sentences
        assert "ada" not in sentence
        assert "bruno" not in sentence

    def test_bots_have_no_chat(self, play):
        play.match.players.filter(seat=1).update(is_bot=True)
        with pytest.raises(MayNotWrite, match="reads a chat"):
            say(play, play.people[0])


class TestUnread:
    def test_lines_of_others_count_until_they_are_read(self, play):
        ada, bruno = play.people[:2]
        lines = [say(play, bruno) for _ in range(3)]
        say(play, ada)
        assert selectors.unread(ada, [play.id]) == {play.id: 3}
        services.mark_read(match_id=play.id, user=ada, line_id=lines[1].pk)
        assert selectors.unread(ada, [play.id]) == {play.id: 1}
        services.mark_read(match_id=play.id, user=ada, line_id=lines[0].pk)
        assert selectors.unread(ada, [play.id]) == {play.id: 1}
        services.mark_read(match_id=play.id, user=ada, line_id=10**15)
        assert selectors.unread(ada, [play.id]) == {}

    def test_what_cannot_be_read_does_not_count(self, start):
        play = start(seats=3)
        ada, bruno, clara, _ = play.people
        services.mute(user=ada, other=bruno, now=NOW)
        say(play, bruno)
        services.hide(say(play, clara), now=NOW)
        assert selectors.unread(ada, [play.id]) == {}

    @pytest.mark.parametrize("is_own", [True, False])
    def test_lines_of_somebody_kept_apart_do_not_count(self, start, is_own):
        play = start(seats=3)
        ada, bruno, clara, _ = play.people
        say(play, bruno)
        say(play, clara)
        user, other = (ada, bruno) if is_own else (bruno, ada)
        blocks.block(user=user, other=other, now=NOW)
        assert selectors.unread(ada, [play.id]) == {play.id: 1}

    def test_most_lists_have_nothing_to_read(self, play, django_assert_num_queries):
        with django_assert_num_queries(1):
            assert selectors.unread(play.people[0], [play.id]) == {}


class TestNotifications:
    def test_one_for_a_match_until_it_is_seen(self, play):
        ada, bruno = play.people[:2]
        for _ in range(3):
            say(play, ada)
        assert told(bruno).count() == 1
        assert not told(ada).exists()
        notifications.mark_seen(recipient=bruno, now=NOW, page_keys=[page_key(play.id)])
        say(play, ada)
        assert told(bruno).count() == 2

    def test_it_says_who_wrote_what_and_goes_when_it_is_read(self, play):
        ada, bruno = play.people[:2]
        line = say(play, ada, "<b>bold</b>")
        email = notifications.render(told(bruno).get())
        assert email.subject == f"ada wrote in Heap, match {play.id}"
        assert "ada: <b>bold</b>" in email.text
        assert "&lt;b&gt;bold" in email.html
        assert email.url == f"/matches/{play.id}/chat/"
        assert notifications.listed(bruno).filter(kind=CHAT_MESSAGE).exists()
        services.mark_read(match_id=play.id, user=bruno, line_id=line.pk)
        assert not notifications.listed(bruno).filter(kind=CHAT_MESSAGE).exists()
        assert "read it since" in notifications.render(told(bruno).get()).text

    def test_nobody_is_told_who_looks_at_the_match_or_cannot_read_it(self, start):
        play = start(seats=3)
        ada, bruno, clara, _ = play.people
        presence.touch(bruno.pk, page_key(play.id), now=NOW)
        services.mute(user=clara, other=ada, now=NOW)
        say(play, ada)
        assert not Notification.objects.filter(kind=CHAT_MESSAGE).exists()

    def test_spectators_are_told_nothing(self, play):
        say(play, play.people[2])
        assert not Notification.objects.filter(kind=CHAT_MESSAGE).exists()


class TestGreetings:
    def begin(self, creator, other):
        made = lobby.challenge(
            creator=creator,
            title="heap",
            params={},
            clock=None,
            seats=2,
            audience=Challenge.Audience.OPEN,
            invited=(),
            now=NOW,
        )
        return lobby.accept(challenge_id=made.pk, user=other, now=NOW).match

    def test_it_is_written_when_a_match_begins_and_tells_nobody(self, toy, people):
        ada, bruno = people[:2]
        services.set_greeting(user=ada, text="Have fun!")
        match = self.begin(bruno, ada)
        (line,) = Line.objects.filter(match=match)
        assert (line.text, line.author, line.room) == ("Have fun!", ada, Room.PLAYERS)
        assert not Notification.objects.filter(kind=CHAT_MESSAGE).exists()
        services.set_greeting(user=ada, text=" ")
        assert not Line.objects.filter(match=self.begin(bruno, ada)).exists()

    def test_who_may_not_write_greets_nobody(self, toy, people):
        ada, bruno = people[:2]
        services.set_greeting(user=ada, text="Have fun!")
        until = NOW + timedelta(days=1)
        standing.impose(
            ada, Sanction.Kind.MUTE, reason="rude", moderator=bruno, now=NOW, until=until
        )
        assert not Line.objects.filter(match=self.begin(bruno, ada)).exists()


def test_notes_are_kept_changed_and_deleted(play):
    ada = play.people[0]
    for text, kept in (("take two", "take two"), ("or three ", "or three"), (" ", "")):
        services.keep_note(match_id=play.id, user=ada, text=text, now=NOW)
        assert selectors.note_of(ada, play.id) == kept
    assert not PrivateNote.objects.exists()


def test_what_one_has_written_is_in_ones_data_and_goes_with_the_account(play):
    ada, bruno = play.people[:2]
    line = say(play, ada, "my words")
    kept = say(play, bruno, "his words")
    services.mark_read(match_id=play.id, user=ada, line_id=line.pk)
    services.keep_note(match_id=play.id, user=ada, text="my note", now=NOW)
    services.set_greeting(user=ada, text="my greeting")
    services.mute(user=ada, other=bruno, now=NOW)
    services.mute(user=bruno, other=ada, now=NOW)
    found = personal_data.export(ada)["talk"]
    assert [one["text"] for one in found["lines"]] == ["my words"]
    assert found["notes"][0]["text"] == "my note"
    assert found["greeting"] == "my greeting"
    assert found["muted_players"][0]["player"] == "bruno"
    assert "his words" not in str(found)
    deletion.ask(ada, now=NOW)
    deletion.delete_due(now=NOW + deletion.CANCELLATION_PERIOD)
    assert list(Line.objects.all()) == [kept]
    for model in (PrivateNote, Greeting, Muting, LastRead):
        assert not model.objects.exists(), model
