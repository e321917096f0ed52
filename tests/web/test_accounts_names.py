"""Names: which may be one, and which look too much alike, in Python and in the database."""

import string
from itertools import product
from random import Random

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import names
from accounts.models import User

SIGNS = string.ascii_letters + string.digits + "_-"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "aNNA"),
        ("bob", "b0b"),
        ("alice", "a1ice"),
        ("alice", "aIice"),
        ("hello", "heIIo"),
        ("big-fish", "bigfish"),
        ("big-fish", "big_fish"),
        ("O-0", "00"),
    ],
)
def test_look_alikes_share_a_skeleton(one, other):
    assert names.skeleton(one) == names.skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("anna", "hanna"), ("bob", "bab"), ("x12", "x13")])
def test_others_do_not(one, other):
    assert names.skeleton(one) != names.skeleton(other)


def test_a_skeleton_is_its_own_skeleton():
    chance = Random(1)
    longer = (chance.choices(SIGNS, k=chance.randrange(3, 21)) for _ in range(500))
    for name in map("".join, (*SIGNS, *product(SIGNS, SIGNS), *longer)):
        assert names.skeleton(names.skeleton(name)) == names.skeleton(name)


@pytest.mark.parametrize("name", ["abc", "A-1", "x" * 20, "Ünstone"[1:], "___a", "9lives"])
def test_names_that_may_be(name):
    names.validate(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "length"),
        ("ab", "length"),
        ("x" * 21, "length"),
        ("jürgen", "characters"),
        ("аnna", "characters"),  # the first letter is Cyrillic
        ("１２３", "characters"),
        ("a b c", "characters"),
        ("anna\n", "characters"),
        ("anna\x00", "characters"),
        ("a.b.c", "characters"),
        ("<b>x", "characters"),
        ("___", "empty"),
        ("-_-", "empty"),
        ("admin", "reserved"),
        ("Adm1n", "reserved"),
        ("a-d-m-i-n", "reserved"),
        ("Turnst0ne", "reserved"),
        ("deleted-17", "reserved"),
        ("DELETED_17", "reserved"),
        ("de1eted", "reserved"),
        ("everyone", "reserved"),
        ("anonymous", "reserved"),
        ("system", "reserved"),
        ("M0derat0r", "reserved"),
    ],
)
def test_names_that_may_not(name, code):
    with pytest.raises(ValidationError) as refused:
        names.validate(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name",
    [
        *("TheAdmin", "moderator1", "Turnstone-Team", "theadmin", "THE_ADMIN", "Admin-Karl"),
        *("KarlTheAdmin", "xXadminXx", "sysadmin", "4dmin", "adrnin", "Ad-Min7", "ADM1N_x"),
        *("Moderator-Eva", "m0d3rat0r", "RuddyTurnstone", "turn5tone", "7urnst0ne", "tumstone"),
        *("TheMod", "mod-eva", "Eva_Mod", "ModTeam", "mods", "TeamMod2", "EvaMod", "MOD-eva"),
        *("Staff-7", "site-staff", "sitestaff", "Official-Anna", "TheOfficial", "5taff"),
        *("SupportTeam", "support1", "Your-Support", "TheSystem", "root1", "the-server", "you2"),
        *("superuser9", "webmaster-2", "the_real_admin", "OurStaff"),
    ],
)
def test_names_that_speak_for_the_site(name):
    with pytest.raises(ValidationError) as refused:
        names.validate(name)
    assert refused.value.code == "reserved"


@pytest.mark.parametrize(
    "name",
    [
        *("Badminton-Fan", "badminton", "Falstaff", "Staffan", "Stafford", "ModestMouse", "modern"),
        *("Modesta", "Commodore", "Moderato", "Beetroot", "ecosystem", "observer", "Abbott"),
        *("youth", "Helper", "helpful", "Supporter", "Robot", "Chess-Bot", "Team-Blue", "Themis"),
        *("Theo", "Thea-7", "StoneTurner", "Turner", "Adam", "Mina", "Karla", "Nobody-Else"),
        *("officially", "server-room", "Rootes", "master", "Domino"),
    ],
)
def test_names_that_only_look_a_little_like_it(name):
    names.validate(name)


@pytest.mark.django_db
def test_a_new_name_must_not_speak_for_the_site():
    user = User.objects.create_user("alice", "a@example.org")
    user.username = "TheAdmin"
    with pytest.raises(ValidationError) as refused:
        user.full_clean()
    assert "username" in refused.value.error_dict


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["TheAdmin", "moderator1", "Turnstone-Team"])
def test_nobody_registers_with_a_name_that_speaks_for_the_site(client, name):
    form = {"username": name, "email": "a@example.org", "password1": "correct-horse-battery"}
    answer = client.post("/account/signup/", form)
    assert "reserved for the site itself" in str(answer.context["form"].errors["username"])
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_database_reads_names_the_same_way():
    every = [SIGNS[i : i + 16] for i in range(0, len(SIGNS), 16)]
    for number, name in enumerate(every):
        user = User.objects.create(username=name, email=f"{number}@example.org")
        user.refresh_from_db()
        assert user.skeleton == names.skeleton(name)


@pytest.mark.django_db
def test_no_way_of_writing_leaves_the_skeleton_behind():
    (user,) = User.objects.bulk_create([User(username="bulk-one", email="b@example.org")])
    User.objects.filter(pk=user.pk).update(username="other-O")
    user.refresh_from_db()
    assert user.skeleton == "0ther0"


@pytest.mark.django_db
@pytest.mark.parametrize("other", ["A-lice", "a1ice", "ALICE"])
def test_the_database_refuses_a_look_alike(other):
    User.objects.create(username="alice", email="a@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username=other, email="b@example.org")


@pytest.mark.django_db
def test_the_database_refuses_the_same_address_in_other_case():
    User.objects.create(username="alice", email="A@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="bruno", email="a@EXAMPLE.org")


@pytest.mark.django_db
def test_many_may_have_no_address():
    User.objects.create(username="alice", email="")
    User.objects.create(username="bruno", email="")
    assert User.objects.filter(email="").count() == 2
