"""What every form that changes a match carries."""

from dataclasses import dataclass
from uuid import UUID, uuid4


@dataclass(frozen=True)
class ChangeFields:
    """The version of the match that a form is made for, and the id of its submission."""

    version: int | str

    @property
    def submission(self) -> UUID | str:
        """Another id for each form."""
        return uuid4()


class FilledInByPage(ChangeFields):
    """The fields of forms that a page fills in itself, so that they are the same for all pages."""

    def __init__(self) -> None:
        super().__init__("")

    @property
    def submission(self) -> UUID | str:
        """Nothing."""
        return ""
