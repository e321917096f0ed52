"""Starting with production's settings, as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import rest_thorough

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": "correct-horse-battery-staple-0123456789-abcdefghijklmnop",
    "SITE_URL": "https://games.example.org",
    "DATABASE_URL": "postgres://turnstone:hush@127.0.0.1:1/turnstone",
    "REDIS_URL": "redis://:hush@127.0.0.1:1/0",
    "EMAIL_URL": "smtp+tls://me:hush@mail.example.org:587",
    "DEFAULT_FROM_EMAIL": "games@example.org",
}


def start(*arguments, **changes):
    """Run Python with the good environment, changed; None takes a variable away."""
    variables = {**GOOD, **changes}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": os.environ["PATH"],
            **{name: value for name, value in variables.items() if value is not None},
        },
    )


def test_deployment_check_has_nothing_to_say():
    done = start("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    "command", [["manage.py", "check"], ["-m", "celery", "-A", "config", "report"]]
)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", None),
        ("DATABASE_URL", "postgres://:hush@"),
        ("ALLOWED_HOSTS", "www.example.org"),
    ],
)
def test_bad_variable_stops_the_start_with_one_sentence(command, name, value):
    done = start(*command, **{name: value})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"Turnstone cannot start: the environment variable {name} ")
    assert "hush" not in done.stdout + done.stderr


def test_without_any_variable_commands_are_for_the_local_site():
    code = "import sys, manage; manage.choose_settings(); import os; print(os.environ[sys.argv[1]])"
    nothing = dict.fromkeys(GOOD)
    done = start("-c", code, "DJANGO_SETTINGS_MODULE", **nothing)
    assert done.stdout == "config.settings.local\n"


@pytest.mark.parametrize("name", ["SECRET_KEY", "SITE_URL", "DATABASE_URL", "REDIS_URL"])
def test_a_variable_of_production_keeps_local_settings_away(name):
    done = start("manage.py", "migrate", **{**dict.fromkeys(GOOD), name: GOOD[name]})
    assert done.returncode == 1
    assert done.stderr.startswith(f"Turnstone cannot start: {name} set, but not DJANGO_SETTINGS_")
    assert "hush" not in done.stderr


def test_the_cache_sends_no_command_twice():
    """If the answer to ``SET … NX`` is lost, the second would find the lock that the first set."""
    code = (
        "from django.conf import settings;"
        "print(settings.CACHES['default']['OPTIONS']['retry'].get_retries())"
    )
    assert start("-c", code).stdout == "0\n"


POOLED = """
from config.postgresql import prepared
from django.conf import settings
database = settings.DATABASES["default"]
print(database["NAME"], "options" in database["OPTIONS"])
print(database.get("DISABLE_SERVER_SIDE_CURSORS"), prepared.threshold())
"""


def test_behind_a_pooler_nothing_is_left_to_a_connection():
    assert start("-c", POOLED).stdout == "turnstone True\nNone 1\n"
    found = start("-c", POOLED, DATABASE_POOLER="true").stdout
    assert found == "turnstone_command False\nTrue None\n"


CHANNELS = """
from django.conf import settings
print(*(host["address"] for host in settings.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"]))
"""


def test_channels_may_have_redis_servers_of_their_own():
    assert start("-c", CHANNELS).stdout == f"{GOOD['REDIS_URL']}\n"
    servers = "redis://:hush@one:6379/0, rediss://two:6379/1"
    found = start("-c", CHANNELS, CHANNELS_REDIS_URLS=servers)
    assert found.stdout == "redis://:hush@one:6379/0 rediss://two:6379/1\n"
    refused = start("-c", CHANNELS, CHANNELS_REDIS_URLS="redis://:hush@one:6379/0, hush").stderr
    assert "CHANNELS_REDIS_URLS should look like" in refused
    assert "hush" not in refused


def test_without_settings_the_server_is_that_of_production():
    done = start("-m", "config.server", **dict.fromkeys(GOOD))
    assert done.returncode == 1
    assert done.stderr.startswith("Turnstone cannot start: the environment variable ")


WITHOUT_EACH = """
import importlib, os, sys
import config.settings.base
for name in sys.argv[1:]:
    value = os.environ.pop(name)
    for module in [module for module in sys.modules if module.startswith("config.settings.")]:
        del sys.modules[module]
    try:
        importlib.import_module("config.settings.production")
    except SystemExit as error:
        print(error)
    os.environ[name] = value
"""


def test_all_required_variables_are_required():
    names = sorted(GOOD.keys() - {"DJANGO_SETTINGS_MODULE"})
    said = start("-c", WITHOUT_EACH, *names).stdout.splitlines()
    assert len(said) == len(names)
    for name, line in zip(names, said, strict=True):
        assert line.startswith(f"Turnstone cannot start: the environment variable {name} is")


def test_cookies_and_headers_follow_the_address():
    names = "SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT SECURE_HSTS_SECONDS"
    code = f"""
from django.conf import settings
print({{bool(getattr(settings, name)) for name in "{names}".split()}})
"""
    assert start("-c", code).stdout.strip() == "{True}"
    assert start("-c", code, SITE_URL="http://localhost:8000").stdout.strip() == "{False}"


def test_the_port_of_a_host_is_that_of_the_address():
    code = "from django.conf import settings as s; print(s.HOST_PORT)"
    assert start("-c", code).stdout.strip() == "443"
    assert start("-c", code, SITE_URL="http://games.example.org").stdout.strip() == "80"
    assert start("-c", code, SITE_URL="https://games.example.org:8443").stdout.strip() == "8443"
    assert start("-c", code, ANY_HOST_PORT="true").stdout.strip() == "None"


COOKIES = """
import django
django.setup()

from unittest.mock import patch

from django.contrib import messages
from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.test import RequestFactory

from accounts import devices
from accounts.middleware import SessionMiddleware
from accounts.models import User
from accounts.sessions import SessionStore


def answer(request):
    response = HttpResponse()
    devices.remember(request, response, User(username="ada"))
    get_token(request)
    messages.success(request, "Saved.")
    request.session["key"] = 1
    request.session._session_key = "0123456789"
    return response


def read(request):
    assert [str(message) for message in messages.get_messages(request)] == ["Saved."]
    return HttpResponse()


def through(view, request):
    for layer in (MessageMiddleware, CsrfViewMiddleware, SessionMiddleware):
        view = layer(view)
    return view(request).cookies


with patch.object(SessionStore, "load", return_value={}), patch.object(SessionStore, "save"):
    request = RequestFactory().get("/", secure=True)
    cookies = through(answer, request)
    print(cookies.output(header=""))
    request = RequestFactory().get("/", secure=True)
    request.COOKIES = {name: cookie.value for name, cookie in cookies.items()}
    print(through(read, request).output(header=""))
"""


def test_every_cookie_is_bound_to_the_host_and_to_https():
    """Source: OWASP ASVS 5.0.0, 3.3.1 to 3.3.3; also where a cookie is deleted."""
    lines = [line.strip() for line in start("-c", COOKIES).stdout.splitlines()]
    names = [line.partition("=")[0] for line in lines]
    assert names == [
        *("__Host-csrf", "__Host-device", "__Host-messages", "__Host-session"),
        "__Host-messages",
    ]
    for line in lines:
        attributes = {part.strip() for part in line.split(";")[1:]}
        assert {"Secure", "Path=/", "SameSite=Lax"} <= attributes, line
        assert "Domain" not in line


def test_without_https_cookies_have_plain_names():
    done = start("-c", COOKIES, SITE_URL="http://localhost:8000")
    assert "__Host-" not in done.stdout
    assert "messages=" in done.stdout


def test_proxies_are_believed_only_when_they_are_ours():
    code = "from django.conf import settings as s; print(s.SECURE_PROXY_SSL_HEADER)"
    assert start("-c", code).stdout.strip() == "None"
    assert "HTTP_X_FORWARDED_PROTO" in start("-c", code, PROXIES="1").stdout


CLIENT = """
import django
django.setup()
from django.test import RequestFactory
from rest_framework.throttling import AnonRateThrottle
from accounts.limits import address
forwarded = {"REMOTE_ADDR": "198.51.100.7", "HTTP_X_FORWARDED_FOR": "203.0.113.9:443"}
request = RequestFactory().get("/", **forwarded)
print(address(request), AnonRateThrottle().get_ident(request))
"""


@pytest.mark.parametrize("proxies", rest_thorough(["1", "0", "2"]))
def test_every_limit_takes_the_client_for_whom_the_server_does(proxies):
    """The server reads what proxies say; read again, a port or a proxy less was an error."""
    done = start("-c", CLIENT, PROXIES=proxies)
    assert done.stdout.split() == ["198.51.100.7"] * 2, done.stderr


def test_nothing_that_redis_holds_is_unpickled():
    code = """
import pickle
from channels.layers import get_channel_layer
from django import setup
from django.core.cache import cache
from kombu.serialization import loads, prepare_accept_content
from config.celery import app
setup()

class Attack:
    def __reduce__(self):
        return print, ("unpickled",)

attack = pickle.dumps(Attack())
accept = prepare_accept_content(app.conf.accept_content)
for read in (
    lambda: cache._redis._cache._serializer.loads(attack),
    lambda: get_channel_layer().deserialize(attack),
    lambda: loads(attack, "application/x-python-serialize", "binary", accept=accept),
    lambda: pickle.loads(attack),
):
    try:
        read()
    except Exception as error:
        print(type(error).__name__)
"""
    done = start("-c", code)
    refusals, is_dangerous = done.stdout.split()[:-1], done.stdout.split()[-1] == "unpickled"
    assert refusals == ["UnicodeDecodeError", "ExtraData", "ContentDisallowed"], done.stderr
    assert is_dangerous
