"""The language of a page or mail is its reader's, however it was chosen."""

import ast
import json
import re
from collections import Counter, defaultdict
from gettext import GNUTranslations
from itertools import chain

import pytest
from django.utils import timezone

from accounts import site_languages
from accounts.models import User
from config import catalogues
from games.kernel import language
from tests import pseudo
from tools import messages

pytestmark = pytest.mark.django_db

ENGLISH, OTHER = "Skip to the content", pseudo.accented("Skip to the content")
ASKS = {"HTTP_ACCEPT_LANGUAGE": pseudo.CODE}
CHOOSE = "/account/language/"


two = pytest.mark.usefixtures("pseudo_languages")


def test_one_language_offers_no_choice(client, people):
    page = client.get("/", **ASKS)
    assert ENGLISH in page.content.decode()
    assert not {"site-languages", "hreflang"} & set(re.findall(r"[\w-]+", page.content.decode()))
    assert "Content-Language" not in page.headers
    client.force_login(people[0])
    assert 'name="language"' not in client.get("/account/preferences/").content.decode()
    assert client.post(CHOOSE, {"language": pseudo.CODE}).status_code == 404


@two
@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({}, ENGLISH),
        ({"HTTP_ACCEPT_LANGUAGE": "xx, de;q=0.5"}, ENGLISH),
        ({"HTTP_ACCEPT_LANGUAGE": "de, en-xa;q=0.4"}, OTHER),
        (ASKS, OTHER),
    ],
)
def test_the_browser_asks(client, asked, shown):
    page = client.get("/", **asked)
    assert shown in page.content.decode()
    code = pseudo.CODE if shown == OTHER else "en-gb"
    assert page.headers["Content-Language"] == code
    assert f'<html lang="{code}"' in page.content.decode()
    assert {"accept-language", "cookie"} <= set(page.headers["Vary"].lower().split(", "))


@two
def test_a_visitor_chooses_in_the_footer(client):
    answer = client.post(CHOOSE, {"language": pseudo.CODE, "next": "/games/"})
    assert (answer.status_code, answer.url) == (302, "/games/")
    page = client.get("/games/").content.decode()
    assert OTHER in page
    assert f'value="{pseudo.CODE}" lang="{pseudo.CODE}" aria-current="true"' in page
    client.post(CHOOSE, {"language": "en-gb"})
    assert ENGLISH in client.get("/games/", **ASKS).content.decode()


@two
def test_a_message_about_a_form_is_kept_in_the_language_of_its_reader(client, people):
    client.force_login(people[0])
    page = client.post("/account/ratings/", {"is_listed": "on"}, follow=True, **ASKS)
    assert pseudo.accented("Your settings are saved.") in page.content.decode()


@two
def test_a_message_is_in_the_language_of_the_next_page(client, people):
    client.force_login(people[0])
    form = {"time_zone": "UTC", "theme": "auto", "language": pseudo.CODE}
    page = client.post("/account/preferences/", form, follow=True).content.decode()
    assert OTHER in page
    assert pseudo.accented("Your settings are saved.") in page
    page = client.post("/account/logout/", follow=True).content.decode()
    assert ENGLISH in page
    assert "You have signed out." in page


@two
def test_choosing_loses_nothing_that_is_in_the_address(client):
    page = client.get(f"/archive/?player=ada&game=die&lang={pseudo.CODE}").content.decode()
    assert 'name="next" value="/archive/?player=ada&amp;game=die"' in page


@two
def test_a_guest_chooses_in_the_footer(client, people):
    User.objects.filter(pk=people[0].pk).update(is_guest=True)
    client.force_login(people[0])
    client.post(CHOOSE, {"language": pseudo.CODE})
    page = client.get("/games/").content.decode()
    assert OTHER in page
    assert 'class="site-languages"' in page


@two
@pytest.mark.parametrize("code", ["de", "", "../en", "x" * 2000, "en-xa\r\nSet-Cookie: a=b"])
def test_a_language_that_is_not_offered_is_refused(client, code):
    answer = client.post(CHOOSE, {"language": code})
    assert answer.status_code == 404
    assert "language" not in answer.cookies


@two
def test_the_choice_leads_to_no_other_site(client):
    answer = client.post(CHOOSE, {"language": pseudo.CODE, "next": "https://evil.example/"})
    assert answer.url == "/"


@two
def test_an_address_names_its_language(client):
    page = client.get(f"/games/?lang={pseudo.CODE}").content.decode()
    assert OTHER in page
    assert f'rel="canonical" href="http://testserver/games/?lang={pseudo.CODE}"' in page
    for code in ("en-gb", pseudo.CODE):
        assert f'hreflang="{code}" href="http://testserver/games/?lang={code}"' in page
    assert ENGLISH in client.get("/games/").content.decode()
    assert ENGLISH in client.get("/games/?lang=xx").content.decode()


@two
def test_the_preference_counts_more_than_the_browser(client, people):
    ada = people[0]
    client.force_login(ada)
    assert OTHER in client.get("/games/", **ASKS).content.decode()
    page = client.get("/account/preferences/").content.decode()
    assert f'<option value="{pseudo.CODE}">{pseudo.NAME}</option>' in page
    User.objects.filter(pk=ada.pk).update(language=pseudo.CODE)
    assert OTHER in client.get("/games/").content.decode()
    assert ENGLISH in client.get("/games/?lang=en-gb").content.decode()


@two
def test_a_preference_is_saved(client, people):
    client.force_login(people[0])
    page = client.get("/account/preferences/").content.decode()
    fields = {"language": pseudo.CODE, "time_zone": "UTC", "theme": "dark"}
    assert "<form" in page
    client.post("/account/preferences/", fields)
    assert User.objects.get(pk=people[0].pk).language == pseudo.CODE


@two
def test_what_is_written_for_a_reader_is_in_their_language(people):
    ada, bruno = people[:2]
    ada.language, ada.time_zone = pseudo.CODE, "Europe/Berlin"
    with site_languages.reading(ada):
        assert language.gettext("Skip to the content") == OTHER
        assert timezone.get_current_timezone_name() == "Europe/Berlin"
        with site_languages.reading(bruno):
            assert language.gettext("Skip to the content") == ENGLISH
    ada.language = "xx"
    with site_languages.reading(ada):
        assert language.gettext("Skip to the content") == ENGLISH


def scripts_of(page):
    return re.findall(r"<script[^>]* src=\"([^\"]+)\"", page.content.decode())


@two
def test_scripts_get_their_messages_from_an_address_that_browsers_keep(client):
    assert len(scripts_of(client.get("/help/"))) == 1
    first, second = scripts_of(client.get("/help/", **ASKS))
    assert second.endswith("js/site.js")
    answer = client.get(first, HTTP_ACCEPT_LANGUAGE="en")
    # Django writes JSON without letters beyond ASCII.
    assert json.dumps(pseudo.accented("You are offline.")) in answer.content.decode()
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Content-Language"] == pseudo.CODE
    assert "Vary" not in answer.headers


@two
@pytest.mark.parametrize("code", ["en-gb", "de"])
def test_only_offered_translations_have_messages_for_scripts(client, code):
    assert client.get(f"/language/{code}.0.js").status_code == 404


@two
def test_messages_of_another_release_are_not_kept(client):
    answer = client.get(f"/language/{pseudo.CODE}.0.js")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_message_of_a_script_is_collected():
    """The tool overlooks a call whose argument is put together."""
    for path in (path for package in messages.packages() for path in package.files()):
        if path.suffix == ".js":
            text = re.sub(r"(?s)/\*.*?\*/", "", path.read_text())
            calls = re.findall(r"(?<![\w.])(?<!function )n?p?gettext\(", text)
            assert len(calls) == len(list(messages.found_in(path, "javascript"))), path


@pytest.mark.parametrize("domain", messages.DOMAINS)
@pytest.mark.parametrize("package", messages.packages(), ids=lambda package: package.home.name)
def test_the_catalogues_have_every_message_and_no_other(package, domain):
    wanted = {(one.id, one.context) for one in messages.collected(package, domain) if one.id}
    assert wanted or domain == messages.SCRIPTS
    assert not wanted or len(package.languages(domain)) == len(package.languages())
    for path in package.languages(domain):
        has = messages.read(path)
        assert {(one.id, one.context) for one in has if one.id} == wanted, path
        assert not [one.id for one in has if one.fuzzy and one.id], path


@pytest.mark.parametrize("code", ["de", "es", "fr"])
def test_the_languages_of_the_site_are_complete(code):
    for package in messages.packages():
        for domain in messages.DOMAINS:
            path = package.catalogue(code, domain)
            if path.exists() or any(one.id for one in messages.collected(package, domain)):
                assert messages.share([messages.read(path)]) == 1, path


PARTS = re.compile(r"%\(\w+\)[sd]|\{\w*\}|</?\w+")


def parts_of(message):
    return [set(PARTS.findall(one)) for one in message]


def test_tags_and_values_are_those_of_the_english():
    wrong = []
    for path in (path for package in messages.packages() for path in package.languages()):
        for one in messages.read(path):
            english = one.id if isinstance(one.id, tuple) else (one.id,)
            there = one.string if isinstance(one.string, tuple) else (one.string,)
            if one.id and all(there):
                known = parts_of(english)
                # The singular may say the number in words.
                wrong += [(path, one.id, there) for each in parts_of(there) if each not in known]
    assert not wrong


def test_named_parts_are_the_same_in_every_language():
    for path in chain.from_iterable(messages.by_language(messages.packages()).values()):
        for one in messages.read(path):
            # "{share} % or more" has no format of the kind that this looks for.
            is_braced = "{" in str(one.id)
            wrong = one.id and not is_braced and list(one.check())
            assert not wrong, (path, one.id, wrong)


def test_a_message_of_several_catalogues_has_one_translation():
    """The first catalogue that has it decides for all pages, and scripts have one of their own."""
    different = []
    for code, paths in messages.by_language(messages.packages()).items():
        known = defaultdict(set)
        for one in (one for path in paths for one in messages.read(path) if one.id):
            english, there = (
                text if isinstance(text, str) else text[0] for text in (one.id, one.string)
            )
            known[english, one.context].add(there)
        different += [(code, *item) for item in known.items() if len(item[1]) > 1]
    assert not different


COMMENT = re.compile(r"^\s*(?:#|//) (Translators: .*)", re.MULTILINE)


@pytest.mark.parametrize("package", messages.packages(), ids=lambda package: package.home.name)
def test_comments_for_translators_are_collected(package):
    """They stand directly above a call."""
    for path in package.files():
        if path.suffix in (".py", ".js") and (written := COMMENT.findall(path.read_text())):
            method = "python" if path.suffix == ".py" else "javascript"
            found = chain.from_iterable(one[2] for one in messages.found_in(path, method))
            assert not Counter(written) - Counter(found), path


def test_mails_of_django_templates_are_collected(tmp_path):
    file = tmp_path / "mail.txt"
    file.write_text('{% trans "Good morning" %} {% blocktrans %}Dear {{ you }}{% endblocktrans %}')
    found = messages.found_in(file, messages.extract_django)
    assert [message for _, message, *_ in found] == ["Good morning", "Dear %(you)s"]


def test_a_language_that_is_nearly_complete_is_compiled(tmp_path, capsys):
    (tmp_path / "game.py").write_text('gettext("Place a stone")\ngettext("Pass")')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_game.py").write_text('gettext("Not collected")')
    asked = ["--game", str(tmp_path)]
    assert messages.main([*asked, "new", "de"]) == 0
    assert messages.main([*asked, "new", "de"]) == 1
    po = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    assert {one.id for one in messages.read(po) if one.id} == {"Place a stone", "Pass"}
    assert messages.main([*asked, "compile"]) == 0
    assert not po.with_suffix(".mo").exists()
    po.write_text(
        re.sub(r'(?m)^msgid ("[^"]+")\nmsgstr ""', r'msgid \1\nmsgstr "x"', po.read_text())
    )
    assert messages.share([messages.read(po)]) == 1
    assert messages.main([*asked, "extract"]) == messages.main([*asked, "compile"]) == 0
    assert "100% translated" in capsys.readouterr().out
    assert po.with_suffix(".mo").exists()


GETTEXT = set(messages.KEYWORDS)


def faults_of(tree):
    """Yield the lines of messages that nobody collects: built by code, or inside an f-string."""
    for node in ast.walk(tree):
        inside = ast.walk(node) if isinstance(node, ast.JoinedStr) else ()
        yield from (call.lineno for call in inside if _is_message(call) and _text(call))
        if _is_message(node) and isinstance(node.args[0], ast.JoinedStr | ast.IfExp | ast.BinOp):
            yield node.lineno


def _is_message(node):
    name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
    return name in GETTEXT and bool(node.args)


def _text(call):
    return [one for one in call.args if isinstance(one, ast.Constant)]


@pytest.mark.parametrize("package", messages.packages(), ids=lambda package: package.home.name)
def test_every_message_can_be_collected(package):
    found = {}
    for file in package.files():
        if file.suffix == ".py" and "gettext" in (source := file.read_text(encoding="utf-8")):
            lines = list(faults_of(ast.parse(source)))
            if lines:
                found[str(file)] = lines
    assert not found


@pytest.mark.parametrize(
    ("source", "is_fault"),
    [
        ('gettext("Pass")', False),
        ("gettext(META.summary)", False),
        ('f"{gettext(summary)}"', False),
        ('gettext("a" if x else "b")', True),
        ('gettext(f"{x} passes")', True),
        ('gettext("Pass" + more)', True),
        ("f\"{gettext('Pass')}\"", True),
    ],
)
def test_messages_that_nobody_collects_are_found(source, is_fault):
    assert bool(list(faults_of(ast.parse(source)))) == is_fault


def test_english_is_compiled_as_it_stands(tmp_path):
    (tmp_path / "game.py").write_text('gettext("Pass")\nngettext("{n} stone", "{n} stones", n)')
    assert messages.main(["--game", str(tmp_path), "new", "de"]) == 0
    assert messages.main(["--game", str(tmp_path), "compile"]) == 0
    folder = tmp_path / "locale"
    with (folder / "en_GB" / catalogues.COMPILED).open("rb") as file:
        english = GNUTranslations(file)
    assert english.gettext("Pass") == "Pass"
    assert english.ngettext("{n} stone", "{n} stones", 2) == "{n} stones"
    assert english.ngettext("{n} stone", "{n} stones", 1) == "{n} stone"
    assert catalogues.compiled_languages(folder) == []
