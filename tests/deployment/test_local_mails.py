"""On one machine mails are files, and a page shows them."""

from email.mime.image import MIMEImage

import pytest
from django.core.mail import EmailMultiAlternatives, send_mail

pytestmark = [pytest.mark.django_db, pytest.mark.urls("config.local.urls")]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.LOCAL_MAILS = tmp_path / "var" / "mails"
    settings.EMAIL_BACKEND = "config.local.mail.EmailBackend"
    return settings.LOCAL_MAILS


def test_each_mail_is_a_file_of_its_own(folder):
    for number in range(3):
        send_mail(f"Mail {number}", "text", None, ["ada@example.org"])
    files = sorted(folder.iterdir())
    assert [file.suffix for file in files] == [".eml"] * 3
    assert [b"Mail %d" % number in file.read_bytes() for number, file in enumerate(files)]


def test_page_lists_newest_first_and_links_to_each(client, folder):
    assert "No mails yet" in client.get("/mails/").content.decode()
    send_mail("First", "text", None, ["ada@example.org"])
    send_mail("Second & last", "text", None, ["ada@example.org"])
    page = client.get("/mails/").content.decode()
    assert page.index("Second &amp; last") < page.index("First")
    for file in folder.glob("*.eml"):
        assert f'href="/mails/{file.stem}/"' in page
        assert client.get(f"/mails/{file.stem}/").status_code == 200


def test_text_is_shown_with_links_and_harmless(client, folder):
    send_mail("<b>Hi</b>", "<script>1</script> http://127.0.0.1/matches/1/", None, ["a@b.org"])
    (file,) = folder.glob("*.eml")
    page = client.get(f"/mails/{file.stem}/").content.decode()
    assert 'href="http://127.0.0.1/matches/1/"' in page
    assert "<script>1" not in page
    assert "<b>Hi" not in page


def test_html_is_shown_with_its_images_and_without_scripts(client, folder):
    mail = EmailMultiAlternatives("Your turn", "text", None, ["ada@example.org"])
    mail.attach_alternative(
        '<p>Board</p><img src="cid:board@turnstone" alt="The board">', "text/html"
    )
    mail.attach(_image("board@turnstone"))
    mail.send()
    (file,) = folder.glob("*.eml")
    answer = client.get(f"/mails/{file.stem}/picture/")
    assert 'src="data:image/png;base64,UE5H"' in answer.content.decode()
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["nothing", "..%2Fsecret-key", "..%5Cx"])
def test_what_is_no_mail_is_not_found(client, folder, name):
    folder.mkdir(parents=True)
    (folder.parent / "secret-key").write_text("hush")
    assert client.get(f"/mails/{name}/").status_code == 404


def _image(label):
    part = MIMEImage(b"PNG", "png")
    part["Content-ID"] = f"<{label}>"
    return part
