"""Bookmarks of positions and their collections: who sees them, what forms do, where they end."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import deletion, personal_data
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.matches import services
from games.moderation.models import Report
from games.records import collections, imports
from games.records.errors import MayNotCollect
from games.records.models import Bookmark, Collection
from tests.fixtures import NOW
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


@pytest.fixture
def ended(match_driver):
    match_driver.act(services.resign, 0)
    return match_driver


def taken_in(play, user):
    data = play.client(None).get(f"{play.page}export.json").content
    return imports.take_in(user=user, data=data, now=NOW)


def make(user, name="Gems", **how):
    return collections.make(user=user, name=name, now=NOW, **how)


def fill(play, found, numbers=(0, 1)):
    for number in numbers:
        collections.add(found, collections.position(play.match, number), now=NOW)


def numbers(found):
    return list(found.bookmarks.values_list("number", flat=True))


def page(client, address):
    return client.get(address).content.decode()


class TestBookmarks:
    def test_the_first_makes_a_collection_and_the_next_goes_there(self, ended):
        client, path = ended.client(2), f"{ended.page}1/bookmark/"
        assert path in page(client, f"{ended.page}1/")
        assert 'value="Bookmarks"' in page(client, path)
        made = client.post(path, {"collection": "", "name": "Bookmarks"})
        found = Collection.objects.get()
        assert (made.status_code, made.url) == (302, f"/collections/{found.pk}/")
        assert (found.owner, found.is_public) == (ended.people[2], False)
        assert f'value="{found.pk}" selected' in page(client, f"{ended.page}0/bookmark/")
        client.post(f"{ended.page}0/bookmark/", {"collection": found.pk, "name": ""})
        assert numbers(found) == [0, 1]
        assert "already" in page(client, path)

    def test_a_name_makes_a_new_one_though_another_is_chosen(self, ended):
        found = make(ended.people[2])
        sent = {"collection": found.pk, "name": "Blunders"}
        ended.client(2).post(f"{ended.page}1/bookmark/", sent)
        assert numbers(found) == []
        assert numbers(Collection.objects.get(name="Blunders")) == [1]

    def test_twice_is_once(self, ended):
        found = make(ended.people[2])
        for _ in range(2):
            sent = {"collection": found.pk, "name": ""}
            assert ended.client(2).post(f"{ended.page}1/bookmark/", sent).status_code == 302
        assert numbers(found) == [1]

    def test_a_running_match_too(self, match_driver):
        client = match_driver.client(0)
        client.post(f"{match_driver.page}0/bookmark/", {"collection": "", "name": "Now"})
        assert numbers(Collection.objects.get()) == [0]

    @pytest.mark.parametrize("sent", [{}, {"name": "x" * 61}, {"collection": 99}])
    def test_what_is_refused_says_so(self, ended, sent):
        answer = ended.client(2).post(f"{ended.page}1/bookmark/", sent)
        assert answer.status_code == 422
        assert b"form-errors" in answer.content or b"field-bad" in answer.content
        assert not Bookmark.objects.exists()

    def test_nobody_fills_the_collection_of_another(self, ended):
        found = make(ended.people[1])
        answer = ended.client(2).post(f"{ended.page}1/bookmark/", {"collection": found.pk})
        assert answer.status_code == 422
        assert not Bookmark.objects.exists()

    @pytest.mark.parametrize("number", [9, 10**12])
    def test_there_is_no_position_beyond_the_end(self, ended, number):
        for method in (ended.client(2).get, ended.client(2).post):
            assert method(f"{ended.page}{number}/bookmark/").status_code == 404

    def test_of_imported_records(self, ended, people):
        record = taken_in(ended, people[0])
        client, path = ended.client(2), f"/imported/{record.pk}/1/bookmark/"
        assert path in page(client, f"/imported/{record.pk}/1/")
        made = client.post(path, {"collection": "", "name": "Elsewhere"})
        shown = page(client, made.url)
        assert f'href="/imported/{record.pk}/1/"' in shown
        assert f"/imported/{record.pk}/1/board.svg" in shown
        record.delete()
        assert "Nothing in it yet" in page(client, made.url)

    def test_guests_are_asked_to_join_and_visitors_to_sign_in(self, ended):
        guest = ended.people[3]
        type(guest).objects.filter(pk=guest.pk).update(is_guest=True)
        for path in ("/collections/", f"{ended.page}1/bookmark/"):
            for seat, where in ((3, "/account/signup/"), (None, "/account/login/")):
                for method in (ended.client(seat).get, ended.client(seat).post):
                    assert method(path).url.startswith(where)
        assert not Collection.objects.exists()

    def test_they_are_limited(self, ended, settings):
        settings.FORM_LIMITS = {**settings.FORM_LIMITS, "bookmark": {"account": ["1/d"]}}
        sent = {"collection": "", "name": "Gems"}
        statuses = [
            ended.client(2).post(f"{ended.page}1/bookmark/", sent).status_code for _ in range(2)
        ]
        assert statuses == [302, 429]


class TestCollections:
    def test_the_list_is_empty_first_and_makes_one(self, ended):
        client = ended.client(2)
        assert "You have no collections yet." in page(client, "/collections/")
        made = client.post("/collections/", {"name": "Gems & more", "is_public": "on"})
        assert "Nothing in it yet" in page(client, made.url)
        assert "Gems &amp; more" in page(client, "/collections/")
        again = client.post("/collections/", {"name": "Gems & more"})
        assert again.status_code == 422
        assert "You have a collection" in again.content.decode()

    def test_a_private_one_is_there_for_its_owner_alone(self, ended):
        found = make(ended.people[2])
        fill(ended, found)
        for seat in (0, None):
            client = ended.client(seat)
            assert client.get(found.get_absolute_url()).status_code == 404
            assert client.get(f"/report/collection/{found.pk}/").status_code in (302, 404)
        shown = page(ended.client(2), found.get_absolute_url())
        assert f'href="{ended.page}1/"' in shown
        assert "start" in shown

    def test_a_public_one_is_there_for_everybody_and_can_be_reported(self, ended):
        found = make(ended.people[2], "Rude words", is_public=True)
        fill(ended, found)
        for seat in (0, None):
            shown = page(ended.client(seat), found.get_absolute_url())
            assert "Rude words" in shown
            assert f'href="{ended.page}1/"' in shown
            assert "<button" not in shown.split("<main")[1].split("</main")[0]
        sent = {"suspect": ended.people[2].pk, "kind": "name", "text": ""}
        assert "Rude words" in page(ended.client(0), f"/report/collection/{found.pk}/")
        ended.client(0).post(f"/report/collection/{found.pk}/", sent)
        assert Report.objects.get().subject == f"collection:{found.pk}"

    def test_of_a_running_match_everybody_sees_what_they_may(self, match_driver):
        found = make(match_driver.people[0], is_public=True)
        fill(match_driver, found, (0,))
        assert page(match_driver.client(None), found.get_absolute_url())

    def test_only_its_owner_changes_it(self, ended):
        found = make(ended.people[2], is_public=True)
        fill(ended, found)
        kept = found.bookmarks.first()
        address = found.get_absolute_url()
        paths = (f"{address}change/", f"{address}delete/", f"{address}{kept.pk}/")
        for path in paths:
            sent = {"name": "Mine", "action": "remove"}
            assert ended.client(0).post(path, sent).status_code == 404
            assert ended.client(None).post(path, sent).url.startswith("/account/login/")
            assert ended.client(2).get(path).status_code == 405
        found.refresh_from_db()
        assert (found.name, found.bookmarks.count()) == ("Gems", 2)

    def test_it_is_renamed_opened_and_closed(self, ended):
        found, other = make(ended.people[2]), make(ended.people[2], "Taken")
        client, path = ended.client(2), f"{found.get_absolute_url()}change/"
        assert client.post(path, {"name": "Better", "is_public": "on"}).status_code == 302
        found.refresh_from_db()
        assert (found.name, found.is_public) == ("Better", True)
        for name in (other.name, "", "x" * 61):
            refused = client.post(path, {"name": name})
            assert refused.status_code == 422
            assert "Better" in refused.content.decode()
        client.post(path, {"name": "Better"})
        found.refresh_from_db()
        assert not found.is_public

    def test_a_muted_person_publishes_none(self, ended):
        clara = ended.people[2]
        found = make(clara)
        standing.impose(
            clara, Sanction.Kind.MUTE, reason="rude", moderator=ended.people[1], now=NOW
        )
        with pytest.raises(MayNotCollect, match="publish"):
            make(clara, "Words", is_public=True)
        with pytest.raises(MayNotCollect, match="publish"):
            collections.change(found, name="Words", is_public=True, now=NOW)
        assert make(clara, "For myself")

    def test_positions_move_up_and_down_and_out(self, ended):
        found = make(ended.people[2])
        fill(ended, found, (0, 1))
        record = taken_in(ended, ended.people[2])
        collections.add(found, collections.position(record, 0), now=NOW - timedelta(days=1))
        client, address = ended.client(2), found.get_absolute_url()
        third, second, first = found.bookmarks.all()

        def after(action, mark):
            answer = client.post(f"{address}{mark.pk}/", {"action": action, "page": ""})
            assert answer.status_code == 302
            return [mark.pk for mark in found.bookmarks.all()]

        assert after("up", third) == [third.pk, second.pk, first.pk]
        assert after("up", first) == [third.pk, first.pk, second.pk]
        assert after("down", third) == [first.pk, third.pk, second.pk]
        assert after("down", second) == [first.pk, third.pk, second.pk]
        assert after("nothing", second) == [first.pk, third.pk, second.pk]
        assert after("remove", third) == [first.pk, second.pk]
        assert after("remove", third) == [first.pk, second.pk]
        assert after("up", third) == [first.pk, second.pk]

    def test_it_is_deleted_and_the_records_stay(self, ended):
        found = make(ended.people[2])
        fill(ended, found)
        assert ended.client(2).post(f"{found.get_absolute_url()}delete/").url == "/collections/"
        assert not Bookmark.objects.exists()
        assert ended.client(2).get(f"{ended.page}1/").status_code == 200

    def test_their_number_and_size_are_bounded(self, ended, monkeypatch):
        monkeypatch.setattr(collections, "MAX_COLLECTIONS", 1)
        monkeypatch.setattr(collections, "MAX_BOOKMARKS", 1)
        found = make(ended.people[2])
        with pytest.raises(MayNotCollect, match="Delete one"):
            make(ended.people[2], "Another")
        fill(ended, found, (0, 0))
        answer = ended.client(2).post(f"{ended.page}1/bookmark/", {"collection": found.pk})
        assert answer.status_code == 422
        assert "Remove one first" in answer.content.decode()
        refused = ended.client(2).post(f"{ended.page}1/bookmark/", {"name": "Another"})
        assert refused.status_code == 422
        assert Collection.objects.count() == 1

    def test_a_page_costs_as_much_for_many_as_for_one(self, ended, django_assert_num_queries):
        found = make(ended.people[2], is_public=True)
        client, address = ended.client(None), found.get_absolute_url()
        fill(ended, found, (0,))
        client.get(address)
        with django_assert_num_queries(3):
            client.get(address)
        fill(ended, found, (1,))
        with django_assert_num_queries(3):
            client.get(address)

    def test_they_are_ones_own_data_and_go_with_the_account(self, ended):
        clara = ended.people[2]
        fill(ended, make(clara, is_public=True))
        found = personal_data.export(clara)["collections"]
        assert [one["name"] for one in found["collections"]] == ["Gems"]
        assert [one["number"] for one in found["bookmarks"]] == [1, 0]
        deletion.ask(clara, now=timezone.now())
        address = Collection.objects.get().get_absolute_url()
        deletion.delete_due(now=timezone.now() + deletion.CANCELLATION_PERIOD)
        assert not Collection.objects.exists()
        assert ended.client(None).get(address).status_code == 404
