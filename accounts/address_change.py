"""Changing an account's mail address, which needs a yes from both addresses."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from accounts import mail, outgoing
from accounts.security.models import AddressChange
from accounts.site_languages import reading

LINK_LIFETIME = timedelta(days=3)
"""How long the link to the old address works; the link to the new one lasts as long."""

SALT = "accounts.address_change"


class BadToken(Exception):
    """The link is forged or expired, or the change is over."""


def needed(address: EmailAddress) -> EmailAddress | None:
    """Return the confirmed address that must agree; ``None`` if this is the first address."""
    old: EmailAddress | None = (
        EmailAddress.objects.filter(user=address.user, verified=True).exclude(pk=address.pk).first()
    )
    return old


def ask(address: EmailAddress, *, now: datetime) -> None:
    """Mail the old address about the new one, unless it has agreed already."""
    old = needed(address)
    if old is None:
        return
    change, _ = AddressChange.objects.get_or_create(address=address, defaults={"asked": now})
    if change.old_agreed:
        return
    token = signing.dumps(change.pk, salt=SALT)
    values = {
        **mail.frame(),
        "user": address.user,
        "old": old.email,
        "new": address.email,
        "link": mail.absolute(reverse("address-change", args=[token])),
    }
    with reading(address.user):
        subject = render_to_string("account/email/address_change_subject.txt", values).strip()
        text = render_to_string("account/email/address_change_message.txt", values).strip()
        outgoing.write(to=old.email, subject=subject, text=text, now=now)


def note_new(address: EmailAddress) -> bool:
    """Note that the new address is confirmed; return whether both have agreed."""
    if needed(address) is None:
        return True
    change = AddressChange.objects.filter(address=address).first()
    if change is None:
        return False
    if not change.new_agreed:
        change.new_agreed = True
        change.save(update_fields=["new_agreed"])
    return change.old_agreed


def read(token: str) -> AddressChange:
    """Return the change that a link to the old address is about.

    :raises BadToken: it does not exist.
    """
    try:
        pk = signing.loads(token, salt=SALT, max_age=LINK_LIFETIME)
    except signing.BadSignature as error:
        raise BadToken from error
    pending = AddressChange.objects.filter(pk=pk, address__verified=False)
    change = pending.select_related("address__user").first()
    if change is None:
        raise BadToken
    return change


def note_old(change: AddressChange) -> bool:
    """Note that the old address agrees; return whether both have agreed."""
    change.old_agreed = True
    change.save(update_fields=["old_agreed"])
    return change.new_agreed


def refuse(change: AddressChange) -> None:
    """Cancel a change for the owner of the old address, unless it has been made."""
    new = EmailAddress.objects.filter(pk=change.address_id, verified=False)
    with transaction.atomic():
        # The lock makes a simultaneous confirmation wait, or wins over the deletion.
        if new.select_for_update().first():
            new.delete()


def forget(address: EmailAddress) -> None:
    """Delete the change once its address is confirmed, so that its links stop working."""
    AddressChange.objects.filter(address=address).delete()
