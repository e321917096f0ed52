"""Animated pictures of matches: requested by a form, made by a task, stored, made again if lost."""

import io
from datetime import timedelta
from html import unescape
from itertools import count
from types import SimpleNamespace

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from PIL import Image

from games.kernel import registry
from games.matches import services
from games.matches.view import pictures
from games.records import animations, tasks
from games.records.errors import NoAnimation
from games.records.models import Animation
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.slow

Status = Animation.Status


@pytest.fixture
def driver(people):
    """A match of six moves that was resigned."""
    return finished("die", people, 6, size=3)


def finished(slug, people, moves, **chosen):
    driver = begin(slug, people, **chosen)
    driver.play_on(moves)
    if driver.match.is_running:
        driver.act(services.resign, driver.turn)
    return driver


def wanted(driver, first=0, last=3, **how):
    how = {"theme": "light", "now": timezone.now(), **how}
    return animations.ask(driver.match, first=first, last=last, **how)


def made(animation):
    tasks.make_animation(animation.pk)
    animation.refresh_from_db()
    return animation


def picture(data):
    return Image.open(io.BytesIO(bytes(data)))


def ask(client, driver, **fields):
    fields = {"first": 0, "last": 3, "theme": "dark", **fields}
    return client.post(f"{driver.page}animations/", fields)


def text(response):
    return unescape(response.content.decode())


# --- The picture --------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", registry.titles())
def test_a_stretch_of_every_game_becomes_a_gif(slug, people):
    driver = finished(slug, people, 4)
    found = made(wanted(driver, 1, 4, theme="dark"))
    assert found.status == Status.READY
    gif = picture(found.data)
    assert (gif.format, gif.n_frames, gif.width) == ("GIF", 4, pictures.GIF_WIDTH)
    assert gif.info["loop"] == 0


def test_frames_differ_as_positions_do_and_the_last_stays(driver):
    gif = picture(made(wanted(driver, 0, 2)).data)
    frames = []
    for number in range(3):
        gif.seek(number)
        frames.append((gif.convert("RGB").tobytes(), gif.info["duration"]))
    assert len({pixels for pixels, _ in frames}) == 3
    assert [shown for _, shown in frames] == [
        pictures.FRAME_TIME,
        pictures.FRAME_TIME,
        pictures.LAST_FRAME_TIME,
    ]


# --- Asking for it ------------------------------------------------------------------------------


def test_the_form_leads_to_a_page_that_says_how_far_it_is(driver):
    client = driver.client(2)
    share = text(client.get(f"{driver.page}2/share/"))
    assert f'action="{driver.page}animations/"' in share
    answer = ask(client, driver)
    found = Animation.objects.get()
    assert answer.headers["Location"] == f"{driver.page}animations/{found.pk}/"
    waiting = text(client.get(answer.headers["Location"]))
    assert "We are making the animation." in waiting
    assert '<meta http-equiv="refresh" content="3">' in waiting
    address = f"{answer.headers['Location']}match.gif"
    assert client.get(address).status_code == 404
    made(found)
    page = text(driver.client(None).get(answer.headers["Location"]))
    assert f'<img src="{address}"' in page
    assert "refresh" not in page
    gif = driver.client(None).get(address)
    assert gif.headers["Content-Type"] == "image/gif"
    assert gif.content.startswith(b"GIF89a")


def test_the_same_stretch_is_made_once(driver, people):
    first, again = ask(driver.client(2), driver), ask(driver.client(3), driver)
    assert first.headers["Location"] == again.headers["Location"]
    assert Animation.objects.count() == 1


def test_what_is_asked_for_is_made_after_the_commit(driver, monkeypatch):
    started = []
    monkeypatch.setattr(tasks.transaction, "on_commit", lambda run, **_: run())
    monkeypatch.setattr(tasks.animation_runs, "put", started.append)
    found = wanted(driver)
    wanted(driver)
    assert started == [{found.pk: None}]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"first": 3, "last": 1}, "Choose a stretch from 0 to"),
        ({"last": 99}, "Choose a stretch from 0 to"),
        ({"first": -1}, "greater than or equal to 0"),
        ({"first": "x"}, "Enter a whole number."),
        ({"theme": "pink"}, "Select a valid choice."),
        ({"last": ""}, "required"),
    ],
)
def test_what_cannot_be_made_is_refused_and_stays_in_the_form(fields, sentence, driver):
    answer = ask(driver.client(2), driver, **fields)
    assert answer.status_code == 422
    assert sentence in text(answer)
    for name, value in fields.items():
        if name != "theme":
            assert f'name="{name}" value="{value}"' in text(answer) or not value
    assert not Animation.objects.exists()


def test_a_stretch_is_bounded(driver, monkeypatch):
    monkeypatch.setattr(animations, "MAX_FRAMES", 3)
    wanted(driver, 0, 2)
    with pytest.raises(NoAnimation, match="too long: 3 positions"):
        wanted(driver, 0, 3)
    share = text(driver.client(2).get(f"{driver.page}4/share/"))
    assert 'name="first" value="4"' in share
    assert 'name="last" value="6"' in share


def test_a_running_match_has_none(people):
    driver = begin("die", people, size=3)
    with pytest.raises(NoAnimation, match="when the match has ended"):
        wanted(driver, 0, 0)
    share = text(driver.client(0).get(f"{driver.page}0/share/"))
    assert "when the match has ended" in share
    assert "animations/" not in share
    assert ask(driver.client(0), driver, last=0).status_code == 422


def test_who_is_not_signed_in_is_sent_to_sign_in(driver):
    assert ask(driver.client(None), driver).headers["Location"].startswith("/account/login/")
    assert "Sign in" in text(driver.client(None).get(f"{driver.page}0/share/"))
    assert driver.client(2).get(f"{driver.page}animations/").status_code == 405


def test_an_animation_is_found_at_its_own_match_only(driver, people):
    found = wanted(driver)
    other = begin("die", people, size=3)
    for path in ("", "match.gif"):
        address = f"{other.page}animations/{found.pk}/{path}"
        assert other.client(None).get(address).status_code == 404


def test_asking_is_counted(driver, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "animation": {"account": ["1/h"]}}
    client = driver.client(2)
    assert [ask(client, driver).status_code for _ in range(2)] == [302, 429]


def test_who_waits_for_one_cannot_have_another_made(driver, people):
    client = driver.client(2)
    first = ask(client, driver, last=1)
    assert first.status_code == 302
    assert ask(client, driver, last=1).headers["Location"] == first.headers["Location"]
    refused = ask(client, driver, last=2)
    assert refused.status_code == 422
    assert "Another animation is being made" in text(refused)
    assert Animation.objects.count() == 1
    assert ask(driver.client(3), driver, last=2).status_code == 302
    made(Animation.objects.get(last=1))
    assert ask(client, driver, last=3).status_code == 302


def test_guests_of_a_network_wait_for_one_together(driver, people):
    for guest in people[2:]:
        guest.is_guest = True
        guest.save()
    assert ask(driver.client(2), driver, last=1).status_code == 302
    assert ask(driver.client(3), driver, last=2).status_code == 422
    elsewhere = driver.client(3, REMOTE_ADDR="192.0.2.7")
    assert ask(elsewhere, driver, last=2).status_code == 302
    network = Animation.objects.get(last=2).asker
    assert network.startswith("network:")
    assert "192.0.2.7" not in network


@pytest.mark.parametrize("end", ["ready", "failed", "given up"])
def test_nothing_says_afterwards_who_wanted_it(end, driver, monkeypatch):
    ask(driver.client(2), driver)
    found = Animation.objects.get()
    assert found.asker
    if end == "failed":
        monkeypatch.setattr(pictures, "gif", lambda *_: (_ for _ in ()).throw(ValueError("broken")))
    if end == "given up":
        Animation.objects.update(attempts=animations.ATTEMPTS)
    assert made(found).status != Status.WAITING
    assert found.asker == ""


def test_all_at_an_address_together_are_limited(driver, people, settings):
    limit = {"account": ["5/h"], "address": ["2/h"]}
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "animation": limit}
    codes = [ask(driver.client(seat), driver, last=seat).status_code for seat in (0, 1, 2)]
    assert codes == [302, 302, 429]
    elsewhere = driver.client(2, REMOTE_ADDR="192.0.2.7")
    assert ask(elsewhere, driver).status_code == 302


def test_what_is_there_costs_the_others_nothing(driver, people, settings):
    limit = {"account": ["9/h"], "site": ["2/h"]}
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "animation": limit}
    codes = [ask(driver.client(seat), driver, last=1).status_code for seat in (0, 1, 2, 3)]
    assert codes == [302, 302, 302, 302]
    assert ask(driver.client(2), driver, last=99).status_code == 422
    assert ask(driver.client(1), driver, last=2).status_code == 302
    assert ask(driver.client(2), driver, last=3).status_code == 429
    assert not Animation.objects.filter(last=3).exists()


# --- The task -----------------------------------------------------------------------------------


def test_two_tasks_make_it_once(driver, monkeypatch):
    found, drawn = wanted(driver), []

    def draw(animation):
        drawn.append(animation.pk)
        animations.make(animation.pk, now=timezone.now())
        return b"GIF"

    monkeypatch.setattr(animations, "_drawn", draw)
    made(found)
    made(found)
    assert drawn == [found.pk]


def test_one_that_was_lost_is_begun_again_and_given_up_at_last(driver):
    found, now = wanted(driver), timezone.now()
    assert animations.left_over(now) == [found.pk]
    Animation.objects.update(begun=now, attempts=1)
    assert animations.left_over(now) == []
    assert animations.left_over(now + animations.AGAIN) == [found.pk]
    Animation.objects.update(begun=now - animations.AGAIN, attempts=animations.ATTEMPTS)
    assert made(found).status == Status.FAILED


def test_one_that_takes_long_is_not_begun_again(driver, monkeypatch):
    found, now, free = wanted(driver), timezone.now(), []
    clock, frame = count(), animations.AGAIN * 0.9
    passed = SimpleNamespace(monotonic=lambda: next(clock) * frame.total_seconds())
    monkeypatch.setattr(animations, "time", passed)

    def gif(drawings, theme):
        for number, _ in enumerate(drawings, start=1):
            free.append(animations.left_over(now + number * frame + 0.5 * animations.AGAIN))
        return b"GIF"

    monkeypatch.setattr(pictures, "gif", gif)
    animations.make(found.pk, now=now)
    assert free == [[]] * (found.last - found.first + 1)
    found.refresh_from_db()
    assert found.status == Status.READY


def test_one_that_cannot_be_drawn_says_so(driver, monkeypatch):
    monkeypatch.setattr(pictures, "gif", lambda *_: (_ for _ in ()).throw(ValueError("broken")))
    found = made(wanted(driver))
    assert found.status == Status.FAILED
    page = text(driver.client(None).get(found.get_absolute_url()))
    assert "We couldn’t make this animation." in page
    assert animations.left_over(timezone.now()) == []


def test_the_sweep_makes_what_is_left_and_forgets_what_is_old(driver):
    now = timezone.now()
    old = wanted(driver, 0, 1, now=now - animations.ANIMATION_LIFETIME - timedelta(days=1))
    fresh = wanted(driver, 0, 2)
    tasks.sweep_animations()
    assert not Animation.objects.filter(pk=old.pk).exists()
    fresh.refresh_from_db()
    assert fresh.status == Status.READY


def test_too_many_bytes_are_forgotten_by_those_that_nobody_has_asked_for_longest(
    driver, monkeypatch
):
    now = timezone.now()
    found = [wanted(driver, 0, last, now=now - timedelta(hours=last)) for last in range(4)]
    Animation.objects.update(status=Status.READY, data=bytes(10))
    monkeypatch.setattr(animations, "MAX_STORED_BYTES", 30)
    animations.forget(now)
    assert set(Animation.objects.all()) == set(found[:3])
    wanted(driver, 0, 2, now=now + timedelta(hours=1))
    monkeypatch.setattr(animations, "MAX_STORED_BYTES", 29)
    animations.forget(now)
    assert set(Animation.objects.all()) == {found[2], found[0]}


def test_its_tasks_have_a_queue_and_a_rhythm():
    routes = django_settings.CELERY_TASK_ROUTES
    assert routes[tasks.make_animation.name] == {"queue": "extras"}
    assert tasks.sweep_animations.name in routes
    due = [job["task"] for job in django_settings.CELERY_BEAT_SCHEDULE.values()]
    assert tasks.sweep_animations.name in due
