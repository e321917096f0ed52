"""Finding people by name."""

from accounts.models import User


def named(name: str) -> User | None:
    """Return the active user of a name, without regard to case."""
    if "\0" in name:
        # PostgreSQL takes no text that holds one, and no name does.
        return None
    exact = User.objects.equivalence(name).filter(username__iexact=name)
    return exact.filter(is_active=True).first()
