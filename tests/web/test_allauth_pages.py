"""The pages of accounts: each has a template of this site, none is allauth's own."""

import time
from hashlib import sha256
from pathlib import Path

import allauth
import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData
from fido2.webauthn import CollectedClientData as ClientData

from accounts.security.models import SecurityEvent
from tests.people import PASSWORD, confirmed
from tests.permissions import METHODS, VARIABLE, addresses
from tests.sampling import rest_thorough

pytestmark = pytest.mark.django_db
ALLAUTH = str(Path(allauth.__file__).parent)
FACTORS = "/account/2fa/"


def add_app(user):
    TOTP.activate(user, generate_totp_secret())
    return RecoveryCodes.activate(user)


def code_of(secret):
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def add_passkey(user, name="Laptop"):
    """Store a passkey as a browser makes it, with a point of P-256 that nobody signs with."""
    key = ES256({1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32})
    data = AuthenticatorData.create(
        sha256(b"testserver").digest(),
        AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT,
        0,
        AttestedCredentialData.create(bytes(16), b"credential", key),
    )
    client_data = ClientData.create(ClientData.TYPE.CREATE, b"challenge", "http://testserver")
    credential = {
        "id": websafe_encode(b"credential"),
        "rawId": websafe_encode(b"credential"),
        "type": "public-key",
        "clientExtensionResults": {},
        "response": {
            "clientDataJSON": websafe_encode(client_data),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        },
    }
    stored = {"name": name, "credential": credential}
    return Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data=stored)


def confirm_password(client):
    """Let a client have entered its password a moment ago."""
    session = client.session
    entered = {"method": "password", "at": time.time(), "reauthenticated": True}
    session["account_authentication_methods"] = [entered]
    session["account_authentication_methods_user"] = session[SESSION_KEY]
    session.save()


def signed_in(user, *, sure=True):
    client = Client()
    client.force_login(user)
    if sure:
        confirm_password(client)
    return client


def halfway(user):
    """Somebody who has entered the password and is asked for the second factor."""
    client = Client()
    client.post("/account/login/", {"login": user.username, "password": PASSWORD})
    assert SESSION_KEY not in client.session
    return client


@pytest.fixture
def owner():
    """A member with an app, a passkey and recovery codes."""
    user = confirmed("Olga")
    add_app(user)
    add_passkey(user)
    return user


@pytest.fixture
def callers(owner):
    member, typed, keyless = confirmed("Mia"), confirmed("Tom"), confirmed("Kim")
    EmailAddress.objects.filter(user=typed).update(verified=False)
    keyless.set_unusable_password()
    keyless.save()
    app_only = confirmed("Ann")
    add_app(app_only)
    return {
        "visitor": Client(),
        "halfway": halfway(owner),
        "halfway with an app": halfway(app_only),
        "member": signed_in(member),
        "member whose address is not confirmed": signed_in(typed),
        "member without a password": signed_in(keyless),
        "owner of factors": signed_in(owner),
        "owner of factors, not sure": signed_in(owner, sure=False),
        "owner of an app, not sure": signed_in(app_only, sure=False),
    }


def paths(owner):
    """Every address below /account/, with values that lead somewhere."""
    address = EmailAddress.objects.create(user=owner, email="new@example.org")
    passkey = Authenticator.objects.get(user=owner, type="webauthn")
    key = EmailConfirmationHMAC(address).key
    reset = default_token_generator.make_token(owner)
    for found in addresses():
        if not found.route.startswith("account/"):
            continue
        uid = user_pk_to_url_str(owner)
        is_reset = found.name == "account_reset_password_from_key"
        values = {"uidb36": uid, "key": reset if is_reset else key, "pk": passkey.pk}
        path = VARIABLE.sub(
            lambda match, values=values: str(values.get(match[1] or match[2], "1")), found.route
        )
        yield f"/{path}"
        if is_reset:
            yield f"/account/password/reset/key/{uid}-set-password/"


def foreign_templates(client, method, path):
    """Return the templates of allauth that an answer is made of; nothing is changed."""
    cache.clear()
    cookies = client.cookies.copy()
    with transaction.atomic():
        answer = client.generic(method, path, REMOTE_ADDR="192.0.2.1")
        transaction.set_rollback(True)
    client.cookies = cookies
    # Those of Jinja2, which are all ours, have no origin.
    origins = [getattr(template, "origin", None) for template in answer.templates]
    used = [origin.name for origin in origins if origin]
    return [name.removeprefix(ALLAUTH) for name in used if name.startswith(ALLAUTH)]


@pytest.mark.slow
@pytest.mark.parametrize("method", rest_thorough(METHODS))
def test_no_page_is_allauths_own(callers, owner, method):
    wrong, seen = [], 0
    for path in paths(owner):
        for who, client in callers.items():
            seen += 1
            if names := foreign_templates(client, method, path):
                wrong.append(f"{method} {path} by {who}: {names}")
    assert not wrong, "\n".join(wrong)
    assert seen > 500


def test_removing_or_renaming_a_passkey_leads_back_to_the_second_factors(owner):
    client, key = signed_in(owner), Authenticator.objects.get(type="webauthn")
    for action, fields in (("edit", {"name": "Phone"}), ("remove", {})):
        answer = client.post(f"{FACTORS}webauthn/keys/{key.pk}/{action}/", fields, follow=True)
        assert answer.request["PATH_INFO"] == FACTORS
        assert answer.templates[0].name == "mfa/index.html"
    assert not Authenticator.objects.filter(type="webauthn").exists()


@pytest.mark.django_db(transaction=True)
def test_the_log_calls_second_factors_by_the_names_of_the_site():
    user = confirmed("Olga")
    client = signed_in(user)
    secret = client.get(f"{FACTORS}totp/activate/").context["form"].secret
    client.post(f"{FACTORS}totp/activate/", {"code": code_of(secret)})
    key = add_passkey(user, "Laptop")
    client.post(f"{FACTORS}webauthn/keys/{key.pk}/remove/")
    client.post(f"{FACTORS}totp/deactivate/")
    page = client.get("/account/sessions/").content.decode()
    assert "TOTP" not in page
    assert "WebAuthn" not in page
    told = SecurityEvent.objects.order_by("pk").values_list("kind", "details")
    assert list(told) == [
        ("factor-added", "authenticator app"),
        ("codes", ""),
        ("factor-removed", "passkey “Laptop”"),
        ("factor-removed", "authenticator app"),
        ("factor-removed", "recovery codes"),
    ]


@pytest.mark.parametrize("number", ["127.0.0.1", "127.0.0.1:8000", "[::1]:8000"])
def test_at_an_ip_address_the_page_says_that_no_passkey_can_be_made(owner, settings, number):
    settings.ALLOWED_HOSTS = ["127.0.0.1", "[::1]"]
    settings.SITE_URL = "http://localhost:8000"
    add = f"{FACTORS}webauthn/add/"
    page = signed_in(owner).get(add, headers={"host": number}).content.decode()
    assert "only for a site that has a name" in page
    assert f'href="http://localhost:8000{add}"' in page
    assert 'data-passkey="create"' not in page


def test_at_a_name_a_passkey_can_be_made(owner):
    page = signed_in(owner).get(f"{FACTORS}webauthn/add/").content.decode()
    assert "only for a site that has a name" not in page
    assert 'data-passkey="create"' in page
