"""Settings from the environment: what is read, and the sentence that ends a start."""

from urllib.parse import urlsplit

import pytest

from config.environment import Environment

GOOD_SECRET = "correct-horse-battery-staple-0123456789-abcdefghijklmnop"


def read(kind, value, **options):
    variables = {} if value is None else {"NAME": value}
    return getattr(Environment(variables), kind)("NAME", **options)


@pytest.mark.parametrize(
    ("kind", "value", "problem"),
    [
        ("text", None, "is not set"),
        ("text", "   ", "is not set"),
        ("secret", None, "is not set"),
        ("secret", "short", "too easy to guess"),
        ("secret", "ab" * 40, "too easy to guess"),
        ("site", None, "is not set"),
        ("site", "games.example.org", "an address without a path"),
        ("site", "ftp://games.example.org", "an address without a path"),
        ("site", "https://games.example.org/play", "an address without a path"),
        ("site", "https://", "an address without a path"),
        ("site", "https://[oops", "cannot be read"),
        ("site", "https://games.example.org:port", "cannot be read"),
        ("site", "https://bücher.example.org", "ASCII"),
        ("database", None, "is not set"),
        ("database", "nonsense", "should look like postgres://"),
        ("database", "sqlite:///here.db", "should look like postgres://"),
        ("database", "postgres://user:hush@host:5432", "names no database"),
        ("database", "postgres://user:hush@host:port/name", "cannot be read"),
        ("redis", None, "is not set"),
        ("redis", "http://host:6379", "should look like redis://"),
        ("redis", "redis://:hush@host:port/0", "cannot be read"),
        ("mail", None, "is not set"),
        ("mail", "mail.example.org", "should look like smtp"),
        ("mail", "smtp://me:hush@mail.example.org:port", "cannot be read"),
        ("people", "nobody in particular", "should look like Ada"),
        ("mailbox", None, "is not set"),
        ("mailbox", "Turnstone", "should look like Turnstone <"),
        ("old_secrets", "hush", "at least 50 characters"),
        ("old_secrets", f"{GOOD_SECRET},hush", "at least 50 characters"),
    ],
)
def test_bad_variable_ends_the_start_with_one_sentence(kind, value, problem):
    with pytest.raises(SystemExit) as stopped:
        read(kind, value)
    sentence = str(stopped.value)
    assert sentence.startswith("Turnstone cannot start: the environment variable NAME ")
    assert problem in sentence
    assert "\n" not in sentence
    assert "hush" not in sentence


@pytest.mark.parametrize(
    ("kind", "value", "options", "problem"),
    [
        ("flag", "maybe", {"default": True}, "true or false"),
        ("number", "-1", {"default": 1}, "whole number"),
        ("number", "1.5", {"default": 1}, "whole number"),
        ("number", "0", {"default": 1, "lowest": 1}, "at least 1"),
    ],
)
def test_bad_flag_or_number(kind, value, options, problem):
    with pytest.raises(SystemExit, match=problem):
        read(kind, value, **options)


def test_good_values():
    assert read("text", " x ") == "x"
    assert read("text", None, default="y") == "y"
    assert read("flag", "YES", default=False) is True
    assert read("flag", None, default=False) is False
    assert read("flag", "off", default=True) is False
    assert read("number", "12", default=0) == 12
    assert read("number", None, default=7) == 7
    assert read("words", "a, b,,c ") == ["a", "b", "c"]
    assert read("words", None, default="") == []
    assert read("secret", GOOD_SECRET) == GOOD_SECRET
    assert read("redis", "rediss://:p%40ss@cache:6380/2") == "rediss://:p%40ss@cache:6380/2"
    assert read("people", "Ada <ada@example.org>, bob@example.org") == [
        ("Ada", "ada@example.org"),
        ("bob@example.org", "bob@example.org"),
    ]
    assert read("people", None) == []


@pytest.mark.parametrize(
    ("site", "hosts"),
    [
        ("https://games.example.org", None),
        ("https://games.example.org:8443", "www.example.org, games.example.org"),
        ("https://games.example.org", ".example.org"),
        ("https://games.example.org", "*"),
        ("http://[2001:db8::1]:8000", None),
        ("http://[2001:db8::1]:8000", "[2001:db8::1]"),
    ],
)
def test_a_site_answers_to_the_host_of_its_address(site, hosts):
    found = read("hosts", hosts, site=urlsplit(site))
    assert found == (hosts.split(", ") if hosts else [urlsplit(site).netloc.removesuffix(":8000")])


@pytest.mark.parametrize("hosts", ["www.example.org", "example.org", "games.example.org.evil"])
def test_a_site_that_would_refuse_its_own_visitors_does_not_start(hosts):
    with pytest.raises(SystemExit, match="NAME should hold the host of SITE_URL"):
        read("hosts", hosts, site=urlsplit("https://games.example.org"))


def test_old_keys():
    assert read("old_secrets", None) == []
    assert read("old_secrets", f"{GOOD_SECRET}, {GOOD_SECRET[::-1]}") == [
        GOOD_SECRET,
        GOOD_SECRET[::-1],
    ]


def test_a_sender_has_an_address():
    for sender in ("Turnstone <games@example.org>", "games@example.org"):
        assert read("mailbox", sender) == sender


def test_site_is_an_origin():
    assert read("site", "https://games.example.org/").geturl() == "https://games.example.org"
    assert read("site", "http://localhost:8000").netloc == "localhost:8000"


def test_database_is_postgresql():
    database = read("database", "postgres://me:p%2Fss@db:5433/games?sslmode=require")
    assert database["ENGINE"] == "config.postgresql"
    assert (database["USER"], database["PASSWORD"]) == ("me", "p/ss")
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db", 5433, "games")
    assert database["OPTIONS"] == {"sslmode": "require"}


def test_mail_server():
    mail = read("mail", "smtp+tls://me%40x:p%2Fss@mail.example.org:587")
    assert mail["EMAIL_HOST"] == "mail.example.org"
    assert mail["EMAIL_PORT"] == 587
    assert mail["EMAIL_HOST_USER"] == "me@x"
    assert mail["EMAIL_HOST_PASSWORD"] == "p/ss"
    assert mail["EMAIL_USE_TLS"] is True
