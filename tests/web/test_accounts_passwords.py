"""How strong a password has to be, and how it is stored."""

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password
from django.contrib.auth.password_validation import (
    password_validators_help_texts,
    validate_password,
)
from django.core.exceptions import ValidationError
from django.test import override_settings

from accounts.models import User
from accounts.passwords import LEAKED, TOO_WEAK, LeakValidator, StrengthValidator
from config.settings import base

ADA = User(username="ada_lovelace", email="lovelace.kites@example.org")


@pytest.mark.parametrize(
    "password",
    [
        "Summer2025!",
        "letmein1234",
        "qwertyuiopasdf",
        "Turnstone99!",
        "Ada_Lovelace42",
        "KitesKites77",
        "turnstone-sample",
        "letmein-please",
        "please - letmein",
    ],
)
def test_what_is_soon_guessed_is_refused(password):
    with pytest.raises(ValidationError):
        StrengthValidator().validate(password, ADA)


@pytest.mark.parametrize(
    "password",
    [
        *("kite-river-basalt", "grüne Wellen am Strand", "basalt " * 30 + "?"),
        *("xK3-9fjQ_2", "a-b-c kite river basalt", "кит река базальт"),
    ],
)
def test_what_is_hard_to_guess_is_taken(password):
    StrengthValidator().validate(password, ADA)


@pytest.mark.parametrize(
    "password", ["bthb5fdwfvtzh5n", "BTHB5fdwfvtzh5n", "yfnfif83hjvfirf", "polarasas098123"]
)
def test_what_has_been_leaked_is_refused(password):
    StrengthValidator().validate(password)
    with pytest.raises(ValidationError, match="leaked"):
        validate_password(password)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "password", ["kite-river-basalt", "kite", "", "кит-река-базальт", "x" * 5000]
)
def test_what_has_not_been_leaked_is_not_called_so(password):
    LeakValidator().validate(password)


def test_a_long_password_is_refused_if_its_beginning_is_weak():
    with pytest.raises(ValidationError, match="easy to guess"):
        StrengthValidator().validate("a" * 1000, ADA)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("password", "error"),
    [
        ("letmein", "Use at least 10 characters."),
        ("password123", "This password is too common."),
        ("KitesKites77", TOO_WEAK),
        ("ada_lovelace", "The password is too similar to the name."),
        ("bthb5fdwfvtzh5n", LEAKED),
    ],
)
def test_a_refused_password_gets_one_sentence(client, password, error):
    form = {"username": "ada_lovelace", "email": "kites@example.org", "password1": password}
    answer = client.post("/account/signup/", form)
    assert answer.context["form"].errors["password1"] == [error]
    assert error.rstrip(".").count(".") == 0


def test_the_owners_own_words_make_a_password_weaker():
    password = "Ada_Lovelace42"
    StrengthValidator().validate(password)
    with pytest.raises(ValidationError):
        StrengthValidator().validate(password, ADA)


def test_it_stands_among_the_validators():
    with pytest.raises(ValidationError, match="easy to guess"):
        validate_password("letmein1234")
    assert any("a few uncommon words" in text for text in password_validators_help_texts())


@pytest.mark.slow
def test_passwords_are_hashed_with_argon2_and_old_hashes_still_hold():
    with override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS):
        hashed = make_password("kite-river-basalt")
        assert identify_hasher(hashed).algorithm == "argon2"
        user = User(username="ada", password=make_password("kite", hasher="pbkdf2_sha256"))
        user.save = lambda **_: None
        assert user.check_password("kite")
        assert identify_hasher(user.password).algorithm == "argon2"
