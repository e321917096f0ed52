"""Committed dice in a real browser: every roll worked out again, and what was changed found."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import LOOKS, examine
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

KEY = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
"""The example of FIPS 180-4: SHA-256 of "abcdbcde…opnopq", here a secret and two nonces."""

VECTORS = [
    # key, roll, sides, attempt, digest, face: made with openssl and bc
    ("0b" * 20, 0, 6, 0, "ae52180ecb23500d4613c0083a3dae4a3324e82e6d976a10110d5d619f70b65e", 2),
    (
        "0b" * 20,
        1,
        1000,
        0,
        "a718ca53b2b519039b19515a05ae018a8f3eb3e796325fba291b13918386b299",
        244,
    ),
    ("4a656665", 10, 52, 0, "9d5ae135dd31286b17cd2871dd073f3c42d5e36e452f144df7314241295d20a5", 20),
    (KEY, 3, 20, 0, "3528787e6d4286016a36a62aced874c13ae377b08c487c85c06e9874f06b9fcc", 10),
]
HUGE = 2**63 + 2**11
"""Of a die with so many sides nearly every other number is passed over."""

ROLL = """async ([key, number, sides]) => {
  const { workOut } = await import("/static/js/match/dice.js");
  const bytes = Uint8Array.from(key.match(/../g), (pair) => Number.parseInt(pair, 16));
  const how = { name: "HMAC", hash: "SHA-256" };
  const { attempt, digest, face } = await workOut(
    await crypto.subtle.importKey("raw", bytes, how, false, ["sign"]), number, sides,
  );
  return { attempt, digest, face };
}"""


@pytest.fixture
def played(people):
    """A visitor, and the path of the sample match that ended after the most rolls."""
    visitor = people()
    visitor.go("/")

    def record(number):
        answer = visitor.context.request.get(f"/matches/{number}/export.json")
        return answer.json() if answer.ok else None

    found = filter(None, map(record, range(1, 12)))
    over = [match for match in found if match["dice"] and match["dice"]["secret"]]
    most = max(over, key=rolls)
    return visitor, most, f"/matches/{most['match']}/{len(most['log'])}/"


def rolls(record):
    drawn = [record["setup_chance"], *(entry["chance"] for entry in record["log"])]
    return sum(isinstance(face, int) for chance in drawn for face in chance)


def said(person):
    return person.page.locator("[data-dice-said]")


def test_the_browser_works_rolls_out_as_the_standards_say(people):
    visitor = people()
    visitor.go("/dice/")
    for key, number, sides, attempt, digest, face in VECTORS:
        found = visitor.page.evaluate(ROLL, [key, number, sides])
        assert found == {"attempt": attempt, "digest": digest, "face": face}, (key, number)
    # What is not fair is passed over.
    found = visitor.page.evaluate(ROLL, [KEY, 0, HUGE])
    assert found["attempt"] == 2
    assert found["digest"].startswith("3a6a1146dbc97fc5")


def test_every_roll_of_a_record_is_checked(played):
    visitor, record, path = played
    assert rolls(record) > 20
    visitor.go(path)
    visitor.press("Check every roll in this browser")
    count = f"{rolls(record)} rolls, worked out by this browser: each is as recorded."
    expect(said(visitor)).to_have_text(f"The secret is the one that was committed to. {count}")
    expect(visitor.page.locator(".dice-rolls tbody tr")).to_have_count(rolls(record))
    assert "wrong" not in visitor.page.locator(".dice-rolls").text_content()


def change_roll(record):
    entry = next(entry for entry in record["log"] if entry["chance"])
    entry["chance"][0] = entry["chance"][0] % entry["sides"][0] + 1


def change_secret(record):
    record["dice"]["secret"] = "00" * 32


def change_nonces(record):
    record["dice"]["nonces"].reverse()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (change_roll, "The secret is the one that was committed to. 1 of"),
        (change_secret, "The secret is not the one that was committed to!"),
        (change_nonces, "rolls did not come from it!"),
    ],
)
def test_what_was_changed_is_found(played, change, words):
    visitor, record, path = played
    change(record)
    visitor.page.route("**/export.json", lambda route: route.fulfill(body=json.dumps(record)))
    visitor.go(path)
    visitor.press("Check every roll in this browser")
    expect(said(visitor)).to_contain_text(words)
    expect(said(visitor)).to_contain_text("did not come from it!")
    assert visitor.page.locator(".dice-rolls .dice-wrong").count() > 0


def test_a_record_that_does_not_come_is_told(played):
    visitor, _, path = played
    visitor.page.route("**/export.json", lambda route: route.fulfill(body="no JSON"))
    visitor.go(path)
    visitor.press("Check every roll in this browser")
    expect(said(visitor)).to_contain_text("could not be fetched or read")


def test_a_page_without_encryption_says_that_it_cannot_check(played):
    visitor, _, path = played
    visitor.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    visitor.go(path)
    expect(said(visitor)).to_contain_text("This browser works nothing out")
    expect(said(visitor)).to_contain_text("manage.py verify_dice")


@pytest.mark.thorough
def test_without_script_the_record_says_how_else(people, played):
    _, record, path = played
    reader = people(script=False)
    reader.go(path)
    expect(said(reader)).to_contain_text("manage.py verify_dice")
    reader.sees(record["dice"]["secret"])


def test_a_browser_knows_the_number_that_it_drew(people, played):
    """From the form of a rematch to the record of the new match."""
    _, record, _ = played
    ada, bruno, *others = (people(player["name"]) for player in record["players"])
    nonces = {}
    for person in (ada, bruno, *others):
        person.go(f"/matches/{record['match']}/")
        person.press("Rematch" if person is ada else "Accept")
        if person is ada:
            person.sees("You have asked for a rematch")
        else:
            person.page.wait_for_url(lambda url: not url.endswith(f"/{record['match']}/"))
        nonces[person.name] = person.page.evaluate(
            "JSON.parse(localStorage.getItem('nonces')).at(-1)"
        )
    match = bruno.page.url.removeprefix(bruno.site.url)
    bruno.go(f"{match}?ask=resign")
    bruno.press("Resign")
    bruno.sees("You lost by resignation")
    ada.page.get_by_role("link", name="Go to the rematch").click()
    ada.page.wait_for_url(f"**{match}")
    ada.go(f"{match}0/")
    page = ada.page
    for name, nonce in nonces.items():
        part = page.locator("#match-dice dd").filter(has_text=nonce)
        expect(part).to_contain_text("drawn by the player’s browser")
        own = "(made by this browser)"
        if name == ada.name:
            expect(part).to_contain_text(own)
        else:
            expect(part).not_to_contain_text(own)


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_pages_on_dice(people, played, look):
    _, _, path = played
    visitor = people(**LOOKS[look])
    visitor.go("/dice/")
    examine(visitor, "dice", look)
    visitor.go(path)
    examine(visitor, "record-dice", look)
    visitor.press("Check every roll in this browser")
    expect(said(visitor)).to_contain_text("worked out by this browser")
    examine(visitor, "record-dice-checked", look)
