"""The commitment to a secret, shown before the creator of a challenge gives a nonce."""

import pytest
from django.core import signing

from games.kernel.dice import commitment
from games.lobby import commitments, services
from games.lobby.commitments import CommitmentRefused
from games.lobby.models import Challenge
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")

NONCE = b"n" * 32


def offer(creator, **kwargs):
    return services.challenge(
        creator=creator,
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
        **kwargs,
    )


def test_the_secret_of_a_challenge_is_the_one_that_was_committed_to(people):
    shown = commitments.make(people[0])
    made = offer(people[0], pending=commitments.redeem(people[0], shown.token), nonce=NONCE)
    assert made.commitment == shown.commitment == commitment(made.secret).hex()
    assert len(made.secret) == 32
    assert made.invitations.get().nonce_is_own


def test_a_nonce_does_not_count_without_the_commitment_before_it(people):
    with pytest.raises(CommitmentRefused, match="before it"):
        offer(people[0], nonce=NONCE)
    assert not offer(people[0]).invitations.get().nonce_is_own


def test_every_form_has_a_secret_of_its_own(people):
    found = {commitments.make(user).commitment for user in people for _ in range(5)}
    assert len(found) == 5 * len(people)


def test_a_commitment_is_good_for_one_challenge(people):
    shown = commitments.make(people[0])
    offer(people[0], pending=shown, nonce=NONCE)
    with pytest.raises(CommitmentRefused, match="sent this challenge already"):
        offer(people[0], pending=shown, nonce=b"m" * 32)
    assert Challenge.objects.count() == 1


def test_a_commitment_is_its_owners_alone(people):
    shown = commitments.make(people[0])
    with pytest.raises(CommitmentRefused, match="expired"):
        commitments.redeem(people[1], shown.token)


@pytest.mark.parametrize("token", ["", "x", "a:b:c", "\ud83d"])
def test_what_is_no_token_is_refused(people, token):
    with pytest.raises(CommitmentRefused):
        commitments.redeem(people[0], token)


def test_a_token_that_was_changed_is_refused(people):
    """Nobody signs a number with another commitment, nor with a number of their own."""
    shown, other = (commitments.make(people[0]) for _ in range(2))
    _, rest = shown.token.split(":", 1)
    with pytest.raises(CommitmentRefused):
        commitments.redeem(people[0], f"{other.token.split(':', 1)[0]}:{rest}")
    with pytest.raises(CommitmentRefused):
        commitments.redeem(people[0], signing.dumps([people[0].pk, "00" * 32, "11" * 32]))


def test_a_token_of_an_old_key_is_refused(people, settings):
    """Signed with a key that still counts, but its secret followed from that key."""
    shown = commitments.make(people[0])
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of the site, long enough to be one"
    with pytest.raises(CommitmentRefused):
        commitments.redeem(people[0], shown.token)


def test_an_old_token_is_refused(people, monkeypatch):
    shown = commitments.make(people[0])
    day = commitments.FORM_LIFETIME.total_seconds()
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + day + 5)
    with pytest.raises(CommitmentRefused):
        commitments.redeem(people[0], shown.token)


def test_a_pending_secret_prints_nothing_of_itself(people):
    shown = commitments.make(people[0])
    assert shown.secret.hex() not in repr(shown)
    assert repr(shown.secret) == "<32 hidden bytes>"
