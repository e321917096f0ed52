"""Queues and standing orders on pages and in the API: only their owner sees and changes them."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts import notifications
from accounts.models import Notification
from games.matches.models import ConditionalMoves, StandingOrder
from games.matches.plans import conditional, orders
from tests.attack_match import ATTACKS, DUTIES, start_attack_match
from tests.fixtures import NOW
from tests.match_driver import fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache", "start_attack_match"]

pytestmark = pytest.mark.slow


@pytest.fixture
def play(start_attack_match, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return start_attack_match()


def browser(play, seat=None, **kwargs):
    client = Client(**kwargs)
    if seat is not None:
        client.force_login(play.people[seat])
    return client


def read(client, path):
    return lasting(client.get(path))


def attack(play):
    play.move(0, *DUTIES)
    play.move(0, ATTACKS[0])


def test_an_order_is_given_and_withdrawn_on_the_page(play):
    client, page = browser(play, 1), f"/matches/{play.id}/"
    answer = client.post(f"{page}order/", {"order": "lowest"})
    assert (answer.status_code, answer["Location"]) == (303, f"{page}?#match-private")
    assert StandingOrder.objects.get().name == "lowest"
    assert '<option value="lowest" selected>' in read(client, page)
    client.post(f"{page}order/", {"order": ""})
    assert not StandingOrder.objects.exists()


def test_a_queue_is_put_down_seen_and_cleared_on_the_page(play):
    client, page = browser(play, 0), f"/matches/{play.id}/"
    client.post(f"{page}queue/", {"queue": f"{ATTACKS[0]}\r\n\r\nend\r\n"})
    plan = ConditionalMoves.objects.get()
    assert conditional.lines_of(plan).unconditional_moves() == [ATTACKS[0], "end"]
    shown = read(client, page)
    assert "2 moves to follow" in shown
    assert f"{ATTACKS[0]}\nend</textarea>" in shown
    client.post(f"{page}queue/", {"queue": "end", "clear": "1"})
    assert not ConditionalMoves.objects.exists()


def test_who_leaves_something_behind_goes_back_to_what_is_entered(play):
    client, page = browser(play, 0), f"/matches/{play.id}/"
    entered = "move=place+S+p1&word=move+rL1+"
    answer = client.post(
        f"{page}queue/", {"queue": "end"}, headers={"referer": f"http://testserver{page}?{entered}"}
    )
    assert answer["Location"] == f"{page}?{entered}#match-private"
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("referer", ["http://[", "http://testserver/#?", "?" * 3, "\0"])
def test_where_somebody_says_to_come_from_breaks_nothing(play, referer):
    client, page = browser(play, 0), f"/matches/{play.id}/"
    answer = client.post(f"{page}queue/", {"queue": "end"}, headers={"referer": referer})
    assert answer.status_code == 303
    assert client.get(answer["Location"]).status_code == 200


def test_a_queue_that_is_refused_is_still_in_the_form(play):
    client, page = browser(play, 0), f"/matches/{play.id}/"
    answer = client.post(f"{page}queue/", {"queue": "go <away>"})
    assert answer.status_code == 422
    assert "&#39;go &lt;away&gt;&#39; is no move" in answer.content.decode()
    assert "go &lt;away&gt;</textarea>" in answer.content.decode()
    assert client.post(f"{page}order/", {"order": "bravely"}).status_code == 409
    assert not StandingOrder.objects.exists()


@pytest.mark.parametrize(
    ("action", "form"), [("order", {"order": "lowest"}), ("queue", {"queue": "end"})]
)
def test_only_players_leave_something_behind(play, action, form):
    path = f"/matches/{play.id}/{action}/"
    assert browser(play).post(path, form).status_code == 302
    assert browser(play, 2).post(path, form).status_code == 403
    assert browser(play, 1).get(path).status_code == 405
    assert browser(play, 1, enforce_csrf_checks=True).post(path, form).status_code == 403
    assert browser(play, 1).post(path.replace(str(play.id), "999"), form).status_code == 404
    assert not StandingOrder.objects.exists()
    assert not ConditionalMoves.objects.exists()


def test_nobody_else_sees_whether_there_is_an_order_or_a_queue(play):
    attack(play)
    page, api = f"/matches/{play.id}/", f"/api/v1/matches/{play.id}/"
    paths = [page, f"{page}?part=live", f"{page}export.json", f"{page}export.txt", f"{page}3/"]
    paths += [api, f"{api}log/", "/", "/home/", "/archive/", "/players/bruno/"]
    clients = [browser(play), browser(play, 0), browser(play, 2)]
    # That the player was here shows to others, by the day; whether anything was left does not.
    own = read(browser(play, 1), page)
    before = [read(client, path) for client in clients for path in paths]
    orders.give(match_id=play.id, user=play.people[1], name="lowest", now=NOW)
    conditional.queue_moves(match_id=play.id, user=play.people[1], texts=["place S p2"])
    orders.look(now=NOW)
    after = [read(client, path) for client in clients for path in paths]
    assert before == after
    told = "Your standing order will answer within ten minutes: <strong>Defend with 7♥</strong>."
    assert told in read(browser(play, 1), page)
    assert "standing order will answer" not in own


def test_who_has_left_or_watches_is_offered_nothing(play):
    assert 'id="queue"' in read(browser(play, 0), f"/matches/{play.id}/")
    for client in (browser(play), browser(play, 2)):
        shown = read(client, f"/matches/{play.id}/")
        assert 'id="queue"' not in shown
        assert 'id="order"' not in shown


def test_a_defender_confirms_the_card_that_was_tapped(play):
    attack(play)
    client, page = browser(play, 1), f"/matches/{play.id}/"
    assert 'name="typed" value="defend ' not in read(client, page)
    shown = read(client, f"{page}?word=defend+7H")
    assert "Defend with 7♥?" in shown
    assert "data-confirm>" in shown
    assert "data-at-once" not in shown


def test_a_defender_who_confirms_no_moves_answers_with_one_click(play):
    attack(play)
    play.people[1].confirm_moves = False
    play.people[1].save()
    client, page = browser(play, 1), f"/matches/{play.id}/"
    shown = read(client, page)
    assert "Red’s small piece attacks your medium piece on c4 with a hidden black card." in shown
    assert shown.count('name="typed" value="defend ') == 3
    form = {"typed": "defend 7H", "version": 3, "submission": "0" * 32}
    assert client.post(f"{page}moves/", form).status_code == 303
    assert play.match.version == 4
    assert 'value="defend' not in read(browser(play, 0), page)


def test_the_notice_says_what_is_at_stake_to_the_defender_alone(play):
    attack(play)
    notification = Notification.objects.get(recipient=play.people[1], kind="your-turn")
    said = "Red’s small piece attacks your medium piece on c4 with a hidden black card."
    assert notifications.summary(notification).subject.startswith(said)
    email = notifications.render(notification)
    assert said in email.text
    assert said in email.html
    play.move(1, "defend 7H")
    assert notifications.summary(notification).subject.startswith("Your turn: ")


def test_the_notice_of_a_stopped_queue_says_why_to_its_owner(play):
    conditional.queue_moves(match_id=play.id, user=play.people[0], texts=["attack rS1 oM1 AS"])
    play.move(0, *DUTIES)
    conditional.run(play.id, now=NOW)
    notification = Notification.objects.get(kind="queue-stopped")
    assert notification.recipient == play.people[0]
    assert "you do not hold AS" in notifications.render(notification).text
    assert "AS" not in str(notification.payload)
    assert "Your plan has stopped: Not attack" in read(browser(play, 0), f"/matches/{play.id}/")
    assert "AS" not in notifications.summary(notification).subject


# --- The programming interface ------------------------------------------------------------------


def post(client, path, **data):
    return client.post(path, data, content_type="application/json")


def test_programs_leave_queue_and_order_behind(play):
    client, api = browser(play, 1), f"/api/v1/matches/{play.id}/"
    nothing = client.get(f"{api}private/").json()
    assert nothing["queue"] == []
    assert nothing["order"] == nothing["answer"] == nothing["stopped"] == ""
    assert [order["name"] for order in nothing["orders"]][:1] == ["lowest"]
    assert post(client, f"{api}queue/", moves=["PLACE s p2"]).json()["queue"] == ["place S p2"]
    assert post(client, f"{api}order/", order="highest").json()["order"] == "highest"
    attack(play)
    assert client.get(f"{api}private/").json()["answer"] == "defend KH"
    assert post(client, f"{api}queue/", moves=[]).json()["queue"] == []
    assert post(client, f"{api}order/", order="").json()["order"] == ""
    assert not ConditionalMoves.objects.exists()
    assert not StandingOrder.objects.exists()


@pytest.mark.parametrize(
    ("action", "data"), [("order", {"order": "lowest"}), ("queue", {"moves": ["end"]})]
)
def test_programs_see_and_change_only_their_callers(play, action, data):
    api = f"/api/v1/matches/{play.id}/"
    for seat in (None, 2):
        client = browser(play, seat)
        refused = 401 if seat is None else 403
        assert client.get(f"{api}private/").status_code == refused
        assert post(client, f"{api}{action}/", **data).status_code == refused
    own = browser(play, 1)
    assert post(own, f"{api}{action}/").json()["code"] == "invalid"
    assert post(own, f"{api}{action}/", **data).status_code == 200
    other = browser(play, 0).get(f"{api}private/").json()
    assert (other["queue"], other["order"]) == ([], "")


def test_programs_are_told_why_not(play):
    client, api = browser(play, 1), f"/api/v1/matches/{play.id}/"
    assert post(client, f"{api}order/", order="bravely").json()["code"] == "refused"
    assert post(client, f"{api}queue/", moves=["go away"]).json()["code"] == "malformed"
    assert post(client, f"{api}queue/", moves=["end"] * 21).json()["code"] == "invalid"
