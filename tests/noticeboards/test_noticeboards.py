"""Noticeboards: who writes and reads, who is notified, and what moderators do."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts import blocks, personal_data
from accounts.models import Notification
from accounts.notifications import listed
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.clubs import services as clubs
from games.clubs.models import Club
from games.events import services as events
from games.events.models import CoOrganiser, Entry
from games.matches.errors import Refused
from games.moderation import actions, subjects
from games.moderation.errors import ModerationRefused, NotYours
from games.moderation.models import Case, ModeratorAction
from games.noticeboards import selectors, services
from games.noticeboards.boards import Board
from games.noticeboards.errors import NoSuchTopic
from games.noticeboards.models import Post, Reading, Topic
from games.noticeboards.notifications import people_in
from games.talk import services as talk
from tests.clubs.clubs import club, found
from tests.events.test_event_pages import announced
from tests.fixtures import NOW
from tests.match_driver import fresh_cache
from tests.moderation import reported, told
from tests.people import sign_in_staff

__all__ = ["club", "fresh_cache"]

MINUTE = timedelta(minutes=1)
LINK = "See https://shop.example.org now."
DIE = Board(game="die")


def begin(board, user, text="Hello.", *, subject="A subject", now=NOW, submission=None):
    how = {"subject": subject, "text": text, "submission": submission or uuid4()}
    return services.begin(board=board, user=user, now=now, **how)


def reply(post, user, text="I agree.", now=NOW, submission=None):
    how = {"text": text, "submission": submission or uuid4(), "now": now}
    return services.reply(topic_id=post.topic_id, user=user, **how)


def shown(board, user):
    return [topic.subject for topic in selectors.topics(board, user)]


def count(user, kind):
    return Notification.objects.filter(recipient=user, kind=kind).count()


def client_of(user=None):
    client = Client()
    if user:
        client.force_login(user)
    return client


def text(answer):
    return answer.content.decode()


# --- Mentions -----------------------------------------------------------------------------------


def test_names_of_players_are_links_to_their_profiles(people):
    ada = people[0]
    begin(DIE, ada)
    written = "@Bruno and @nobody: `@clara` [@clara](https://example.org/) me@daniel"
    post = begin(DIE, ada, written)
    reply(post, people[2], "I agree, @bruno. So does @daniel!")
    page = text(client_of().get(post.topic.get_absolute_url()))
    first, second = page.split('<li id="post-')[1:]
    link = '<a href="/players/{}/" rel="nofollow ugc noopener">{}</a>'
    assert link.format("bruno", "@Bruno") in first
    assert first.count("/players/") == 2, "with its author"
    assert link.format("bruno", "@bruno") in second
    assert link.format("daniel", "@daniel") in second
    assert count(people[1], "board-mention") == 2


def test_names_in_a_page_of_posts_take_one_query(people, django_assert_num_queries):
    posts = [Post(text=f"@ada, @bruno and @nobody{number}") for number in range(20)]
    with django_assert_num_queries(1):
        assert sorted(people_in(posts)) == ["ada", "bruno"]
    with django_assert_num_queries(0):
        assert people_in([Post(text="Nobody.")]) == {}


# --- Tournaments --------------------------------------------------------------------------------


@pytest.fixture
def cup(people, toy):
    """A tournament of Ada's that Bruno has entered."""
    made = announced(people[0], title="heap")
    events.join(tournament_id=made.pk, user=people[1], now=NOW)
    return made


def test_players_and_organisers_of_a_tournament_write_and_everybody_reads(people, cup):
    ada, bruno, clara, daniel = people
    board = Board(tournament=cup)
    post = begin(board, ada, subject="Welcome")
    reply(post, bruno)
    with pytest.raises(Refused, match="Only the players and organisers"):
        reply(post, clara)
    CoOrganiser.objects.create(tournament=cup, user=clara, asked=NOW)
    with pytest.raises(Refused, match="Only the players and organisers"):
        reply(post, clara)
    CoOrganiser.objects.update(accepted=NOW)
    reply(post, clara)
    assert count(ada, "board-reply") == 2
    for user in (daniel, None):
        page = text(client_of(user).get(cup.get_absolute_url()))
        assert "Welcome" in page
        assert "New topic" not in page
        assert "I agree." in text(client_of(user).get(post.topic.get_absolute_url()))
    assert "New topic" in text(client_of(bruno).get(cup.get_absolute_url()))
    assert shown(DIE, ada) == []


@pytest.mark.parametrize(("why", "writes"), [("withdrew", True), ("removed", False)])
def test_who_was_removed_from_a_tournament_no_longer_writes(people, cup, why, writes):
    Entry.objects.filter(user=people[1]).update(left=NOW, why=why)
    assert (Board(tournament=cup).refusal(people[1], NOW) == "") == writes


def test_the_pages_of_a_tournaments_board(people, cup):
    ada, bruno, *_ = people
    address = f"{cup.get_absolute_url()}noticeboard/"
    sent = {"subject": "Welcome", "text": "Hello, @bruno."}
    client = client_of(ada)
    answer = client.post(f"{address}new/", sent, follow=True)
    assert "Welcome" in text(answer)
    assert count(bruno, "board-mention") == 1
    assert "Welcome" in text(client_of().get(address))
    assert "ada in Welcome" in text(client_of().get(f"{address}feed.atom"))
    assert client_of().get("/events/999/noticeboard/").status_code == 404
    listed_by_api = client_of().get(f"/api/v1/events/{cup.pk}/noticeboard/").json()
    assert [one["subject"] for one in listed_by_api["items"]] == ["Welcome"]


# --- Writing ------------------------------------------------------------------------------------


def test_topics_are_listed_by_their_last_post(people):
    ada, bruno = people[:2]
    first = begin(DIE, ada, subject="First")
    begin(DIE, bruno, subject="Second", now=NOW + MINUTE)
    assert shown(DIE, ada) == ["Second", "First"]
    reply(first, bruno, now=NOW + 2 * MINUTE)
    assert shown(DIE, ada) == ["First", "Second"]
    first.topic.refresh_from_db()
    assert first.topic.posts_shown == 2


def test_what_is_sent_twice_is_posted_once(people):
    ada, bruno = people[:2]
    post = begin(DIE, ada, submission=UUID(int=1))
    assert begin(DIE, ada, submission=UUID(int=1)) == post
    reply(post, bruno, submission=UUID(int=2))
    reply(post, bruno, submission=UUID(int=2))
    assert (Topic.objects.count(), Post.objects.count()) == (1, 2)
    assert count(ada, "board-reply") == 1


@pytest.mark.parametrize("flaw", ["", " \u200b", "x" * 4001])
def test_an_empty_or_long_text_is_refused(people, flaw):
    with pytest.raises(Refused):
        begin(DIE, people[0], text=flaw)
    post = begin(DIE, people[0])
    with pytest.raises(Refused):
        reply(post, people[1], text=flaw)
    with pytest.raises(Refused):
        services.edit(post_id=post.pk, user=people[0], text=flaw, now=NOW)
    assert Post.objects.get().text == "Hello."


def test_a_topic_needs_a_subject_of_a_fair_length(people):
    for subject in ("", "x" * 101):
        with pytest.raises(Refused):
            begin(DIE, people[0], subject=subject)
    assert not Topic.objects.exists()


def test_guests_muted_and_unconfirmed_people_only_read(people):
    ada, bruno, clara, daniel = people
    post = begin(DIE, ada)
    bruno.is_guest = True
    bruno.save()
    EmailAddress.objects.create(user=clara, email=clara.email, verified=False)
    standing.impose(
        daniel,
        Sanction.Kind.MUTE,
        reason="A test.",
        moderator=ada,
        now=NOW,
        until=NOW + 60 * MINUTE,
    )
    for user in (bruno, clara, daniel):
        with pytest.raises(Refused):
            reply(post, user)
        with pytest.raises(Refused):
            begin(DIE, user)
        assert shown(DIE, user) == ["A subject"]


def test_only_members_write_on_the_board_of_a_club(people, club):
    board = Board(club=club)
    post = begin(board, people[1])
    with pytest.raises(Refused, match="Only members"):
        reply(post, people[2])
    assert shown(board, people[2]) == ["A subject"]


def test_the_board_of_a_private_club_is_for_members(people):
    made = found(people[0], admission=Club.Admission.REQUEST, is_private=True)
    board = Board(club=made)
    post = begin(board, people[0], text="Our @bruno secret.")
    assert not board.may_read(people[1])
    for ask in (
        lambda: selectors.topic(post.topic_id, people[1]),
        lambda: selectors.post(post.pk, people[1]),
        lambda: services.follow(topic_id=post.topic_id, user=people[1], follows=True),
    ):
        with pytest.raises(NoSuchTopic):
            ask()
    assert count(people[1], "board-mention") == 0
    for path in ("noticeboard/", "noticeboard/feed.atom"):
        assert client_of(people[1]).get(f"/clubs/{made.pk}/{path}").status_code == 404
    assert client_of(people[0]).get(f"/clubs/{made.pk}/noticeboard/feed.atom").status_code == 404
    clubs.close(club_id=made.pk, leader=people[0], now=NOW)
    with pytest.raises(NoSuchTopic):
        selectors.topic(post.topic_id, people[0])


def test_a_full_topic_takes_no_more(people, monkeypatch):
    monkeypatch.setattr(services, "MAX_POSTS", 1)
    with pytest.raises(Refused, match="Begin a new one"):
        reply(begin(DIE, people[0]), people[1])


def test_posts_are_edited_for_ten_minutes_by_their_authors(people):
    post = begin(DIE, people[0])
    with pytest.raises(NoSuchTopic):
        services.edit(post_id=post.pk, user=people[1], text="Mine.", now=NOW)
    services.edit(post_id=post.pk, user=people[0], text="Better.", now=NOW + 10 * MINUTE)
    with pytest.raises(Refused, match="ten minutes"):
        services.edit(post_id=post.pk, user=people[0], text="Late.", now=NOW + 11 * MINUTE)
    post.refresh_from_db()
    assert (post.text, post.edited) == ("Better.", NOW + 10 * MINUTE)


# --- Notifications ------------------------------------------------------------------------------


def test_followers_hear_of_replies_until_they_read_them(people):
    ada, bruno, clara = people[:3]
    post = begin(DIE, ada)
    services.follow(topic_id=post.topic_id, user=clara, follows=True)
    for _ in range(2):
        answer = reply(post, bruno)
    assert [count(user, "board-reply") for user in (ada, bruno, clara)] == [2, 0, 2]
    assert listed(ada).count() == 1
    services.mark_read(post.topic, ada, answer.pk)
    assert listed(ada).count() == 0
    services.follow(topic_id=post.topic_id, user=clara, follows=False)
    assert listed(clara).count() == 0


def test_mentions_notify_once_and_not_those_who_do_not_listen(people):
    ada, bruno, clara, daniel = people
    blocks.block(user=clara, other=ada, now=NOW)
    talk.mute(user=daniel, other=ada, now=NOW)
    post = begin(DIE, ada, text="@bruno @BRUNO @clara @daniel @ada @nobody me@bruno.example")
    assert [count(user, "board-mention") for user in people] == [0, 1, 0, 0]
    services.edit(post_id=post.pk, user=ada, text="@bruno again", now=NOW)
    assert count(bruno, "board-mention") == 1


def test_mentions_are_bounded(people, monkeypatch):
    monkeypatch.setattr("games.noticeboards.notifications.MAX_MENTIONS", 1)
    begin(DIE, people[0], text="@bruno @clara")
    assert [count(user, "board-mention") for user in people[1:3]] == [1, 0]


def test_blocked_and_muted_authors_are_not_read(people):
    ada, bruno, clara = people[:3]
    post = begin(DIE, ada)
    other = reply(post, bruno)
    talk.mute(user=clara, other=bruno, now=NOW)
    assert other not in selectors.posts(post.topic, clara)
    blocks.block(user=ada, other=clara, now=NOW)
    assert shown(DIE, clara) == []
    assert shown(DIE, bruno) == ["A subject"]


def test_unread_topics_are_marked(people):
    ada, bruno = people[:2]
    post = begin(DIE, ada)
    assert [topic.is_unread for topic in selectors.topics(DIE, ada)] == [False]
    assert [topic.is_unread for topic in selectors.topics(DIE, bruno)] == [True]
    client_of(bruno).get(f"/topics/{post.topic_id}/")
    assert [topic.is_unread for topic in selectors.topics(DIE, bruno)] == [False]
    reply(post, ada)
    assert [topic.is_unread for topic in selectors.topics(DIE, bruno)] == [True]


# --- First posts with links -----------------------------------------------------------------------


def test_the_first_post_waits_if_it_has_a_link(people, moderator):
    ada, bruno = people[:2]
    post = begin(DIE, ada, text=f"@bruno {LINK}")
    assert post.waits
    assert shown(DIE, bruno) == []
    for user in (bruno, moderator):
        assert count(user, "board-mention") == 0
    with pytest.raises(NoSuchTopic):
        selectors.topic(post.topic_id, bruno)
    assert selectors.topic(post.topic_id, ada)
    assert begin(DIE, ada, text=LINK).waits
    actions.decide_post(post.pk, shows=True, moderator=moderator, now=NOW)
    assert shown(DIE, bruno) == ["A subject"]
    assert count(bruno, "board-mention") == 1
    assert not begin(DIE, ada, text=LINK).waits
    with pytest.raises(ModerationRefused, match="wait any more"):
        actions.decide_post(post.pk, shows=True, moderator=moderator, now=NOW)


@pytest.mark.parametrize("first", ["Hello.", "Hello @bruno."])
def test_a_link_that_is_edited_in_waits_as_well(people, first):
    post = begin(DIE, people[0], text=first)
    services.edit(post_id=post.pk, user=people[0], text=LINK, now=NOW)
    assert shown(DIE, people[1]) == []


def test_who_has_been_read_may_link(people):
    begin(DIE, people[0])
    assert not begin(DIE, people[0], text=LINK).waits


def test_a_moderator_hides_what_waits(people, moderator):
    post = begin(DIE, people[0], text=LINK)
    actions.decide_post(post.pk, shows=False, moderator=moderator, now=NOW)
    assert told(people[0]) == ["A post of yours is hidden"]
    assert ModeratorAction.objects.get().action == "hide-post"
    own = begin(DIE, moderator, text=LINK)
    with pytest.raises(NotYours):
        actions.decide_post(own.pk, shows=True, moderator=moderator, now=NOW)


def test_the_desk_lists_what_waits(client, people, moderator):
    post = begin(DIE, people[0], text=LINK)
    sign_in_staff(client, moderator)
    assert "shop.example.org" in text(client.get("/desk/"))
    client.post(f"/desk/posts/{post.pk}/")
    assert shown(DIE, people[1]) == ["A subject"]
    assert "shop.example.org" not in text(client.get("/desk/"))


# --- Moderators ---------------------------------------------------------------------------------


def test_a_post_is_reported_hidden_and_restored(people, moderator):
    ada, bruno, clara = people[:3]
    post = begin(DIE, ada)
    bad = reply(post, bruno, text="You fool.")
    how = {"name": "post", "subject_id": bad.pk}
    case = reported(0, clara, bruno, Case.Kind.ABUSE, **how).case
    assert "You fool." in subjects.find("post", bad.pk, clara).quote
    decided = {"moderator": moderator, "reason": "Abuse.", "now": NOW}
    actions.hide_post(case, bad.pk, restores=False, **decided)
    assert "You fool." not in text(client_of(clara).get(f"/topics/{post.topic_id}/"))
    post.topic.refresh_from_db()
    assert post.topic.posts_shown == 1
    with pytest.raises(ModerationRefused, match="hidden already"):
        actions.hide_post(case, bad.pk, restores=False, **decided)
    with pytest.raises(ModerationRefused, match="no post of this number"):
        actions.hide_post(case, post.pk, restores=False, **decided)
    actions.hide_post(case, bad.pk, restores=True, **decided)
    assert "You fool." in text(client_of(clara).get(f"/topics/{post.topic_id}/"))


def test_the_first_post_is_hidden_with_its_topic(people, moderator):
    post = begin(DIE, people[0])
    reply(post, people[1])
    services.hide(post, now=NOW)
    assert shown(DIE, people[1]) == []
    with pytest.raises(NoSuchTopic):
        selectors.topic(post.topic_id, people[1])
    with pytest.raises(NoSuchTopic):
        services.edit(post_id=post.pk, user=people[0], text="Again.", now=NOW)
    assert selectors.topic(post.topic_id, moderator)
    services.restore(post)
    assert shown(DIE, people[1]) == ["A subject"]


def test_what_a_user_wrote_goes_with_the_account(people):
    ada, bruno = people[:2]
    alone = begin(DIE, ada, subject="Alone")
    answered = begin(DIE, ada, subject="Answered by Bruno")
    reply(answered, bruno)
    assert len(personal_data.export(ada)["noticeboards"]["posts"]) == 2
    for part in personal_data.parts():
        part.delete(ada, NOW)
    assert not Topic.objects.filter(pk=alone.topic_id).exists()
    topic = Topic.objects.get()
    assert (topic.subject, topic.author, topic.posts_shown) == ("Deleted topic", None, 1)
    assert not Post.objects.filter(author=ada).exists()
    assert not Reading.objects.filter(user=ada).exists()
    assert "deleted player" in text(client_of(bruno).get("/games/die/noticeboard/"))


# --- Pages --------------------------------------------------------------------------------------


def test_a_topic_is_begun_read_and_answered(people, club):
    page = f"/clubs/{club.pk}/noticeboard/"
    assert "Nobody has written here yet" in text(client_of().get(page))
    ada, bruno = client_of(people[0]), client_of(people[1])
    assert "Only members of the club write here" in text(client_of(people[2]).get(page))
    refused = ada.post(f"{page}new/", {"subject": "", "text": "Welcome, **all**."})
    assert refused.status_code == 422
    assert "Welcome, **all**." in text(refused)
    ada.post(f"{page}new/", {"subject": "Welcome", "text": "Welcome, **all**."})
    topic = Topic.objects.get()
    visitor = text(client_of().get(f"/topics/{topic.pk}/"))
    assert "<strong>all</strong>" in visitor
    assert "Sign in to write" in visitor
    assert ">new</span>" in text(bruno.get(page))
    answer = bruno.post(f"/topics/{topic.pk}/", {"text": "x" * 4001})
    assert answer.status_code == 422
    assert "x" * 4001 in text(answer)
    bruno.post(f"/topics/{topic.pk}/", {"text": "Thank you."})
    assert "Thank you." in text(ada.get(f"/topics/{topic.pk}/"))
    assert "Welcome" in text(client_of().get(f"/clubs/{club.pk}/"))
    outsider = client_of(people[2]).post(f"/topics/{topic.pk}/", {"text": "And me?"})
    assert outsider.status_code == 409
    assert "And me?" in text(outsider)


def test_a_post_is_edited_on_its_page(people):
    post = begin(DIE, people[0], now=timezone.now())
    ada = client_of(people[0])
    assert "Edit" in text(ada.get(f"/topics/{post.topic_id}/"))
    assert "Hello." in text(ada.get(f"/posts/{post.pk}/edit/"))
    ada.post(f"/posts/{post.pk}/edit/", {"text": "Better."})
    assert "Better." in text(ada.get(f"/topics/{post.topic_id}/"))
    assert client_of(people[1]).get(f"/posts/{post.pk}/edit/").status_code == 404


def test_a_long_topic_has_pages_and_posts_have_addresses(people):
    post = begin(DIE, people[0])
    for number in range(1, 40):
        last = reply(post, people[1], text=f"Number {number}.", now=NOW + number * MINUTE)
    page = text(client_of().get(f"/topics/{post.topic_id}/"))
    assert "Later posts" in page
    assert "Number 39." not in page
    found = text(client_of().get(f"/posts/{last.pk}/", follow=True))
    assert "Number 39." in found
    assert "Earlier posts" in found


def test_following_is_a_button(people):
    post = begin(DIE, people[0])
    bruno = client_of(people[1])
    bruno.post(f"/topics/{post.topic_id}/follow/")
    assert "Unfollow" in text(bruno.get(f"/topics/{post.topic_id}/"))
    bruno.post(f"/topics/{post.topic_id}/follow/", {"unfollow": "1"})
    assert not selectors.follows(post.topic, people[1])


def test_each_board_has_a_feed(people, club):
    begin(Board(club=club), people[0], subject="Ours")
    begin(DIE, people[0], subject="Of the game")
    begin(DIE, people[2], subject="Waits", text=LINK)
    for path, here, there in (
        (f"/clubs/{club.pk}/", "Ours", "Of the game"),
        ("/games/die/", "Of the game", "Ours"),
    ):
        answer = client_of().get(f"{path}noticeboard/feed.atom")
        assert answer["Content-Type"].startswith("application/atom+xml")
        feed = text(answer)
        assert here in feed
        assert there not in feed
        assert "Waits" not in feed


def test_a_program_reads_boards(client, people, club):
    post = begin(Board(club=club), people[0], subject="Ours")
    reply(post, people[1])
    [topic] = client.get(f"/api/v1/clubs/{club.pk}/noticeboard/").json()["items"]
    assert (topic["subject"], topic["author"], topic["posts"]) == ("Ours", "ada", 2)
    posts = client.get(f"/api/v1/topics/{post.topic_id}/").json()["items"]
    assert [one["text"] for one in posts] == ["Hello.", "I agree."]
    assert client.get("/api/v1/games/die/noticeboard/").json()["items"] == []
    for path in ("games/nothing/noticeboard/", "clubs/999/noticeboard/", "topics/999/"):
        assert client.get(f"/api/v1/{path}").status_code == 404


@pytest.mark.parametrize("path", ["/games/die/noticeboard/", "/topics/{}/"])
def test_queries_do_not_grow(people, path, django_assert_max_num_queries):
    post = begin(DIE, people[0])
    reader = client_of(people[1])
    reader.get(path.format(post.topic_id))
    with django_assert_max_num_queries(100) as few:
        reader.get(path.format(post.topic_id))
    count_before = len(few.captured_queries)
    assert count_before
    for _ in range(8):
        begin(DIE, people[2])
        reply(post, people[3])
    reader.get(path.format(post.topic_id))
    with django_assert_max_num_queries(count_before):
        reader.get(path.format(post.topic_id))


def test_an_open_topic_says_how_many_replies_of_others_came(people, moderator):
    ada, bruno, clara = people[:3]
    first = begin(DIE, ada)
    page = f"/topics/{first.topic_id}/"
    news = f"{page}news/{first.pk}/"
    assert f'data-poll="{news}"' in text(client_of(ada).get(page))
    assert "repl" not in text(client_of(ada).get(news))
    second = reply(first, bruno)
    assert ">1 new reply<" in text(client_of(ada).get(news))
    assert "repl" not in text(client_of(bruno).get(news))
    third = reply(first, bruno)
    # It waits for a moderator.
    reply(first, clara, LINK)
    said = text(client_of(ada).get(news))
    assert ">2 new replies<" in said
    assert f'href="/posts/{second.pk}/"' in said
    services.hide(second, now=NOW)
    assert f'href="/posts/{third.pk}/">1 new reply<' in text(client_of().get(news))
    blocks.block(user=ada, other=bruno, now=NOW)
    assert "repl" not in text(client_of(ada).get(news))


def test_the_news_of_a_topic_in_a_private_club_are_for_members(people):
    ada, bruno = people[:2]
    made = found(ada, is_private=True, admission="request")
    first = begin(Board(club=made), ada)
    news = f"/topics/{first.topic_id}/news/{first.pk}/"
    assert client_of(ada).get(news).status_code == 200
    assert client_of(bruno).get(news).status_code == 404
