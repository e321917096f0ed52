"""What mail programs read: MIME types, colours in the dark, and the one host of the site."""

import re
from urllib.parse import urlsplit

import pytest
from django.core import mail as django_mail
from django.test import Client
from django.utils import timezone

from accounts import notifications, outgoing
from accounts.mail import of_notifications
from accounts.models import Notification, OutgoingMail
from tests.match_driver import begin
from tests.people import confirmed, html_of

INLINE = re.compile(r"<(\w+)([^>]*)style=\"([^\"]*)\"")
COLOURED = re.compile(r"(?:^|[; ])(?:color|background|border[a-z-]*):[^;]*#")


@pytest.fixture
def message(people):
    """The mail that tells a player of a turn, with a picture of the board."""
    match = begin("die", people, size=3)
    match.play("c3")
    told = Notification.objects.filter(kind="your-turn").latest("pk")
    return of_notifications([(told, notifications.render(told))], "ada@example.org").message()


def test_a_mail_with_a_picture_names_the_type_of_its_text(message):
    """RFC 2387, 3.1: ``type`` is required."""
    mime = message.message()
    assert mime.get_content_type() == "multipart/related"
    assert mime.get_param("type") == mime.get_payload(0).get_content_type()


def test_each_coloured_part_has_a_colour_for_the_dark(message):
    html = html_of(message)
    assert '<meta name="color-scheme" content="light dark">' in html
    sheet = html[html.index("<style>") : html.index("</style>")]
    dark = set(re.findall(r"\.(\w+) \{", sheet[sheet.index("prefers-color-scheme: dark") :]))
    coloured = [
        (tag, set(re.findall(r'class="(\w+)"', attributes)))
        for tag, attributes, style in INLINE.findall(html)
        if COLOURED.search(style)
    ]
    assert len(coloured) >= 8
    assert [tag for tag, classes in coloured if not classes & dark] == []


def test_links_name_the_host_of_the_site_whatever_the_browser_asked_for(db):
    user = confirmed("mara")
    browser = Client(SERVER_NAME="127.0.0.1")
    answer = browser.post("/account/password/reset/", {"email": user.email})
    assert answer.status_code == 302
    (row,) = OutgoingMail.objects.all()
    outgoing.send_due(clock=timezone.now)
    (sent,) = django_mail.outbox
    links = re.findall(r"https?://[^\s\"<>]+", row.text + sent.body + html_of(sent))
    assert len(links) >= 4
    assert {urlsplit(link).netloc for link in links} == {"testserver"}
    assert sent.extra_headers["Message-ID"].endswith("@testserver>")
