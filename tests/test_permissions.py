"""Who may do what, everywhere: the site answers as ``tests/permissions.txt`` says.

An address that is not in the table fails, with the rows to add; read them before they are added.
"""

from itertools import product

import pytest
from django.db import transaction

from tests import permissions
from tests.match_driver import fresh_cache
from tests.permissions import CALLERS, METHODS, SOCKET, UNKNOWN, World, addresses, line, table

__all__ = ["fresh_cache"]

GROUPS = sorted({address.group for address in addresses()})
NO_ADDRESS = "api/v1/<anything:rest>/"
"""Answers 404 to everything: there is nothing."""


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker):
    """A world for all tests here: each request is undone."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.fixture
def world(made, db):
    return made


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_a_sample_of_callers_is_answered_as_the_table_says(group, world):
    """Try two callers for each address and method, who are answered differently if any are."""
    known, wrong = table(), []
    for address, method in product(addresses(), METHODS):
        if address.group != group:
            continue
        row = known.get((address.route, method))
        if row is None:
            wrong.append(line(address.route, method, permissions.row(world, address, method)))
            continue
        for caller in permissions.sample(address, method, row):
            client, path = world.clients[caller], world.path(address)
            found = permissions.answer(client, method, path, is_api=address.is_api)
            if found != row[CALLERS.index(caller)]:
                wrong.append(f"{method} {path} by {caller}: {found}")
    assert not wrong, "\n".join(["rows that are missing or wrong:", *wrong])


@pytest.mark.thorough
@pytest.mark.timeout(900)  # thousands of requests
@pytest.mark.parametrize("group", GROUPS)
def test_everybody_is_answered_as_the_table_says(group, world):
    known, wrong = table(), []
    for address in addresses():
        for method in METHODS if address.group == group else ():
            found = permissions.row(world, address, method)
            if found != known.get((address.route, method)):
                wrong.append(line(address.route, method, found))
    assert not wrong, "\n".join(["rows that are missing or wrong:", *wrong])


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_an_address_refuses_a_method_that_it_does_not_know(group, world):
    """Try one of the methods for each address, in turn."""
    wrong = []
    for number, address in enumerate(addresses()):
        if address.group == group:
            method = UNKNOWN[number % len(UNKNOWN)]
            wrong += not_refused(world, address, method, {"player": world.clients["player"]})
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough
@pytest.mark.timeout(900)  # thousands of requests
@pytest.mark.parametrize("group", GROUPS)
def test_an_address_refuses_every_method_that_it_does_not_know(group, world):
    callers = {name: world.clients[name] for name in ("player", "admin")}
    callers["token"] = world.all_scopes
    wrong = []
    for address, method in product(addresses(), UNKNOWN):
        if address.group == group:
            wrong += not_refused(world, address, method, callers)
    assert not wrong, "\n".join(wrong)


def not_refused(world, address, method, callers):
    """Yield the requests that get another answer than 405."""
    if address.route == NO_ADDRESS:
        return
    path = world.path(address)
    for caller, client in callers.items():
        found = permissions.answer(client, method, path, is_api=address.is_api)
        if found != "405":
            yield f"{method} {path} by {caller}: {found}"


def test_the_table_has_no_address_that_is_gone():
    routes = {address.route for address in addresses()}
    gone = {route for route, method in table() if route not in routes and method != SOCKET}
    assert not gone


def test_no_answer_of_the_table_is_an_error_of_the_site():
    assert not [key for key, answers in table().items() if {"500", "503"} & set(answers)]
